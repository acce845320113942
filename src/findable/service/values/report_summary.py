"""Summary of a report for lists, stored as JSON in a separate column and not parsed."""

from functools import cache

import msgspec
from msgspec import Raw, Struct

from findable.reports.google_listing import Listing, listing_of, status_of
from findable.reports.project_gains import basis_of
from findable.reports.report import CategorySummary, Report
from findable.reports.search_verdict import SearchVerdict, for_intent, found_on_page

MAX_TITLE_CHARS = 120


class ReportSummary(Struct, frozen=True):
    """JSON values of the summary."""

    engine: Raw = Raw(b"null")
    judged_as: Raw = Raw(b"null")
    counts: Raw = Raw(b"{}")
    categories: Raw = Raw(b"[]")
    title: str = ""
    """Title of the page, shortened; empty for none."""
    listing: str = ""
    """Whether Google can index the page (`Listing`); empty before the first result."""
    status: int = 0
    """HTTP status of the page; 0 if it is not known."""
    not_for_search: bool = False
    """Whether the page is not meant for search."""
    basis: Raw = Raw(b"")
    """Part from which gains are computed (`ScoreBasis`); empty before the first result."""
    final_url: str = ""
    """URL to which the requested URL led; empty if the page was not loaded."""

    @property
    def verdict(self) -> SearchVerdict | None:
        """Verdict of the report about its page; None before the first result."""
        return _verdict_of(self.listing, self.status, not_for_search=self.not_for_search) if self.listing else None


@cache
def _verdict_of(listing: str, status: int, *, not_for_search: bool) -> SearchVerdict:
    return for_intent(found_on_page(Listing(listing), status), is_for_search=not not_for_search)


NO_SUMMARY = ReportSummary()
_decoder = msgspec.json.Decoder(ReportSummary)


def summary_json(report: Report) -> str:
    """Encode the summary of a report."""
    categories = tuple(CategorySummary(category.id, category.title, category.score) for category in report.categories)
    stored = ReportSummary(
        engine=Raw(msgspec.json.encode(report.engine)),
        judged_as=Raw(msgspec.json.encode(report.judged_as)),
        counts=Raw(msgspec.json.encode(report.counts)),
        categories=Raw(msgspec.json.encode(categories)),
        title=report.facts.page_title[:MAX_TITLE_CHARS],
        listing=listing_of(report),
        status=status_of(report) or 0,
        not_for_search=report.not_for_search,
        basis=Raw(msgspec.json.encode(basis_of(report))),
        final_url=report.url if report.was_loaded else "",
    )
    return msgspec.json.encode(stored).decode()


def summary_of(text: str | None) -> ReportSummary:
    """Decode the stored summary of a report."""
    return _decoder.decode(text) if text else NO_SUMMARY
