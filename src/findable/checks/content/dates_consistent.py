"""The visible date and the marked-up date of an article differ, one is missing, or a marked-up date is not a valid date.

In plain words: Google cannot tell how recent this article is, because its dates are missing or contradict each other.

Why it matters: Search engines show a date beside articles when they are sure of it. Contradicting dates make them unsure; a date in the
future is always wrong.

How to fix: Fill the visible date and the marked-up dates from the same field, in ISO 8601 with the time zone.

    <time datetime="2026-11-01">1 November 2026</time>
    {"@type": "Article", "datePublished": "2026-11-01"}

Sources: [Google: byline dates](https://developers.google.com/search/docs/appearance/publication-dates) (2025): provide a visible date and
structured data that match, no future dates; [Google: Article structured
data](https://developers.google.com/search/docs/appearance/structured-data/article) (2025): datePublished and dateModified are in ISO 8601
format; [Open Graph protocol](https://ogp.me/#type_article): article:published_time is a DateTime of ISO 8601.

Not judged: pages that are not marked as articles; ``<time>`` elsewhere than in the header or byline of the article that contains the main
heading (h1): cards, comments and running text show other dates; dates without a time element, beyond their year. Dates up to one day apart
agree, because of time zones.
"""

from datetime import datetime, timedelta

from findable.artifacts.page.article import TOLERANCE, Article, StatedDate
from findable.artifacts.page.text import Text
from findable.capture.page import PageCapture
from findable.checks.engine import Finding, check, element, failed, inapplicable, passed, warned
from findable.formats.timestamps import moment
from findable.vocabulary import Effort, Importance

FRESH = timedelta(days=365)


@check("Do visible and marked-up dates agree?", Importance.LOW, Effort.CONTENT, failed=5, warned=5)
def dates_consistent(page: PageCapture, article: Article, text: Text) -> Finding:
    now = moment(page.captured_at)
    marked = (*article.published, *article.modified)
    if future := [item for item in article.published if item.moment > now + TOLERANCE]:
        return failed("datePublished lies in the future: {date}", date=future[0].text, evidence=[item.element for item in future])
    if article.invalid_dates:
        return warned(
            "{count|marked-up date is|marked-up dates are} not valid",
            count=len(article.invalid_dates),
            evidence=[
                element(item.element, "{name} “{date}”: {date_fault}", name=item.name, date=item.text, date_fault=item.fault)
                for item in article.invalid_dates
            ],
        )
    if (backwards := article.modified_before_published) is not None:
        first, changed = backwards
        return warned(
            "dateModified {modified} is before datePublished {published}",
            modified=changed.text,
            published=first.text,
            evidence=list(dict.fromkeys((first.element, changed.element))),
        )
    if not marked and not article.visible:
        return inapplicable("The article states no date that can be read")
    if not marked and any(item.element.attr("itemprop") for item in article.visible):
        return inapplicable("The visible date is marked up outside an article item")
    if not marked:
        return warned(
            "The article shows a date that is not marked up",
            evidence=[element(item.element, "{date}, but no datePublished", date=item.text) for item in article.visible[:3]],
        )
    if agreeing := [other for other in (*article.visible, *article.elsewhere) if any(one.agrees(other) for one in marked)]:
        shown = [*(item.element for item in marked[:3]), *(item.element for item in agreeing[:3])]
        return passed("Visible and marked-up dates agree: {date}", date=marked[0].text, evidence=shown)
    if article.visible:
        return _differing_dates_finding(article, text)
    if article.elsewhere:
        return inapplicable("The visible dates may be those of other things")
    return _markup_only_finding(article, text, now)


def _markup_only_finding(article: Article, text: Text, now: datetime) -> Finding:
    markup_dates = (*article.published, *article.modified)
    if not article.published:
        return inapplicable("Only the date of the last change is marked up")
    if any(str(item.moment.year) in text.visible for item in markup_dates) or not _is_old(markup_dates, now):
        return passed(
            "Marked up as {date}; the text contains the year or the age",
            date=markup_dates[0].text,
            evidence=[item.element for item in markup_dates[:3]],
        )
    return warned(
        "The marked-up year is not in the text",
        evidence=[
            element(item.element, "{date} is marked up, the text does not contain the year", date=item.text) for item in markup_dates[:3]
        ],
    )


def _is_old(markup_dates: tuple[StatedDate, ...], now: datetime) -> bool:
    """Return whether the latest date is old enough to be shown as a date: new articles show "three hours ago" instead."""
    return max(item.moment for item in markup_dates) < now - FRESH


def _differing_dates_finding(article: Article, text: Text) -> Finding:
    markup_dates, visible = (*article.published, *article.modified), article.visible
    if not article.published and max(item.moment for item in visible) < min(item.moment for item in markup_dates):
        return inapplicable("Only the date of the last change is marked up")
    shown = [*(item.element for item in markup_dates[:3]), *(item.element for item in visible[:3])]
    years = {str(item.moment.year) for item in markup_dates}
    if years - {str(item.moment.year) for item in visible} and any(year in text.visible for year in years):
        return inapplicable("The visible dates may be those of other things")
    return warned("Marked up as {marked}, visible as {visible}", marked=markup_dates[0].text, visible=visible[0].text, evidence=shown)
