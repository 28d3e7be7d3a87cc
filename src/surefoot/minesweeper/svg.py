"""Still pictures of a position, for notebooks, documents and reports."""

import math
from collections.abc import Mapping
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from surefoot import theme as themes
from surefoot.errors import FormatError
from surefoot.theme import Palette

from .actions import Cell
from .kernels.layout import FLAGGED
from .observation import Observation

MARKS: Final = ("safe", "mine", "best")
"""What a cell can be marked as: proved safe, proved a mine, or the one to open."""

_SIDE: Final = 24
_MARGIN: Final = 6
_STEPS: Final = 8  # of the scale of chances, from `risk-0` to `risk-8`


def svg(
    observation: Observation,
    *,
    probabilities: NDArray[np.float64] | None = None,
    marks: Mapping[Cell, str] | None = None,
    theme: str = "light",
) -> str:
    """A picture of a position as a standalone SVG; nothing outside it is referred to.

    Args:
        observation: the position.
        probabilities: of a mine, shape (height, width), for instance from ``analyze``; hidden cells are then
            coloured and carry the chance in percent. NaN leaves a cell as it is.
        marks: for some cells one of `MARKS`.
        theme: ``light`` or ``dark``.

    Raises:
        FormatError: there is no such theme or mark, a marked cell is not on the board, or the probabilities
            have another shape.
    """
    colour = themes.load().palette(theme)
    rows, cols = observation.cells.shape
    if probabilities is not None and probabilities.shape != (rows, cols):
        raise FormatError(f"the position has shape {(rows, cols)}, the probabilities {probabilities.shape}")
    width, height = cols * _SIDE + 2 * _MARGIN, rows * _SIDE + 2 * _MARGIN
    mines = "an unknown number of" if observation.mines is None else str(observation.mines)
    size = f'viewBox="0 0 {width} {height}" width="{width}"'
    look = f'role="img" font-family="{escape(themes.load().font)}" text-anchor="middle" font-weight="600"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look}>',
        f"<title>Minesweeper, {cols}x{rows} with {mines} mines</title>",
        f'<rect width="{width}" height="{height}" rx="4" fill="{colour["ground"]}"/>',
        f'<g transform="translate({_MARGIN} {_MARGIN})">',
        *_ground(observation, colour),
        *_risks(observation, probabilities, colour),
        *_contents(observation, colour),
        *_marked(observation, marks or {}, colour),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts)


def _ground(observation: Observation, colour: Palette) -> list[str]:
    """Open cells are one sheet with lines, hidden ones are keys on it."""
    rows, cols = observation.cells.shape
    lines = [f"M0 {row * _SIDE}h{cols * _SIDE}" for row in range(rows + 1)]
    lines += [f"M{col * _SIDE} 0v{rows * _SIDE}" for col in range(cols + 1)]
    keys = [_key(cell) for cell in _hidden(observation)]
    return [
        f'<rect width="{cols * _SIDE}" height="{rows * _SIDE}" fill="{colour["cell-open"]}"/>',
        f'<path d="{"".join(lines)}" stroke="{colour["cell-line"]}"/>',
        f'<path d="{"".join(keys)}" fill="{colour["cell-hidden"]}" stroke="{colour["cell-hidden-edge"]}"/>',
    ]


def _hidden(observation: Observation) -> list[Cell]:
    return [(int(row), int(col)) for row, col in np.argwhere(observation.hidden)]


def _key(cell: Cell) -> str:
    row, col = cell
    return f"M{col * _SIDE + 1.5} {row * _SIDE + 1.5}h{_SIDE - 3}v{_SIDE - 3}h{3 - _SIDE}z"


def _middle(cell: Cell) -> tuple[float, float]:
    row, col = cell
    return (col + 0.5) * _SIDE, (row + 0.5) * _SIDE


def _risks(observation: Observation, probabilities: NDArray[np.float64] | None, colour: Palette) -> list[str]:
    if probabilities is None:
        return []
    keys: list[str] = []
    figures: list[str] = []
    for cell in _hidden(observation):
        chance = float(probabilities[cell])
        if math.isnan(chance):
            continue
        step = round(min(max(chance, 0.0), 1.0) * _STEPS)
        x, y = _middle(cell)
        keys.append(f'<path d="{_key(cell)}" fill="{colour[f"risk-{step}"]}"/>')
        if observation.cells[cell] != FLAGGED:
            ink = colour[f"on-risk-{step}"]
            figures.append(f'<text x="{x:g}" y="{y + 3.3:g}" fill="{ink}">{escape(percent(chance))}</text>')
    return ["<g>", *keys, "</g>", '<g font-size="9">', *figures, "</g>"]


def percent(chance: float) -> str:
    """A chance in percent, in three characters; 0 and 100 are kept for what is certain."""
    whole = round(100 * chance)
    if whole == 0 and chance > 0:
        return "<1"
    if whole == 100 and chance < 1:
        return ">99"
    return str(whole)


def _contents(observation: Observation, colour: Palette) -> list[str]:
    numbers: list[str] = []
    flags: list[str] = []
    for (row, col), code in np.ndenumerate(observation.cells):
        x, y = _middle((row, col))
        if code > 0:
            ink = colour[f"number-{code}"]
            numbers.append(f'<text x="{x:g}" y="{y + 5.4:g}" fill="{ink}">{code}</text>')
        elif code == FLAGGED:
            flags.append(f"M{x - 3:g} {y + 7:g}v-14l9 4.5l-7.5 4v5.5z")
    drawn = ['<g font-size="15">', *numbers, "</g>"]
    if flags:
        drawn.append(
            f'<path d="{"".join(flags)}" fill="{colour["flag"]}" stroke="{colour["cell-hidden-edge"]}" '
            'stroke-width="2" stroke-linejoin="round" paint-order="stroke"/>'
        )
    return drawn


def _marked(observation: Observation, marks: Mapping[Cell, str], colour: Palette) -> list[str]:
    drawn = []
    looks = {
        "safe": (colour["good"], ' stroke-dasharray="3 2"'),
        "mine": (colour["danger"], ""),
        "best": (colour["accent"], ""),
    }
    for cell, mark in marks.items():
        if mark not in looks:
            raise FormatError(f"unknown mark {str(mark)[:40]!r} (known: {', '.join(MARKS)})")
        row, col = cell
        if not (0 <= row < observation.height and 0 <= col < observation.width):
            raise FormatError(f"cell {cell} is not on the board")
        ink, dashes = looks[mark]
        x, y = col * _SIDE + 2.5, row * _SIDE + 2.5
        box = f'x="{x:g}" y="{y:g}" width="{_SIDE - 5}" height="{_SIDE - 5}" rx="2"'
        drawn.append(
            f'<rect {box} stroke="{colour["surface"]}" stroke-width="4"/>'
            f'<rect {box} stroke="{ink}" stroke-width="2"{dashes}/>'
        )
    return ['<g fill="none">', *drawn, "</g>"] if drawn else []
