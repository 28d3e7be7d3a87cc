"""Small jobs that between them use every kernel, so that nothing is left to compile afterwards."""

from collections.abc import Callable, Mapping
from functools import partial

from surefoot.minesweeper.agents import AGENTS
from surefoot.minesweeper.analysis import analyze
from surefoot.minesweeper.bulk import play_games
from surefoot.minesweeper.observation import Observation
from surefoot.minesweeper.rules import preset
from surefoot.spec import parse

from .minesweeper import evaluate

_POSITION = """5x4x{mines}
HHHHH
H11HH
H22HH
HHHHH"""


def jobs() -> Mapping[str, Callable[[], object]]:
    """What to do, by what it is called while it is done."""
    positions = {
        f"probabilities, {words}": partial(analyze, Observation.parse(_POSITION.format(mines=mines)))
        for words, mines in (("mines known", "4"), ("mines unknown", "?"))
    }
    board = preset("minai-beginner")
    in_bulk = {f"{name} plays": partial(evaluate, parse(name), *board, games=3) for name in AGENTS}
    by_move = {
        f"{name} plays move by move": partial(play_games, parse(name).make, *board, 0, 0, 3)
        for name in AGENTS
    }
    return positions | in_bulk | by_move
