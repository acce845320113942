"""`findable robots`: may this agent fetch that address, and which line says so?"""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from findable.artifacts.robots_txt import RobotsTxt
from findable.cli.requests import Request, fetcher_for, typed_url
from findable.errors import SettingError
from findable.settings import Settings

ALLOWED, DISALLOWED = 0, 1
MAX_BYTES = 512_000
ANY_ORIGIN = "https://example.com"
"""Stands before a path: rules speak of paths only."""


def robots(
    file_or_url: str,
    page_url: str,
    /,
    *,
    agent: Annotated[str, Parameter(help="Product token of the crawler.")] = "Googlebot",
    format_: Annotated[Literal["text", "json"], Parameter(name="--format", help="text for people, json for programs.")] = "text",
    request: Request | None = None,
) -> int:
    """Say whether a robots.txt allows an address, and by which line (RFC 9309, Google's matching). Exits 1 where it does not.

    FILE_OR_URL may be the first page of a site: its /robots.txt is read then. PAGE_URL may be a path: ``/cart``.
    """
    body = asyncio.run(_fetch(file_or_url, request or Request())) if "://" in file_or_url else _read(Path(file_or_url))
    page = typed_url(f"{ANY_ORIGIN}{page_url}" if page_url.startswith("/") else page_url)
    decision = RobotsTxt.parse(body).decide((agent,), page.href)
    if format_ == "json":
        print(json.dumps({"allowed": decision.allowed, "line": decision.line, "rule": decision.rule}, ensure_ascii=False))
    else:
        word = "allowed" if decision.allowed else "disallowed"
        print(f"{word}: line {decision.line}: {decision.rule}" if decision.line else f"{word}: no rule speaks of it")
    return ALLOWED if decision.allowed else DISALLOWED


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingError(str(path), f"cannot be read: {error.strerror}") from error


async def _fetch(text: str, request: Request) -> bytes:
    typed = typed_url(text)
    url = typed_url(f"{typed.origin}/robots.txt") if typed.path_and_query == "/" else typed
    async with fetcher_for(request, Settings.load(), [url]) as fetcher:
        answer = await fetcher.ask(url.href, body_cap_bytes=MAX_BYTES)
    if answer.ok:
        return answer.body
    if 400 <= answer.status < 500:  # noqa: PLR2004 - RFC 9309 2.3.1.3: unavailable, everything may be fetched
        return b""
    raise SettingError(url.href, f"could not be fetched: {answer.detail or answer.status}")
