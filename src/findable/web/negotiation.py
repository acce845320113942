"""Content negotiation: the pages of reports, sites and checks return Markdown to clients that prefer it."""

import re
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

MARKDOWN = "text/markdown"
_FILES = ((re.compile(r"/[rs]/[^/]+"), "/report.md"), (re.compile(r"/docs/checks/[^/.]+"), ".md"))
_QUALITY = re.compile(r"q=([01](?:\.\d{0,3})?)", re.IGNORECASE)
_MAX_CHARS = 2000


def prefers_markdown(accept: str) -> bool:
    """Return whether a client accepts Markdown explicitly and does not prefer HTML (RFC 9110 section 12.5.1)."""
    found: dict[str, float] = {}
    for part in accept[:_MAX_CHARS].lower().split(","):
        kind, *parameters = part.split(";")
        match = next(filter(None, map(_QUALITY.fullmatch, map(str.strip, parameters))), None)
        found[kind.strip()] = float(match[1]) if match else 1.0
    return found.get(MARKDOWN, 0) > 0 and found[MARKDOWN] >= found.get("text/html", 0)


class Negotiation:
    """ASGI middleware that routes requests for Markdown to the Markdown file of a page."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, with the path of the page's Markdown file if the client prefers Markdown."""
        ending = _ending_of(scope)
        if not ending:
            await self._application(scope, receive, send)
            return

        async def send_on(message: Any) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).add_vary_header("Accept")
            await send(message)

        if prefers_markdown(Headers(scope=scope).get("accept", "")):
            scope["path"] += ending
        await self._application(scope, receive, send_on)


def _ending_of(scope: Scope) -> str:
    if scope["type"] != "http" or scope["method"] != "GET":
        return ""
    return next((ending for pattern, ending in _FILES if pattern.fullmatch(scope["path"])), "")
