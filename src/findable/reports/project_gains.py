"""Gains of the score of pages when their findings are fixed in order, computed like those in the reports of the pages."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from findable.checks.engine import find_check
from findable.reports.fixes import FixGain
from findable.reports.projection import Projection
from findable.reports.report import Report
from findable.reports.scoring import MAX_SCORE, TENTHS, UNFOUND, Row, place_of, row_of
from findable.reports.site_scoring import ScoredPages
from findable.vocabulary import Verdict

WHOLE_PERCENT = 100


class ScoreBasis(Struct, frozen=True, array_like=True):
    """Part of a report from which the gains of its fixes are computed, together with the verdicts of its checks."""

    faults: dict[str, tuple[str, int]] = {}
    """Reason, and share of the elements concerned in percent, by check; only those on which a cost depends."""


def basis_of(report: Report) -> ScoreBasis | None:
    """Return the values of a report from which the gains of its fixes are computed; None without a rating."""
    if report.score is None:
        return None
    found = (one for one in report.findings if one.has_problem and (one.fault or one.share_percent != WHOLE_PERCENT))
    return ScoreBasis({one.id: (one.fault, one.share_percent) for one in found})


def stored_basis(data: bytes) -> ScoreBasis | None:
    """Decode a stored basis; None if the report had no rating, or one of an older ruleset."""
    try:
        return msgspec.json.decode(data, type=ScoreBasis | None)
    except msgspec.ValidationError:
        return None


def scored_page(basis: ScoreBasis, verdicts: Iterable[tuple[str, Verdict]], score: int | None) -> ScoredPages | None:
    """Return the page with its problems and warnings; None if its score is that of an older ruleset."""
    found = ((check, verdict) for name, verdict in verdicts if (check := find_check(name)))
    page = ScoredPages(0, tuple(row_of(check, verdict, *basis.faults.get(check.id, ())) for check, verdict in found))
    return page if page.score == score else None


def is_projected(page: ScoredPages) -> bool:
    """Return whether the score after fixes is known: the content of the page was checked."""
    return all(row.limit > UNFOUND for row in page.rows)


class PageGain(Struct, frozen=True):
    """Points that a page gains by a fix after those above it in its report."""

    gain: int
    lost: float
    """Points that the finding costs by itself."""


def page_gains(page: ScoredPages) -> Mapping[str, PageGain]:
    """Return the gains of the fixes of a page in the order of its report; empty if its score after fixes is not known."""
    if not is_projected(page):
        return {}
    projection = Projection(page.rows)
    found = projection.gains_in_order(projection.in_order(lambda name: place_of(find_check(name), name)))
    return {name: PageGain(gain, projection.rows[name].cost / TENTHS) for name, gain in found}


class MeanScore:
    """Mean score of pages, limited by that of the start page, while their findings are fixed.

    Args:
        pages: pages with a projected score.
        other_scores: scores of the other rated pages, which no fix changes.
        start: start page if its score is projected.
        start_limit: limit of a start page without a projected score.
    """

    def __init__(
        self, pages: Sequence[ScoredPages], other_scores: Sequence[int], start: ScoredPages | None, start_limit: int | None = None
    ) -> None:
        self._pages = Counter(pages)
        self._count = max(1, len(pages) + len(other_scores))
        self._points = sum(other_scores) + sum(page.score for page in pages)
        self._start = start
        self._start_limit = MAX_SCORE if start_limit is None else start_limit
        self._by_check: defaultdict[str, set[ScoredPages]] = defaultdict(set)
        for page in self._pages:
            self._index(page)

    @property
    def is_limited_by_start(self) -> bool:
        """Whether the start page limits the score."""
        return self._score(self._points, self._start) < self._points // self._count

    @property
    def limiting(self) -> frozenset[str]:
        """Checks that limit the score: those of the start page, or of the only page."""
        if self._count == 1 and self._pages:
            return _limiting(next(iter(self._pages)))
        return _limiting(self._start) if self._start is not None and self.is_limited_by_start else frozenset()

    def in_order(self, checks: Sequence[str]) -> dict[str, FixGain]:
        """Return the gain of each fix after the fixes before it; no entry for a check that no page with a projected score fails."""
        alone = {check: self._alone(check, affected) for check in checks if (affected := self._affected_pages(check))}
        before, found = self._score(self._points, self._start), {}
        for check, (gain_alone, lost) in alone.items():
            for page in self._affected_pages(check):
                count, fixed = self._pages.pop(page), _without(page, check)
                self._points += count * (fixed.score - page.score)
                self._pages[fixed] += count
                self._index(fixed)
            self._start = _without(self._start, check) if self._start is not None else None
            after = self._score(self._points, self._start)
            found[check] = FixGain(after - before, gain_alone, lost)
            before = after
        return found

    def _index(self, page: ScoredPages) -> None:
        for row in page.rows:
            self._by_check[row.id].add(page)

    def _affected_pages(self, check: str) -> list[ScoredPages]:
        return [page for page in self._by_check.get(check, ()) if self._pages[page]]

    def _alone(self, check: str, affected: Iterable[ScoredPages]) -> tuple[int, float]:
        """Return the gain of a fix alone, and the lost points."""
        points, lost = 0, 0.0
        for page in affected:
            points += self._pages[page] * (_without(page, check).score - page.score)
            lost += self._pages[page] * sum(row.cost / TENTHS for row in page.rows if row.id == check)
        start = _without(self._start, check) if self._start is not None else None
        alone = self._score(self._points + points, start) - self._score(self._points, self._start)
        return alone, round(lost / self._count, 1)

    def _score(self, points: int, start: ScoredPages | None) -> int:
        limit = min((row.limit for row in start.rows), default=MAX_SCORE) if start is not None else self._start_limit
        return min(points // self._count, limit)


def _without(page: ScoredPages, check: str) -> ScoredPages:
    """Return the pages with the finding of a check fixed."""
    rows: tuple[Row, ...] = tuple(row for row in page.rows if row.id != check)
    return ScoredPages(page.template, rows)


def _limiting(page: ScoredPages) -> frozenset[str]:
    """Return the checks that limit the score of a page."""
    return frozenset(row.id for row in page.rows if row.limit < MAX_SCORE)
