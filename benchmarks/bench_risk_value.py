"""How long the value of a position of Risk takes in a kernel.

python benchmarks/bench_risk_value.py [REPEATS]
"""

import sys
import time

import numpy as np

from surefoot._jit import kernel
from surefoot.risk import Game, Rules, load
from surefoot.risk.actions import unpack
from surefoot.risk.kernels import layout, value, value_words
from surefoot.risk.policy import decide
from surefoot.risk.situation import Phase
from surefoot.risk.value import new_words, shipped
from surefoot.spec import parse

LOOPS = 20_000


@kernel
def weigh_often(world, rules, state, net, words, out, loops):  # type: ignore[no-untyped-def]
    """Weigh the position ``loops`` times."""
    for _ in range(loops):
        value.weigh(world, rules, state, net, words, out)


@kernel
def tell_often(world, rules, state, net, words, out, loops):  # type: ignore[no-untyped-def]
    """Only find its words."""
    for _ in range(loops):
        value_words.tell(world, rules, state, words)


def opening(players: int) -> Game:
    """The first turn of a game on the classic map."""
    game = Game(load("classic"), Rules(), players, rng=np.random.default_rng(0))
    policy, streams = parse("continent", "risk").make(0).policy, np.zeros(1, np.uint64)
    while game.phase is not Phase.DRAFT:
        game.play(unpack(decide(policy, game.observation(), streams)))
    return game


def measure(repeats: int) -> dict[str, dict[str, float]]:
    """By players: the least of many runs, in microseconds a position."""
    found = {}
    for players in (2, 3, 6):
        game = opening(players)
        world = game.worldmap
        arrays = (
            world.world,
            game.packed,
            game.state,
            shipped(),
            new_words(world),
            np.zeros(layout.MAX_SEATS),
        )
        found[f"{players} players"] = {
            "microseconds": _least(weigh_often, arrays, repeats),
            "of them for the words": _least(tell_often, arrays, repeats),
        }
    return found


def _least(loop: object, arrays: tuple[object, ...], repeats: int) -> float:
    assert callable(loop)
    loop(*arrays, 1)
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        loop(*arrays, LOOPS)
        times.append((time.process_time() - begun) / LOOPS)
    return round(1e6 * min(times), 2)


if __name__ == "__main__":
    for name, figures in measure(int(sys.argv[1]) if len(sys.argv) > 1 else 20).items():
        print(f"{name}: {', '.join(f'{words} {figure}' for words, figure in figures.items())}")
