"""First screen of a project of which no page could be loaded: the reasons and the next step."""

from msgspec import Struct

from findable.reports.google_listing import Listing, listing_of_pages
from findable.reports.page_error_text import sentences_of
from findable.reports.project_report import short_url
from findable.service.reports import reports
from findable.service.values.project_values import ProjectView
from findable.service.values.report_values import ReportQuery
from findable.web.pages.report.verdict import missing_rating_of
from findable.web.pages.shared.viewer import SignedInRequest

LISTED = 3
"""Maximum number of listed pages."""


class UnloadedPage(Struct, frozen=True):
    """Page that could not be loaded, with the reason."""

    href: str
    address: str
    cause: str


class UnloadedProject(Struct, frozen=True):
    """First screen of a project of which no page could be loaded."""

    indexable_sentence: str
    title: str
    pages: tuple[UnloadedPage, ...]
    more_count: int
    next_step: str
    """Next step for the newest report; empty for none."""
    note: str


def unloaded_pages(request: SignedInRequest, project: ProjectView) -> UnloadedProject | None:
    """Return the newest pages of a project if none could be loaded; None if at least one was loaded or the project has no pages."""
    say = request.say
    newest = reports.find(request.service, request.caller, ReportQuery(project=project.name, pages_only=True))
    failed = [
        (view, view.error, missing) for view in newest.items if view.error and (missing := missing_rating_of(view, say, for_owner=True))
    ]
    if not failed or len(failed) < len(newest.items):
        return None
    count, missing = newest.total, failed[0][2]
    return UnloadedProject(
        indexable_sentence=listing_of_pages({Listing.UNKNOWN: count}, say),
        title=missing.title if count == 1 else say("No rating: none of the %(count)s pages could be loaded", count=say.number(count)),
        pages=tuple(
            UnloadedPage(f"/r/{view.public_id}", short_url(view.url, project.name), sentences_of(error, say))
            for view, error, _ in failed[:LISTED]
        ),
        more_count=max(0, count - LISTED),
        next_step=missing.next_step,
        note=missing.note,
    )
