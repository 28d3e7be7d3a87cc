"""Broken inputs for readers: good texts with a few edits, thousands of them, the same ones every time."""

import random
from collections.abc import Callable, Iterator, Sequence

_JUNK: list[str] = [
    *"0123456789.,;:=?-+[]()\"'\\/HFIOx# \t\n\r\0",
    "\r\n",
    "\u00e9",
    "\u0663",
    "\u2028",
    "\U0001f4a3",
]
_LARGE: list[str] = ["99999999", "-1", "1e9", "9" * 30, "0x0x0", "2000x2000x?", "2001x1x0"]


def mutants(seeds: Sequence[str], count: int, seed: int = 0) -> Iterator[str]:
    """``count`` texts, each one of ``seeds`` with one to four random edits."""
    rng = random.Random(seed)
    for _ in range(count):
        text = rng.choice(seeds)
        for _ in range(rng.randint(1, 4)):
            text = rng.choice(_EDITS)(text, rng)
        yield text


def survivors(
    read: Callable[[str], object], allowed: type[Exception], seeds: Sequence[str], count: int = 10_000
) -> int:
    """Feed ``count`` mutants to ``read``; any exception but ``allowed`` is a failure that shows the text.

    The answer is how many were read without complaint, so that a test can see that the mutants are neither
    all nonsense nor all harmless.
    """
    accepted = 0
    for text in mutants(seeds, count):
        try:
            read(text)
            accepted += 1
        except allowed as error:
            assert str(error).strip(), f"no message for {text!r}"
            assert "\n" not in str(error), f"more than one line of message for {text!r}"
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}, for {text!r}") from error
    return accepted


def _spot(text: str, rng: random.Random) -> int:
    return rng.randint(0, len(text))


def _insert(text: str, rng: random.Random) -> str:
    at = _spot(text, rng)
    return text[:at] + rng.choice(rng.choice([_JUNK, _LARGE])) + text[at:]


def _replace(text: str, rng: random.Random) -> str:
    at = _spot(text, rng)
    return text[:at] + rng.choice(_JUNK) + text[at + 1 :]


def _delete(text: str, rng: random.Random) -> str:
    at = _spot(text, rng)
    return text[:at] + text[at + rng.randint(1, 6) :]


def _repeat(text: str, rng: random.Random) -> str:
    at, end = sorted((_spot(text, rng), _spot(text, rng)))
    return text[:end] + text[at : min(end, at + 40)] + text[end:]


def _swap_lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def _drop_line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def _cut(text: str, rng: random.Random) -> str:
    return text[: _spot(text, rng)]


def _swap_letter_for_another_of_the_text(text: str, rng: random.Random) -> str:
    if not text:
        return text
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(text) + text[at + 1 :]


_EDITS: list[Callable[[str, random.Random], str]] = [
    _insert,
    _replace,
    _delete,
    _repeat,
    _swap_lines,
    _drop_line,
    _cut,
    _swap_letter_for_another_of_the_text,
]
