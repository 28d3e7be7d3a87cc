"""``surefoot minai``: the Min.AI shell; and ``surefoot minesweeper worlds``, which draws its worlds."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from surefoot.errors import FormatError

from .output import announce_kernels, naming, progress, say

if TYPE_CHECKING:
    from surefoot.arena.minai import Outcome, Player, WorldFile
    from surefoot.minesweeper.actions import Action
    from surefoot.minesweeper.formats.minai import World
    from surefoot.minesweeper.observation import Observation

_FEW = 200
"""Worlds that one process has played with an agent of ours before a second one has started."""


def minai(
    out: Annotated[
        Path | None, typer.Argument(metavar="OUT", help="With -f and a folder: the file for the scores.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("-f", "-F", metavar="PATH [OUT]", help="A world file, or a folder of them."),
    ] = None,
    manual: Annotated[bool, typer.Option("-m", "-M", help="Play yourself.")] = False,
    at_random: Annotated[bool, typer.Option("-r", "-R", help="Let the random agent play.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "-V", help="Name each world.")] = False,
    debug: Annotated[bool, typer.Option("-d", "-D", help="Show the board each turn.")] = False,
    agent: Annotated[
        str,
        typer.Option(
            metavar="SPEC", help="A student's MyAI.py, a name (exact, sentence, random), or FILE.py:Class."
        ),
    ] = "exact",
    workers: Annotated[
        int | None, typer.Option(min=1, metavar="W", help="How many worlds are played at a time.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="S", help="Of the random world, and of all that the agent draws."),
    ] = None,
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", help="CPU-seconds a world for a student's agent.")
    ] = 30.0,
    memory_limit: Annotated[
        str, typer.Option(metavar="SIZE", help="What a student's agent may add to its process.")
    ] = "512MB",
    results: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write a line of JSON a world.")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep each world's record, with what the agent printed."),
    ] = None,
) -> None:
    """Play worlds of the Min.AI shell, as its own Main.py does; without -f, one random 8x8 world."""
    from surefoot.arena.minai import Player, find_worlds, summary
    from surefoot.compat.minai_display import folder_file, folder_results, world_result
    from surefoot.minesweeper.formats.minai import World
    from surefoot.protocol.limits import Limits, parse_size

    if out is not None and file is None:
        raise FormatError(f"{out}: a file for the scores needs -f PATH before it")
    limits = Limits(cpu=time_limit, memory=parse_size(memory_limit))
    if file is None and seed is None:
        seed = _fresh_seed()
        say(f"a world of seed {seed}")
    player = Player("random" if at_random else agent, seed or 0, limits, records)
    if not player.apart:
        announce_kernels()
    if file is None:
        _play_random_world(player, manual=manual, debug=debug)
        return

    worlds, others = find_worlds(file)
    if not worlds:
        raise FormatError(f"{file}: there is no world in this folder")
    if not file.is_dir():
        with naming(str(file)):
            World.read(file)
    with ExitStack() as stack:
        lines = stack.enter_context(results.open("w", encoding="utf-8")) if results is not None else None
        if manual or debug:
            outcomes = _watch(player, worlds, lines, manual=manual, debug=debug, verbose=verbose)
        else:
            outcomes = _run(player, worlds, lines, workers, verbose=verbose)
    played = [each for each in outcomes if each.broken is None]
    if not file.is_dir():
        if out is not None:
            say(f"{out} is not written: the original keeps scores of folders only")
        _say_what_failed(played[0])
        sys.stdout.write(world_result(played[0].score))
        return
    for each in outcomes:
        if each.broken is not None:
            say(f"{each.world}: {each.broken}")
    for line in summary(outcomes, len(others)):
        say(line)
    if not played:
        raise FormatError(f"{file}: there is no world in this folder that can be played")
    scores = [each.score for each in played]
    if out is not None:
        out.write_text(folder_file(scores), encoding="ascii")
    sys.stdout.write(folder_results(scores))


def worlds(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder for the world files.")],
    level: Annotated[
        str,
        typer.Option(metavar="LEVEL", help="easy, beginner, intermediate, expert, or WxHxM."),
    ],
    number: Annotated[int, typer.Option("-n", min=1, metavar="N", help="How many worlds.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same worlds.")] = 0,
    base: Annotated[
        str | None, typer.Option(metavar="NAME", help="What the files' names begin with; else the level.")
    ] = None,
) -> None:
    """Draw Min.AI worlds by the document's rule, into files BASE_world_1.txt and on."""
    from surefoot.minesweeper.formats.minai import parse_level, write_worlds

    board = parse_level(level)
    with progress(number, "worlds") as bar:
        for _ in write_worlds(out, base or level, board, number, seed):
            bar.advance()
    say(f"{number} x {board.height} rows, {board.width} columns, {board.mines} mines in {out}")


def _run(
    player: "Player",
    worlds: "list[WorldFile]",
    lines: TextIO | None,
    workers: int | None,
    *,
    verbose: bool,
) -> "list[Outcome]":
    """Play the worlds, several at a time; lines are printed and written in the worlds' order."""
    from surefoot.arena.play import default_workers, ordered_map

    if workers is None:
        workers = 1 if not player.apart and len(worlds) < _FEW else min(default_workers(), len(worlds))
    # Here first: with nothing compiled yet, the workers would each do it.
    player.warm_up()
    outcomes = []
    with progress(len(worlds), player.agent) as bar:
        played = ordered_map(player, worlds, workers=workers, on_result=lambda _: bar.advance())
        for outcome in played:
            if verbose and outcome.broken is None:
                sys.stdout.write(f"Running on world: {outcome.world}\n")
            _write(lines, outcome)
            outcomes.append(outcome)
    return outcomes


def _watch(
    player: "Player",
    worlds: "list[WorldFile]",
    lines: TextIO | None,
    *,
    manual: bool,
    debug: bool,
    verbose: bool,
) -> "list[Outcome]":
    """Play the worlds one after the other, on show."""
    from surefoot.arena.minai import Outcome
    from surefoot.minesweeper.formats.minai import World

    table = _Table(player, manual=manual, debug=debug)
    outcomes = []
    for item in worlds:
        try:
            world = World.read(item.path)
        except FormatError as error:
            outcome = Outcome(item.path, broken=str(error))
        else:
            if verbose:
                table.write(f"Running on world: {item.path}\n")
            outcome = table.play(world, item)
        _write(lines, outcome)
        outcomes.append(outcome)
    return outcomes


def _write(lines: TextIO | None, outcome: "Outcome") -> None:
    if lines is not None:
        lines.write(outcome.line() + "\n")
        lines.flush()


def _play_random_world(player: "Player", *, manual: bool, debug: bool) -> None:
    from surefoot.arena.minai import WorldFile
    from surefoot.compat.minai_display import world_result
    from surefoot.minesweeper.bulk import game_rng
    from surefoot.minesweeper.formats.minai import generate, parse_level

    world = generate(parse_level("beginner"), game_rng(player.seed, 0))
    outcome = _Table(player, manual=manual, debug=debug).play(
        world, WorldFile(Path("random"), 0, Path("random.record"))
    )
    _say_what_failed(outcome)
    sys.stdout.write(f"Your AI scored: {outcome.score}\n{world_result(outcome.score)}")


def _say_what_failed(outcome: "Outcome") -> None:
    if outcome.error is not None:
        say(f"ended by {outcome.end}: {outcome.error}")


def _fresh_seed() -> int:
    import secrets

    return secrets.randbits(32)


class _Table:
    """Where worlds are played one at a time, on show if that is wanted, by an agent or a person."""

    def __init__(self, player: "Player", *, manual: bool, debug: bool) -> None:
        # While an agent plays, sys.stdout takes what it prints.
        self._out, self._in = sys.stdout, sys.stdin
        self._player = player
        self._manual = manual
        self._on_show = manual or debug

    def write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def ask(self, prompt: str) -> str:
        self.write(prompt)
        line = self._in.readline()
        if not line:
            raise EOFError
        return line

    def play(self, world: "World", item: "WorldFile") -> "Outcome":
        from surefoot.compat.minai import play_world
        from surefoot.compat.minai_display import Display

        display = Display(self.write, self.ask, manual=self._manual) if self._on_show else None
        if self._manual:
            run = play_world(world, _Person(self), display)
        else:
            run = self._player.play(world, item.number, display)
        if display is not None:
            display.finish(run.game)
        return self._player.settle(item, run)


class _Person:
    """The human player, who is asked as the original asks."""

    def __init__(self, table: _Table) -> None:
        self._table = table

    def act(self, observation: "Observation") -> "Action":
        """Ask for a move; the end of the input leaves the game."""
        from surefoot.compat.minai import NotAMove
        from surefoot.minesweeper.actions import LEAVE, Action, Kind
        from surefoot.minesweeper.formats.minai import to_cell

        kinds = {"u": Kind.UNCOVER, "f": Kind.FLAG, "n": Kind.UNFLAG}
        try:
            letter = self._table.ask("Enter an action: ").strip().lower()
            if letter == "l":
                return LEAVE
            x = int(self._table.ask("Enter the X coordinate of the tile: ")) - 1
            y = int(self._table.ask("Enter the Y coordinate of the tile: ")) - 1
        except EOFError:
            self._table.write("\n")
            return LEAVE
        except ValueError:
            raise NotAMove("a coordinate is a number") from None
        if letter not in kinds:
            raise NotAMove(f"{letter[:20]!r} is not L, U, F or N")
        return Action(kinds[letter], to_cell(x, y, observation.height))
