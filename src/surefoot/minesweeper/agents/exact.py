"""The agent that counts: a proved cell if there is one, else the least likely mine."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..actions import Cell
from ..bulk import GameTable, draw_games, fill_table
from ..first_click import first_cell
from ..game import new_header
from ..kernels import deduce, exact, layout
from ..observation import Observation
from ..rules import Level, Rules
from ..skill import EXACT, Skill
from ..workspace import Workspace, new_plan, workspace
from .counting import CountingAgent

_NO_START = -2
_RANDOM_START = -1


class ExactAgent(CountingAgent):
    """Opens every cell that is proved safe, else the least likely mine, ties broken by information.

    Among equally likely cells it prefers the one with the fewest unknown neighbours, whose number tells
    most and is likeliest to be a zero. Dead cells, which tell nothing, wait until there are no others. Few
    layouts are played perfectly. Whole games are played in compiled loops.
    """

    skill: ClassVar[Skill] = EXACT

    @classmethod
    def play_games(cls, level: Level, rules: Rules, root_seed: int, first: int, count: int) -> GameTable:
        """Play the games ``first`` to ``first + count - 1`` of ``root_seed`` in compiled loops.

        They end as if played action by action.

        Raises:
            RulesError: the rules cannot lay out this board.
        """
        rules.check(level)
        space = workspace(level.height, level.width)
        uniforms = draw_games(level, root_seed, first, count)
        results = np.zeros((count, exact.RESULT_WORDS), np.int64)
        told = level.mines if rules.mines_known else deduce.NOT_TOLD
        board = (
            np.zeros(level.cells, np.uint8),
            np.full(level.cells, layout.HIDDEN, np.int8),
            new_header(level),
            np.empty(level.cells, np.int64),
            new_plan(level.cells),
        )
        packed = rules.pack(level)
        cell = first_cell(level if rules.mines_known else replace(level, mines=0), rules.first_click)

        def play(first: int, end: int, rough: bool) -> Any:
            return exact.play_games(
                uniforms[:end],
                packed,
                _start(level, rules),
                told,
                first,
                *board,
                results,
                space.view,
                space.tally,
                space.scratch,
                space.think_as(cls.skill, cell),
                rough,
            )

        _play_all(space, count, play)
        return fill_table(level, rules, results)

    @classmethod
    def play_layouts(
        cls, observation: Observation, layouts: NDArray[np.bool_], first: Cell | None = None
    ) -> NDArray[np.bool_]:
        """Play on from a position, once on each layout, in compiled loops; the answer is which games it wins.

        Games end as if played action by action. Flags in the position count as hidden cells, and moves are
        counted from here.

        Args:
            observation: the position, with the rules to go on by.
            layouts: bool, shape (n, height, width): where the mines are; each has to explain the position.
            first: a hidden cell to open at first; the agent's own choice if there is none.

        Returns:
            bool, shape (n,).

        Raises:
            Contradiction: no layout agrees with the position.
        """
        results = np.zeros((len(layouts), exact.RESULT_WORDS), np.int64)
        cls._play_on(observation, layouts, first, results, np.zeros((len(layouts), 0)))
        won: NDArray[np.bool_] = results[:, exact.RESULT_STATUS] == layout.WON
        return won

    @classmethod
    def weigh_layouts(
        cls, observation: Observation, layouts: NDArray[np.bool_], first: Cell
    ) -> NDArray[np.float64]:
        """What the games of `play_layouts` are worth when they are freed of luck.

        Where few layouts are left, the chance to win takes the place of the outcome, and of each guess after
        the first the luck is taken out. On average over all layouts it is the chance to win; it varies less.

        Returns:
            float64, shape (n,); it may be below 0 or above 1.

        Raises:
            Contradiction: no layout agrees with the position.
        """
        results = np.zeros((len(layouts), exact.RESULT_WORDS), np.int64)
        worths = np.zeros((len(layouts), 1))
        cls._play_on(observation, layouts, first, results, worths)
        return worths[:, 0]

    @classmethod
    def _play_on(
        cls,
        observation: Observation,
        layouts: NDArray[np.bool_],
        first: Cell | None,
        results: NDArray[np.int64],
        worths: NDArray[np.float64],
    ) -> None:
        """Play on from a position, once on each layout; see `kernels.exact.play_layouts`."""
        height, width = observation.cells.shape
        shown = np.maximum(observation.cells, np.int8(layout.HIDDEN))
        position = Observation.of_game(shown, observation.mines, observation.rules)
        space = workspace(height, width)
        agent = cls()
        agent._look(position, space)
        if first is None:
            agent._think(position, space)
            agent._draw_conclusions()
        else:
            agent._settle(first)
        truths = np.ascontiguousarray(layouts).view(np.uint8).reshape(len(layouts), height * width)
        board = (
            np.empty(height * width, np.int8),
            new_header(Level(height, width, 0)),
            np.empty(height * width, np.int64),
            new_plan(height * width),
        )

        def play(first: int, end: int, rough: bool) -> Any:
            return exact.play_layouts(
                truths[:end],
                agent._rules,
                shown.reshape(-1),
                agent._view,
                agent._tally,
                agent._plan,
                first,
                *board,
                results,
                worths,
                space.view,
                space.tally,
                space.scratch,
                space.think_as(cls.skill, agent._first),
                rough,
            )

        _play_all(space, len(layouts), play)


def _play_all(space: Workspace, count: int, play: Callable[[int, int, bool], Any]) -> None:
    """Let a kernel play ``count`` games.

    ``play`` takes the first game, where to stop, and whether to make do with estimates. It answers how far
    it came, and what kept it from counting a position of the next game, or FINE.
    """
    done, rough = 0, False
    while done < count:
        # A game that could not be counted is alone in being played again, with more room or roughly.
        done, answer = play(done, done + 1 if rough else count, rough)
        rough = answer != deduce.FINE and not space.grow(answer)


def _start(level: Level, rules: Rules) -> int:
    if rules.start == "agent":
        return _NO_START
    if rules.start == "random":
        return _RANDOM_START
    return rules.start[0] * level.width + rules.start[1]
