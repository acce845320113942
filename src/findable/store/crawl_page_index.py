"""Index of the pages of a settled crawl: sets of page numbers by property, as bits. `crawl_page_queries` reads it.

A set of 200,000 pages takes 25 kB, less when compressed, so every filter of a list is a few operations on integers. Numeric values, such as
word counts, are stored as one set per binary digit (`crawl.bitmaps.Column`).
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, delete, func, insert, select

from findable.capture.site_graph import URL_LIMIT
from findable.capture.status_classes import OK
from findable.crawl.bitmaps import Column, bits_of, pack_bits
from findable.crawl.page_selection import CanonicalKind, PageSort
from findable.crawl.record import VERDICT_BYTES, update_verdicts
from findable.crawl.state import CrawlState
from findable.formats.zstd import zstd
from findable.reports.url_patterns import any_matches
from findable.store.crawl_schema import ANSWER, BITMAP, PAGE, SETTLED, SETTLED_PAGES, URL
from findable.store.extracted_values import numbers_of
from findable.store.packed_pages import unpacked_record
from findable.urls import origin_part

AT_ONCE = 4096
LEVEL = 1
MAX_NAMES = 1000
"""Maximum number of distinct languages, media types and other names of a crawl that filters can select."""
MAX_ORIGINS = 200
MOST = 2**31 - 1
CANONICAL_KINDS = tuple(CanonicalKind)
"""Kinds of canonical links by their value in the column, which begins at 1."""
REQUESTED = "requested"
TYPES = "types"
"""Name of index entries with the schema.org types of the pages of a template; their part is the id of the template."""
TRANSLATED = "translated"
"""Name of the set of pages that declare language versions."""
ANY_VERDICT = "any"
EXTRACTED_SET = "extracted"
NUMBERS = ("status", "depth", "inlinks", "link_score", "score", "words", "ttfb_ms", "template", "found_by", "canonical", "url")
NAMES = ("type", "reason", "lang")
"""Columns with texts; their values are positions in a list of names, from 1."""


def verdict_set(check: str) -> str:
    """Return the name of the sets of pages by their verdict on a check; the part of each set is the byte of the verdict."""
    return f"check {check}"


class _IndexedRecord(Struct, frozen=True):
    """Part of a record that filters of lists use."""

    media_type: str = ""
    canonical: str = ""
    declares_canonical: bool = False
    verdicts: bytes = b""
    alternates: tuple[tuple[str, str], ...] = ()
    types: tuple[str, ...] = ()


class _VersionsRecord(Struct, frozen=True):
    """Part of a record that lists the declared language versions."""

    alternates: tuple[tuple[str, str], ...] = ()


def types_of_templates(connection: Connection) -> Mapping[int, tuple[tuple[str, int], ...]]:
    """Return the most common schema.org types of the pages of each template, with the number of pages."""
    rows = connection.execute(select(BITMAP.c.part, BITMAP.c.bits).where(BITMAP.c.name == TYPES))
    return {row.part: msgspec.msgpack.decode(zstd.decompress(row.bits), type=tuple[tuple[str, int], ...]) for row in rows}


def commonest(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return the most common names with their counts, the most common first."""
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:URL_LIMIT])


class DeclaredVersions:
    """Language versions that the pages of a settled crawl declare. Records of other pages are not read.

    Args:
        connection: connection for reading.
    """

    def __init__(self, connection: Connection) -> None:
        found = connection.execute(select(BITMAP.c.bits).where(BITMAP.c.name == TRANSLATED)).scalar()
        self._translated = None if found is None else zstd.decompress(found)

    def versions_for(self, number: int, record: bytes) -> tuple[tuple[str, str], ...]:
        """Return (language, URL) of the versions that a page declares."""
        known = self._translated  # None: the crawl was settled by an earlier version
        if known is not None and (number >> 3 >= len(known) or not known[number >> 3] >> (number & 7) & 1):
            return ()
        return versions_of(record)


def versions_of(record: bytes) -> tuple[tuple[str, str], ...]:
    """Return (language, URL) of the versions in a stored record."""
    return unpacked_record(record, _VersionsRecord).alternates


class PageIndexing:
    """Writes the page index of one crawl, within one transaction.

    Args:
        connection: connection of the transaction.
        state: state of the crawl.
    """

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        self._connection = connection
        self._state = state
        size = (connection.execute(select(func.max(PAGE.c.id))).scalar() or 0) + 1
        self._size = size
        self._values = {name: array("I", bytes(4 * size)) for name in (*NUMBERS, *NAMES)}
        self._names: dict[str, dict[str, int]] = {name: {} for name in NAMES}
        self._urls: list[tuple[str, int]] = []
        self._translated = array("I")
        """Pages that declare language versions."""
        self._types: defaultdict[int, Counter[str]] = defaultdict(Counter)
        """Numbers of pages by schema.org type, by template."""
        self._verdicts: dict[tuple[int, int], bytearray] = {}

    def write(self) -> None:
        """Write the page index, replacing an earlier one. Link scores and templates must be stored before."""
        self._connection.execute(delete(BITMAP))
        chunk = bytearray()
        start = 0
        for row in self._pages():
            while row.id >= start + AT_ONCE:
                self._add_verdicts(start, chunk)
                start, chunk = start + AT_ONCE, bytearray()
            self._add_page(row, start, chunk)
        self._add_verdicts(start, chunk)
        self._rank_urls()
        self._write([(REQUESTED, 0, pack_bits(bits_of((number for _, number in self._urls), self._size)))])
        self._write([(TRANSLATED, 0, pack_bits(bits_of(self._translated, self._size)))])
        self._write((TYPES, template, msgspec.msgpack.encode(commonest(counts))) for template, counts in sorted(self._types.items()))
        for name, values in self._values.items():
            self._write((name, part, digits) for part, digits in enumerate(Column.pack(values)))
        for name, known in self._names.items():
            self._write_names(name, list(known))
        self._write(self._sets_of_verdicts())
        self._write_segments()
        self._write_extracted()

    def _pages(self) -> Iterator[Any]:
        columns = (
            PAGE.c.id,
            PAGE.c.status,
            PAGE.c.reason,
            PAGE.c.lang,
            PAGE.c.words,
            PAGE.c.first_byte_ms,
            PAGE.c.score,
            PAGE.c.record,
            URL.c.url,
            URL.c.found_by,
            SETTLED.c.depth,
            SETTLED.c.inlinks,
            SETTLED.c.link_score,
            SETTLED.c.template,
            ANSWER.c.verdicts,
        )
        joined = SETTLED_PAGES.outerjoin(ANSWER, ANSWER.c.id == PAGE.c.id)
        yield from self._connection.execute(select(*columns).select_from(joined).order_by(PAGE.c.id)).yield_per(AT_ONCE)

    def _add_page(self, row: Any, start: int, chunk: bytearray) -> None:
        number, values = row.id, self._values
        record = unpacked_record(row.record, _IndexedRecord)
        values["status"][number] = row.status
        values["depth"][number] = row.depth + 1
        values["inlinks"][number] = row.inlinks
        values["link_score"][number] = row.link_score
        values["score"][number] = 0 if row.score is None else row.score + 1
        values["words"][number] = min(row.words, MOST)
        values[PageSort.TTFB][number] = min(round(row.first_byte_ms), MOST)
        values["template"][number] = row.template
        values["found_by"][number] = row.found_by
        kind = CanonicalKind.OTHER if record.canonical else CanonicalKind.SELF if record.declares_canonical else CanonicalKind.NONE
        values["canonical"][number] = CANONICAL_KINDS.index(kind) + 1
        values["type"][number] = self._place_of("type", record.media_type)
        values["reason"][number] = self._place_of("reason", row.reason)
        values["lang"][number] = self._place_of("lang", row.lang)
        self._urls.append((row.url, number))
        if record.alternates:
            self._translated.append(number)
        if record.verdicts and row.status == OK:
            self._types[row.template].update(record.types)
        if record.verdicts:
            width = len(self._state.checks)
            missing = (number - start) * width - len(chunk)
            chunk += bytes(missing) + update_verdicts(record.verdicts, row.verdicts)[:width].ljust(width, b"\0")

    def _place_of(self, name: str, text: str) -> int:
        known = self._names[name]
        place = known.get(text, 0)
        if not place and len(known) < MAX_NAMES:
            place = known[text] = len(known) + 1
        return place

    def _add_verdicts(self, start: int, chunk: bytearray) -> None:
        """Add a chunk of verdicts: one byte per page and check, for the pages from the id ``start`` on."""
        width = len(self._state.checks)
        for check in range(width):
            column = bytes(chunk[check::width])
            for verdict in set(column) - {0}:
                flags = column.translate(_IS[verdict])[::-1]
                bits = int(flags, 2).to_bytes(AT_ONCE // 8, "little")
                found = self._verdicts.setdefault((check, verdict), bytearray())
                found += bytes(start // 8 - len(found)) + bits

    def _sets_of_verdicts(self) -> Iterator[tuple[str, int, bytes]]:
        of_any = dict.fromkeys(VERDICT_BYTES.values(), 0)
        for (check, verdict), data in self._verdicts.items():
            yield verdict_set(self._state.checks[check]), verdict, bytes(data)
            of_any[verdict] |= int.from_bytes(data, "little")
        for verdict, bits in of_any.items():
            yield verdict_set(ANY_VERDICT), verdict, pack_bits(bits)

    def _rank_urls(self) -> None:
        """Store the rank of each URL in sort order, so that lists are sorted by number and a folder is a range of ranks."""
        self._urls.sort()
        origins: dict[str, None] = {}
        for rank, (url, number) in enumerate(self._urls, 1):
            self._values["url"][number] = rank
            origins.setdefault(origin_part(url))
        self._write_names("origin", list(origins)[:MAX_ORIGINS])

    def _write_segments(self) -> None:
        """Write the set of the pages of each segment; a page may belong to several segments."""
        segments = self._state.settings.segments
        for part, segment in enumerate(segments):
            chosen = bits_of((number for url, number in self._urls if any_matches(segment.patterns, url)), self._size)
            self._write([("segment", part, pack_bits(chosen))])
        self._write_names("segment", [segment.name for segment in segments])

    def _write_extracted(self) -> None:
        """Write for each extractor the sets of pages with and without a match."""
        extractors = self._state.settings.extractors
        for place, extractor in enumerate(extractors):
            for part, is_found in ((0, True), (1, False)):
                chosen = bits_of(numbers_of(self._connection, extractor, has_match=is_found), self._size)
                self._write([(EXTRACTED_SET, 2 * place + part, pack_bits(chosen))])
        self._write_names(EXTRACTED_SET, [extractor.name for extractor in extractors])

    def _write_names(self, name: str, names: Sequence[str]) -> None:
        self._write([(f"names {name}", 0, msgspec.msgpack.encode(names))])

    def _write(self, rows: Iterable[tuple[str, int, bytes]]) -> None:
        made = [{"name": name, "part": part, "bits": zstd.compress(data, LEVEL)} for name, part, data in rows]
        if made:
            self._connection.execute(insert(BITMAP), made)


_IS = {verdict: bytes(ord("1") if byte == verdict else ord("0") for byte in range(256)) for verdict in VERDICT_BYTES.values()}
