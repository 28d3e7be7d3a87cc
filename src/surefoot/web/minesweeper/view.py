"""What a client sees of Minesweeper, as JSON values; a cell is ``row * width + column``.

The codes of cells are those of `Observation`, and once a game is over three more that tell where the
mines were.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from surefoot.minesweeper.actions import Kind
from surefoot.minesweeper.analysis import Analysis
from surefoot.minesweeper.game import End, Game
from surefoot.minesweeper.kernels.layout import FLAGGED, HIDDEN
from surefoot.minesweeper.observation import Observation

MINE: Final = 9
"""A mine, seen once the game is over."""
EXPLODED: Final = 10
"""The mine that was opened."""
WRONG_FLAG: Final = 11
"""A flag on no mine, seen once the game is over."""

CERTAIN: Final = 10_000
"""The risk of a sure mine: risks are told in so many parts of one."""
OPEN: Final = -1
"""Stands for the risk of an open cell."""
ELSEWHERE: Final = -2
"""Stands for the risk of a hidden cell next to no number: all these have the same."""
SHOWN_GUESSES: Final = 6
"""So many guesses are shown, and as many 50/50s: an analysis stays small on the wire."""


def cells(game: Game) -> NDArray[np.int8]:
    """The codes of all cells; int8, shape (height * width,)."""
    shown = game.observation().cells.ravel()
    if not game.over:
        return shown
    mines = game.board.mines.ravel()
    told = np.where(mines & (shown == HIDDEN), MINE, shown)
    told = np.where(~mines & (shown == FLAGGED), WRONG_FLAG, told).astype(np.int8)
    exploded = _exploded(game)
    if exploded is not None:
        told[exploded] = EXPLODED
    return told


def _exploded(game: Game) -> int | None:
    """The mine that was opened, if one was."""
    if game.end is not End.EXPLODED or not game.actions:
        return None
    action = game.actions[-1]
    assert action.cell is not None
    width = game.level.width
    if action.kind is Kind.UNCOVER:
        return action.cell[0] * width + action.cell[1]
    # A chord opens its cells row by row, and stops at the first mine without a flag.
    seen, board = game.observation(), game.board
    near = next(
        cell for cell in seen.neighbours(action.cell) if board.mines[cell] and seen.cells[cell] == HIDDEN
    )
    return near[0] * width + near[1]


def position(observation: Observation) -> bytes:
    """What of a position matters to whoever counts it, flags not among it: equal if and only if alike."""
    return np.maximum(observation.cells, HIDDEN).tobytes()


def analysis(found: Analysis) -> dict[str, Any]:
    """An analysis as the view holds it."""
    seen = found.observation
    risks = np.full(seen.cells.shape, OPEN, np.int64)
    hidden = seen.hidden
    parts = np.rint(found.probabilities[hidden] * CERTAIN).astype(np.int64)
    # No rounding may make a chance look like certainty.
    risks[hidden] = np.clip(parts, 1, CERTAIN - 1)
    width = seen.width
    safe = [row * width + col for row, col in found.safe]
    mines = [row * width + col for row, col in found.mines]
    flat = risks.reshape(-1)
    flat[safe] = 0
    flat[mines] = CERTAIN
    far = (hidden & ~_beside_numbers(seen)).reshape(-1)
    elsewhere: int | None = None
    if far.any():
        elsewhere = int(flat[far][0])
        flat[far] = ELSEWHERE
    best, why = found.best, found.why
    text = None
    if hidden.all() and seen.rules.start == "agent" and seen.rules.first_click != "any":
        # The mines are laid out around the first click, so that what counting tells is not its risk.
        elsewhere = 0
        what = "never a mine" if seen.rules.first_click == "safe" else "never a mine, nor next to one"
        text = why = f"the first cell opened is {what}"
    return {
        "state": "ready",
        "text": text,
        "risks": flat.tolist(),
        "elsewhere": elsewhere,
        "safe": safe,
        "mines": mines,
        "best": None if best is None else best[0] * width + best[1],
        "why": why,
        "layouts": round(found.log10_layouts, 2),
        "guesses": [
            [one.cell[0] * width + one.cell[1], *_parts(one.safety, one.progress, one.win_chance)]
            for one in found.guesses.candidates[:SHOWN_GUESSES]
        ],
        "exact": found.guesses.exact,
        "tosses": [
            [[row * width + col for row, col in toss.cells], *_parts(toss.cost)]
            for toss in found.tosses[:SHOWN_GUESSES]
        ],
    }


def _parts(*chances: float) -> list[int]:
    """Chances in parts of `CERTAIN`."""
    return [round(chance * CERTAIN) for chance in chances]


def no_analysis(state: str, text: str | None) -> dict[str, Any]:
    """What stands in the place of an analysis when there is none: being worked out, or impossible."""
    return {
        "state": state,
        "text": text,
        "risks": None,
        "elsewhere": None,
        "safe": [],
        "mines": [],
        "best": None,
        "why": None,
        "layouts": None,
        "guesses": [],
        "exact": False,
        "tosses": [],
    }


def _beside_numbers(seen: Observation) -> NDArray[np.bool_]:
    """Where a cell is open or next to one that is; shape (height, width)."""
    padded = np.zeros((seen.height + 2, seen.width + 2), np.bool_)
    padded[1:-1, 1:-1] = ~seen.hidden
    beside = np.zeros(seen.cells.shape, np.bool_)
    for row in range(3):
        for col in range(3):
            beside |= padded[row : row + seen.height, col : col + seen.width]
    return beside
