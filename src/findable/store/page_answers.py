"""Stored findings of checks that need the place of a page in its crawl."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete

from findable.formats.zstd import zstd
from findable.reports.reported_finding import ReportedFinding
from findable.store.crawl_schema import ANSWER

WRITTEN_AT_ONCE = 5000
LEVEL = 3


class PageAnswer(Struct, frozen=True):
    """Verdicts and findings of one page."""

    number: int
    verdicts: bytes
    """Bytes of `crawl.record.packed_answers`."""
    findings: tuple[ReportedFinding, ...] = ()
    """Failed and warned findings."""


def write_answers(connection: Connection, answers: Iterable[PageAnswer]) -> None:
    """Store verdicts and findings in place of earlier ones."""
    connection.execute(delete(ANSWER))
    batch: list[dict[str, int | bytes | None]] = []
    for answer in answers:
        findings = zstd.compress(msgspec.msgpack.encode(answer.findings), LEVEL) if answer.findings else None
        batch.append({"id": answer.number, "verdicts": answer.verdicts, "findings": findings})
        if len(batch) == WRITTEN_AT_ONCE:
            connection.execute(ANSWER.insert(), batch)
            batch = []
    if batch:
        connection.execute(ANSWER.insert(), batch)


def findings_of(data: bytes | None) -> tuple[ReportedFinding, ...]:
    """Return the stored findings of a page."""
    return () if data is None else msgspec.msgpack.decode(zstd.decompress(data), type=tuple[ReportedFinding, ...])
