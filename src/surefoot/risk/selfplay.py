"""Document B's agent against itself with other weights: whole games in compiled loops."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .alphabeta import Battle, Opponents, Targets, Thought
from .bulk import play_seated
from .policy import Policy
from .rules import Rules
from .worldmap import WorldMap


def play_pairs(
    worldmap: WorldMap,
    rules: Rules,
    genes: ArrayLike,
    pairs: ArrayLike,
    seeds: Sequence[int] | NDArray[np.uint64],
    *,
    depth: int = 5,
    attacks: int = 3,
    battle: Battle = "certain",
    targets: Targets = "all",
    opponents: Opponents = "paranoid",
    others: Sequence[Policy] = (),
) -> NDArray[np.int64]:
    """Play games between agents that differ in their weights alone, and others if there are any.

    A game depends on those who play in it, its seed and the options alone, so that games may be divided among
    workers in any way.

    Args:
        worldmap: the map.
        rules: the rules, with their round cap.
        genes: the vectors of weights, float64, shape (g, 4).
        pairs: who sits on each seat in each game, shape (n, players): numbers of genes, or g for the first of
            the others, g + 1 for the second …; seat 0 begins.
        seeds: the chance of each game, shape (n,), 0 to 2^64 - 1.
        depth, attacks, battle, targets, opponents: as in `alphabeta.Thought`.
        others: further players.

    Returns:
        for each game the place in its row of ``pairs`` of who won, or -1 where the round cap ended it; int64,
        shape (n,).

    Raises:
        RulesError: the options or the weights are not such as an agent takes, or the rules cannot be played
            by so many on this map.
        ValueError: the shapes do not fit together.
    """
    vectors, seating = np.asarray(genes, np.float64), np.asarray(pairs, np.int64)
    if vectors.ndim != 2 or seating.ndim != 2 or len(seeds) != len(seating):
        raise ValueError(
            f"{len(seeds)} seeds, pairs of shape {seating.shape} and genes of shape {vectors.shape} "
            "do not fit together"
        )
    if not len(seating):
        return np.zeros(0, np.int64)
    known = len(vectors) + len(others)
    if seating.min() < 0 or seating.max() >= known:
        raise ValueError(f"pairs name players from {seating.min()} to {seating.max()}; there are {known}")
    thoughts = [
        Thought(
            weights=tuple(gene),
            depth=depth,
            attacks=attacks,
            battle=battle,
            targets=targets,
            opponents=opponents,
        )
        for gene in vectors.tolist()
    ]
    players = [*(each.policy for each in thoughts), *others]
    # A seed's own words, as many as a game has streams.
    streams = [
        np.random.SeedSequence(int(seed)).generate_state(1 + seating.shape[1], np.uint64) for seed in seeds
    ]
    words = np.stack(streams).astype(np.uint64)
    return play_seated(worldmap, rules, players, seating, words).seat
