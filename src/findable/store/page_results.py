"""Stored results of page checks that use the other pages of a crawl."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy import Connection, bindparam, delete, select, update

from findable.crawl.packed_verdicts import update_verdicts
from findable.crawl.settings import Segment
from findable.reports.reported_finding import ReportedFinding
from findable.store.crawl_schema import ANSWER, PAGE, PAGES, URL, VERDICT
from findable.store.dialect import write_rows
from findable.store.packed_pages import packed_record, unpacked_record
from findable.store.page_writer import segments_of
from findable.store.rows_by_id import each_part
from findable.values import batches_of

WRITTEN_AT_ONCE = 5000
ADDED_AT_ONCE = 500
KNOWN_VERDICTS = 10_000
"""Number of different verdicts of pages that are kept in memory."""


class PageResults(Struct, frozen=True):
    """Verdicts and findings of one page."""

    number: int
    verdicts: bytes
    """Result of `crawl.record.pack_verdict_pairs`."""
    findings: tuple[ReportedFinding, ...] = ()
    """Failed and warned findings."""
    score: int | UnsetType | None = UNSET
    """Score of the page, if its settled findings decide it."""


def write_page_results(connection: Connection, page_results: Iterable[PageResults]) -> None:
    """Store verdicts and findings of pages, replacing those of all pages."""
    connection.execute(delete(ANSWER))
    for batch in batches_of(page_results, WRITTEN_AT_ONCE):
        write_rows(connection, _INSERT, ANSWER.c.keys(), [_row(page_result) for page_result in batch])
        scores = [(item.score, item.number) for item in batch if item.score is not UNSET]
        if scores:
            write_rows(connection, _UPDATE_SCORES, ("score", "number"), scores)


def add_page_results(connection: Connection, page_results: Iterable[PageResults]) -> None:
    """Store further verdicts and findings of pages in addition to the stored ones."""
    for batch in batches_of(page_results, ADDED_AT_ONCE):
        by_number = {page_result.number: page_result for page_result in batch}
        for row in connection.execute(select(ANSWER).where(ANSWER.c.id.in_(list(by_number)))):
            added = by_number[row.id]
            findings = (*findings_of(row.findings), *added.findings)
            by_number[row.id] = PageResults(row.id, row.verdicts + added.verdicts, findings)
        connection.execute(delete(ANSWER).where(ANSWER.c.id.in_(list(by_number))))
        write_rows(connection, _INSERT, ANSWER.c.keys(), [_row(page_result) for page_result in by_number.values()])


def settle_pages(connection: Connection, segments: Sequence[Segment]) -> None:
    """Store the verdicts of all pages with those that need other pages, and the segments of the current settings."""
    chosen = select(VERDICT.c.id, VERDICT.c.verdicts, ANSWER.c.verdicts.label("added")).join(ANSWER, ANSWER.c.id == VERDICT.c.id)
    settled = lru_cache(KNOWN_VERDICTS)(update_verdicts)
    for rows in each_part(connection, chosen, VERDICT.c.id, WRITTEN_AT_ONCE):
        changed = [(verdicts, row.id) for row in rows if (verdicts := settled(row.verdicts, row.added)) != row.verdicts]
        if changed:
            write_rows(connection, _UPDATE_VERDICTS, ("settled", "number"), changed)
    if segments or connection.execute(select(PAGE.c.id).where(PAGE.c.segments != 0).limit(1)).scalar() is not None:
        urls = select(PAGE.c.id, PAGE.c.segments, URL.c.url).select_from(PAGES)
        for rows in each_part(connection, urls, PAGE.c.id, WRITTEN_AT_ONCE):
            moved = [(found, row.id) for row in rows if (found := segments_of(segments, row.url)) != row.segments]
            if moved:
                write_rows(connection, _UPDATE_SEGMENTS, ("found", "number"), moved)


_INSERT = ANSWER.insert()
_UPDATE_VERDICTS = update(VERDICT).where(VERDICT.c.id == bindparam("number")).values(verdicts=bindparam("settled"))
_UPDATE_SCORES = update(PAGE).where(PAGE.c.id == bindparam("number")).values(score=bindparam("score"))
_UPDATE_SEGMENTS = update(PAGE).where(PAGE.c.id == bindparam("number")).values(segments=bindparam("found"))


def _row(page_result: PageResults) -> tuple[int, bytes, bytes | None]:
    findings = page_result.findings
    return page_result.number, page_result.verdicts, packed_record(findings) if findings else None


def findings_of(data: bytes | None) -> tuple[ReportedFinding, ...]:
    """Return the findings of a page from their stored form; empty for None."""
    return () if data is None else unpacked_record(data, tuple[ReportedFinding, ...])
