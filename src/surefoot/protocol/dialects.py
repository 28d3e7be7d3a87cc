"""What the messages say of each game: its beginning, what is seen, and what is done, for both sides."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Protocol

from surefoot.errors import FormatError
from surefoot.minesweeper import actions as minesweeper_actions
from surefoot.minesweeper import observation as minesweeper_observation
from surefoot.minesweeper import rules as minesweeper_rules
from surefoot.risk import actions as risk_actions
from surefoot.risk import observation as risk_observation
from surefoot.risk.worldmap import WorldMap, key

Table = Callable[[str], Any]
"""The agent's side of one game: what is seen, from its text; FormatError if that is no position."""


class Dialect(Protocol):
    """The host's side of a game."""

    def about(self, observation: Any) -> dict[str, Any]:
        """What ``new_game`` tells, by what the agent sees at first."""

    def seat(self, observation: Any) -> int:
        """Who is to move."""

    def action(self, text: str, observation: Any) -> Any:
        """The action of a text.

        Raises:
            FormatError: it is none.
        """

    def text(self, action: Any, observation: Any) -> str:
        """The text of an action.

        Raises:
            TypeError: it is none.
        """

    def table(self, about: Mapping[str, Any]) -> Table:
        """The other side's view of a game.

        Raises:
            FormatError: what is told does not make a game.
        """


class _Minesweeper:
    def about(self, observation: minesweeper_observation.Observation) -> dict[str, Any]:
        mines = "?" if observation.mines is None else observation.mines
        return {
            "rules": str(observation.rules),
            "switches": asdict(observation.rules),
            "board": f"{observation.width}x{observation.height}x{mines}",
            "seat": 0,
            "players": 1,
        }

    def seat(self, observation: minesweeper_observation.Observation) -> int:
        return 0

    def action(
        self, text: str, observation: minesweeper_observation.Observation
    ) -> minesweeper_actions.Action:
        return minesweeper_actions.Action.parse(text)

    def text(self, action: Any, observation: minesweeper_observation.Observation) -> str:
        if not isinstance(action, minesweeper_actions.Action):
            raise _no_action(action)
        return str(action)

    def table(self, about: Mapping[str, Any]) -> Table:
        rules = minesweeper_rules.Rules.parse(_text(about, "rules"))
        return lambda text: minesweeper_observation.Observation.parse(text, rules)


class _Risk:
    def about(self, observation: risk_observation.Observation) -> dict[str, Any]:
        return {
            "rules": str(observation.rules),
            "switches": asdict(observation.rules),
            **_world(observation.worldmap),
            "seat": observation.seat,
            "players": observation.players,
        }

    def seat(self, observation: risk_observation.Observation) -> int:
        return observation.seat

    def action(self, text: str, observation: risk_observation.Observation) -> risk_actions.Action:
        return risk_actions.parse(text, observation.worldmap)

    def text(self, action: Any, observation: risk_observation.Observation) -> str:
        if not isinstance(action, risk_actions.Action):
            raise _no_action(action)
        return risk_actions.to_text(action, observation.worldmap)

    def table(self, about: Mapping[str, Any]) -> Table:
        worldmap = _worldmap(_text(about, "toml"))
        return lambda text: risk_observation.Observation.parse(text, worldmap)


GAMES: dict[str, Dialect] = {"minesweeper": _Minesweeper(), "risk": _Risk()}
"""The dialect of each game."""


def dialect(game: str) -> Dialect:
    """The dialect of a game.

    Raises:
        FormatError: there is no such game.
    """
    if game not in GAMES:
        raise FormatError(f"unknown game {game[:40]!r} (known: {', '.join(GAMES)})")
    return GAMES[game]


@lru_cache(maxsize=16)
def _world(worldmap: WorldMap) -> dict[str, Any]:
    """A map for an agent that may know none: by name, whole, and in the keys that positions use."""
    continents = [key(continent.name) for continent in worldmap.continents]
    return {
        "map": worldmap.name,
        "toml": str(worldmap),
        "continents": dict(zip(continents, (continent.bonus for continent in worldmap.continents))),
        "territories": {
            worldmap.key_of(number): {
                "continent": continents[land.continent],
                "card": worldmap.card_kind(number),
                "neighbours": [worldmap.key_of(other) for other in worldmap.neighbours[number]],
            }
            for number, land in enumerate(worldmap.territories)
        },
    }


@lru_cache(maxsize=16)
def _worldmap(text: str) -> WorldMap:
    return WorldMap.parse(text)


def _text(about: Mapping[str, Any], name: str) -> str:
    found = about.get(name)
    if not isinstance(found, str):
        raise FormatError(f"new_game: {name!r} is a text")
    return found


def _no_action(answer: Any) -> TypeError:
    return TypeError(f"act() answered {type(answer).__name__}, which is no action")
