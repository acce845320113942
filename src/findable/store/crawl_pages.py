"""Pages of a settled crawl: their findings in groups, and their rows."""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, select

from findable.capture.status_classes import OK
from findable.checks.engine import site_twins
from findable.clock import rfc3339
from findable.crawl.extractors import Extracted
from findable.crawl.page_row import PageRow
from findable.crawl.page_selection import KNOWN_OF_IMPORTS
from findable.crawl.record import ListedRecord, names_with, unpack_verdicts
from findable.crawl.state import CrawlState
from findable.crawl.tables import columns_of
from findable.crawl.url_keys import FoundBy
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import MEASURED, row_of
from findable.reports.site_report import EXAMPLES, FindingGroup, PageFindings
from findable.reports.site_scoring import ScoredPages
from findable.store.crawl_reading import top_score_threshold
from findable.store.crawl_schema import ALL_PAGES, ANSWER, INDEXABLE, PAGE, RECORD, SETTLED, URL, VERDICT, WITH_RECORD
from findable.store.packed_pages import unpacked_record
from findable.store.page_results import findings_of
from findable.values import shape_of
from findable.vocabulary import Verdict

AT_ONCE = 1000
START_WEIGHT = 3
"""Weight of the start page, and of pages with the highest link score."""


OF_SETTLED = tuple(name for name in PageRow.__struct_fields__ if name in SETTLED.c)
"""Columns of pages that are computed after the crawl."""
_UNKNOWN_OF_IMPORTS = tuple(column.name for column in columns_of(PageRow) if column.is_nullable and column.name not in KNOWN_OF_IMPORTS)


def page_row(row: Any, record: ListedRecord, state: CrawlState, extracted: dict[str, Extracted | None]) -> PageRow:
    """Return the row of a requested URL."""
    against = {verdict.value: names_with(verdict, row.verdicts, state.checks) for verdict in (Verdict.FAILED, Verdict.WARNED)}
    values = {name: getattr(row, name) for name in OF_SETTLED}
    values |= {"depth": row.depth if row.depth is not None and row.depth >= 0 else None, "template": row.template or 0}
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


class _ScoredRecord(Struct, frozen=True):
    """Part of a record that the report of the crawl uses."""

    findings: tuple[ReportedFinding, ...] = ()
    score: int | None = None
    is_shell: bool = False


class _Group:
    """Pages of one template with the same finding."""

    def __init__(self, finding: ReportedFinding) -> None:
        self.finding = finding
        self.pages_count = 0
        self.is_uniform = True
        self.best: list[tuple[int, tuple[int, ...], str]] = []

    def add(self, finding: ReportedFinding, score: int, url: str) -> None:
        """Count a page; the pages with the highest link score become examples."""
        self.pages_count += 1
        self.is_uniform = self.is_uniform and (finding.message, finding.params) == (self.finding.message, self.finding.params)
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


def page_findings(connection: Connection, state: CrawlState) -> tuple[PageFindings, float]:
    """Return the findings of all indexable pages, grouped by finding and template, and the share of pages built by scripts."""
    top = top_score_threshold(connection, *INDEXABLE)
    joined = ALL_PAGES.join(RECORD, WITH_RECORD).join(VERDICT, VERDICT.c.id == PAGE.c.id).outerjoin(ANSWER, ANSWER.c.id == PAGE.c.id)
    columns = (URL.c.url, PAGE.c.reason, RECORD.c.record, SETTLED.c.template, SETTLED.c.link_score, VERDICT.c.verdicts, ANSWER.c.findings)
    chosen = select(*columns).select_from(joined).where(PAGE.c.is_html, PAGE.c.status == OK).order_by(URL.c.url)
    groups: dict[tuple[str, Verdict, int], _Group] = {}
    verdict_counts: Counter[bytes] = Counter()
    pages = shells = 0
    scored: defaultdict[ScoredPages, float] = defaultdict(float)
    for row in connection.execute(chosen).yield_per(AT_ONCE):
        scored_record = unpacked_record(row.record, _ScoredRecord)
        pages += 1
        shells += scored_record.is_shell
        if row.reason:
            continue
        verdict_counts[row.verdicts] += 1
        for finding in (*scored_record.findings, *findings_of(row.findings)):
            key = finding.id, finding.verdict, row.template or 0
            groups.setdefault(key, _Group(finding)).add(finding, row.link_score or 0, row.url)
        if scored_record.score is not None:
            every = (*scored_record.findings, *findings_of(row.findings))
            rows = tuple(row_of(one.check, one.verdict, one.fault, one.share_percent) for one in every if one.check)
            scored[ScoredPages(row.template or 0, rows)] += _weight(row, state.settings.start_url, top)
    listed = (
        FindingGroup(check, template, group.finding, group.pages_count, group.urls, group.is_uniform)
        for (check, _, template), group in sorted(groups.items())
    )
    found = PageFindings(tuple(listed), _scored_counts(verdict_counts, state.checks), scored)
    return found, shells / pages if pages else 0.0


def _scored_counts(verdict_counts: Mapping[bytes, int], names: tuple[str, ...]) -> dict[str, int]:
    """Return the number of scored verdicts by check. ``verdict_counts``: number of pages by packed verdicts."""
    counts: Counter[str] = Counter()
    for packed, pages_count in verdict_counts.items():
        for name, verdict in unpack_verdicts(packed, names).items():
            if verdict in MEASURED:
                counts[name] += pages_count
    return dict(sorted(counts.items()))


def _weight(row: Any, start_url: str, top: int) -> float:
    """Return the weight of a page: the square root of its link score, three times for the start page and the top pages."""
    weight = math.sqrt(1 + (row.link_score or 0))
    return START_WEIGHT * weight if row.url == start_url or (row.link_score or 0) >= top else weight
