"""`findable query`: ask a crawl file in SQL."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from cyclopts import Parameter

from findable.api import QueryRows, open_crawl, query_crawls
from findable.cli.terminal import clean, print_bytes, printed
from findable.crawl.questions import PROJECT_QUESTIONS, QUESTIONS
from findable.errors import SettingError
from findable.export.table_files import TableFormat, table_file
from findable.service.crawls.crawl_questions import answer_table, value_of
from findable.store.question_files import QUERY_TABLES, query_columns
from findable.store.question_process import Cell

CELL_CHARS = 80
_FORMATS = {one.value: one for one in TableFormat}


def query(
    given: Annotated[tuple[str, ...], Parameter(name="FILE... SQL")] = (),
    /,
    *,
    name: str = "",
    param: tuple[str, ...] = (),
    format_: Annotated[Literal["text", "csv", "ndjson", "parquet", "xlsx"], Parameter(name="--format")] = "text",
) -> int:
    """Ask crawls in SQL: read-only, over documented tables, with limits of time, memory and rows. Nothing is requested.

    The tables of several files are stacked: they begin with the columns crawl, the name of the file, and crawled_at.

    Args:
        given: Crawl files, then a SELECT statement. Without them: list tables and questions.
        name: Ask a named question instead of SQL.
        param: Value of a parameter, like words=200.
        format_: Format of the rows.
    """
    if not given:
        print_bytes(printed(_catalogue()).encode("utf-8", "replace"))
        return 0
    files, sql = (given, "") if name else (given[:-1], given[-1])
    if not files:
        raise SettingError("query", "send either a statement or --name, after the crawl files")
    file_format = None if format_ == "text" else _FORMATS[format_]
    if file_format and not file_format.is_available:
        raise SettingError("--format", file_format.how_to_install)
    params: dict[str, Cell] = {key: value_of(value) for key, _, value in (one.partition("=") for one in param)}
    answer = query_crawls([open_crawl(file) for file in files], sql, name, **params)
    table = answer_table(answer.columns, answer.rows)
    for part in table_file(table, file_format) if file_format else [printed(_lines(answer)).encode("utf-8", "replace")]:
        print_bytes(part)
    return 0


def _catalogue() -> Iterator[str]:
    """Yield the tables with their columns, and the named questions."""
    yield "Tables"
    for name, table in QUERY_TABLES.items():
        yield f"  {name} ({', '.join(column.name for column in query_columns(table))})"
    yield "Questions"
    for name, question in {**QUESTIONS, **PROJECT_QUESTIONS}.items():
        params = ", ".join(f"{key}={value}" for key, value in question.params.items())
        yield f"  {name}: {question.title}{f' ({params})' if params else ''}"


def _lines(answer: QueryRows) -> Iterator[str]:
    rows: list[Sequence[str]] = [
        answer.columns,
        *(["" if cell is None else clean(str(cell))[:CELL_CHARS] for cell in row] for row in answer.rows),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield f"{len(answer.rows)} rows{', cut at the limit' if answer.is_cut else ''}"
