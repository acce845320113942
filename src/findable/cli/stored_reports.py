"""Reports that were kept as JSON: what `findable audit --format json` printed, or the interface answered."""

from collections.abc import Mapping, Sequence
from typing import Any

from findable.vocabulary import Verdict

_VERDICTS = frozenset(verdict.value for verdict in Verdict)


def reports_in(document: Any) -> Sequence[Mapping[str, Any]]:
    """One report or several, each with what a comparison reads, from the parsed JSON. Raises ValueError where it is none."""
    document = document.get("data", document) if isinstance(document, dict) else document
    reports = document if isinstance(document, list) else [document]
    if not reports or not all(_is_report(one) for one in reports):
        msg = "no report"
        raise ValueError(msg)
    return reports


def _is_report(document: Any) -> bool:
    if not isinstance(document, dict) or not {"url", "score", "result", "results"} <= document.keys():
        return False
    findings = document["results"]
    return (
        isinstance(document["url"], str)
        and isinstance(document["score"], int | float | None)
        and isinstance(findings, list)
        and all(isinstance(finding, dict) and _is_finding(finding) for finding in findings)
    )


def _is_finding(finding: Mapping[str, Any]) -> bool:
    return all(isinstance(finding.get(name), str) for name in ("id", "summary")) and finding.get("verdict") in _VERDICTS


def was_seen(report: Mapping[str, Any]) -> bool:
    """Whether the page was looked at at all: a report of a page that could not be seen knows nothing of it."""
    return bool(report["results"])
