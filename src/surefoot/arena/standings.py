"""How the agents of a study stand: wins with intervals, and what was no ordinary game apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .pieces import OUTCOMES
from .statistics import Interval, wilson
from .store import Tally


@dataclass(frozen=True, slots=True)
class Standing:
    """How an agent stands.

    Args:
        agent: its spec.
        games: how many it has played.
        outcomes: of how many each of `pieces.OUTCOMES` was the outcome.
        score, moves: the sums over them.
        guesses: in Minesweeper, the mean number of cells opened without proof, or None if it does not count.
    """

    agent: str
    games: int
    outcomes: dict[str, int]
    score: int
    moves: int
    guesses: float | None

    @property
    def won(self) -> int:
        """Games that it won."""
        return self.outcomes["won"]

    @property
    def rate(self) -> float | None:
        """Won games over all games, capped and forfeited ones too; None before the first."""
        return self.won / self.games if self.games else None

    @property
    def ci95(self) -> Interval | None:
        """Wilson's 95 % interval for the rate."""
        return wilson(self.won, self.games) if self.games else None

    def as_dict(self) -> dict[str, Any]:
        """The figures under their names, ready for JSON."""
        return {
            "agent": self.agent,
            "games": self.games,
            **self.outcomes,
            "rate": self.rate,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "score": self.score,
            "moves": self.moves,
            "guesses_per_game": self.guesses,
        }


def standings(agents: Sequence[str], tallies: Iterable[Tally]) -> list[Standing]:
    """How each of the study's agents stands, in their order there."""
    of_agent: list[list[Tally]] = [[] for _ in agents]
    for tally in tallies:
        of_agent[tally.agent].append(tally)
    return [_standing(agent, mine) for agent, mine in zip(agents, of_agent)]


def _standing(agent: str, tallies: Sequence[Tally]) -> Standing:
    guessed = sum(tally.guessed for tally in tallies)
    return Standing(
        agent,
        games=sum(tally.games for tally in tallies),
        outcomes={word: sum(tally.games for tally in tallies if tally.outcome == word) for word in OUTCOMES},
        score=sum(tally.score for tally in tallies),
        moves=sum(tally.moves for tally in tallies),
        guesses=sum(tally.guesses for tally in tallies) / guessed if guessed else None,
    )
