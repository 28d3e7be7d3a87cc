"""What is answered when a request is refused or fails: one line, as JSON to programs, as a page to people."""

from html import escape
from typing import Final

from starlette.responses import HTMLResponse, JSONResponse, Response

from .refusals import Code, Refused

STATUS: Final[dict[Code, int]] = {
    "bad-message": 422,
    "too-large": 413,
    "not-legal": 422,
    "no-session": 404,
    "too-many": 429,
    "too-slow": 408,
    "too-complex": 422,
    "starting": 408,
    "fault": 500,
}
"""The HTTP status of each kind of refusal."""

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Surefoot</title>
<link rel="stylesheet" href="/theme.css">
<link rel="stylesheet" href="/static/api/docs.css">
<main class="refusal">
<h1>{title}</h1>
<p>{detail}</p>
<p><a href="/">Open Surefoot</a></p>
</main>
</html>
"""
_TITLES = {
    401: "A token, please",
    403: "Not from here",
    404: "Nothing here",
    405: "Not that way",
    413: "Too large",
    500: "A mistake of ours",
}


def refusal(path: str, status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """The answer to a request for ``path``: JSON ``{"detail": ...}`` to programs, a small page to people."""
    if path in ("/api", "/ws") or path.startswith("/api/"):
        return JSONResponse({"detail": detail}, status, headers)
    words = detail[:1].upper() + detail[1:]
    page = _PAGE.format(title=escape(_TITLES.get(status, "That did not work")), detail=escape(words))
    return HTMLResponse(page, status, headers)


def refused(path: str, refusal_: Refused) -> Response:
    """The answer to a request that was refused."""
    headers = {"Retry-After": "5"} if refusal_.code == "starting" else None
    return refusal(path, STATUS[refusal_.code], refusal_.message, headers)
