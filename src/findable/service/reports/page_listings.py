"""Whether Google can index the pages of a project or batch, from the summaries of their newest results."""

from collections.abc import Iterable, Mapping

from findable.reports.google_listing import Listing, listing_of
from findable.reports.report import Report
from findable.service.values.report_summary import summary_of
from findable.store.project_report_queries import PageRow
from findable.store.store_protocol import Session

MAX_READ = 100
"""Maximum number of results that are read whole, because their summary was stored by an older version."""


def page_listings(session: Session, rows: Iterable[PageRow]) -> Mapping[int, Listing]:
    """Return whether Google can index each page, by the id of its report; unknown for older results beyond MAX_READ."""
    found: dict[int, Listing] = {}
    left = MAX_READ
    for row in rows:
        stored = summary_of(row.summary_json).listing
        if stored in set(Listing):
            found[row.report_id] = Listing(stored)
            continue
        data = session.runs.analysis(row.runs_id) if left else None
        left -= data is not None
        report = None if data is None else Report.from_bytes(data)
        found[row.report_id] = Listing.UNKNOWN if report is None or report.error is not None else listing_of(report)
    return found
