"""What a position holds: every cell's risk, what is proved, and the cell to open with the reason."""

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import TooComplex

from .actions import Cell
from .guess import Candidate, Guesses, choose_cell, weigh_guesses
from .kernels.candidates import SAME_RISK
from .observation import Observation
from .probability import solve
from .tosses import Toss, find_tosses, named


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A position and what can be told of it.

    Args:
        observation: the position.
        probabilities: float64, shape (height, width): the probability of a mine, NaN where a cell is open.
        safe: hidden cells that are no mine in any layout, in row-major order.
        mines: hidden cells that are a mine in every layout.
        best: the cell to open, the one the agent `expert` opens; None when no safe cell is left.
        why: the reason, in words.
        log10_layouts: decimal logarithm of the number of layouts.
        guesses: the cells that may be worth a guess, where one is called for.
        tosses: pairs and boxes whose mines no number may tell apart, the costliest first.
    """

    observation: Observation
    probabilities: NDArray[np.float64]
    safe: list[Cell]
    mines: list[Cell]
    best: Cell | None
    why: str
    log10_layouts: float
    guesses: Guesses
    tosses: tuple[Toss, ...]

    def guesses_as_dict(self) -> dict[str, Any]:
        """What was weighed, as plain JSON values."""
        return {
            "candidates": [
                {
                    "cell": list(one.cell),
                    "safety": one.safety,
                    "progress": one.progress,
                    "win_chance": one.win_chance,
                }
                for one in self.guesses.candidates
            ],
            "exact": self.guesses.exact,
            "dead": [list(cell) for cell in self.guesses.dead],
            "tosses": [toss.as_dict() for toss in self.tosses],
        }


def analyze(observation: Observation) -> Analysis:
    """Count a position, weigh the guesses, and choose the cell to open.

    Guesses and tosses are left out where the count of what follows them would exceed the work limit.

    Raises:
        Contradiction: no layout agrees with the position.
        TooComplex: the count would exceed the work limit.
    """
    known = solve(observation)
    safe = _cells(known.safe)
    guesses = Guesses()
    tosses: tuple[Toss, ...] = ()
    with suppress(TooComplex):
        guesses = weigh_guesses(observation)
        tosses = find_tosses(observation)
    best = guesses.best.cell if guesses.best else choose_cell(observation)
    return Analysis(
        observation,
        known.mine,
        safe,
        _cells(known.mines),
        best,
        _reason(observation, known.mine, safe, best, guesses, tosses),
        known.log_layouts / math.log(10),
        guesses,
        tosses,
    )


def _cells(where: NDArray[np.bool_]) -> list[Cell]:
    return [(int(row), int(col)) for row, col in np.argwhere(where)]


def _reason(
    observation: Observation,
    risks: NDArray[np.float64],
    safe: list[Cell],
    best: Cell | None,
    guesses: Guesses,
    tosses: tuple[Toss, ...],
) -> str:
    if best is None:
        return "every cell that is still hidden is a mine"
    if best in safe:
        others = f", like {len(safe) - 1} more" if len(safe) > 1 else ""
        return f"it is safe in every layout{others}"
    risk = float(risks[best])
    if not (observation.cells >= 0).any():
        return f"nothing is open yet, and every cell is a mine with {risk:.1%}"
    hidden = observation.hidden
    equals = int((risks[hidden] <= risk + SAME_RISK).sum())
    least = float(risks[hidden].min()) >= risk - SAME_RISK
    toss = next((toss for toss in tosses if toss.unavoidable and best in toss.cells), None)
    if toss is not None:
        return f"no cell is safe for certain; it is one of {toss.in_words()}: {_when(toss, guesses)}"
    if guesses.best is None:
        return f"no cell is safe for certain, and its risk is {risk:.1%}"
    if least and equals == 1:
        head = f"no cell is safe for certain, and its risk of {risk:.1%} is the least of all"
    elif least:
        head = f"no cell is safe for certain; it shares the least risk, {risk:.1%}, with {equals - 1} more"
    else:
        head = "no cell is safe for certain"
    return f"{head}{_comparison(guesses, tosses, least)}{_by_perfect_play(guesses)}"


def _when(toss: Toss, guesses: Guesses) -> str:
    """When to take a 50/50 that nothing can settle."""
    best, *others = guesses.candidates or (None,)
    elsewhere = [other.win_chance for other in others if other is not None and other.cell not in toss.cells]
    if best is not None and elsewhere and max(elsewhere) >= best.win_chance - SAME_RISK:
        return "it costs the same now as later"
    return "take it now, for waiting tells nothing"


def _comparison(guesses: Guesses, tosses: tuple[Toss, ...], least: bool) -> str:
    """Why the best candidate is better than the safest of the others."""
    best, *others = guesses.candidates
    if not others:
        return f"; it wins {best.win_chance:.1%}"
    rival = max(others, key=lambda other: (other.safety, other.win_chance))
    reasons = []
    if best.progress > rival.progress + 0.005:
        leaves, against = _against(best.progress, rival.progress, digits=0)
        reasons.append(f"leaves a proved safe cell in {leaves} of cases against {against}")
    settled = [toss for toss in tosses if _settles(best, toss) and not _settles(rival, toss)]
    if settled:
        reasons.append(f"settles whether {named(settled[0].cells)} are a 50/50")
    wins, against = _against(best.win_chance, rival.win_chance, digits=1)
    if wins == against:
        reasons.append(f"wins {wins}, as that one does")
    else:
        reasons.append(f"wins {wins} against {against}")
    told = f"{', '.join(reasons[:-1])} and {reasons[-1]}" if len(reasons) > 1 else reasons[0]
    name = named([rival.cell])
    if not least:
        riskier, risk = _against(1.0 - best.safety, 1.0 - rival.safety, digits=1)
        return f"; its risk of {riskier} is more than the {risk} of {name}, but it {told}"
    return f"; compared with {name} it {told}"


def _settles(candidate: Candidate, toss: Toss) -> bool:
    return candidate.cell in toss.cells or candidate.cell in toss.separators


def _against(one: float, other: float, digits: int) -> tuple[str, str]:
    """Two shares in percent, with as many digits as tell them apart, but two more at most."""
    for more in range(3):
        texts = f"{one:.{digits + more}%}", f"{other:.{digits + more}%}"
        if texts[0] != texts[1]:
            return texts
    return f"{one:.{digits}%}", f"{other:.{digits}%}"


def _by_perfect_play(guesses: Guesses) -> str:
    return ", by perfect play" if guesses.exact else ""
