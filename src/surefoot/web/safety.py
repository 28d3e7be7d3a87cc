"""Who may speak to the server, how much they may say, and what a browser may do with the answers.

Browsers let any page send requests to any address, the user's own machine among them. Three things keep such
a page out: the ``Host`` has to be the server's own (a name of theirs may point here), the ``Origin`` of what
changes anything has to be the page itself, and the Content-Security-Policy lets nothing foreign run.
"""

import asyncio
import hmac
import logging
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .answers import refusal
from .limits import BODY_SECONDS, MAX_FRAME, MAX_HEADER, MAX_MESSAGE
from .refusals import FAULT
from .settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""On every answer."""

_HARMLESS = ("GET", "HEAD", "OPTIONS")
_log = logging.getLogger(__name__)


class Safety:
    """Stands before the application, for requests and sockets alike."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request or socket through, or refuse it in words."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            refused = self._refuse(scope)
            if refused is None:
                await self._app(scope, receive, send)
            else:
                await _deny(refused, scope, receive, send)
            return
        guarded = _Guarded(send)
        try:
            refused = self._refuse(scope)
            if refused is None:
                body = await _body_of(scope, receive)
                if body is None:
                    return
                if isinstance(body, Response):
                    refused = body
                else:
                    receive = _replay(body, receive)
            await (refused or self._app)(scope, receive, guarded)
        except Exception:
            _log.exception("%s %s", scope["method"], scope["path"])
            if not guarded.begun:
                await refusal(scope["path"], 500, FAULT)(scope, receive, guarded)

    def _refuse(self, scope: Scope) -> Response | None:
        """Why this one may not come in, as an answer; None lets it in."""
        headers, path = Headers(scope=scope), scope["path"]
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MAX_HEADER:
            return refusal(path, 431, f"the request's headers have more than {MAX_HEADER:,} bytes")
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self._settings.allows_host(host):
            return refusal(path, 403, f"this server is not called {host[:80]!r}; it is {self._settings.url}")
        foreign = [origin for origin in headers.getlist("origin") if not _same(origin, host)]
        if foreign and (scope["type"] == "websocket" or scope["method"] not in _HARMLESS):
            return refusal(path, 403, f"another page ({foreign[0][:80]}) may not do this")
        return self._ask_for_token(scope, headers) if self._settings.token else None

    def _ask_for_token(self, scope: Scope, headers: Headers) -> Response | None:
        path = scope["path"]
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == "token"]
        if given and scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            if not self._is_token(given):
                return refusal(path, 401, "that is not this server's access token")
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            # A path of two slashes would be read as another server's address.
            answer = RedirectResponse("/" + path.lstrip("/\\") + (f"?{rest}" if rest else ""), 303)
            answer.set_cookie(self._cookie, self._settings.token or "", httponly=True, samesite="strict")
            return answer
        bearer = [text[7:] for text in headers.getlist("authorization") if text[:7].lower() == "bearer "]
        if self._is_token([*bearer, *_cookies(headers.getlist("cookie"), self._cookie)]):
            return None
        words = "this server asks for its access token: open the link that it printed when it started"
        return refusal(path, 401, words, {"WWW-Authenticate": "Bearer"})

    @property
    def _cookie(self) -> str:
        # Cookies do not tell ports apart; two servers on one machine must not disturb each other.
        return f"surefoot-{self._settings.port}"

    def _is_token(self, given: Iterable[str]) -> bool:
        token = (self._settings.token or "").encode()
        return any(hmac.compare_digest(text.encode(), token) for text in given)


class _Guarded:
    """Sends an answer with the headers that all have."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)


async def _deny(answer: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a socket before it is opened, in words if the server can."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    answer.headers.update(HEADERS)
    await answer(scope, receive, send)


def _same(origin: str, host: str) -> bool:
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _cookies(lines: Iterable[str], name: str) -> list[str]:
    found = []
    for line in lines:
        try:
            cookies = SimpleCookie(line)
        except CookieError:
            continue
        if name in cookies:
            found.append(cookies[name].value)
    return found


async def _body_of(scope: Scope, receive: Receive) -> bytes | Response | None:
    """The body of a request, the answer to one that is too large or too slow, or None if the client left.

    What is too large is read on for a while and thrown away: a client that is still sending would see a
    broken connection rather than the answer.
    """
    path, parts, length = scope["path"], [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message: dict[str, Any] = dict(await receive())
                if message["type"] == "http.disconnect":
                    return None
                part = message.get("body", b"")
                length += len(part)
                if length <= MAX_MESSAGE:
                    parts.append(part)
                else:
                    parts.clear()
                if length > MAX_FRAME or not message.get("more_body", False):
                    break
    except TimeoutError:
        return refusal(path, 408, f"the request did not arrive within {BODY_SECONDS:g} seconds")
    if length > MAX_MESSAGE:
        return refusal(path, 413, f"the request's body has more than {MAX_MESSAGE:,} bytes")
    return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that tells a body which was read before."""
    told = False

    async def replay() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
