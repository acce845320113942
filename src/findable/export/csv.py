"""Findings as CSV that a spreadsheet opens without running anything of it."""

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from findable.export import as_list, first_line, titles_of

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
_LIVE = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠", "'", '"', " ")
"""A cell that begins so could be run or read as something else by a spreadsheet (OWASP, CSV Injection)."""


def to_csv(reports: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> bytes:
    """UTF-8 with a BOM, all texts quoted, one row a finding. Texts that a spreadsheet might run begin with an apostrophe."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for report in as_list(reports):
        titles = titles_of(report)
        for result in report["results"]:
            writer.writerow([safe(value) for value in _row(report, result, titles)])
    return ("\ufeff" + file.getvalue()).encode("utf-8", "replace")


def _row(report: Mapping[str, Any], result: Mapping[str, Any], titles: Mapping[str, str]) -> list[Any]:
    evidence = result["evidence"]
    return [
        report["url"],
        titles.get(result["category"], result["category"]),
        result["id"],
        result["question"],
        "accepted" if result.get("accepted") else result["verdict"],
        result["importance"],
        result["lost"],
        result["worth"],
        result["summary"],
        first_line(evidence[0]) if evidence else "",
        result["evidence_count"],
        " ".join(result["how_to_fix"].split()),
        result["docs"],
    ]


def safe(value: Any) -> Any:
    """Numbers as they are; texts with an apostrophe in front where a spreadsheet might run them, NUL taken out."""
    if isinstance(value, int | float):
        return value
    text = str(value).replace("\0", "")
    return f"'{text}" if str(value).startswith(_LIVE) else text
