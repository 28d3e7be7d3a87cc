"""``surefoot agent``: an agent of ours for somebody else's host."""

import os
from typing import Annotated

import typer

from .output import announce_kernels

GameOption = Annotated[str, typer.Option(metavar="minesweeper|risk", help="Which game it plays.")]


def agent(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The agent, such as exact or my.py:Mine.")],
    game: GameOption = "minesweeper",
) -> None:
    """Let an agent play over standard input and output, one JSON object a line: see docs/protocol.md."""
    # What the agent or a library prints goes to stderr, also from below Python, and nobody else reads stdin.
    with os.fdopen(os.dup(1), "wb") as sink, os.fdopen(os.dup(0), "rb") as source:
        os.dup2(2, 1)
        os.close(0)
        os.open(os.devnull, os.O_RDONLY)
        from surefoot.protocol.dialects import dialect
        from surefoot.protocol.server import Server, rehearse, serve
        from surefoot.spec import last_line, parse

        dialect(game)
        found = parse(spec, game)
        found.load()
        if found.place is None:
            announce_kernels()
            rehearse(game, found.make)
        serve(Server(game, found.make, str(found), last_line), source, sink)
