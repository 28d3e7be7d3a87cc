"""``surefoot minesweeper``: evaluate, analyze, explain, replay."""

import math
import sys
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.errors import FormatError

from .output import announce_kernels, grid, naming, print_json, progress, read_text, say

if TYPE_CHECKING:
    from surefoot.arena.minesweeper import Evaluation
    from surefoot.minesweeper.actions import Cell
    from surefoot.minesweeper.analysis import Analysis
    from surefoot.minesweeper.game import Game
    from surefoot.minesweeper.observation import Observation
    from surefoot.minesweeper.rules import Level, Preset
    from surefoot.minesweeper.win_probability import WinProbability

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
PositionFile = Annotated[str, typer.Argument(metavar="FILE", help="Position text; - reads stdin.")]


def evaluate(
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", help="A name, FILE.py:Class or module:Class, then :option=value,..."),
    ],
    rules: Annotated[
        str,
        typer.Option(
            metavar="PRESET",
            help="Board and rules: minai-easy, minai-beginner, minai-intermediate, minai-expert, cs50, "
            "beginner, intermediate or expert.",
        ),
    ],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same games.")] = 0,
    workers: Annotated[int, typer.Option(min=1, metavar="W", help="How many processes play.")] = 1,
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Another size; needs --mines.")] = None,
    mines: Annotated[int | None, typer.Option(min=0, metavar="M", help="Another number of mines.")] = None,
    first_click: Annotated[
        str | None, typer.Option(metavar="any|safe|opening", help="What the first cell is sure to be.")
    ] = None,
    start: Annotated[
        str | None, typer.Option(metavar="agent|random|R,C", help="Who opens the first cell, or which it is.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let an agent play many games and tell how it fared."""
    from surefoot.arena.minesweeper import evaluate as play
    from surefoot.arena.play import stdout_kept_clean
    from surefoot.spec import parse

    spec = parse(agent)
    level, switches = _board(rules, size, mines, first_click, start)
    with stdout_kept_clean():
        spec.load()
    announce_kernels()
    with progress(games, str(spec)) as bar:
        evaluation = play(
            spec, level, switches, games=games, seed=seed, workers=workers, on_progress=bar.advance
        )
    warn_of_failures(evaluation)
    if as_json:
        print_json(evaluation.as_dict() | {"rules": rules, "switches": str(switches)})
    else:
        typer.echo(_told(evaluation, rules))


def warn_of_failures(evaluation: "Evaluation") -> None:
    """Show on stderr the first exception of an agent, and how many games it lost by its own fault."""
    from surefoot.minesweeper.bulk import Forfeit

    faults = [
        f"{evaluation.ends[name]} {name}"
        for name in (forfeit.name.lower() for forfeit in Forfeit)
        if name in evaluation.ends
    ]
    if faults:
        why = f"; first: {evaluation.warning}" if evaluation.warning else ""
        say(f"warning: {evaluation.agent} did not finish all its games ({', '.join(faults)}){why}")


def _board(
    name: str, size: str | None, mines: int | None, first_click: str | None, start: str | None
) -> "Preset":
    from surefoot.minesweeper.rules import Preset, parse_start, preset

    level, rules = preset(name)
    if size is not None:
        if mines is None:
            raise FormatError("--size needs --mines")
        level = read_size(size, mines)
    elif mines is not None:
        level = replace(level, mines=mines)
    changes: dict[str, Any] = {}
    if first_click is not None:
        changes["first_click"] = first_click
    if start is not None:
        changes["start"] = parse_start(start)
    rules = replace(rules, **changes)
    rules.check(level)
    return Preset(level, rules)


def read_size(size: str, mines: int) -> "Level":
    """The board of ``--size`` and ``--mines``.

    Raises:
        FormatError: the size is not WxH.
        RulesError: there is no such board.
    """
    from surefoot.minesweeper.rules import Level

    try:
        return Level.parse(f"{size}x{mines}")
    except FormatError:
        raise FormatError(f"--size is WxH, such as 30x16, not {size[:40]!r}") from None


def _told(evaluation: "Evaluation", rules: str) -> str:
    level = evaluation.level
    low, high = (100 * bound for bound in evaluation.ci95)
    ends = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in evaluation.ends.items())
    guesses = evaluation.guesses_per_game
    return "\n".join(
        [
            f"{evaluation.agent} on {rules}: {level.width}x{level.height}, {level.mines} mines, "
            f"{evaluation.games} games of seed {evaluation.seed}",
            f"won      {evaluation.won}: {100 * evaluation.rate:.2f} % (95 %: {low:.2f} to {high:.2f})",
            f"score    {evaluation.score}",
            f"guesses  {'not counted' if guesses is None else f'{guesses:.2f} a game'}",
            f"ends     {ends}",
            f"time     {evaluation.seconds:.2f} s, {evaluation.cpu_seconds:.2f} CPU-s; "
            f"before that {evaluation.startup_cpu_seconds:.2f} CPU-s to start",
        ]
    )


def analyze(file: PositionFile, as_json: JsonOption = False) -> None:
    """Show a position's mine probabilities, what is certain, the guesses weighed, and the best cell."""
    from surefoot.minesweeper.analysis import analyze as study
    from surefoot.minesweeper.win_probability import probability_or_none

    observation = _position(file)
    announce_kernels()
    with naming(file):
        analysis = study(observation)
        win = probability_or_none(observation)
    if as_json:
        print_json(
            {
                "probabilities": [
                    [None if math.isnan(chance) else chance for chance in row]
                    for row in analysis.probabilities.tolist()
                ],
                "safe": analysis.safe,
                "mines": analysis.mines,
                "best": analysis.best,
                "why": analysis.why,
                "log10_layouts": analysis.log10_layouts,
                **analysis.guesses_as_dict(),
                "win_probability": None if win is None else win.as_dict(),
            }
        )
    else:
        typer.echo("\n".join([_shown(analysis), *_weighed(analysis, win)]))


def _shown(analysis: "Analysis") -> str:
    observation = analysis.observation
    safe, mines = set(analysis.safe), set(analysis.mines)

    def letters(cell: "Cell") -> str:
        if observation.cells[cell] >= 0:
            return str(observation.cells[cell])
        if cell in safe or cell in mines:
            return "ok" if cell in safe else "**"
        # Rounding must not make a chance look like certainty.
        percent = 100 * float(analysis.probabilities[cell])
        return "<1%" if percent < 1 else ">99" if percent > 99 else f"{percent:.0f}%"

    rows = [[letters((row, col)) for col in range(observation.width)] for row in range(observation.height)]
    return "\n".join(
        [
            grid(rows),
            "",
            "0-8 open, ok safe, ** a mine, % chance of a mine",
            f"safe     {cells_text(analysis.safe)}",
            f"mines    {cells_text(analysis.mines)}",
            _wrapped(f"best     {cells_text([analysis.best] if analysis.best else [])}: {analysis.why}"),
            f"layouts  10^{analysis.log10_layouts:.2f}",
        ]
    )


def _weighed(analysis: "Analysis", win: "WinProbability | None") -> list[str]:
    """The chance to win, the guesses that were weighed, and what else a player should know of them."""
    lines = []
    if win is not None:
        lines.append(f"win      {win.value:.1%}{', exact' if win.exact else f' ± {win.error:.1%}'}")
    guesses = analysis.guesses
    if guesses.candidates:
        lines.append(f"guesses  {'cell':>7}  {'safe':>6}  {'leads on':>8}  {'wins':>6}")
        for one in guesses.candidates:
            figures = f"{one.safety:6.1%}  {one.progress:8.1%}  {one.win_chance:6.1%}"
            lines.append(f"         {cells_text([one.cell]):>7}  {figures}")
    tossed = {cell for toss in analysis.tosses if toss.unavoidable for cell in toss.cells}
    waiting = [cell for cell in guesses.dead if cell not in tossed]
    if waiting:
        lines.append(
            _wrapped(f"dead     {cells_text(waiting)}: a number there tells nothing, so they can wait")
        )
    lines += [_wrapped(f"50/50    {toss.in_words()}") for toss in analysis.tosses]
    return lines


def _wrapped(line: str) -> str:
    return textwrap.fill(line, 80, subsequent_indent=" " * 9)


def cells_text(cells: "list[Cell]") -> str:
    """Cells as ``R,C``, or ``none``."""
    return " ".join(f"{row},{col}" for row, col in cells) or "none"


def explain(
    file: PositionFile,
    cell: Annotated[str, typer.Option(metavar="R,C", help="Row and column, from 0,0 at the top left.")],
    as_json: JsonOption = False,
) -> None:
    """Prove that a cell is safe or a mine, step by step, or say that nothing is proved."""
    from surefoot.minesweeper.explain import explain as prove
    from surefoot.minesweeper.rules import parse_start

    observation = _position(file)
    try:
        place = parse_start(cell)
    except FormatError:
        place = "agent"
    if isinstance(place, str):
        raise FormatError(f"--cell is R,C, such as 3,4, not {cell[:40]!r}")
    if not (place[0] < observation.height and place[1] < observation.width):
        raise FormatError(f"--cell {cell} is not on the {observation.width}x{observation.height} board")
    announce_kernels()
    with naming(file):
        explanation = prove(observation, place)
    if as_json:
        print_json(explanation.as_dict())
    else:
        typer.echo(str(explanation))


def replay(
    file: Annotated[str, typer.Argument(metavar="RECORD", help="A game's record; - reads stdin.")],
    move: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Only as it stood after N moves.")
    ] = None,
    all_moves: Annotated[
        bool, typer.Option("--all", help="All moves at once, without waiting for Enter between them.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded game step by step, with what its agent said."""
    from surefoot.minesweeper.record import Record

    text = read_text(file)
    announce_kernels()
    with naming(file):
        record = Record.parse(text)
    count = len(record.actions)
    if move is not None and move > count:
        raise FormatError(f"--move {move}: the record has {count} moves")
    wait = not all_moves and move is None and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    steps: list[dict[str, Any]] = []
    for number, (action, game) in enumerate(record.replay()):
        if move is not None and number != move:
            continue
        # Words said before an action belong to it; those after the last stand with the last position.
        notes = [record.notes[at] for at in _notes_at(number, count) if at in record.notes]
        if as_json:
            steps.append(
                {
                    "move": number,
                    "action": None if action is None else str(action),
                    "notes": notes,
                    "position": str(game.observation()),
                    "end": game.end.name.lower(),
                }
            )
        else:
            title = f"move {number} of {count}: {action}" if action else f"start of {count} moves"
            typer.echo("\n".join([title, *_quoted(notes), _seen(game), ""]))
            if wait and number < count and input("Enter for the next move, q to stop: ").strip() == "q":
                return
    if as_json:
        print_json({"moves": count, "end": record.end.name.lower(), "steps": steps})


def _notes_at(number: int, count: int) -> list[int]:
    before = [number - 1] if number else []
    return [*before, count] if number == count else before


def _quoted(notes: list[str]) -> list[str]:
    return [f"; {line}" for note in notes for line in note.split("\n")]


def _seen(game: "Game") -> str:
    """The board as the player sees it, and once the game is over how it ended and the truth."""
    shown = _letters(game.observation())
    if not game.over:
        return grid(shown)
    truth = str(game.board).split("\n")[1:]
    legend = "H hides no mine, I a mine; F is a right flag, O a wrong one"
    return "\n".join([grid(truth), f"{game.outcome.name.lower()} ({game.end.name.lower()}); {legend}"])


def _letters(observation: "Observation") -> list[str]:
    return str(observation).split("\n")[1:]


def _position(file: str) -> "Observation":
    from surefoot.minesweeper.observation import Observation

    text = read_text(file)
    with naming(file):
        return Observation.parse(text)


HELP = "Minesweeper: many games, positions, proofs, records and worlds."
COMMANDS = (evaluate, analyze, replay, explain)
