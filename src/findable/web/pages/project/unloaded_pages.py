"""First screen of a project of which no page could be loaded: the reasons and the next step."""

from msgspec import Struct

from findable.reports.google_listing import Listing, listing_of_pages
from findable.service.reports import reports
from findable.service.values.project_values import ProjectView
from findable.service.values.report_values import ReportQuery, ReportView
from findable.web.pages.report.missing_rating import MissingRating, missing_rating_of
from findable.web.pages.shared.viewer import SignedInRequest

LISTED = 3
"""Maximum number of listed pages."""


class UnloadedProject(Struct, frozen=True):
    """First screen of a project of which no page could be loaded."""

    indexable_sentence: str
    pages: tuple[ReportView, ...]
    """First pages with their errors."""
    count: int
    """Number of all pages."""
    missing: MissingRating
    """Reason why the newest report has no rating."""


def unloaded_pages(request: SignedInRequest, project: ProjectView) -> UnloadedProject | None:
    """Return the newest pages of a project if none could be loaded; None if at least one was loaded or the project has no pages."""
    say = request.say
    newest = reports.find(request.service, request.caller, ReportQuery(project=project.name, pages_only=True))
    failed = [(view, missing) for view in newest.items if view.error and (missing := missing_rating_of(view, say, for_owner=True))]
    if not failed or len(failed) < len(newest.items):
        return None
    return UnloadedProject(
        indexable_sentence=listing_of_pages({Listing.UNKNOWN: newest.total}, say),
        pages=tuple(view for view, _ in failed[:LISTED]),
        count=newest.total,
        missing=failed[0][1],
    )
