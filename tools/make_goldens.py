"""Write the playthrough goldens: every answer of the API along one game under each preset.

``python tools/make_goldens.py`` writes them anew; read the difference before committing it. Each game is
a fixed lot of lawful and unlawful actions on a board drawn from a fixed seed, so that a golden changes only
when the rules, the chance or a text form do.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from surefoot.errors import IllegalAction
from surefoot.minesweeper import (
    LEAVE,
    PRESETS,
    Action,
    Cell,
    Game,
    Record,
    chord,
    flag,
    preset,
    uncover,
    unflag,
)
from surefoot.minesweeper.kernels.layout import HIDDEN

FOLDER = Path(__file__).parents[1] / "tests" / "golden" / "minesweeper"
SEED = 20


def playthrough(name: str) -> str:
    """The text of one game under the preset ``name``."""
    level, rules = preset(name)
    game = Game(level, rules, rng=np.random.default_rng(SEED))
    lines = [
        f"preset: {name}",
        f"level: {level}",
        f"rules: {rules}",
        f"max_moves: {rules.max_moves(level)}",
        f"score if won, lost: {rules.score(level, won=True)}, {rules.score(level, won=False)}",
        f"packed rules: {rules.pack(level).tolist()}",
        f"start: {game.start}",
        *_state(game),
    ]
    for action in _try_everything(game):
        lines += ["", _play(game, action), *_state(game)]
    lines += ["", "and on to the end"]
    lines += [f"{_play(game, action)}; {_state(game)[0]}" for action in _finish(game)]
    lines += ["", *_state(game)]
    lines += ["", "board:", str(game.board), "", "numbers:"]
    lines += ["".join(map(str, row)) for row in game.board.numbers().tolist()]
    lines += ["", "record:", str(Record.of(game, headers={"Preset": name}))]
    return "\n".join(lines)


def _play(game: Game, action: Action) -> str:
    try:
        opened = game.play(action)
    except IllegalAction as error:
        return f"> refused: {error}"
    return f"> {action}: opened {' '.join(f'{row},{col}' for row, col in opened) or 'nothing'}"


def _state(game: Game) -> list[str]:
    return [
        f"outcome {game.outcome.name.lower()}, end {game.end.name.lower()}, over {game.over}, "
        f"complete {game.complete}, percept {game.percept}, moves {game.moves}, score {game.score}",
        str(game.observation()),
    ]


def _try_everything(game: Game) -> Iterator[Action]:
    """Every kind of action where it does something, where it does nothing, and where it is refused."""
    height, width = game.level.height, game.level.width
    yield flag((0, 0))
    yield flag((0, 0))
    yield uncover((0, 0))
    yield unflag((0, 0))
    yield unflag((0, 0))
    yield chord((0, 0))
    yield uncover((height, 0))
    yield uncover(game.start or (height // 2, width // 2))
    number, mine, safe = (
        _first(game, mine=m, hidden=h) for m, h in ((False, False), (True, True), (False, True))
    )
    if number is not None:
        yield from (uncover(number), flag(number), unflag(number), chord(number))
    if mine is not None and safe is not None:
        yield from (flag(mine), flag(safe), uncover(safe), unflag(safe), uncover(safe))


def _finish(game: Game) -> Iterator[Action]:
    """What wins, then what is no longer allowed."""
    flags_win = game.rules.goal == "flags"
    while not game.complete and (cell := _first(game, mine=flags_win)) is not None:
        yield flag(cell) if flags_win else uncover(cell)
    yield LEAVE
    yield uncover((0, 0))


def _first(game: Game, *, mine: bool, hidden: bool = True) -> Cell | None:
    """The first cell in row-major order that is (no) mine and (not) hidden."""
    seen = game.observation().cells
    state = seen == HIDDEN if hidden else seen >= 0
    found = np.argwhere((game.board.mines == mine) & state)
    return (int(found[0][0]), int(found[0][1])) if len(found) else None


def main() -> None:
    """Write every golden, and say which changed."""
    for name in PRESETS:
        path = FOLDER / f"{name}.txt"
        text = playthrough(name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"changed: {path.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
