"""Which cell an agent opens first: as measured on the usual boards, else by a general rule."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

from .actions import Cell
from .rules import FirstClick, Level

Table = Mapping[tuple[str, FirstClick], Cell]


def first_cell(level: Level, rule: FirstClick, table: Table | None = None) -> Cell:
    """The cell to open on an untouched board.

    Args:
        level: the board; one whose mines are not told counts as having none.
        rule: what the first cell is sure to be.
        table: measured cells by board and rule; None for the shipped table.

    Returns:
        the measured cell. On other boards a corner, where a zero is likeliest, or, where the first cell is a
        zero anyway, one near a corner, whose opening is large and leaves a long border.
    """
    found = (measured() if table is None else table).get((str(level), rule))
    if found is not None:
        return found
    if rule == "opening":
        return min(3, (level.height - 1) // 2), min(3, (level.width - 1) // 2)
    return 0, 0


@cache
def measured() -> Table:
    """The shipped table, made by `tools/measure_first_clicks.py`; how stands in its file."""
    text = resources.files("surefoot.minesweeper").joinpath("data/first_clicks.json").read_text("utf-8")
    return {
        (entry["board"], entry["first_click"]): (entry["cell"][0], entry["cell"][1])
        for entry in json.loads(text)["boards"]
    }
