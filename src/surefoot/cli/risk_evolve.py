"""``surefoot risk evolve``: learn the weights of the agent ``alphabeta``, and look at how that went."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.errors import FormatError

from .output import announce_kernels, print_json, progress, say

if TYPE_CHECKING:
    from surefoot.arena.evolve import Outcome, Progress
    from surefoot.risk.evolution import Settings, Winner

app = typer.Typer(rich_markup_mode=None)

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
"""The exit code after Ctrl-C, as shells have it."""


def _option(words: str, usual: str, metavar: str = "N", name: str | None = None) -> Any:
    """An option that is a setting of the run; ``usual`` is what a new run has without it."""
    names = () if name is None else (name,)
    return typer.Option(*names, metavar=metavar, help=f"{words}  [default: {usual}]")


@app.callback(invoke_without_command=True)
def evolve(
    context: typer.Context,
    out: Annotated[
        Path | None, typer.Option(metavar="RUN", help="The run's folder: new, or with --resume an old one.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in RUN; start one if there is none.")
    ] = False,
    seed: Annotated[int | None, _option("The same seed gives the same run.", "0", "S")] = None,
    workers: Annotated[int, typer.Option(min=1, metavar="W", help="How many processes play.")] = 1,
    method: Annotated[
        str | None, _option("The document's algorithm, or CMA-ES.", "genetic", "genetic|cma")
    ] = None,
    generations: Annotated[int | None, _option("Generations that are played.", "4; 40 of cma")] = None,
    population: Annotated[int | None, _option("Genes.", "100; 10 of cma")] = None,
    tournaments: Annotated[int | None, _option("Tournaments in a generation.", "10; 1 of cma")] = None,
    size: Annotated[int | None, _option("Genes in a tournament, in which every pair plays.", "10")] = None,
    survivors: Annotated[int | None, _option("The best of each tournament that may be parents.", "3")] = None,
    crossovers: Annotated[int | None, _option("Children that are the average of two.", "12")] = None,
    mutants: Annotated[int | None, _option("Children with one weight drawn anew.", "3")] = None,
    weights: Annotated[str | None, _option("The range of a weight.", "0,10", "LOW,HIGH", "--range")] = None,
    depth: Annotated[int | None, _option("Edges that the agent looks ahead.", "5")] = None,
    targets: Annotated[
        str | None,
        _option("Attack all neighbours, or of each territory only the weakest.", "all", "all|best"),
    ] = None,
    worldmap: Annotated[str | None, _option("The map.", "grid-6x6", "MAP", "--map")] = None,
    rules: Annotated[str | None, _option("The rules.", "document", "RULES")] = None,
    round_cap: Annotated[int | None, _option("Rounds after which a game has no winner.", "100")] = None,
    opponents: Annotated[
        list[str] | None,
        _option(
            "A further player, whom each gene of a tournament meets once; may be repeated.", "none", "AGENT"
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn the weights of alphabeta by self-play.

    A run that was broken off, or killed, goes on with --resume and ends as if nothing had happened.
    """
    options: dict[str, Any] = {
        "method": method,
        "seed": seed,
        "population": population,
        "tournaments": tournaments,
        "size": size,
        "survivors": survivors,
        "crossovers": crossovers,
        "mutants": mutants,
        "generations": generations,
        "map": worldmap,
        "rules": rules,
        "round_cap": round_cap,
        "depth": depth,
        "targets": targets,
    }
    given = {name: value for name, value in options.items() if value is not None}
    if context.invoked_subcommand is not None:
        if out is not None or resume or as_json or weights or opponents or given:
            raise FormatError(f"options for {context.invoked_subcommand} go after that word")
        return
    if out is None:
        raise FormatError("--out RUN is needed: the folder that keeps the run")
    if weights is not None:
        given["low"], given["high"] = _range(weights)
    if opponents:
        given["opponents"] = tuple(opponents)
    try:
        _run(out, given, resume, workers, as_json)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped; the same command with --resume goes on with {out}") from None


def _run(out: Path, given: Mapping[str, Any], resume: bool, workers: int, as_json: bool) -> None:
    from surefoot.arena.evolve import evolve as learn
    from surefoot.arena.evolve_folder import begin
    from surefoot.arena.evolve_player import SelfPlay

    with begin(out, given, resume=resume) as folder:
        settings = folder.settings
        player = SelfPlay.of(settings, folder.world)
        announce_kernels()
        player.warm_up()
        with progress(settings.total, "generation 1") as bar:

            def tell(so_far: "Progress") -> None:
                say(_line(so_far, settings))
                bar.describe(f"generation {so_far.generation + 1}, best fitness {so_far.highest:.3f}")

            outcome = learn(folder, player, workers=workers, on_games=bar.advance, on_generation=tell)
    if outcome.played:
        say(f"{outcome.played} games in {outcome.seconds:.1f} s")
    if as_json:
        rest = {"method": settings.method, "seed": settings.seed, "run": str(out), "played": outcome.played}
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
    """Draw fitness and weights over the generations of a run, as PNG and SVG."""
    from surefoot.arena.evolve import recorded, summary
    from surefoot.arena.evolve_folder import read
    from surefoot.arena.plots import evolution_figures, save

    folder = read(run)
    settings = folder.settings
    history = recorded(folder)
    if not history:
        raise FormatError(f"{run}: no generation is complete yet")
    files = save(evolution_figures(settings, history), run / "report" if out is None else out)
    generations = [summary(number, each) for number, each in enumerate(history, 1)]
    if as_json:
        print_json(
            {
                "run": str(run),
                "method": settings.method,
                "seed": settings.seed,
                "finished": len(history) == settings.generations,
                "generations": generations,
                "files": [str(file) for file in files],
            }
        )
        return
    lines = [f"{settings.method}, seed {settings.seed}: {len(history)} of {settings.generations} generations"]
    lines.append("generation  games  capped  best fitness  median  weights of the best")
    for each in generations:
        lines.append(
            f"{each['generation']:>10}  {each['games']:>5}  {each['capped']:>6}  {each['best']:>12.3f}  "
            f"{each['median']:>6.3f}  {_weights(each['gene'])}"
        )
    typer.echo("\n".join([*lines, *map(str, files)]))


app.command()(report)


def _range(text: str) -> tuple[float, float]:
    if re.fullmatch(f"{_NUMBER},{_NUMBER}", text, re.ASCII) is None:
        raise FormatError(f"--range is LOW,HIGH, such as 0,10, not {text[:40]!r}")
    low, high = map(float, text.split(","))
    return low, high


def _line(so_far: "Progress", settings: "Settings") -> str:
    return (
        f"generation {so_far.generation} of {settings.generations}: best fitness {_fitness(so_far.best)} "
        f"({so_far.highest:.3f} so far), weights {_weights(so_far.best.gene)}, "
        f"{so_far.capped} of {so_far.games} games capped"
    )


def _told(outcome: "Outcome", settings: "Settings", out: Path) -> str:
    found = outcome.winner
    games = sum(each.games for each in outcome.generations)
    capped = sum(each.capped for each in outcome.generations)
    return "\n".join(
        [
            f"{settings.method} on {settings.map}, rules {settings.rules}, depth {settings.depth}, "
            f"seed {settings.seed}: {settings.generations} generations",
            f"weights  {_weights(found.gene)}",
            f"fitness  {_fitness(found)}",
            f"games    {games}, {capped} of them capped after {settings.round_cap} rounds",
            f"run      {out}",
        ]
    )


def _fitness(found: "Winner") -> str:
    if found.fitness is None:
        return "not played: the mean of what was learned"
    return f"{found.fitness:.3f} in {found.games} games"


def _weights(gene: Any) -> str:
    from surefoot.risk.evolution import FEATURES

    return ", ".join(f"{name} {float(weight):.3f}" for name, weight in zip(FEATURES, gene))
