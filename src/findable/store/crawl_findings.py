"""Stored report of a settled crawl: its findings with their pages, so that lists of findings read no pages."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct, structs
from sqlalchemy import Connection, delete, insert, select

from findable.checks.engine import all_checks
from findable.crawl.bitmaps import pack_bits, unpack_bits
from findable.crawl.state import CrawlState
from findable.formats.zstd import zstd
from findable.reports.scoring import RULESET
from findable.reports.site_report import SiteFinding, SiteReport
from findable.store.crawl_finding_pages import FindingPages
from findable.store.crawl_page_queries import PageLists
from findable.store.crawl_schema import FINDING, REPORT

LEVEL = 3
_ONLY_ROW = 1


class StoredFinding(Struct, frozen=True):
    """Finding of a crawl with its position in the list of findings, the most harmful first."""

    place: int
    finding: SiteFinding
    listed_count: int
    """Number of pages that can be listed; fewer than the finding has if only its examples are stored."""


def write_report(connection: Connection, state: CrawlState, report: SiteReport) -> None:
    """Store the report of a settled crawl, replacing an earlier one."""
    lists = PageLists(connection, state)
    pages = FindingPages(connection, state, lists) if lists.is_settled else None
    for table in (FINDING, REPORT):
        connection.execute(delete(table))
    connection.execute(insert(REPORT).values(id=_ONLY_ROW, ruleset=RULESET, report=_pack(structs.replace(report, findings=(), notes=()))))
    rows = []
    for place, finding in enumerate((*report.findings, *report.notes), 1):
        bits = pages.pages_of(finding) if pages else 0
        values = {"id": place, "key": finding.key, "finding": _pack(finding), "is_note": place > len(report.findings)}
        rows.append(values | {"pages": zstd.compress(pack_bits(bits), LEVEL), "pages_count": bits.bit_count()})
    if rows:
        connection.execute(insert(FINDING), rows)


def stored_report(connection: Connection, ruleset: str | None = RULESET) -> SiteReport | None:
    """Return the stored report, without findings of checks that no longer exist; None if no report of the ruleset is stored.

    If ``ruleset`` is None, a report of any ruleset is returned.
    """
    chosen = select(REPORT.c.report)
    data = connection.execute(chosen if ruleset is None else chosen.where(REPORT.c.ruleset == ruleset)).scalar()
    if data is None:
        return None
    report = msgspec.msgpack.decode(zstd.decompress(data), type=SiteReport)
    known = all_checks()
    findings, notes = (
        tuple(item.finding for item in stored_findings(connection, notes=notes) if item.finding.id in known) for notes in (False, True)
    )
    return structs.replace(report, findings=findings, notes=notes)


def stored_findings(connection: Connection, *, notes: bool = False) -> Sequence[StoredFinding]:
    """Return the findings of the stored report, or its notes, which are not faults."""
    columns = (FINDING.c.id, FINDING.c.finding, FINDING.c.pages_count)
    rows = connection.execute(select(*columns).where(FINDING.c.is_note == notes).order_by(FINDING.c.id))
    return [StoredFinding(row.id, _unpack(row.finding), row.pages_count) for row in rows]


def findings_of_set(connection: Connection, pages: int, *, notes: bool = False) -> Sequence[StoredFinding]:
    """Return the findings, or the notes, of the pages in a set; ``listed_count`` is the number of these pages that have the finding."""
    found = []
    for row in connection.execute(select(FINDING).where(FINDING.c.is_note == notes).order_by(FINDING.c.id)):
        count = (unpack_bits(zstd.decompress(row.pages)) & pages).bit_count()
        if count:
            found.append(StoredFinding(row.id, _unpack(row.finding), count))
    return found


def stored_finding(connection: Connection, key: str) -> StoredFinding | None:
    """Return the finding with a key; None if there is none."""
    row = connection.execute(select(FINDING.c.id, FINDING.c.finding, FINDING.c.pages_count).where(FINDING.c.key == key)).first()
    return None if row is None else StoredFinding(row.id, _unpack(row.finding), row.pages_count)


def _pack(value: SiteFinding | SiteReport) -> bytes:
    return zstd.compress(msgspec.msgpack.encode(value), LEVEL)


def _unpack(data: bytes) -> SiteFinding:
    return msgspec.msgpack.decode(zstd.decompress(data), type=SiteFinding)
