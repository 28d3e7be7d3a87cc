"""``surefoot warmup``: compile every kernel now rather than at the first use."""

import time
from typing import Annotated

import typer

from .output import announce_kernels, print_json, progress


def warmup(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Compile every kernel for this machine; that happens once."""
    from surefoot import _jit
    from surefoot.arena.warmup import jobs

    announce_kernels()
    begun = time.perf_counter()
    work = jobs()
    with progress(len(work), "compiling") as bar:
        for name, job in work.items():
            bar.describe(name)
            job()
            bar.advance()
    seconds = time.perf_counter() - begun
    if as_json:
        print_json({"seconds": round(seconds, 3), "cache": str(_jit.cache_dir())})
    else:
        typer.echo(f"every kernel is ready after {seconds:.1f} s, kept in {_jit.cache_dir()}")
