"""Small jobs that between them use every kernel, so that nothing is left to compile afterwards."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from surefoot.minesweeper.agents import AGENTS
from surefoot.minesweeper.analysis import analyze
from surefoot.minesweeper.bulk import play_games
from surefoot.minesweeper.endgame import solve_endgame
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.optimum import optimum
from surefoot.minesweeper.rules import WINDOWS, Level, Preset, preset
from surefoot.minesweeper.win_chance import win_chance
from surefoot.minesweeper.win_probability import win_probability
from surefoot.risk import bulk as risk_bulk
from surefoot.risk import worldmap
from surefoot.risk.advice import advise as plan_turn
from surefoot.risk.alphabeta import Thought, advise
from surefoot.risk.analysis import analyze as analyze_risk
from surefoot.risk.battle import armies_needed, campaign
from surefoot.risk.draft import normalised, threats
from surefoot.risk.features import features
from surefoot.risk.game import Game
from surefoot.risk.lessons import play_lessons
from surefoot.risk.observation import Observation as RiskObservation
from surefoot.risk.planner import Search, plans_for
from surefoot.risk.rules import Rules
from surefoot.risk.value import chances
from surefoot.risk.win_chance import win_chances
from surefoot.risk.worldmap import WorldMap
from surefoot.spec import parse

from . import risk
from .minesweeper import evaluate

_POSITION = """5x4x{mines}
HHHHH
H11HH
H22HH
HHHHH"""

_CORNER = "9x9x10\n{number}HHHHHHHH" + "\nHHHHHHHHH" * 8

_ATTACK = """map: duel
players: 2
phase: attack
0: moor 5, fen 3, heath 2
1: dale 1, weald 3, wold 3"""


_TURN = """map: duel
players: 2
0: moor 5, fen 3, heath 2
1: dale 1, weald 3, wold 3"""


Jobs = Mapping[str, Callable[[], object]]
"""What to do, by what it is called while it is done."""


def jobs() -> Jobs:
    """All there is to do."""
    return {name: job for group in groups().values() for name, job in group.items()}


def groups() -> Mapping[str, Jobs]:
    """The jobs in groups that can be done apart: ``minesweeper``, ``risk``, and after it its ``trees``."""
    return {"minesweeper": _minesweeper_jobs(), "risk": _risk_jobs(), "trees": _tree_jobs()}


def _minesweeper_jobs() -> Jobs:
    positions = {
        f"probabilities, {words}": partial(analyze, Observation.parse(_POSITION.format(mines=mines)))
        for words, mines in (("mines known", "4"), ("mines unknown", "?"))
    }
    chance = {
        "the chance to win a board": partial(win_chance, Observation.parse(_POSITION.format(mines="4")), 3)
    }
    weighed: Jobs = {
        "guesses weighed": partial(analyze, Observation.parse(_CORNER.format(number=1))),
        "the chance to win a position": partial(win_probability, Observation.parse(_CORNER.format(number=0))),
    }
    perfect: Jobs = {
        "perfect play of a position": partial(solve_endgame, Observation.parse(_POSITION.format(mines="4"))),
        "perfect play of a board": partial(optimum, Level(3, 3, 2), "safe"),
    }
    # `perfect` plays small boards only.
    boards = dict.fromkeys(AGENTS, preset("minai-beginner")) | {"perfect": Preset(Level(3, 3, 2), WINDOWS)}
    in_bulk = {
        f"{name} plays": partial(evaluate, parse(name), *board, games=3) for name, board in boards.items()
    }
    by_move = {
        f"{name} plays move by move": partial(play_games, parse(name).make, *board, 0, 0, 3)
        for name, board in boards.items()
    }
    return {**positions, **chance, **weighed, **perfect, **in_bulk, **by_move}


def _risk_jobs() -> Jobs:
    # Every phase, and both ways to fortify, are in these rules; the rest is one kernel whatever the switches.
    rules = Rules.parse("modern:placement=claimed;capitals=yes;fog=yes;neutral=yes")
    world = worldmap.load("delta")
    specs = [parse(name, "risk") for name in ("random", "continent")]
    match = risk_bulk.Match(world, rules, len(specs), 0, False)
    return {
        "Risk in bulk": partial(risk.evaluate, specs, world, rules, games=3),
        "Risk move by move": partial(risk_bulk.play_games, match, [spec.make for spec in specs], 0, 3),
        "odds of battles": partial(armies_needed, 0.5, [2, 3]),
        "odds of campaigns": partial(campaign, 5, [2, 3]),
        "a position of Risk": _study_risk,
        "the value of a position of Risk": partial(chances, RiskObservation.parse(_TURN)),
        "a plan for a turn of Risk": partial(plan_turn, RiskObservation.parse(_ATTACK), 1),
        "lessons of Risk": partial(_play_lessons, world, rules),
        "plans for a turn of Risk": partial(_plan, RiskObservation.parse(_TURN)),
        "the chances to win at Risk": partial(win_chances, RiskObservation.parse(_ATTACK), 2),
    }


def _play_lessons(world: WorldMap, rules: Rules) -> object:
    policies = [parse("continent", "risk").make(0).policy]
    chance = np.zeros((1, 4), np.uint64)
    return play_lessons(world, rules, policies, np.zeros((1, 2), np.int64), chance, 1)


def _plan(position: RiskObservation) -> object:
    return Search(position, plans_for(position), np.random.default_rng(0)).play(1)


def _tree_jobs() -> Jobs:
    options = ("battle=chance", "opponents=maxn", "draft=tree")
    trees = [parse(f"alphabeta:depth=2,{option}", "risk") for option in options]
    play = partial(risk.evaluate, trees, worldmap.load("delta"), Rules(round_cap=5), games=1)
    advice = partial(advise, RiskObservation.parse(_ATTACK), Thought(depth=1))
    return {"Risk by trees": play, "advice by a tree": advice}


def _study_risk() -> object:
    """Look at a position from all sides: its text, its actions, its chances."""
    game = Game(worldmap.load("delta"), Rules(), 2, rng=None)
    while game.chance_outcomes():
        game.resolve(game.chance_outcomes()[0][0])
    observation = RiskObservation.parse(str(game.observation()))
    list(observation.legal_actions)
    attack = RiskObservation.parse(_ATTACK)
    seen = attack.worldmap, attack.owners, attack.armies, attack.turn
    features(*seen)
    threats(*seen)
    normalised(*seen)
    return analyze_risk(observation, parse("continent", "risk").make(0))
