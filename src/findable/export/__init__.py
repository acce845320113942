"""A report to bytes in the formats that others read. Input is always the report itself; nothing is looked up."""

from collections.abc import Mapping

from findable.checks.engine import Evidence
from findable.reports.report import Report
from findable.reports.reported_finding import in_language
from findable.wording import ENGLISH, Wording


def titles_of(report: Report, say: Wording = ENGLISH) -> Mapping[str, str]:
    """Category id to title."""
    return {category.id: say.text(category.title) for category in report.categories}


def first_line(item: Evidence, say: Wording = ENGLISH) -> str:
    """One piece of evidence on one line: where it stands, what stands there, what is wrong with it."""
    shown = in_language(item, say)
    where = say("line %(number)s: ", number=item.line) if item.line else f"{item.status} " if item.status else ""
    what = " ".join((shown.text or item.url or item.selector).split())
    return f"{where}{what}{' – ' if what and shown.note else ''}{shown.note}"
