"""Stored results of page checks that use the other pages of a crawl."""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from sqlalchemy import Connection, bindparam, delete, select, update

from findable.crawl.record import update_verdicts
from findable.crawl.scope import Segment
from findable.reports.reported_finding import ReportedFinding
from findable.store.crawl_frontier import each_part
from findable.store.crawl_schema import ANSWER, PAGE, PAGES, RECORD, URL, VERDICT, WITH_RECORD
from findable.store.packed_pages import packed_record, unpacked_record
from findable.store.page_writer import segments_of
from findable.values import batches_of

WRITTEN_AT_ONCE = 5000
ADDED_AT_ONCE = 500


class PageResults(Struct, frozen=True):
    """Verdicts and findings of one page."""

    number: int
    verdicts: bytes
    """Result of `crawl.record.pack_verdict_pairs`."""
    findings: tuple[ReportedFinding, ...] = ()
    """Failed and warned findings."""


def write_page_results(connection: Connection, page_results: Iterable[PageResults]) -> None:
    """Store verdicts and findings of pages, replacing those of all pages."""
    connection.execute(delete(ANSWER))
    for batch in batches_of(page_results, WRITTEN_AT_ONCE):
        connection.execute(ANSWER.insert(), [_row(page_result) for page_result in batch])


def add_page_results(connection: Connection, page_results: Iterable[PageResults]) -> None:
    """Store further verdicts and findings of pages in addition to the stored ones."""
    for batch in batches_of(page_results, ADDED_AT_ONCE):
        by_number = {page_result.number: page_result for page_result in batch}
        for row in connection.execute(select(ANSWER).where(ANSWER.c.id.in_(list(by_number)))):
            added = by_number[row.id]
            findings = (*findings_of(row.findings), *added.findings)
            by_number[row.id] = PageResults(row.id, row.verdicts + added.verdicts, findings)
        connection.execute(delete(ANSWER).where(ANSWER.c.id.in_(list(by_number))))
        connection.execute(ANSWER.insert(), [_row(page_result) for page_result in by_number.values()])


def settle_pages(connection: Connection, segments: Sequence[Segment]) -> None:
    """Store the verdicts of all pages with those that need other pages, and the segments of the current settings."""
    columns = (PAGE.c.id, PAGE.c.segments, URL.c.url, RECORD.c.record, VERDICT.c.verdicts, ANSWER.c.verdicts.label("added"))
    joined = PAGES.join(RECORD, WITH_RECORD).join(VERDICT, VERDICT.c.id == PAGE.c.id).outerjoin(ANSWER, ANSWER.c.id == PAGE.c.id)
    for rows in each_part(connection, select(*columns).select_from(joined), PAGE.c.id, WRITTEN_AT_ONCE):
        verdicts, moved = [], []
        for row in rows:
            settled = update_verdicts(unpacked_record(row.record, _VerdictRecord).verdicts, row.added)
            if settled != row.verdicts:
                verdicts.append({"number": row.id, "settled": settled})
            found = segments_of(segments, row.url)
            if found != row.segments:
                moved.append({"number": row.id, "found": found})
        if verdicts:
            connection.execute(update(VERDICT).where(VERDICT.c.id == bindparam("number")).values(verdicts=bindparam("settled")), verdicts)
        if moved:
            connection.execute(update(PAGE).where(PAGE.c.id == bindparam("number")).values(segments=bindparam("found")), moved)


class _VerdictRecord(Struct, frozen=True):
    """Verdicts in a record, which are those of the page alone."""

    verdicts: bytes = b""


def _row(page_result: PageResults) -> dict[str, int | bytes | None]:
    findings = page_result.findings
    return {"id": page_result.number, "verdicts": page_result.verdicts, "findings": packed_record(findings) if findings else None}


def findings_of(data: bytes | None) -> tuple[ReportedFinding, ...]:
    """Return the findings of a page from their stored form; empty for None."""
    return () if data is None else unpacked_record(data, tuple[ReportedFinding, ...])
