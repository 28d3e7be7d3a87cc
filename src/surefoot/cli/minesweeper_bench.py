"""``surefoot minesweeper bench-decisions``: what an agent's guesses are worth, told in minutes."""

from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.errors import FormatError

from .minesweeper import JsonOption
from .output import announce_kernels, print_json, progress, say

if TYPE_CHECKING:
    from surefoot.minesweeper.decisions import Decision, Judgement


def bench_decisions(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT...", help="Whose choices are judged; none: decisions are only kept."),
    ] = None,
    decisions: Annotated[int, typer.Option(min=1, metavar="N", help="How many decisions.")] = 200,
    layouts: Annotated[
        int, typer.Option(min=2, metavar="L", help="On how many layouts each candidate is played out.")
    ] = 200,
    rules: Annotated[str, typer.Option(metavar="PRESET", help="Board and rules.")] = "expert",
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The games they come from.")] = 0,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="Where decisions are kept; what is missing is added."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Judge guesses: every candidate is opened on the same layouts, and `expert` plays on."""
    from surefoot.minesweeper.decisions import judge
    from surefoot.spec import parse

    specs = [parse(label) for label in agents or []]
    for spec in specs:
        spec.load()
    announce_kernels()
    found = _decisions(decisions, layouts, rules, seed, keep)
    judged: dict[str, Judgement] = {}
    for spec in specs:
        with progress(len(found), str(spec)) as bar:
            judged[str(spec)] = judge(partial(spec.make, seed), found, bar.advance)
    if as_json:
        print_json(
            {
                "rules": rules,
                "seed": seed,
                "layouts": layouts,
                "decisions": len(found),
                "agents": {label: _as_dict(judgement) for label, judgement in judged.items()},
            }
        )
        return
    typer.echo(
        f"{len(found)} decisions of {rules}, {layouts} layouts each; gain over `expert`'s first choice"
    )
    for label, judgement in judged.items():
        typer.echo(
            f"{label:<12} {100 * judgement.gain:+.2f} ±{100 * judgement.error:.2f} points a decision, "
            f"the same cell in {judgement.same}"
        )
        for low, high, count, gain, error in judgement.stages:
            if count:
                upto = f"{low} to {high - 1}" if high < 1 << 30 else f"{low} or more"
                typer.echo(f"  {upto} open: {count} decisions, {100 * gain:+.2f} ±{100 * error:.2f}")


def _decisions(count: int, layouts: int, rules: str, seed: int, keep: Path | None) -> list["Decision"]:
    """The decisions of the file, and more of the same if they are too few."""
    from surefoot.minesweeper.decisions import collect, load, save
    from surefoot.minesweeper.rules import preset

    note = f"{rules}, seed {seed}, {layouts} layouts"
    found: list[Decision] = []
    if keep is not None and keep.exists():
        found, kept = load(keep)
        if kept != note:
            raise FormatError(f"{keep} keeps other decisions: {kept}, not {note}")
    board = preset(rules)
    if len(found) < count:
        first = found[-1].game + 1 if found else 0
        more = collect(board.level, board.rules, seed, first, layouts)
        with progress(count - len(found), "decisions") as bar:
            for decision in islice(more, count - len(found)):
                found.append(decision)
                bar.advance()
        if keep is not None:
            save(keep, found, note)
            say(f"{len(found)} decisions are kept in {keep}")
    return found[:count]


def _as_dict(judgement: "Judgement") -> dict[str, Any]:
    return {
        "gain": judgement.gain,
        "error": judgement.error,
        "same": judgement.same,
        "stages": [
            {"open": [low, high - 1], "decisions": count, "gain": gain, "error": error}
            for low, high, count, gain, error in judgement.stages
        ],
    }
