"""Header lines of requests: credentials are sent only to the origin that they are for."""

from findable.fetch.decode import ACCEPT_ENCODING
from findable.fetch.identity import Identity

PAGE_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
Lines = tuple[tuple[str, str], ...]
"""Header lines as (name, value)."""


def page_lines(url: str, identity: Identity, agent: str, *, with_credentials: bool = True) -> Lines:
    """Return the header lines of a page request; ``agent`` is its user agent unless the identity has one."""
    credentials = identity.lines_for(url) if with_credentials else ()
    introduced_as = (identity.agent_for(url) if with_credentials else None) or agent
    return merge_lines((("User-Agent", introduced_as), ("Accept", PAGE_ACCEPT), ("Accept-Encoding", ACCEPT_ENCODING)), credentials)


def merge_lines(lines: Lines, credentials: Lines, agent: str | None = None) -> Lines:
    """Merge header lines without duplicate names: the credentials win, except over an explicit user agent."""
    kept = tuple(line for line in credentials if agent is None or line[0].lower() != "user-agent")
    given = {name.lower() for name, _ in kept}
    return (*(line for line in lines if line[0].lower() not in given), *kept)
