"""The errors that both games share. Each says in one line what is wrong and where."""


class FormatError(ValueError):
    """A text or file does not follow its format; the message names the place."""


class RulesError(ValueError):
    """Settings that cannot be played, such as more mines than the first click leaves room for."""


class IllegalAction(ValueError):
    """An action that the rules forbid; the game is as it was before."""


class TooComplex(RuntimeError):
    """An exact answer would cost more than the stated limit; the message names what is too large."""


class Contradiction(ValueError):
    """A position that no layout explains; the message names what contradicts what."""
