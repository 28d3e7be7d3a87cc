"""Figures. On one machine the same figures give the same files: no dates, no random names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from surefoot.errors import FormatError
from surefoot.risk.evolution import FEATURES, Generation, Settings
from surefoot.risk.learning import Fit, Reliability

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, HEIGHT = 7.0, 4.2
"""Inches."""
_DPI = 144
_BEST, _CROWD = "#0b5394", "#8a8a8a"  # told apart by lightness too
_FORMATS = ("png", "svg")


def figure(height: float = HEIGHT) -> "Figure":
    """An empty figure, so many inches high.

    Raises:
        FormatError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise FormatError("figures need the package matplotlib: install surefoot[learn]") from None
    return Figure(figsize=(_WIDTH, height), dpi=_DPI, layout="constrained")


def evolution_figures(settings: Settings, history: Sequence[Generation]) -> "dict[str, Figure]":
    """Fitness, and the four weights, over the generations of a learning run; by name.

    Args:
        history: the generations that were played, at least one.

    Raises:
        FormatError: matplotlib is not installed.
    """
    numbers = np.arange(1, len(history) + 1)
    fitness = figure()
    from matplotlib.ticker import MaxNLocator

    axes = fitness.subplots()
    played = [each.population.fitness[each.drawn] for each in history]
    _crowd(axes, numbers, played)
    axes.plot(numbers, [values.max() for values in played], "o-", color=_BEST, label="best")
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel("fitness: wins / games")
    fitness.suptitle(f"Fitness over the generations ({settings.method}, seed {settings.seed})")
    _finish(axes)

    weights = figure(1.4 * HEIGHT)
    panels = weights.subplots(2, 2, sharex=True, sharey=True)
    best = np.array([each.population.genes[each.best()] for each in history])
    for feature, panel in enumerate(panels.flat):
        _crowd(panel, numbers, [each.population.genes[:, feature] for each in history])
        panel.plot(numbers, best[:, feature], "o-", color=_BEST, label="of the best gene")
        panel.set_title(FEATURES[feature], fontsize="medium")
        margin = 0.02 * (settings.high - settings.low)
        panel.set_ylim(settings.low - margin, settings.high + margin)
    _finish(panels[0, 0])
    weights.supylabel("weight")
    weights.suptitle(f"Weights over the generations ({settings.method}, seed {settings.seed})")
    for panel in (axes, *panels[-1]):
        panel.set_xlabel("generation")
        panel.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        # One generation alone would be given an axis from half before it to half after, without a tick.
        panel.set_xlim(0.5, len(history) + 0.5)
    return {"fitness": fitness, "weights": weights}


def training_figures(fits: Sequence[Fit], reliabilities: Mapping[int, Reliability]) -> "dict[str, Figure]":
    """The losses of a training run, and how the chances of its last network came true; by name.

    Args:
        fits: of the rounds that are over, at least one.
        reliabilities: of the last on games held out, by players at the table, at least one.

    Raises:
        FormatError: matplotlib is not installed.
    """
    losses = figure()
    axes = losses.subplots()
    begun = 0
    for number, fit in enumerate(fits):
        epochs = begun + np.arange(1, len(fit.losses) + 1)
        taught, judged = np.array(fit.losses).T
        axes.plot(epochs, taught, "--", color=_CROWD, label=None if number else "games learned from")
        axes.plot(epochs, judged, "-", color=_BEST, label=None if number else "games held out")
        axes.plot(begun + fit.best, judged[fit.best - 1], "o", color=_BEST)
        begun += len(fit.losses)
    axes.set_xlabel(f"epochs of {len(fits)} {'round' if len(fits) == 1 else 'rounds'}")
    axes.set_ylabel("cross-entropy, nats a position")
    losses.suptitle("Loss while learning; dots are the networks kept")
    _finish(axes)

    came = figure(0.65 * HEIGHT)
    panels = came.subplots(1, len(reliabilities), sharey=True, squeeze=False)[0]
    for panel, (players, each) in zip(panels, reliabilities.items()):
        some = each.counts > 0
        panel.plot([0, 1], [0, 1], ":", color=_CROWD)
        panel.plot(each.expected[some], each.won[some], "o-", color=_BEST, markersize=4)
        panel.set_title(f"{players} players: gap {100 * each.gap:.2f} points", fontsize="medium")
        panel.set_aspect("equal")
        panel.set_xlabel("chance told")
    panels[0].set_ylabel("share won")
    came.suptitle("Chances and what came of them, games held out")
    return {"loss": losses, "reliability": came}


def save(figures: "dict[str, Figure]", folder: Path) -> list[Path]:
    """Write each figure as PNG and SVG, and tell the files.

    Raises:
        OSError: the folder cannot be written.
    """
    from matplotlib import rc_context

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, figure in figures.items():
        for kind in _FORMATS:
            files.append(folder / f"{name}.{kind}")
            with rc_context({"svg.hashsalt": "surefoot"}):
                # What names the day or the version would make other bytes of the same figure.
                nothing = {"Date": None} if kind == "svg" else {"Software": None}
                figure.savefig(files[-1], metadata=nothing)
    return files


def _crowd(axes: "Axes", numbers: np.ndarray, values: Sequence[np.ndarray]) -> None:
    """The median and the middle half of some genes' numbers, generation by generation."""
    low, median, high = np.array([np.quantile(each, [0.25, 0.5, 0.75]) for each in values]).T
    axes.fill_between(numbers, low, high, color=_CROWD, alpha=0.3, linewidth=0, label="middle half")
    axes.plot(numbers, median, "s--", color=_CROWD, markersize=4, label="median")


def _finish(axes: "Axes") -> None:
    axes.legend(frameon=False, fontsize="small")
