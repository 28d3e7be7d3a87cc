"""A bench of decisions: real guesses, each with what came of every candidate on the same layouts.

Whole games tell two players apart only by the ten thousand, because luck decides most of them. Here each
candidate of a position is opened on the same few hundred layouts, drawn from all that agree with it, and an
agent plays on; only the choice differs, so that some thousand decisions tell a good rule from a bad one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import FormatError, TooComplex
from surefoot.intervals import STANDARD_ERRORS

from .actions import Cell, Kind
from .agents.exact import ExactAgent
from .agents.expert import ExpertAgent
from .bulk import MinesweeperAgent, game_rng
from .game import Game
from .guess import weigh_guesses
from .observation import Observation
from .rules import Level, Rules
from .sampling import sample_layouts


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A guess that had to be made.

    Args:
        game: the number of the game it comes from.
        observation: the position; nothing in it is proved safe, and it has too many layouts for perfect play.
        cells: the candidates.
        won: bool, shape (candidates, layouts): whether the game was won that opened the candidate.
    """

    game: int
    observation: Observation
    cells: tuple[Cell, ...]
    won: NDArray[np.bool_]

    def layouts(self) -> NDArray[np.bool_]:
        """The layouts it was tried on; bool, shape (layouts, height, width)."""
        return _layouts(self.observation, self.game, self.won.shape[1])

    def try_cell(self, cell: Cell, player: type[ExactAgent] = ExpertAgent) -> NDArray[np.bool_]:
        """On which of the layouts opening ``cell`` wins; bool, shape (layouts,)."""
        if cell in self.cells:
            won: NDArray[np.bool_] = self.won[self.cells.index(cell)]
            return won
        return player.play_layouts(self.observation, self.layouts(), cell)


def _layouts(observation: Observation, game: int, count: int) -> NDArray[np.bool_]:
    opened = int((observation.cells >= 0).sum())
    return sample_layouts(observation, count, np.random.default_rng([game, opened]))


def collect(
    level: Level,
    rules: Rules,
    seed: int,
    first: int = 0,
    layouts: int = 200,
    candidates: int = 4,
    player: type[ExactAgent] = ExpertAgent,
    continuation: type[ExactAgent] = ExpertAgent,
) -> Iterator[Decision]:
    """The decisions of the games ``first``, ``first + 1``… of root seed ``seed``, as they come, without end.

    Args:
        level: the board.
        rules: the rules; their mine count has to be told.
        seed: root seed of the games.
        first: number of the first game.
        layouts: on how many layouts each candidate is tried.
        candidates: how many candidates are tried: those of the best chance to win, and the safest.
        player: who comes to the positions.
        continuation: who plays on from them.

    Raises:
        RulesError: the rules cannot lay out this board.
    """
    number = first
    while True:
        game = Game(level, rules, rng=game_rng(seed, number))
        agent = player()
        guesses = 0
        while not game.over:
            observation = game.observation()
            action = agent.act(observation)
            if agent.guesses > guesses and (observation.cells >= 0).any():
                decision = _decision(number, observation, layouts, candidates, continuation)
                if decision is not None:
                    yield decision
            guesses = agent.guesses
            game.play(action)
        number += 1


def _decision(
    game: int, observation: Observation, layouts: int, candidates: int, continuation: type[ExactAgent]
) -> Decision | None:
    try:
        guesses = weigh_guesses(observation)
    except TooComplex:
        return None
    if guesses.exact or len(guesses.candidates) < 2:
        return None
    chosen = [candidate.cell for candidate in guesses.candidates[:candidates]]
    safest = max(guesses.candidates, key=lambda candidate: candidate.safety).cell
    cells = tuple(dict.fromkeys([*chosen, safest]))
    drawn = _layouts(observation, game, layouts)
    won = np.stack([continuation.play_layouts(observation, drawn, cell) for cell in cells])
    return Decision(game, observation, cells, won)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an agent's choices are worth beside the best expected one.

    Args:
        decisions: how many it made.
        gain: how much larger a share of the games its choice wins than the first candidate, on average.
        error: half the width of the 95 % interval around the gain.
        same: in how many it chose the first candidate.
        stages: the same by how many cells were open: lower and upper bound, decisions, gain, error.
    """

    decisions: int
    gain: float
    error: float
    same: int
    stages: tuple[tuple[int, int, int, float, float], ...]


STAGES = (0, 15, 60, 200)


def judge(
    make_agent: Callable[[], MinesweeperAgent],
    decisions: Sequence[Decision],
    on_decision: Callable[[], None] = lambda: None,
) -> Judgement:
    """Let an agent make the decisions, a new one each.

    Raises:
        FormatError: it answers something else than a hidden cell to open.
    """
    gains = np.zeros(len(decisions))
    opened = np.zeros(len(decisions), np.int64)
    same = 0
    for index, decision in enumerate(decisions):
        cell = _answer(make_agent(), decision.observation)
        same += cell == decision.cells[0]
        gains[index] = decision.try_cell(cell).mean() - decision.won[0].mean()
        opened[index] = (decision.observation.cells >= 0).sum()
        on_decision()
    bounds = [*STAGES, 1 << 30]
    stages = []
    for low, high in pairwise(bounds):
        part = gains[(opened >= low) & (opened < high)]
        stages.append((low, high, len(part), *_mean(part)))
    return Judgement(len(gains), *_mean(gains), same, tuple(stages))


def _mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """A mean, and half the width of its 95 % interval."""
    if len(values) == 0:
        return 0.0, 0.0
    return float(values.mean()), float(STANDARD_ERRORS * values.std() / np.sqrt(len(values)))


def _answer(agent: MinesweeperAgent, observation: Observation) -> Cell:
    action: Any = agent.act(observation)
    cell = getattr(action, "cell", None)
    if getattr(action, "kind", None) is not Kind.UNCOVER or cell is None or observation.cells[cell] >= 0:
        raise FormatError(f"a decision takes a hidden cell to open, and the agent answered {action}")
    return (int(cell[0]), int(cell[1]))


def save(path: Path, decisions: Sequence[Decision], note: str) -> None:
    """Keep decisions in a file; ``note`` tells how they were made."""
    np.savez_compressed(
        path,
        note=np.array(note),
        games=np.array([decision.game for decision in decisions]),
        positions=np.array([str(decision.observation) for decision in decisions]),
        rules=np.array([str(decision.observation.rules) for decision in decisions]),
        cells=np.array([";".join(f"{r},{c}" for r, c in decision.cells) for decision in decisions]),
        layouts=np.array([decision.won.shape[1] for decision in decisions]),
        won=np.concatenate([np.packbits(decision.won.ravel()) for decision in decisions]),
    )


def load(path: Path) -> tuple[list[Decision], str]:
    """The decisions of a file, and the note.

    Raises:
        FormatError: it is no such file.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            kept = {name: file[name] for name in file.files}
        return _unpack(kept), str(kept["note"])
    except (OSError, KeyError, ValueError) as error:
        raise FormatError(f"{path} holds no decisions: {error}") from None


def _unpack(kept: dict[str, NDArray[Any]]) -> list[Decision]:
    decisions = []
    at = 0
    for game, position, rules, cells, layouts in zip(
        kept["games"], kept["positions"], kept["rules"], kept["cells"], kept["layouts"], strict=True
    ):
        observation = Observation.parse(str(position), rules=Rules.parse(str(rules)))
        row = tuple(tuple(int(word) for word in cell.split(",")) for cell in str(cells).split(";"))
        bits = len(row) * int(layouts)
        size = -(-bits // 8)
        won = np.unpackbits(kept["won"][at : at + size], count=bits).astype(np.bool_)
        at += size
        decisions.append(
            Decision(int(game), observation, row, won.reshape(len(row), int(layouts)))  # type: ignore[arg-type]
        )
    return decisions
