import random

import pytest

from surefoot.errors import FormatError
from surefoot.risk import END, Attack, Claim, Draft, Fortify, Occupy, Trade, load
from surefoot.risk.actions import Action, pack, parse, to_text, unpack
from tests.mutate import survivors

CLASSIC = load("classic")
EXAMPLES: list[tuple[Action, str, str]] = [
    (Claim(0), "claim 0", "claim alaska"),
    (Draft(1, 3), "draft 1 3", "draft northwest-territory 3"),
    (Trade((42, 0, 11), 11), "trade 0 11 42 on 11", "trade alaska brazil wild-1 on brazil"),
    (Trade((5, 4, 3)), "trade 3 4 5", "trade alberta ontario quebec"),
    (Attack(0, 29, 5), "attack 0 29 5", "attack alaska kamchatka 5"),
    (Attack(0, 29, 5, 2), "attack 0 29 5 until 2", "attack alaska kamchatka 5 until 2"),
    (Attack(0, 29, 3, "roll"), "attack 0 29 3 roll", "attack alaska kamchatka 3 roll"),
    (Occupy(4), "occupy 4", "occupy 4"),
    (Fortify(0, 3, 2), "fortify 0 3 2", "fortify alaska alberta 2"),
    (END, "end", "end"),
]


@pytest.mark.parametrize(("action", "numbers", "keys"), EXAMPLES)
def test_text_parses_back_with_numbers_and_with_keys(action: Action, numbers: str, keys: str) -> None:
    assert str(action) == to_text(action) == numbers
    assert to_text(action, CLASSIC) == keys
    assert parse(numbers) == parse(numbers, CLASSIC) == parse(keys, CLASSIC) == action
    assert parse(f"  {keys.replace(' ', '   ')} ", CLASSIC) == action


@pytest.mark.parametrize(("action", "numbers", "keys"), EXAMPLES)
def test_packed_and_unpacked(action: Action, numbers: str, keys: str) -> None:
    code = pack(action)
    assert 0 <= code < 1 << 63
    assert unpack(code) == action


def test_random_actions_are_packed_each_in_its_own_way() -> None:
    rng = random.Random(1)
    seen: dict[int, Action] = {}
    for _ in range(3000):
        a, b, c = rng.sample(range(1002), 3)
        armies = rng.randint(1, 1_000_000)
        attack = Attack(a, b, armies, rng.choice(["decided", "roll", rng.randint(1, armies)]))
        for action in (
            attack,
            Trade((a, b, c), rng.choice([None, a])),
            Fortify(a, b, armies),
            Draft(a, armies),
        ):
            assert unpack(pack(action)) == action
            assert seen.setdefault(pack(action), action) == action


@pytest.mark.parametrize(
    "action",
    [
        Draft(-1, 3),
        Draft(1024, 3),
        Draft(3, -1),
        Draft(3, 1 << 20),
        Attack(0, -1, 3),
        Attack(0, 1, 3, 0),
        Attack(0, 1, 3, -2),
        Attack(0, 1, 3, (1 << 20) - 1),
        Trade((0, 1, 2), -1),
        Occupy(-5),
    ],
)
def test_numbers_beyond_any_game_have_no_code(action: Action) -> None:
    assert pack(action) == -1


def test_codes_that_are_no_action() -> None:
    with pytest.raises(FormatError, match="no action is packed as"):
        unpack(7 << 60)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not an action: ''"),
        ("march alaska", r"not an action: 'march alaska' \(expected one of claim, draft, trade, attack"),
        ("attack alaska", r"not an action: 'attack alaska' \(expected such as 'attack alaska kamchatka 5"),
        ("draft alaska many", "not an action"),
        ("draft narnia 3", "classic has no territory 'narnia'"),
        ("trade alaska brazil wild-3", "classic has no territory 'wild-3'"),
        ("end now", "not an action"),
    ],
)
def test_faults_are_named(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        parse(text, CLASSIC)


def test_keys_need_their_map() -> None:
    with pytest.raises(FormatError, match="without a map a territory is a number, not 'alaska'"):
        parse("claim alaska")


def test_ten_thousand_broken_texts_are_read_or_refused() -> None:
    def read(text: str) -> None:
        pack(parse(text, CLASSIC))

    seeds = [text for example in EXAMPLES for text in example[1:]]
    assert 100 < survivors(read, FormatError, seeds) < 9_900
