"""What the original shell prints, to the letter: its results, and with -d or -m its board and prompts."""

from collections.abc import Callable, Iterable

import numpy as np

from surefoot.errors import IllegalAction
from surefoot.minesweeper.actions import Action, Kind
from surefoot.minesweeper.formats.minai import to_tile
from surefoot.minesweeper.game import End, Game
from surefoot.minesweeper.kernels.layout import FLAGGED

from .minai import NotAMove

_MENU = (
    'Press "L" to leave game',
    'Press "U" to uncover a tile',
    'Press "F" to flag a tile',
    'Press "N" to unflag a tile: ',
)
_NO_TILE = (1, 1)
"""The tile that the shell fills in for a move without one."""
_PLAYED = {Kind.UNCOVER: "Uncovering", Kind.FLAG: "Flagging", Kind.UNFLAG: "Unflagging"}


def folder_results(scores: Iterable[int]) -> str:
    """The three lines for a folder of worlds, from what each of them was worth."""
    easy, medium, expert, total = _count(scores)
    return (
        "---------------Your agent's results:---------------\n"
        f"Beginner: {easy} \tIntermediate: {medium} \tExpert: {expert}\n"
        f"Cumulative Score: {total}\n"
    )


def folder_file(scores: Iterable[int]) -> str:
    """What OUT receives for a folder; no newline at its end."""
    return "easy: {}\nmedium: {}\nexpert: {}\nscore: {}".format(*_count(scores))


def world_result(score: int) -> str:
    """The line for a single world."""
    return "WORLD COMPLETE\n" if score else "WORLD INCOMPLETE\n"


def _count(scores: Iterable[int]) -> tuple[int, int, int, int]:
    """Worlds solved by what they were worth, and the sum; a size of its own counts as a beginner's."""
    known = list(scores)
    return known.count(1), known.count(2), known.count(3), sum(known)


class Display:
    """Shows a world as it is played.

    Args:
        write: takes the text.
        read: asks for a line of input, given the prompt; raises EOFError when there is no more.
        manual: a person plays: with the menu, and without waiting between the moves.
    """

    def __init__(self, write: Callable[[str], object], read: Callable[[str], str], *, manual: bool) -> None:
        self._write = write
        self._read = read
        self._manual = manual
        self._last: Action | None = None
        self._waits = not manual

    def turn(self, game: Game) -> None:
        """Show the board before the agent is asked."""
        self._board(game, over=False)

    def refused(self, error: IllegalAction) -> None:
        """Tell that an answer was illegal."""
        self._write(
            "Error: Invalid action!\n" if isinstance(error, NotAMove) else "Error: Move is out of bounds!\n"
        )
        self._wait()

    def played(self, action: Action, game: Game) -> None:
        """Tell what was done, and wait for a key."""
        self._last = action
        x, y = self._tile(action, game)
        if action.kind is Kind.LEAVE:
            self._write("Leaving game...\n")
        elif game.end is End.EXPLODED:
            self._write(f"Gameover! Uncovered a mine! {x} {y}\n")
        else:
            if self._manual:
                self._write(f"{_PLAYED[action.kind]}: {x}, {y}\n")
            self._wait()
            if game.over:
                self._board(game, over=False)

    def finish(self, game: Game) -> None:
        """Show the board when the run is over, every tile uncovered."""
        self._board(game, over=True)

    def _wait(self) -> None:
        if not self._waits:
            return
        try:
            self._read("Press ENTER to continue...")
        except EOFError:
            # Nobody there to press it: then nobody needs the pause.
            self._waits = False
            self._write("\n")

    def _tile(self, action: Action, game: Game) -> tuple[int, int]:
        x, y = _NO_TILE if action.cell is None else to_tile(action.cell, game.level.height)
        return x + 1, y + 1

    def _board(self, game: Game, *, over: bool) -> None:
        cells = game.observation().cells
        flags_left = game.level.mines - int((cells == FLAGGED).sum())
        covered = 0 if over else int((cells < 0).sum())
        if self._last is None:
            assert game.start is not None
            last = Action(Kind.UNCOVER, game.start)
        else:
            last = self._last
        lines = [
            "",
            f"Number of mines: {game.level.mines}",
            f"Number of flags left: {flags_left}",
            *self._rows(game, over=over),
            "   " + "---" * game.level.width,
            "     " + "".join(f"{col:<3}" for col in range(1, game.level.width + 1)),
        ]
        if self._manual:
            lines.extend(_MENU)
        lines.append(
            f"Tiles covered: {covered} | Flags left: {flags_left} | "
            f"Last action: {last.kind.name} on {self._tile(last, game)}"
        )
        self._write("\n".join(lines) + "\n")

    def _rows(self, game: Game, *, over: bool) -> list[str]:
        cells = game.observation().cells
        numbers = game.board.numbers()
        letters = np.full(cells.shape, ". ", dtype="<U2")
        letters[cells == FLAGGED] = "? "
        shown = np.ones_like(cells, np.bool_) if over else cells >= 0
        for row, col in np.argwhere(shown):
            letters[row, col] = "B " if game.board.mines[row, col] else f"{numbers[row, col]} "
        height = game.level.height
        return [
            f" {height - row:<2}| " + "".join(f"{tile} " for tile in letters[row]) for row in range(height)
        ]
