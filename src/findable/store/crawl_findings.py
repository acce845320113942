"""Stored report of a settled crawl: its findings with their pages, so that lists of findings read no pages."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, literal, select

from findable.checks.engine import all_checks
from findable.crawl.state import CrawlState
from findable.reports.scoring import RULESET
from findable.reports.site_report import SiteFinding, SiteReport
from findable.store.crawl_finding_pages import FindingPages
from findable.store.crawl_schema import FINDING, FINDING_PAGE, REPORT
from findable.store.packed_pages import packed_record, unpacked_record
from findable.store.page_lists import PageLists

_ONLY_ROW = 1


class StoredFinding(Struct, frozen=True):
    """Finding of a crawl with its position in the list of findings, the most harmful first."""

    place: int
    finding: SiteFinding
    listed_count: int
    """Number of pages that can be listed; fewer than the finding has if only its examples are stored."""


def write_report(connection: Connection, state: CrawlState, report: SiteReport) -> None:
    """Store the report of a settled crawl, replacing an earlier one."""
    pages = FindingPages(connection, state, PageLists(connection, state))
    for table in (FINDING, FINDING_PAGE, REPORT):
        connection.execute(delete(table))
    connection.execute(
        insert(REPORT).values(id=_ONLY_ROW, ruleset=RULESET, report=packed_record(structs.replace(report, findings=(), notes=())))
    )
    for place, finding in enumerate((*report.findings, *report.notes), 1):
        found = pages.pages_of(finding).subquery()
        chosen = select(literal(place), found.c.id)
        connection.execute(insert(FINDING_PAGE).from_select(["finding", "page"], chosen))
        count = connection.execute(select(func.count()).where(FINDING_PAGE.c.finding == place)).scalar_one()
        values = {"id": place, "key": finding.key, "check_id": finding.id, "finding": packed_record(finding), "pages_count": count}
        connection.execute(insert(FINDING).values(**values, is_note=place > len(report.findings)))


def stored_report(connection: Connection, ruleset: str | None = RULESET) -> SiteReport | None:
    """Return the stored report, without findings of checks that no longer exist; None if no report of the ruleset is stored.

    If ``ruleset`` is None, a report of any ruleset is returned.
    """
    chosen = select(REPORT.c.report)
    data = connection.execute(chosen if ruleset is None else chosen.where(REPORT.c.ruleset == ruleset)).scalar()
    if data is None:
        return None
    findings, notes = (tuple(item.finding for item in stored_findings(connection, notes=notes)) for notes in (False, True))
    return structs.replace(unpacked_record(data, SiteReport), findings=findings, notes=notes)


def stored_findings(connection: Connection, *, notes: bool = False) -> Sequence[StoredFinding]:
    """Return the findings of the stored report, or its notes, which are not faults; none of checks that no longer exist."""
    return list(_stored(connection, FINDING.c.is_note == notes))


def findings_of_pages(connection: Connection, pages: Select[Any], *, notes: bool = False) -> Sequence[StoredFinding]:
    """Return the findings, or the notes, of selected pages; ``listed_count`` is the number of these pages that have the finding."""
    number, count = FINDING_PAGE.c.finding, func.count()
    counted = select(number, count).where(FINDING_PAGE.c.page.in_(pages)).group_by(number)
    counts = {row.finding: row.count for row in connection.execute(counted.with_only_columns(number, count.label("count")))}
    found = (structs.replace(item, listed_count=counts.get(item.place, 0)) for item in stored_findings(connection, notes=notes))
    return [item for item in found if item.listed_count]


def stored_finding(connection: Connection, key: str) -> StoredFinding | None:
    """Return the finding with a key; None if there is none."""
    return next(_stored(connection, FINDING.c.key == key), None)


def _stored(connection: Connection, condition: ColumnElement[bool]) -> Iterator[StoredFinding]:
    """Yield findings of the stored report, without those of checks that no longer exist."""
    known = FINDING.c.check_id.in_(tuple(all_checks()))
    for row in connection.execute(select(FINDING).where(condition, known).order_by(FINDING.c.id)):
        yield StoredFinding(row.id, unpacked_record(row.finding, SiteFinding), row.pages_count)
