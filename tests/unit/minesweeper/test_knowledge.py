"""Sentences and the knowledge base. That nothing false is concluded is a property test."""

import random

import pytest

from surefoot.errors import Contradiction, FormatError
from surefoot.minesweeper.knowledge import (
    LARGEST,
    KnowledgeBase,
    Rule,
    Sentence,
    chain,
    listing,
    mine_count_sentence,
    number_sentences,
)
from surefoot.minesweeper.observation import Observation


def sentence(text: str) -> Sentence:
    return Sentence.parse(text)


def base_of(*texts: str) -> KnowledgeBase:
    base = KnowledgeBase()
    for text in texts:
        base.tell(sentence(text))
    return base


def test_a_sentence_is_written_as_in_the_document_and_reads_back() -> None:
    one = Sentence(frozenset({(1, 0), (0, 1), (0, 10)}), 1)
    assert str(one) == "{(0,1), (0,10), (1,0)} = 1"
    assert Sentence.parse(str(one)) == one
    assert Sentence.parse("{} = 0") == Sentence(frozenset(), 0)


@pytest.mark.parametrize(
    "text",
    ["", "{(0,1)}", "{(0,1) (1,0)} = 1", "{(0,1),} = 1", "{(0,1), (0,1)} = 1", "{(0,-1)} = 1", "{(0,1)} = x"],
)
def test_what_is_no_sentence_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="not a sentence"):
        Sentence.parse(text)


def test_rule_1_a_count_of_zero_makes_all_safe() -> None:
    base = base_of("{(0,0), (0,1)} = 0")
    assert base.safes == {(0, 0), (0, 1)}
    assert base.sentences == []


def test_rule_2_a_count_of_all_makes_all_mines() -> None:
    base = base_of("{(0,0), (0,1)} = 2")
    assert base.mines == {(0, 0), (0, 1)}
    assert base.known((0, 0)) is True
    assert base.known((5, 5)) is None


def test_rule_3_takes_a_subset_away() -> None:
    base = base_of("{(0,0), (0,1), (0,2), (0,3)} = 2", "{(0,0), (0,1)} = 1")
    assert sentence("{(0,2), (0,3)} = 1") in base.sentences
    assert base.mines == base.safes == frozenset()


def test_inference_goes_on_until_nothing_new_comes() -> None:
    # Each link of the chain only opens when the one before it is settled.
    base = base_of(
        "{(0,3), (0,4)} = 1", "{(0,2), (0,3)} = 1", "{(0,1), (0,2)} = 1", "{(0,0), (0,1)} = 1", "{(0,0)} = 1"
    )
    assert base.mines == {(0, 0), (0, 2), (0, 4)}
    assert base.safes == {(0, 1), (0, 3)}


def test_the_answer_to_telling_is_what_became_known() -> None:
    base = base_of("{(0,0), (0,1)} = 1")
    assert sorted(base.learn_mine((0, 0))) == [(0, 0), (0, 1)]
    assert base.learn_mine((0, 0)) == []
    assert base.tell(sentence("{(0,0), (0,1)} = 1")) == []


def test_a_sentence_told_twice_is_held_once() -> None:
    base = base_of("{(0,0), (0,1)} = 1", "{(0,0), (0,1)} = 1", "{(0,0), (0,1), (0,2)} = 1")
    assert base.sentences == [sentence("{(0,0), (0,1)} = 1")]
    assert base.safes == {(0, 2)}


def test_a_long_sentence_waits_until_enough_of_it_is_known() -> None:
    cells = [(0, col) for col in range(LARGEST + 3)]
    base = KnowledgeBase()
    base.tell(Sentence(frozenset(cells), 1))
    base.tell(Sentence(frozenset(cells[:2]), 1))
    assert base.safes == frozenset()
    for cell in cells[2:5]:
        base.learn_safe(cell)
    assert base.safes == set(cells[2:])


def test_a_long_sentence_is_looked_at_by_the_first_two_rules_at_all_times() -> None:
    cells = [(row, col) for row in range(10) for col in range(10)]
    base = KnowledgeBase()
    base.tell(Sentence(frozenset(cells), 2))
    base.learn_mine((0, 0))
    assert len(base.sentences) == 1
    base.learn_mine((9, 9))
    assert len(base.safes) == 98
    assert [step.rule for step in base.proof((5, 5))] == [Rule.TOLD, Rule.KNOWN, Rule.ALL_SAFE]


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (("{(0,0), (0,1)} = 3",), r"\{\(0,0\), \(0,1\)\} = 3 cannot be"),
        (("{(0,0)} = -1",), r"\{\(0,0\)\} = -1 cannot be"),
        (("{} = 1",), r"\{\} = 1 cannot be"),
        (
            ("{(0,0), (0,1)} = 1", "{(0,0), (0,1), (0,2)} = 3"),
            r"\{\(0,0\), \(0,1\)\} = 1 and .* = 3 contradict each other",
        ),
        (("{(0,0)} = 1", "{(0,0)} = 0"), "contradict each other"),
        (("{(0,0)} = 1", "{(0,0), (0,1)} = 0"), "contradict each other"),
    ],
)
def test_a_contradiction_names_what_was_told(texts: tuple[str, ...], named: str) -> None:
    with pytest.raises(Contradiction, match=named):
        base_of(*texts)


def test_long_sentences_over_the_same_cells_cannot_differ() -> None:
    cells = frozenset((0, col) for col in range(20))
    base = KnowledgeBase()
    base.tell(Sentence(cells, 3))
    base.tell(Sentence(cells, 3))
    assert len(base.sentences) == 1
    with pytest.raises(Contradiction, match="20 cells"):
        base.tell(Sentence(cells, 4))


def test_a_proof_is_told_in_small_steps() -> None:
    base = base_of("{(0,0), (0,1), (0,2), (0,3)} = 1", "{(0,0), (0,1)} = 1", "{(5,5), (5,6)} = 1")
    assert chain(base.proof((0, 2))) == [
        "1. told: {(0,0), (0,1), (0,2), (0,3)} = 1",
        "2. told: {(0,0), (0,1)} = 1",
        "3. take 2 from 1: {(0,2), (0,3)} = 0",
        "4. none of 3 is a mine: {(0,2)} = 0",
    ]
    assert base.proof((0, 0)) == []


def test_a_proof_says_which_known_cells_it_uses() -> None:
    base = base_of("{(0,0), (0,1), (0,2)} = 1")
    base.learn_mine((0, 1))
    assert chain(base.proof((0, 2))) == [
        "1. told: {(0,0), (0,1), (0,2)} = 1",
        "2. take the known {(0,1)} = 1 from 1: {(0,0), (0,2)} = 0",
        "3. none of 2 is a mine: {(0,2)} = 0",
    ]


def test_a_position_is_read_with_flags_as_hidden_cells() -> None:
    observation = Observation.parse("3x2x2\n1FH\nHHH")
    assert number_sentences(observation) == {(0, 0): sentence("{(0,1), (1,0), (1,1)} = 1")}
    assert mine_count_sentence(observation) == sentence("{(0,1), (0,2), (1,0), (1,1), (1,2)} = 2")
    assert mine_count_sentence(Observation.parse("1x1x?\nH")) is None


def test_the_mine_count_helps_where_it_is_known() -> None:
    assert KnowledgeBase.from_observation(Observation.parse("4x1x1\n1HHH")).safes == {(0, 2), (0, 3)}
    assert KnowledgeBase.from_observation(Observation.parse("4x1x?\n1HHH")).safes == frozenset()


def test_a_position_that_the_rules_refute_is_refused_by_its_numbers() -> None:
    with pytest.raises(Contradiction, match=r"the 1 at \(0,0\)\) and .* = 3 \(the 3 at \(0,1\)\) contradict"):
        KnowledgeBase.from_observation(Observation.parse("3x2x?\n131\nHHH"))
    with pytest.raises(Contradiction, match=r"the 2 at \(0,0\)"):
        KnowledgeBase.from_observation(Observation.parse("2x1x?\n2H"))


def test_the_base_stays_small() -> None:
    """Every sentence lies within one that was told, whatever the order of the telling."""
    height, width = 16, 30
    rng = random.Random(4)
    cells = [(row, col) for row in range(height) for col in range(width)]
    mines = set(rng.sample(cells, 99))
    observation = Observation.parse(f"{width}x{height}x?\n" + "\n".join(["H" * width] * height))
    base = KnowledgeBase()
    told: list[frozenset[tuple[int, int]]] = []
    most = 0
    for cell in rng.sample(cells, len(cells)):
        if cell not in mines:
            around = observation.neighbours(cell)
            told.append(frozenset(around))
            base.learn_safe(cell)
            base.tell(Sentence(frozenset(around), len(mines.intersection(around))))
            most = max(most, len(base.sentences))
    assert all(any(one.cells <= parent for parent in told) for one in base.sentences)
    assert len(base.sentences) == len(set(base.sentences))
    assert most < len(told) / 2
    assert base.mines <= mines


def test_the_basis_says_as_much_in_fewer_words() -> None:
    base = base_of("{(0,0), (0,1), (0,2), (0,3)} = 2", "{(0,0), (0,1)} = 1")
    assert len(base.sentences) == 3
    assert set(base.basis()) == {sentence("{(0,0), (0,1)} = 1"), sentence("{(0,2), (0,3)} = 1")}


def test_a_long_listing_is_summed_up() -> None:
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert listing([str(n) for n in range(30)]).endswith("9, 10 and 19 more")
