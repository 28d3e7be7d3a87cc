"""Stores of any size, filled with made-up results as fast as a database takes them."""

import numpy as np

from surefoot.arena.pieces import ENDS, NOT_COUNTED, OUTCOMES, Done, Piece, Rows
from surefoot.arena.store import Store
from surefoot.arena.study import Study

_PIECE = 5000


def fill(store: Store, study: Study, seed: int = 0) -> None:
    """Put results of every game of a study of Minesweeper, or of Risk for two, into a store.

    Later agents are stronger. Now and then a game is capped.
    """
    rng = np.random.default_rng(seed)
    store.begin(study)
    for contest in range(len(study.contests)):
        for first in range(0, study.contests[contest].games, _PIECE):
            piece = Piece(contest, first, min(_PIECE, study.contests[contest].games - first))
            make = _minesweeper if study.game == "minesweeper" else _risk
            rows = make(study, piece, rng)
            store.add(study.run, [Done(piece, rows, 0.5, 0.5, 0.0, "made-up", {})])


def _minesweeper(study: Study, piece: Piece, rng: np.random.Generator) -> Rows:
    (agent,) = study.contests[piece.contest].agents
    won = rng.random(piece.games) < 0.3 + 0.4 * agent / len(study.agents)
    nothing = np.zeros(piece.games, np.int64)
    return Rows(
        game=np.arange(piece.first, piece.end),
        agent=nothing + agent,
        seat=nothing,
        outcome=np.where(won, OUTCOMES.index("won"), OUTCOMES.index("lost")),
        score=won.astype(np.int64),
        moves=rng.integers(1, 200, piece.games),
        end=np.where(won, ENDS.index("completed"), ENDS.index("exploded")),
        guesses=rng.integers(0, 9, piece.games),
        rounds=nothing + NOT_COUNTED,
    )


def _risk(study: Study, piece: Piece, rng: np.random.Generator) -> Rows:
    contest = study.contests[piece.contest]
    numbers = np.arange(piece.first, piece.end)
    seats = np.array([0, 1])
    agents = np.array(contest.agents)[(seats - numbers[:, None]) % 2]
    strengths = np.exp(agents / len(study.agents))
    first = rng.random(piece.games) < strengths[:, 0] / strengths.sum(axis=1)
    won = np.stack([first, ~first], axis=1)
    capped = np.broadcast_to(rng.random(piece.games)[:, None] < 0.02, won.shape)
    outcome = np.where(won, OUTCOMES.index("won"), OUTCOMES.index("lost"))
    turns = np.repeat(rng.integers(2, 60, piece.games), 2)
    return Rows(
        game=np.repeat(contest.first + numbers, 2),
        agent=agents.reshape(-1),
        seat=np.tile(seats, piece.games),
        outcome=np.where(capped, OUTCOMES.index("capped"), outcome).reshape(-1),
        score=(won & ~capped).reshape(-1).astype(np.int64),
        moves=turns,
        end=np.where(capped, ENDS.index("capped"), ENDS.index("won")).reshape(-1),
        guesses=np.full(2 * piece.games, NOT_COUNTED),
        rounds=(turns + 1) // 2,
    )
