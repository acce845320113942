"""Part of a report that lists show, stored as JSON beside it and passed on unparsed."""

from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from findable.reports.report import CategorySummary, Engine, Report


class _Summary(Struct, frozen=True):
    """The stored JSON."""

    engine: Engine
    judged_as: str | None
    counts: Mapping[str, int]
    categories: tuple[CategorySummary, ...]


class ReportSummary(Struct, frozen=True):
    """JSON values of the summary."""

    engine: Raw = Raw(b"null")
    judged_as: Raw = Raw(b"null")
    counts: Raw = Raw(b"{}")
    categories: Raw = Raw(b"[]")


NO_SUMMARY = ReportSummary()
_decoder = msgspec.json.Decoder(ReportSummary)


def summary_json(report: Report) -> str:
    """Encode the summary of a report."""
    categories = tuple(CategorySummary(category.id, category.title, category.score) for category in report.categories)
    return msgspec.json.encode(_Summary(report.engine, report.judged_as, report.counts, categories)).decode()


def summary_of(text: str | None) -> ReportSummary:
    """Decode the stored summary of a report."""
    return _decoder.decode(text) if text else NO_SUMMARY
