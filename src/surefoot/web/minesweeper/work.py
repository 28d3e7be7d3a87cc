"""What worker processes do for Minesweeper. The games are loaded there, so that the server starts at once."""

import json
import pickle
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from surefoot.errors import Contradiction, FormatError, IllegalAction, RulesError, TooComplex

from ..lanes import agent_of
from ..limits import MAX_ACTIONS, MAX_CELLS

if TYPE_CHECKING:
    from surefoot.minesweeper.actions import Action
    from surefoot.minesweeper.game import Game
    from surefoot.minesweeper.observation import Observation
    from surefoot.minesweeper.record import Record

STEP_SECONDS: Final = 0.04
"""How long an agent may go on before what it played is shown; its first move takes what it takes."""
CHANCE_SECONDS: Final = 5.0
"""How long a win chance that was asked for may take, before it is told by what was played out until then."""
_PART: Final = 50
"""Play-outs between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What an agent played, and why it cannot go on, or None."""

    actions: "tuple[Action, ...]"
    ended: str | None


def play(key: str, agent: str, seed: int, packed: bytes, most: int) -> Turn:
    """Let an agent play up to ``most`` moves, or with 0 as many as fit into one step.

    Args:
        key: the session's.
        agent: its name.
        seed: what it draws its lots from.
        packed: the pickled game. The agent sees its observations alone.
    """
    from surefoot.minesweeper.actions import LEAVE, Action
    from surefoot.spec import last_line

    player = agent_of(key, 0, agent, "minesweeper", seed)
    game: Game = pickle.loads(packed)  # packed by the session, from its own game
    until = time.monotonic() + STEP_SECONDS
    actions: list[Action] = []
    while not game.over and (not most or len(actions) < most):
        if actions and time.monotonic() > until:
            break
        try:
            action = player.act(game.observation())
            game.play(action)
        except IllegalAction as error:
            gave_up = f"{agent} gives up" if action == LEAVE else f"{agent} cannot go on: {error}"
            return Turn(tuple(actions), gave_up)
        except Exception as error:  # whatever it is, it ends this agent's part and nothing else
            return Turn(tuple(actions), f"{agent} failed: {last_line(error)}")
        actions.append(action)
    return Turn(tuple(actions), None)


def analyze(observation: "Observation") -> dict[str, Any]:
    """The analysis of a position as the view of a session holds it."""
    from surefoot.minesweeper.analysis import analyze as count

    from .view import analysis, no_analysis

    try:
        return analysis(count(observation))
    except Contradiction as error:
        return no_analysis("contradiction", str(error))
    except TooComplex as error:
        return no_analysis("too-complex", str(error))


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely the agent `expert` wins: the value, half its 95 % interval, and how many games that took."""

    value: float
    error: float
    playouts: int


def win_chance(observation: "Observation", playouts: int, seed: int, seconds: float) -> Chance:
    """The win chance of a position by play-outs: by fewer where the time runs out.

    Raises:
        FormatError: it cannot be told, because the mine count is not.
        RulesError: the rules cannot lay out such a board.
        Contradiction: no layout agrees with the position.
        TooComplex: counting the position would exceed the work limit.
    """
    from surefoot.intervals import half_width
    from surefoot.minesweeper.win_chance import win_chance as play_out

    until = time.monotonic() + seconds
    wins = done = 0
    # The parts are always the same, so that a seed tells the answer unless the time runs out.
    for part, first in enumerate(range(0, playouts, _PART)):
        if done and time.monotonic() > until:
            break
        size = min(_PART, playouts - first)
        try:
            chance = play_out(observation, size, seed + part)
        except (Contradiction, RulesError):
            raise
        except ValueError as error:
            raise FormatError(str(error)) from None
        if chance.error == 0:  # nothing is left to chance
            return Chance(chance.value, 0.0, chance.playouts)
        wins += round(chance.value * size)
        done += size
    return Chance(wins / done, half_width(wins, done), done)


def win_probability(observation: "Observation") -> tuple[float, float] | None:
    """How likely a position is won, and the standard error, 0 if exact; None where it cannot be told."""
    from surefoot.minesweeper.win_probability import probability_or_none

    try:
        found = probability_or_none(observation)
    except Contradiction:
        return None
    return None if found is None else (found.value, found.error)


def metrics(packed: bytes) -> dict[str, int]:
    """The 3BV of a pickled game that is over, and how much of it was solved."""
    from surefoot.minesweeper.metrics import bbbv, solved_bbbv

    game: Game = pickle.loads(packed)
    board = game.board
    return {"total": bbbv(board.mines), "solved": solved_bbbv(board.mines, board.cells)}


def open_text(text: str) -> "tuple[Record, Game]":
    """Read a Min.AI world, the text of a board, or a record, and play it up to where it ends.

    A board is played by the rules of Windows.

    Raises:
        FormatError: it is none of these, or larger than the page takes; the message names the place.
    """
    record = read_text(text)
    return record, record.game()


def read_text(text: str) -> "Record":
    """The same without playing: a world and a board are records in which nothing was played yet.

    Raises:
        FormatError: as `open_text`.
    """
    from surefoot.minesweeper.board import Board
    from surefoot.minesweeper.formats.minai import World
    from surefoot.minesweeper.game import End
    from surefoot.minesweeper.record import Record
    from surefoot.minesweeper.rules import MINAI, WINDOWS

    text = text.removeprefix("\ufeff").strip()
    first = text.split("\n", 1)[0]
    if not text:
        raise FormatError("the text is empty: a Min.AI world, a board or a record is expected")
    if first.startswith("["):
        record = Record.parse(text)
        if len(record.actions) > MAX_ACTIONS:
            raise FormatError(
                f"the record has {len(record.actions):,} actions; at most {MAX_ACTIONS:,} are read"
            )
    elif "x" in first:
        _check_position(text)
        try:
            board = Board.parse(text)
        except FormatError as error:
            raise FormatError(_instead_of_board(text) or str(error)) from None
        record = Record(board, WINDOWS, None, (), End.NOT_ENDED)
    else:
        world = World.parse(text)
        record = Record(world.board, MINAI, world.start, (), End.NOT_ENDED)
    _check_size(record.board.level.cells)
    return record


def _instead_of_board(text: str) -> str | None:
    """What to say to somebody who has a position, which does not tell where its mines are."""
    from surefoot.minesweeper.observation import Observation

    try:
        Observation.parse(text)
    except FormatError:
        return None
    return "this is a position, which does not tell where the mines are: open it in the editor"


def _check_position(text: str) -> None:
    """Refuse a position that is too large before its cells are looked at one by one."""
    from surefoot.minesweeper.observation import parse_position

    width, height, _, _ = parse_position(text)
    _check_size(width * height)


def _check_size(cells: int) -> None:
    if cells > MAX_CELLS:
        raise FormatError(f"the board has {cells:,} cells; at most {MAX_CELLS:,} are taken here")


def _position(text: str, rules: str) -> "Observation":
    from surefoot.minesweeper.observation import Observation
    from surefoot.minesweeper.rules import Rules

    _check_position(text)
    return Observation.parse(text, Rules.parse(rules))


# What follows answers the REST API, in JSON that is written here, so that the server only passes it on.


def analysis_json(position: str, rules: str) -> str:
    """What counting tells of a position given as text; see `api.Analysis`.

    Raises:
        FormatError: the position or the rules cannot be read.
        TooComplex: the count would exceed the work limit.
    """
    import numpy as np

    from surefoot.minesweeper.analysis import analyze as count
    from surefoot.minesweeper.consistency import contradiction_of

    seen = _position(position, rules)
    try:
        found = count(seen)
    except Contradiction as error:
        try:
            conflict = contradiction_of(seen)
        except TooComplex:
            conflict = None
        told = {
            "text": str(error) if conflict is None else conflict.text,
            "numbers": [] if conflict is None else [cell for cell, _ in conflict.numbers],
            "mines": None if conflict is None else conflict.mines,
        }
        return _json(
            {
                "contradiction": told,
                "probabilities": None,
                "safe": [],
                "mines": [],
                "best": None,
                "why": None,
                "log10_layouts": None,
                "candidates": [],
                "exact": False,
                "dead": [],
                "tosses": [],
            }
        )
    risks = found.probabilities.astype(object)
    risks[np.isnan(found.probabilities)] = None
    return _json(
        {
            "contradiction": None,
            "probabilities": risks.tolist(),
            "safe": found.safe,
            "mines": found.mines,
            "best": found.best,
            "why": found.why,
            "log10_layouts": found.log10_layouts,
            **found.guesses_as_dict(),
        }
    )


def explanation_json(position: str, row: int, col: int) -> str:
    """What is proved of a cell, and why; see `api.Explanation`.

    Raises:
        FormatError: the position cannot be read, or has no such cell.
        Contradiction: no layout explains the position.
        TooComplex: the search for a proof would take too long.
    """
    from surefoot.minesweeper.explain import explain

    try:
        return _json(explain(_position(position, "windows"), (row, col)).as_dict())
    except Contradiction as error:  # the games' own kinds of it do not travel between processes
        raise Contradiction(str(error)) from None


def win_chance_json(position: str, rules: str, playouts: int, seed: int) -> str:
    """The win chance of a position given as text; see `api.WinChance`.

    Raises:
        FormatError: the position or the rules cannot be read, or the mine count is not told.
        RulesError, Contradiction, TooComplex: as `win_chance`.
    """
    chance = win_chance(_position(position, rules), playouts, seed, CHANCE_SECONDS)
    return _json({"value": chance.value, "error": chance.error, "playouts": chance.playouts})


def win_probability_json(position: str, rules: str) -> str:
    """How likely a position given as text is won; see `api.WinProbability`.

    Raises:
        FormatError: the position or the rules cannot be read, or the mine count is not told.
        RulesError: the rules cannot lay out such a board.
        Contradiction: no layout agrees with the position.
        TooComplex: counting the position would exceed the work limit.
    """
    from surefoot.minesweeper.win_probability import win_probability as tell

    seen = _position(position, rules)
    try:
        return _json(tell(seen).as_dict())
    except Contradiction as error:  # the games' own kinds of it do not travel between processes
        raise Contradiction(str(error)) from None
    except RulesError:
        raise
    except ValueError as error:
        raise FormatError(str(error)) from None


def replay_json(text: str) -> str:
    """A record, world or board frame by frame; see `api.Replay`.

    Raises:
        FormatError: as `open_text`.
    """
    import numpy as np

    from .view import cells

    record = read_text(text)
    level = record.board.level
    count = len(record.actions)
    frames: list[dict[str, Any]] = []
    before = np.full(level.cells, -1, np.int8)
    for number, (action, game) in enumerate(record.replay()):
        seen = cells(game)
        changed = np.flatnonzero(seen != before)
        # Words said before an action belong to it; those after the last stand with the last position.
        places = ([number - 1] if number else []) + ([count] if number == count else [])
        notes = [record.notes[place] for place in places if place in record.notes]
        frames.append(
            {
                "action": None if action is None else str(action),
                "note": "\n".join(notes) or None,
                "changed": np.stack([changed, seen[changed]], axis=1).tolist(),
                "status": game.outcome.name.lower(),
                "moves": game.moves,
            }
        )
        before = seen
    return _json(
        {
            "level": {"width": level.width, "height": level.height, "mines": level.mines},
            "rules": str(record.rules),
            "start": record.start,
            "mines": np.flatnonzero(record.board.mines).tolist(),
            "frames": frames,
            "headers": dict(record.headers),
        }
    )


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
