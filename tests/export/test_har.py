"""HTTP Archives of visits: valid, in order, and without anything that could be a secret."""

import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from findable.capture.devices import PHONE
from findable.capture.rendering import BrowserRequest, Rendering, WithheldReason
from findable.errors import PageError, PageErrorCode
from findable.export.har import to_har
from findable.reports.facts import Facts
from findable.reports.facts.browser_facts import BrowserFacts
from findable.reports.facts.request_facts import REQUESTS_LISTED, requests_of
from findable.reports.report import Report, unloaded_report
from findable.web.pages.report.request_waterfall import SHOWN, WIDTH, waterfall
from findable.wording import ENGLISH
from tests.external import needs
from tests.har_schema import CHECKER, problems_of_har

VISITED = "2026-11-23T22:00:00Z"
REQUESTS = (
    BrowserRequest("https://a.example/old", "document", 301, 0.0, response_ms=80.0, end_ms=80.0, transferred_bytes=200, protocol="h2"),
    BrowserRequest(
        "https://a.example/?q=tea&q=", "document", 200, 80.0, response_ms=140.0, end_ms=200.0, body_bytes=900, mime_type="text/html"
    ),
    BrowserRequest("https://cdn.example/a.js", "script", 0, 150.0, end_ms=151.0, failure="net::ERR_FAILED"),
    BrowserRequest("https://a.example/stream", "eventsource", 200, 160.0, response_ms=170.0),
    BrowserRequest("https://ads.example/", "script", 0, 165.0, end_ms=166.0, failure="net::ERR_TUNNEL", withheld=WithheldReason.HOST),
    BrowserRequest("https://a.example/form", "xhr", 204, 300.0, response_ms=310.0, end_ms=305.0, method="POST"),
)


def _report(requests: tuple[BrowserRequest, ...]) -> Report:
    rendering = Rendering(VISITED, "HeadlessChrome/156.0.1.2", PHONE, final_url="https://a.example/", requests=requests)
    found = BrowserFacts(
        browser=rendering.browser,
        axe_version="",
        after_scripts=True,
        scripts_build=False,
        failure="",
        leads_to="",
        visited_at=VISITED,
        requests=tuple(requests_of(rendering)),
        requests_count=len(requests),
    )
    report = unloaded_report("https://a.example/", PageError(PageErrorCode.INTERNAL_ERROR), VISITED)
    return replace(report, facts=replace(report.facts, browser=found))


def _archive(requests: tuple[BrowserRequest, ...]) -> Any:
    made = to_har(_report(requests))
    assert made is not None
    return json.loads(made)


def test_an_archive_has_the_times_of_the_visit() -> None:
    archive = _archive(REQUESTS)
    entries = archive["log"]["entries"]
    assert [entry["startedDateTime"] for entry in entries[:2]] == ["2026-11-23T22:00:00.000Z", "2026-11-23T22:00:00.080Z"]
    assert [(entry["time"], entry["timings"]["wait"], entry["timings"]["receive"]) for entry in entries] == [
        (80.0, 80.0, 0.0),
        (120.0, 60.0, 60.0),
        (1.0, 1.0, 0.0),
        (10.0, 10.0, 0.0),
        (1.0, 1.0, 0.0),
        (5.0, 5.0, 0.0),
    ]
    assert [entry["response"]["_error"] for entry in entries] == ["", "", "net::ERR_FAILED", "", "net::ERR_TUNNEL", ""]
    assert entries[1]["request"]["queryString"] == [{"name": "q", "value": "tea"}, {"name": "q", "value": ""}]
    assert entries[5]["request"]["method"] == "POST"
    assert archive["log"]["browser"] == {"name": "HeadlessChrome", "version": "156.0.1.2"}


@needs(CHECKER)
def test_an_archive_has_the_public_schema(tmp_path: Path) -> None:
    archive = to_har(_report(REQUESTS))
    assert archive is not None
    assert problems_of_har(archive, tmp_path) == ""
    assert "'mimeType' is a required property" in problems_of_har(archive.replace(b'"mimeType"', b'"mimeTypo"'), tmp_path)


def test_there_is_no_archive_of_a_page_that_no_browser_visited() -> None:
    report = unloaded_report("https://a.example/", PageError(PageErrorCode.INTERNAL_ERROR), VISITED)
    assert isinstance(report.facts, Facts)
    assert to_har(report) is None
    assert to_har(_report(())) is None


def test_a_waterfall_shows_the_first_requests_in_the_time_of_all() -> None:
    facts = _report(REQUESTS).facts.browser
    assert facts
    found = waterfall(facts.requests, "/r/x/report.har", ENGLISH)
    assert found.omitted_count == 0
    assert [row.name for row in found.rows] == ["old", "?q=tea&q=", "cdn.example a.js", "stream", "ads.example /", "form"]
    assert [row.is_failed for row in found.rows] == [False, False, True, False, False, False]
    for row in found.rows:
        assert 0 <= row.start <= WIDTH
        assert row.start + row.wait <= WIDTH
    many = _report(tuple(replace(REQUESTS[1], url=f"https://a.example/{number}") for number in range(REQUESTS_LISTED + 9))).facts.browser
    assert many
    assert (len(many.requests), many.requests_count) == (REQUESTS_LISTED, REQUESTS_LISTED + 9)
    assert (len(waterfall(many.requests, "", ENGLISH).rows), waterfall(many.requests, "", ENGLISH).omitted_count) == (
        SHOWN,
        REQUESTS_LISTED - SHOWN,
    )
