"""Home of an account: its sites by rating, projects with the worst change, regressions, and new reports."""

from msgspec import Struct

from findable.clock import now
from findable.reports.earlier_score import WEEK
from findable.reports.google_listing import Listing
from findable.service.accounts.permissions import require
from findable.service.projects.change_overview import ChangedPages, LostView, lost_views
from findable.service.projects.project_lists import WORST_CHANGES, ProjectSummary, changed_in_week, find_ordered
from findable.service.reports import batches, reports
from findable.service.reports.batches import BatchView
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.paging import Page
from findable.service.values.report_summary import summary_of
from findable.service.values.report_values import ReportQuery, ReportView
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.vocabulary import Status

NEWEST = 8
NEWEST_REPORTS = 50
"""Maximum number of newest reports to read; queued reports of a batch are skipped."""
BATCHES = 3
MAX_STARTS = 1000
"""Maximum number of start pages with a limited score that are read."""
UNLISTED = (Listing.STATUS, Listing.BLOCKED, Listing.TOLD_NOT, Listing.NO_CONTENT, Listing.COOKIE)
"""Results of pages that Google cannot index; each of them limits the score of the page."""
UNLISTED_LIMIT = 49
"""Highest limit of their scores, that of rulesets until 2026-12."""


class SiteTotals(Struct, frozen=True):
    """Number of sites that the caller may see, by rating."""

    projects: int
    good: int
    decent: int
    bad: int
    unlisted_starts: int
    """Number of sites whose start page Google cannot index, by its report."""

    @property
    def unrated(self) -> int:
        """Number of sites without a score."""
        return self.projects - self.good - self.decent - self.bad


class Home(Struct, frozen=True):
    """Content of Home."""

    totals: SiteTotals
    projects: Page[ProjectSummary]
    """Sites with the worst change first."""
    changes: ChangedPages
    """Changes within a week, as on the page of changes."""
    losses: tuple[LostView, ...]
    """Sites whose newest crawl, within a week, lost pages."""
    newest: tuple[ReportView, ...]
    reports: int
    """Total number of reports."""
    batches: tuple[BatchView, ...]
    """Batches that are not complete."""


def get(service: Service, caller: Caller) -> Home:
    """Return the content of Home."""
    require(caller, READ)
    newest = reports.find(service, caller, ReportQuery(per_page=NEWEST_REPORTS, pages_only=True))
    with service.store.read() as session:
        changed, totals = changed_in_week(session, caller), _totals(session, caller)
        listed = find_ordered(service, session, caller, WORST_CHANGES, changed)
        losses = lost_views(
            session, ChangeScope(caller.account_id, None, caller.only_projects_of), int((now() - WEEK).timestamp()), only_newest=True
        )
    return Home(
        totals=totals,
        projects=listed,
        changes=changed,
        losses=losses,
        newest=tuple(report for report in newest.items if report.status is not Status.QUEUED)[:NEWEST],
        reports=newest.total,
        batches=batches.running(service, caller, BATCHES),
    )


def _totals(session: Session, caller: Caller) -> SiteTotals:
    whose = caller.account_id, caller.only_projects_of
    starts = session.overview.limited_starts(whose[0], UNLISTED_LIMIT, MAX_STARTS, whose[1])
    unlisted = sum(summary_of(one).listing in UNLISTED for one in starts)
    return SiteTotals(*session.overview.ratings(*whose), unlisted)
