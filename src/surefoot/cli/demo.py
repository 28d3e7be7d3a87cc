"""``surefoot demo``: the main job of document A on worlds drawn here, beside the figures it is known by."""

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from .minesweeper import JsonOption, warn_of_failures
from .output import announce_kernels, print_json, progress, say

if TYPE_CHECKING:
    from rich.table import Table

    from surefoot.arena.minesweeper import Evaluation

_LEVELS = ("minai-beginner", "minai-intermediate", "minai-expert")
_AGENTS = ("random", "sentence", "exact")
_WORLDS = 1000
"""Worlds a level in a tournament of the Min.AI shell; scores are told for that many."""


class _Published(NamedTuple):
    """What others reached: percent solved at each level."""

    who: str
    percent: tuple[float, float, float]


_PUBLISHED = (
    _Published("the course's bar", (60.0, 50.0, 10.0)),
    _Published("document A's own agent", (77.4, 69.4, 15.8)),
    _Published("best complete student run", (88.3, 82.7, 36.0)),
)


def demo(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Worlds a level.")] = _WORLDS,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same worlds.")] = 1,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="W", help="How many processes play; all processors if not given."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw Min.AI worlds, let three agents play them, and show how many each solved."""
    from surefoot.arena.minesweeper import evaluate
    from surefoot.arena.play import default_workers, pool
    from surefoot.minesweeper.rules import preset
    from surefoot.spec import parse

    count = workers or default_workers()
    announce_kernels()
    say(f"{games} worlds a level for {', '.join(_AGENTS)}, seed {seed}, {count} at a time")
    results: dict[str, list[Evaluation]] = {}
    total = games * len(_AGENTS) * len(_LEVELS)
    with progress(total, "worlds") as bar, pool(count) if count > 1 else nullcontext() as executor:
        for agent in _AGENTS:
            for level in _LEVELS:
                bar.describe(f"{agent} on {level}")
                evaluation = evaluate(
                    parse(agent),
                    *preset(level),
                    games=games,
                    seed=seed,
                    workers=count,
                    on_progress=bar.advance,
                    executor=executor,
                )
                results.setdefault(agent, []).append(evaluation)
                warn_of_failures(evaluation)
    if as_json:
        print_json(
            {
                "games": games,
                "seed": seed,
                "agents": {
                    agent: [
                        evaluation.as_dict() | {"rules": level} for level, evaluation in zip(_LEVELS, row)
                    ]
                    for agent, row in results.items()
                },
                "scores": {agent: _score([each.rate for each in row]) for agent, row in results.items()},
            }
        )
    else:
        from rich.console import Console

        Console().print(_table(results, games))


def _score(rates: list[float]) -> float:
    """Points by document A's weights if every level had as many worlds as a tournament has."""
    from surefoot.minesweeper.rules import preset

    boards = [preset(level) for level in _LEVELS]
    return sum(
        _WORLDS * rate * board.rules.score(board.level, won=True) for rate, board in zip(rates, boards)
    )


def _table(results: "dict[str, list[Evaluation]]", games: int) -> "Table":
    from rich.table import Table

    table = Table(
        title=f"Percent solved of {games} worlds a level, with 95 % intervals",
        caption=f"Score: by document A's weights, for {_WORLDS} worlds a level",
    )
    table.add_column("", no_wrap=True)
    for level in ("Beginner", "Intermediate", "Expert", "Score"):
        table.add_column(level, justify="right")
    for agent, row in results.items():
        cells = [
            f"{100 * each.rate:.1f}\n{100 * each.ci95.low:.1f}-{100 * each.ci95.high:.1f}" for each in row
        ]
        table.add_row(agent, *cells, f"{_score([each.rate for each in row]):.0f}", style="bold")
    table.add_section()
    for who, percent in _PUBLISHED:
        rates = [each / 100 for each in percent]
        table.add_row(who, *(f"{each:.1f}" for each in percent), f"{_score(rates):.0f}")
    return table
