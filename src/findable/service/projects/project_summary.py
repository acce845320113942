"""Summary of a project on one page: the owner's sentences, whose figures are filled in from the newest result when they are shown."""

import re
from collections.abc import Mapping
from datetime import tzinfo
from typing import Literal

from msgspec import Struct

from findable.checks.engine import Check
from findable.errors import ValidationFailed
from findable.reports.earlier_score import by_ruleset
from findable.reports.google_listing import Listing
from findable.reports.plain import plain_finding
from findable.reports.site_fixes import first_site_fixes
from findable.reports.titles import RATINGS
from findable.service.projects.project_reports import ProjectContent
from findable.wording import Message, Translator, later

FIGURES: Mapping[str, str] = {
    "day": later("day of the last result"),
    "score": later("score"),
    "score_before": later("score of the result before"),
    "change": later("change of the score"),
    "rating": later("rating in words"),
    "pages": later("number of pages"),
    "indexable": later("number of pages that Google can index"),
    "problems": later("number of problems"),
    "warnings": later("number of warnings"),
    "new": later("number of new findings"),
    "fixed": later("number of fixed findings"),
    "next": later("finding to fix first"),
}
"""Words of the figures by their name, which stands in braces in a summary."""
SENTENCES = (
    later("On {day} the score is {score} of 100."),
    later("Rating: {rating}."),
    later("The score of the result before was {score_before} ({change})."),
    later("Google can index {indexable} of {pages} pages."),
    later("Fixed since the result before: {fixed}. New: {new}."),
    later("To be fixed first: {next}."),
)
"""Sentences of a summary that nobody has written yet."""
_FIGURE = re.compile(r"\{([A-Za-z_]{1,40})\}")
Figures = Mapping[str, str | None]
"""Figures as text; None for one that is not known."""


class SummaryView(Struct, frozen=True, kw_only=True):
    """Summary of a project."""

    object: Literal["summary"] = "summary"
    text: str
    """Sentences with the names of figures in braces."""
    filled: str
    """Sentences with the figures of the newest result."""
    figures: dict[str, str | None]
    """Figures by name; null for one that is not known."""


def require_known(text: str) -> None:
    """Raise ValidationFailed if a summary contains a figure that does not exist."""
    unknown = next((name for name in _FIGURE.findall(text) if name not in FIGURES), "")
    if unknown:
        words = later("There is no figure {%(name)s}. The figures are: %(names)s.")
        raise ValidationFailed({"summary": [Message(words, name=unknown, names=", ".join(FIGURES))]})


def filled(text: str, figures: Figures, say: Translator) -> str:
    """Return a summary with its figures; one that is not known says so."""
    return _FIGURE.sub(lambda found: _shown(found, figures, say), text)


def _shown(found: re.Match[str], figures: Figures, say: Translator) -> str:
    return found[0] if found[1] not in FIGURES else figures.get(found[1]) or say(later("(not known)"))


def suggested_template(figures: Figures, say: Translator) -> str:
    """Return the sentences of a summary that nobody has written, whose figures are all known, one per line."""
    sentences = (say(sentence) for sentence in SENTENCES)
    return "\n".join(one for one in sentences if all(figures.get(name) for name in _FIGURE.findall(one)))


def figures_of(content: ProjectContent, say: Translator, zone: tzinfo) -> Figures:
    """Return the figures of the newest result of a project that the viewer may see."""
    report, site = content.report, content.site
    scores = [point for point in report.trend if point.score is not None]
    newest = by_ruleset(scores)[-1] if scores else []
    before = newest[-2].score if len(newest) > 1 else None
    last = report.trend[-1] if report.trend else None
    at = site.crawl.finished_at if site else report.at
    new, fixed = _changes(content)
    known: dict[str, str | int | None] = {
        "day": say.day(at, zone) if at else None,
        "score": report.score,
        "score_before": before,
        "change": None if before is None or report.score is None else say.signed(report.score - before, 0),
        "rating": _rating(content, say),
        "pages": site.report.summary.pages_count if site else len(report.pages) or None,
        "indexable": content.project.indexable_pages if site else report.listings.get(Listing.CAN, 0) if report.pages else None,
        "problems": last.failed if last else None,
        "warnings": last.warned if last else None,
        "new": new,
        "fixed": fixed,
        "next": _next(content, say),
    }
    return {name: say.number(value) if isinstance(value, int) else value for name, value in known.items()}


def _rating(content: ProjectContent, say: Translator) -> str | None:
    """Return the word of the rating; None without one, and for clients who see the score alone (`client_wording`)."""
    found = content.report.result
    words = "" if found is None else say.text(RATINGS[found])
    return words if words != say(later("Score")) else None


def _changes(content: ProjectContent) -> tuple[int | None, int | None]:
    """Return the numbers of new and fixed findings; None if nothing can be compared."""
    report, site = content.report, content.site
    if site is None:
        return (len(report.new), len(report.fixed)) if any(page.compare for page in report.pages) else (None, None)
    found = site.comparison.findings if site.comparison and site.comparison.not_comparable is None else None
    return (len(found.new), len(found.fixed)) if found is not None else (None, None)


def _next(content: ProjectContent, say: Translator) -> str | None:
    """Return what to fix first in plain words, as a phrase without a full stop."""
    if content.site is not None:
        for fix in first_site_fixes(content.site.report, say):
            place = fix.fault.plain_place(say)
            return f"{_plain(fix.fault.check, say) or fix.fault.headline(say).rstrip('.')}{f' ({place})' if place else ''}"
    examples = (one.example for one in content.report.first_fixes if one.example is not None)
    return next((_plain(example.check, say) or example.summary(say).rstrip(".") for example in examples), None)


def _plain(check: Check | None, say: Translator) -> str:
    found = plain_finding(check, "", say)
    return found.summary.rstrip(".") if found else ""
