"""Findings as CSV that spreadsheets open without executing anything."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from findable.export.csv_rows import csv_head, csv_line
from findable.export.short_texts import first_line, titles_of
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
    "how_to_fix": lambda of: " ".join(of.finding.how_to_fix(of.say).split()).replace("``", ""),
    "docs": lambda of: of.finding.docs(of.docs_url),
    "gain": lambda of: "" if of.finding.gain is None else of.finding.gain,
    "final_url": lambda of: of.report.url,
}
"""Cells by the name of their column."""


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


def _not_loaded(report: Report) -> list[Any]:
    summary = f"{message_of(report.error)} [{report.error.code}]" if report.error else ""
    told = {"url": report.requested_url, "verdict": "not seen", "summary": summary}
    return [told.get(column, "") for column in COLUMNS]
