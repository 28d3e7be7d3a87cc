"""The application: the page, its files, the socket and the REST API."""

import asyncio
import hashlib
import logging
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from surefoot import __version__, theme
from surefoot.errors import Contradiction, FormatError, IllegalAction, RulesError, TooComplex

from . import answers, warm
from .about import About, Problem
from .about import about as about_games
from .arena.runs import Runs
from .hub import Hub
from .lanes import Lanes
from .refusals import Refused, in_words
from .safety import Safety
from .settings import Settings
from .socket import Doorman

STATIC = Path(__file__).parent / "static"

_SWEEP_SECONDS = 300.0
"""How often games that nobody needs are looked for."""
_log = logging.getLogger(__name__)
_REFUSALS = (Refused, FormatError, RulesError, IllegalAction, Contradiction, TooComplex)


def create_app(
    settings: Settings | None = None,
    lanes: Lanes | None = None,
    prepare: Callable[[Lanes], Awaitable[None]] | None = None,
) -> FastAPI:
    """The page's server as an ASGI application.

    Args:
        settings: where it listens, and who may come in.
        lanes: the worker processes; they are ended with the application.
        prepare: what has to be done before games can be played.
    """
    settings = settings or Settings()
    lanes = lanes or Lanes(settings.lanes)
    app = FastAPI(
        title="Surefoot",
        version=__version__,
        summary="Analysis, proofs, odds, win chances, replays and studies of Minesweeper and Risk.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(prepare or warm.get_ready),
    )
    app.state.settings = settings
    app.state.lanes = lanes
    app.state.hub = Hub(lanes)
    app.state.runs = Runs(settings.store)
    app.state.ready = asyncio.Event()
    app.state.doorman = Doorman(app.state.hub, app.state.ready)
    app.add_middleware(Safety, settings=settings)
    _add_refusals(app)
    _add_api(app)
    _add_page(app)
    return app


def _lifespan(
    prepare: Callable[[Lanes], Awaitable[None]],
) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(_get_ready(app, prepare)), asyncio.create_task(_sweep(app.state.hub))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            app.state.runs.close()
            app.state.hub.close()
            app.state.lanes.close()

    return lifespan


async def _get_ready(app: FastAPI, prepare: Callable[[Lanes], Awaitable[None]]) -> None:
    try:
        await prepare(app.state.lanes)
    except Exception:
        # What is not loaded now is loaded when it is first used.
        _log.exception("getting ready did not go well")
    app.state.ready.set()


async def _sweep(hub: Hub) -> None:
    while True:
        await asyncio.sleep(_SWEEP_SECONDS)
        hub.close_idle()


def _add_refusals(app: FastAPI) -> None:
    async def refused(request: Request, error: Exception) -> Response:
        return answers.refused(request.url.path, in_words(error))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return answers.refusal(request.url.path, 422, _first_fault(error))

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 400:  # FastAPI's own, for a body that is no text
            return answers.refusal(request.url.path, 422, "the request's body is not JSON in UTF-8")
        words = {
            404: f"there is nothing at {request.url.path[:80]}",
            405: f"{request.method} is not for {request.url.path[:80]}",
        }
        detail = words.get(error.status_code, str(error.detail))
        headers = dict(error.headers) if error.headers else None
        return answers.refusal(request.url.path, error.status_code, detail, headers)

    for kind in _REFUSALS:
        app.add_exception_handler(kind, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)


def _first_fault(error: RequestValidationError) -> str:
    fault = error.errors()[0]
    place = ".".join(str(part) for part in fault["loc"] if part != "body" and len(str(part)) <= 40)
    words = " ".join(str(fault["msg"]).split())[:200]
    return f"{place}: {words}" if place else words


async def _needs_kernels(request: Request) -> None:
    """Questions that are worked out have to wait until the kernels are there."""
    if request.method == "POST":
        await warm.wait_until(request.app.state.ready)


def _add_api(app: FastAPI) -> None:
    from .arena.api import router as arena
    from .minesweeper.api import router as minesweeper
    from .risk.api import router as risk

    problems: dict[int | str, dict[str, Any]] = {
        status: {"model": Problem, "description": words}
        for status, words in (
            (403, "another page or host asks"),
            (404, "there is no such thing"),
            (408, "it took too long, or the server is still getting ready"),
            (413, "it is too large"),
            (422, "it cannot be read, or cannot be"),
        )
    }
    api = APIRouter(prefix="/api", responses=problems, dependencies=[Depends(_needs_kernels)])
    api.include_router(minesweeper, prefix="/minesweeper", tags=["Minesweeper"])
    api.include_router(risk, prefix="/risk", tags=["Risk"])
    api.include_router(arena, prefix="/arena", tags=["The arena"])

    @api.get("/about", tags=["The server"])
    def about(request: Request) -> About:
        """What the server has: presets, maps, rules, agents, and its limits."""
        return about_games(ready=request.app.state.ready.is_set())

    @api.get("/sessions/{key}/record", tags=["The server"], response_class=Response)
    async def record(key: str, request: Request) -> Response:
        """A game of the page as text, to be saved."""
        session = request.app.state.hub.get(key)
        name = f'attachment; filename="{session.game}.txt"'
        return Response(
            session.record(), media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name}
        )

    app.include_router(api)


class _Files(StaticFiles):
    """Files that a browser keeps, but asks about each time: they change with the program."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _add_page(app: FastAPI) -> None:
    # A system's own table may say otherwise, and browsers run no module of another type.
    mimetypes.add_type("text/javascript", ".js")
    files = _Files(directory=STATIC)

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(request: Request) -> Response:
        return await files.get_response("index.html", request.scope)

    @app.api_route("/api/docs", methods=["GET", "HEAD"], include_in_schema=False)
    async def docs(request: Request) -> Response:
        return await files.get_response("api/index.html", request.scope)

    @app.api_route("/theme.css", methods=["GET", "HEAD"], include_in_schema=False)
    async def theme_css(request: Request) -> Response:
        text, tag = _theme()
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(text, media_type="text/css; charset=utf-8", headers=headers)

    @app.websocket("/ws")
    async def socket(socket: WebSocket) -> None:
        await socket.app.state.doorman.serve(socket)

    app.mount("/static", files)


@cache
def _theme() -> tuple[str, str]:
    text = theme.css()
    return text, f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
