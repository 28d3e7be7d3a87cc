"""Draw the still pictures that the documents show.

    python tools/make_pictures.py

Writes ``docs/pictures/minesweeper.svg`` and ``docs/pictures/risk.svg``, the same bytes on every run.
"""

from itertools import count
from pathlib import Path

import numpy as np

from surefoot import minesweeper as ms
from surefoot import risk
from surefoot.minesweeper.agents.exact import ExactAgent
from surefoot.minesweeper.svg import svg as draw_position
from surefoot.risk.agents.continent import ContinentAgent
from surefoot.risk.svg import svg as draw_situation

TARGET = Path(__file__).parents[1] / "docs" / "pictures"


def main() -> None:
    for name, picture in ("minesweeper", minesweeper()), ("risk", classic()):
        (TARGET / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")
        print(f"{name}.svg: {len(picture)} bytes")


def minesweeper() -> str:
    """A guess in the first game that comes to one with half the board open."""
    for seed in count():
        game = ms.Game(*ms.preset("intermediate"), rng=np.random.default_rng(seed))
        agent = ExactAgent()
        while not game.over:
            seen = game.observation()
            analysis = ms.analyze(seen)
            if not analysis.safe and (seen.cells >= 0).mean() > 0.5 and analysis.best is not None:
                return draw_position(
                    seen, probabilities=analysis.probabilities, marks={analysis.best: "best"}
                )
            game.play(agent.act(seen))
    raise AssertionError("there is no end to games")


def classic() -> str:
    """Six players in their second round."""
    game = risk.Game(risk.load("classic"), risk.preset("standard"), 6, rng=np.random.default_rng(1))
    agent = ContinentAgent()
    while not game.over and game.round < 2:
        game.play(agent.act(game.observation(game.turn)))
    return draw_situation(game)


if __name__ == "__main__":
    main()
