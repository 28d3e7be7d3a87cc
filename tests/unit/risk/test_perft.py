"""Counting tests: the compiled rules and their plain twin against the counts that are kept as data."""

import json
from pathlib import Path
from typing import Any

import pytest

from surefoot.risk import Record
from tests.perft_risk import count_games, count_naively, naive_twin

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "risk_perft.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_counts_by_the_compiled_rules(case: dict[str, Any]) -> None:
    counts = case["counts"]
    assert list(map(list, count_games(Record.parse(case["record"]).game(), len(counts) - 1))) == counts


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_counts_by_the_plain_twin(case: dict[str, Any]) -> None:
    """One ply less than is kept, which costs a tenth; ``tools/make_perft.py`` counts them all."""
    counts = case["counts"][:-1]
    assert list(map(list, count_naively(naive_twin(Record.parse(case["record"])), len(counts) - 1))) == counts


def test_the_cases_reach_ends_and_chance() -> None:
    ends = {case["name"] for case in CASES if any(over for _, _, over in case["counts"])}
    assert {"an elimination", "little room"} <= ends
    deal = next(case for case in CASES if case["name"] == "the deal")
    assert deal["counts"][-1][:2] == [720, 20]  # 6! orders, C(6, 3) deals
