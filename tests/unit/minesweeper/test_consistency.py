"""Consistency and contradictions, where the answer can be seen by eye; brute force is in the properties."""

import random
from itertools import pairwise

import pytest

from surefoot.errors import Contradiction, TooComplex
from surefoot.minesweeper.consistency import (
    certain_cells,
    components,
    contradiction_of,
    find_solution,
    is_consistent,
    refuse_contradiction,
    smallest_contradiction,
)
from surefoot.minesweeper.knowledge import Sentence, mine_count_sentence, number_sentences
from surefoot.minesweeper.observation import Observation

ONE_IN_EACH_PAIR = [Sentence(frozenset({(0, 2 * n), (0, 2 * n + 1)}), 1) for n in range(5)]


def row_of(first: int, last: int, count: int) -> Sentence:
    return Sentence(frozenset((0, col) for col in range(first, last)), count)


def test_a_solution_makes_every_sentence_true() -> None:
    told = [*ONE_IN_EACH_PAIR, row_of(1, 4, 2), row_of(0, 20, 9)]
    mines = find_solution(told)
    assert mines is not None
    assert all(len(mines & one.cells) == one.count for one in told)


def test_no_sentences_are_consistent() -> None:
    assert find_solution([]) == frozenset()
    assert smallest_contradiction([]) == []


@pytest.mark.parametrize(("count", "possible"), [(4, False), (5, True), (9, True), (10, False)])
def test_the_mine_count_is_weighed_against_all_components(count: int, possible: bool) -> None:
    # Five pairs with a mine each and four cells beside them.
    assert is_consistent([*ONE_IN_EACH_PAIR, row_of(0, 14, count)]) is possible


def test_the_totals_of_a_component_may_have_gaps() -> None:
    # a + b = 1 three times over c: with c = 0 there are three mines, with c = 1 there is one.
    star = [Sentence(frozenset({(0, 0), (1, col)}), 1) for col in range(3)]
    cells = frozenset().union(*(one.cells for one in star))
    assert [count for count in range(6) if is_consistent([*star, Sentence(cells, count)])] == [1, 3]
    # Three such stars can have 3, 5, 7 or 9 mines, and only the right choice for each makes 7.
    stars = [Sentence(frozenset((9 * n + r, c) for r, c in one.cells), 1) for n in range(3) for one in star]
    cells = frozenset().union(*(one.cells for one in stars))
    for count in range(13):
        mines = find_solution([*stars, Sentence(cells, count)])
        assert (mines is None) == (count not in (3, 5, 7, 9))
        assert mines is None or len(mines) == count


def test_a_search_that_backtracks_loses_no_solution() -> None:
    """Tight random sentences that one placement is known to make true, on more cells than could be tried."""
    rng = random.Random(0)
    for _ in range(150):
        cells = [(0, col) for col in range(40)]
        mines = set(rng.sample(cells, 20))
        drawn = [frozenset(rng.sample(cells[at : at + 9], 5)) for at in range(32)]
        told = [Sentence(one, len(one & mines)) for one in drawn]
        found = find_solution(told)
        assert found is not None
        assert all(len(found & one.cells) == one.count for one in told)


def test_a_board_of_a_quarter_million_cells_and_a_mine_count() -> None:
    too_few = Sentence(frozenset((row, col) for row in range(500) for col in range(500)), 4)
    assert smallest_contradiction([*ONE_IN_EACH_PAIR, too_few]) == [*ONE_IN_EACH_PAIR, too_few]


def test_what_a_contradiction_needs_and_no_more() -> None:
    wrong = [row_of(0, 3, 1), row_of(0, 2, 1), row_of(2, 4, 2)]
    assert smallest_contradiction([*ONE_IN_EACH_PAIR[2:], *wrong, row_of(20, 24, 2)]) == wrong


def test_a_sentence_that_cannot_be_stands_alone() -> None:
    assert smallest_contradiction([*ONE_IN_EACH_PAIR, row_of(0, 3, 4)]) == [row_of(0, 3, 4)]
    assert smallest_contradiction([Sentence(frozenset(), 1), row_of(0, 3, 2)]) == [Sentence(frozenset(), 1)]


def test_the_contradiction_around_the_seed_is_found_first() -> None:
    here, there = [row_of(0, 2, 1), row_of(0, 3, 3)], [row_of(10, 12, 1), row_of(10, 13, 3)]
    assert smallest_contradiction([*here, *there], here[0]) == here
    assert smallest_contradiction([*here, *there], there[1]) == there


def test_an_odd_ring_needs_all_its_links() -> None:
    # Exactly one of each two neighbours in a ring of five: no rule sees it, and no link can be spared.
    ring = [(0, 0), (0, 1), (1, 2), (2, 1), (2, 0)]
    links = [Sentence(frozenset(pair), 1) for pair in pairwise([*ring, ring[0]])]
    assert set(smallest_contradiction([*links, *ONE_IN_EACH_PAIR[3:]])) == set(links)
    assert is_consistent(links[1:])


def test_certain_cells_go_beyond_the_subset_rule() -> None:
    told = [*number_sentences(Observation.parse("5x2x?\nH121H\nHHHHH")).values()]
    assert certain_cells(told) == {
        (0, 0): False, (1, 0): False, (1, 1): True, (1, 2): False, (1, 3): True, (1, 4): False, (0, 4): False
    }  # fmt: skip
    with pytest.raises(Contradiction, match=r"\{\(0,0\), \(0,1\)\} = 1 and \{\(0,0\), \(0,1\)\} = 2 cannot"):
        certain_cells([row_of(0, 2, 1), row_of(0, 2, 2)])


def test_a_failure_is_met_once_and_not_once_for_every_way_to_get_there() -> None:
    # Two to the thirtieth ways along the chain, and a ring at its end that has no solution in any of them.
    chain = [Sentence(frozenset({(0, n), (1, n), (2, n), (0, n + 1)}), 2) for n in range(30)]
    ring = [(5, 0), (5, 1), (5, 2), (5, 3), (5, 4)]
    links = [Sentence(frozenset(pair), 1) for pair in pairwise([*ring, ring[0]])]
    end = Sentence(frozenset({(0, 30), (9, 9), ring[0]}), 1)
    assert not is_consistent([*chain, end, *links], limit=20_000)
    assert is_consistent([*chain, end, *links[1:]], limit=20_000)


def test_components_are_linked_by_cells() -> None:
    assert components([row_of(0, 2, 1), row_of(5, 7, 1), row_of(1, 3, 1)]) == [
        [row_of(0, 2, 1), row_of(1, 3, 1)],
        [row_of(5, 7, 1)],
    ]


def test_too_much_work_is_named_and_never_done() -> None:
    told = [row_of(n, n + 5, 2) for n in range(40)]
    with pytest.raises(
        TooComplex, match=r"40 sentences linked .* 44 groups of cells take more than 50 steps"
    ):
        is_consistent(told, limit=50)
    assert is_consistent(told)


def test_a_contradiction_is_named_even_where_the_whole_is_too_large() -> None:
    # Overlapping triples all over a wide board: too much for a small limit, but two of them clash openly.
    rng = random.Random(1)
    mines = {(row, col) for row in range(13) for col in range(13) if rng.random() < 0.5}
    triples = [{(row, col), (row + 1, col), (row, col + 1)} for row in range(12) for col in range(12)]
    told = [Sentence(frozenset(cells), len(cells & mines)) for cells in triples]
    wrong = [row_of(30, 33, 1), row_of(30, 33, 2)]
    link = Sentence(frozenset({(0, 12), (0, 29), (0, 30)}), 1 + ((0, 12) in mines))
    linked = [*told, link, *wrong]
    with pytest.raises(TooComplex):
        is_consistent(linked, limit=300)
    assert smallest_contradiction(linked, limit=300) == wrong
    with pytest.raises(TooComplex):
        smallest_contradiction(linked[:-1], limit=300)


@pytest.mark.parametrize(
    ("text", "numbers", "mines", "words"),
    [
        ("2x2x?\n5H\nHH", [((0, 0), 5)], None, "the 5 at (0,0) has only 3 hidden cells around it"),
        ("2x1x?\n2H", [((0, 0), 2)], None, "the 2 at (0,0) has only 1 hidden cell around it"),
        (
            "3x2x?\n1H3\nHHH",
            [((0, 0), 1), ((0, 2), 3)],
            None,
            "the 1 at (0,0) and the 3 at (0,2) contradict each other",
        ),
        ("2x1x2\nHH", None, None, ""),
        ("2x1x1\n0H", [((0, 0), 0)], 1, "the 0 at (0,0) and the mine count of 1 contradict each other"),
        ("2x1x2\n0H", [], 2, "2 mines do not fit on 1 hidden cell"),
        ("2x1x1\n00", [], 1, "1 mines do not fit on 0 hidden cells"),
        (
            "7x1x1\nH1HHH1H",
            [((0, 1), 1), ((0, 5), 1)],
            1,
            "the 1 at (0,1), the 1 at (0,5) and the mine count of 1 contradict each other",
        ),
    ],
)
def test_a_position_that_cannot_be_is_told_by_its_numbers(
    text: str, numbers: list[tuple[tuple[int, int], int]] | None, mines: int | None, words: str
) -> None:
    observation = Observation.parse(text)
    conflict = contradiction_of(observation)
    if numbers is None:
        assert conflict is None
        refuse_contradiction(observation)
        return
    assert conflict is not None
    assert [*conflict.numbers] == numbers
    assert conflict.mines == mines
    assert str(conflict) == words
    with pytest.raises(Contradiction, match="no layout explains this position: "):
        refuse_contradiction(observation)


def test_the_mine_count_is_said_even_after_many_numbers() -> None:
    text = "90x1x1\n" + "H1H" * 30
    conflict = contradiction_of(Observation.parse(text))
    assert conflict is not None
    assert len(conflict.numbers) == 2
    text = "90x1x29\n" + "H1H" * 30
    observation = Observation.parse(text)
    conflict = contradiction_of(observation)
    assert conflict is not None
    assert len(conflict.numbers) == 30
    assert str(conflict).endswith(" 19 more and the mine count of 29 contradict each other")
    assert mine_count_sentence(observation) is not None
