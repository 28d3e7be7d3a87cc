"""The part of `tools/results.py` that plays small boards on all their layouts."""

import sys
from typing import Any

from surefoot.minesweeper import Level
from surefoot.minesweeper.optimum import optimum
from surefoot.minesweeper.rules import FirstClick
from surefoot.spec import parse
from tests.every_layout import play_every_layout

BOARDS = ("4x4x2", "4x4x3", "4x4x4", "4x4x5", "4x4x6", "5x5x3")
FIRST_CLICKS: tuple[FirstClick, ...] = ("safe", "opening")
AGENTS = ("perfect", "exact", "expert")


def perfect() -> dict[str, Any]:
    """The optimum of small boards, and what agents win of all layouts that their first cell allows."""
    return {"boards": [_row(board, rule) for board in BOARDS for rule in FIRST_CLICKS]}


def _row(board: str, rule: FirstClick) -> dict[str, Any]:
    level = Level.parse(board)
    best = optimum(level, rule)
    agents: dict[str, Any] = {}
    for name in AGENTS:
        tally = play_every_layout(parse(name).make, level, rule)
        agents[name] = {
            "first": tally.first,
            "layouts": tally.layouts,
            "won": tally.won,
            "rate": tally.rate,
        }
    if agents["perfect"]["rate"] != best.value:
        sys.exit(
            f"perfect wins {agents['perfect']['rate']} of {board}, {rule}, and the optimum is {best.value}"
        )
    return {
        "board": board,
        "first_click": rule,
        "optimum": best.value,
        "best": best.best,
        "agents": agents,
    }


PARTS = {"perfect": perfect}
