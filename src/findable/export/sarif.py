"""Findings as SARIF 2.1.0 (OASIS, 2020), for code scanning."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from findable.export import as_list, first_line
from findable.reports.fixes import fixes_in_order

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"failed": "error", "warned": "warning"}
LOCATIONS_SHOWN = 10


def to_sarif(reports: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> bytes:
    """One run over all reports; a rule for every check that has a result, a result for every finding held against a page."""
    found = as_list(reports)
    held = [(report, result) for report in found if report["status"] == "done" for result in fixes_in_order(report)]
    rules = {result["id"]: _rule(result) for _, result in held}
    order = {name: index for index, name in enumerate(rules)}
    version = found[0]["engine"]["version"] if found else ""
    run = {
        "tool": {"driver": {"name": "Findable", "semanticVersion": version, "rules": list(rules.values())}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, result, order[result["id"]]) for report, result in held],
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2).encode("utf-8", "replace")


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


def _location(report: Mapping[str, Any], item: Mapping[str, Any]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": item.get("url") or report["url"]}}
    if item.get("line"):
        physical["region"] = {"startLine": item["line"], "snippet": {"text": str(item.get("text") or "")}}
        if item.get("column"):
            physical["region"]["startColumn"] = item["column"]
    location: dict[str, Any] = {"physicalLocation": physical}
    text = first_line(item)
    if text:
        location["message"] = {"text": text}
    return location
