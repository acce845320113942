"""Findings as SARIF 2.1.0 (OASIS, 2020), for code scanning."""

import json
from collections.abc import Iterable, Sequence
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
SarifObject = dict[str, Any]


def to_sarif(reports: Iterable[Report]) -> bytes:
    """Return one run over all reports: a rule per check with a result, a result per problem or warning."""
    found = list(reports)
    held = [(report, finding) for report in found for finding in fixes_in_order(report)]
    rules = {finding.id: rule(finding) for _, finding in held}
    order = {name: index for index, name in enumerate(rules)}
    version = found[0].engine.version if found else ""
    unseen = [report for report in found if not report.was_seen]
    results = [_result(report, finding, order[finding.id]) for report, finding in held]
    return sarif_document(version, list(rules.values()), results, [_not_seen(report) for report in unseen])


def sarif_document(version: str, rules: list[SarifObject], results: list[SarifObject], notifications: list[SarifObject]) -> bytes:
    """Return a document with one run. ``notifications``: errors because of which there are no results, or not all."""
    run = {
        "tool": {"driver": {"name": "Findable", "semanticVersion": version, "rules": rules}},
        "invocations": [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return escape_json(json.dumps(document, ensure_ascii=False, indent=2).encode("utf-8", "replace"))


def _not_seen(report: Report) -> SarifObject:
    """Return a result that distinguishes a page that could not be loaded from one without findings."""
    error = f"{message_of(report.error)} [{report.error.code}]" if report.error else ""
    text = f"{report.requested_url} could not be loaded: {error}"
    return {"level": "error", "message": {"text": text}, "locations": [location_of(report.requested_url)]}


def rule(finding: ReportedFinding) -> SarifObject:
    """Return the rule of a finding: its check."""
    return {
        "id": finding.id,
        "shortDescription": {"text": finding.question()},
        "fullDescription": {"text": " ".join(finding.why().split())},
        "help": {"text": finding.how_to_fix()},
        "properties": {"category": finding.category, "importance": finding.importance},
    }


def _result(report: Report, finding: ReportedFinding, index: int) -> SarifObject:
    return {
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": LEVELS[finding.verdict],
        "message": {"text": finding.summary()},
        "locations": locations_of(report.requested_url, finding.evidence),
        "partialFingerprints": {"findable/v1": f"{report.requested_url} {finding.key}"},
    }


def _place(url: str) -> str:
    """Return the URL without its scheme, as a relative path: ``www.example.com/bread``.

    GitHub rejects a whole file if one URL has a scheme: it "did not match the checkout URI scheme" (github/codeql-action issue 754). The
    URL itself is among the properties.
    """
    return quote(url.partition("://")[2], safe=_KEPT_IN_PATH)


_NOWHERE = Evidence("text")


def locations_of(url: str, evidence: Sequence[Evidence]) -> list[SarifObject]:
    """Return the first places of a finding on the page or site at ``url``."""
    return [location_of(url, item) for item in evidence[:LOCATIONS_SHOWN]] or [location_of(url)]


def location_of(url: str, item: Evidence = _NOWHERE) -> SarifObject:
    """Return a place on the page of the evidence, else on that at ``url``."""
    url = item.url or url
    physical: SarifObject = {"artifactLocation": {"uri": _place(url)}}
    if item.line:
        physical["region"] = {"startLine": item.line, "snippet": {"text": item.text}}
        if item.column:
            physical["region"]["startColumn"] = item.column
    location: SarifObject = {"physicalLocation": physical, "properties": {"url": url}}
    if text := first_line(item):
        location["message"] = {"text": text}
    return location
