"""Whether an answer is a challenge that stands in front of the page. For pages that were saved; a fetch that meets one gives no report."""

import re

from findable.capture.response import Headers

LOOKED_AT_BYTES = 65_536
HEADERS = ("cf-mitigated", "x-amzn-waf-action", "x-vercel-mitigated")
CHALLENGE = "challenge"
_TITLES = re.compile(
    rb"<title>\s*(Just a moment\.\.\.|Attention Required! \| Cloudflare|Vercel Security Checkpoint|DDoS-Guard|"
    rb"Sucuri WebSite Firewall - Access Denied|Making sure you(?:&#39;|')re not a bot!)\s*</title>",
    re.IGNORECASE,
)


def wall_marker(headers: Headers, body: bytes) -> str:
    """The header or title that only a challenge carries; empty where there is none."""
    for name in HEADERS:
        if (headers.first(name) or "").strip().lower() == CHALLENGE:
            return f"{name}: {CHALLENGE}"
    found = _TITLES.search(body[:LOOKED_AT_BYTES])
    return found[1].decode("ascii", "replace") if found else ""
