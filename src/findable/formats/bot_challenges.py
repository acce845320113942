"""Detect bot challenges: pages that bot protection serves instead of the requested one.

A normal page that loads a captcha for its form, or the script of a bot manager, has none of the markers; markers that normal pages can have
count only on a short page or with a status that refuses.
"""

import re

from msgspec import Struct

from findable import urls
from findable.capture.response import Headers, Response
from findable.lazy_pattern import lazy_pattern
from findable.values import read_data

SEARCHED_BYTES = 65_536
HEADERS = ("cf-mitigated", "x-amzn-waf-action", "x-vercel-mitigated")
CHALLENGE = "challenge"
_TITLE = lazy_pattern(rb"<title>([^<]*)</title>", re.IGNORECASE)
CHALLENGE_MAX_WORDS = 120
_REFUSING = frozenset({401, 403, 405, 406, 429, 503, 520, 999})


class _Challenge(Struct, frozen=True):
    """A bot challenge, recognized by texts in lower case: its whole title, or marks anywhere.

    ``alone``: the texts occur on no normal short page of any status. A ``pattern`` must match too, except beside a title; the marks are
    searched first, at a hundredth of its cost.
    """

    name: str
    titles: frozenset[str] = frozenset()
    marks: tuple[str, ...] = ()
    alone: bool = False
    pattern: str = ""

    def matches(self, titles: frozenset[str], text: str) -> bool:
        has_mark = any(mark in text for mark in self.marks)
        return bool(self.titles & titles) or (has_mark and re.search(self.pattern, text, re.ASCII) is not None)


_CHALLENGES = read_data(__package__, "bot_challenges", tuple[_Challenge, ...])
_TITLES = frozenset[str]().union(*(challenge.titles for challenge in _CHALLENGES))
_CHALLENGE_HEADERS = (
    ("cf-mitigated", "challenge", "Cloudflare"),
    ("x-amzn-waf-action", "challenge", "AWS WAF"),
    ("x-amzn-waf-action", "captcha", "AWS WAF"),
    ("x-vercel-mitigated", "challenge", "Vercel"),
    ("x-datadome", "protected", "DataDome"),
)

_CONSENT_HOSTS = lazy_pattern(r"^(?:consent\.(?:google|youtube|yahoo)\.[a-z.]+|guce\.[a-z0-9.-]+|consent\.yahoo\.[a-z.]+)$")

_UNSEEN_ELEMENTS = (b"script", b"style", b"noscript", b"template", b"svg")

_TAG = lazy_pattern(rb"<[^>]*>?")


def challenge_marker(headers: Headers, body: bytes) -> str:
    """Return the header or title that identifies a response as a bot challenge; empty if it is none."""
    for name in HEADERS:
        if (headers.first(name) or "").strip().lower() == CHALLENGE:
            return f"{name}: {CHALLENGE}"
    return next((title for title in _titles(body[:SEARCHED_BYTES]) if title.lower() in _TITLES), "")


def _titles(body: bytes) -> list[str]:
    return [title.strip().decode("ascii", "replace") for title in _TITLE.findall(body)]


def challenge_of(response: Response) -> str:
    """Return the product that served a challenge or a consent page instead of the page; empty if none did."""
    for name, value, who in _CHALLENGE_HEADERS:
        if (response.headers.first(name) or "").strip().lower() == value and (who != "DataDome" or response.status in _REFUSING):
            return who
    consent = _consent_host(response)
    if consent:
        return consent
    if len(response.body) > SEARCHED_BYTES:
        return ""  # challenge pages are shorter
    text = response.body.lower()
    searched, titles = text.decode("latin-1"), frozenset(_titles(text))
    is_refusal = response.status in _REFUSING
    found = next((challenge for challenge in _CHALLENGES if (challenge.alone or is_refusal) and challenge.matches(titles, searched)), None)
    return found.name if found is not None and ((is_refusal and found.alone) or _is_short(text)) else ""


def _is_short(text: bytes) -> bool:
    """Return whether the text has few words: a challenge page has a sentence or two."""
    for name in _UNSEEN_ELEMENTS:
        first, *rest = text.split(b"<" + name)
        text = first + b" ".join(part.partition(b"</" + name)[2] for part in rest)
    return len(_TAG.sub(b" ", text).split()) <= CHALLENGE_MAX_WORDS


def _consent_host(response: Response) -> str:
    """Return the consent service that the request was redirected to; empty if none."""
    host = urls.host_of(response.final_url)
    return host if host != urls.host_of(response.requested_url) and _CONSENT_HOSTS.match(host) else ""
