"""Stored results of page checks that use the other pages of a crawl."""

from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, select

from findable.formats.zstd import zstd
from findable.reports.reported_finding import ReportedFinding
from findable.store.crawl_schema import ANSWER

WRITTEN_AT_ONCE = 5000
ADDED_AT_ONCE = 500
LEVEL = 3


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
    for batch in _batches(page_results, WRITTEN_AT_ONCE):
        connection.execute(ANSWER.insert(), [_row(page_result) for page_result in batch])


def add_page_results(connection: Connection, page_results: Iterable[PageResults]) -> None:
    """Store further verdicts and findings of pages in addition to the stored ones."""
    for batch in _batches(page_results, ADDED_AT_ONCE):
        by_number = {page_result.number: page_result for page_result in batch}
        for row in connection.execute(select(ANSWER).where(ANSWER.c.id.in_(list(by_number)))):
            added = by_number[row.id]
            findings = (*findings_of(row.findings), *added.findings)
            by_number[row.id] = PageResults(row.id, row.verdicts + added.verdicts, findings)
        connection.execute(delete(ANSWER).where(ANSWER.c.id.in_(list(by_number))))
        connection.execute(ANSWER.insert(), [_row(page_result) for page_result in by_number.values()])


def _batches(page_results: Iterable[PageResults], size: int) -> Iterator[list[PageResults]]:
    remaining = iter(page_results)
    while batch := list(islice(remaining, size)):
        yield batch


def _row(page_result: PageResults) -> dict[str, int | bytes | None]:
    findings = zstd.compress(msgspec.msgpack.encode(page_result.findings), LEVEL) if page_result.findings else None
    return {"id": page_result.number, "verdicts": page_result.verdicts, "findings": findings}


def findings_of(data: bytes | None) -> tuple[ReportedFinding, ...]:
    """Return the findings of a page from their stored form; empty for None."""
    return () if data is None else msgspec.msgpack.decode(zstd.decompress(data), type=tuple[ReportedFinding, ...])
