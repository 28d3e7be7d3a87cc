"""Round trips a second of agents in other processes: a question out, an action back, played, and asked again.

The goal is 2000 for a sample agent. Whole games are played: the agent's thinking counts, its start does not.
Prints the median of some runs, and the CPU time of a round trip, which a busy machine changes less, in this
process and in the agent's.
"""

import shutil
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from surefoot.arena.play import each_closed
from surefoot.minesweeper import preset
from surefoot.minesweeper.bulk import play_games
from surefoot.protocol import programs
from surefoot.risk import bulk as risk_bulk
from surefoot.risk.rules import Rules
from surefoot.risk.worldmap import load
from surefoot.spec import parse

GOAL = 2000
EXAMPLES = Path(__file__).parents[1] / "examples" / "agents"
SAMPLES = {
    "Python": (sys.executable, EXAMPLES / "python" / "agent.py"),
    "JavaScript": ("node", EXAMPLES / "javascript" / "agent.mjs"),
}
GAMES = {"beginner": 60, "expert": 40, "Risk": 4}


class Counted:
    """An agent whose moves are counted."""

    moves = 0

    def __init__(self, agent: object) -> None:
        self._agent = agent
        self.close = agent.close  # type: ignore[attr-defined]

    def act(self, observation: object) -> object:
        Counted.moves += 1
        return self._agent.act(observation)  # type: ignore[attr-defined]


def play(text: str, what: str, first: int) -> None:
    """Play the games of one run."""
    spec = parse(text, "risk" if what == "Risk" else "minesweeper")
    with each_closed(lambda seed: Counted(spec.make(seed))) as make:
        if what == "Risk":
            match = risk_bulk.Match(load("classic"), Rules(round_cap=20), 2, 0, True)
            other = parse("random", "risk").make
            risk_bulk.play_games(match, [make, other], first, GAMES[what])
        else:
            play_games(make, *preset(what), 0, first, GAMES[what])


class Trips(NamedTuple):
    """Round trips of one agent: a second, one a run, and microseconds of CPU for each, here and there."""

    language: str
    what: str
    rates: list[float]
    here: float
    there: float


def measure(runs: int) -> Iterator[Trips]:
    """The round trips of each sample agent that can run here."""
    for language, (program, file) in SAMPLES.items():
        if shutil.which(program) is None:
            continue
        for what in GAMES:
            text = f"cmd:{program} {file}"
            play(text, what, 0)  # starts the program, and loads what is compiled
            rates, here, there = [], [], []
            for run in range(runs):
                Counted.moves = 0
                begun, cpu, others = time.perf_counter(), time.process_time(), programs.cpu_seconds()
                play(text, what, run * GAMES[what])
                seconds = time.perf_counter() - begun
                rates.append(Counted.moves / seconds)
                here.append((time.process_time() - cpu) / Counted.moves * 1e6)
                there.append((programs.cpu_seconds() - others) / Counted.moves * 1e6)
            programs.close_programs()
            yield Trips(language, what, rates, statistics.median(here), statistics.median(there))


def main(runs: int = 5) -> None:
    print(f"round trips a second, median of {runs} runs (goal: {GOAL})")
    for found in measure(runs):
        rate = statistics.median(found.rates)
        print(
            f"  {found.language:10}  {found.what:9} {rate:6.0f}  ({min(found.rates):.0f} to "
            f"{max(found.rates):.0f}; {found.here:.0f} + {found.there:.0f} us CPU; "
            f"{rate / GOAL:.2f} of the goal)"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
