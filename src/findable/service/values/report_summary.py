"""Summary of a report for lists, stored as JSON in a separate column and not parsed."""

from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from findable.reports.google_listing import listing_of
from findable.reports.project_gains import ScoreBasis, basis_of
from findable.reports.report import CategorySummary, Engine, Report

MAX_TITLE_CHARS = 120


class _Summary(Struct, frozen=True):
    """Summary in stored form."""

    engine: Engine
    judged_as: str | None
    counts: Mapping[str, int]
    categories: tuple[CategorySummary, ...]
    title: str = ""
    listing: str = ""
    basis: ScoreBasis | None = None
    final_url: str = ""


class ReportSummary(Struct, frozen=True):
    """JSON values of the summary."""

    engine: Raw = Raw(b"null")
    judged_as: Raw = Raw(b"null")
    counts: Raw = Raw(b"{}")
    categories: Raw = Raw(b"[]")
    title: str = ""
    """Title of the page, shortened; empty for none."""
    listing: str = ""
    """Whether Google can index the page (`Listing`); empty in summaries of older versions."""
    basis: Raw = Raw(b"")
    """Part from which gains are computed (`ScoreBasis`); empty in summaries of older versions."""
    final_url: str = ""
    """URL to which the requested URL led; empty if the page was not loaded, and in summaries of older versions."""


NO_SUMMARY = ReportSummary()
_decoder = msgspec.json.Decoder(ReportSummary)


def summary_json(report: Report) -> str:
    """Encode the summary of a report."""
    categories = tuple(CategorySummary(category.id, category.title, category.score) for category in report.categories)
    title = report.facts.page_title[:MAX_TITLE_CHARS]
    listing, basis = listing_of(report), basis_of(report)
    final_url = report.url if report.was_loaded else ""
    summary = _Summary(report.engine, report.judged_as, report.counts, categories, title, listing, basis, final_url)
    return msgspec.json.encode(summary).decode()


def summary_of(text: str | None) -> ReportSummary:
    """Decode the stored summary of a report."""
    return _decoder.decode(text) if text else NO_SUMMARY
