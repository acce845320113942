"""Stored form of crawl reports in the main database."""

from typing import Any

import msgspec

from findable.checks.engine import all_checks
from findable.reports.site_report import SiteReport


def decode_report(data: bytes) -> SiteReport:
    """Return a stored report, without findings of checks that no longer exist."""
    report = msgspec.json.decode(data, type=SiteReport)
    known = all_checks()
    return msgspec.structs.replace(report, findings=tuple(finding for finding in report.findings if finding.id in known))


def rating_columns(report: SiteReport) -> dict[str, Any]:
    """Return the columns of a crawl for lists: rating, score and number of findings, as in its report."""
    return {
        "result": report.result.value if report.result else None,
        "score": report.score,
        "findings": msgspec.json.encode(report.counts).decode(),
    }
