"""Costs of the findings of a site, and the gains of its score when they are fixed in order."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct

from findable.formats.zstd import zstd
from findable.reports.scoring import HALVES, Row, Score
from findable.reports.site_scoring import LOST_SHARES, SiteCap, SitePart, SiteWeights, is_lost_share
from findable.vocabulary import Verdict

PAGES_SHARE = 0.7
"""Weight of the pages in the score of a site; site checks account for the rest."""


LEVEL = 9


class ScoredPages(Struct, frozen=True):
    """Pages of one template that have the same results."""

    template: int
    possible: int
    """Σ weight of checked rows."""
    halves: int
    """Twice Σ(weight · value)."""
    against: tuple[Row, ...]
    """Failed and warned checks."""

    @property
    def score(self) -> int:
        """Score of each of the pages, 0–100."""
        caps = [cap.score for cap in Score(self.against).caps]
        return min([50 * self.halves // self.possible if self.possible else 100, *caps])

    def without(self, check: str) -> "ScoredPages":
        """Return the pages with the finding of a check fixed."""
        halves = sum(row.weight * (2 - HALVES[row.verdict]) for row in self.against if row.id == check)
        return ScoredPages(self.template, self.possible, self.halves + halves, tuple(row for row in self.against if row.id != check))

    def accepting(self, check: str) -> "ScoredPages":
        """Return the pages as if a check did not apply."""
        rows = [row for row in self.against if row.id == check]
        possible = self.possible - sum(row.weight for row in rows)
        halves = self.halves - sum(row.weight * HALVES[row.verdict] for row in rows)
        return ScoredPages(self.template, possible, halves, tuple(row for row in self.against if row.id != check))


class SiteScoring(Struct, frozen=True):
    """Parts of the score of a site, from which it is recomputed without accepted findings."""

    pages: tuple[tuple[ScoredPages, float], ...]
    """Pages with identical results, with their weight."""
    answers: SiteWeights
    caps: tuple[SiteCap, ...]


class CauseFix(Struct, frozen=True):
    """Cause of a check, with the effect of its fix on the score."""

    check: str
    verdict: Verdict
    pages_count: int
    templates: tuple[int, ...]
    """Templates of the pages; empty for a finding of a site check."""
    lost_count: int = 0
    """Number of pages that a sitemap lists and that this cause keeps out of search results."""


class SiteGains:
    """Score of a site while its findings are fixed.

    Args:
        pages: weight of pages with identical results.
        part: score of the site checks.
        caps: caps of the site's score; each is lifted with the last finding of its checks, those of lost pages as soon as too few are left.
    """

    def __init__(self, pages: Mapping[ScoredPages, float], part: SitePart, caps: Sequence[SiteCap]) -> None:
        self._pages = Counter(pages)
        self._part = part
        self._caps = caps
        self._weight = math.fsum(pages.values()) or 1.0
        self._points = math.fsum(weight * one.score for one, weight in pages.items())
        self._by_check: defaultdict[tuple[str, int], set[ScoredPages]] = defaultdict(set)
        for one in pages:
            self._index(one)

    def _index(self, pages: ScoredPages) -> None:
        for row in pages.against:
            self._by_check[row.id, pages.template].add(pages)

    def _affected_pages(self, fix: CauseFix) -> list[ScoredPages]:
        return [one for template in fix.templates for one in self._by_check.get((fix.check, template), ()) if self._pages[one]]

    @property
    def pages_score(self) -> float:
        """Mean score of the pages."""
        return self._points / self._weight

    def accept(self, fix: CauseFix) -> None:
        """Exclude an accepted finding from the score.

        A finding of a site check counts as fixed, so that the weights of the checks do not change.
        """
        self._change(fix, ScoredPages.accepting)

    def worth(self, fix: CauseFix) -> float:
        """Return the points that a finding costs by itself, before the caps of the site."""
        if not fix.templates:
            return (1 - PAGES_SHARE) * self._part.worth(fix.check, fix.verdict, fix.pages_count)
        lost = math.fsum(self._pages[one] * (one.without(fix.check).score - one.score) for one in self._affected_pages(fix))
        return PAGES_SHARE * lost / self._weight

    def in_order(self, fixes: Sequence[CauseFix]) -> list[int]:
        """Return the gain of each fix, assuming that the fixes before it were made."""
        left = Counter(fix.check for fix in fixes)
        lost_count = sum(fix.lost_count for fix in fixes)
        before, found = self._score(left, lost_count), []
        for fix in fixes:
            self._change(fix, ScoredPages.without)
            left[fix.check] -= 1
            lost_count -= fix.lost_count
            after = self._score(left, lost_count)
            found.append(after - before)
            before = after
        return found

    def _change(self, fix: CauseFix, change: Callable[[ScoredPages, str], ScoredPages]) -> None:
        if not fix.templates:
            self._part.fix(fix.check, fix.verdict, fix.pages_count)
        for one in self._affected_pages(fix):
            weight, mended = self._pages.pop(one), change(one, fix.check)
            self._points += weight * (mended.score - one.score)
            self._pages[mended] += weight
            self._index(mended)

    def _score(self, remaining: Mapping[str, int], lost_count: int) -> int:
        caps = [cap.at_most for cap in self._caps if is_in_force(cap, remaining, lost_count, self._part.indexable_count)]
        return min([site_score(self.pages_score, self._part.score), *caps])


def is_in_force(cap: SiteCap, remaining: Mapping[str, int], lost_count: int, indexable_count: int) -> bool:
    """Return whether a cap still applies, by the number of findings that are left of each check, and of lost pages."""
    if cap.reason in LOST_SHARES:
        return is_lost_share(lost_count, indexable_count, LOST_SHARES[cap.reason])
    return not cap.checks or any(remaining[check] for check in cap.checks)


def site_score(pages: float, site: float | None) -> int:
    """Return the score of a site, before its caps, from the mean of its pages and the score of the site checks."""
    return math.floor(round(pages if site is None else PAGES_SHARE * pages + (1 - PAGES_SHARE) * site, 6))


def packed_scoring(scoring: SiteScoring) -> bytes:
    """Return the parts of a score in stored form."""
    return zstd.compress(msgspec.msgpack.encode(scoring), LEVEL)


def unpacked_scoring(data: bytes) -> SiteScoring:
    """Return the stored parts of a score."""
    return msgspec.msgpack.decode(zstd.decompress(data), type=SiteScoring)
