"""Findings as SARIF 2.1.0 (OASIS, 2020), for code scanning."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from findable.export import as_list, first_line
from findable.reports.fixes import fixes_in_order

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"failed": "error", "warned": "warning"}
LOCATIONS_SHOWN = 10
_KEPT_IN_PATH = "/%-._~!$&'()*+,;=@"
"""What may stand in a relative path. A colon may not: ``localhost:3000`` would be read as a scheme."""


def to_sarif(reports: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> bytes:
    """One run over all reports; a rule for every check that has a result, a result for every finding held against a page."""
    found = as_list(reports)
    held = [(report, result) for report in found if report["status"] == "done" for result in fixes_in_order(report)]
    rules = {result["id"]: _rule(result) for _, result in held}
    order = {name: index for index, name in enumerate(rules)}
    version = found[0]["engine"]["version"] if found else ""
    unseen = [report for report in found if report["status"] == "failed"]
    run = {
        "tool": {"driver": {"name": "Findable", "semanticVersion": version, "rules": list(rules.values())}},
        "invocations": [{"executionSuccessful": not unseen, "toolExecutionNotifications": [_not_seen(report) for report in unseen]}],
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, result, order[result["id"]]) for report, result in held],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2).encode("utf-8", "replace")


def _not_seen(report: Mapping[str, Any]) -> dict[str, Any]:
    """What tells a page without findings from one that nobody saw."""
    text = f"{report['url']} could not be seen: {report['error']['message']} [{report['error']['code']}]"
    return {"level": "error", "message": {"text": text}, "locations": [_location(report, {})]}


def _rule(result: Mapping[str, Any]) -> dict[str, Any]:
    rule = {
        "id": result["id"],
        "shortDescription": {"text": result["question"]},
        "fullDescription": {"text": " ".join(result["why"].split())},
        "help": {"text": result["how_to_fix"]},
        "properties": {"category": result["category"], "importance": result["importance"]},
    }
    if result["docs"].startswith("http"):
        rule["helpUri"] = result["docs"]
    return rule


def _result(report: Mapping[str, Any], result: Mapping[str, Any], index: int) -> dict[str, Any]:
    return {
        "ruleId": result["id"],
        "ruleIndex": index,
        "level": LEVELS[result["verdict"]],
        "message": {"text": result["summary"]},
        "locations": [_location(report, item) for item in result["evidence"][:LOCATIONS_SHOWN]] or [_location(report, {})],
        "partialFingerprints": {"findable/v1": f"{report['url']} {result['key']}"},
    }


def _place(url: str) -> str:
    """The address without its scheme, as a relative path: ``www.example.com/bread``.

    GitHub refuses a whole file where one address has a scheme: it "did not match the checkout URI scheme" (github/codeql-action
    issue 754). The address itself is among the properties.
    """
    return quote(url.partition("://")[2], safe=_KEPT_IN_PATH)


def _location(report: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    url = item.get("url") or report["url"]
    physical: dict[str, Any] = {"artifactLocation": {"uri": _place(url)}}
    if item.get("line"):
        physical["region"] = {"startLine": item["line"], "snippet": {"text": str(item.get("text") or "")}}
        if item.get("column"):
            physical["region"]["startColumn"] = item["column"]
    location: dict[str, Any] = {"physicalLocation": physical, "properties": {"url": url}}
    text = first_line(item)
    if text:
        location["message"] = {"text": text}
    return location
