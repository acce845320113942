"""Gains of the score of pages when their findings are fixed in order, computed like those in the reports of the pages."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from findable.checks.engine import find_check
from findable.reports.fixes import FixGain
from findable.reports.report import Report
from findable.reports.scoring import CAPPED_TO_NOTHING, HALVES, Row, Score, cap_of
from findable.reports.site_gains import ScoredPages
from findable.vocabulary import Importance, Verdict

_UNCAPPED = 100
_MAX_LOST = 9.9
"""Limit of the lost points in the harm of a finding, less than the difference between two limits of the score."""


class ScoreBasis(Struct, frozen=True, array_like=True):
    """Part of a report from which the gains of its fixes are computed, together with the verdicts of its checks."""

    possible: int
    """Σ weight of checked rows."""
    halves: int
    """Twice Σ(weight · value)."""
    faults: dict[str, str] = {}
    """Reasons that limits of the score depend on, by check."""


def basis_of(report: Report) -> ScoreBasis | None:
    """Return the values of a report from which the gains of its fixes are computed; None without a rating."""
    if report.score is None or report.explained is None:
        return None
    faults = {one.id: one.fault for one in report.findings if one.has_problem and one.fault}
    return ScoreBasis(report.explained.possible, round(2 * report.explained.points), faults)


def stored_basis(data: bytes) -> ScoreBasis | None:
    """Decode a stored basis; None if the report had no rating."""
    return msgspec.json.decode(data, type=ScoreBasis | None)


def scored_page(basis: ScoreBasis, verdicts: Iterable[tuple[str, Verdict]], score: int | None) -> ScoredPages | None:
    """Return the page with its problems and warnings; None if its score is that of an older ruleset."""
    found = ((check, verdict) for name, verdict in verdicts if (check := find_check(name)))
    rows = tuple(Row(check.id, check.importance, verdict, basis.faults.get(check.id, "")) for check, verdict in found)
    page = ScoredPages(0, basis.possible, basis.halves, rows)
    return page if score is not None and _score_of(page) == score else None


def _score_of(page: ScoredPages) -> int | None:
    caps = [cap.score for cap in Score(page.against).caps]
    return page.score if page.possible else min(caps, default=None)


def is_projected(page: ScoredPages) -> bool:
    """Return whether the score after fixes is known: the content of the page was checked."""
    return bool(page.possible) and all(cap_of(row) != CAPPED_TO_NOTHING for row in page.against)


class PageGain(Struct, frozen=True):
    """Points that a page gains by a fix after those above it in its report."""

    gain: int
    lost: float
    """Points that the finding costs, without the limits of the score."""


def page_gains(page: ScoredPages) -> Mapping[str, PageGain]:
    """Return the gains of the fixes of a page in the order of its report; empty if its score after fixes is not known."""
    if not is_projected(page):
        return {}
    harm = harms(page)
    importances = list(Importance)

    def place(name: str) -> tuple[object, ...]:
        check = find_check(name)
        return (-harm[name], importances.index(check.importance), check.effort, name) if check else (-harm[name], len(importances), 0, name)

    lost = {row.id: _lost(page, row) for row in page.against}
    before, found = page.score, {}
    for name in sorted(harm, key=place):
        page = page.without(name)
        after = page.score
        found[name] = PageGain(after - before, lost[name])
        before = after
    return found


def harms(page: ScoredPages) -> dict[str, float]:
    """Return the harm of each problem and warning: findings that limit the score first, then by lost points, as in the page's report."""
    caps: dict[str, int] = {}
    for cap in Score(page.against).caps:
        for check in cap.checks:
            caps.setdefault(check, cap.score)
    return {row.id: _UNCAPPED - caps.get(row.id, _UNCAPPED) + min(_lost(page, row), _MAX_LOST) for row in page.against}


def _lost(page: ScoredPages, row: Row) -> float:
    return round(50 * row.weight * (2 - HALVES[row.verdict]) / page.possible, 1) if page.possible else 0.0


def limit_of(page: ScoredPages) -> tuple[int, frozenset[str]]:
    """Return the limit that lowers the score of a page, with the checks that cause it or a limit of the same score; 100 without one."""
    caps = Score(page.against).caps
    if not caps or not page.possible or caps[0].score >= 50 * page.halves // page.possible:
        return _UNCAPPED, frozenset()
    return caps[0].score, frozenset(name for cap in caps if cap.score == caps[0].score for name in cap.checks)


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
        self._start_limit = _UNCAPPED if start_limit is None else start_limit
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
            return limit_of(next(iter(self._pages)))[1]
        return limit_of(self._start)[1] if self._start is not None and self.is_limited_by_start else frozenset()

    def in_order(self, checks: Sequence[str]) -> dict[str, FixGain]:
        """Return the gain of each fix after the fixes before it; no entry for a check that no page with a projected score fails."""
        alone = {check: self._alone(check, affected) for check in checks if (affected := self._affected_pages(check))}
        before, found = self._score(self._points, self._start), {}
        for check, (gain_alone, lost, is_limited) in alone.items():
            for page in self._affected_pages(check):
                count, fixed = self._pages.pop(page), page.without(check)
                self._points += count * (fixed.score - page.score)
                self._pages[fixed] += count
                self._index(fixed)
            self._start = self._start.without(check) if self._start is not None else None
            after = self._score(self._points, self._start)
            found[check] = FixGain(after - before, gain_alone, lost, is_limited)
            before = after
        return found

    def _index(self, page: ScoredPages) -> None:
        for row in page.against:
            self._by_check[row.id].add(page)

    def _affected_pages(self, check: str) -> list[ScoredPages]:
        return [page for page in self._by_check.get(check, ()) if self._pages[page]]

    def _alone(self, check: str, affected: Iterable[ScoredPages]) -> tuple[int, float, bool]:
        """Return the gain of a fix alone, the lost points, and whether other findings limit the score."""
        points, lost, is_limited = 0, 0.0, True
        for page in affected:
            gain = page.without(check).score - page.score
            points += self._pages[page] * gain
            lost += self._pages[page] * sum(_lost(page, row) for row in page.against if row.id == check)
            is_limited = is_limited and not gain and _is_limited_without(page, check)
        start = self._start.without(check) if self._start is not None else None
        now = self._score(self._points, self._start)
        alone = self._score(self._points + points, start) - now
        return alone, round(lost / self._count, 1), is_limited or (not alone and now < self._points // self._count)

    def _score(self, points: int, start: ScoredPages | None) -> int:
        limit = limit_of(start)[0] if start is not None else self._start_limit
        return min(points // self._count, limit)


def _is_limited_without(page: ScoredPages, check: str) -> bool:
    """Return whether a finding of another check limits the page to its score."""
    return any(cap.score == page.score and set(cap.checks) != {check} for cap in Score(page.against).caps)
