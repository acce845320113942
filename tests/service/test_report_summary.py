"""What is kept of a result for lists, as it was kept once and as it is."""

import json
from typing import Any

import msgspec
from msgspec import structs

from findable.reports.scoring import RULESET
from findable.service.values.report_summary import NO_SUMMARY, ReportSummary, summary_json, summary_of
from tests.service import samples

ENGINE = {"version": "1", "ruleset": RULESET, "profile": "static", "sources": []}
REPORT = structs.replace(samples.report(), judged_as="https://www.example.com", counts={"failed": 1, "passed": 2})
SHOWN = {
    "engine": ENGINE,
    "judged_as": "https://www.example.com",
    "counts": {"failed": 1, "passed": 2},
    "categories": [{"id": "content", "title": "Content", "score": 100}],
}


def shown(listed: ReportSummary) -> Any:
    names = ("engine", "judged_as", "counts", "categories")
    return json.loads(msgspec.json.encode({name: getattr(listed, name) for name in names}))


def test_lists_show_of_a_result_what_was_kept() -> None:
    assert shown(summary_of(summary_json(REPORT))) == SHOWN


def test_a_report_without_a_result_shows_none() -> None:
    assert summary_of(None) is NO_SUMMARY
    assert shown(NO_SUMMARY) == {"engine": None, "judged_as": None, "counts": {}, "categories": []}
