import pytest

from surefoot.errors import FormatError
from surefoot.minesweeper import LEAVE, Action, Kind, chord, flag, uncover, unflag


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (uncover((3, 4)), "uncover 3,4"),
        (flag((0, 0)), "flag 0,0"),
        (unflag((12, 7)), "unflag 12,7"),
        (chord((499, 499)), "chord 499,499"),
        (LEAVE, "leave"),
    ],
)
def test_every_kind_has_a_text_that_parses_back(action: Action, text: str) -> None:
    assert str(action) == text
    assert Action.parse(text) == action
    assert Action.parse(f"  {text}\n") == action


@pytest.mark.parametrize(
    "text",
    ["", "uncover", "leave 1,2", "uncover 1", "uncover -1,2", "UNCOVER 1,2", "uncover 1,2,3", "dig 1,2"],
)
def test_what_is_no_action_is_refused_by_quoting_it(text: str) -> None:
    with pytest.raises(FormatError) as refusal:
        Action.parse(text)
    assert text in str(refusal.value) or "takes" in str(refusal.value)


def test_leaving_takes_no_cell_and_all_others_take_one() -> None:
    with pytest.raises(FormatError, match="leave takes no cell"):
        Action(Kind.LEAVE, (0, 0))
    for kind in set(Kind) - {Kind.LEAVE}:
        with pytest.raises(FormatError, match="takes a cell"):
            Action(kind)
