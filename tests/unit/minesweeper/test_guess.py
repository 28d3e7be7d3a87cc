"""Guesses explained, 50/50s named, and the chance to win, on positions that can be checked by eye."""

import math

import numpy as np
import pytest

from surefoot.errors import Contradiction, RulesError, TooComplex
from surefoot.minesweeper import Observation, Rules, analyze
from surefoot.minesweeper.explain import explain
from surefoot.minesweeper.guess import Guesses, weigh_guesses
from surefoot.minesweeper.rules import CS50, MINAI
from surefoot.minesweeper.skill import EXACT, calibrated, network_error
from surefoot.minesweeper.tosses import find_tosses
from surefoot.minesweeper.win_probability import _first_numbers, probability_or_none, win_probability

COIN = "2x2x1\nH1\nH1"
OPENED = "9x9x10\nHHHHHHHHH\nHHHHHHHHH\nHH3211HHH\nHH1001HHH\nHH2112HHH\n" + "HHHHHHHHH\n" * 4
STUCK = "9x9x10\n1HHHHHHHH\n" + "HHHHHHHHH\n" * 8
CLASH = "3x1x1\nH2H"
_HARD = "60x60x?\n" + "\n".join(
    "".join("4" if (row + col) % 2 else "H" for col in range(60)) for row in range(60)
)


def test_a_coin_is_named() -> None:
    (toss,) = find_tosses(Observation.parse(COIN))
    assert (toss.cells, toss.separators, toss.cost) == ([(0, 0), (1, 0)], (), 0.5)
    assert toss.unavoidable and toss.in_words() == "a 50/50 of (0,0) and (1,0) that nothing can settle"
    guesses = weigh_guesses(Observation.parse(COIN))
    assert guesses.exact and guesses.dead == ((0, 0), (1, 0))
    assert [one.win_chance for one in guesses.candidates] == [0.5, 0.5]


def test_a_possible_toss_names_what_may_settle_it() -> None:
    (toss,) = find_tosses(Observation.parse(OPENED))
    assert (toss.one, toss.other, toss.separators) == (((0, 0),), ((0, 1),), ((0, 2),))
    assert not toss.unavoidable and 0.003 < toss.cost < 0.005
    assert toss.in_words().endswith("of all games; (0,2) may settle it")


@pytest.mark.parametrize("text", [OPENED, "3x1x1\n01H", "3x1x0\n000", "2x2x2\nHH\nHH"])
def test_where_no_guess_is_called_for_there_is_no_candidate(text: str) -> None:
    assert weigh_guesses(Observation.parse(text)) == Guesses()
    assert weigh_guesses(Observation.parse(text)).best is None


def test_a_candidate_is_worth_what_its_numbers_leave() -> None:
    for one in weigh_guesses(Observation.parse(STUCK)).candidates:
        assert one.win_chance == pytest.approx(calibrated(float(np.dot(one.numbers, one.values))))
        assert sum(one.numbers) == pytest.approx(one.safety)


def test_why_a_guess_is_better_than_the_safest() -> None:
    analysis = analyze(Observation.parse(STUCK))
    assert analysis.guesses.best is not None and analysis.best == analysis.guesses.best.cell
    assert not analysis.guesses.exact
    assert analysis.why.startswith("no cell is safe for certain") and "wins " in analysis.why
    analysis = analyze(Observation.parse("6x3x?\nH1001H\nH2112H\nHHHHHH"))
    assert analysis.why.endswith("by perfect play") and "more than" not in analysis.why
    assert "58.3%" in analysis.why
    # What leaves more is told even where it is riskier.
    riskier = analyze(Observation.parse("5x3x4\nHH2HH\nHH3HH\nHHHHH"))
    best, risks = riskier.best, riskier.probabilities
    assert best is not None
    assert ("is more than the" in riskier.why) == bool(risks[best] > np.nanmin(risks) + 1e-9)


def test_a_50_50_is_taken_at_any_time() -> None:
    assert analyze(Observation.parse(COIN)).why.endswith(
        "a 50/50 of (0,0) and (1,0) that nothing can settle: take it now, for waiting tells nothing"
    )
    two = analyze(Observation.parse("5x2x2\nH101H\nH101H"))
    assert two.why.endswith("(0,0) and (1,0) that nothing can settle: it costs the same now as later")


def test_explain_tells_what_kind_of_guess_a_cell_is() -> None:
    told = explain(Observation.parse(COIN), (0, 0))
    assert told.guess is not None and told.guess.risk == 0.5 and told.guess.dead
    assert str(told).splitlines()[1:] == [
        "It is a mine in 50.0% of all layouts that agree with the position.",
        "It is one of a 50/50 of (0,0) and (1,0) that nothing can settle.",
    ]
    assert told.as_dict()["guess"]["toss"]["cells"] == [[0, 0], [1, 0]]
    dead = explain(Observation.parse("3x3x1\nHHH\nH1H\nHHH"), (0, 0))
    assert dead.guess is not None and not dead.guess.dead and dead.guess.toss is None
    assert explain(Observation.parse("3x1x1\n01H"), (0, 2)).guess is None


def test_the_chance_to_win_is_exact_or_has_an_error() -> None:
    assert win_probability(Observation.parse("3x1x1\n01H")).as_dict() == {
        "value": 1.0,
        "error": 0.0,
        "exact": True,
    }
    for text in (OPENED, STUCK, "9x9x10\n" + "HHHHHHHHH\n" * 9):
        found = win_probability(Observation.parse(text))
        assert 0 < found.value < 1 and 0 < found.error < 0.5 and not found.exact
    stuck = Observation.parse(STUCK)
    best = weigh_guesses(stuck).best
    assert best is not None and win_probability(stuck).value == best.win_chance
    assert win_probability(stuck).error == network_error(best.win_chance)
    assert win_probability(Observation.parse(STUCK.replace("HH\n", "FF\n"))) == win_probability(stuck)


def test_the_first_click_keeps_its_promise() -> None:
    # Whichever of three cells is opened first, it is safe and shows where the two mines are, or that both are
    # on one side.
    assert win_probability(Observation.parse("3x1x2\nHHH")).as_dict()["value"] == 1.0
    unsafe = win_probability(Observation.parse("3x1x2\nHHH", Rules(first_click="any")))
    assert unsafe.exact and unsafe.value == pytest.approx(1 / 3)
    fixed = win_probability(Observation.parse("3x1x1\nHHH", Rules(first_click="safe", start=(0, 1))))
    assert fixed.exact and fixed.value == pytest.approx(0.5)
    opening = win_probability(Observation.parse("4x3x1\nHHHH\nHHHH\nHHHH", Rules(first_click="opening")))
    assert opening.exact and opening.value == 1.0
    # A start that is drawn is played out.
    drawn = win_probability(Observation.parse("5x5x1\n" + "HHHHH\n" * 5, MINAI))
    assert 0.9 < drawn.value <= 1 and drawn.exact == (drawn.error == 0)


def test_a_mine_count_that_is_not_told_is_played_out_beyond_the_endgame() -> None:
    few = win_probability(Observation.parse("6x3x?\nH1001H\nH2112H\nHHHHHH"))
    assert few.exact and few.value == pytest.approx(7 / 12)
    # Where flags win, the end of the game tells more than the tree knows.
    assert not win_probability(Observation.parse("6x3x?\nH1001H\nH2112H\nHHHHHH", CS50)).exact
    many = win_probability(Observation.parse("6x6x?\nHHHHHH\nH1111H\nH1001H\n" + "HHHHHH\n" * 3))
    assert 0 < many.error < 0.03


def test_what_cannot_be_told_is_refused() -> None:
    for ask in (weigh_guesses, find_tosses, win_probability, probability_or_none):
        with pytest.raises(Contradiction):
            ask(Observation.parse(CLASH))
    for refuse in (weigh_guesses, find_tosses, win_probability):
        with pytest.raises((TooComplex, Contradiction)):
            refuse(Observation.parse(_HARD))
    blank = Observation.parse("2x2x?\nHH\nHH")
    with pytest.raises(ValueError, match="nothing is open and the mine count is not told"):
        win_probability(blank)
    assert probability_or_none(blank) is None
    with pytest.raises(RulesError, match="leaves room for 3 mines"):
        win_probability(Observation.parse("2x2x4\nHH\nHH"))
    with pytest.raises(ValueError, match="this skill does not"):
        weigh_guesses(Observation.parse(COIN), EXACT)


def test_probabilities_of_the_first_number_add_up() -> None:
    blank = Observation.parse("9x9x10\n" + "HHHHHHHHH\n" * 9)
    assert math.isclose(sum(_first_numbers(blank, 10, (0, 0))), 1.0)
    unsafe = Observation(blank.cells, 10, Rules(first_click="any"))
    assert math.isclose(sum(_first_numbers(unsafe, 10, (4, 4))), 71 / 81)
