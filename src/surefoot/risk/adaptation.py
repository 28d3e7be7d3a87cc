"""CMA-ES in place of the genetic algorithm, for comparison: same games, same fitness, another way to breed.

Every generation is a new sample of a normal distribution, whose mean and covariance follow the better half.
Only the order of the fitness counts, so that it may be measured among the sample itself. The state is built
anew from the generations so far whenever it is needed: nothing but results has to be kept. What comes out
is the mean of the distribution, in which the luck of single genes is averaged out; the mean does not play.

Source: N. Hansen (2016), The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772; by the library ``cmaes``.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from surefoot.errors import FormatError

from .evolution import WEIGHTS, Generation, Population, Settings, Winner

if TYPE_CHECKING:
    from cmaes import CMA  # type: ignore[import-untyped]

_STEP = 0.3
"""The first standard deviation, as a part of the range of a weight: what the tutorial advises."""
_PURPOSE = 3  # those before it are in `evolution`


def population(settings: Settings, history: Sequence[Generation]) -> Population:
    """The sample that plays after ``history``.

    Raises:
        FormatError: the library is not installed.
    """
    optimizer = _replayed(settings, history)
    return Population.fresh(np.array([optimizer.ask() for _ in range(settings.population)], np.float64))


def winner(settings: Settings, history: Sequence[Generation]) -> Winner:
    """The mean of the distribution after ``history``.

    Raises:
        FormatError: the library is not installed.
    """
    mean = np.array(_replayed(settings, history).mean, np.float64)
    return Winner(np.clip(mean, settings.low, settings.high), None, 0, 0)


def _replayed(settings: Settings, history: Sequence[Generation]) -> "CMA":
    try:
        from cmaes import CMA
    except ImportError:
        raise FormatError("the method cma needs the package cmaes: install surefoot[learn]") from None
    seed = np.random.SeedSequence([settings.seed, 0, 0, _PURPOSE]).generate_state(1, np.uint32)[0]
    optimizer = CMA(
        mean=np.full(WEIGHTS, (settings.low + settings.high) / 2),
        sigma=_STEP * (settings.high - settings.low),
        bounds=np.tile([settings.low, settings.high], (WEIGHTS, 1)),
        seed=int(seed),
        population_size=settings.population,
    )
    for generation in history:
        # The sample is drawn again for the lots it takes; what is told is what has played.
        for _ in range(settings.population):
            optimizer.ask()
        after = generation.population
        optimizer.tell([(gene, -fitness) for gene, fitness in zip(after.genes, after.fitness.tolist())])
    return optimizer
