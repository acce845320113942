"""Pages of a project or batch from the summaries of their newest results: whether Google can index them, and their scores."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from findable.reports.google_listing import Listing
from findable.reports.project_gains import scored_page, stored_basis
from findable.reports.site_scoring import ScoredPages
from findable.service.values.report_summary import summary_of
from findable.store.project_report_queries import PageFindingRow, PageRow
from findable.vocabulary import Verdict


def page_listings(rows: Iterable[PageRow]) -> Mapping[int, Listing]:
    """Return whether Google can index each page, by the id of its report."""
    listings = {row.report_id: summary_of(row.summary_json).listing for row in rows}
    return {report_id: Listing(listing) if listing else Listing.UNKNOWN for report_id, listing in listings.items()}


def scored_pages(rows: Iterable[PageRow], findings: Iterable[PageFindingRow]) -> Mapping[int, ScoredPages]:
    """Return the scored pages by the id of their report; pages without a score, or of an older ruleset, are left out.

    ``findings`` are the problems and warnings of these pages.
    """
    verdicts: defaultdict[int, list[tuple[str, Verdict]]] = defaultdict(list)
    for one in findings:
        verdicts[one.report_id].append((one.check, one.verdict))
    found = {}
    for row in rows:
        stored = bytes(summary_of(row.summary_json).basis)
        basis = stored_basis(stored) if stored else None
        page = scored_page(basis, verdicts[row.report_id], row.score) if basis is not None else None
        if page is not None:
            found[row.report_id] = page
    return found
