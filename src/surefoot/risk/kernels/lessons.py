"""Lessons for `value`: whole games, and in each the words of some positions where a turn begins."""

import numpy as np

from surefoot._jit import inlined, kernel

from .bulk import GAME, RESULT_BROKEN, RESULT_STATUS, RESULT_WINNER, UNDER_WAY, settle
from .layout import (
    DRAFT,
    END_ACTION,
    FORTIFY_ACTION,
    KIND_SHIFT,
    OVER,
    PHASE,
    PLAYERS,
    ROUND,
    SEAT,
    STATUS,
    WINNER,
)
from .policies import choose
from .policies_common import THINK
from .rng import below
from .step import apply
from .turn import begin
from .value_words import WORDS, is_alive, tell
from .view import see

# Words of the progress of a call, after those of `bulk`
TURNS = 2  # turns of the game that have begun
PROGRESS_WORDS = 3


@kernel
def play_lessons(
    world,
    rules,
    rolls,
    chances,
    styles,
    weights,
    seating,
    streams,
    state,
    seen,
    scratch,
    words,
    progress,
    results,
    kept,
):
    """Play one game for each row of ``results``, as `bulk.play_games`, and keep positions of each.

    Of every game the positions where a turn begins are kept, as its mover sees them: all if they have room,
    else as many as have, drawn by lot, each as likely.

    Args:
        world, rules, rolls, chances, styles, weights, seating, state, seen, scratch, results: see `bulk`.
        streams: uint64, shape (games, 2 + players), used up; the last stream draws the positions.
        words: room: see `value_words`.
        progress: int64, shape (PROGRESS_WORDS,), zeros at first: where the call goes on.
        kept: float32, shape (games, positions, players, 1 + WORDS), zeros at first, filled: 1 for a living
            player and its words.

    Returns:
        whether all is played. If not, the seat to move wants to think about ``seen``; let it, and call again.
    """
    while progress[GAME] < results.shape[0]:
        game = progress[GAME]
        row = streams[game]
        result = results[game]
        if not progress[UNDER_WAY]:
            begin(world, rules, state)
            settle(world, rules, state, rolls, row)
            progress[UNDER_WAY] = 1
            progress[TURNS] = 0
        fresh = progress[TURNS] == 0
        while state[PHASE] != OVER:
            seat = np.int64(state[SEAT])
            agent = seating[game, seat]
            see(world, rules, state, seat, seen)
            if fresh and state[ROUND] > 0:
                fresh = False
                progress[TURNS] += 1
                if state[PHASE] == DRAFT:
                    _keep(world, rules, seen, words, kept[game], row, progress[TURNS])
            action = choose(
                styles[agent], world, rules, seen, chances, weights[agent], row, seat + 1, scratch
            )
            if action == THINK:
                return False
            result[RESULT_BROKEN] = apply(world, rules, state, action)
            if result[RESULT_BROKEN]:
                return True
            fresh = fresh or action >> KIND_SHIFT in (END_ACTION, FORTIFY_ACTION)
            settle(world, rules, state, rolls, row)
        result[RESULT_STATUS] = state[STATUS]
        result[RESULT_WINNER] = state[WINNER]
        progress[GAME] += 1
        progress[UNDER_WAY] = 0
    return True


@inlined
def _keep(world, rules, seen, words, kept, streams, number):
    """Keep the position where turn ``number`` begins, perhaps, perhaps in place of another."""
    players = np.int64(seen[PLAYERS])
    place = number - 1
    if number > kept.shape[0]:
        place = below(streams, players + 1, number)
        if place >= kept.shape[0]:
            return
    tell(world, rules, seen, words)
    for seat in range(players):
        if not is_alive(seen, seat):
            for word in range(1 + WORDS):
                kept[place, seat, word] = 0.0
            continue
        kept[place, seat, 0] = 1.0
        for word in range(WORDS):
            kept[place, seat, 1 + word] = words[seat, word]
