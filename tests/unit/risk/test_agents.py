"""The eight styles: that they play legally everywhere, as in bulk, and in their own manner."""

import numpy as np
import pytest

from surefoot.errors import FormatError
from surefoot.risk import worldmap
from surefoot.risk.actions import Action, Attack, Draft, End, Fortify, Trade
from surefoot.risk.agents import AGENTS, ROLL_OUT, STRONGEST
from surefoot.risk.bulk import NOBODY, Match, draw_event, play_compiled, play_games
from surefoot.risk.game import Game
from surefoot.risk.observation import Observation
from surefoot.risk.rules import PRESETS, Rules
from surefoot.risk.situation import CHANCE_PHASES
from surefoot.spec import parse

ATTACKERS = ["aggressive", "pacifist", "spread", "continent", "killer", "turtle", "empire", ROLL_OUT]
NAMES = ["random", "passive", *ATTACKERS]


def position(text: str) -> Observation:
    return Observation.parse("map: classic\nplayers: 2\nseat: 0\nround: 3\n" + text)


def answer(name: str, text: str) -> Action:
    action: Action = parse(name, "risk").make(0).act(position(text))
    return action


def place(name: str) -> int:
    return worldmap.load("classic").territory(name)


def rest(*own: str) -> str:
    """All other territories of the classic map, one army each, for the other player."""
    world = worldmap.load("classic")
    keys = [world.key_of(number) for number in range(len(world.territories))]
    return "1: " + ", ".join(f"{key} 1" for key in keys if key not in own)


# --- every rule, map and number of players ----------------------------------------------------------------


def test_the_eight_styles_are_among_the_named_agents() -> None:
    assert {name.partition(":")[0] for name in NAMES} <= set(AGENTS)
    assert STRONGEST in AGENTS and ROLL_OUT in NAMES


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", PRESETS)
def test_every_style_plays_legally_under_every_preset(rules: str, players: int) -> None:
    for first in range(0, len(NAMES), 2):
        names = [NAMES[(first + seat) % len(NAMES)] for seat in range(players)]
        match = Match(worldmap.load("classic"), Rules.parse(f"{rules}:round_cap=60"), players, 1, False)
        table = play_compiled(match, [parse(name, "risk").make(0).policy for name in names], 0, players)
        assert (table.turns > 0).all()


def random_rules(rng: np.random.Generator, players: int) -> Rules:
    """A preset with about half of its switches set by lot."""
    choices = {
        "neutral": ["yes", "no"] if players == 2 else ["no"],
        "starting_armies": ["table", "one", "60"],
        "placement": ["dealt", "claimed"],
        "setup_step": ["0", "1", "3"],
        "draft": ["standard", "territories"],
        "cards": ["none", "progressive", "fixed"],
        "fortify": ["none", "adjacent", "connected"],
        "max_attacks": ["0", "1", "3"],
        "blitz": ["may", "must", "never"],
        "battles": ["dice", "coin"],
        "defence_dice": ["2", "3"],
        "fog": ["yes", "no"],
        "capitals": ["yes", "no"],
        "max_armies": ["0", "3", "8"],
    }
    chosen = [f"{name}={rng.choice(values)}" for name, values in choices.items() if rng.random() < 0.5]
    return Rules.parse(f"{rng.choice(list(PRESETS))}:{';'.join([*chosen, 'round_cap=25'])}")


@pytest.mark.parametrize("number", range(60))
def test_every_style_plays_legally_under_random_switches(number: int) -> None:
    rng = np.random.default_rng([20261130, number])
    players = int(rng.integers(2, 7))
    world = worldmap.load(str(rng.choice(["classic", "archipelago", "grid-6x6", "grid-9x1", "grid-4x4"])))
    rules = random_rules(rng, players)
    names = rng.choice(NAMES, players).tolist()
    match = Match(world, rules, players, number, False)
    table = play_compiled(match, [parse(name, "risk").make(0).policy for name in names], 0, 2 * players)
    assert table.rounds.max() <= 25


@pytest.mark.parametrize("name", NAMES)
def test_act_chooses_what_the_compiled_policy_chooses_action_by_action(name: str) -> None:
    """Bulk games and the object API: the same table of results from the same chance, fog included."""
    for rules in ("standard:round_cap=30", "modern:fog=yes;placement=claimed;blitz=never;capitals=yes"):
        match = Match(worldmap.load("archipelago"), Rules.parse(rules), 3, 7, False)
        specs = [parse(each, "risk") for each in (name, "random", "continent")]
        bulk = play_compiled(match, [spec.make(0).policy for spec in specs], 0, 3)
        by_move = play_games(match, [spec.make for spec in specs], 0, 3)
        for column, other in zip(bulk, by_move):
            assert np.array_equal(column, other)


def test_an_agent_sees_no_more_than_its_seat_may() -> None:
    """What fog and other hands hide makes no difference to a choice, because it is not there."""
    match = Match(worldmap.load("classic"), Rules.parse("standard:fog=yes"), 3, 3, False)
    streams, game = match.words(0), Game(match.worldmap, match.rules, 3, rng=None)
    agent = parse(STRONGEST, "risk").make(0)
    asked = 0
    while not game.over and asked < 60:
        while game.phase in CHANCE_PHASES:
            game.resolve(draw_event(game, streams))
        observation = game.observation()
        again = Observation.parse(str(observation))
        action = agent.act(observation)
        assert agent.act(again) == action
        game.play(action)
        asked += 1
    assert asked == 60


# --- in their own manner ----------------------------------------------------------------------------------


def test_passive_strengthens_its_weakest_and_never_attacks() -> None:
    assert answer(
        "passive", f"0: brazil 9, peru 2, argentina 5\n{rest('brazil', 'peru', 'argentina')}"
    ) == Draft(place("peru"), 3)
    attack = f"phase: attack\n0: brazil 90\n{rest('brazil')}"
    assert answer("passive", attack) == End()


def test_aggressive_gathers_on_its_strongest_and_attacks_from_it() -> None:
    lands = f"0: brazil 9, peru 2, alaska 12\n{rest('brazil', 'peru', 'alaska')}"
    assert answer("aggressive", lands) == Draft(place("alaska"), 3)
    attack = answer("aggressive", f"phase: attack\n{lands}")
    assert isinstance(attack, Attack)
    assert (attack.source, attack.armies, attack.until) == (place("alaska"), 11, "decided")


def test_how_daring_an_agent_is_is_an_option_and_a_preset() -> None:
    even = "phase: attack\n0: brazil 6\n" + rest("brazil").replace("venezuela 1", "venezuela 9").replace(
        "peru 1", "peru 9"
    ).replace("argentina 1", "argentina 9").replace("north-africa 1", "north-africa 6")
    assert isinstance(answer("aggressive:chance=0.39", even), Attack)
    assert isinstance(answer("aggressive:bold", even), Attack)
    assert answer("aggressive", even) == End()
    assert answer("aggressive:bold:chance=0.9", even) == End()


def test_pacifist_takes_the_weakest_neighbour_once_a_turn() -> None:
    lands = "0: brazil 9\n" + rest("brazil").replace("peru 1", "peru 3").replace("argentina 1", "argentina 2")
    attack = answer("pacifist", f"phase: attack\n{lands}")
    assert isinstance(attack, Attack) and attack.target in (place("venezuela"), place("north-africa"))
    assert answer("pacifist", f"phase: attack\nconquered: yes\n{lands}") == End()


def test_spread_evens_out_its_front() -> None:
    lands = f"0: brazil 9, peru 2, alaska 4\n{rest('brazil', 'peru', 'alaska')}"
    assert answer("spread", lands) == Draft(place("peru"), 3)


def test_continent_completes_the_continent_it_is_about_to_hold() -> None:
    own = ["western-australia", "new-guinea", "eastern-australia", "brazil"]
    lands = f"0: western-australia 5, new-guinea 5, eastern-australia 1, brazil 5\n{rest(*own)}"
    attack = answer("continent", f"phase: attack\n{lands}")
    assert isinstance(attack, Attack) and attack.target == place("indonesia")


def test_continent_breaks_the_continent_of_another() -> None:
    """Asia, the goal, is too strong, and the card is won: Indonesia matters if its continent is held."""
    world = worldmap.load("classic")
    australia = [land for land, t in enumerate(world.territories) if t.continent == 5]
    keys = [world.key_of(number) for number in range(len(world.territories))]
    for held in (True, False):
        ones = [keys[land] for land in australia if held or keys[land] != "new-guinea"]
        twos = [key for key in keys if key not in ones and key != "siam"]
        weak = [f"{key} {1 if key == 'indonesia' else 99}" for key in ones]
        text = (
            "map: classic\nplayers: 3\nseat: 0\nround: 3\nphase: attack\nconquered: yes\n0: siam 9\n"
            f"1: {', '.join(weak)}\n2: {', '.join(f'{key} 30' for key in twos)}"
        )
        action = parse("continent", "risk").make(0).act(Observation.parse(text))
        assert (action == Attack(place("siam"), place("indonesia"), 8)) is held
        assert held or action == End()


def test_killer_goes_for_the_player_it_can_eliminate() -> None:
    world = worldmap.load("classic")
    keys = [world.key_of(number) for number in range(len(world.territories))]
    others = ", ".join(f"{key} 1" for key in keys if key not in ("brazil", "peru"))
    text = f"map: classic\nplayers: 3\nseat: 0\nround: 3\nphase: attack\n0: brazil 9\n1: peru 3\n2: {others}"
    attack = parse("killer", "risk").make(0).act(Observation.parse(text))
    assert isinstance(attack, Attack) and attack.target == place("peru")


def test_empire_goes_where_a_continent_can_be_taken() -> None:
    """Twelve armies are enough for Australia with one on each of its four, and for no other continent."""
    attack = answer("empire", f"phase: attack\nconquered: yes\n0: siam 12\n{rest('siam')}")
    assert isinstance(attack, Attack) and attack.target == place("indonesia")


def test_empire_makes_a_gate_safe_with_half_of_its_draft() -> None:
    own = ["new-guinea", "western-australia", "eastern-australia", "indonesia", "brazil"]
    lands = "0: new-guinea 1, western-australia 1, eastern-australia 1, indonesia 2, brazil 9\n"
    lands += rest(*own).replace("siam 1", "siam 9")
    assert answer("empire", f"in hand: 8\n{lands}") == Draft(place("indonesia"), 4)


def test_turtle_attacks_once_for_the_card_and_then_waits() -> None:
    lands = f"0: brazil 9\n{rest('brazil')}"
    assert isinstance(answer("turtle", f"phase: attack\n{lands}"), Attack)
    assert answer("turtle", f"phase: attack\nconquered: yes\n{lands}") == End()
    assert answer("turtle", f"rules: document\nphase: attack\n{lands}") == End()


def test_turtle_drafts_where_the_threat_is_greatest() -> None:
    lands = "0: brazil 9, alaska 2\n" + rest("brazil", "alaska").replace("kamchatka 1", "kamchatka 30")
    assert answer("turtle", lands) == Draft(place("alaska"), 2)


def test_all_but_random_trade_as_soon_as_they_can() -> None:
    lands = f"cards: wild-1 wild-2 brazil\n0: brazil 9\n{rest('brazil')}"
    for name in NAMES:
        action = answer(name, lands)
        if name != "random":
            world = worldmap.load("classic")
            cards = (world.card("brazil"), world.card("wild-1"), world.card("wild-2"))
            assert action == Trade(cards, bonus=place("brazil"))


def test_an_army_without_enemies_marches_to_the_front() -> None:
    own = ["new-guinea", "western-australia", "eastern-australia", "indonesia"]
    lands = (
        f"phase: attack\n0: new-guinea 2, western-australia 2, eastern-australia 8, indonesia 2\n{rest(*own)}"
    )
    adjacent = answer("pacifist:chance=1", lands)
    assert isinstance(adjacent, Fortify)
    assert adjacent.source == place("eastern-australia") and adjacent.armies == 7
    assert adjacent.target in (place("new-guinea"), place("western-australia"))
    connected = answer("pacifist:chance=1", f"rules: modern\n{lands}")
    assert connected == Fortify(place("eastern-australia"), place("indonesia"), 7)


# --- how strong they are ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ATTACKERS)
def test_a_style_that_attacks_beats_random_and_passive(name: str) -> None:
    for other in ("random", "passive"):
        match = Match(worldmap.load("classic"), Rules(), 2, 5, True)
        policies = [parse(each, "risk").make(0).policy for each in (name, other)]
        table = play_compiled(match, policies, 0, 40)
        # The other's starting position may be a won one now and then; no style loses one game in five.
        assert (table.winner == 0).sum() >= 30
        assert (table.winner == 1).sum() < 8


@pytest.mark.parametrize(("name", "least"), [("empire", 42), (ROLL_OUT, 50)])
def test_who_judges_campaigns_beats_who_judges_battles(name: str, least: int) -> None:
    for other in ("continent", "killer"):
        match = Match(worldmap.load("classic"), Rules(), 2, 5, True)
        policies = [parse(each, "risk").make(0).policy for each in (name, other)]
        assert (play_compiled(match, policies, 0, 80).winner == 0).sum() >= least
    match = Match(worldmap.load("classic"), Rules(), 6, 5, True)
    policies = [parse(each, "risk").make(0).policy for each in [name, *["continent"] * 5]]
    assert (play_compiled(match, policies, 0, 120).winner == 0).sum() > 28  # of 20 by chance


def test_who_plays_games_out_wins_more_than_its_share_of_six() -> None:
    match = Match(worldmap.load("classic"), Rules(), 6, 5, True)
    names = [ROLL_OUT, "aggressive", "aggressive", "spread", "turtle", "killer"]
    table = play_compiled(match, [parse(name, "risk").make(0).policy for name in names], 0, 240)
    assert (table.winner == 0).sum() > 60
    assert (table.winner != NOBODY).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("aggressive:brave", "no preset 'brave'"),
        ("aggressive:bolt", "did you mean bold"),
        ("random:bold", "it has none"),
        ("aggressive:chance", "no preset 'chance'"),
        ("aggressive:bold:", "no options after the colon"),
        ("aggressive:bold:chanse=1", "no option 'chanse'"),
        ("aggressive:chance=1:bold", "chance is 0 to 1, not '1:bold'"),
        ("agressive", "did you mean aggressive"),
    ],
)
def test_what_is_no_agent_is_refused(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        parse(text, "risk").make(0)


@pytest.mark.parametrize("text", ["killer:careful", "killer:bold:chance=0.3", "killer:chance=0.3"])
def test_a_spec_with_a_preset_parses_back_to_itself(text: str) -> None:
    spec = parse(text, "risk")
    assert str(spec) == text
    assert parse(str(spec), "risk") == spec


def test_a_chance_is_between_nought_and_one() -> None:
    with pytest.raises(FormatError, match=r"chance is 0 to 1, not 1\.5"):
        parse("killer:chance=1.5", "risk").make(0)
    with pytest.raises(FormatError, match="superiority is 0 or more"):
        parse("killer:superiority=-1", "risk").make(0)
