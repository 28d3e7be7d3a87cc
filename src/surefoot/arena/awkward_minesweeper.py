"""Awkward games of Minesweeper."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from surefoot.minesweeper.actions import Action
from surefoot.minesweeper.board import Board
from surefoot.minesweeper.game import Game, Outcome
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import CS50, MINAI, PRESETS, WINDOWS, Level, Rules

from .awkward import Case

_SEED = 1

_FLAGS_ON_SAFE_CELLS = """5x4x3
IOHHH
1OHIH
HHHHH
HIHHO"""
"""The 1 has two flags beside it, and neither is on the mine."""

_ONLY_MINES_HIDDEN = """4x3x2
I11I
1111
0000"""

_EIGHT = """4x3x8
IIIH
I8IH
IIIH"""


class MinesweeperPlay:
    """A game of the agent alone."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def observation(self) -> Observation | None:
        """What the agent sees, or None when the game is over."""
        return None if self._game.over else self._game.observation()

    def play(self, action: Any) -> None:
        """Play an action; one that brings nothing is allowed.

        Raises:
            IllegalAction: the rules forbid it.
            TypeError: it is no action.
        """
        if not isinstance(action, Action):
            raise TypeError(f"act() answered {type(action).__name__}, which is no action")
        self._game.play(action)

    @property
    def outcome(self) -> str:
        """``won``, ``lost`` or ``stopped``."""
        game = self._game
        return "stopped" if game.outcome is Outcome.RUNNING else game.outcome.name.lower()


def cases() -> Iterator[Case]:
    """The games, easy ones first."""
    any_cell = replace(WINDOWS, first_click="any")
    leaving = replace(MINAI, start="agent", first_click="any")
    yield _drawn("one cell", "1x1 without a mine", 1, 1, 0, WINDOWS)
    yield _drawn("no mines", "the first cell opens all", 9, 9, 0, WINDOWS)
    yield _drawn("no mines and no flood", "every cell has to be opened, and then left", 3, 4, 0, leaving)
    yield _drawn("all mines", "there is nothing to open: only leaving is not lost", 3, 3, 9, leaving)
    yield _drawn("all but one", "a mine in every cell but the first one", 3, 3, 8, WINDOWS)
    yield _drawn("one row", "a single row, with a wrong idea of neighbours at each end", 1, 40, 8, WINDOWS)
    yield _drawn("one column", "the same, upright", 40, 1, 8, any_cell)
    yield _on(
        "flags on safe cells",
        "flags are never evidence, and protect their cells",
        _FLAGS_ON_SAFE_CELLS,
        WINDOWS,
    )
    yield _on(
        "flags that do not protect", "the same, but a flagged cell can be opened", _FLAGS_ON_SAFE_CELLS, MINAI
    )
    yield _on("only mines are hidden", "nothing is left but to leave", _ONLY_MINES_HIDDEN, MINAI)
    yield _on("an eight", "one number tells all about its mines, and nothing else is open", _EIGHT, any_cell)
    yield _drawn("an unknown number of mines", "9x9x?", 9, 9, 10, replace(WINDOWS, mines_known=False))
    yield _drawn("flags win", "the goal is to flag the mines, whose number is not told", *_of("cs50"), CS50)
    yield _drawn(
        "a student's world",
        "no flood, a limit of moves, and the agent has to leave",
        *_of("minai-beginner"),
        MINAI,
    )
    yield _drawn("broken off", "a game that is ended after three moves", *_of("intermediate"), WINDOWS, 3)
    yield _drawn("another board", "smaller than the last one: nothing of that is left", 5, 6, 6, WINDOWS)
    yield _drawn("a huge board", "400x300: a long line", 300, 400, 26000, WINDOWS, 3)
    yield _drawn("expert", "a whole game of 30x16x99", *_of("expert"), WINDOWS)


def _of(name: str) -> tuple[int, int, int]:
    level = PRESETS[name].level
    return level.height, level.width, level.mines


def _drawn(
    name: str, why: str, height: int, width: int, mines: int, rules: Rules, broken_off: int | None = None
) -> Case:
    level = Level(height, width, mines)
    most = _most(level) if broken_off is None else broken_off
    return Case(name, why, partial(_begin, level, rules), most, broken_off is not None)


def _begin(level: Level, rules: Rules) -> MinesweeperPlay:
    return MinesweeperPlay(Game(level, rules, rng=np.random.default_rng(_SEED)))


def _on(name: str, why: str, text: str, rules: Rules) -> Case:
    board = Board.parse(text)
    return Case(name, why, lambda: MinesweeperPlay(Game.on(board, rules)), _most(board.level))


def _most(level: Level) -> int:
    """Every cell opened once and flagged and unflagged twice: who needs more gets nowhere."""
    return 5 * level.cells + 1
