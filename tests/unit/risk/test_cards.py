"""Card sets: section 3, cases 3 and 4."""

from itertools import combinations, combinations_with_replacement

import pytest

from surefoot.risk import Rules, load, preset
from surefoot.risk.cards import set_name, sets, value

CLASSIC = load("classic")
# The kinds are dealt in turn: cards 0, 3, 6 … infantry, 1, 4 … cavalry, 2, 5 … artillery; 42 and 43 are wild.
FIRST = {"i": 0, "c": 1, "a": 2, "w": 42}
STEP = {"i": 3, "c": 3, "a": 3, "w": 1}


def cards(kinds: str) -> list[int]:
    """Different cards of these kinds, such as ``iicw``."""
    return sorted(FIRST[k] + STEP[k] * kinds[:n].count(k) for n, k in enumerate(kinds))


def three(kinds: str) -> tuple[int, int, int]:
    one, two, last = cards(kinds)
    return one, two, last


def test_the_deck_is_a_third_of_each_kind_and_two_wild() -> None:
    kinds = [CLASSIC.card_kind(card) for card in range(44)]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "infantry": 14,
        "cavalry": 14,
        "artillery": 14,
        "wild": 2,
    }


@pytest.mark.parametrize("name", ["duel", "delta", "archipelago", "grid-6x6", "grid-5x1", "classic-82"])
def test_other_maps_deal_the_kinds_in_turn(name: str) -> None:
    worldmap = load(name)
    count = len(worldmap.territories)
    plain = ["infantry", "cavalry", "artillery"]
    assert [worldmap.card_kind(card) for card in range(count)] == [plain[n % 3] for n in range(count)]
    assert [worldmap.card_kind(count + n) for n in range(2)] == ["wild", "wild"]


@pytest.mark.parametrize(
    ("kinds", "name", "fixed"),
    [
        ("iii", "infantry", 4),
        ("ccc", "cavalry", 6),
        ("aaa", "artillery", 8),
        ("ica", "mixed", 10),
        ("iiw", "infantry", 4),
        ("ccw", "cavalry", 6),
        ("aaw", "artillery", 8),
        ("icw", "mixed", 10),
        ("iaw", "mixed", 10),
        ("caw", "mixed", 10),
        ("iww", "mixed", 10),
        ("cww", "mixed", 10),
        ("aww", "mixed", 10),
    ],
)
def test_sets_and_their_fixed_values(kinds: str, name: str, fixed: int) -> None:
    """A wild card stands for any, and is taken as what is worth most."""
    assert set_name(CLASSIC, three(kinds)) == name
    assert value(CLASSIC, preset("modern"), three(kinds)) == fixed


@pytest.mark.parametrize("kinds", ["iic", "iia", "cci", "cca", "aai", "aac"])
def test_no_sets(kinds: str) -> None:
    assert set_name(CLASSIC, three(kinds)) is None
    with pytest.raises(ValueError, match="are no set"):
        value(CLASSIC, Rules(), three(kinds))


def test_two_pairs_hold_no_set() -> None:
    for pairs in ("iicc", "iiaa", "ccaa"):
        assert list(sets(CLASSIC, cards(pairs))) == []


def test_any_five_cards_hold_a_set() -> None:
    for kinds in combinations_with_replacement("icaw", 5):
        if kinds.count("w") <= 2:
            assert any(sets(CLASSIC, cards("".join(kinds))))


def test_progressive_values_rise_whatever_the_set() -> None:
    rising = [4, 6, 8, 10, 12, 15, 20, 25, 30, 35]
    for kinds in ("iii", "aaw", "ica"):
        assert [value(CLASSIC, preset("standard"), three(kinds), n) for n in range(10)] == rising
        assert value(CLASSIC, preset("modern"), three(kinds), 7) == value(
            CLASSIC, preset("modern"), three(kinds)
        )


def test_no_value_where_the_rules_know_no_cards() -> None:
    with pytest.raises(ValueError, match="know no cards"):
        value(CLASSIC, preset("document"), three("iii"))


def test_sets_are_all_the_sets_of_a_hand() -> None:
    hand = cards("iicaw")
    expected = [c for c in combinations(hand, 3) if set_name(CLASSIC, c) is not None]
    assert list(sets(CLASSIC, hand[::-1])) == expected
    assert len(expected) == 8  # every three with the wild card, and the two mixed ones
