"""Lessons for the value of a position: games are played, and of some positions is told who won in the end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import IllegalAction

from .bulk import run_to_end
from .kernels import bulk, layout, lessons, value_words
from .policy import Policy, new_scratch, stack_weights, tables
from .rules import Rules
from .value import new_words
from .worldmap import WorldMap

HELD_OUT = 10
"""One game in so many is not learned from, but judges what was learned."""

GAME, WINNER = 0, 1
_SEATS = 2  # columns of a seat begin here
_SEAT = 1 + value_words.WORDS


def play_lessons(
    worldmap: WorldMap,
    rules: Rules,
    chosen: Sequence[Policy],
    seating: NDArray[np.int64],
    words: NDArray[np.uint64],
    samples: int,
) -> NDArray[np.float32]:
    """Play games by compiled policies, and keep the words of some positions of each.

    Args:
        worldmap, rules, chosen: what is played, and by whom.
        seating: which of the policies sits on each seat of each game, shape (games, players).
        words: the chance of each game, shape (games, 2 + players): for deals, dice and cards, for each seat,
            and for the choice of positions. It is used up.
        samples: positions of a game at the most, where a turn begins, each as likely.

    Returns:
        shape (positions, 2 + players * (1 + WORDS)): the game's number from 0, the seat that won it, and for
        each seat 1 if it is alive, and its words. Games without a winner are left out.

    Raises:
        RulesError: the rules cannot be played by so many on this map.
        IllegalAction: a policy broke a rule, which would be a mistake of ours.
    """
    games, players = seating.shape
    packed = rules.pack(players, len(worldmap.territories))
    rolls, chances = tables(rules)
    state = np.zeros((2, worldmap.state_size), np.int32)
    results = np.zeros((games, bulk.RESULT_WORDS), np.int64)
    kept = np.zeros((games, samples, players, _SEAT), np.float32)
    scratch = new_scratch(worldmap)
    progress = np.zeros(lessons.PROGRESS_WORDS, np.int64)
    arrays = (
        worldmap.world,
        packed,
        rolls,
        chances,
        np.array([each.style for each in chosen], np.int64),
        stack_weights(chosen),
        seating,
        words,
        *state,
        scratch,
        new_words(worldmap),
        progress,
        results,
        kept,
    )
    play = partial(lessons.play_lessons, *arrays)
    run_to_end(play, chosen, seating, state, progress, scratch, (worldmap, packed))
    broken = np.flatnonzero(results[:, bulk.RESULT_BROKEN])
    if len(broken):
        code = results[broken[0], bulk.RESULT_BROKEN]
        raise IllegalAction(f"a compiled policy broke rule {code}")
    rows = np.empty((games, samples, _SEATS + players * _SEAT), np.float32)
    rows[:, :, GAME] = np.arange(games)[:, None]
    rows[:, :, WINNER] = results[:, bulk.RESULT_WINNER, None]
    rows[:, :, _SEATS:] = kept.reshape(games, samples, -1)
    won = results[:, bulk.RESULT_WINNER] != layout.NOBODY
    lessons_kept: NDArray[np.float32] = rows[won[:, None] & kept[..., 0].any(axis=2)]
    return lessons_kept


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Positions with the same number of living players.

    Args:
        words: float32, shape (positions, living, WORDS).
        won: int64, shape (positions,): which of the living won.
        table: int64, shape (positions,): how many players the game began with.
        held_out: bool, shape (positions,): whether the game is held out.
    """

    words: NDArray[np.float32]
    won: NDArray[np.int64]
    table: NDArray[np.int64]
    held_out: NDArray[np.bool_]

    def only(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "Positions":
        """Some of them, by their places or by a mask."""
        return Positions(self.words[chosen], self.won[chosen], self.table[chosen], self.held_out[chosen])

    @classmethod
    def joined(cls, parts: "Sequence[Positions]") -> "Positions":
        """All of several parts."""
        return cls(
            np.concatenate([each.words for each in parts]),
            np.concatenate([each.won for each in parts]),
            np.concatenate([each.table for each in parts]),
            np.concatenate([each.held_out for each in parts]),
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self.won)


Lessons = Mapping[int, Positions]
"""By the number of living players."""


def players_of(rows: NDArray[np.float32]) -> int:
    """How many players the games of ``rows`` had, as `play_lessons` returns them."""
    return int(rows.shape[1] - _SEATS) // _SEAT


def gather(pieces: Iterable[NDArray[np.float32]]) -> Lessons:
    """Sort what `play_lessons` has kept by the number of living players."""
    found: dict[int, list[Positions]] = {}
    for rows in pieces:
        players = players_of(rows)
        seats = rows[:, _SEATS:].reshape(len(rows), players, _SEAT)
        alive = seats[:, :, 0] > 0
        living = alive.sum(axis=1)
        place = alive.cumsum(axis=1)[np.arange(len(rows)), rows[:, WINNER].astype(np.int64)] - 1
        for count in np.unique(living).tolist():
            those = living == count
            found.setdefault(count, []).append(
                Positions(
                    seats[those][alive[those]].reshape(-1, count, _SEAT)[:, :, 1:],
                    place[those],
                    np.full(int(those.sum()), players),
                    rows[those, GAME].astype(np.int64) % HELD_OUT == HELD_OUT - 1,
                )
            )
    return {count: Positions.joined(parts) for count, parts in sorted(found.items())}
