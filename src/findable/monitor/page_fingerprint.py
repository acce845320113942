"""Fingerprint of a page for comparison with its last full run: status, redirects, body, relevant headers and robots.txt lines."""

from hashlib import blake2b

import msgspec

from findable import __version__
from findable.artifacts.tables.bots import BOTS
from findable.capture.response import ProbeResponse, Response
from findable.formats.robots_txt import RobotsTxt
from findable.reports.scoring import RULESET

CHECKED_HEADERS = ("x-robots-tag", "link", "content-type", "content-language")
"""Headers that concern the page itself."""
FINGERPRINT_BYTES = 16
FULL_AFTER_S = 7 * 86_400 - 3600
"""Time after which links, assets and TLS are checked again, even if the page is unchanged."""


def fingerprint(response: Response, robots_txt: ProbeResponse, project_settings: str) -> bytes:
    """Return a digest of everything that an unchanged page has in common with its last full run, and of Findable's version."""
    rules = RobotsTxt.parse(robots_txt.body) if robots_txt.ok else None
    decisions = []
    for bot in BOTS:
        decided = rules.decide((bot.token.lower(),), response.final_url) if rules else None
        decisions.append((decided.allowed, decided.rule) if decided else None)
    parts = (
        __version__,
        RULESET,
        project_settings,
        [(hop.url, hop.status, hop.location) for hop in response.hops],
        blake2b(response.body).digest(),
        response.decoded_bytes,
        [response.headers.all(name) for name in CHECKED_HEADERS],
        robots_txt.status,
        robots_txt.failure.value,
        decisions,
    )
    return blake2b(msgspec.msgpack.encode(parts), digest_size=FINGERPRINT_BYTES).digest()
