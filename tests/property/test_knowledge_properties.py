"""What knowledge, consistency and explanations say, against every placement of mines tried."""

import random
from itertools import combinations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from surefoot.compat.cs50 import MinesweeperAI
from surefoot.errors import Contradiction, FormatError
from surefoot.minesweeper.consistency import (
    certain_cells,
    contradiction_of,
    find_solution,
    smallest_contradiction,
)
from surefoot.minesweeper.explain import Verdict, explain
from surefoot.minesweeper.knowledge import (
    KnowledgeBase,
    Rule,
    Sentence,
    Step,
    mine_count_sentence,
    number_sentences,
)
from surefoot.minesweeper.observation import Observation
from tests import naive
from tests.mutate import survivors

Cell = tuple[int, int]
World = tuple[frozenset[Cell], Observation]

cells = st.tuples(st.integers(0, 1), st.integers(0, 3))
sentences = st.builds(Sentence, st.frozensets(cells, max_size=6), st.integers(0, 3))


@st.composite
def worlds(draw: st.DrawFn, count_known: bool | None = None) -> World:
    """A small board, and a position on it with some of its safe cells open."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    everything = naive.all_cells(height, width)
    order = draw(st.permutations(everything))
    mines = frozenset(order[: draw(st.integers(0, len(order) // 2))])
    still_hidden = draw(st.integers(0, min(len(everything) - len(mines), 12 - min(len(mines), 12))))
    hidden = mines | set(order[len(mines) : len(mines) + still_hidden])
    rows = [
        [-1 if (r, c) in hidden else len(naive.around((r, c), height, width) & mines) for c in range(width)]
        for r in range(height)
    ]
    known = draw(st.booleans()) if count_known is None else count_known
    return mines, Observation(np.array(rows, np.int8), len(mines) if known else None)


def open_cells(observation: Observation) -> list[Cell]:
    return [(row, col) for row, col in np.argwhere(observation.cells >= 0).tolist()]


def layouts(observation: Observation) -> list[frozenset[Cell]]:
    return list(naive.consistent_layouts(observation.cells.tolist(), observation.mines))


def placements(told: list[Sentence]) -> list[frozenset[Cell]]:
    named = sorted(frozenset[Cell]().union(*(one.cells for one in told)))
    return [
        frozenset(mines)
        for size in range(len(named) + 1)
        for mines in combinations(named, size)
        if all(len(one.cells.intersection(mines)) == one.count for one in told)
    ]


@given(sentences)
def test_a_sentence_reads_back(sentence: Sentence) -> None:
    assert Sentence.parse(str(sentence)) == sentence


def test_no_text_breaks_the_reader() -> None:
    read = survivors(Sentence.parse, FormatError, ["{(0,1), (1,0)} = 1", "{} = 0", "{(10,200)} = -3"])
    assert 0 < read < 5_000


@given(st.lists(sentences, max_size=7), st.randoms(use_true_random=False))
def test_knowledge_is_true_and_the_same_in_every_order(told: list[Sentence], chance: random.Random) -> None:
    possible = placements(told)
    first = base_of(told)
    if first is None:
        assert not possible
    else:
        for mines in possible:
            assert first.mines <= mines
            assert not first.safes & mines
            assert all(len(one.cells & mines) == one.count for one in first.sentences)
    other = base_of(chance.sample(told, len(told)))
    assert (first is None) == (other is None)
    if first is not None and other is not None:
        assert (first.mines, first.safes) == (other.mines, other.safes)
        assert set(first.sentences) == set(other.sentences)


def base_of(told: list[Sentence]) -> KnowledgeBase | None:
    base = KnowledgeBase()
    try:
        for sentence in told:
            base.tell(sentence)
    except Contradiction:
        return None
    return base


@given(worlds(), st.randoms(use_true_random=False))
def test_what_is_learned_by_opening_is_what_is_seen_at_once(world: World, chance: random.Random) -> None:
    _, observation = world
    at_once = KnowledgeBase.from_observation(observation)
    base = KnowledgeBase()
    total = mine_count_sentence(observation)
    if total is not None:
        base.tell(Sentence(frozenset(naive.all_cells(observation.height, observation.width)), total.count))
    opened = open_cells(observation)
    for cell in chance.sample(opened, len(opened)):
        base.learn_safe(cell)
        base.tell(Sentence(frozenset(observation.neighbours(cell)), int(observation.cells[cell])))
    assert base.mines == at_once.mines
    assert {cell for cell in base.safes if observation.hidden[cell]} == at_once.safes
    assert set(base.sentences) == set(at_once.sentences)


@given(worlds())
def test_every_step_of_a_proof_follows_from_its_premises(world: World) -> None:
    base = KnowledgeBase.from_observation(world[1])
    told = {*number_sentences(world[1]).values(), mine_count_sentence(world[1])}
    for cell in base.mines | base.safes:
        steps = base.proof(cell)
        assert steps[-1].sentence == Sentence(frozenset({cell}), int(cell in base.mines))
        for place, step in enumerate(steps):
            assert all(premise in steps[:place] for premise in step.premises)
            assert step.sentence in told if step.rule is Rule.TOLD else follows(step)


def follows(step: Step) -> bool:
    """Whether a step is one of the document's rules, spelled out."""
    of, conclusion = step.premises[0].sentence, step.sentence
    if step.rule is Rule.ALL_SAFE:
        return of.count == 0 == conclusion.count and conclusion.cells <= of.cells
    if step.rule is Rule.ALL_MINES:
        return of.count == len(of.cells) and conclusion.cells <= of.cells and conclusion.count == 1
    cells, count = of.cells, of.count
    for premise in step.premises[1:]:
        if not premise.sentence.cells <= cells:
            return False
        cells, count = cells - premise.sentence.cells, count - premise.sentence.count
    return conclusion == Sentence(cells, count)


@given(st.lists(sentences, max_size=8), st.none() | st.integers(0, 8))
@example([Sentence(frozenset({(0, 0)}), 1)], 0)
def test_consistency_against_every_placement(told: list[Sentence], total: int | None) -> None:
    if total is not None:
        told = [*told, Sentence(frozenset((row, col) for row in range(2) for col in range(4)), total)]
    possible = placements(told)
    found = find_solution(told)
    assert (found is None) == (not possible)
    if possible:
        assert found in possible
        assert smallest_contradiction(told) == []
        named = frozenset[Cell]().union(*(one.cells for one in told))
        always = named.intersection(*possible)
        never = named.difference(*possible)
        assert certain_cells(told) == dict.fromkeys(always, True) | dict.fromkeys(never, False)
        return
    core = smallest_contradiction(told)
    assert set(core) <= set(told)
    assert not placements(core)
    for spared in core:
        assert placements([one for one in core if one != spared])


@given(worlds(), st.data())
def test_a_position_that_cannot_be_is_told_by_numbers_that_clash(world: World, data: st.DataObject) -> None:
    observation = world[1]
    cells = observation.cells.copy()
    opened = open_cells(observation)
    for cell in data.draw(st.lists(st.sampled_from(opened), max_size=2)) if opened else []:
        cells[cell] = data.draw(st.integers(0, 8))
    observation = Observation(cells, observation.mines)
    conflict = contradiction_of(observation)
    assert (conflict is None) == bool(layouts(observation))
    if conflict is not None:
        sentences = number_sentences(observation)
        assert all(observation.cells[cell] == number for cell, number in conflict.numbers)
        clash = [sentences[cell] for cell, _ in conflict.numbers]
        total = mine_count_sentence(observation)
        if conflict.mines is not None and total is not None:
            clash.append(total)
        assert not placements(clash)


@settings(max_examples=150)
@given(worlds())
def test_an_explanation_is_right_and_proves_it(world: World) -> None:
    observation = world[1]
    possible = layouts(observation)
    for row, col in np.argwhere(observation.hidden).tolist():
        cell = row, col
        explanation = explain(observation, cell)
        seen = {cell in mines for mines in possible}
        expected = (
            {True: Verdict.MINE, False: Verdict.SAFE}[seen.pop()] if len(seen) == 1 else Verdict.NOT_PROVED
        )
        assert explanation.verdict is expected
        if expected is Verdict.NOT_PROVED:
            continue
        premises = [step.sentence for step in explanation.premises]
        opposite = Sentence(frozenset({cell}), int(expected is Verdict.SAFE))
        assert not placements([*premises, opposite])
        for spared in premises:
            fewer = [one for one in premises if one != spared]
            if explanation.supposition is not None:
                assert placements([*fewer, opposite])
            else:
                base = base_of(fewer)
                assert base is not None
                assert base.known(cell) is None
        # The mine count is named exactly when the numbers alone leave both possible.
        numbers = {cell in mines for mines in layouts(Observation(observation.cells, None))}
        assert explanation.mine_count == (len(numbers) > 1)
        assert str(explanation).startswith(f"({cell[0]},{cell[1]}) is ")


@settings(max_examples=150)
@given(worlds(count_known=False), st.randoms(use_true_random=False))
def test_the_cs50_agent_knows_the_whole_truth_in_every_order(world: World, chance: random.Random) -> None:
    _, observation = world
    possible = layouts(observation)
    everything = set(naive.all_cells(observation.height, observation.width))
    opened = open_cells(observation)
    ai = MinesweeperAI(observation.height, observation.width)
    for cell in chance.sample(opened, len(opened)):
        ai.add_knowledge(cell, int(observation.cells[cell]))
    assert ai.mines == everything.intersection(*possible)
    assert ai.safes == everything.difference(*possible)
