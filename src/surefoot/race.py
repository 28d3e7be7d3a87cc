"""Choosing the best of a few by samples: whatever is clearly beaten gets no more of them."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Race:
    """Candidates that are tried on the same samples until one is clearly the best.

    What was thought of a difference before is trusted with a standard deviation of ``spread``, what the
    samples say by their own. A candidate is out of the race when changing over to it is expected to bring
    less than ``worthwhile``.

    Args:
        prior: what each candidate was thought to be worth.
        spread: how far differences of these are off.
        worthwhile: what a further sample has to promise.
        doubt: the variance of one more sample that is supposed to have been seen, which keeps candidates
            that were alike so far from being held for equal.

    Attributes:
        running: the numbers of the candidates that are still in the race.
        samples: how many samples those have been tried on.
    """

    def __init__(self, prior: Sequence[float], spread: float, worthwhile: float, doubt: float = 1.0) -> None:
        self._prior = np.array(prior, np.float64)
        self._spread = spread
        self._worthwhile = worthwhile
        self._doubt = doubt
        self._sums = np.zeros(len(prior))
        self._products = np.zeros((len(prior), len(prior)))
        self._shared = np.zeros((len(prior), len(prior)))
        self._counts = np.zeros(len(prior), np.int64)
        self.running = list(range(len(prior)))
        self.samples = 0

    @property
    def is_open(self) -> bool:
        """Whether another candidate may still turn out to be better."""
        return len(self.running) > 1

    def add(self, values: NDArray[np.float64]) -> None:
        """Take in some more samples, and drop who is beaten.

        Args:
            values: what each candidate was worth on each sample, shape (candidates, samples); rows of
                those that are out are not read.
        """
        seen = np.zeros_like(values)
        seen[self.running] = values[self.running]
        self.samples += values.shape[1]
        self._counts[self.running] += values.shape[1]
        self._sums += seen.sum(1)
        self._products += seen @ seen.T
        self._shared[self.running] = self._sums
        self.drop_beaten()

    def drop_beaten(self) -> None:
        """Drop whom it is not worth to try once more, by what is known or was thought before."""
        leader = self.leader()
        self.running = [
            number
            for number in self.running
            if number == leader or expected_gain(*self.difference(number, leader)) >= self._worthwhile
        ]

    def drop(self, number: int) -> None:
        """Take a candidate out of the race, if another is left."""
        if number in self.running and len(self.running) > 1:
            self.running.remove(number)

    def leader(self) -> int:
        """The best candidate as far as is known; of equals the first."""
        leader = self.running[0]
        for number in self.running[1:]:
            if self.difference(number, leader)[0] > 0.0:
                leader = number
        return leader

    def mean(self, number: int) -> float:
        """What a candidate was worth on the samples it was tried on; what was thought of it without any."""
        tried = self._counts[number]
        return float(self._sums[number] / tried) if tried else float(self._prior[number])

    def error(self, number: int) -> float:
        """The standard error of that; infinite with less than two samples."""
        tried = int(self._counts[number])
        if tried < 2:
            return math.inf
        mean = self._sums[number] / tried
        variance = max(self._products[number, number] / tried - mean * mean, 0.0)
        return math.sqrt(variance / (tried - 1))

    def gap(self, number: int, other: int) -> float:
        """By how much a candidate did better than another on the samples that both were tried on.

        Args:
            number: was tried at least once.
            other: has been in the race as long as that, or longer.
        """
        return float((self._sums[number] - self._shared[number, other]) / self._counts[number])

    def beliefs(self) -> list[float]:
        """By how much each candidate is thought to be better than the leader: 0 or less."""
        leader = self.leader()
        return [min(self._belief(number, leader), 0.0) for number in range(len(self._prior))]

    def _belief(self, number: int, leader: int) -> float:
        if number in self.running:
            return self.difference(number, leader)[0]
        if self._counts[number] == 0:
            return float(self._prior[number] - self._prior[leader])
        return self.gap(number, leader)

    def difference(self, number: int, other: int) -> tuple[float, float]:
        """By how much one running candidate is better than another: mean and deviation of the belief."""
        prior = float(self._prior[number] - self._prior[other])
        n = self.samples
        if n == 0:
            return prior, self._spread
        mean = (self._sums[number] - self._sums[other]) / n
        squares = self._products[number, number] + self._products[other, other]
        variance = max((squares - 2.0 * self._products[number, other]) / n - mean * mean, 0.0)
        noise = (variance + self._doubt / n) / n
        trust = self._spread**2 / (self._spread**2 + noise)
        return float((1.0 - trust) * prior + trust * mean), self._spread * math.sqrt(1.0 - trust)


def expected_gain(mean: float, deviation: float) -> float:
    """How much changing over is expected to bring, if it is done only where it brings something."""
    if deviation <= 0.0:
        return max(mean, 0.0)
    z = mean / deviation
    density = math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    return deviation * density + mean * 0.5 * math.erfc(-z / math.sqrt(2.0))
