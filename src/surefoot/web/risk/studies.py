"""What worker processes answer to the REST API, in JSON that is written there: the server only passes it on.

The game is loaded when the first question comes, so that the server starts at once.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

from surefoot.errors import FormatError

from ..refusals import Refused
from .maps import check_size, map_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from surefoot.risk.actions import Action
    from surefoot.risk.game import Game
    from surefoot.risk.observation import Observation
    from surefoot.risk.record import Record

NEGLIGIBLE: Final = 1e-9
"""What is less likely is left out of lists of chances."""
NO_OWNER: Final = -1
"""The owner of every territory before the first frame, as in `Situation.owners`."""
CHANCE_SECONDS: Final = 5.0
"""How long a win chance may take before it is told by what was played out until then."""
KEPT_RECORDS: Final = 4
"""Records that are kept as they were read: a curve asks for one position of them after another."""


def odds_json(
    attackers: int,
    path: list[int],
    until: int,
    defence_dice: int,
    battles: Literal["dice", "coin"],
    chance: float | None,
) -> str:
    """The odds of a battle or a march; see `api.Odds`.

    Raises:
        RulesError, TooComplex: as `battle` and `campaign`.
    """
    from surefoot.risk.battle import armies_needed, battle, campaign
    from surefoot.risk.dice import COIN, Dice

    dice = COIN if battles == "coin" else Dice(defence=defence_dice)
    defenders: list[dict[str, Any]] | None = None
    taken: tuple[float, ...]
    if len(path) == 1:
        fought = battle(attackers, path[0], dice=dice, until=until)
        win, left, taken = fought.win, fought.attackers, (1.0, fought.win)
        defenders = _listed("defenders", fought.defenders)
        won = range(until + 1, len(left))
    else:
        march = campaign(attackers, path, dice=dice, until=until)
        win, left, taken = march.win, march.left, march.taken
        won = range(1, len(left))
    return _json(
        {
            "win": win,
            "mean_left": sum(n * left[n] for n in won) / win if win > 0 else None,
            "left": _listed("attackers", left),
            "defenders": defenders,
            "taken": list(taken),
            "needed": None if chance is None else armies_needed(chance, path, dice=dice, until=until),
        }
    )


def _listed(name: str, chances: tuple[float, ...]) -> list[dict[str, Any]]:
    return [{name: number, "chance": chance} for number, chance in enumerate(chances) if chance >= NEGLIGIBLE]


def analysis_json(position: str, agent: str | None) -> str:
    """A position's reinforcements, the odds of every attack, and an agent's advice; see `api.Analysis`.

    Raises:
        FormatError: the position cannot be read, there is no such agent, or it finds nothing.
        TooComplex: a stack is larger than odds are computed for.
    """
    from surefoot.errors import TooComplex
    from surefoot.risk.actions import to_text
    from surefoot.risk.agents import STRONGEST
    from surefoot.risk.analysis import analyze
    from surefoot.risk.words import instruction
    from surefoot.spec import last_line, parse

    from .players import check_agent

    try:
        adviser = check_agent(agent or STRONGEST)
    except Refused as refused:
        raise FormatError(refused.message) from None
    seen = _position(position)
    try:
        found = analyze(seen, parse(adviser, "risk").make(0))
    except (FormatError, TooComplex):
        raise
    except Exception as error:  # an agent may fail on a position that no game leads to
        raise FormatError(f"{adviser} has no advice: {last_line(error)}") from None
    places = [land.name for land in seen.worldmap.territories]
    return _json(
        {
            "map": seen.worldmap.name,
            "rules": str(seen.rules),
            "seat": seen.seat,
            "turn": seen.turn,
            "round": seen.round,
            "phase": seen.phase.name.lower(),
            "to_place": seen.to_place,
            "reinforcements": found.reinforcements,
            "attacks": [
                {
                    "source": chance.source,
                    "target": chance.target,
                    "attackers": chance.attackers,
                    "defenders": chance.defenders,
                    "win": chance.win,
                    "mean_left": chance.left,
                }
                for chance in found.attacks
            ],
            "agent": adviser,
            "action": None if found.advice is None else to_text(found.advice, seen.worldmap),
            "advice": None if found.advice is None else instruction(found.advice, places),
            "why": found.why,
            "plans": [
                {
                    "plan": each.words,
                    "action": to_text(each.action, seen.worldmap),
                    "win": each.win,
                    "error": each.error,
                }
                for each in found.plans
            ],
        }
    )


def win_chance_json(
    position: str | None, text: str | None, moves: int | None, playouts: int, seed: int
) -> str:
    """Everybody's chance to win from a position, or from a record after some moves; see `api.WinChances`.

    Raises:
        FormatError: the text cannot be read, or fog lies on the position.
    """
    from .work import play_out

    here: Observation | Game
    if text is not None:
        here = _record(text).game(moves)
    else:
        here = _position(position or "")
    found = play_out(here, playouts, seed, CHANCE_SECONDS)
    return _json(
        {
            "values": [won / found.playouts for won in found.wins],
            "errors": found.errors,
            "capped": found.capped / found.playouts,
            "playouts": found.playouts,
        }
    )


def review_json(text: str, first_turn: int, turns: int, samples: int, seed: int) -> str:
    """Some turns of a record, each decision weighed; see `api.Review`.

    Raises:
        FormatError: it cannot be read, is too large, or was played in fog.
    """
    from surefoot.risk.review import review

    from .players import labels

    record = _record(text)
    found = review(
        record,
        samples,
        seed=seed,
        first_turn=first_turn,
        turns=turns,
        names=labels(_seated(record), neutral=record.rules.neutral),
    )
    return _json(found.as_dict())


def _seated(record: "Record") -> list[str]:
    """Who played, by seat."""
    return [record.headers.get(f"Seat{seat}", f"player {seat + 1}") for seat in range(record.players)]


def replay_json(text: str) -> str:
    """A record, frame by frame; see `api.Replay`.

    Raises:
        FormatError: it cannot be read, or is too large.
    """
    from .players import NEUTRAL, labels

    record = _record(text)
    worldmap = record.worldmap
    players = _seated(record)
    names = labels(players, neutral=record.rules.neutral)
    return _json(
        {
            "map": worldmap.name,
            "rules": str(record.rules),
            "players": record.players,
            "seats": [
                {"name": name, "player": player}
                for name, player in zip(names, [*players, NEUTRAL][: len(names)], strict=True)
            ],
            "headers": dict(record.headers),
            "frames": list(_frames(record, names)),
            "winner": record.winner if isinstance(record.winner, int) else None,
        }
    )


def _frames(record: "Record", names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The game after the deal, and after each action and what chance then brought."""
    from surefoot.risk.actions import to_text
    from surefoot.risk.events import Event
    from surefoot.risk.game import Game

    from .log import Teller

    steps: list[tuple[Action | None, list[Event]]] = [(None, [])]
    for entry in record.history:
        if isinstance(entry, Event):
            steps[-1][1].append(entry)
        else:
            steps.append((entry, []))
    game = Game(record.worldmap, record.rules, record.players, rng=None)
    teller, notes = Teller(game, names), record.notes
    before = game.owners * 0 + NO_OWNER, game.armies * 0
    for moves, (action, brought) in enumerate(steps):
        seat = game.turn
        if action is None:
            for event in brought:
                game.resolve(event)
            entries, battle = teller.beginning(), None
        else:
            entries, battle, _ = teller.play(action, brought)
        owners, armies = game.owners.copy(), game.armies.copy()
        said = ([moves - 1] if moves else []) + ([moves] if moves == len(steps) - 1 else [])
        yield {
            "seat": None if action is None else seat,
            "action": None if action is None else to_text(action, record.worldmap),
            "text": " ".join((entry.own or entry.line)["text"] for entry in entries),
            # Words said before an action belong to it; those after the last stand with the last position.
            "note": "\n".join(notes[place] for place in said if place in notes) or None,
            "changed": {
                "owners": _changes(before[0], owners),
                "armies": _changes(before[1], armies),
            },
            "turn": game.turn,
            "round": game.round,
            "phase": game.phase.name.lower(),
            "battle": None if battle is None else battle.told,
        }
        before = owners, armies


def _changes(before: "NDArray[np.int32]", after: "NDArray[np.int32]") -> list[list[int]]:
    """Pairs of a territory and what it has now."""
    return [[t, new] for t, (old, new) in enumerate(zip(before.tolist(), after.tolist())) if old != new]


def map_json(name: str) -> str:
    """A map and how it is drawn; see `api.WorldMap`.

    Raises:
        FormatError: there is no such map here.
    """
    from surefoot.risk.geometry import geometry

    worldmap = map_of(name)
    return _json(
        {
            "name": worldmap.name,
            "territories": [
                {
                    "name": land.name,
                    "key": worldmap.key_of(number),
                    "continent": land.continent,
                    "x": land.x,
                    "y": land.y,
                    "card": worldmap.card_kind(number),
                }
                for number, land in enumerate(worldmap.territories)
            ],
            "continents": [{"name": each.name, "bonus": each.bonus} for each in worldmap.continents],
            "neighbours": worldmap.neighbours,
            "geometry": geometry(worldmap).as_dict(),
        }
    )


def maps_json() -> str:
    """The maps that come with the program; see `about.Map`."""
    from surefoot.risk.worldmap import load, names

    maps = [load(name) for name in names()]
    return _json(
        [
            {
                "name": each.name,
                "territories": len(each.territories),
                "continents": len(each.continents),
            }
            for each in maps
        ]
    )


def _position(text: str) -> "Observation":
    from surefoot.risk.observation import Observation

    seen = Observation.parse(text)
    check_size(seen.worldmap)
    return seen


@lru_cache(maxsize=KEPT_RECORDS)
def _record(text: str) -> "Record":
    from .work import read_record

    return read_record(text)


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
