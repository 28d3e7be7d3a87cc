"""The arena over REST: studies of the server's store, and those that it plays itself."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from ..about import Problem
from ..limits import MAX_RUNS, MAX_STUDY_AGENTS, MAX_STUDY_GAMES
from .runs import Runs, State

router = APIRouter()

_Run = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="The run's id")]
_Number = Annotated[int, Path(ge=0, lt=2**31, description="The game's number in the run")]
_Agent = Annotated[
    str | None, Query(max_length=80, description="Minesweeper: whose game, if several played the world")
]
_TOO_MANY: dict[int | str, dict[str, Any]] = {
    429: {"model": Problem, "description": f"{MAX_RUNS} runs are being played already"}
}


class AskStudy(BaseModel):
    """A study, see docs/arena.md; agents are the game's own, the map is one that comes along, or a grid."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    game: Annotated[Literal["minesweeper", "risk"], Field(examples=["minesweeper"])]
    rules: Annotated[str | None, Field(max_length=400, examples=["beginner"])] = None
    map: Annotated[str | None, Field(max_length=80, description="Risk: a map. Minesweeper: WxHxM")] = None
    agents: Annotated[
        list[Annotated[str, Field(max_length=80, examples=["exact", "sentence", "random"])]],
        Field(min_length=1, max_length=MAX_STUDY_AGENTS),
    ]
    format: Literal["worlds", "round-robin", "gauntlet", "sprt"] = "worlds"
    games: Annotated[int, Field(ge=1, le=MAX_STUDY_GAMES, examples=[100])]
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class Started(BaseModel):
    """A run that is being played."""

    run: str


class Run(BaseModel):
    """How far a run is.

    ``rate`` is in games a second, and with ``seconds_left`` told of a run that this server plays;
    ``error`` is why it failed. ``complete`` is told by the store alone.
    """

    run: str
    study: dict[str, Any]
    begun: str
    played: int
    games: int
    complete: bool
    state: State
    rate: float | None
    seconds_left: float | None
    error: str | None


class LastGame(BaseModel):
    """What a game was for an agent."""

    game: int
    agent: str
    seat: int
    outcome: str
    end: str
    moves: int


class Report(Run):
    """All that a run shows, as ``surefoot arena report --json`` tells it; and which figures there are."""

    standings: list[dict[str, Any]]
    pairs: list[dict[str, Any]]
    seats: list[dict[str, Any]]
    sprt: dict[str, Any] | None
    hosts: list[dict[str, Any]]
    plots: list[str]
    last_games: list[LastGame]


class Game(BaseModel):
    """A game that was played again: ``same`` unless something did not come out as ``stored``."""

    run: str
    kind: Literal["minesweeper", "risk"]
    game: int
    seats: list[dict[str, str]]
    same: bool
    changed: bool
    stored: dict[str, Any]
    again: dict[str, Any]
    record: str
    warnings: list[str]


@router.get("/runs", response_model=list[Run])
async def runs(request: Request) -> Any:
    """The runs of the server's store, the newest first."""
    return await _runs(request).list()


@router.post("/runs", response_model=Started, responses=_TOO_MANY)
async def begin(request: Request, asked: AskStudy) -> Any:
    """Start a study in a process of its own; the same study goes on where it was stopped."""
    return {"run": await _runs(request).begin(asked.model_dump(exclude_none=True))}


@router.get("/runs/{run}", response_model=Report)
async def report(request: Request, run: _Run) -> Any:
    """How far a run is, and what it shows by now."""
    return await _runs(request).tell(run)


@router.post("/runs/{run}/stop", response_model=Started)
async def stop(request: Request, run: _Run) -> Any:
    """Stop a run that this server plays; what was played is kept."""
    await _runs(request).stop(run)
    return {"run": run}


@router.post("/runs/{run}/resume", response_model=Started, responses=_TOO_MANY)
async def resume(request: Request, run: _Run) -> Any:
    """Go on with a run."""
    await _runs(request).resume(run)
    return {"run": run}


@router.get(
    "/runs/{run}/plots/{name}.svg",
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}, "description": "The figure"}},
)
async def plot(request: Request, run: _Run, name: Annotated[str, Path(max_length=40)]) -> Response:
    """A figure of a run; which there are, its report tells."""
    return Response(await _runs(request).plot(run, name), media_type="image/svg+xml")


@router.get("/runs/{run}/games/{number}", response_model=Game)
async def game(request: Request, run: _Run, number: _Number, agent: _Agent = None) -> Any:
    """A game, played again from its seed: its record as text, and whether it ended as it did."""
    return await _runs(request).game(run, number, agent)


def _runs(request: Request) -> Runs:
    found: Runs = request.app.state.runs
    return found
