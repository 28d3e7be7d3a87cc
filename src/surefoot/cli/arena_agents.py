"""``surefoot arena check-agent``: does an agent play by the rules?"""

from typing import TYPE_CHECKING, Annotated

import typer

from .agent import GameOption
from .output import announce_kernels, print_json, progress

if TYPE_CHECKING:
    from surefoot.arena.conformance import Breach, Report

_LONGEST_SHOWN = 40
"""Lines of an observation that are shown; JSON has all of it."""


def check_agent(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="The agent, such as my.py:Mine or 'cmd:node bot.js'.")
    ],
    game: GameOption = "minesweeper",
    act: Annotated[
        float, typer.Option(metavar="SECONDS", help="For one move of a program, by the clock.")
    ] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Play awkward games and report every breach of rules or protocol; the exit code is 1 if there is one."""
    from surefoot.protocol.dialects import dialect

    dialect(game)
    from surefoot.arena.conformance import cases, check
    from surefoot.protocol.limits import PlayLimits
    from surefoot.spec import parse

    found, limits = parse(spec, game), PlayLimits(act=act)
    announce_kernels()
    with progress(len(cases(game)), "awkward games") as bar:
        report = check(found, limits=limits, on_case=lambda case: bar.advance())
    if as_json:
        print_json(report.as_dict())
    else:
        typer.echo(_told(report))
    if report.breaches:
        raise typer.Exit(1)


def _told(report: "Report") -> str:
    width = max(len(case.name) for case in report.cases)
    lines = [
        f"{'BREACH' if case.breach else 'ok':6}  {case.name:{width}}  {case.outcome}, {case.moves} moves"
        for case in report.cases
    ]
    for breach in report.breaches:
        lines += ["", *_breach(breach)]
    passed = len(report.cases) - len(report.breaches)
    return "\n".join(
        [*lines, "", f"{passed} of {len(report.cases)} awkward games of {report.game} without a breach"]
    )


def _breach(breach: "Breach") -> list[str]:
    seen = breach.observation.splitlines()
    more = [f"    ... {len(seen) - _LONGEST_SHOWN} more lines"] if len(seen) > _LONGEST_SHOWN else []
    return [
        f"{breach.case}, move {breach.move}: {breach.what}",
        "  seen",
        *(f"    {line[:200]}" for line in seen[:_LONGEST_SHOWN]),
        *more,
        "  answered",
        f"    {'nothing' if breach.answer is None else breach.answer[:200]}",
    ]
