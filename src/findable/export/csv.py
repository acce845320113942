"""Findings as CSV that a spreadsheet opens without running anything of it."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import Any

from findable.export import first_line, titles_of
from findable.reports.page_error_text import message_of
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.wording import ENGLISH, Wording

COLUMNS = (
    "url",
    "category",
    "check",
    "question",
    "verdict",
    "importance",
    "lost_points",
    "worth_points",
    "summary",
    "evidence",
    "evidence_count",
    "how_to_fix",
    "docs",
)
LIST_COLUMNS = (
    "url",
    "status",
    "result",
    "score",
    "change",
    "coverage",
    "failed",
    "warned",
    "privacy",
    "created_at",
    "generated_at",
    "error",
    "report",
)
"""Of a list of reports."""
_LIVE = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠", "'", '"', " ")
"""A cell that begins so could be run or read as something else by a spreadsheet (OWASP, CSV Injection)."""
_PART = re.compile(r"([;\t])(?=[ \"'\u00a0]*[=+\-@＝＋－＠])")
"""Where a spreadsheet of a country that writes 1,5 begins another cell, in quotes or not, and would run it."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys, or what turns round how a cell reads."""


def to_csv(reports: Iterable[Report], docs_url: str = "", say: Wording = ENGLISH) -> bytes:
    """UTF-8 with a BOM, all texts quoted, one row a finding, and one for a page that could not be seen.

    Texts that a spreadsheet might run begin with an apostrophe.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for report in reports:
        titles = titles_of(report, say)
        for finding in report.findings:
            category = titles.get(finding.category, finding.category)
            writer.writerow([safe(value) for value in _row(report, finding, category, docs_url, say)])
        if not report.was_seen:
            writer.writerow([safe(value) for value in _not_seen(report)])
    return ("\ufeff" + file.getvalue()).encode("utf-8", "replace")


def list_head() -> bytes:
    """The first line of a list of reports, behind a BOM."""
    return "\ufeff".encode() + _lines([LIST_COLUMNS])


def list_rows(reports: Iterable[Mapping[str, Any]]) -> bytes:
    """The lines of these reports, to follow `list_head`: their LIST_COLUMNS, None for nothing."""
    return _lines([safe("" if report[column] is None else report[column]) for column in LIST_COLUMNS] for report in reports)


def _lines(rows: Iterable[Iterable[Any]]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n").writerows(rows)
    return file.getvalue().encode("utf-8", "replace")


def _row(report: Report, finding: ReportedFinding, category: str, docs_url: str, say: Wording) -> list[Any]:
    return [
        report.requested_url,
        category,
        finding.id,
        finding.question(say),
        "accepted" if finding.accepted else finding.verdict,
        finding.importance,
        finding.lost,
        finding.worth,
        finding.summary(say),
        first_line(finding.evidence[0]) if finding.evidence else "",
        finding.evidence_count,
        " ".join(finding.how_to_fix(say).split()),
        finding.docs(docs_url),
    ]


def _not_seen(report: Report) -> list[Any]:
    summary = f"{message_of(report.error)} [{report.error.code}]" if report.error else ""
    told = {"url": report.requested_url, "verdict": "not seen", "summary": summary}
    return [told.get(column, "") for column in COLUMNS]


def safe(value: Any) -> Any:
    """Numbers as they are; texts with an apostrophe wherever a spreadsheet might begin to run them, controls taken out."""
    if isinstance(value, int | float):
        return value
    text = _PART.sub(r"\1'", _CONTROL.sub("", str(value)))
    runs = any(start.startswith(_LIVE) for start in (str(value), text, text.lstrip()))
    return f"'{text}" if runs else text
