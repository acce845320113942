"""Findings as CSV that spreadsheets open without executing anything."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from findable.control_characters import INVISIBLE
from findable.export.short_texts import first_line, titles_of
from findable.lazy_pattern import lazy_pattern
from findable.reports.page_error_text import message_of
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.wording import ENGLISH, Translator


class _Row(Struct, frozen=True):
    """Finding of a report, for a row in one language."""

    report: Report
    finding: ReportedFinding
    category: str
    docs_url: str
    say: Translator


COLUMNS: Mapping[str, Callable[[_Row], Any]] = {
    "url": lambda of: of.report.requested_url,
    "category": lambda of: of.category,
    "check": lambda of: of.finding.id,
    "question": lambda of: of.finding.question(of.say),
    "verdict": lambda of: "accepted" if of.finding.accepted else of.finding.verdict,
    "importance": lambda of: of.finding.importance,
    "lost_points": lambda of: of.finding.lost,
    "worth_points": lambda of: of.finding.worth,
    "summary": lambda of: of.finding.summary(of.say),
    "evidence": lambda of: first_line(of.finding.evidence[0]) if of.finding.evidence else "",
    "evidence_count": lambda of: of.finding.evidence_count,
    "how_to_fix": lambda of: one_line_fix(of.finding.how_to_fix(of.say)),
    "docs": lambda of: of.finding.docs(of.docs_url),
    "gain": lambda of: "" if of.finding.gain is None else of.finding.gain,
    "final_url": lambda of: of.report.url,
}
"""Cells by the name of their column."""
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠", "'", '"', " ")
"""First characters of cells that a spreadsheet could execute or reinterpret (OWASP, CSV Injection)."""
_CELL_STARTS = lazy_pattern(r"([;\t])(?=[ \"'\u00a0]*[=+\-@＝＋－＠])")
"""Positions where a spreadsheet with decimal comma starts another cell, quoted or not, and would execute it."""
_CONTROL = lazy_pattern(f"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff{INVISIBLE}]")


def to_csv(report: Report, docs_url: str = "", say: Translator = ENGLISH, *, has_head: bool = True) -> bytes:
    """Return a report as CSV in UTF-8: one row per finding, and one for a page that could not be loaded.

    ``has_head``: whether to begin with a byte order mark and the column names.
    """
    lines = [csv_head(COLUMNS)] if has_head else []
    titles = titles_of(report, say)
    for finding in report.findings:
        row = _Row(report, finding, titles.get(finding.category, finding.category), docs_url, say)
        lines.append(csv_line(cell_of(row) for cell_of in COLUMNS.values()))
    if not report.was_loaded:
        lines.append(csv_line(_not_loaded(report)))
    return b"".join(lines)


def list_rows(reports: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> bytes:
    """Return the CSV rows of a list of reports; None becomes an empty cell."""
    return b"".join(csv_line("" if report[column] is None else report[column] for column in columns) for report in reports)


def one_line_fix(prose: str) -> str:
    """Return the text of a fix on one line, without the marks of code."""
    return " ".join(prose.split()).replace("``", "")


def _not_loaded(report: Report) -> list[Any]:
    summary = f"{message_of(report.error)} [{report.error.code}]" if report.error else ""
    told = {"url": report.requested_url, "verdict": "not seen", "summary": summary}
    return [told.get(column, "") for column in COLUMNS]


def csv_head(columns: Iterable[str]) -> bytes:
    """Return a byte order mark and the row of column names, with which a CSV file begins."""
    return "\ufeff".encode() + csv_line(columns)


def flat(value: Sequence[object] | datetime) -> str:
    """Return a list or a time as text, for formats that have none."""
    return f"{value:%Y-%m-%dT%H:%M:%SZ}" if isinstance(value, datetime) else " ".join(map(str, value))


def without_controls(text: str) -> str:
    """Return a text without control characters and halves of surrogate pairs, which no file of a spreadsheet can contain."""
    return _CONTROL.sub("", text.encode("utf-8", "replace").decode())


def csv_line(cells: Iterable[Any]) -> bytes:
    """Return one CSV row, with all texts quoted; cells that a spreadsheet might execute get an apostrophe."""
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n").writerow([safe(cell) for cell in cells])
    return file.getvalue().encode()


def safe(value: Any) -> Any:
    """Return a number unchanged, and a text without control characters, after an apostrophe if a spreadsheet might execute it."""
    if isinstance(value, int | float):
        return value
    text = _CELL_STARTS.sub(r"\1'", without_controls(str(value)))
    runs = any(start.startswith(_FORMULA_STARTS) for start in (str(value), text, text.lstrip()))
    return f"'{text}" if runs else text
