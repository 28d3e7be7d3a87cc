"""The bench of decisions: the same layouts for every candidate, kept and judged."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.agents.expert import ExpertAgent
from surefoot.minesweeper.decisions import Decision, collect, judge, load, save
from surefoot.minesweeper.rules import preset

LEVEL, RULES = preset("expert")


@pytest.fixture(scope="module")
def decisions() -> list[Decision]:
    rules = replace(RULES, start=(0, 0))
    return list(islice(collect(LEVEL, rules, 7, layouts=30, continuation=ExactAgent), 5))


def test_no_candidate_wins_on_a_layout_where_it_is_a_mine(decisions: list[Decision]) -> None:
    for decision in decisions:
        layouts = decision.layouts()
        assert layouts.sum(axis=(1, 2)).tolist() == [99] * 30
        assert len(set(decision.cells)) == len(decision.cells) > 1
        for cell, won in zip(decision.cells, decision.won, strict=True):
            assert not won[layouts[:, cell[0], cell[1]]].any()


def test_they_are_kept_as_they_are(decisions: list[Decision], tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    save(path, decisions, "a note")
    kept, note = load(path)
    assert note == "a note"
    for one, other in zip(decisions, kept, strict=True):
        assert str(one.observation) == str(other.observation)
        assert one.observation.rules == other.observation.rules
        assert (one.game, one.cells) == (other.game, other.cells)
        assert np.array_equal(one.won, other.won)
        assert np.array_equal(one.layouts(), other.layouts())


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    path.write_text("no archive")
    with pytest.raises(FormatError, match="holds no decisions"):
        load(path)


def test_who_chooses_as_the_bench_does_gains_nothing(decisions: list[Decision]) -> None:
    judged = judge(ExpertAgent, decisions)
    assert (judged.decisions, judged.gain, judged.same) == (len(decisions), 0.0, len(decisions))
    assert sum(count for _, _, count, _, _ in judged.stages) == len(decisions)


def test_a_cell_that_is_no_candidate_is_tried_too(decisions: list[Decision]) -> None:
    decision = decisions[0]
    hidden = [(row, col) for row, col in np.argwhere(decision.observation.cells < 0).tolist()]
    other = next(cell for cell in reversed(hidden) if cell not in decision.cells)
    won = decision.try_cell(other, ExactAgent)
    assert won.shape == (30,)
    assert not won[decision.layouts()[:, other[0], other[1]]].any()
