"""Changes of one page between two reports, with old and new values, as crawls list them."""

from msgspec import structs

from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.crawl.changes import ChangeKind, ComparedPage, PageChange, value_changes
from findable.reports.google_listing import Listing, listing_of, status_of
from findable.reports.report import Report
from findable.vocabulary import Source

KINDS = (
    ChangeKind.BECAME_NON_INDEXABLE,
    ChangeKind.BECAME_INDEXABLE,
    ChangeKind.STATUS,
    ChangeKind.ROBOTS,
    ChangeKind.CANONICAL,
    ChangeKind.TITLE,
    ChangeKind.DESCRIPTION,
    ChangeKind.H1,
    ChangeKind.TEXT,
)
"""Kinds of changes of a report, the decisive one first."""
_REASONS = {
    Listing.STATUS: Reason.STATUS,
    Listing.BLOCKED: Reason.ROBOTS,
    Listing.COOKIE: Reason.COOKIE,
    Listing.TOLD_NOT: Reason.NOINDEX,
    Listing.OTHER_URL: Reason.CANONICAL,
}


def changed_values(before: Report, after: Report) -> tuple[PageChange, ...]:
    """Return the changed values, the decisive one first; none if the page could not be loaded in one of the runs."""
    old, new = _compared(before), _compared(after)
    if old is None or new is None:
        return ()
    kinds = KINDS if before.engine.version == after.engine.version else KINDS[:-1]  # another version may count words differently
    found = (_with_words(change, before, after) for change in value_changes(old, new) if change.kind in kinds)
    return tuple(sorted(found, key=lambda change: KINDS.index(change.kind)))


def _compared(report: Report) -> ComparedPage | None:
    """Return the values of a page; None if it could not be loaded."""
    facts, status = report.facts, status_of(report)
    if report.error is not None or not report.findings or status is None:
        return None
    google = facts.robots_directives.google if facts.robots_directives else None
    return ComparedPage(
        url=report.url,
        number=0,
        status=status,
        reason=_REASONS.get(listing_of(report), Reason.NONE),
        is_page=status == OK,
        is_rendered=Source.BROWSER in report.engine.sources,
        title=facts.page_title,
        description=facts.meta_description,
        h1=facts.main_heading,
        canonical=facts.canonical_url,
        noindex=bool(google and google.noindex),
        nofollow=bool(google and google.nofollow),
        text_key=_words_count(report),
    )


def _words_count(report: Report) -> int:
    return report.facts.words.main_count if report.facts.words else 0


def _with_words(change: PageChange, before: Report, after: Report) -> PageChange:
    """Return a change of the text with the numbers of words."""
    if change.kind is not ChangeKind.TEXT:
        return change
    return structs.replace(change, before=str(_words_count(before)), after=str(_words_count(after)))
