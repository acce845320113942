"""A report to bytes in the formats that others read. Input is always the REPORT of the interface; nothing is looked up."""

from collections.abc import Iterable, Mapping
from typing import Any

from findable.wording import ENGLISH, Wording


def titles_of(report: Mapping[str, Any]) -> Mapping[str, str]:
    """Category id to title."""
    return {category["id"]: category["title"] for category in report["categories"]}


def first_line(item: Mapping[str, Any], say: Wording = ENGLISH) -> str:
    """One piece of evidence on one line: where it stands, what stands there, what is wrong with it."""
    where = say("line %(number)s: ", number=item["line"]) if item.get("line") else f"{item['status']} " if item.get("status") else ""
    what = " ".join(str(item.get("text") or item.get("url") or item.get("selector") or "").split())
    note = str(item.get("note") or "")
    return f"{where}{what}{' – ' if what and note else ''}{note}"


def as_list(reports: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """One report or many, as many."""
    return [reports] if isinstance(reports, Mapping) else list(reports)
