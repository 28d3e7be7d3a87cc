"""Everybody's chance to win from a position, by games that one fast agent plays for every seat."""

from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np

from surefoot.errors import FormatError
from surefoot.intervals import half_width

from .agents import AGENTS, ROLL_OUT
from .bulk import End, play_seated
from .game import Game
from .observation import Observation
from .policy import Policy
from .truths import possible_states

ROUNDS = 60
"""So many rounds after the position a game is given up, if the rules' own cap does not end it before."""


@dataclass(frozen=True, slots=True)
class WinChances:
    """How likely each player wins from a position.

    Args:
        values: by player, the share of games that it won.
        errors: by player, half the width of the 95 % interval around that; 0 where the game is over.
        capped: the share of games that nobody had won by the last round.
        playouts: how many games were played out; 1 where the game is over.
    """

    values: tuple[float, ...]
    errors: tuple[float, ...]
    capped: float
    playouts: int


def win_chances(
    position: Game | Observation, playouts: int = 200, seed: int = 0, style: str = ROLL_OUT
) -> WinChances:
    """How likely each player wins from here if all of them play on in one style.

    Of a game all is known. Cards that an observation hides are dealt anew for every play-out, each way as
    likely. Games end with the rules' last round, or `ROUNDS` after the position, if that is sooner. The same
    seed gives the same answer.

    Args:
        position: where to go on from, in any phase.
        playouts: how many games to play.
        seed: where cards, dice and the players' lots come from.
        style: an agent with a compiled policy, as ``name`` or ``name:preset``.

    Raises:
        FormatError: there is no agent of that name, no such preset, or it has no compiled policy.
        ValueError: there is nothing to play, or fog lies on an observation.
    """
    if playouts < 1:
        raise ValueError(f"a chance takes at least one play-out, not {playouts}")
    policy = _policy(style)
    if position.over:
        won = tuple(float(seat == position.winner) for seat in range(position.players))
        return WinChances(won, (0.0,) * position.players, 1.0 - sum(won), 1)
    lots, streams = np.random.SeedSequence(seed).spawn(2)
    words = streams.generate_state(playouts * (1 + position.players), np.uint64).astype(np.uint64)
    table = play_seated(
        position.worldmap,
        replace(position.rules, round_cap=min(position.rules.round_cap, position.round + ROUNDS)),
        [policy],
        np.zeros((playouts, position.players), np.int64),
        words.reshape(playouts, -1),
        positions=possible_states(position, playouts, np.random.default_rng(lots)),
    )
    wins = [int((table.seat == seat).sum()) for seat in range(position.players)]
    return WinChances(
        tuple(count / playouts for count in wins),
        tuple(half_width(count, playouts) for count in wins),
        float((table.end == End.CAPPED.value).mean()),
        playouts,
    )


def _policy(style: str) -> Policy:
    agent, _, preset = style.partition(":")
    if agent not in AGENTS:
        raise FormatError(f"unknown style {style[:40]!r} (known: {', '.join(AGENTS)})")
    module, _, name = AGENTS[agent].partition(":")
    made = getattr(import_module(module), name)
    presets = getattr(made, "PRESETS", {})
    if preset and preset not in presets:
        raise FormatError(
            f"style {agent}: no preset {preset[:40]!r} (it has: {', '.join(presets) or 'none'})"
        )
    player = made(**presets.get(preset, {}))
    if not player.compiled:
        raise FormatError(f"style {agent} has no compiled policy to play games out with")
    policy: Policy = player.policy
    return policy
