"""``surefoot serve``: the page, in the browser."""

from typing import Annotated, Literal

import typer

from .arena import StoreOption
from .output import say

_LEVELS = Literal["critical", "error", "warning", "info", "debug"]


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8000,
    host: Annotated[
        str,
        typer.Option(
            help="The address to listen on. If others can reach it, they need an access token, "
            "which is printed once."
        ),
    ] = "127.0.0.1",
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    store: StoreOption = None,
    log_level: Annotated[_LEVELS, typer.Option(help="How much is told on stderr.")] = "warning",
) -> None:
    """Play, watch, analyse and be advised in the browser, both games; Ctrl-C ends it."""
    import logging
    import secrets
    import sys

    from surefoot.web.server import address, listen, run
    from surefoot.web.settings import Settings, is_loopback

    logging.basicConfig(
        stream=sys.stderr, level=log_level.upper(), format="surefoot: %(levelname)s: %(message)s"
    )
    listener = listen(host, port)
    token = None if is_loopback(host) else secrets.token_urlsafe(18)
    settings = Settings(host=host, port=listener.getsockname()[1], token=token, store=store)

    def announce() -> None:
        say(f"serving on {address(settings)}")
        if open_browser:
            import webbrowser

            webbrowser.open(address(settings))

    run(settings, listener, announce, log_level)
