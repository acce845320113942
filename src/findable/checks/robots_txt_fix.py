"""Fixes of robots.txt."""

from collections.abc import Iterable

from findable.checks.page_fix import Fix, FixPlace
from findable.urls import parse


def robots_txt_fixes(agents: Iterable[str], url: str) -> list[Fix]:
    """Return groups that allow the URL's path to these product tokens; groups of one token are merged (RFC 9309, 2.2.1)."""
    parsed = parse(url)
    path = f"{parsed.path}{'?' + parsed.query if parsed.query else ''}" if parsed else "/"
    return [Fix(f"User-agent: {agent}\nAllow: {path}", FixPlace.ROBOTS_TXT) for agent in dict.fromkeys(agents) if agent]
