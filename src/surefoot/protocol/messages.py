"""The messages of the protocol: one JSON object a line, each with a ``type``; see `docs/protocol.md`.

What comes from outside is validated here; what it says of a game is left to `dialects`.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from surefoot import __version__
from surefoot.errors import FormatError

VERSION = 1
"""The version of the protocol."""

Message = dict[str, Any]
_Seconds = Annotated[float, Field(gt=0)]
_Count = Annotated[int, Field(ge=0, lt=2**63)]
_Line = Annotated[str, Field(max_length=1000)]


class _Outside(BaseModel):
    """Keys that are not known are ignored, so that a later version may add some."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Hello(_Outside):
    """Who speaks: the host first, then the agent, which also says what it plays."""

    type: Literal["hello"]
    protocol: _Count
    name: Annotated[str, Field(min_length=1, max_length=200)]
    version: Annotated[str, Field(max_length=200)] = ""
    games: tuple[str, ...] = Field(default=(), strict=False)


class NewGame(BaseModel):
    """A game begins. What it says of the game itself is in the keys of its dialect."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    type: Literal["new_game"]
    id: _Line
    game: str
    seat: _Count
    players: _Count
    seed: _Count


class Observe(_Outside):
    """The agent is to move: what it sees, and how long it may think."""

    type: Literal["observe"]
    id: _Line
    observation: str
    seconds: _Seconds | None = None


class Act(_Outside):
    """The agent's answer: an action as text, and its guesses in this game so far if it counts them."""

    type: Literal["act"]
    id: _Line
    action: _Line
    guesses: _Count | None = None


class GameOver(_Outside):
    """A game has ended, which the agent has won, lost, or otherwise left."""

    type: Literal["game_over"]
    id: _Line
    outcome: _Line


class Fault(_Outside):
    """Something went wrong. From an agent, in place of an action: it gives this game up."""

    type: Literal["error"]
    message: str
    id: _Line | None = None


_FromAgent: TypeAdapter[Hello | Act | Fault] = TypeAdapter(
    Annotated[Hello | Act | Fault, Field(discriminator="type")]
)
_FromHost: TypeAdapter[Hello | NewGame | Observe | GameOver | Fault] = TypeAdapter(
    Annotated[Hello | NewGame | Observe | GameOver | Fault, Field(discriminator="type")]
)
_FROM_HOST = ("hello", "new_game", "observe", "game_over", "error")


def from_agent(message: Any) -> Hello | Act | Fault:
    """What an agent says.

    Raises:
        FormatError: it is none of its messages.
    """
    try:
        return _FromAgent.validate_python(message)
    except ValidationError as error:
        raise FormatError(_fault(error)) from None


def from_host(message: Any) -> Hello | NewGame | Observe | GameOver | Fault | None:
    """What a host says, or None for a type of message that this version does not know.

    Raises:
        FormatError: it is not as its type has it.
    """
    if isinstance(message, dict) and message.get("type") not in _FROM_HOST:
        return None
    try:
        return _FromHost.validate_python(message)
    except ValidationError as error:
        raise FormatError(_fault(error)) from None


def hello(name: str = "surefoot", version: str = __version__, games: tuple[str, ...] = ()) -> Message:
    """The first message of either side; only an agent lists games."""
    listed: Message = {"games": list(games)} if games else {}
    return {"type": "hello", "protocol": VERSION, "name": name, "version": version, **listed}


def new_game(number: str, game: str, about: Message, seed: int) -> Message:
    """A game begins; ``about`` is what its dialect says of it."""
    return {"type": "new_game", "id": number, "game": game, **about, "seed": seed}


def observe(question: str, observation: str, seconds: float) -> Message:
    """The agent is to move."""
    return {"type": "observe", "id": question, "observation": observation, "seconds": round(seconds, 3)}


def act(question: str, action: str, guesses: int | None) -> Message:
    """The agent moves."""
    counted: Message = {} if guesses is None else {"guesses": guesses}
    return {"type": "act", "id": question, "action": action, **counted}


def game_over(number: str, outcome: str) -> Message:
    """A game has ended."""
    return {"type": "game_over", "id": number, "outcome": outcome}


def fault(question: str | None, words: str) -> Message:
    """Something went wrong."""
    return {"type": "error", "id": question, "message": words}


def _fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])
