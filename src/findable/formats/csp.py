"""Parse Content-Security-Policy and match source lists (CSP 3, sections 2.2 and 6.7.2)."""

import re
from collections.abc import Mapping, Sequence

from findable.lazy_pattern import lazy_pattern
from findable.urls import DEFAULT_PORTS, Url

MAX_POLICY_CHARS = 50_000

Directives = Mapping[str, tuple[str, ...]]
"""Lower-case name to source list as written; the first of a repeated directive counts."""

_HOST = lazy_pattern(r"(?:([a-z][a-z0-9+.-]*)://)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d+|\*))?(/.*)?", re.IGNORECASE)
_ANY_SITE = lazy_pattern(r"\*|https?:|(?:https?://)?\*(?::\*|:\d+)?/?", re.IGNORECASE)


def parse_policy_list(text: str) -> list[tuple[str, Directives]]:
    """Parse the comma-separated policies of one header line or meta, each with its text; empty ones are dropped."""
    found: list[tuple[str, Directives]] = []
    for policy in text[:MAX_POLICY_CHARS].split(","):
        directives: dict[str, tuple[str, ...]] = {}
        for directive in policy.split(";"):
            name, *values = directive.split() or [""]
            if name:
                directives.setdefault(name.lower(), tuple(values))
        if directives:
            found.append((policy.strip(), directives))
    return found


def allows_any_site(sources: Sequence[str]) -> bool:
    """Return whether a source list allows every host of the web, at least over https."""
    return any(_ANY_SITE.fullmatch(source) for source in sources)


def matches(sources: Sequence[str], url: Url, own: Url) -> bool:
    """Return whether a source list of the page ``own`` allows a URL."""
    return any(_matches_source(source.lower(), url, own) for source in sources)


def _matches_source(source: str, url: Url, own: Url) -> bool:
    if source == "*":
        return url.is_http or url.scheme == own.scheme
    if source == "'self'":
        return url.origin == own.origin or (
            url.host == own.host and _matches_scheme(own.scheme, url.scheme) and _has_default_ports(url, own)
        )
    if source.endswith(":"):
        return _matches_scheme(source[:-1], url.scheme)
    found = _HOST.fullmatch(source)
    if found is None:
        return False
    scheme, host, port, path = found.groups()
    return (
        _matches_scheme(scheme or own.scheme, url.scheme)
        and (host in ("*", url.host) or (host.startswith("*.") and url.host.endswith(host[1:])))
        and (port == "*" or url.port == (int(port) if port else DEFAULT_PORTS.get(url.scheme)))
        and (not path or path == "/" or (url.path.startswith(path) if path.endswith("/") else url.path == path))
    )


def _matches_scheme(allowed: str, scheme: str) -> bool:
    return allowed == scheme or (allowed, scheme) == ("http", "https")


def _has_default_ports(url: Url, own: Url) -> bool:
    return url.port == DEFAULT_PORTS.get(url.scheme) and own.port == DEFAULT_PORTS.get(own.scheme)
