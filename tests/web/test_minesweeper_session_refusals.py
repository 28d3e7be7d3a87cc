"""What a session of Minesweeper refuses: in words, and nothing changes."""

from typing import Any

import pytest

from surefoot.web.lanes import Lanes
from surefoot.web.limits import MAX_CELLS
from surefoot.web.messages import (
    Act,
    Advise,
    Agent,
    PaceMessage,
    Seat,
    SessionMessage,
    Undo,
)
from tests.web.minesweeper_table import (  # the fixtures are taken by name
    BOARD,
    Run,
    created,
    lanes,
    loop,
    refused,
    run,
)

__all__ = ["lanes", "loop", "run"]


@pytest.mark.parametrize(
    ("what", "code", "words"),
    [
        ({}, "bad-message", "a game begins from a preset, from width, height and mines, or from a text"),
        ({"preset": "expert", "text": BOARD}, "bad-message", "a game begins from"),
        ({"preset": "expert", "first_click": "any"}, "bad-message", "a game begins from"),
        ({"preset": "hardest"}, "bad-message", "unknown preset 'hardest'"),
        ({"width": 9, "height": 9}, "bad-message", "a board of your own takes width, height and mines"),
        ({"width": 9, "height": 9, "mines": 82}, "bad-message", "82 mines do not fit on 81 cells"),
        ({"width": 3, "height": 3, "mines": 1, "first_click": "opening"}, "bad-message", "leaves room for 0"),
        ({"width": 101, "height": 100, "mines": 9}, "too-large", f"at most {MAX_CELLS:,}"),
        ({"text": ""}, "bad-message", "the text is empty"),
        ({"text": "hello"}, "bad-message", "line 1: 'hello' is not rows and columns"),
        ({"text": "3x3x1\nHHH"}, "bad-message", "line 1 says 3 rows, but there are 1"),
        ({"text": "2x1x1\n1H"}, "bad-message", "this is a position, which does not tell where the mines are"),
        ({"text": "2x1x1\n1I\nuncover 0,0"}, "bad-message", "line 1 says 1 rows, but there are 2"),
        ({"text": "500x500x1\n" + "H" * 10}, "bad-message", "but there are 1"),
        ({"text": '[Game "Chess"]'}, "bad-message", "not a Minesweeper record"),
        (
            {"text": f'[Game "Minesweeper"]\n\n{BOARD}\n\nchord 0,0'},
            "bad-message",
            "the record does not replay: chord 0,0: a chord needs an open number",
        ),
    ],
)
def test_what_is_no_game_is_refused(
    what: dict[str, Any], code: str, words: str, run: Run, lanes: Lanes
) -> None:
    refusal = run(refused(created(lanes, **what)))
    assert refusal.code == code and words in refusal.message


def test_a_board_that_is_too_large_is_refused_as_text(run: Run, lanes: Lanes) -> None:
    rows = "\n".join(["H" * 200] * 200)
    refusal = run(refused(created(lanes, text=f"200x200x0\n{rows}")))
    assert refusal.message == "the board has 40,000 cells; at most 10,000 are taken here"


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        (Act(type="act", action="jump 1,1"), "bad-message", "not an action: 'jump 1,1'"),
        (Act(type="act", action="uncover 9,0"), "not-legal", "uncover 9,0: there is no such cell"),
        (Act(type="act", action="chord 0,0"), "not-legal", "chord 0,0: a chord needs an open number"),
        (Act(type="act", action="leave"), "not-legal", "leave: these rules do not let a player leave"),
        (Undo(type="undo"), "not-legal", "in Minesweeper nothing can be taken back"),
        (Seat(type="seat", seat=0, player="human"), "bad-message", "that is for Risk"),
        (Advise(type="advise", agent="exact"), "bad-message", "that is for Risk"),
        (Agent(type="agent", agent="genius"), "bad-message", "there is no agent 'genius'"),
        (Agent(type="agent", agent="exact:deep"), "bad-message", "there is no agent 'exact:deep'"),
        (Agent(type="agent", agent="random:seed=1"), "bad-message", "is not an agent that the page may name"),
        (Agent(type="agent", agent="os:system"), "bad-message", "is not an agent that the page may name"),
        (Agent(type="agent", agent="/etc/x.py:A"), "bad-message", "is not an agent that the page may name"),
        (Agent(type="agent", agent="cmd:ls"), "bad-message", "is not an agent that the page may name"),
        (PaceMessage(type="pace", speed=5000), "bad-message", "speed is 0.1 to 1000"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(
    message: SessionMessage, code: str, words: str, run: Run, lanes: Lanes
) -> None:
    async def scenario() -> None:
        player = await created(lanes, preset="beginner", seed=1)
        before, version = player.session.view(), player.session.version
        refusal = await refused(player.say(message))
        assert refusal.code == code and words in refusal.message
        assert player.session.view() == before and player.session.version == version

    run(scenario())
