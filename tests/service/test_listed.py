"""What is kept of a result for lists, as it was kept once and as it is."""

import json
from typing import Any

import msgspec

from findable.service.values.report_summary import NOTHING, Listed, listed_of, summary_json

ENGINE = {"profile": "static", "ruleset": "2026-11", "version": "0.1.0"}
DOCUMENT: dict[str, Any] = {
    "engine": ENGINE,
    "judged_as": "https://www.example.com",
    "counts": {"failed": 1, "passed": 2},
    "categories": [{"id": "content", "title": "Content — all", "score": 50, "counts": {"failed": 1}, "points": 1.0, "possible": 2}],
    "explained": {"score": 50},
    "findings": [],
}
SHOWN = {
    "engine": ENGINE,
    "judged_as": "https://www.example.com",
    "counts": {"failed": 1, "passed": 2},
    "categories": [{"id": "content", "title": "Content — all", "score": 50}],
}


def shown(listed: Listed) -> Any:
    names = ("engine", "judged_as", "counts", "categories")
    return json.loads(msgspec.json.encode({name: getattr(listed, name) for name in names}))


def test_lists_show_of_a_result_what_was_kept() -> None:
    assert shown(listed_of(summary_json(DOCUMENT))) == SHOWN


def test_a_report_without_a_result_shows_none() -> None:
    assert listed_of(None) is NOTHING
    assert shown(NOTHING) == {"engine": None, "judged_as": None, "counts": {}, "categories": []}
