"""Deltas: what a client makes of them is what the server has, in Python and in the page's own JavaScript."""

import copy
import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.web.app import STATIC
from surefoot.web.delta import apply, difference

# A small world, so that values meet their like; 0, False, 0.0 and None are told apart in JSON.
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from([0.5, 1.0, "", "a", "-", "=", "__proto__"])
)
KEYS = st.sampled_from(["a", "b", "c", "=", "-", "o", "l", "+", "<"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON; Python has ``True == 1``."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two values, the second often made from the first by small changes."""
    old = draw(VALUES)
    new = copy.deepcopy(old)
    for _ in range(draw(st.integers(0, 4))):
        new = _changed(draw, new)
    return old, new


def _changed(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, list) and value:
        kind = draw(st.sampled_from(["inside", "cut", "grow", "shift"]))
        place = draw(st.integers(0, len(value) - 1))
        if kind == "inside":
            return [*value[:place], _changed(draw, value[place]), *value[place + 1 :]]
        more = draw(st.lists(VALUES, max_size=2))
        return {"cut": value[:place], "grow": value + more, "shift": value[place:] + more}[kind]
    if isinstance(value, dict) and value:
        key = draw(st.sampled_from(sorted(value)))
        if draw(st.booleans()):
            return {name: inner for name, inner in value.items() if name != key}
        return {**value, key: _changed(draw, value[key]), draw(KEYS): draw(LEAVES)}
    return draw(VALUES)


@given(neighbours())
def test_a_change_makes_the_new_of_the_old(pair: tuple[Any, Any]) -> None:
    old, new = pair
    before = copy.deepcopy(old)
    change = difference(old, new)
    assert (change is None) == same(old, new)
    if change is not None:
        assert len(change) == 1
        assert same(apply(old, json.loads(json.dumps(change))), new)
    assert same(old, before)


@given(st.lists(VALUES, min_size=2, max_size=5))
def test_changes_in_turn_lead_to_the_last(views: list[Any]) -> None:
    seen = views[0]
    for old, new in pairwise(views):
        change = difference(old, new)
        seen = seen if change is None else apply(seen, change)
    assert same(seen, views[-1])


def test_a_click_costs_what_it_opens() -> None:
    cells = [-1] * 480
    opened = [*cells]
    opened[100] = 2
    assert difference({"cells": cells}, {"cells": opened}) == {"o": {"cells": {"l": [[100, 2]]}}}
    opened[102] = 1  # one run with the one between, which is cheaper than two
    opened[479] = 0
    assert difference(cells, opened) == {"l": [[100, 2, -1, 1], [479, 0]]}


def test_a_log_that_loses_its_oldest_lines_costs_the_new_ones() -> None:
    log = [{"text": f"line {number}"} for number in range(100)]
    assert difference(log, [*log[3:], {"text": "new"}]) == {"<": [3, {"text": "new"}]}
    assert difference(log, [*log, {"text": "new"}]) == {"+": [100, {"text": "new"}]}
    assert difference(log, log[:98]) == {"+": [98]}
    assert difference(log, log[2:]) == {"<": [2]}


def test_truth_is_not_one() -> None:
    assert difference([True, 1, 1.0], [1, 1, 1]) == {"l": [[0, 1, 1, 1]]}
    assert difference({"a": False}, {"a": 0}) == {"o": {"a": {"=": 0}}}
    assert difference({"a": None}, {}) == {"o": {"a": {"-": 1}}}


@pytest.mark.parametrize(
    ("old", "change"),
    [({}, {"o": {"a": {"-": 1}}}), (3, {"o": {"a": {"=": 1}}}), ({"a": 1}, {"o": {"a": {"l": [[0, 1]]}}})],
)
def test_a_change_of_another_view_is_noticed(old: Any, change: dict[str, Any]) -> None:
    with pytest.raises((KeyError, IndexError, TypeError)):
        apply(old, change)


@pytest.mark.skipif(shutil.which("node") is None, reason="the page's tests run it in a browser as well")
def test_the_page_applies_changes_as_the_server_means_them(tmp_path: Path) -> None:
    cases: list[tuple[Any, Any, Any]] = []

    @given(neighbours())
    def collect(pair: tuple[Any, Any]) -> None:
        change = difference(*pair)
        if change is not None:
            cases.append((pair[0], change, pair[1]))

    collect()
    (tmp_path / "delta.mjs").write_text((STATIC / "js" / "delta.js").read_text(encoding="utf-8"))
    (tmp_path / "run.mjs").write_text(
        'import { apply } from "./delta.mjs";\nimport { readFileSync } from "node:fs";\n'
        'const cases = JSON.parse(readFileSync("cases.json", "utf8"));\n'
        "console.log(JSON.stringify(cases.map(([old, change]) => apply(old, change))));\n"
    )
    (tmp_path / "cases.json").write_text(json.dumps(cases))
    run = subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    # 1.0 and 1 are the same number in JavaScript.
    for (_, _, new), made in zip(cases, json.loads(run.stdout), strict=True):
        assert same(made, json.loads(json.dumps(new).replace("1.0", "1")))
