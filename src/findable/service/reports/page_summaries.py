"""Pages of a project or batch from the summaries of their newest results: whether Google can index them, and their scores."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from findable.reports.google_listing import Listing, listing_of
from findable.reports.project_gains import basis_of, scored_page, stored_basis
from findable.reports.report import Report
from findable.reports.site_scoring import ScoredPages
from findable.service.values.report_summary import summary_of
from findable.store.project_report_queries import FindingRow, PageRow
from findable.store.store_protocol import Session
from findable.vocabulary import Verdict

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


def scored_pages(
    session: Session, rows: Iterable[PageRow], findings: Iterable[FindingRow], max_read: int | None = None
) -> Mapping[int, ScoredPages]:
    """Return the scored pages by the id of their report; pages without a score, or of an older ruleset, are left out.

    ``findings`` are the problems and warnings of these pages. A result whose summary was stored by an older version is read whole,
    but no more than ``max_read`` of them.
    """
    verdicts: defaultdict[int, list[tuple[str, Verdict]]] = defaultdict(list)
    for one in findings:
        verdicts[one.report_id].append((one.check, one.verdict))
    found = {}
    left = max_read or 0
    for row in rows:
        stored = bytes(summary_of(row.summary_json).basis)
        data = None if stored or (max_read is not None and left <= 0) else session.runs.analysis(row.runs_id)
        left -= data is not None
        basis = stored_basis(stored) if stored else basis_of(Report.from_bytes(data)) if data is not None else None
        page = scored_page(basis, verdicts[row.report_id], row.score) if basis is not None else None
        if page is not None:
            found[row.report_id] = page
    return found
