"""The visible date and the marked-up date of an article differ, or one of them is missing.

Why it matters: search engines show a date beside articles when they are sure of it. Two dates that disagree make them unsure; a date
in the future is wrong for everybody.

How to fix: take both from one field.

    <time datetime="2026-11-01">1 November 2026</time>
    {"@type": "Article", "datePublished": "2026-11-01"}

Sources: Google, "Influencing your byline dates in Google Search" (2025): provide a visible date and structured data that match; no
future dates.

Not judged: pages that nothing calls an article; dates that stand in the text without a time element, beyond their year.
"""

from datetime import datetime, timedelta

from findable.artifacts.page.article import Article, StatedDate
from findable.artifacts.page.text import Text
from findable.capture.page import PageCapture
from findable.checks.engine import Finding, check, element, failed, inapplicable, passed, warned
from findable.formats.timestamps import moment
from findable.vocabulary import Effort, Importance

TOLERANCE = timedelta(days=1)
"""Time zones and midnight."""
FRESH = timedelta(days=365)


@check(question="Do visible and marked-up dates agree?", importance=Importance.LOW, effort=Effort.CONTENT)
def dates_consistent(page: PageCapture, article: Article, text: Text) -> Finding:
    now = moment(page.captured_at)
    marked = (*article.published, *article.modified)
    if future := [item for item in article.published if item.moment > now + TOLERANCE]:
        return failed("datePublished lies in the future: {date}", date=future[0].text, evidence=[item.element for item in future])
    if not marked and not article.visible:
        return inapplicable("the article states no date that can be read")
    if not marked and any(item.element.attr("itemprop") for item in article.visible):
        return inapplicable("the visible date is marked up outside an article item")
    if not marked:
        return warned(
            "the article shows a date that is not marked up",
            evidence=[element(item.element, "{date}, but no datePublished", date=item.text) for item in article.visible[:3]],
        )
    if not article.visible:
        return _only_marked(marked, text, now)
    return _compared(marked, article.visible, text)


def _only_marked(marked: tuple[StatedDate, ...], text: Text, now: datetime) -> Finding:
    if any(str(item.moment.year) in text.visible for item in marked) or not _is_old(marked, now):
        return passed(
            "marked up as {date}; the text names the year or says how long ago",
            date=marked[0].text,
            evidence=[item.element for item in marked[:3]],
        )
    return warned(
        "the marked-up year stands nowhere in the text",
        evidence=[element(item.element, "{date} is marked up, the text names no such year", date=item.text) for item in marked[:3]],
    )


def _is_old(marked: tuple[StatedDate, ...], now: datetime) -> bool:
    """Fresh articles say "three hours ago"."""
    return max(item.moment for item in marked) < now - FRESH


def _compared(marked: tuple[StatedDate, ...], visible: tuple[StatedDate, ...], text: Text) -> Finding:
    shown = [*(item.element for item in marked[:3]), *(item.element for item in visible[:3])]
    if any(abs(one.moment - other.moment) <= TOLERANCE for one in marked for other in visible):
        return passed("visible and marked-up dates agree: {date}", date=marked[0].text, evidence=shown)
    years = {str(item.moment.year) for item in marked}
    if years - {str(item.moment.year) for item in visible} and any(year in text.visible for year in years):
        return inapplicable("the visible dates may be those of other things")
    return warned(
        "marked up as {marked}, visible as {visible}",
        marked=marked[0].text,
        visible=visible[0].text,
        evidence=shown,
    )
