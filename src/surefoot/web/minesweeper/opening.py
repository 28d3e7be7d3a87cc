"""How a game of Minesweeper on the page begins, and begins again."""

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from surefoot.errors import FormatError, RulesError
from surefoot.minesweeper.agents import AGENTS
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.record import Record
from surefoot.minesweeper.rules import PRESETS, WINDOWS, Level, Preset, Rules, preset
from surefoot.spec import parse as parse_agent

from ..lanes import Lanes
from ..limits import MAX_CELLS
from ..messages import CreateMinesweeper
from ..refusals import Refused
from . import work


@dataclass(frozen=True, slots=True)
class Opening:
    """What a game begins from.

    Args:
        level, rules: the board's size and how it is played.
        seed: where the mines and the agents' lots come from. The board of a record is given, and takes none.
        record: the board that was given, and what was played on it when it was opened.
        seconds: that were played already.
    """

    level: Level
    rules: Rules
    seed: int
    record: Record | None = None
    seconds: float = 0.0
    players: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)

    def game(self) -> Game:
        """The game before its first move.

        Raises:
            RulesError: the rules cannot lay out this board.
        """
        if self.record is not None:
            return self.record.game(0)
        return Game(self.level, self.rules, rng=game_rng(self.seed, 0))

    def again(self, seed: int | None) -> "Opening":
        """The same anew: nothing is played of a record, and what is drawn is drawn from another seed."""
        return replace(
            self, seed=_new_seed() if seed is None else seed, seconds=0.0, players=(), headers={}, notes={}
        )

    @property
    def preset(self) -> str | None:
        """The name of the preset that this is, if it is one."""
        here = Preset(self.level, self.rules)
        return next((name for name, known in PRESETS.items() if known == here), None)


async def opening_of(lanes: Lanes, message: CreateMinesweeper) -> tuple[Opening, Game]:
    """What a client's message begins with, and the game as it stands then.

    Raises:
        Refused: there is no such game; the message says why.
    """
    custom = [message.width, message.height, message.mines]
    ways = [
        message.preset is not None,
        any(part is not None for part in (*custom, message.first_click)),
        message.text is not None,
    ]
    if sum(ways) != 1:
        raise Refused(
            "bad-message", "a game begins from a preset, from width, height and mines, or from a text"
        )
    seed = _new_seed() if message.seed is None else message.seed
    if message.text is not None:
        return await _of_text(lanes, message.text, seed)
    try:
        if message.preset is not None:
            level, rules = preset(message.preset)
        elif message.width is None or message.height is None or message.mines is None:
            raise Refused("bad-message", "a board of your own takes width, height and mines")
        else:
            level = Level(message.height, message.width, message.mines)
            rules = replace(WINDOWS, first_click=message.first_click or WINDOWS.first_click)
        if level.cells > MAX_CELLS:
            raise Refused(
                "too-large", f"the board has {level.cells:,} cells; at most {MAX_CELLS:,} are taken here"
            )
        opening = Opening(level, rules, seed)
        return opening, opening.game()
    except RulesError as error:
        raise Refused("bad-message", str(error)) from None


async def _of_text(lanes: Lanes, text: str, seed: int) -> tuple[Opening, Game]:
    record, game = await lanes.study(work.open_text, text)
    headers = dict(record.headers)
    players = tuple(filter(None, headers.pop("Player", "").split(", ")))
    opening = Opening(
        game.level,
        game.rules,
        seed,
        replace(record, actions=(), notes={}, headers={}),
        _seconds(headers.pop("Seconds", "0")),
        players,
        headers,
        record.notes,
    )
    return opening, game


def _seconds(text: str) -> float:
    """The seconds that a record tells; 0 where it tells none that make sense."""
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds >= 0 else 0.0


def _new_seed() -> int:
    return secrets.randbits(32)


def check_agent(name: str) -> str:
    """An agent that a browser may name: one of the game's own, perhaps with one of its presets.

    Raises:
        Refused: it is none of these. Options, files and commands of agents are for the command line.
    """
    known = f"known here: {', '.join(AGENTS)}"
    try:
        spec = parse_agent(name, "minesweeper")
        if spec.place is not None or spec.name not in AGENTS or spec.options:
            raise Refused("bad-message", f"{name!r} is not an agent that the page may name ({known})")
        spec.load()
    except FormatError:
        raise Refused("bad-message", f"there is no agent {name!r} ({known})") from None
    return str(spec)
