"""Detect bot challenges: pages that bot protection serves instead of the requested one."""

import re

from findable.capture.response import Headers
from findable.lazy_pattern import lazy_pattern

SEARCHED_BYTES = 65_536
HEADERS = ("cf-mitigated", "x-amzn-waf-action", "x-vercel-mitigated")
CHALLENGE = "challenge"
_TITLES = lazy_pattern(
    rb"<title>\s*(Just a moment\.\.\.|Attention Required! \| Cloudflare|Vercel Security Checkpoint|DDoS-Guard|"
    rb"Sucuri WebSite Firewall - Access Denied|Making sure you(?:&#39;|')re not a bot!)\s*</title>",
    re.IGNORECASE,
)


def challenge_marker(headers: Headers, body: bytes) -> str:
    """Return the header or title that identifies a response as a bot challenge; empty if it is none."""
    for name in HEADERS:
        if (headers.first(name) or "").strip().lower() == CHALLENGE:
            return f"{name}: {CHALLENGE}"
    found = _TITLES.search(body[:SEARCHED_BYTES])
    return found[1].decode("ascii", "replace") if found else ""
