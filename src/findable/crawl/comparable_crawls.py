"""Comparable crawls: the earlier crawls with which one can be compared, and the changes that this can show."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec import Struct

from findable.capture.crawl import CrawlEnd, Narrower
from findable.crawl.changes import ChangeKind
from findable.crawl.settings import CrawlSettings, Render
from findable.crawl.start_origins import start_origins, with_origins
from findable.crawl.state import CrawlState, Phase
from findable.reports.difference import Basis, NotComparable, comparable
from findable.urls import origin_part

Crawl = TypeVar("Crawl")
FINISHED = frozenset({CrawlEnd.COMPLETE, CrawlEnd.TRAP})
_LIMITED = frozenset({CrawlEnd.PAGES, CrawlEnd.TIME, CrawlEnd.STOPPED})


class CrawlBasis(Struct, frozen=True):
    """Settings, end and ruleset of a crawl, which decide with which other crawls it can be compared."""

    settings: CrawlSettings
    ended_by: CrawlEnd | None
    """Reason why it ended; None if it has no report yet."""
    ruleset: str
    has_pages: bool = True
    """Whether it found a page. Otherwise it judged none, and nothing is new when the pages return."""

    @property
    def is_limited(self) -> bool:
        """Whether the crawl ended before it had requested the whole site."""
        return self.ended_by not in FINISHED

    @property
    def limits(self) -> tuple[object, ...]:
        """Limits at which the crawl ended; empty if it requested the whole site."""
        return (self.ended_by, self.settings.pages, self.settings.seconds) if self.is_limited else ()

    def narrower_limit(self, usual: "CrawlBasis") -> Narrower | None:
        """Return the limit that ended the crawl and is smaller than that of another crawl; None if there is none."""
        own, other = self.settings, usual.settings
        if self.ended_by is CrawlEnd.STOPPED:
            return Narrower.STOPPED
        if self.ended_by is CrawlEnd.PAGES and own.pages < other.pages:
            return Narrower.PAGES
        if self.ended_by is CrawlEnd.TIME and own.seconds is not None and (other.seconds is None or own.seconds < other.seconds):
            return Narrower.TIME
        return None

    def findings_basis(self, origins: Mapping[str, str]) -> Basis:
        """Return the basis of the findings. ``origins``: origins of this crawl by those of an earlier one."""
        settings = self.settings
        return Basis(
            self.ruleset,
            is_complete=self.ended_by in FINISHED | _LIMITED,
            is_away=not self.has_pages,
            rendering="" if settings.render is Render.NEVER else settings.render.value,
            part=_coverage(settings, origins),
        )


def basis_of(state: CrawlState) -> CrawlBasis:
    """Return the basis of a crawl by its state."""
    return CrawlBasis(state.settings, state.ended_by if state.phase is Phase.REPORT else None, state.ruleset)


def compared_kinds(before: CrawlBasis, after: CrawlBasis) -> frozenset[ChangeKind]:
    """Return the kinds of changes that two crawls can show: those of values that both have.

    If one of them did not request the whole site, no page is new, and links and depth are not compared.
    """
    kinds = frozenset(ChangeKind)
    if before.is_limited or after.is_limited:
        kinds -= _OF_EXTENT
    for table in (before.settings.imported, after.settings.imported):
        if table is not None:
            known = {ChangeKind.TITLE: table.has_titles, ChangeKind.DEPTH: table.has_depths}
            kinds &= _OF_RESPONSE.union(kind for kind, is_known in known.items() if is_known)
    return kinds


def comparable_crawls(before: CrawlBasis, after: CrawlBasis, origins: Mapping[str, str] | None = None) -> NotComparable | None:
    """Return the reason why the findings of two crawls cannot be compared; None if they can.

    ``origins``: origins of the newer crawl by those of the older one; None for those of the two start pages.
    """
    known = start_origins(before.settings, after.settings) if origins is None else origins
    old, new = before.findings_basis({}), after.findings_basis(known)
    if before.settings.imported is not None or after.settings.imported is not None:
        return NotComparable.IMPORTED if new.is_complete else NotComparable.AFTER_INCOMPLETE
    return comparable(old, new)


def incomparable_reason(before: CrawlBasis, after: CrawlBasis, origins: Mapping[str, str] | None = None) -> NotComparable | None:
    """Return the reason why two crawls cannot be compared at all; None if at least their pages can, which need no check."""
    reason = comparable_crawls(before, after, origins)
    return None if reason in (NotComparable.OTHER_RULESET, NotComparable.OTHER_SOURCES, NotComparable.IMPORTED) else reason


def have_comparable_scores(before: CrawlBasis, after: CrawlBasis) -> bool:
    """Return whether the scores of two crawls can be compared: they are comparable and ended at the same limits, if at any.

    A stopped crawl may have ended anywhere.
    """
    return comparable_crawls(before, after) is None and before.limits == after.limits and after.ended_by is not CrawlEnd.STOPPED


def last_comparable(earlier: Iterable[tuple[Crawl, CrawlBasis]], after: CrawlBasis) -> Crawl | NotComparable:
    """Return the crawl to compare with; the reason why the newest one cannot be compared if there is none.

    Crawls whose findings can be compared come first, then those that cover as much as the newer crawl, then the newest.

    Args:
        earlier: earlier crawls that have a rating, newest first.
        after: the newer crawl.
    """
    best: Crawl | None = None
    best_rank = (False, False)
    first: NotComparable | None = None
    for crawl, before in earlier:
        reason = comparable_crawls(before, after)
        first = first or reason
        if incomparable_reason(before, after) is not None:
            continue
        rank = (reason is None, before.narrower_limit(after) is None)
        if best is None or rank > best_rank:
            best, best_rank = crawl, rank
        if all(rank):
            break
    return best if best is not None else first or NotComparable.NO_EARLIER


def _coverage(settings: CrawlSettings, origins: Mapping[str, str]) -> tuple[object, ...]:
    """Return the settings that determine the requested part of the site."""
    return (
        origin_part(with_origins(settings.start_url, origins)),
        settings.extent,
        tuple(sorted(settings.hosts)),
        tuple(sorted(settings.include)),
        tuple(sorted(settings.exclude)),
        settings.depth,
        frozenset(with_origins(url, origins) for url in settings.urls),
    )


_OF_EXTENT = frozenset({ChangeKind.ADDED, ChangeKind.DEPTH, ChangeKind.INLINKS})
"""Changes that depend on how much of the site was crawled."""

_OF_RESPONSE = frozenset(
    {ChangeKind.ADDED, ChangeKind.GONE, ChangeKind.BECAME_NON_INDEXABLE, ChangeKind.BECAME_INDEXABLE, ChangeKind.STATUS}
)
"""Changes that can be seen from the status and the indexability of URLs, which every imported table has."""
