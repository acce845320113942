"""Stored form of crawl reports in the main database."""

from typing import Any

import msgspec

from findable.checks.engine import all_checks
from findable.reports.search_verdict import SearchVerdict, VerdictCode
from findable.reports.site_report import SiteReport

_HIDDEN = SearchVerdict(VerdictCode.NOT_FOR_SEARCH)


def decode_report(data: bytes) -> SiteReport:
    """Return a stored report, without findings of checks that no longer exist."""
    report = msgspec.json.decode(data, type=SiteReport)
    known = all_checks()
    findings, notes = (tuple(item for item in items if item.id in known) for items in (report.findings, report.notes))
    return msgspec.structs.replace(report, findings=findings, notes=notes)


def rating_columns(report: SiteReport) -> dict[str, Any]:
    """Return the columns of a crawl for lists: rating, score and number of findings, as in its report."""
    return {
        "result": report.result.value if report.result else None,
        "score": report.score,
        "findings": msgspec.json.encode({**report.counts, _HIDDEN.code: report.with_verdict(_HIDDEN).counts}).decode(),
    }


def counts_of(findings_json: str | None, verdict: SearchVerdict | None) -> dict[str, int]:
    """Return the number of findings by verdict in this column, as the report of a site with a verdict in search counts them."""
    counts: dict[str, Any] = msgspec.json.decode(findings_json) if findings_json else {}
    hidden: dict[str, int] = counts.pop(_HIDDEN.code, counts)
    return hidden if verdict is not None and verdict.is_not_for_search else counts
