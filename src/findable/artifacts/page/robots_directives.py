"""Indexing rules of the page: robots metas (head and body) and X-Robots-Tag headers, combined per crawler, strictest first."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.artifacts.html.markup import Markup
from findable.artifacts.page.head import Head, SentHead
from findable.artifacts.registry import artifact
from findable.artifacts.tables.bots import META_AGENTS
from findable.artifacts.tables.table_file import read_table
from findable.capture.response import Headers, Response
from findable.lazy_pattern import lazy_pattern

MAX_DIRECTIVES = 500
MAX_CONTENT_CHARS = 30_000
TEXT_CHARS = 300
GENERIC = ""
"""Agent of ``<meta name="robots">`` and of header lines without a name: every crawler."""
GOOGLE = ("googlebot",)

VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
PLAIN = read_table("robots_directives", frozenset[str])
"""Rules that a large engine documents today (Google, Bing, Yandex), their harmless opposites, and the common opt-outs from AI training."""
DEAD = frozenset({"noodp", "noydir", "noyaca", "nositelinkssearchbox"})
"""Rules of discontinued services: DMOZ and Yahoo directory (2017), Yandex catalogue (2018), the sitelinks search box (2024)."""

_WEEKDAY = lazy_pattern(r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun)(?:day)?\Z", re.IGNORECASE)
_NAMED = lazy_pattern(r"\s*([A-Za-z0-9_.*-]+)\s*:(.*)\Z", re.DOTALL)


class Directive(Struct, frozen=True):
    """One indexing rule. ``name`` and ``agent`` are lower case."""

    name: str
    value: str
    """Text after its colon, trimmed; empty for plain rules."""
    agent: str
    """Crawler it applies to; GENERIC for all."""
    element: Element | None
    """Meta element; None for a header."""
    header_value: str
    """X-Robots-Tag value as sent, cut at TEXT_CHARS; empty for a meta."""
    follows_comma: bool = True
    """Whether a comma, not only white space, separates it from the previous rule."""

    @property
    def number(self) -> int | None:
        """Value as a number, None if it is not one."""
        return int(self.value[:9]) if re.fullmatch(r"[+-]?\d{1,9}", self.value) else None

    @property
    def moment(self) -> datetime | None:
        """Value as a moment with time zone (RFC 822, RFC 850 or ISO 8601; UTC by default), None if it is not one."""
        return _moment(self.value)


class RobotsDirectives(Struct, frozen=True):
    """Indexing rules in document order, then those of headers; at most MAX_DIRECTIVES of metas and of headers each."""

    all: tuple[Directive, ...]
    is_cut: bool = False
    """Whether further metas may exist, in an unreceived part of the body or beyond MAX_DIRECTIVES."""

    def for_agents(self, *agents: str) -> list[Directive]:
        """Return the rules for a crawler with one of these lower-case names: its specific and the generic rules, which Google combines."""
        return [item for item in self.all if item.agent == GENERIC or item.agent in agents]

    def first(self, names: Sequence[str], *agents: str) -> Directive | None:
        """Return the first rule with one of the names for a crawler with one of these names; None if there is none."""
        return next((item for item in self.for_agents(*agents) if item.name in names), None)

    def noindex(self, *agents: str) -> Directive | None:
        """Return the rule that keeps the page out of a crawler's index: ``noindex`` or ``none``; None if there is none."""
        return self.first(("noindex", "none"), *agents)

    def nofollow(self, *agents: str) -> Directive | None:
        """Return the rule that a crawler should not follow the page's links: ``nofollow`` or ``none``; None if there is none."""
        return self.first(("nofollow", "none"), *agents)

    def expiry(self, *agents: str) -> Directive | None:
        """Return the ``unavailable_after`` rule with the earliest valid date; None if there is none."""
        dated = [item for item in self.for_agents(*agents) if item.name == "unavailable_after" and item.moment]
        return min(dated, key=lambda item: item.moment or datetime.max.replace(tzinfo=UTC), default=None)

    def shortest_snippet(self, *agents: str) -> Directive | None:
        """Return the ``nosnippet`` rule, else the one with the smallest ``max-snippet``, where -1 means no limit; None if there is none."""
        forbidden = self.first(("nosnippet",), *agents)
        limits = [item for item in self.for_agents(*agents) if item.name == "max-snippet" and item.number is not None]
        return forbidden or min(limits, key=_snippet_limit, default=None)

    @property
    def agents(self) -> list[str]:
        """Named crawlers, without duplicates."""
        return list(dict.fromkeys(item.agent for item in self.all if item.agent))


def _snippet_limit(item: Directive) -> float:
    number = item.number
    return float("inf") if number is None or number < 0 else number


@artifact
def make_robots_directives(response: Response, sent_head: SentHead, head: Head, markup: Markup) -> RobotsDirectives:
    """Read metas anywhere in the page (Google honours them in the body) and the headers of the final response, not of redirects.

    Both rules as sent and rules added by scripts count, because Google may not render a page with noindex.
    """
    metas = list(islice(_from_metas(sent_head.head), MAX_DIRECTIVES + 1))
    if head is not sent_head.head:
        known = {(item.agent, item.name, item.value) for item in metas}
        added = (item for item in _from_metas(head) if (item.agent, item.name, item.value) not in known)
        metas += islice(added, MAX_DIRECTIVES + 1 - len(metas))
    return _directives(metas, response, markup)


def directives_of(response: Response, head: Head, markup: Markup) -> RobotsDirectives:
    """Return the indexing rules of the page's metadata and headers."""
    return _directives(list(islice(_from_metas(head), MAX_DIRECTIVES + 1)), response, markup)


def _directives(metas: Sequence[Directive], response: Response, markup: Markup) -> RobotsDirectives:
    found = (*metas[:MAX_DIRECTIVES], *header_directives(response.headers))
    return RobotsDirectives(found, is_cut=not markup.is_whole or len(metas) > MAX_DIRECTIVES)


def directives_of_head(head: Head) -> RobotsDirectives:
    """Return the indexing rules of a page's metadata, without those of its headers."""
    return RobotsDirectives(tuple(islice(_from_metas(head), MAX_DIRECTIVES)))


def header_directives(headers: Headers) -> list[Directive]:
    """Return the indexing rules of all X-Robots-Tag lines."""
    found: list[Directive] = []
    for line in headers.all("x-robots-tag"):
        found += rules_of_header(line[:MAX_CONTENT_CHARS])
    return found[:MAX_DIRECTIVES]


def _from_metas(head: Head) -> Iterator[Directive]:
    for meta in head.metas:
        if meta.name == "robots" or meta.name in META_AGENTS:
            yield from rules_of_meta(meta.content or "", GENERIC if meta.name == "robots" else meta.name, meta.element)


def rules_of_meta(content: str, agent: str, element: Element) -> Iterator[Directive]:
    """Yield the indexing rules in the content of a meta element."""
    for part in _parts(content[:MAX_CONTENT_CHARS]):
        yield from _rules(part, agent, element, "")


def rules_of_header(line: str) -> Iterator[Directive]:
    """Yield rules of a header line. A crawler's name before a colon applies until the next name or the end of the line."""
    agent = GENERIC
    for whole in _parts(line):
        part, named = whole, _NAMED.match(whole)
        while named and named[1].lower() not in VALUED:
            agent, part = named[1].lower(), named[2]
            named = _NAMED.match(part)
        yield from _rules(part, GENERIC if agent in ("robots", "*") else agent, None, line[:TEXT_CHARS])


def _parts(text: str) -> Iterator[str]:
    """Split X-Robots-Tag rules at commas, except the comma after the weekday of a date."""
    pending = ""
    for part in text.split(","):
        if pending:
            yield f"{pending},{part}"
            pending = ""
        elif "unavailable_after" in part.lower() and _WEEKDAY.search(part.rstrip()):
            pending = part
        else:
            yield part
    if pending:
        yield pending


def _rules(part: str, agent: str, element: Element | None, header_value: str) -> Iterator[Directive]:
    named = _NAMED.match(part)
    if named:
        yield Directive(named[1].lower(), named[2].strip()[:TEXT_CHARS], agent, element, header_value)
        return
    words = part.lower().split()
    # A comma is missing if every word is a rule; otherwise the part is one unknown rule as written.
    several = len(words) > 1 and all(word in PLAIN or word in DEAD or _NAMED.match(word) for word in words)
    for position, word in enumerate(words if several else [" ".join(words)] if words else []):
        yield Directive(word[:TEXT_CHARS], "", agent, element, header_value, follows_comma=position == 0)


def _moment(text: str) -> datetime | None:
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text)
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


def is_robots(name: str) -> bool:
    """Return whether a meta element with this name has rules for crawlers."""
    return name.strip().lower() in ("robots", *META_AGENTS)
