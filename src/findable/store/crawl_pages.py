"""Pages of a settled crawl: their findings in groups, and their rows."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from findable.capture.status_classes import OK
from findable.checks.engine import find_check, site_twins
from findable.clock import rfc3339
from findable.crawl.extractors import Extracted
from findable.crawl.found_by import FoundBy
from findable.crawl.packed_verdicts import names_with, unpack_verdicts
from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import KNOWN_OF_IMPORTS
from findable.crawl.record import ListedRecord
from findable.crawl.state import CrawlState
from findable.crawl.tables import columns_of
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import MEASURED, row_of
from findable.reports.site_report import EXAMPLES, FindingGroup, PageFindings
from findable.reports.site_scoring import ScoredPages, page_weight_of
from findable.store.crawl_reading import top_score_threshold
from findable.store.crawl_schema import INDEXABLE, SETTLED
from findable.store.record_pass import FindingCore, PassedPage
from findable.values import shape_of
from findable.vocabulary import Verdict

OF_SETTLED = tuple(name for name in PageRow.__struct_fields__ if name in SETTLED.c)
"""Columns of pages that are computed after the crawl."""
_UNKNOWN_OF_IMPORTS = tuple(column.name for column in columns_of(PageRow) if column.is_nullable and column.name not in KNOWN_OF_IMPORTS)


def page_row(row: Any, record: ListedRecord, state: CrawlState, extracted: dict[str, Extracted | None]) -> PageRow:
    """Return the row of a requested URL."""
    against = {verdict.value: names_with(verdict, row.verdicts, state.checks) for verdict in (Verdict.FAILED, Verdict.WARNED)}
    values = {name: getattr(row, name) for name in OF_SETTLED}
    values |= {"score": row.score, "depth": row.depth if row.depth is not None and row.depth >= 0 else None, "template": row.template or 0}
    values["requested_at"] = rfc3339(datetime.fromtimestamp(row.requested_at, UTC)) if row.requested_at else None
    if state.settings.imported is not None:
        values |= dict.fromkeys(_UNKNOWN_OF_IMPORTS)
    return shape_of(
        PageRow,
        record,
        n=row.id,
        url=row.url,
        type=record.media_type,
        checks_asked=len(row.verdicts) - row.verdicts.count(0),
        verdicts=against,
        covered_by={name: twins for names in against.values() for name in names if (twins := site_twins(name))},
        indexable=record.is_indexable,
        reason=record.reason.value or None,
        segment=state.settings.segments_at(row.segments),
        found_by=FoundBy(row.found_by).names,
        extracted=extracted if record.is_html and record.status == OK else {},
        **values,
    )


class _Group:
    """Pages of one template with the same finding."""

    def __init__(self, core: FindingCore, finding: ReportedFinding) -> None:
        self.finding = finding
        self.pages_count = 0
        self.is_uniform = True
        self.best: list[tuple[int, tuple[int, ...], str]] = []
        self._first = core.message, core.params

    def add(self, core: FindingCore, score: int, url: str) -> None:
        """Count a page; the pages with the highest link score become examples."""
        self.pages_count += 1
        self.is_uniform = self.is_uniform and (core.message, core.params) == self._first
        if len(self.best) == EXAMPLES:
            least, _, last = self.best[0]
            if score < least or (score == least and url > last and not url.startswith(last)):
                return  # the comparison below would have the same result
        entry = (score, tuple(-ord(character) for character in url), url)
        if len(self.best) < EXAMPLES:
            heapq.heappush(self.best, entry)
        elif entry > self.best[0]:
            heapq.heappushpop(self.best, entry)

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs of the examples."""
        return tuple(url for _, _, url in sorted(self.best, reverse=True))


class FindingsReader:
    """Reads the findings of all indexable pages, and groups them by finding and template.

    Args:
        connection: connection for reading.
        state: state of the crawl.
    """

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        self._state = state
        self._top = top_score_threshold(connection, *INDEXABLE)
        self._groups: dict[tuple[str, str, int], _Group] = {}
        self._verdict_counts: Counter[bytes] = Counter()
        self._known: dict[tuple[int, tuple[tuple[str, str, str, int], ...]], ScoredPages] = {}
        """Scored pages by template and the values that decide what their findings cost, because making them takes longer."""
        self._unique: dict[ScoredPages, ScoredPages] = {}
        self._weights: defaultdict[int, float] = defaultdict(float)
        """Weight of scored pages, by their `id`."""
        self._pages = self._shells = 0

    def add(self, page: PassedPage) -> None:
        """Read the findings of a page."""
        self._pages += 1
        self._shells += page.record.is_shell
        if page.reason:
            return
        self._verdict_counts[page.verdicts] += 1
        cores, template, groups = page.cores, page.template, self._groups
        for at, core in enumerate(cores):
            group = groups.get((core.id, core.verdict, template))
            if group is None:
                group = groups[core.id, core.verdict, template] = _Group(core, page.all_findings()[at])
            group.add(core, page.link_score, page.url)
        if page.record.score is not None:
            key = template, tuple([core.cost_key for core in cores])
            scored = self._known.get(key)
            if scored is None:
                scored = self._known[key] = self._unique.setdefault(made := _scored_pages(*key), made)
            is_important = page.url == self._state.settings.start_url or page.link_score >= self._top
            self._weights[id(scored)] += page_weight_of(page.link_score, is_important=is_important)

    def found(self) -> PageFindings:
        """Return the findings of the pages."""
        listed = (
            FindingGroup(check, template, group.finding, group.pages_count, group.urls, group.is_uniform)
            for (check, _, template), group in sorted(self._groups.items())
        )
        scored = {pages: self._weights[id(pages)] for pages in self._unique}
        return PageFindings(tuple(listed), _scored_counts(self._verdict_counts, self._state.checks), scored)

    @property
    def shells_share(self) -> float:
        """Share of the pages that scripts build."""
        return self._shells / self._pages if self._pages else 0.0


def _scored_pages(template: int, costs: Sequence[tuple[str, str, str, int]]) -> ScoredPages:
    rows = (row_of(check, Verdict(verdict), fault, share) for name, verdict, fault, share in costs if (check := find_check(name)))
    return ScoredPages(template, tuple(rows))


def _scored_counts(verdict_counts: Mapping[bytes, int], names: tuple[str, ...]) -> dict[str, int]:
    """Return the number of scored verdicts by check. ``verdict_counts``: number of pages by packed verdicts."""
    counts: Counter[str] = Counter()
    for packed, pages_count in verdict_counts.items():
        for name, verdict in unpack_verdicts(packed, names).items():
            if verdict in MEASURED:
                counts[name] += pages_count
    return dict(sorted(counts.items()))
