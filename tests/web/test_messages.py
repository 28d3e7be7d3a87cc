"""Messages: what they are, and what they are not, is settled before anything else looks at them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.web.limits import MAX_MESSAGE, MAX_SIDE
from surefoot.web.messages import (
    Act,
    Assist,
    CreateMinesweeper,
    CreateRisk,
    Join,
    PaceMessage,
    Seat,
    Snapshot,
    read,
    ref_of,
)
from surefoot.web.refusals import Refused

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KINDS = st.sampled_from(
    ["create-minesweeper", "create-risk", "join", "snapshot", "act", "undo", "pace", "seat"]
)
FIELDS = st.sampled_from(
    ["ref", "preset", "width", "height", "mines", "seed", "seats", "map", "action", "speed"]
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type":"snapshot"}', Snapshot(type="snapshot")),
        ('{"ref":1,"type":"join","session":"k"}', Join(ref=1, type="join", session="k")),
        ('{"type":"act","action":"uncover 1,2"}', Act(type="act", action="uncover 1,2")),
        ('{"type":"pace","speed":4}', PaceMessage(type="pace", speed=4.0)),
        ('{"type":"assist","what":"curve","on":false}', Assist(type="assist", what="curve", on=False)),
        ('{"type":"seat","seat":5,"player":"human"}', Seat(type="seat", seat=5, player="human")),
        (
            '{"type":"create-minesweeper","width":9,"height":8,"mines":7}',
            CreateMinesweeper(type="create-minesweeper", width=9, height=8, mines=7),
        ),
        (
            '{"type":"create-risk","seats":["human","killer"]}',
            CreateRisk(type="create-risk", map="classic", rules="standard", seats=["human", "killer"]),
        ),
    ],
)
def test_what_is_said_is_read(text: str, message: Any) -> None:
    assert read(text) == message
    assert read(text.encode()) == message


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"type": "create-minesweeper", "width": MAX_SIDE + 1}, "width"),
        ({"type": "create-minesweeper", "width": 0}, "width"),
        ({"type": "create-minesweeper", "mines": -1}, "mines"),
        ({"type": "create-minesweeper", "mines": 1.5}, "mines"),
        ({"type": "create-minesweeper", "mines": "10"}, "mines"),
        ({"type": "create-minesweeper", "first_click": "never"}, "first_click"),
        ({"type": "create-minesweeper", "seed": -1}, "seed"),
        ({"type": "create-minesweeper", "seed": 2**63}, "seed"),
        ({"type": "create-risk", "seats": ["human"]}, "seats"),
        ({"type": "create-risk", "seats": ["human"] * 7}, "seats"),
        ({"type": "create-risk", "seats": ["human", 3]}, "seats"),
        ({"type": "create-risk", "seats": ["human", ""]}, "seats"),
        ({"type": "seat", "seat": 6, "player": "human"}, "seat"),
        ({"type": "seat", "seat": True, "player": "human"}, "seat"),
        ({"type": "assist", "what": "everything", "on": True}, "what"),
        ({"type": "assist", "what": "curve", "on": 1}, "on"),
        ({"type": "pace", "speed": "fast"}, "speed"),
        ({"type": "act", "action": ""}, "action"),
        ({"type": "act", "action": "x" * 301}, "action"),
        ({"type": "snapshot", "ref": 2**53}, "ref"),
        ({"type": "snapshot", "session": "k"}, "session"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_name(message: dict[str, Any], place: str) -> None:
    with pytest.raises(Refused) as refused:
        read(json.dumps(message))
    assert refused.value.code == "bad-message"
    assert place in refused.value.message
    assert "\n" not in refused.value.message


def test_numbers_are_finite() -> None:
    for number in ("NaN", "Infinity", "-Infinity", "1e999"):
        with pytest.raises(Refused):
            read(f'{{"type":"pace","speed":{number}}}')


def test_size_is_counted_in_bytes() -> None:
    frame = '{"type":"join","session":""}'
    text = "ü" * (MAX_MESSAGE // 2)
    with pytest.raises(Refused) as refused:
        read(frame.replace('""', json.dumps(text, ensure_ascii=False)))
    assert refused.value.code == "too-large"


@given(st.text(max_size=60))
def test_any_text_is_a_message_or_refused_in_a_line(text: str) -> None:
    _read_or_refused(text)


@given(KINDS, st.dictionaries(FIELDS, JSON, max_size=4))
def test_any_values_are_a_message_or_refused_in_a_line(kind: str, fields: dict[str, Any]) -> None:
    _read_or_refused(json.dumps({"type": kind, **fields}))


def _read_or_refused(text: str) -> None:
    try:
        read(text)
    except Refused as refused:
        assert refused.code == "bad-message"
        assert 0 < len(refused.message) < 400
        assert "\n" not in refused.message
    ref = ref_of(text)
    assert ref is None or 0 <= ref < 2**53


def test_the_number_of_what_cannot_be_read_is_found() -> None:
    assert ref_of('{"type":"nonsense","ref":12}') == 12
    assert ref_of('{"ref":13,"text":"' + "x" * MAX_MESSAGE + '"}') == 13
    for text in ("", "[1]", '{"ref":true}', '{"ref":-1}', '{"ref":1.0}', '{"ref":"1"}', "[" * 100_000, "3"):
        assert ref_of(text) is None
