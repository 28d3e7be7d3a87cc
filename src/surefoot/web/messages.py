"""What clients may say on the socket; whatever has another shape is refused."""

import json
import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from .limits import MAX_MESSAGE, MAX_SIDE
from .refusals import Refused

_Word = Annotated[str, Field(min_length=1, max_length=80)]
_Text = Annotated[str, Field(max_length=MAX_MESSAGE)]
_Seed = Annotated[int, Field(ge=0, lt=2**63)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    ref: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    """Comes back in the answer, so that the client knows what it is about."""


class CreateMinesweeper(_Message):
    """A new game of Minesweeper: a preset, a board of one's own, or a text to play on.

    ``text`` is a Min.AI world, the text of a board, or a record, which is taken up where it ends.
    """

    type: Literal["create-minesweeper"]
    preset: _Word | None = None
    width: Annotated[int, Field(ge=1, le=MAX_SIDE)] | None = None
    height: Annotated[int, Field(ge=1, le=MAX_SIDE)] | None = None
    mines: Annotated[int, Field(ge=0)] | None = None
    first_click: Literal["any", "safe", "opening"] | None = None
    text: _Text | None = None
    seed: _Seed | None = None


class CreateRisk(_Message):
    """A new game of Risk, or a record taken up where it ends; a seat is ``human`` or an agent's name."""

    type: Literal["create-risk"]
    map: _Word = "classic"
    rules: Annotated[str, Field(max_length=400)] = "standard"
    seats: Annotated[list[_Word], Field(min_length=2, max_length=6)]
    text: _Text | None = None
    seed: _Seed | None = None


class Join(_Message):
    """Look at a game that exists."""

    type: Literal["join"]
    session: _Word


class Snapshot(_Message):
    """Ask for the whole view again."""

    type: Literal["snapshot"]


class Act(_Message):
    """Play an action, in its text form."""

    type: Literal["act"]
    action: Annotated[str, Field(min_length=1, max_length=300)]


class Undo(_Message):
    """Take the last action back, where no chance fell."""

    type: Literal["undo"]


class Restart(_Message):
    """Begin anew with the same settings; the seed is new unless it is given."""

    type: Literal["restart"]
    seed: _Seed | None = None


class PaceMessage(_Message):
    """Let agents play or stand still, and how fast: moves a second, 0 for as fast as they can."""

    type: Literal["pace"]
    running: bool | None = None
    speed: Annotated[float, Field(strict=False, allow_inf_nan=False)] | None = None


class Step(_Message):
    """Let the agent whose turn it is play one move."""

    type: Literal["step"]


class Agent(_Message):
    """Minesweeper: who plays when an agent is to play."""

    type: Literal["agent"]
    agent: _Word


class Seat(_Message):
    """Risk: who plays a seat from now on: ``human`` or an agent's name."""

    type: Literal["seat"]
    seat: Annotated[int, Field(ge=0, le=5)]
    player: _Word


class Assist(_Message):
    """Switch the help that is worked out after every move: ``analysis`` or the win chance's ``curve``."""

    type: Literal["assist"]
    what: Literal["analysis", "curve"]
    on: bool


class Advise(_Message):
    """Risk: ask an agent what it would play."""

    type: Literal["advise"]
    agent: _Word


SessionMessage = Act | Undo | Restart | PaceMessage | Step | Agent | Seat | Assist | Advise
"""What is said to a game."""
ClientMessage = CreateMinesweeper | CreateRisk | Join | Snapshot | SessionMessage
"""What is said at all."""

_READER: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


def read(text: str | bytes) -> ClientMessage:
    """Read a message.

    Raises:
        Refused: it is too long, not JSON, or none of the messages; the answer names the field.
    """
    length = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if length > MAX_MESSAGE:
        raise Refused("too-large", f"the message has {length:,} bytes; at most {MAX_MESSAGE:,} are read")
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        raise Refused("bad-message", first_fault(error)) from None


_REF = re.compile(r'\s*\{\s*"ref"\s*:\s*(\d{1,15})\s*[,}]', re.ASCII)


def ref_of(text: str) -> int | None:
    """The ``ref`` of a message that cannot be read, if it has one; of a huge one only if it comes first."""
    if len(text) > MAX_MESSAGE:
        found = _REF.match(text, 0, 80)
        return int(found[1]) if found else None
    try:
        ref = json.loads(text)["ref"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return ref if type(ref) is int and 0 <= ref < 2**53 else None


def first_fault(error: ValidationError) -> str:
    """The first thing wrong with something from outside, and where; one short line."""
    fault = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in fault["loc"] if not isinstance(part, str) or part.isidentifier())
    words = " ".join(fault["msg"].split())[:200]
    return f"{place}: {words}" if place else words
