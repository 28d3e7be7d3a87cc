"""Tune the weights of the planner's fast policy by CMA-ES against a varied pool, and ship them.

    python tools/tune_planner.py duel --minutes 10            two players
    python tools/tune_planner.py crowd --minutes 10           three and six
    python tools/tune_planner.py crowd --minutes 10 --out weights.json

Starts from the shipped weights, and writes the centre of the search after every fifth generation to
``--out``, by default to the shipped file itself. All candidates of a generation play the same games, whose
seed goes by the generation. The pool holds scripts of several styles, the weights at the start, and those
of this run after every 25th generation: tuned against the latest champion alone, weights go round in
circles. Games end after 60 rounds, and among six of its like a candidate wins only what ends before, so
that it learns not to wait for ever. How long a search takes is up to the clock, so its result cannot be
made again bit by bit; what it is worth is measured by games.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from cmaes import CMA  # type: ignore[import-untyped]
from numpy.typing import NDArray

from surefoot.risk import worldmap
from surefoot.risk.bulk import Match, play_compiled
from surefoot.risk.goals import SETS, WORDS, pack_weights, shipped_weights
from surefoot.risk.kernels.policies import PLANNER
from surefoot.risk.policy import Policy
from surefoot.risk.rules import Rules
from surefoot.spec import parse

SHIPPED = Path(__file__).resolve().parent.parent / "src" / "surefoot" / "risk" / "data" / "planner.json"

Sets = Mapping[str, Mapping[str, float]]

# How far a word is changed at first; and below what it does not go, if not nought.
STEPS = {"breaks": 2, "bonuses": 2, "card_worth": 1.5, "elim_card": 2, "elim": 4, "defend": 1.5, "s_plan": 2}
STEPS |= {"settle": 2, "leave": 1, "terr_menaced": 1.5, "loss_menaced": 1, "stop_menaced": 2}
STEPS |= {"mobile_menaced": 1, "min_chance": 0.12, "expose": 0.15, "gamma": 0.25, "support": 0.25}
STEP = 0.4
SIGNED = {"expose", "leave", "stop", "progress", "spoil", "trade", "split", "settle", "mine_near", "mobile"}
SIGNED |= {"s_fear", "s_stick", "s_plan", "terr_menaced", "loss_menaced", "stop_menaced", "mobile_menaced"}
MOST = {"min_chance": 0.95, "gamma": 1.2, "support": 1.2, "stop_menaced": 2.0}

POPULATION = 14
SIGMA = 0.5
OLDER = "older"
LATEST = "latest"
RULES = [
    Rules.parse(f"{text};round_cap=60")
    for text in (
        "standard:placement=dealt",
        "standard:cards=fixed",
        "standard:placement=claimed",
        "modern:placement=claimed",
    )
]
# Who sits at a table beside the candidate, and how many games it plays there.
TABLES: Mapping[str, Sequence[tuple[Sequence[str], int]]] = {
    "duel": [
        (["continent"], 60),
        (["aggressive"], 60),
        (["empire"], 60),
        ([OLDER], 24),
        ([LATEST], 60),
    ],
    "crowd": [
        (["continent"] * 5, 36),
        (["empire"] * 5, 36),
        (["continent", "empire", LATEST, "killer", "turtle"], 36),
        (["continent", "empire"], 18),
        ([LATEST, "empire"], 18),
        ([LATEST] * 5, 24),
    ],
}


class Tuning:
    """A search for one of the sets of weights.

    Args:
        part: which one.
        start: both sets as they are at first; the other one stays.
    """

    def __init__(self, part: str, start: Sets) -> None:
        self.part, self.start = part, start
        self.words = sorted(WORDS, key=lambda name: WORDS[name])
        self.pool = [self.policy(start)]
        self.world = worldmap.load("classic")

    def sets(self, point: NDArray[np.float64]) -> Sets:
        """The weights that a point of the search stands for."""
        chosen = {}
        for name, step in zip(self.words, point, strict=True):
            value = self.start[self.part][name] + STEPS.get(name, STEP) * float(step)
            if name not in SIGNED:
                value = max(value, 0.0)
            chosen[name] = min(value, MOST.get(name, value))
        return {**self.start, self.part: chosen}

    def policy(self, sets: Sets) -> Policy:
        """The policy with these weights."""
        return Policy(PLANNER, pack_weights(sets))

    def fitness(self, candidate: Policy, generation: int) -> float:
        """The share of games that it wins, over all tables."""
        won = played = 0
        named = {OLDER: self.pool[0], LATEST: self.pool[-1]}
        for number, (others, games) in enumerate(TABLES[self.part]):
            table = [candidate, *(named.get(name) or parse(name, "risk").make(0).policy for name in others)]
            rules = RULES[(number + generation) % len(RULES)]
            match = Match(self.world, rules, len(table), generation, True)
            won += int((play_compiled(match, table, 0, games).winner == 0).sum())
            played += games
        return won / played


def main() -> None:
    """Search until the time is over."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=SETS)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args()
    tuning = Tuning(options.part, shipped_weights())
    search = CMA(mean=np.zeros(len(tuning.words)), sigma=SIGMA, population_size=POPULATION, seed=options.seed)
    end, generation = time.monotonic() + 60 * options.minutes, 0
    while time.monotonic() < end:
        points = [search.ask() for _ in range(POPULATION)]
        values = [tuning.fitness(tuning.policy(tuning.sets(point)), generation) for point in points]
        search.tell([(point, -value) for point, value in zip(points, values, strict=True)])
        generation += 1
        centre = tuning.sets(search.mean)
        if generation % 25 == 0:
            tuning.pool.append(tuning.policy(centre))
        if generation % 5 == 0:
            print(f"{generation}: mean {np.mean(values):.3f}, best {max(values):.3f}", file=sys.stderr)
            write(options.out, centre, f"tools/tune_planner.py {options.part}, {generation} generations")
    write(
        options.out,
        tuning.sets(search.mean),
        f"tools/tune_planner.py {options.part}, {generation} generations",
    )


def write(path: Path, sets: Sets, made: str) -> None:
    """Write the weights as `goals.shipped_weights` reads them."""
    rounded = {name: {word: round(value, 4) for word, value in sets[name].items()} for name in SETS}
    path.write_text(json.dumps({"made": made, **rounded}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
