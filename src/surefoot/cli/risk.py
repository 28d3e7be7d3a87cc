"""``surefoot risk``: evaluate, analyze, replay. The human at the table is in `risk_play`."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.errors import FormatError, TooComplex

from .output import announce_kernels, naming, print_json, progress, read_text, say

if TYPE_CHECKING:
    from surefoot.arena.risk import Evaluation
    from surefoot.risk.analysis import Analysis
    from surefoot.risk.game import Game
    from surefoot.risk.worldmap import WorldMap

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
MapOption = Annotated[
    str, typer.Option("--map", metavar="MAP", help="A shipped map, grid-WxH, or a .toml file.")
]
OwnMapOption = Annotated[
    str | None, typer.Option("--map", metavar="FILE", help="The map that is meant, if it is not shipped.")
]
RulesOption = Annotated[
    str,
    typer.Option(
        metavar="RULES",
        help="standard, modern, document or document-program; then :switch=value;... for what differs.",
    ),
]
_MOST_PLANS = 8
"""Plans that are shown; the JSON has all."""
SeedOption = Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same games.")]


def evaluate(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            help="Two to six: a name, FILE.py:Class or module:Class, then :option=value,...",
        ),
    ],
    worldmap: MapOption = "classic",
    rules: RulesOption = "standard",
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games.")] = 1000,
    seed: SeedOption = 0,
    paired: Annotated[
        bool,
        typer.Option("--paired", help="Play each deal once with each seating, and only then the next one."),
    ] = False,
    workers: Annotated[int, typer.Option(min=1, metavar="W", help="How many processes play.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Let agents play many games against each other; from game to game they move on by one seat."""
    from surefoot.arena.play import stdout_kept_clean
    from surefoot.arena.risk import evaluate as play
    from surefoot.risk.rules import Rules
    from surefoot.risk.worldmap import load
    from surefoot.spec import parse

    specs = [parse(agent, "risk") for agent in agents]
    switches, world = Rules.parse(rules), load(worldmap)
    switches.check(len(specs), len(world.territories))
    with stdout_kept_clean():
        for spec in specs:
            spec.load()
    announce_kernels()
    with progress(games, " v ".join(map(str, specs))) as bar:
        evaluation = play(
            specs,
            world,
            switches,
            games=games,
            seed=seed,
            paired=paired,
            workers=workers,
            on_progress=bar.advance,
        )
    _warn_of_faults(evaluation)
    if as_json:
        print_json(evaluation.as_dict())
    else:
        typer.echo(_told(evaluation))


def _warn_of_faults(evaluation: "Evaluation") -> None:
    faults = [f"{agent} in {count}" for agent, count in zip(evaluation.agents, evaluation.faults) if count]
    if faults:
        say(f"warning: not all games were finished: {', '.join(faults)}; first: {evaluation.warning}")


def _told(evaluation: "Evaluation") -> str:
    paired = ", in pairs" if evaluation.paired else ""
    lines = [
        f"{evaluation.worldmap}, {evaluation.rules}: "
        f"{evaluation.games} games of seed {evaluation.seed}{paired}"
    ]
    width = max(map(len, evaluation.agents))
    for agent, wins in zip(evaluation.agents, evaluation.wins):
        low, high = (100 * bound for bound in wins.ci95)
        lines.append(
            f"{agent:<{width}}  won {wins.n}: {100 * wins.rate:.2f} % (95 %: {low:.2f} to {high:.2f})"
        )
    speed = evaluation.games_per_cpu_second
    lines += [
        f"by seat  {' '.join(map(str, evaluation.wins_by_seat))}",
        f"no win   {evaluation.capped} reached the round cap"
        + (f", {evaluation.forfeited} were given up by all" if evaluation.forfeited else ""),
        f"turns    {evaluation.turns:.1f} a game",
        f"time     {evaluation.seconds:.2f} s, {evaluation.cpu_seconds:.2f} CPU-s"
        + (f" ({speed:.0f} games a CPU-second)" if speed is not None else "")
        + f"; before that {evaluation.startup_cpu_seconds:.2f} CPU-s to start",
    ]
    return "\n".join(lines)


def analyze(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Position text; - reads stdin.")],
    agent: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who gives advice; planner if not given.")
    ] = None,
    worldmap: OwnMapOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Show a position's reinforcements, the odds of every attack, and the move that an agent advises."""
    from surefoot.arena.play import stdout_kept_clean, try_to_make
    from surefoot.risk.agents import STRONGEST
    from surefoot.risk.analysis import analyze as study
    from surefoot.risk.observation import Observation
    from surefoot.spec import last_line, parse

    spec = parse(agent or STRONGEST, "risk")
    text, world = read_text(file), own_map(worldmap)
    announce_kernels()
    with naming(file):
        observation = Observation.parse(text, world)
    adviser: Any = try_to_make(spec, seed)
    try:
        with stdout_kept_clean():
            analysis = study(observation, adviser)
    except (FormatError, TooComplex):
        raise
    except (Exception, SystemExit) as error:
        raise FormatError(f"agent {spec}: {last_line(error)}") from error
    if as_json:
        print_json(_as_dict(analysis, str(spec)))
    else:
        typer.echo(_shown(analysis, str(spec)))


def own_map(name: str | None) -> "WorldMap | None":
    """The map that ``--map`` names, if it does."""
    from surefoot.risk.worldmap import load

    return None if name is None else load(name)


def _as_dict(analysis: "Analysis", adviser: str) -> dict[str, Any]:
    from surefoot.risk.actions import to_text

    seen = analysis.observation
    place = seen.worldmap.key_of
    return {
        "map": seen.worldmap.name,
        "rules": str(seen.rules),
        "seat": seen.seat,
        "turn": seen.turn,
        "round": seen.round,
        "phase": seen.phase.name.lower(),
        "in_hand": seen.to_place,
        "reinforcements": list(analysis.reinforcements),
        "attacks": [
            {
                "source": place(chance.source),
                "target": place(chance.target),
                "attackers": chance.attackers,
                "defenders": chance.defenders,
                "win": chance.win,
                "mean_left": chance.left,
            }
            for chance in analysis.attacks
        ],
        "advice": None if analysis.advice is None else to_text(analysis.advice, seen.worldmap),
        "adviser": adviser,
        "why": analysis.why,
        "plans": [
            {
                "plan": each.words,
                "action": to_text(each.action, seen.worldmap),
                "win": each.win,
                "error": each.error,
            }
            for each in analysis.plans
        ],
    }


def _shown(analysis: "Analysis", adviser: str) -> str:
    from surefoot.risk.actions import to_text

    seen = analysis.observation
    lands = seen.worldmap.territories
    lines = [
        f"{seen.worldmap.name}, {seen.rules}: round {seen.round}, player {seen.turn} to move "
        f"({seen.phase.name.lower()}{f', {seen.to_place} in hand' if seen.to_place else ''})",
        "",
        "player  territories  armies  cards  reinforcements",
    ]
    for seat in range(seen.players):
        counts = seen.territory_counts[seat], seen.army_counts[seat], seen.card_counts[seat]
        lines.append(
            f"{seat:>6}  {counts[0]:>11}  {counts[1]:>6}  {counts[2]:>5}  {analysis.reinforcements[seat]:>14}"
        )
    if analysis.attacks:
        names = [f"{lands[c.source].name} - {lands[c.target].name}" for c in analysis.attacks]
        width = max(map(len, names))
        lines += ["", f"{'attack':<{width}}  fight  v      wins  left"]
        lines += [
            f"{name:<{width}}  {chance.attackers:>5}  {chance.defenders:<3}  {_percent(chance.win):>6}"
            f"  {chance.left:>4.1f}"
            for name, chance in zip(names, analysis.attacks)
        ]
    if analysis.plans:
        names = [each.words for each in analysis.plans[:_MOST_PLANS]]
        width = max(map(len, names))
        lines += ["", f"{'plan':<{width}}  wins     +-     begins with"]
        lines += [
            f"{name:<{width}}  {_percent(each.win):>7}  {100 * each.error:>4.1f}  "
            f"{to_text(each.action, seen.worldmap)}"
            for name, each in zip(names, analysis.plans)
        ]
    advice = "none" if analysis.advice is None else to_text(analysis.advice, seen.worldmap)
    return "\n".join([*lines, "", f"advice   {advice} ({adviser})", f"why      {analysis.why}"])


def _percent(chance: float) -> str:
    """One decimal; rounding never makes a chance look like certainty."""
    if chance < 0.0005:
        return "<0.1 %"
    return ">99.9 %" if chance >= 0.9995 else f"{100 * chance:.1f} %"


def replay(
    file: Annotated[str, typer.Argument(metavar="RECORD", help="A game's record; - reads stdin.")],
    move: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Only as it stood after N moves.")
    ] = None,
    all_moves: Annotated[
        bool, typer.Option("--all", help="All moves at once, without waiting for Enter between the turns.")
    ] = False,
    worldmap: OwnMapOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded game move by move, with what chance brought."""
    from surefoot.risk.record import Record

    text, world = read_text(file), own_map(worldmap)
    announce_kernels()
    with naming(file):
        record = Record.parse(text, world)
    count = len(record.actions)
    if move is not None and move > count:
        raise FormatError(f"--move {move}: the record has {count} moves")
    if move is not None:
        game = record.game(move)
        if as_json:
            print_json({"moves": count, "move": move, "position": str(game.observation())})
        else:
            typer.echo(f"after move {move} of {count}\n\n{game.observation()}", nl=False)
        return
    steps = _steps(record)
    if as_json:
        print_json({"moves": count, "winner": record.winner, "steps": steps})
        return
    wait = not all_moves and sys.stdin.isatty() and sys.stdout.isatty()
    turn = None
    for step in steps:
        if (step["round"], step["seat"]) != turn:
            if wait and turn is not None and input("Enter for the next turn, q to stop: ").strip() == "q":
                return
            turn = step["round"], step["seat"]
            typer.echo(f"round {step['round']}, player {step['seat']}")
        typer.echo("\n".join([*(f"  ; {note}" for note in step["notes"]), f"  {step['text']}"]))
    typer.echo(_ending(record.game()))


def _steps(record: Any) -> list[dict[str, Any]]:
    """The moves, each with who played it in which round, what was said before it, and what it brought."""
    from surefoot.risk import events
    from surefoot.risk.actions import to_text
    from surefoot.risk.events import Event

    steps: list[dict[str, Any]] = []
    before = 0, 0
    for entry, game in record.replay():
        if isinstance(entry, Event):
            if steps:
                steps[-1]["chance"].append(events.to_text(entry, record.worldmap))
        elif entry is not None:
            words = record.notes.get(len(steps), "")
            steps.append(
                {
                    "move": len(steps) + 1,
                    "round": before[0],
                    "seat": before[1],
                    "action": to_text(entry, record.worldmap),
                    "chance": [],
                    "notes": words.split("\n") if words else [],
                }
            )
        before = game.round, game.turn
    for step in steps:
        step["text"] = step["action"] + (f" = {' '.join(step['chance'])}" if step["chance"] else "")
    return steps


def _ending(game: "Game") -> str:
    if game.winner is not None:
        return f"player {game.winner} has won in round {game.round}"
    return f"round {game.round}: {'the last one, and nobody has won' if game.over else 'the game goes on'}"


HELP = "Risk: many games, play at this terminal, positions, odds, records, maps and learning."
COMMANDS = (evaluate, analyze, replay)
