"""One pass over the records of the pages of a settled crawl, shared by all that reads every record: roots of site checks, and findings."""

from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec
from msgspec import Raw, Struct
from sqlalchemy import Connection, Select, String, bindparam, select

from findable.capture.status_classes import OK
from findable.formats.zstd import zstd
from findable.reports.reported_finding import ReportedFinding
from findable.store.crawl_schema import ANSWER, PAGE, PAGES, RECORD, SETTLED, SETTLED_PAGES, URL, VERDICT, WITH_RECORD
from findable.store.dialect import listed, listed_numbers, read_rows, stream_rows

AT_ONCE = 1000


class FindingCore(Struct, frozen=True):
    """Finding of a page without its evidence, which takes most of the time of reading."""

    id: str
    verdict: str
    message: str
    params: Raw = Raw(b"\x80")
    """Values of the message as MessagePack."""
    fault: str = ""
    share_percent: int = 100

    @property
    def cost_key(self) -> tuple[str, str, str, int]:
        """Values that decide what the finding costs."""
        return self.id, self.verdict, self.fault, self.share_percent


class SharedRecord(Struct, frozen=True):
    """Parts of a record that the readers of the pass use."""

    findings: tuple[FindingCore, ...] = ()
    score: int | None = None
    is_shell: bool = False
    is_unread: bool = False
    types: tuple[str, ...] = ()
    shapes: tuple[int, ...] = ()
    frame_key: int = 0
    own_text: bytes | None = None
    verdicts: bytes = b""
    routes: tuple[str, ...] = ()
    place_links: tuple[Raw, ...] = ()


class PassedPage(Struct):
    """HTML page with the status 200."""

    record: SharedRecord
    data: bytes
    """Record as MessagePack."""
    answer: bytes
    """Findings that depend on the position of the page, as MessagePack; empty for none."""
    number: int
    url: str
    series: int
    reason: str
    words: int
    first_byte_ms: float
    template: int
    link_score: int
    verdicts: bytes
    """Verdicts of the page in the settled crawl."""
    blocks: bytes

    def all_findings(self) -> Sequence[ReportedFinding]:
        """Return the findings with their evidence, in the order of `cores`."""
        placed = msgspec.msgpack.decode(self.answer, type=tuple[ReportedFinding, ...]) if self.answer else ()
        return *msgspec.msgpack.decode(self.data, type=_Findings).findings, *placed

    @property
    def cores(self) -> Sequence[FindingCore]:
        """Findings of the page alone, and those that depend on its position."""
        return (*self.record.findings, *_CORES.decode(self.answer)) if self.answer else self.record.findings


class _Findings(Struct, frozen=True):
    """Findings in a record."""

    findings: tuple[ReportedFinding, ...] = ()


_CORES = msgspec.msgpack.Decoder(tuple[FindingCore, ...])


class PageReader(Protocol):
    """Reader of the pages of a settled crawl."""

    def add(self, page: PassedPage) -> None:
        """Read a page. Pages come in the order of their URLs."""


def passed_pages(connection: Connection) -> Iterator[PassedPage]:
    """Yield the HTML pages with the status 200 in the order of their URLs.

    The database sorts URLs only, since it would sort records on the disk.
    """
    ordered = select(PAGE.c.id).select_from(PAGES).where(PAGE.c.is_html, PAGE.c.status == OK).order_by(URL.c.url)
    numbers = array("i", (number for (number,) in stream_rows(connection, ordered)))
    chosen = _chosen(connection.dialect.name)
    decode, decompress = msgspec.msgpack.Decoder(SharedRecord).decode, zstd.decompress
    for at in range(0, len(numbers), AT_ONCE):
        part = numbers[at : at + AT_ONCE].tolist()
        rows = {row[0]: row for row in read_rows(connection, chosen, {"given": listed(part)})}
        for number in part:
            *values, answer, packed = rows[number]
            data = decompress(packed)
            yield PassedPage(decode(data), data, decompress(answer) if answer else b"", *values)


@cache
def _chosen(dialect: str) -> Select[Any]:
    """Return the statement for the pages with given ids, in the order of the fields of `PassedPage`."""
    joined = SETTLED_PAGES.join(RECORD, WITH_RECORD).join(VERDICT, VERDICT.c.id == PAGE.c.id).outerjoin(ANSWER, ANSWER.c.id == PAGE.c.id)
    columns = (PAGE.c.id, URL.c.url, URL.c.series, PAGE.c.reason, PAGE.c.words, PAGE.c.first_byte_ms)
    settled = (SETTLED.c.template, SETTLED.c.link_score, VERDICT.c.verdicts, RECORD.c.blocks, ANSWER.c.findings, RECORD.c.record)
    return select(*columns, *settled).select_from(joined).where(PAGE.c.id.in_(listed_numbers(dialect, bindparam("given", type_=String))))
