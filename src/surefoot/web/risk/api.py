"""Questions about Risk that need no game on the page: odds, analysis, win chances, replays, maps."""

from asyncio import to_thread
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, Self

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ..about import Map, Problem
from ..lanes import Lanes
from ..limits import MAX_ACTIONS, MAX_MESSAGE, MAX_PLAYOUTS, MAX_REVIEW_SAMPLES, MAX_REVIEW_TURNS
from . import studies

router = APIRouter()

MOST_ARMIES: Final = 10_000
"""Armies on a side of a battle."""
LONGEST_PATH: Final = 100
"""Territories of a march."""
KEPT_MAPS: Final = 64
"""Maps that are kept as they were written."""

_Position = Annotated[
    str,
    Field(
        max_length=MAX_MESSAGE,
        description="What a seat sees, a line each; see docs/position-text.md.",
        examples=["map: duel\nplayers: 2\n0: moor 3, fen 2, dale 4\n1: weald 2, heath 1, wold 5"],
    ),
]
_Record = Annotated[
    str,
    Field(
        max_length=MAX_MESSAGE,
        description="The record of a game, as the page saves it.",
        examples=['[Game "Risk"]\n[Map "duel"]\n[Players "2"]\n\ndeal = moor dale fen weald heath wold\n'],
    ),
]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class AskOdds(_Asked):
    """An attack, on one territory or on one after another."""

    attackers: Annotated[
        int, Field(ge=1, le=MOST_ARMIES, description="Armies that can fight: the stack less one")
    ]
    path: Annotated[
        list[Annotated[int, Field(ge=1, le=MOST_ARMIES)]],
        Field(min_length=1, max_length=LONGEST_PATH, description="Defenders, in the order of attack"),
    ]
    until: Annotated[
        int, Field(ge=0, le=MOST_ARMIES, description="Stop when so many attackers are left, or fewer")
    ] = 0
    defence_dice: Annotated[int, Field(ge=2, le=3)] = 2
    battles: Literal["dice", "coin"] = "dice"
    chance: Annotated[
        float | None, Field(gt=0, lt=1, description="Tell too how many attackers win with this chance")
    ] = None


class AskAnalysis(_Asked):
    """A position, and who is to give advice."""

    position: _Position
    agent: Annotated[str | None, Field(max_length=80, description="An agent's name; planner if left out")] = (
        None
    )


class AskWinChance(_Asked):
    """A position, or a record and how many of its actions are played."""

    position: _Position | None = None
    text: _Record | None = None
    moves: Annotated[int, Field(ge=0, le=MAX_ACTIONS)] | None = None
    playouts: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)] = 200
    seed: Annotated[int, Field(ge=0, lt=2**62)] = 0

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.position is None) == (self.text is None):
            raise ValueError("give either a position or a text, the record of a game")
        if self.moves is not None and self.text is None:
            raise ValueError("moves are those of a record: give them with a text")
        return self


class AskReplay(_Asked):
    """A game to be looked at."""

    text: _Record


class AskReview(_Asked):
    """A record, and which of its turns are to be weighed."""

    text: _Record
    first_turn: Annotated[
        int, Field(ge=0, le=MAX_ACTIONS, description="From 0; the starting armies count as a turn")
    ] = 0
    turns: Annotated[int, Field(ge=1, le=MAX_REVIEW_TURNS, description="How many from there")] = 4
    samples: Annotated[int, Field(ge=2, le=MAX_REVIEW_SAMPLES)] = 64
    seed: Annotated[int, Field(ge=0, lt=2**62)] = 0


class AttackersLeft(BaseModel):
    """A number of attackers left, and how likely it is."""

    attackers: int
    chance: float


class DefendersLeft(BaseModel):
    """A number of defenders left, and how likely it is."""

    defenders: int
    chance: float


class Odds(BaseModel):
    """How an attack ends."""

    win: float = Field(description="The chance to take every territory of the path")
    mean_left: float | None = Field(description="Attackers left after a win, on average")
    left: list[AttackersLeft] = Field(
        description="Of one territory: attackers left, which are no more than `until` where it is not taken. "
        "Of several: armies in the last one; 0 where not all are taken."
    )
    defenders: list[DefendersLeft] | None = Field(description="Of one territory; else null")
    taken: list[float] = Field(description="The chance to take at least 0, 1, 2 … territories")
    needed: int | None = Field(description="The fewest attackers that win with the chance asked for")


class AttackChance(BaseModel):
    """An attack with all that can fight, to the end."""

    source: int
    target: int
    attackers: int
    defenders: int
    win: float
    mean_left: float


class Considered(BaseModel):
    """A plan that the agent weighed."""

    plan: str = Field(description="In words, such as: take all of Asia")
    action: str = Field(description="What it begins with, in its text form")
    win: float = Field(description="The chance to win under it")
    error: float = Field(description="Half the width of the 95 % interval around that")


class Analysis(BaseModel):
    """What can be told of a position. Territories are numbers on their map."""

    map: str
    rules: str
    seat: int
    turn: int
    round: int
    phase: str
    to_place: int
    reinforcements: list[int] = Field(description="By player, armies at the start of a turn")
    attacks: list[AttackChance] = Field(description="The surest first")
    agent: str
    action: str | None = Field(description="What the agent would play, in its text form")
    advice: str | None = Field(description="The same in words")
    why: str
    plans: list[Considered] = Field(description="What the agent weighed, the best first; planner tells it")


class WinChances(BaseModel):
    """How likely each player wins when all play on in one style."""

    values: list[float]
    errors: list[float] = Field(description="Half the width of the 95 % interval around each")
    capped: float = Field(description="The share of games that nobody won")
    playouts: int = Field(
        description="How many games were played out; fewer than asked for where it took long"
    )


class ReplaySeat(BaseModel):
    """Who sat there."""

    name: str
    player: str


Pair = Annotated[list[int], Field(min_length=2, max_length=2)]


class Changed(BaseModel):
    """What differs from the frame before; before the first one nobody owns anything."""

    owners: list[Pair] = Field(description="Pairs of a territory and a seat, -1 for nobody")
    armies: list[Pair] = Field(description="Pairs of a territory and its armies")


class Frame(BaseModel):
    """The game after one action and what chance then brought; the first after the deal."""

    seat: int | None
    action: str | None
    text: str = Field(description="What happened, in sentences")
    note: str | None
    changed: Changed
    turn: int
    round: int
    phase: str
    battle: dict[str, Any] | None = Field(description="As in the view of a game")


class Replay(BaseModel):
    """A game, frame by frame."""

    map: str
    rules: str
    players: int
    seats: list[ReplaySeat]
    headers: dict[str, str]
    frames: list[Frame]
    winner: int | None


class JudgedDecision(BaseModel):
    """What a seat decided, and what the planner makes of it; chances are those of that seat to win."""

    move: int = Field(description="How many actions were played before it")
    seat: int
    round: int
    kind: Literal["starting armies", "draft", "attack", "occupy", "end"]
    played: str
    outcome: str = Field(description="What the dice of an attack brought")
    better: str = Field(description="What the planner would have begun with; as `played` without a loss")
    plan: str = Field(description="What the planner would have played for")
    why: str
    chance: float
    after_played: float = Field(description="After what was played, before the dice")
    loss: float = Field(description="What it cost, as far as that is certain")
    error: float = Field(description="The standard error of the difference")
    luck: float = Field(description="What the dice then changed")


class ReviewedTurn(BaseModel):
    """A turn, or the starting armies; lists are by player."""

    seat: int | None
    round: int
    move: int
    moves: int
    before: list[float]
    after: list[float]
    losses: list[float]
    gifts: list[float] = Field(description="From the losses of others")
    luck: list[float]
    rest: list[float] = Field(description="What is left of the change: cards, and errors of the estimates")
    decisions: list[JudgedDecision]


class TurningPoint(BaseModel):
    """A large change of a seat's chance to win, in its own turn."""

    move: int
    seat: int
    round: int
    kind: Literal["loss", "luck"]
    change: float
    text: str


class SeatSummary(BaseModel):
    """A seat's turns of those asked for, in short."""

    seat: int
    turns: int
    first: float
    last: float
    loss: float
    mean_loss: float
    gifts: float
    luck: float
    others_luck: float
    rest: float


class Review(BaseModel):
    """The turns asked for, weighed by the planner."""

    samples: int
    total_turns: int = Field(description="Turns of the whole record")
    turns: list[ReviewedTurn]
    turning_points: list[TurningPoint] = Field(description="In the order of the game")
    worst: list[JudgedDecision] = Field(description="Those that cost most, the worst first")
    seats: list[SeatSummary]


class Territory(BaseModel):
    """A territory; its number is its place in the list."""

    name: str
    key: str
    continent: int
    x: float
    y: float
    card: str


class Continent(BaseModel):
    """A continent and what holding all of it is worth each turn."""

    name: str
    bonus: int


class WorldMap(BaseModel):
    """A map, and how it is drawn."""

    name: str
    territories: list[Territory]
    continents: list[Continent]
    neighbours: list[list[int]]
    geometry: dict[str, Any] = Field(
        description="width, height; by territory shapes (SVG path data), anchors, labels; links between "
        "neighbours that do not touch; places for the continents' names"
    )


def _answers(model: Any) -> dict[int | str, dict[str, Any]]:
    """What the documentation says of the answers; they are written in the worker processes."""
    return {
        200: {"model": model},
        408: {"model": Problem, "description": "It took too long"},
        413: {"model": Problem, "description": "It is too large"},
        422: {"model": Problem, "description": "It cannot be read, cannot be, or is too complex"},
    }


@router.post("/odds", responses=_answers(Odds), summary="The odds of an attack, or of a march")
async def odds(request: Request, asked: AskOdds) -> Response:
    """Tell the chance to win, what is left then, and how many armies a chance takes."""
    return await _study(
        request,
        studies.odds_json,
        asked.attackers,
        asked.path,
        asked.until,
        asked.defence_dice,
        asked.battles,
        asked.chance,
    )


@router.post("/analyze", responses=_answers(Analysis), summary="A position: reinforcements, odds, advice")
async def analyze(request: Request, asked: AskAnalysis) -> Response:
    """Tell everybody's reinforcements, the odds of every attack, and what an agent would play."""
    return await _study(request, studies.analysis_json, asked.position, asked.agent)


@router.post("/win-chance", responses=_answers(WinChances), summary="How likely everybody wins")
async def win_chance(request: Request, asked: AskWinChance) -> Response:
    """Play on from a position, or from a record after some of its actions, by one fast style."""
    return await _study(
        request,
        studies.win_chance_json,
        asked.position,
        asked.text,
        asked.moves,
        asked.playouts,
        asked.seed,
    )


@router.post("/replay", responses=_answers(Replay), summary="A record, frame by frame")
async def replay(request: Request, asked: AskReplay) -> Response:
    """Play a record through."""
    return await _study(request, studies.replay_json, asked.text)


@router.post("/review", responses=_answers(Review), summary="Some turns of a record: losses and luck")
async def review(request: Request, asked: AskReview) -> Response:
    """Weigh each decision against the best of the planner's plans; the same seed gives the same answer."""
    return await _study(
        request,
        studies.review_json,
        asked.text,
        asked.first_turn,
        asked.turns,
        asked.samples,
        asked.seed,
    )


@router.get("/maps", responses=_answers(list[Map]), summary="The maps that come with the program")
async def maps(request: Request) -> Response:
    """List them; besides, there are grids of any size, such as grid-6x6."""
    return await _kept(request, "", studies.maps_json)


@router.get("/maps/{name}", responses=_answers(WorldMap), summary="A map, and how it is drawn")
async def worldmap(request: Request, name: str) -> Response:
    """Tell a map's territories, continents and borders, and their shapes."""
    return await _kept(request, name, studies.map_json, name)


async def _study(request: Request, ask: Callable[..., str], *arguments: Any) -> Response:
    return _json(await _lanes(request).study(ask, *arguments))


_maps: OrderedDict[str, tuple[str, str]] = OrderedDict()
"""By name, maps that were asked for, each with its entity tag; they never change while the server runs."""


async def _kept(request: Request, name: str, ask: Callable[..., str], *arguments: Any) -> Response:
    if name not in _maps:
        # Not in a worker process: those take their time to get ready, and maps are shown before.
        text = await to_thread(ask, *arguments)
        _maps[name] = text, f'"{sha256(text.encode()).hexdigest()[:16]}"'
        while len(_maps) > KEPT_MAPS:
            _maps.popitem(last=False)
    text, tag = _maps[name]
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return _json(text, headers)


def _json(text: str, headers: dict[str, str] | None = None) -> Response:
    return Response(text, media_type="application/json", headers=headers)


def _lanes(request: Request) -> Lanes:
    lanes: Lanes = request.app.state.lanes
    return lanes
