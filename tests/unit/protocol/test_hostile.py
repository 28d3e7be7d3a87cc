"""Programs that misbehave in one game: each loses that game, and no other."""

import os
import resource
import time
from functools import cache

import psutil
import pytest

from surefoot.errors import IllegalAction
from surefoot.protocol import programs
from surefoot.protocol.limits import AgentEnded, PlayLimits
from tests.unit.protocol.hostile import HURRIED, LIMITS, ROOT, SAMPLE, Games, hostile, play

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="agents' processes are forked")

BOTH = pytest.mark.parametrize("game", ["minesweeper", "risk"])

ENDS = {
    "another_game": ("channel", "which is of another game"),
    "another_seat": ("channel", "which is of seat "),
    "answers_late": ("time", "no move within 1.5 s"),
    "answers_twice": ("channel", "which came too late, or a second time"),
    "closes_its_output": ("channel", "it closed the channel"),
    "crashes": ("exit", "its process ended with exit code 3 (its last words: segments, faults and all)"),
    "deep": ("channel", "not a message: b'[[["),
    "eats_memory_in_children": ("memory", "more than 128 MB added"),
    "floods_answers": ("channel", "which came too late, or a second time"),
    "floods_errors": ("time", "no move within 1.5 s (its last words: nor any"),
    "floods_output": ("channel", "not a message: b'water, water, everywhere"),
    "gives_up": ("error", "I have lost the thread"),
    "hangs": ("time", "no move within 1.5 s"),
    "leaves_children": ("exit", "its process ended with exit code 0"),
    "long_line": ("channel", "a message without end"),
    "loops": ("time", "no move within 1.5 s"),
    "no_message": ("channel", "not a message of the protocol: act.action: "),
    "says_hello_again": ("channel", "it said hello again"),
}
"""How each ends its odd game, and what is said of it."""


@cache
def sample_games(game: str) -> Games:
    return play(SAMPLE, game)


def limits_for(name: str) -> PlayLimits:
    return HURRIED if ENDS.get(name, ("", ""))[0] == "time" else LIMITS


@BOTH
@pytest.mark.parametrize("name", ENDS)
def test_it_loses_its_own_game_and_no_other(name: str, game: str) -> None:
    how, words = ENDS[name]
    found, expected = play(hostile(name), game, limits_for(name)), sample_games(game)
    assert found.odd == [False, True, False, False]
    assert list(found.errors) == [1]
    error = found.errors[1]
    assert isinstance(error, AgentEnded), error
    assert (error.how, words in error.detail) == (how, True), error
    assert len(str(error).splitlines()) == 1
    for number, odd in enumerate(found.odd):
        # What is compared leaves out guesses, which the hostile agents do not count.
        assert (result(found, number, game) == result(expected, number, game)) is not odd


def result(games: Games, number: int, game: str) -> tuple[object, ...]:
    row = games.rows[number]
    return (*row[:3], *row[4:]) if game == "minesweeper" else row


@BOTH
def test_one_that_eats_memory_is_stopped(game: str) -> None:
    """By the system, which gives it no more, or by whoever watches, whoever is first."""
    found = play(hostile("eats_memory"), game)
    assert list(found.errors) == [1]
    error = found.errors[1]
    assert isinstance(error, AgentEnded)
    assert error.how == "memory" or "MemoryError" in error.detail, error


@BOTH
def test_an_answer_that_is_no_action_costs_the_game_and_not_the_program(game: str) -> None:
    found = play(hostile("no_action"), game)
    assert list(found.errors) == [1]
    assert isinstance(found.errors[1], IllegalAction)
    assert "dance 3,3" in str(found.errors[1])


@BOTH
def test_what_it_writes_to_its_standard_error_harms_nobody(game: str) -> None:
    found, expected = play(hostile("chatters"), game), sample_games(game)
    assert not found.errors
    assert [result(found, n, game) for n in range(4)] == [result(expected, n, game) for n in range(4)]


def test_a_line_of_a_hundred_megabytes_never_enters_memory() -> None:
    sample_games("minesweeper")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = play(hostile("long_line"), "minesweeper")
    assert list(found.errors) == [1]
    unit = 1 if os.uname().sysname == "Darwin" else 1 << 10
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 20 << 20


def test_children_left_behind_are_ended() -> None:
    play(hostile("leaves_children"), "minesweeper")
    programs.close_programs()
    until = time.monotonic() + 60
    while named("leaves_children") and time.monotonic() < until:
        time.sleep(0.05)
    assert not named("leaves_children")


def named(name: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        if any(str(ROOT) in word and name in word for word in words):
            if process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


@BOTH
@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        ("never_says_hello", "time", "no hello within 0.5 s"),
        ("speaks_another_version", "channel", "it speaks version 2 of the protocol, not 1"),
        ("plays_neither", "channel", "it does not play"),
    ],
)
def test_one_that_never_begins_is_given_up_after_three_strikes(
    name: str, how: str, words: str, game: str, caplog: pytest.LogCaptureFixture
) -> None:
    limits = PlayLimits(start=0.5) if how == "time" else LIMITS
    begun = time.monotonic()
    found = play(hostile(name), game, limits, games=40)
    assert time.monotonic() - begun < 30  # forty times half a second, and the start of forty processes
    assert list(found.errors) == list(range(40))
    for number, error in found.errors.items():
        assert isinstance(error, AgentEnded)
        assert error.how == how
        assert words in error.detail
        assert ("given up after 3 strikes" in error.detail) is (number >= 3)
    (said,) = [record.getMessage() for record in caplog.records]
    assert "3 strikes" in said and name in said
