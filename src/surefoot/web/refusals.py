"""What the server answers when it will not: a code for the page, and one line for its user."""

import logging
from typing import Final, Literal

from surefoot.errors import Contradiction, FormatError, IllegalAction, RulesError, TooComplex

Code = Literal[
    "bad-message",
    "too-large",
    "not-legal",
    "no-session",
    "too-many",
    "too-slow",
    "too-complex",
    "starting",
    "fault",
]


class Refused(Exception):
    """A message or request that is not carried out; nothing has changed.

    Args:
        code: what kind of trouble it is, for the page.
        message: one line that names what is wrong and where.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message


FAULT: Final = "the server made a mistake, which is in its log; nothing has changed"

_log = logging.getLogger(__name__)


def in_words(error: Exception) -> Refused:
    """An exception as a refusal: in the words of the games, or as our own fault, which goes to the log."""
    words = " ".join(str(error).split())
    match error:
        case Refused():
            return error
        case IllegalAction():
            return Refused("not-legal", words)
        case TooComplex():
            return Refused("too-complex", words)
        case FormatError() | RulesError() | Contradiction():
            return Refused("bad-message", words)
    _log.error("not carried out: %s", error, exc_info=error)
    return Refused("fault", FAULT)
