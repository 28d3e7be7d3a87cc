"""What the server has: the games' presets, maps, rules and agents, and its limits."""

from functools import cache
from importlib import import_module

from pydantic import BaseModel

from surefoot import __version__

from . import limits


class Problem(BaseModel):
    """Why a request was refused."""

    detail: str
    """One line that names what is wrong and where."""


class MinesweeperPreset(BaseModel):
    """A board and the rules it is played by."""

    name: str
    width: int
    height: int
    mines: int
    rules: str


class Minesweeper(BaseModel):
    """What can be played, and who plays."""

    presets: list[MinesweeperPreset]
    agents: list[str]


class Map(BaseModel):
    """A map by its size."""

    name: str
    territories: int
    continents: int


class RulesPreset(BaseModel):
    """Rules with a name, and in words."""

    name: str
    words: str


class Risk(BaseModel):
    """What can be played, and who plays."""

    maps: list[Map]
    rules: list[RulesPreset]
    agents: list[str]


class About(BaseModel):
    """What the server has."""

    version: str
    ready: bool
    limits: dict[str, float]
    minesweeper: Minesweeper
    risk: Risk


_RISK_RULES = {
    "standard": "Classic: sets grow in worth, armies march to a neighbour",
    "modern": "Modern: sets are worth by their kinds, armies march through your own land",
    "document": "Document B: no cards, no marches, an army a turn for each territory",
    "document-program": "Document B's program: the same, with coins for dice",
}


def about(*, ready: bool) -> About:
    """What the server has. The first call loads both games, which takes a moment."""
    return About(version=__version__, ready=ready, limits=_limits(), minesweeper=_minesweeper(), risk=_risk())


def _limits() -> dict[str, float]:
    return {name.lower(): value for name, value in vars(limits).items() if name.isupper()}


@cache
def _minesweeper() -> Minesweeper:
    from surefoot.minesweeper.rules import PRESETS

    presets = [
        MinesweeperPreset(
            name=name, width=level.width, height=level.height, mines=level.mines, rules=str(rules)
        )
        for name, (level, rules) in PRESETS.items()
    ]
    return Minesweeper(presets=presets, agents=agents("minesweeper"))


@cache
def _risk() -> Risk:
    from surefoot.risk import worldmap
    from surefoot.risk.rules import PRESETS

    maps = [
        Map(name=name, territories=len(world.territories), continents=len(world.continents))
        for name in worldmap.names()
        for world in [worldmap.load(name)]
    ]
    rules = [RulesPreset(name=name, words=_RISK_RULES.get(name, name)) for name in PRESETS]
    return Risk(maps=maps, rules=rules, agents=agents("risk"))


def agents(game: str) -> list[str]:
    """The names of a game's own agents, and of their presets, as ``name`` and ``name:preset``."""
    from surefoot.spec import parse

    names: list[str] = []
    for name in import_module(f"surefoot.{game}.agents").AGENTS:
        presets = getattr(parse(name, game).load(), "PRESETS", {})
        names += [name, *(f"{name}:{preset}" for preset in presets)]
    return names
