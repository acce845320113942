"""Short texts of reports and their findings that several formats have in common."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from findable.checks.engine import Evidence
from findable.reports.reported_finding import in_language
from findable.wording import ENGLISH, Translator

if TYPE_CHECKING:
    from findable.reports.report import Report


def titles_of(report: "Report", say: Translator = ENGLISH) -> Mapping[str, str]:
    """Return the titles of a report's categories by category id."""
    return {category.id: say.text(category.title) for category in report.categories}


def first_line(item: Evidence, say: Translator = ENGLISH) -> str:
    """Return a piece of evidence of a finding as one line: position, content, note."""
    shown = in_language(item, say)
    where = say("line %(number)s: ", number=item.line) if item.line else f"{item.status} " if item.status else ""
    what = " ".join((shown.text or item.url or item.selector).split())
    return f"{where}{what}{' – ' if what and shown.note else ''}{shown.note}"
