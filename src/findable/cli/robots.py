"""`findable robots`: show whether a robots.txt allows a crawler to fetch a URL, and which line decides."""

import asyncio
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from findable.api.options import Access
from findable.api.targets import fetcher_for, identity_of, typed_url
from findable.capture.response import ProbeResponse
from findable.cli.command_settings import load_settings
from findable.cli.exit_codes import NOT_LOADED
from findable.cli.terminal import clean, print_json
from findable.errors import SettingError
from findable.formats.robots_txt import RobotsTxt
from findable.reports.page_error_text import response_sentence
from findable.urls import Url

ALLOWED, DISALLOWED = 0, 1
"""Exit codes."""
MAX_BYTES = 512_000
ANY_ORIGIN = "https://example.com"
"""Origin put before a path: rules only concern paths."""


def robots(
    file_or_url: str,
    page_url: str,
    /,
    *,
    agent: str = "Googlebot",
    format_: Annotated[Literal["text", "json"], Parameter(name="--format")] = "text",
    access: Access | None = None,
) -> int:
    """Show whether a robots.txt allows a URL, and which line decides (RFC 9309, Google's matching). Exits 1 if it does not.

    Exits 3 if robots.txt could not be loaded, because crawlers then fetch nothing.

    Args:
        file_or_url: A robots.txt file, its URL, or the URL of a site's home page.
        page_url: The requested URL, or its path: /cart.
        agent: Product token of the crawler.
        format_: text for people, json for programs.
    """
    page = typed_url(f"{ANY_ORIGIN}{page_url}" if page_url.startswith("/") else page_url)
    body, remark = b"", ""
    if "://" in file_or_url:
        response = asyncio.run(_fetch(typed_url(file_or_url), access or Access()))
        if response.ok:
            body = response.body
        elif _is_missing(response):
            remark = f"robots.txt returned status {response.status}, which crawlers treat as no rules"
        else:
            sys.stderr.write(f"findable: {clean(response.url)} could not be read. {clean(response_sentence(response))}\n")
            return NOT_LOADED
    else:
        body = _read(Path(file_or_url))
    decision = RobotsTxt.parse(body).decide((agent,), page.href)
    if format_ == "json":
        print_json({"allowed": decision.allowed, "line": decision.line, "rule": decision.rule})
    else:
        word = "allowed" if decision.allowed else "disallowed"
        print(f"{word}: line {decision.line}: {clean(decision.rule)}" if decision.line else f"{word}: {remark or 'no rule applies'}")
    return ALLOWED if decision.allowed else DISALLOWED


def _is_missing(response: ProbeResponse) -> bool:
    """Return whether the status of a response means that there is no robots.txt, so that all URLs are allowed (RFC 9309).

    These are the 4xx codes except 429, which Google treats as a server error.
    """
    return 400 <= response.status < 500 and response.status != HTTPStatus.TOO_MANY_REQUESTS  # noqa: PLR2004 - 4xx


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        hint = "" if path.exists() else "; a URL begins with https:// or http://"
        raise SettingError(str(path), f"cannot be read: {error.strerror}{hint}") from error


async def _fetch(typed: Url, access: Access) -> ProbeResponse:
    url = typed_url(f"{typed.origin}/robots.txt") if typed.path_and_query == "/" else typed
    async with fetcher_for(access, load_settings(), [url]) as fetcher:
        return await fetcher.request(url.href, body_cap_bytes=MAX_BYTES, identity=identity_of(access, url))
