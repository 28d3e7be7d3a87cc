"""What worker processes do for games of Risk that go on."""

import time
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError
from surefoot.intervals import half_width
from surefoot.risk import value
from surefoot.risk.actions import Action, to_text
from surefoot.risk.analysis import ask
from surefoot.risk.bulk import as_action
from surefoot.risk.events import Event
from surefoot.risk.game import Game
from surefoot.risk.observation import Observation
from surefoot.risk.record import Record
from surefoot.risk.win_chance import win_chances
from surefoot.risk.words import instruction
from surefoot.spec import last_line, parse

from ..lanes import agent_of
from ..limits import MAX_ACTIONS
from .log import Battle, Entry, Teller, gave_up
from .maps import check_size
from .players import HUMAN, labels
from .table import Chance, Standing

STAND_IN: Final = "passive"
"""Who plays for an agent that cannot go on."""
STEP_SECONDS: Final = 0.05
"""How long agents may go on before what they played is shown; the first move takes what it takes."""
STEP_MOVES: Final = 200
"""So many moves at most are shown at once, however fast they were."""
PLAYOUTS: Final = 200
"""Games that are played out for one point of the curve."""
PART: Final = 10
"""Play-outs between two looks at the clock."""
_GAME: Final = "risk"


@dataclass(slots=True)
class Played:
    """What agents played.

    Args:
        moves: by seat, how many actions.
        history: actions and what chance brought, in order.
        state, rng: how the game stands then.
        entries, battle: what there is to tell (see `log`).
        faults: seats whose agents could not go on; `STAND_IN` has played there since.
    """

    moves: list[int]
    state: NDArray[np.int32]
    rng: np.random.Generator | None = None
    history: list[Action | Event] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    battle: Battle | None = None
    faults: list[int] = field(default_factory=list)


def play(
    key: str, standing: Standing, players: tuple[str, ...], chance: Chance, most: int, setting_up: bool
) -> Played:
    """Let agents play up to ``most`` moves, as long as no person's turn comes.

    Args:
        key: the session's; its agents live on from call to call.
        standing: the game.
        players: who plays each seat.
        chance: where agents' lots come from.
        most: how many moves; 0 for as many as fit into one step.
        setting_up: stop when the first round begins.
    """
    game = standing.game()
    sitting = list(players)
    teller = Teller(game, labels(sitting, neutral=game.rules.neutral))
    played = Played([0] * game.players, game.state)
    end = time.monotonic() + STEP_SECONDS
    for _ in range(most or STEP_MOVES):
        if game.over or sitting[game.turn] == HUMAN or (setting_up and game.round):
            break
        seat = game.turn
        try:
            told = teller.play(_choice(key, sitting[seat], chance.seeds[seat], game))
        except (Exception, SystemExit) as error:
            played.faults.append(seat)
            names = labels(sitting, neutral=game.rules.neutral)
            played.entries.append(gave_up(names, seat, STAND_IN, last_line(error)))
            sitting[seat] = STAND_IN
            teller = Teller(game, labels(sitting, neutral=game.rules.neutral))
            told = teller.play(_choice(key, STAND_IN, chance.seeds[seat], game))
        played.moves[seat] += 1
        played.entries += told.entries
        played.battle = told.battle or played.battle
        if time.monotonic() > end:
            break
    played.history, played.state, played.rng = game.history, game.state, game.rng
    return played


def _choice(key: str, agent: str, seed: int, game: Game) -> Action:
    """What the agent whose turn it is plays; it sees what its seat sees."""
    return as_action(agent_of(key, game.turn, agent, _GAME, seed).act(game.observation()))


class Loaded(NamedTuple):
    """A record played to its end.

    Args:
        standing: how the game stands then.
        history: how it came to be.
        moves: by seat, how many actions.
    """

    standing: Standing
    history: list[Action | Event]
    moves: list[int]


def load_record(text: str, chance: Chance) -> Loaded:
    """Read a record to go on with.

    Raises:
        FormatError: it is none, or is too large for the page; the message names the line.
    """
    record = read_record(text)
    moves = [0] * record.players
    turn = 0
    for entry, game in record.replay():
        if isinstance(entry, Action):
            moves[turn] += 1
        turn = game.turn
    # A record may end where dice have to fall next.
    game.rng = chance.rng
    game.settle()
    return Loaded(Standing.of(game), game.history, moves)


def read_record(text: str) -> Record:
    """The record of a game that fits the page.

    Raises:
        FormatError: as `load_record`.
    """
    record = Record.parse(text)
    check_size(record.worldmap)
    if len(record.history) > MAX_ACTIONS:
        raise FormatError(f"the record has {len(record.history):,} entries; at most {MAX_ACTIONS:,} are read")
    return record


class Advice(NamedTuple):
    """What an agent would play.

    Args:
        action: in its text form.
        text, why: what that is, and the reason, in words.
    """

    action: str
    text: str
    why: str


def advise(standing: Standing, agent: str, seed: int) -> Advice:
    """What an agent would play in the place of the seat whose turn it is.

    Raises:
        FormatError: the agent finds nothing.
    """
    game = standing.game()
    try:
        asked = ask(game.observation(), parse(agent, _GAME).make(seed))
    except (Exception, SystemExit) as error:
        raise FormatError(f"{agent} has no advice: {last_line(error)}") from None
    places = [land.name for land in game.worldmap.territories]
    return Advice(to_text(asked.action, game.worldmap), instruction(asked.action, places), asked.why)


class Tally(NamedTuple):
    """What came of some play-outs.

    Args:
        wins: by player, how many games it won.
        capped: how many nobody had won by the last round.
        playouts: how many there were.
        errors: by player, half the width of the 95 % interval around its share; 0 where the game is over.
    """

    wins: tuple[int, ...]
    capped: int
    playouts: int
    errors: tuple[float, ...]


class Weighed(NamedTuple):
    """What the value says of a position.

    Args:
        values: by player, the chance to win.
        error: how far it is off, on average (see `surefoot.risk.value.gap`).
    """

    values: tuple[float, ...]
    error: float


def weigh(standing: Standing) -> Weighed | None:
    """What the value says of a position, at once; None where it is not to be believed.

    It uses nothing that a seat does not see, so that it does not matter who looks.
    """
    game = standing.game()
    return Weighed(value.chances(game), value.gap(game.players)) if value.is_meant_for(game) else None


def roll_out(standing: Standing, viewer: int | None, seed: int, before: Tally | None) -> Tally:
    """Go on for a moment playing out a position of a game, and add what comes of it to what came before.

    Args:
        standing: the position.
        viewer: the seat that it is seen from; None to play from all there is to see.
        seed: of all play-outs of this position.
        before: None at first.

    Raises:
        FormatError: fog lies on what the seat sees.
    """
    position = standing.game() if viewer is None else standing.seen_by(viewer)
    return play_out(position, PLAYOUTS, seed, STEP_SECONDS, before)


def play_out(
    position: Game | Observation, playouts: int, seed: int, seconds: float, before: Tally | None = None
) -> Tally:
    """Everybody's wins in ``playouts`` games from a position, or in fewer if the time runs out.

    The parts are always the same, so that a seed tells the answer unless the time runs out.

    Raises:
        FormatError: fog lies on the position.
    """
    wins = [0] * position.players if before is None else list(before.wins)
    capped, done = (0, 0) if before is None else (before.capped, before.playouts)
    end = time.monotonic() + seconds
    while True:
        try:
            lots = int(np.random.SeedSequence([seed, done]).generate_state(1)[0])
            part = win_chances(position, min(PART, playouts - done), lots)
        except ValueError as error:
            raise FormatError(str(error)) from None
        wins = [won + round(share * part.playouts) for won, share in zip(wins, part.values, strict=True)]
        capped += round(part.capped * part.playouts)
        done += part.playouts
        if position.over:
            return Tally(tuple(wins), capped, done, part.errors)
        if done >= playouts or time.monotonic() > end:
            return Tally(tuple(wins), capped, done, tuple(half_width(won, done) for won in wins))
