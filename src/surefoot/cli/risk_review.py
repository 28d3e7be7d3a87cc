"""``surefoot risk review``: what each decision of a recorded game cost, and what the dice did."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from .output import announce_kernels, naming, print_json, progress, read_text
from .risk import JsonOption, OwnMapOption, own_map

if TYPE_CHECKING:
    from surefoot.risk.verdicts import Review

_WORST = 5
_SAMPLES = 128  # as in surefoot.risk.review, which is not loaded for the help


def review(
    file: Annotated[str, typer.Argument(metavar="RECORD", help="A game's record; - reads stdin.")],
    samples: Annotated[
        int, typer.Option(min=2, metavar="N", help="Samples that each decision is measured on.")
    ] = _SAMPLES,
    seat: Annotated[
        int | None, typer.Option(min=0, metavar="S", help="Weigh the decisions of this seat only.")
    ] = None,
    worldmap: OwnMapOption = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="The same seed gives the same review.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Tell the decisions that cost a recorded game most, what luck did, and where it turned."""
    from surefoot.risk.decisions import cut
    from surefoot.risk.record import Record
    from surefoot.risk.review import review as study

    text, world = read_text(file), own_map(worldmap)
    announce_kernels()
    with naming(file):
        record = Record.parse(text, world)
        seats = None if seat is None else [seat]
        stretches = [] if record.rules.fog else cut(record).stretches
        asked = [one for part in stretches for one in part.decisions if seat in (None, one.before.turn)]
        with progress(len(asked), "weighing decisions") as bar:
            found = study(record, samples, seats, seed, lambda done, total: bar.advance())
    if as_json:
        print_json({"map": record.worldmap.name, "rules": str(record.rules), "seed": seed} | found.as_dict())
    else:
        typer.echo("\n".join(_told(found)))


def _told(found: "Review") -> Iterator[str]:
    if not found.turns:
        yield "no turn has been played yet"
        return
    players = range(len(found.turns[0].before))
    yield "round  player  loss    luck  " + "  ".join(f"{f'P{seat}':>5}" for seat in players) + "  after it"
    for turn in found.turns:
        chances = "  ".join(f"{100 * chance:>4.0f}%" for chance in turn.after)
        if turn.seat is None:
            who, loss, luck = "all", sum(turn.losses), 0.0
        else:
            who, loss, luck = str(turn.seat), turn.losses[turn.seat], turn.luck[turn.seat]
        name = "start" if turn.seat is None else str(turn.round)
        worst = f"  {turn.worst[0].played}" if turn.worst else ""
        yield f"{name:>5}  {who:>6}  {_points(-loss):>4}  {_points(luck):>6}  {chances}{worst}"
    if found.turning_points:
        yield "\nturning points"
        for point in found.turning_points:
            when = f"round {point.round}, player {point.seat}, move {point.move + 1}"
            yield f"{_points(point.change):>5}  {when}: {point.text}"
    if found.worst:
        yield "\nworst decisions"
        for one in found.worst[:_WORST]:
            when = f"round {one.round}, player {one.seat}, move {one.move + 1}"
            yield f"{_points(-one.loss):>5}  {when}: {one.played}\n       {one.why}"
    yield "\nplayer  turns  first  last    loss  a turn  gifts   luck  others'   rest"
    for its in found.seats:
        figures = (its.gifts, its.luck, its.others_luck, its.rest)
        yield (
            f"{its.seat:>6}  {its.turns:>5}  {100 * its.first:>4.0f}%  {100 * its.last:>3.0f}%"
            f"  {_points(-its.loss):>6}  {100 * its.mean_loss:>6.1f}  "
            + "  ".join(f"{_points(figure):>5}" for figure in figures)
        )


def _points(change: float) -> str:
    """A change of a chance, in hundredths, with its sign; nothing for none."""
    points = round(100 * change)
    return f"{points:+d}" if points else "."
