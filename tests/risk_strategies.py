"""What the property tests of Risk draw: rules of any kind, maps and numbers of players that suit them."""

from hypothesis import strategies as st

from surefoot.errors import RulesError
from surefoot.risk import Rules, WorldMap, load
from surefoot.risk.rules import StartingArmies

MAPS = ("duel", "delta", "archipelago", "grid-2x2", "grid-4x3", "grid-7x1")
switch = st.booleans()


Setting = tuple[WorldMap, Rules, int]


def starting_armies(least: int) -> st.SearchStrategy[StartingArmies]:
    words: list[StartingArmies] = ["table", "one"]
    return st.sampled_from(words) | st.integers(least, 40)


@st.composite
def settings_of_a_game(draw: st.DrawFn, *, maps: tuple[str, ...] = MAPS) -> tuple[WorldMap, Rules, int]:
    """A map, rules and a number of players; short caps and many armies are likely, for varied games."""
    worldmap = load(draw(st.sampled_from(maps)))
    players = draw(st.integers(2, min(6, len(worldmap.territories))))
    rules = Rules(
        neutral=players == 2 and len(worldmap.territories) > 2 and draw(switch),
        starting_armies=draw(starting_armies(len(worldmap.territories))),
        placement=draw(st.sampled_from(["dealt", "claimed"])),
        setup_step=draw(st.sampled_from([0, 1, 3])),
        draft=draw(st.sampled_from(["standard", "territories"])),
        cards=draw(st.sampled_from(["none", "progressive", "fixed"])),
        fortify=draw(st.sampled_from(["none", "adjacent", "connected"])),
        max_attacks=draw(st.sampled_from([0, 0, 1, 3])),
        blitz=draw(st.sampled_from(["may", "must", "never"])),
        battles=draw(st.sampled_from(["dice", "dice", "coin"])),
        defence_dice=draw(st.sampled_from([2, 3])),
        fog=draw(switch),
        capitals=draw(switch),
        max_armies=draw(st.sampled_from([0, 0, 0, 2, 9])),
        round_cap=draw(st.sampled_from([1, 8, 40])),
    )
    try:
        rules.check(players, len(worldmap.territories))
    except RulesError as error:  # the strategy is to draw what can be played
        raise AssertionError(str(error)) from error
    return worldmap, rules, players
