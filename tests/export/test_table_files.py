"""Files of tables: hostile texts stay texts (S47), null stays null, whatever the format."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from findable.control_characters import INVISIBLE
from findable.crawl.exported_table import ExportedTable, in_batches
from findable.crawl.tables import TableColumn
from findable.export import workbook
from findable.export.table_files import TableFormat, all_in_one, table_file

STARTED = datetime(2026, 11, 29, 18, tzinfo=UTC)
COLUMNS = tuple(
    TableColumn(name.replace(" ", "_"), name, is_nullable=True, meaning=f"A {name}.")
    for name in ("text", "integer", "number", "boolean", "time", "list of texts")
)
HOSTILE = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1+1",
    "\r\n=1+1",
    "{=1+1}",
    "http://example.com/",
    "internal:Sheet1!A1",
    "007",
    "1e5",
    "TRUE",
    "2026-11-29",
    "a\x00b\x1bc\x7f",
    "\u202egnp.exe",
    "half \ud83d of a pair",
    "\ufffe\uffff",
    "_x0041_",
    "<r><t>markup</t></r>",
    '</t></is></c><c r="A9"><f>1+1</f></c>',
    " leading and trailing ",
    "x" * 32_768,
    "=" + "y" * 40_000,
    "💥" * 20_000,
)


def made(rows: list[tuple[Any, ...]], name: str = "pages") -> ExportedTable:
    return ExportedTable(name, COLUMNS, in_batches(rows))


def rows_of_texts() -> list[tuple[Any, ...]]:
    return [(text, at, at / 2, at % 2 == 0, STARTED, (text, "b")) for at, text in enumerate(HOSTILE)]


def file(format_: TableFormat, *tables: ExportedTable) -> bytes:
    return b"".join(all_in_one(iter(tables), format_))


def sheets(data: bytes) -> dict[str, list[list[Any]]]:
    calamine = pytest.importorskip("python_calamine", reason="python-calamine is a test dependency")
    book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    return {name: book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names}


def cleaned(text: str) -> str:
    text = re.sub(f"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff{INVISIBLE}]", "", text).encode("utf-8", "replace").decode()
    return text.replace("\r\n", "\n").replace("\r", "\n")


def test_s47_hostile_texts_stay_texts_in_a_sheet() -> None:
    data = file(TableFormat.XLSX, made(rows_of_texts()))
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
        names = parts.namelist()
    head, *rows = sheets(data)["pages"]

    assert not re.search(r"<(f|hyperlinks?|dataValidation)[ >]", sheet)
    assert not [name for name in names if "externalLink" in name or "connections" in name]
    assert head == [column.name for column in COLUMNS]
    assert len(rows) == len(HOSTILE)
    for text, (shown, number, half, flag, when, texts) in zip(HOSTILE, rows, strict=True):
        assert isinstance(shown, str)
        whole, shown = cleaned(text), cleaned(shown)  # noqa: PLW2901 - ends of lines are those of the file
        assert shown.rstrip() == whole.rstrip() or (len(text) > 16_000 and whole.startswith(shown) and len(shown) >= 16_383), text
        assert (half, flag, when) == (number / 2, number % 2 == 0, STARTED.replace(tzinfo=None))
        assert isinstance(texts, str)


def test_a_sheet_has_a_fixed_head_filters_and_readable_widths() -> None:
    data = file(TableFormat.XLSX, made(rows_of_texts()))
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()

    assert f'<autoFilter ref="A1:F{len(HOSTILE) + 1}"/>' in sheet
    assert '<pane ySplit="1"' in sheet
    widths = [float(width) for width in re.findall(r'<col [^>]*width="([\d.]+)"', sheet)]
    assert len(widths) == len(COLUMNS)
    assert min(widths) >= workbook.NARROWEST
    assert max(widths) < workbook.WIDEST + 1


def test_a_table_beyond_the_rows_of_a_sheet_goes_on_in_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "SHEET_ROWS", 4)
    rows = [("a", at, None, None, None, ()) for at in range(9)]
    found = sheets(file(TableFormat.XLSX, made(rows, "links"), made(rows[:4], "pages"), made([], "changes")))

    assert {name: len(cells) - 1 for name, cells in found.items()} == {"links": 4, "links 2": 4, "links 3": 1, "pages": 4, "changes": 0}
    assert [row[1] for name in ("links", "links 2", "links 3") for row in found[name][1:]] == list(range(9))


def test_missing_values_are_null_and_times_lists_and_booleans_typed() -> None:
    rows: list[tuple[Any, ...]] = [(None, None, None, None, None, ()), ("a", 1, 0.5, True, STARTED, ("x", "y z"))]
    lines = [json.loads(line) for line in b"".join(table_file(made(rows), TableFormat.NDJSON)).splitlines()]
    text = b"".join(table_file(made(rows), TableFormat.CSV)).decode("utf-8-sig").splitlines()

    assert list(lines[0].values()) == [None, None, None, None, None, []]
    assert list(lines[1].values()) == ["a", 1, 0.5, True, "2026-11-29T18:00:00Z", ["x", "y z"]]
    assert text[1:] == ['"","","","","",""', '"a",1,0.5,"true","2026-11-29T18:00:00Z","x y z"']
    assert sheets(file(TableFormat.XLSX, made(rows)))["pages"][1:] == [
        ["", "", "", "", "", ""],
        ["a", 1.0, 0.5, True, STARTED.replace(tzinfo=None), "x y z"],
    ]


def test_parquet_has_the_types_meanings_and_texts() -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    rows: list[tuple[Any, ...]] = [*rows_of_texts(), (None, None, None, None, None, ())]
    data = b"".join(table_file(made(rows), TableFormat.PARQUET))
    found = parquet.read_table(io.BytesIO(data))
    empty = parquet.read_table(io.BytesIO(b"".join(table_file(made([]), TableFormat.PARQUET))))

    assert [str(kind) for kind in found.schema.types] == [
        *("string", "int64", "double", "bool", "timestamp[us, tz=UTC]", "list<element: string>")
    ]
    assert found.column("text").to_pylist() == [*(text.encode("utf-8", "replace").decode() for text in HOSTILE), None]
    assert found.column("list_of_texts").to_pylist()[-1] == []
    assert found.schema.field("text").metadata == {b"meaning": b"A text.", b"since": b"0.2"}
    assert (empty.num_rows, empty.schema.types) == (0, found.schema.types)


@pytest.mark.parametrize("format_", [TableFormat.CSV, TableFormat.NDJSON, TableFormat.PARQUET])
def test_all_tables_are_an_archive_that_is_sent_while_it_is_written(format_: TableFormat) -> None:
    read: list[int] = []

    def endless() -> Iterator[tuple[Any, ...]]:
        for at in range(50_000):
            read.append(at)
            yield (f"text {at}", at, None, None, None, ())

    pieces = all_in_one([ExportedTable("links", COLUMNS, in_batches(endless())), made(rows_of_texts())], format_)
    first = next(piece for piece in pieces if piece)
    assert len(read) < 40_000
    with zipfile.ZipFile(io.BytesIO(first + b"".join(pieces))) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [f"links.{format_.value}", f"pages.{format_.value}"]
        if format_ is TableFormat.NDJSON:
            assert len(archive.read("links.ndjson").splitlines()) == 50_000


def test_a_format_without_its_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.export.table_files.find_spec", lambda _: None)

    assert [one.is_available for one in TableFormat] == [True, True, False, False]
    assert TableFormat.PARQUET.how_to_install == "parquet is not installed: pip install '.[parquet]' in a clone of Findable"
