"""Tables of a crawl as files, row by row: CSV that spreadsheets open without executing anything, NDJSON, and a sitemap."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal
from xml.sax.saxutils import escape

import msgspec
from msgspec import UNSET, Struct, structs

from findable.control_characters import escape_json
from findable.crawl.extractors import Extractor
from findable.crawl.page_row import PageRow
from findable.crawl.tables import CrawlTable
from findable.export.crawl_documents import SiteFindingJson, site_finding_json
from findable.export.csv import csv_head, csv_line, one_line_fix
from findable.reports.reported_finding import AGAINST

SITEMAP_URLS = 50_000
"""Maximum number of URLs in a sitemap (sitemaps.org)."""
UNKNOWN = "unknown"


def table_file(
    table: CrawlTable,
    rows: Iterable[Any],
    format_: Literal["csv", "ndjson"],
    docs_url: str = "",
    extractors: Sequence[Extractor] = (),
    data: Sequence[str] = (),
) -> Iterator[bytes]:
    """Return a table of a crawl as the chunks of a file: CSV or NDJSON, for a sitemap XML."""
    if table is CrawlTable.SITEMAP_XML:
        return sitemap_xml(rows)
    if table is CrawlTable.FINDINGS:
        items = (site_finding_json(item, docs_url) for item in rows)
        return findings_csv(items) if format_ == "csv" else table_ndjson(items)
    if format_ == "ndjson":
        return table_ndjson(rows)
    return pages_csv(rows, extractors, data) if table.row is PageRow else table_csv(table.row, rows)


def pages_csv(rows: Iterable[PageRow], extractors: Sequence[Extractor] = (), data: Sequence[str] = ()) -> Iterator[bytes]:
    """Yield the pages of a crawl as CSV, with columns for failed and warned checks, extractors and uploaded metrics."""
    names = tuple(name for name in PageRow.__struct_fields__ if name not in ("verdicts", "covered_by", "extracted", "data"))
    yield csv_head((*names, *(verdict.value for verdict in AGAINST), *(extractor.name for extractor in extractors), *data))
    for row in rows:
        values = structs.asdict(row)
        verdicts = (_cell(row.verdicts[verdict.value]) for verdict in AGAINST)
        extracted = (_extractor_cell(row, extractor) for extractor in extractors)
        yield csv_line((*(_cell(values[name]) for name in names), *verdicts, *extracted, *(row.data.get(name, "") for name in data)))


def _extractor_cell(row: PageRow, extractor: Extractor) -> str | int:
    """Return the cell of an extractor on a page: its values, or the number of matches if it counts; empty if it did not run."""
    if extractor.name not in row.extracted:
        return ""
    found = row.extracted[extractor.name]
    if found is None:
        return UNKNOWN
    return found.count if extractor.counts else " | ".join(found.values)


def findings_csv(items: Iterable[SiteFindingJson]) -> Iterator[bytes]:
    """Yield the findings of a site as CSV, with the URLs of the examples in one cell."""
    yield csv_head(_FINDING_COLUMNS)
    for item in items:
        values = structs.asdict(item) | structs.asdict(item.cause) | {"examples": tuple(example.url for example in item.examples)}
        values["how_to_fix"] = one_line_fix(item.how_to_fix)
        yield csv_line(_cell(values[name]) for name in _FINDING_COLUMNS)


_FINDING_COLUMNS = (
    *("id", "key", "verdict", "importance", "summary", "kind", "name", "selector"),
    *("pages_count", "share", "examples", "how_to_fix", "docs"),
)


def table_csv(kind: type[Struct], rows: Iterable[Struct]) -> Iterator[bytes]:
    """Yield the rows of a table other than pages as CSV with a header; cells that a spreadsheet might execute get an apostrophe."""
    names = kind.__struct_fields__
    yield csv_head(names)
    for row in rows:
        values = structs.asdict(row)
        yield csv_line(_cell(values[name]) for name in names)


def _cell(value: Any) -> Any:
    if value is None or value is UNSET:
        return ""
    return " ".join(map(str, value)) if isinstance(value, (tuple, list)) else value


def table_ndjson(rows: Iterable[Struct]) -> Iterator[bytes]:
    """Yield the rows of a table as JSON objects, one per line."""
    for row in rows:
        yield escape_json(msgspec.json.encode(row)) + b"\n"


def sitemap_xml(rows: Iterable[PageRow]) -> Iterator[bytes]:
    """Yield a sitemap that lists the first SITEMAP_URLS indexable pages."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    for _, row in zip(range(SITEMAP_URLS), (row for row in rows if row.indexable), strict=False):
        yield f"<url><loc>{escape(row.url)}</loc></url>\n".encode("utf-8", "replace")
    yield b"</urlset>\n"
