"""Explanations as people read them. That every verdict is right is a property test."""

import json

import pytest

from surefoot.errors import Contradiction, FormatError
from surefoot.minesweeper.explain import Verdict, explain
from surefoot.minesweeper.observation import Observation


def explained(text: str, row: int, col: int) -> list[str]:
    return str(explain(Observation.parse(text), (row, col))).split("\n")


def test_by_the_subset_rule() -> None:
    assert explained("4x2x?\n11HH\nHHHH", 0, 2) == [
        "(0,2) is safe.",
        "1. the 1 at (0,1): {(0,2), (1,0), (1,1), (1,2)} = 1",
        "2. the 1 at (0,0): {(1,0), (1,1)} = 1",
        "3. take 2 from 1: {(0,2), (1,2)} = 0",
        "4. none of 3 is a mine: {(0,2)} = 0",
    ]


def test_a_proof_has_no_sentence_to_spare() -> None:
    """The numbers on the right have nothing to do with the corner on the left."""
    explanation = explain(Observation.parse("8x2x?\nH1111111\nHHHHHHHH"), (1, 0))
    assert explanation.verdict is Verdict.NOT_PROVED
    explanation = explain(Observation.parse("8x2x?\n11H11111\nHHHHHHHH"), (1, 2))
    assert explanation.verdict is Verdict.SAFE
    assert [step.source for step in explanation.premises] == ["the 1 at (0,1)", "the 1 at (0,0)"]
    explanation = explain(Observation.parse("3x2x?\n1HH\nH11"), (0, 2))
    assert len(explanation.premises) == 2


def test_by_contradiction_where_the_subset_rule_does_not_reach() -> None:
    assert explained("5x2x?\nH121H\nHHHHH", 1, 1) == [
        "(1,1) is a mine.",
        "These leave no other possibility; suppose that (1,1) were safe:",
        "1. the 1 at (0,3): {(0,4), (1,2), (1,3), (1,4)} = 1",
        "2. the 2 at (0,2): {(1,1), (1,2), (1,3)} = 2",
        "3. supposed for the sake of argument: {(1,1)} = 0",
        "4. take the known {(1,1)} = 0 from 2: {(1,2), (1,3)} = 2",
        "5. all of 4 are mines: {(1,2), (1,3)} = 2",
        "6. take the known {(1,2), (1,3)} = 2 from 1: {(0,4), (1,4)} = -1",
        "That cannot be.",
    ]


def test_the_mine_count_is_used_where_needed_and_said() -> None:
    lines = explained("4x4x1\n1HHH\nHHHH\nHHHH\nHHHH", 3, 3)
    assert lines[0] == "(3,3) is safe."
    assert "2. the mine count: {(0,1), (0,2), (0,3), … 15 cells} = 1" in lines
    assert lines[-1] == "This needs the mine count; the numbers alone do not prove it."


def test_the_mine_count_over_cases_that_the_rules_do_not_split() -> None:
    lines = explained("12x1x2\nH1HHHHHHH1HH", 0, 5)
    assert lines[0] == "(0,5) is safe."
    assert lines[-2] == "However the mines are placed, one of these sentences is false."


def test_the_mine_count_is_not_used_where_the_numbers_do() -> None:
    explanation = explain(Observation.parse("2x2x3\n3H\nHH"), (1, 1))
    assert explanation.verdict is Verdict.MINE
    assert not explanation.mine_count


def test_nothing_is_proved_and_it_says_so() -> None:
    assert explained("3x3x1\nHHH\nH1H\nHHH", 0, 0) == [
        "(0,0) is not proved: it may be a mine, and it may be safe.",
        "It is a mine in 12.5% of all layouts that agree with the position.",
    ]
    assert explained("2x2x?\nHH\nHH", 0, 0)[1] == "The mine count is not known; it might tell."


def test_an_open_cell_says_so() -> None:
    assert explained("2x2x1\n1H\nHH", 0, 0) == ["(0,0) is open and shows 1."]


def test_a_flag_is_never_evidence() -> None:
    plain = explain(Observation.parse("5x2x?\nH121H\nHHHHH"), (1, 1))
    flagged = explain(Observation.parse("5x2x?\nH121H\nFFFFF"), (1, 1))
    assert str(plain) == str(flagged)


def test_json_holds_the_same() -> None:
    told = explain(Observation.parse("4x2x?\n11HH\nHHHH"), (0, 2)).as_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["verdict"] == "safe"
    assert told["method"] == "sentences"
    assert told["steps"][2] == {
        "sentence": "{(0,2), (1,2)} = 0",
        "cells": [[0, 2], [1, 2]],
        "count": 0,
        "rule": "subset",
        "from": [0, 1],
        "text": "take 2 from 1: {(0,2), (1,2)} = 0",
    }
    assert told["premises"][1] == {
        "sentence": "{(1,0), (1,1)} = 1",
        "cells": [[1, 0], [1, 1]],
        "count": 1,
        "source": "the 1 at (0,0)",
    }
    told = explain(Observation.parse("5x2x?\nH121H\nHHHHH"), (1, 1)).as_dict()
    assert (told["method"], told["supposition"]) == ("contradiction", "{(1,1)} = 0")
    assert explain(Observation.parse("1x1x?\nH"), (0, 0)).as_dict()["method"] is None


def test_what_is_wrong_is_refused() -> None:
    with pytest.raises(FormatError, match="there is no cell 2,0 on a 2x2 board"):
        explain(Observation.parse("2x2x1\n1H\nHH"), (2, 0))
    with pytest.raises(FormatError, match="there is no cell 0,-1 on a 2x2 board"):
        explain(Observation.parse("2x2x1\n1H\nHH"), (0, -1))
    with pytest.raises(Contradiction, match=r"the 1 at \(0,0\) and the 3 at \(0,2\)"):
        explain(Observation.parse("3x2x?\n1H3\nHHH"), (1, 1))
