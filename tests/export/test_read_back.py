"""Exported tables as other programs read them: equal rows and types in DuckDB, pandas, polars and LibreOffice."""

import math
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from findable.crawl.exported_table import ExportedTable
from findable.crawl.extractors import Extractor
from findable.crawl.tables import CrawlTable
from findable.export.csv_cells import flat
from findable.export.table_files import TableFormat, all_in_one, files_of
from findable.store.table_exports import TableExports
from tests.crawl.clean_sites import make_business, make_countries
from tests.crawl.test_crawls import Crawled
from tests.crawl.test_extractors import again
from tests.sites.server import Site

pytestmark = pytest.mark.full
NAMES = sorted({*(table.value for table in CrawlTable if table is not CrawlTable.SITEMAP_XML), "about"})
DUCKDB = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "time": "TIMESTAMP WITH TIME ZONE",
    "list of texts": "VARCHAR[]",
}
ARROW = {
    "text": "string",
    "integer": "int64",
    "number": "double",
    "boolean": "bool",
    "time": "timestamp[us, tz=UTC]",
    "list of texts": "list<element: string>",
}
POLARS = {
    "text": "String",
    "integer": "Int64",
    "number": "Float64",
    "boolean": "Boolean",
    "time": "Datetime(time_unit='us', time_zone='UTC')",
    "list of texts": "List(String)",
}
OFFICE = {"text": "string", "integer": "float", "number": "float", "boolean": "boolean", "time": "date", "list of texts": "string"}
BOOLEANS = {"of:=TRUE()": "true", "of:=FALSE()": "false"}
"""Formulas as which LibreOffice reads boolean cells."""
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


class Exported:
    """A crawl with its tables, and their files."""

    def __init__(self, folder: Path, site: Site) -> None:
        self.folder = folder
        crawled = Crawled(folder / "business.crawl.sqlite", site.url("/"))
        again(crawled, Extractor("Heading", "h1"), Extractor("Links", "count: a"), Extractor("url", "meta[name=none]@content"))
        with crawled.file.reading() as connection:
            tables = TableExports(connection, crawled.state, "business")
            self.tables = {one.name: replace_rows(one) for one in tables.each()}
            for format_ in (TableFormat.PARQUET, TableFormat.CSV, TableFormat.NDJSON):
                for name, pieces in files_of(tables.each(), format_):
                    (folder / name).write_bytes(b"".join(pieces))
            (folder / "all.xlsx").write_bytes(b"".join(all_in_one(tables.each(), TableFormat.XLSX)))
        crawled.file.close()


def replace_rows(table: ExportedTable) -> ExportedTable:
    return ExportedTable(table.name, table.columns, list(table.batches))


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exported]:
    site = Site().start()
    try:
        make_countries(site)
        make_business(site, frozenset({"footer", "chain", "loop", "server-error", "title", "canonical", "text", "orphan"}))
        yield Exported(tmp_path_factory.mktemp("tables"), site)
    finally:
        site.stop()


def plain(row: Any) -> list[Any]:
    """Return the cells of a row as every library can return them."""
    return [_plain(cell) for cell in row]


def _plain(cell: Any) -> Any:
    if isinstance(cell, (tuple, list)) or type(cell).__name__ == "ndarray":
        return [_plain(one) for one in cell]
    if isinstance(cell, datetime):
        return cell.astimezone(UTC)
    if isinstance(cell, str):
        return str(cell)
    return None if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell


@pytest.mark.parametrize("name", NAMES)
def test_duckdb_reads_what_was_written(exported: Exported, name: str) -> None:
    duckdb = pytest.importorskip("duckdb", reason="a test dependency")
    table, path = exported.tables[name], exported.folder / name
    with duckdb.connect() as database:
        database.execute("SET TimeZone = 'UTC'")
        types = database.execute(f"DESCRIBE SELECT * FROM read_parquet('{path}.parquet')").fetchall()
        rows = database.execute(f"SELECT * REPLACE (epoch_us(crawled_at) AS crawled_at) FROM read_parquet('{path}.parquet')").fetchall()
        flat_types = {column.name: DUCKDB[column.type].removesuffix("[]") for column in table.columns}
        columns = ", ".join(f"'{column}': '{kind}'" for column, kind in flat_types.items())
        texts = database.execute(
            f"SELECT * EXCLUDE (crawled_at) FROM read_csv('{path}.csv', header = true, columns = {{{columns}}})"
        ).fetchall()
        counted = database.execute(f"SELECT count(*) FROM read_json('{path}.ndjson', format = 'newline_delimited')").fetchone()

    assert [one[:2] for one in types] == [(column.name, DUCKDB[column.type]) for column in table.columns]
    micro = [(crawl, int(when.timestamp() * 1_000_000), *more) for crawl, when, *more in table.rows]
    assert list(map(plain, rows)) == list(map(plain, micro))
    flattened = [[flat(cell) or None if isinstance(cell, tuple) else cell for cell in row] for row in table.rows]
    assert list(map(plain, texts)) == [plain([crawl, *more]) for crawl, _, *more in flattened]
    assert counted == (len(rows),) or not rows


@pytest.mark.parametrize("name", NAMES)
def test_pandas_reads_what_was_written(exported: Exported, name: str) -> None:
    pandas = pytest.importorskip("pandas", reason="a test dependency")
    table, path = exported.tables[name], exported.folder / name
    frame = pandas.read_parquet(f"{path}.parquet", dtype_backend="pyarrow")
    lines = pandas.read_csv(f"{path}.csv", encoding="utf-8-sig")

    assert [str(kind.pyarrow_dtype) for kind in frame.dtypes] == [ARROW[column.type] for column in table.columns]
    assert list(frame.columns) == list(lines.columns) == [column.name for column in table.columns]
    rows = [[None if cell is pandas.NA else cell for cell in row] for row in frame.itertuples(index=False)]
    assert list(map(plain, rows)) == list(map(plain, table.rows))
    assert len(lines) == len(rows)
    for column, values in zip(table.columns, zip(*table.rows, strict=True), strict=False):
        if column.type == "boolean" and None not in values:
            assert lines[column.name].tolist() == list(values)
        if column.type in ("integer", "number"):
            assert lines[column.name].notna().sum() == sum(value is not None for value in values)


@pytest.mark.parametrize("name", NAMES)
def test_polars_reads_what_was_written(exported: Exported, name: str) -> None:
    polars = pytest.importorskip("polars", reason="a test dependency")
    table, path = exported.tables[name], exported.folder / name
    frame = polars.read_parquet(f"{path}.parquet")

    assert {column: str(kind) for column, kind in frame.schema.items()} == {column.name: POLARS[column.type] for column in table.columns}
    assert list(map(plain, frame.rows())) == list(map(plain, table.rows))
    assert not list(table.rows) or polars.read_ndjson(f"{path}.ndjson").height == frame.height


@pytest.fixture(scope="module")
def sheets(exported: Exported, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[tuple[str, str] | None]]]:
    """Types and texts of the cells of each sheet, as LibreOffice has read them."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed: apt-get install libreoffice-calc")
    folder = tmp_path_factory.mktemp("office")
    command = [office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "fods", "--outdir", str(folder)]
    subprocess.run([*command, str(exported.folder / "all.xlsx")], check=True, capture_output=True, timeout=180)
    return dict(_sheets(ET.parse(folder / "all.fods").getroot()))


def _sheets(root: ET.Element) -> Iterator[tuple[str, list[list[tuple[str, str] | None]]]]:
    for sheet in root.iter(f"{_TABLE}table"):
        rows = []
        for line in sheet.iter(f"{_TABLE}table-row"):
            cells: list[tuple[str, str] | None] = []
            for cell in line.findall(f"{_TABLE}table-cell"):
                formula, kind = cell.get(f"{_TABLE}formula"), cell.get(f"{_OFFICE}value-type")
                value = cell.get(f"{_OFFICE}{'date-value' if kind == 'date' else 'value'}")
                if formula is not None:
                    kind, value = "boolean", BOOLEANS[formula]
                shown = value or "\n".join("".join(part.itertext()) for part in cell.findall(f"{_TEXT}p"))
                cells += [None if kind is None else (kind, shown)] * min(int(cell.get(f"{_TABLE}number-columns-repeated", "1")), 100)
            if any(cells):
                rows.append(cells)
        yield sheet.get(f"{_TABLE}name", ""), rows


@pytest.mark.parametrize("name", NAMES)
def test_libreoffice_reads_what_was_written(exported: Exported, sheets: dict[str, list[list[tuple[str, str] | None]]], name: str) -> None:
    table, (head, *rows) = exported.tables[name], sheets[name]

    assert [cell[1] for cell in head if cell] == [column.name for column in table.columns]
    assert len(rows) == len(list(table.rows))
    for shown, row in zip(rows, table.rows, strict=True):
        for cell, value, column in zip(shown, row, table.columns, strict=False):
            if value is None or value == ():
                assert cell is None
                continue
            assert cell is not None
            assert cell[0] == OFFICE[column.type], (column.name, cell)
            if isinstance(value, bool):
                assert cell[1] == str(value).lower()
            elif isinstance(value, (int, float)):
                assert float(cell[1]) == pytest.approx(value)
            elif isinstance(value, datetime):
                assert cell[1] == f"{value:%Y-%m-%dT%H:%M:%S}"
            else:
                assert " ".join(cell[1].split()) == " ".join((value if isinstance(value, str) else flat(value)).split())


def test_crawls_are_stacked_by_duckdb(exported: Exported) -> None:
    duckdb = pytest.importorskip("duckdb", reason="a test dependency")
    other = exported.folder / "other"
    other.mkdir()
    shutil.copy(exported.folder / "pages.parquet", other / "pages.parquet")
    with duckdb.connect() as database:
        pattern = f"{exported.folder}/**/pages.parquet"
        found = database.execute(f"SELECT crawl, count(*) FROM read_parquet('{pattern}', union_by_name = true) GROUP BY ALL").fetchall()
    assert found == [("business", 2 * len(list(exported.tables["pages"].rows)))]
