"""An agent on every layout that its first click allows: what it wins of a board, without an error bar."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from surefoot.minesweeper import Board, Game, Level, Observation
from surefoot.minesweeper.actions import Action, Cell, uncover
from surefoot.minesweeper.game import Outcome
from surefoot.minesweeper.kernels.layout import HIDDEN
from surefoot.minesweeper.rules import WINDOWS, FirstClick
from tests import naive


@dataclass(frozen=True)
class Tally:
    """What an agent won, and its first cell, which is the same on every layout."""

    first: Cell
    layouts: int
    won: int

    @property
    def rate(self) -> float:
        return self.won / self.layouts


def play_every_layout(make: Callable[[int], Any], level: Level, first_click: FirstClick) -> Tally:
    """Let a new agent play each layout, all as likely; its first click must not depend on a seed."""
    rules = replace(WINDOWS, first_click=first_click)
    empty = Observation(np.full((level.height, level.width), HIDDEN, np.int8), level.mines, rules)
    first: Action = make(0).act(empty)
    assert first.cell is not None and first == uncover(first.cell)
    layouts = naive.allowed_layouts(level, first_click, first.cell)
    won = 0
    for seed, layout in enumerate(layouts):
        mines = np.zeros((level.height, level.width), np.bool_)
        for cell in layout:
            mines[cell] = True
        won += _wins(make(seed), Game.on(Board(mines, empty.cells), rules), first)
    return Tally(first.cell, len(layouts), won)


def _wins(agent: Any, game: Game, first: Action) -> bool:
    action = agent.act(game.observation()) if not game.over else first
    assert action == first
    while not game.over:
        game.play(action)
        action = game.over or agent.act(game.observation())
    return game.outcome is Outcome.WON
