"""``surefoot risk train``: teach the value of a position, and look at how that went."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.errors import FormatError

from .output import announce_kernels, print_json, progress, say

if TYPE_CHECKING:
    from surefoot.arena.train import Outcome, Progress
    from surefoot.risk.learning import Reliability, Settings

app = typer.Typer(rich_markup_mode=None)

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def _option(words: str, usual: str, metavar: str = "N", name: str | None = None) -> Any:
    """An option that is a setting of the run; ``usual`` is what a new run has without it."""
    names = () if name is None else (name,)
    return typer.Option(*names, metavar=metavar, help=f"{words}  [default: {usual}]")


@app.callback(invoke_without_command=True)
def train(
    context: typer.Context,
    out: Annotated[
        Path | None, typer.Option(metavar="RUN", help="The run's folder: new, or with --resume an old one.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in RUN; start one if there is none.")
    ] = False,
    seed: Annotated[int | None, _option("The same seed gives the same run.", "0", "S")] = None,
    workers: Annotated[int, typer.Option(min=1, metavar="W", help="How many processes play.")] = 1,
    rounds: Annotated[
        int | None, _option("How often games are played and a network is fitted to all so far.", "3")
    ] = None,
    games: Annotated[int | None, _option("Games of a round.", "20000")] = None,
    samples: Annotated[int | None, _option("Positions of a game, at the most.", "3")] = None,
    players: Annotated[
        str | None,
        _option(
            "Who is drawn for the seats; one that stands there twice is twice as likely, here and below.",
            "scripted styles",
            "AGENT,AGENT...",
        ),
    ] = None,
    worldmap: Annotated[str | None, _option("The maps.", "mostly classic", "MAP,MAP...", "--map")] = None,
    rules: Annotated[
        str | None, _option("The rules.", "standard, modern and some variants", "RULES,RULES...")
    ] = None,
    seats: Annotated[str | None, _option("How many play.", "2,2,2,3,3,4,5,6,6,6", "N,N...")] = None,
    round_cap: Annotated[
        int | None, _option("Rounds after which a game has no winner, and teaches nothing.", "200")
    ] = None,
    units: Annotated[int | None, _option("Units of the network; 0 for a linear one.", "16")] = None,
    decay: Annotated[
        float | None, _option("Weight of the squares of the network's weights.", "0.0005", "X")
    ] = None,
    epochs: Annotated[int | None, _option("Epochs of a fit, at the most.", "20")] = None,
    patience: Annotated[int | None, _option("Epochs without gain that end a fit.", "6")] = None,
    as_json: JsonOption = False,
) -> None:
    """Teach the value of a position of Risk by games that agents play.

    RUN/value.json is the network that comes out. A run that was broken off, or killed, goes on with --resume
    and ends as if nothing had happened.
    """
    options: dict[str, Any] = {
        "seed": seed,
        "rounds": rounds,
        "games": games,
        "samples": samples,
        "players": None if players is None else _agents(players),
        "map": None if worldmap is None else _listed(worldmap),
        "rules": None if rules is None else _listed(rules),
        "seats": None if seats is None else _numbers(seats),
        "round_cap": round_cap,
        "units": units,
        "decay": decay,
        "epochs": epochs,
        "patience": patience,
    }
    given = {name: value for name, value in options.items() if value is not None}
    if context.invoked_subcommand is not None:
        if out is not None or resume or as_json or given:
            raise FormatError(f"options for {context.invoked_subcommand} go after that word")
        return
    if out is None:
        raise FormatError("--out RUN is needed: the folder that keeps the run")
    try:
        _run(out, given, resume, workers, as_json)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped; the same command with --resume goes on with {out}") from None


def _run(out: Path, given: Mapping[str, Any], resume: bool, workers: int, as_json: bool) -> None:
    from surefoot.arena.train import train as learn
    from surefoot.arena.train import warm_up
    from surefoot.arena.train_folder import begin

    with begin(out, given, resume=resume) as folder:
        settings = folder.settings
        announce_kernels()
        warm_up(folder)
        with progress(settings.rounds * settings.games, "round 1") as bar:

            def tell(so_far: "Progress") -> None:
                if so_far.epoch:
                    bar.describe(
                        f"round {so_far.round}, epoch {so_far.epoch} of {settings.epochs}, "
                        f"loss {so_far.judged:.4f}"
                    )
                else:
                    say(_line(so_far, settings))
                    bar.describe(f"round {so_far.round + 1}")

            outcome = learn(folder, workers=workers, on_games=bar.advance, on_progress=tell)
    if outcome.played:
        say(f"{outcome.played} games, and all fits, in {outcome.seconds:.1f} s")
    if as_json:
        rest = {"seed": settings.seed, "run": str(out), "played": outcome.played}
        print_json(outcome.as_dict() | rest | {"workers": workers, "seconds": round(outcome.seconds, 3)})
    else:
        typer.echo(_told(outcome, settings, out))


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, finished or not.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the figures go; RUN/report unless given."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the losses of a run and the reliability of its last network, as PNG and SVG."""
    from surefoot.arena.plots import save, training_figures
    from surefoot.arena.train import gathered, recorded, reliabilities
    from surefoot.arena.train_folder import read

    folder = read(run)
    settings = folder.settings
    fits = recorded(folder)
    if not fits:
        raise FormatError(f"{run}: no round is complete yet")
    found = reliabilities(fits[-1], gathered(folder, len(fits)))
    if not found:
        raise FormatError(f"{run}: no game of 2, 3 or 6 players is held out, which the report is about")
    files = save(training_figures(fits, found), run / "report" if out is None else out)
    if as_json:
        print_json(
            {
                "run": str(run),
                "seed": settings.seed,
                "finished": len(fits) == settings.rounds,
                "rounds": [{"losses": [list(pair) for pair in fit.losses], "best": fit.best} for fit in fits],
                "reliability": {str(players): each.as_dict() for players, each in found.items()},
                "files": [str(file) for file in files],
            }
        )
        return
    lines = [f"seed {settings.seed}: {len(fits)} of {settings.rounds} rounds"]
    lines.append("round  epochs  best  loss learned from  held out")
    for number, fit in enumerate(fits, 1):
        taught, judged = fit.losses[fit.best - 1]
        lines.append(f"{number:>5}  {len(fit.losses):>6}  {fit.best:>4}  {taught:>17.4f}  {judged:>8.4f}")
    typer.echo("\n".join([*lines, *_gaps(found), *map(str, files)]))


app.command()(report)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _agents(text: str) -> tuple[str, ...]:
    """Agents between commas; one before ``option=`` belongs to the agent before it."""
    return tuple(re.split(r",(?!\w+=)", text))


def _numbers(text: str) -> tuple[int, ...]:
    if re.fullmatch(r"[0-9]{1,3}(,[0-9]{1,3})*", text) is None:
        raise FormatError(f"--seats is numbers of players, such as 2,3,6, not {text[:40]!r}")
    return tuple(map(int, text.split(",")))


def _line(so_far: "Progress", settings: "Settings") -> str:
    return (
        f"round {so_far.round} of {settings.rounds}: loss {so_far.judged:.4f} in games held out, "
        f"{so_far.taught:.4f} in those learned from"
    )


def _told(outcome: "Outcome", settings: "Settings", out: Path) -> str:
    last = outcome.fits[-1]
    return "\n".join(
        [
            f"seed {settings.seed}: {settings.rounds} rounds of {settings.games} games, "
            f"{outcome.positions} positions",
            f"loss     {last.losses[last.best - 1][1]:.4f} nats a position, games held out",
            *_gaps(outcome.reliability),
            f"network  {out / 'value.json'}",
        ]
    )


def _gaps(found: "Mapping[int, Reliability]") -> list[str]:
    return [
        f"{players} players  loss {each.loss:.4f}, mean absolute gap {100 * each.gap:.2f} points "
        f"({each.counts.sum()} chances held out)"
        for players, each in found.items()
    ]
