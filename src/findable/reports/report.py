"""Report of a page: one value from the checks to the store, the API, the exports and the pages.

It is created once (`analyse`), stored as compact canonical JSON and decoded by its type. Values of the store (id, privacy, links) are
stored separately.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from findable import __version__
from findable.errors import PageError
from findable.reports.facts import Facts
from findable.reports.projection import NextRating, ScorePart, score_parts
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import RULESET, Cap
from findable.vocabulary import Category, PageKind, Profile, Rating, Source


class Engine(Struct, frozen=True):
    """Program version, ruleset and profile of the result; scores are comparable within one profile."""

    version: str
    ruleset: str
    profile: Profile
    """Profile of the most comprehensive source that was used."""
    sources: tuple[Source, ...]
    """Sources that were used."""

    @staticmethod
    def using(sources: Collection[Source]) -> "Engine":
        """Return the running version and ruleset, with the profile of these sources."""
        return Engine(__version__, RULESET, Profile.for_sources(sources), tuple(source for source in Source if source in sources))


class CategorySummary(Struct, frozen=True):
    """Category with its own score, limited by the findings of the category. ``score`` is null without a checked finding."""

    id: Category
    title: str
    score: int | None


class CategoryScore(CategorySummary, frozen=True):
    """Score of a category with its explanation."""

    points: float
    possible: int
    counts: Mapping[str, int]


class Explanation(Struct, frozen=True):
    """Explanation of the score, and the cheapest way to the next rating."""

    points: float
    possible: int
    raw: float
    """Score before limits."""
    caps: tuple[Cap, ...] = ()
    held_down_by: Cap | None = None
    """Cap that lowers the score."""
    provisional: bool = False
    """Whether too little was measured for a reliable score."""
    next_rating: NextRating | None = None
    fixes: tuple[str, ...] = ()
    """Checks to fix, the most harmful first; the gains of findings add up in this order."""


class Report(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Report of a page: score, findings and facts of one analysis."""

    requested_url: str
    url: str
    """Final URL of the page."""
    captured_at: str
    """RFC 3339 UTC."""
    engine: Engine
    judged_as: str | None = None
    """Origin as which this preview is checked."""
    not_for_search: bool = False
    error: PageError | None = None
    """Reason why there is no rating."""
    result: Rating | None = None
    score: int | None = None
    coverage: float | None = None
    """Measured share of the applicable checks, 0 to 1."""
    explained: Explanation | None = None
    categories: tuple[CategoryScore, ...] = ()
    counts: Mapping[str, int] = {}
    not_asked: tuple[str, ...] = ()
    """Checks that require unused sources."""
    findings: tuple[ReportedFinding, ...] = ()
    facts: Facts = Facts()

    @property
    def was_loaded(self) -> bool:
        """Whether the page could be loaded."""
        return self.error is None or bool(self.findings)

    @property
    def kind(self) -> PageKind | None:
        """Kind of the page; None if the page was not analysed for it."""
        return self.facts.kind.kind if self.facts.kind else None

    @property
    def next_rating(self) -> NextRating | None:
        """Cheapest way to the next rating; None if there is none."""
        return self.explained.next_rating if self.explained else None

    @property
    def score_parts(self) -> tuple[ScorePart, ...]:
        """Parts of the difference between 100 and the score, by check; none without a score."""
        gains = {one.id: one.gain for one in self.findings if one.has_problem}
        return score_parts((name, "", gains.get(name)) for name in (self.explained.fixes if self.explained else ()))

    @property
    def effective_cap(self) -> Cap | None:
        """Cap that lowers the score, None without one."""
        return self.explained.held_down_by if self.explained else None

    def finding(self, check: str) -> ReportedFinding | None:
        """Return the finding of a check, None if it did not run."""
        return next((finding for finding in self.findings if finding.id == check), None)

    def to_bytes(self) -> bytes:
        """Return canonical bytes, identical for equal reports."""
        return canonical(self)

    @staticmethod
    def from_bytes(data: bytes) -> "Report":
        """Return the report from the bytes of `to_bytes`."""
        return _decoder.decode(data)


_decoder = msgspec.json.Decoder(Report)


def canonical(value: Any, order: Literal["sorted", "deterministic"] = "sorted") -> bytes:
    """Return JSON without spaces, equal for equal values; lone surrogates become question marks.

    ``deterministic`` keeps members in the order of their types, and sorts only those of mappings.
    """
    try:
        return msgspec.json.encode(value, order=order)
    except UnicodeEncodeError:  # lone surrogates from an escape in a script or from a broken header
        members = msgspec.to_builtins(value, order=order)
        return json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def unloaded_report(url: str, error: PageError, captured_at: str) -> Report:
    """Return the report of a page that could not be loaded."""
    return Report(requested_url=url, url=url, captured_at=captured_at, engine=Engine.using(()), error=error)
