"""Questions about Minesweeper that need no game on the page: analysis, proofs, win chances, replays.

The models of answers are for the documentation: answers are written in a worker process, in JSON already.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from ..lanes import Lanes
from ..limits import MAX_MESSAGE, MAX_PLAYOUTS
from . import work

router = APIRouter()

_Position = Annotated[
    str,
    Field(
        max_length=MAX_MESSAGE,
        description="A line WxHxM (or WxHx? when the mine count is unknown), then a line a row: "
        "0 to 8 where a cell is open, H hidden, F flagged.",
        examples=["4x2x2\n11HH\nHHHH"],
    ),
]
_Rules = Annotated[
    str,
    Field(
        max_length=400,
        description="A family, windows, minai or cs50, and after a colon the switches that differ.",
        examples=["windows", "windows:first_click=opening"],
    ),
]
Cell = Annotated[
    list[int], Field(min_length=2, max_length=2, description="Row and column, from 0,0 at the top left")
]

Pair = Annotated[list[int], Field(min_length=2, max_length=2)]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class AskAnalysis(_Asked):
    """A position to be counted."""

    position: _Position
    rules: _Rules = "windows"


class AskExplanation(_Asked):
    """A cell of a position."""

    position: _Position
    row: Annotated[int, Field(ge=0, lt=10_000)]
    col: Annotated[int, Field(ge=0, lt=10_000)]


class AskWinChance(_Asked):
    """A position to be played out."""

    position: _Position
    rules: _Rules = "windows"
    playouts: Annotated[int, Field(ge=1, le=MAX_PLAYOUTS)] = 1000
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class AskWinProbability(_Asked):
    """A position to be judged at once."""

    position: _Position
    rules: _Rules = "windows"


class AskReplay(_Asked):
    """A game to be looked at."""

    text: Annotated[
        str,
        Field(
            max_length=MAX_MESSAGE,
            description="A record, a Min.AI world, or the text of a board (a position in which I is a hidden "
            "mine and O a flag on no mine).",
            examples=["3x2x1\nIHH\nHHH"],
        ),
    ]


class Contradiction(BaseModel):
    """Why no layout agrees with a position."""

    text: str
    numbers: list[Cell] = Field(description="Open cells whose numbers contradict each other")
    mines: int | None = Field(description="The mine count, if it is part of the contradiction")


class Candidate(BaseModel):
    """A cell that may be worth a guess."""

    cell: Cell
    safety: float = Field(description="Probability that it is no mine")
    progress: float = Field(
        description="Probability that it is no mine and leaves a proved safe cell that may tell more"
    )
    win_chance: float = Field(description="Chance to win when it is opened first")


class Toss(BaseModel):
    """A pair or a box of cells whose mines no number may tell apart."""

    cells: list[Cell]
    separators: list[Cell] = Field(description="Cells outside that would tell if they were safe")
    cost: float = Field(description="Share of all layouts that every player loses to it")
    unavoidable: bool = Field(description="Whether every layout has it, so that nothing settles it")


class Analysis(BaseModel):
    """What counting tells of a position."""

    contradiction: Contradiction | None
    probabilities: list[list[float | None]] | None = Field(
        description="Of a mine in each cell, row by row; null where a cell is open"
    )
    safe: list[Cell] = Field(description="Hidden cells that are no mine in any layout")
    mines: list[Cell] = Field(description="Hidden cells that are a mine in every layout")
    best: Cell | None = Field(description="The cell to open, as the agent expert would")
    why: str | None
    log10_layouts: float | None = Field(description="Decimal logarithm of the number of layouts")
    candidates: list[Candidate] = Field(description="Where a guess is called for; the best first")
    exact: bool = Field(description="Whether their win chances are those of perfect play")
    dead: list[Cell] = Field(description="Cells that tell nothing but that they are safe")
    tosses: list[Toss]


class Premise(BaseModel):
    """A sentence of the position: so many of these cells are mines."""

    sentence: str
    cells: list[Cell]
    count: int
    source: str


class ProofStep(BaseModel):
    """A sentence that follows, and from what."""

    sentence: str
    cells: list[Cell]
    count: int
    rule: str
    premises: list[int] = Field(alias="from", description="Places of earlier steps, from 0")
    text: str = Field(description="The step in words, which count the steps from 1")


class Guess(BaseModel):
    """What it would be to open a cell of which nothing is proved."""

    risk: float
    dead: bool
    toss: Toss | None


class Explanation(BaseModel):
    """What is proved of a cell, and the proof."""

    cell: Cell
    verdict: Literal["safe", "mine", "not proved", "open"]
    number: int | None
    method: Literal["sentences", "contradiction"] | None
    mine_count: bool = Field(description="Whether the proof needs the mine count")
    guess: Guess | None
    premises: list[Premise]
    supposition: str | None
    steps: list[ProofStep]
    text: str


class WinChance(BaseModel):
    """The chance that the agent expert wins from a position."""

    value: float
    error: float = Field(description="Half the width of the 95 % interval")
    playouts: int = Field(
        description="How many games were played out; fewer than asked for where it took long"
    )


class WinProbability(BaseModel):
    """How likely a position is won."""

    value: float
    error: float = Field(description="Standard error; 0 where it is exact")
    exact: bool = Field(description="Whether it is that of perfect play; else it is estimated")


class Level(BaseModel):
    """The size of a board, and how many mines it holds."""

    width: int
    height: int
    mines: int


class Frame(BaseModel):
    """A game after one action, as far as it differs from the frame before; at first all is hidden."""

    action: str | None
    note: str | None
    changed: list[Pair] = Field(
        description="Pairs of a cell, row * width + column, and what it is now: -1 hidden, -2 flagged, "
        "0 to 8 open; at the end 9 a mine, 10 the mine that was opened, 11 a flag on no mine"
    )
    status: Literal["running", "won", "lost"]
    moves: int


class Replay(BaseModel):
    """A game frame by frame, from its start to after its last action."""

    level: Level
    rules: str
    start: Cell | None = Field(description="The cell that was opened beforehand")
    mines: list[int] = Field(description="Where the mines are: row * width + column")
    frames: list[Frame]
    headers: dict[str, str]


@router.post(
    "/analyze",
    responses={200: {"model": Analysis}},
    summary="Every cell's risk, what is proved, and the best cell",
)
async def analyze(request: Request, asked: AskAnalysis) -> Response:
    """Count all layouts that agree with a position; where none does, name the numbers that clash."""
    return await _study(request, work.analysis_json, asked.position, asked.rules)


@router.post(
    "/explain", responses={200: {"model": Explanation}}, summary="Why a cell is safe or a mine, step by step"
)
async def explain(request: Request, asked: AskExplanation) -> Response:
    """Prove that a cell is safe or a mine, from as few sentences as that takes."""
    return await _study(request, work.explanation_json, asked.position, asked.row, asked.col)


@router.post(
    "/win-chance", responses={200: {"model": WinChance}}, summary="How likely the game is won from here"
)
async def win_chance(request: Request, asked: AskWinChance) -> Response:
    """Play on from a position, on layouts drawn from all that agree with it, by the agent expert."""
    return await _study(
        request, work.win_chance_json, asked.position, asked.rules, asked.playouts, asked.seed
    )


@router.post(
    "/win-probability",
    responses={200: {"model": WinProbability}},
    summary="How likely the game is won from here, at once",
)
async def win_probability(request: Request, asked: AskWinProbability) -> Response:
    """Exactly where few layouts are left, else as estimated from the numbers that the best guess may show."""
    return await _study(request, work.win_probability_json, asked.position, asked.rules)


@router.post(
    "/replay", responses={200: {"model": Replay}}, summary="A record, world or board, frame by frame"
)
async def replay(request: Request, asked: AskReplay) -> Response:
    """Play a record through, or show the start of a world or board."""
    return await _study(request, work.replay_json, asked.text)


async def _study(request: Request, ask: Any, *arguments: Any) -> Response:
    lanes: Lanes = request.app.state.lanes
    return Response(await lanes.study(ask, *arguments), media_type="application/json")
