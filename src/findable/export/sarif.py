"""Findings as SARIF 2.1.0 (OASIS, 2020), for code scanning."""

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from findable.checks.engine import Evidence
from findable.export import first_line
from findable.formats.control_characters import escape_json
from findable.reports.fixes import fixes_in_order
from findable.reports.page_error_text import message_of
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Verdict

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {Verdict.FAILED: "error", Verdict.WARNED: "warning"}
LOCATIONS_SHOWN = 10
_KEPT_IN_PATH = "/%-._~!$&'()*+,;=@"
"""Characters allowed in a relative path, without the colon: ``localhost:3000`` would be read as a scheme."""


def to_sarif(reports: Iterable[Report]) -> bytes:
    """Return one run over all reports: a rule per check with a result, a result per problem or warning."""
    found = list(reports)
    held = [(report, finding) for report in found for finding in fixes_in_order(report)]
    rules = {finding.id: _rule(finding) for _, finding in held}
    order = {name: index for index, name in enumerate(rules)}
    version = found[0].engine.version if found else ""
    unseen = [report for report in found if not report.was_seen]
    run = {
        "tool": {"driver": {"name": "Findable", "semanticVersion": version, "rules": list(rules.values())}},
        "invocations": [{"executionSuccessful": not unseen, "toolExecutionNotifications": [_not_seen(report) for report in unseen]}],
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, finding, order[finding.id]) for report, finding in held],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return escape_json(json.dumps(document, ensure_ascii=False, indent=2).encode("utf-8", "replace"))


def _not_seen(report: Report) -> dict[str, Any]:
    """Return a result that distinguishes a page that could not be loaded from one without findings."""
    error = f"{message_of(report.error)} [{report.error.code}]" if report.error else ""
    text = f"{report.requested_url} could not be loaded: {error}"
    return {"level": "error", "message": {"text": text}, "locations": [_location(report)]}


def _rule(finding: ReportedFinding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "shortDescription": {"text": finding.question()},
        "fullDescription": {"text": " ".join(finding.why().split())},
        "help": {"text": finding.how_to_fix()},
        "properties": {"category": finding.category, "importance": finding.importance},
    }


def _result(report: Report, finding: ReportedFinding, index: int) -> dict[str, Any]:
    return {
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": LEVELS[finding.verdict],
        "message": {"text": finding.summary()},
        "locations": [_location(report, item) for item in finding.evidence[:LOCATIONS_SHOWN]] or [_location(report)],
        "partialFingerprints": {"findable/v1": f"{report.requested_url} {finding.key}"},
    }


def _place(url: str) -> str:
    """Return the URL without its scheme, as a relative path: ``www.example.com/bread``.

    GitHub rejects a whole file if one URL has a scheme: it "did not match the checkout URI scheme" (github/codeql-action issue 754). The
    URL itself is among the properties.
    """
    return quote(url.partition("://")[2], safe=_KEPT_IN_PATH)


_NOWHERE = Evidence("text")


def _location(report: Report, item: Evidence = _NOWHERE) -> dict[str, Any]:
    url = item.url or report.requested_url
    physical: dict[str, Any] = {"artifactLocation": {"uri": _place(url)}}
    if item.line:
        physical["region"] = {"startLine": item.line, "snippet": {"text": item.text}}
        if item.column:
            physical["region"]["startColumn"] = item.column
    location: dict[str, Any] = {"physicalLocation": physical, "properties": {"url": url}}
    if text := first_line(item):
        location["message"] = {"text": text}
    return location
