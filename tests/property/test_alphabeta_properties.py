"""Document B's agent against its plain twin: the draft, the features, and the tree on small positions.

``SUREFOOT_TREES`` sets how many trees are compared, and twice or five times as many where that is quick; the
full size is 5,000.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, get_args

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.risk import Rules, WorldMap, load
from surefoot.risk.alphabeta import (
    Advice,
    Army,
    Battle,
    Opponents,
    Search,
    Targets,
    Thought,
    Weights,
    advise,
    deepen,
    new_memory,
)
from surefoot.risk.battle import battle
from surefoot.risk.dice import Dice
from surefoot.risk.draft import draft, normalised, ratios, threats
from surefoot.risk.features import features
from surefoot.risk.kernels import alphabeta_rows, layout
from surefoot.risk.policy import dice_of, new_scratch
from surefoot.risk.position import read, write
from surefoot.risk.situation import Situation
from tests import naive_alphabeta as naive

TREES = int(os.environ.get("SUREFOOT_TREES", "200"))
NODES = 300
"""With more nodes than that the plain tree is asked for one edge less."""
UNIT = Fraction(1, 1 << 30)
"""Values are whole numbers of this."""

ISLES = WorldMap.parse(
    """
    name = "isles"
    [continents]
    North = 2
    South = 1
    [territories]
    Ness = { continent = "North", at = [0, 0] }
    Skerry = { continent = "North", at = [1, 0] }
    Holm = { continent = "North", at = [2, 0] }
    Ayre = { continent = "South", at = [0, 1] }
    Voe = { continent = "South", at = [1, 1] }
    Wick = { continent = "South", at = [2, 1] }
    Stack = { continent = "South", at = [3, 1] }
    [borders]
    Ness = ["Skerry", "Ayre"]
    Skerry = ["Voe"]
    Voe = ["Wick"]
    [one-way]
    Skerry = ["Holm"]
    Holm = ["Wick", "Ness"]
    Ayre = ["Voe"]
    Wick = ["Stack"]
    Stack = ["Holm", "Skerry"]
    """
)
"""Half of its borders can be crossed in one direction only."""
MAPS = [load("grid-2x3"), load("grid-3x3"), load("duel"), load("delta"), ISLES]
armies = st.sampled_from([1, 1, 2, 3, 4, 6, 9])


class Case(NamedTuple):
    """A position and how it is thought about."""

    situation: Situation
    thought: Thought

    def __repr__(self) -> str:
        return f"{self.thought}\n{write(self.situation, self.situation.turn)}"

    @property
    def board(self) -> naive.Board:
        here = self.situation
        return naive.Board(here.worldmap, tuple(here.owners.tolist()), tuple(here.armies.tolist()))

    @property
    def tolerance(self) -> Fraction:
        """How far a value may be from its fraction.

        With n neighbours at most: the sum of strengths of a territory loses less than n units, the quotient
        1 / n that it is multiplied by less than one, which makes n, and the product one; each enemy's part of
        an exposure less than one. Means over territories lose no more, n + 2 units of either weight are not
        exceeded as one is too low and the other, subtracted, too high, and then the sum is rounded. A chance
        node rounds as well, to the nearest.
        """
        degree = max(len(self.board.near(t)) for t in range(len(self.board.owners)))
        weights = sum(map(Fraction, self.thought.weights))
        return UNIT * (2 * weights * (degree + 1) + 1 + self.thought.depth)

    def tree(self, *, slack: Fraction | None) -> naive.Tree:
        here, thought, rules = self.situation, self.thought, self.situation.rules
        return naive.Tree(
            players=here.players,
            weights=[Fraction(weight) for weight in thought.weights],
            attacks=min(thought.attacks, rules.max_attacks or thought.attacks),
            best_only=thought.targets == "best",
            whole=thought.army == "whole",
            maxn=thought.opponents == "maxn",
            by_territories=rules.draft == "territories",
            most=rules.max_armies or naive.NO_LIMIT,
            odds=None if thought.battle == "certain" else PlainOdds(dice_of(rules)),
            chance=thought.battle == "chance",
            slack=slack,
            limit=NODES,
        )

    def plain(self, *, ties: bool) -> tuple["Case", dict[naive.Move, set[naive.Values]]]:
        """The plain tree's answer, for as many edges as it can be waited for."""
        here = self.situation
        for depth in range(self.thought.depth, 0, -1):
            case = self._replace(thought=replace(self.thought, depth=depth))
            tree = case.tree(slack=None if ties else 2 * case.tolerance)
            try:
                return case, tree.root(self.board, here.turn, depth, here.attacks)
            except naive.TooLarge:
                continue
        raise AssertionError("not even the moves could be looked at")

    def search(self, **options: Any) -> Search:
        here = self.situation
        return Search(
            here.worldmap.world, here.packed, here.state, self.thought, new_scratch(here.worldmap), **options
        )


class PlainOdds(Mapping[tuple[int, int], naive.Odds]):
    """The ends of battles with some dice, counted as they are asked for."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice

    def __getitem__(self, pair: tuple[int, int]) -> naive.Odds:
        return plain_odds(*pair, self.dice)

    def __iter__(self) -> Any:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


@cache
def plain_odds(attackers: int, defenders: int, dice: Dice) -> naive.Odds:
    found = battle(attackers, defenders, dice=dice)

    def mean(chances: Any) -> Fraction:
        left = {number: Fraction(chance) for number, chance in enumerate(chances) if number}
        return sum((n * chance for n, chance in left.items()), Fraction(0)) / sum(left.values())

    return naive.Odds(Fraction(found.win), mean(found.attackers), mean(found.defenders))


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """A position in which the seat to move may attack: fog, a neutral and narrow limits are not rare."""
    worldmap = draw(st.sampled_from(MAPS))
    count = len(worldmap.territories)
    players = draw(st.sampled_from([2, 2, 3, 4]))
    rules = Rules(
        neutral=players == 2 and draw(st.integers(0, 3)) == 0,
        draft=draw(st.sampled_from(["territories", "standard"])),
        max_armies=draw(st.sampled_from([0, 0, 0, 3, 5, 9])),
        max_attacks=draw(st.sampled_from([0, 0, 1, 2])),
        battles=draw(st.sampled_from(["dice", "dice", "coin"])),
        defence_dice=draw(st.sampled_from([2, 3])),
        fog=draw(st.integers(0, 3)) == 0,
    )
    seat = draw(st.integers(0, players - 1))
    owners = draw(st.lists(st.integers(0, rules.seats(players) - 1), min_size=count, max_size=count))
    mine, theirs = draw(st.permutations(range(count)))[:2]
    owners[mine], owners[theirs] = seat, (seat + 1) % players
    most = rules.max_armies or naive.NO_LIMIT
    lines = [
        f"map: {worldmap.name}",
        f"rules: {rules}",
        f"players: {players}",
        f"seat: {seat}",
        "phase: attack",
        "round: 3",
        f"attacks: {draw(st.sampled_from([0, 0, 0, 1, 2]))}",
    ]
    for t, owner in enumerate(owners):
        if rules.fog and t not in (mine, theirs) and owner != seat and draw(st.booleans()):
            continue
        name = "neutral" if owner == players else owner
        there = draw(armies) + draw(armies) * (owner == seat)
        lines.append(f"{name}: {worldmap.key_of(t)} {min(there, most)}")
    return read("\n".join(lines), worldmap)[0]


weight = st.sampled_from([0.0, 1.0]) | st.floats(0, 10, allow_subnormal=False)


ALONE: list[Weights] = [(1.0, 0.0, 0.0, 0.0), (0.0, 2.0, 0.0, 0.0)]
"""Weights with which many positions are equal."""


@st.composite
def cases(draw: st.DrawFn, *, most_depth: int = 5) -> Case:
    drawn = draw(st.tuples(weight, weight, weight, weight).filter(any) | st.sampled_from(ALONE))
    thought = Thought(
        weights=drawn,
        depth=draw(st.integers(1, most_depth)),
        attacks=draw(st.integers(0, 3)),
        battle=draw(st.sampled_from(get_args(Battle))),
        targets=draw(st.sampled_from(get_args(Targets))),
        opponents=draw(st.sampled_from(get_args(Opponents))),
        army=draw(st.sampled_from(get_args(Army))),
    )
    return Case(draw(situations()), thought)


def move_of(advice: Advice) -> naive.Move:
    return advice.attack and advice.attack[:2]


# --- the draft and the features ---------------------------------------------------------------------------


@given(here=situations(), units=st.integers(0, 12), most=st.sampled_from([2, 4, naive.NO_LIMIT]))
def test_the_draft_is_the_plain_one(here: Situation, units: int, most: int) -> None:
    worldmap, count = here.worldmap, len(here.owners)
    board = Case(here, Thought()).board
    for seat in range(here.seats):
        position = (worldmap, here.owners, here.armies, seat)
        plain = naive.threats(board, seat)
        assert threats(*position).tolist() == [plain.get(t, 0) for t in range(count)]
        for kernel, twin in ((ratios, naive.ratios), (normalised, naive.normalised)):
            expected = twin(board, seat)
            found = kernel(*position)
            assert np.allclose(found, [float(expected.get(t, 0)) for t in range(count)], rtol=0, atol=1e-8)
        placed = naive.draft(board, seat, units, most)
        assert draft(*position, units, most).tolist() == [placed.get(t, 0) for t in range(count)]
        # Without a limit all is placed, if there is anywhere to place it.
        assert draft(*position, units).sum() == (units if seat in here.owners else 0)


@given(here=situations())
def test_the_features_are_the_plain_ones(here: Situation) -> None:
    board = Case(here, Thought()).board
    for seat in range(here.seats):
        found = features(here.worldmap, here.owners, here.armies, seat)
        for feature, plain in zip(found, naive.features(board, seat), strict=True):
            # A feature by itself: `Case.tolerance` says why.
            degree = max(map(len, map(board.near, range(len(board.owners)))))
            assert abs(Fraction(feature) - plain) <= (degree + 2) * UNIT
            assert 0 <= feature <= 1


# --- the tree ---------------------------------------------------------------------------------------------


@settings(max_examples=TREES)
@given(drawn=cases())
def test_the_tree_gives_the_value_and_the_move_of_plain_minimax(drawn: Case) -> None:
    case, plain = drawn.plain(ties=False)
    found = advise(case.situation, case.thought)
    # Several moves are left only if their values are nearer to each other than rounding can tell apart.
    assert move_of(found) in plain
    lane = case.situation.turn if case.thought.opponents == "maxn" else 0
    off = min(abs(Fraction(found.value) - values[lane]) for values in plain[move_of(found)])
    assert off <= case.tolerance
    assert found.depth == case.thought.depth
    if found.attack is not None:
        source, target, army = found.attack
        free, defenders = case.board.armies[source] - 1, case.board.armies[target]
        assert free >= defenders + 1
        average = -(-(free + defenders) // 2)
        assert defenders + 1 <= average <= free
        assert army == (free if case.thought.army == "whole" else average)


@settings(max_examples=2 * TREES)
@given(drawn=cases(), alone=st.sampled_from(ALONE))
def test_of_moves_of_equal_value_the_lowest_is_made_and_no_attack_last(drawn: Case, alone: Weights) -> None:
    """Territories or armies alone decide: quotients of small numbers that are equal or far apart, so that the
    kernels round equal ones alike, and many are equal."""
    thought = drawn.thought
    certain: Battle = "certain" if thought.battle == "chance" else thought.battle
    alike = drawn._replace(thought=replace(thought, weights=alone, battle=certain))
    case, plain = alike.plain(ties=True)
    found = advise(case.situation, case.thought)
    ((move, (values,)),) = plain.items()
    assert move_of(found) == move
    lane = case.situation.turn if case.thought.opponents == "maxn" else 0
    assert abs(Fraction(found.value) - values[lane]) <= UNIT


@settings(max_examples=5 * TREES)
@given(case=cases())
def test_every_way_to_search_gives_the_same_value_and_move(case: Case) -> None:
    here = case.situation
    before = here.state.copy()
    whole = case.search()
    assert whole.run()
    found = (whole.advice.value, whole.move)
    for options in ({"reorderings": True}, {"memory": new_memory(len(here.owners))}):
        other = case.search(**options)
        assert other.run()
        assert (other.advice.value, other.move) == found, options
    # A table so small that positions keep pushing each other out.
    tight = case.search(memory=new_memory(len(here.owners), 2))
    tight.run()
    assert (tight.advice.value, tight.move) == found
    sliced = case.search()
    steps = 1
    while not sliced.run(1):
        steps += 1
        assert not sliced.finished
    assert (sliced.advice, sliced.move) == (whole.advice, whole.move)
    assert steps >= whole.advice.nodes
    assert np.array_equal(here.state, before)


@given(case=cases(most_depth=4))
def test_deepening_with_a_memory_gives_what_each_depth_gives(case: Case) -> None:
    here = case.situation
    world, scratch = here.worldmap.world, new_scratch(here.worldmap)
    depths = 0
    for depth, search in enumerate(deepen(world, here.packed, here.state, case.thought, scratch), 1):
        while not search.run(7):
            pass
        alone = advise(here, replace(case.thought, depth=depth))
        assert (search.advice.value, search.advice.attack) == (alone.value, alone.attack)
        assert search.advice.depth == depth
        depths += 1
    assert depths == case.thought.depth


@given(case=cases(most_depth=3))
def test_the_policy_thinks_the_same_and_leaves_the_state_as_it_was(case: Case) -> None:
    here = case.situation
    policy = case.thought.policy
    state, scratch = here.state.copy(), new_scratch(here.worldmap)
    assert policy.think is not None
    policy.think(here.worldmap.world, here.packed, state, scratch)
    assert np.array_equal(state, here.state)
    search = case.search()
    search.run()
    assert scratch[alphabeta_rows.CONTROL, alphabeta_rows.ADVICE] == search.move
    assert scratch[alphabeta_rows.MEMORY, alphabeta_rows.THOUGHT] == 1


def agrees(here: Situation, thought: Thought) -> Advice:
    """What the tree says, once the plain one, asked for all of its edges, has said the same."""
    case, plain = Case(here, thought).plain(ties=False)
    assert case.thought == thought
    found = advise(here, thought)
    assert move_of(found) in plain
    lane = here.turn if thought.opponents == "maxn" else 0
    assert min(abs(Fraction(found.value) - each[lane]) for each in plain[move_of(found)]) <= case.tolerance
    return found


def test_what_only_may_be_as_good_is_not_taken_for_equal() -> None:
    """To attack Heath is worth a third of all armies. To attack Moor, which has the lower number, is not
    worth more; so much is known soon, and only who looks on sees that it is worth less."""
    lands = "0: fen 6, dale 2\n1: moor 3, heath 1, weald 5, wold 1"
    here = read(f"map: duel\nrules: document\nplayers: 2\nphase: attack\n{lands}")[0]
    found = agrees(here, Thought(depth=2, attacks=1, weights=(0, 2, 0, 0)))
    assert found.attack == (1, 2, 3) and abs(found.value - 2 / 3) < 1e-8


def test_two_attacks_on_one_territory_are_searched_in_both_orders() -> None:
    """With three defence dice the first attack is likely to fail, and weakens the territory for the second:
    it is better that the army of the higher number goes first."""
    lands = "0: r0c1 7, r1c0 6, r1c1 1, r2c1 1\n1: r0c0 4, r2c0 4"
    here = read(f"map: grid-2x3\nrules: document:defence_dice=3\nplayers: 2\nphase: attack\n{lands}")[0]
    thought = Thought(depth=2, attacks=2, battle="expected", weights=(1, 1, 1, 1))
    assert agrees(here, thought).attack == (2, 0, 5)


def test_what_finds_no_room_is_not_counted_on() -> None:
    """If the opponent makes no attack, seat 0 gets three armies, but has room for two where they go: 9 of 13
    are its own then, less than the 5 of 7 that an attack would leave it. With all three it were 10 of 14."""
    lands = "0: r0c0 1, r0c1 4, r1c0 2\n1: r1c1 3"
    here = read(f"map: grid-2x2\nrules: document:max_armies=4\nplayers: 2\nphase: attack\n{lands}")[0]
    found = agrees(here, Thought(depth=3, weights=(0, 1, 0, 0)))
    assert found.attack is None
    assert abs(found.value - 9 / 13) < 1e-8


def test_a_full_board_without_room_for_any_draft_is_searched_as_well() -> None:
    lands = "0: r0c0 4, r0c1 4, r1c0 4\n1: r1c1 2, r2c0 4, r2c1 4\n"
    here = read(f"map: grid-2x3\nrules: document:max_armies=4\nplayers: 2\nphase: attack\n{lands}")[0]
    assert draft(here.worldmap, here.owners, here.armies, 0, 3, 4).sum() == 0
    for thought in (Thought(depth=4), Thought(depth=4, opponents="maxn"), Thought(depth=2, battle="chance")):
        agrees(here, thought)


def test_the_largest_armies_that_a_game_can_hold_do_not_overflow() -> None:
    most = layout.MAX_ARMIES
    lands = f"0: r0c0 {most}, r0c1 {most}, r1c0 1\n1: r1c1 {most - 2}, r2c0 {most}, r2c1 1\n"
    here = read(f"map: grid-2x3\nrules: document\nplayers: 2\nphase: attack\n{lands}")[0]
    for thought in (Thought(depth=1, weights=(1000,) * 4), Thought(depth=3)):
        agrees(here, thought)
