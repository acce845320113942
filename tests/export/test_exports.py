"""Reports in the formats that others read, hostile text included."""

import csv
import io
import json
from datetime import UTC, datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs

from findable.errors import PageError, PageErrorCode
from findable.export.badge import to_badge
from findable.export.csv import COLUMNS, safe, to_csv
from findable.export.junit import to_junit
from findable.export.markdown import code, escape, to_markdown
from findable.export.sarif import to_sarif
from findable.reports.analysis import analyse
from findable.reports.report import Report, not_seen
from tests.checks.harness import capture, page

HOSTILE = "=cmd|' /C calc'!A0 <script>alert(1)</script> ]]> `x` \x1b[31m \u202e **bold** ![x](https://evil.example/)"
MOMENT = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def made() -> Report:
    html = page(head=f"<title>{HOSTILE}</title><title>two</title>", body='<h1>x</h1><img src="/a.png"><a href="javascript:x()">y</a>')
    return analyse(capture(html))


@pytest.fixture(scope="module")
def unseen() -> Report:
    return not_seen("https://www.example.com/", PageError(PageErrorCode.DNS_FAILED), "2026-11-01T00:00:00Z")


def test_csv_has_a_row_for_every_finding(made: Report) -> None:
    rows = list(csv.reader(io.StringIO(to_csv([made]).decode("utf-8-sig"))))

    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 1 + len(made.findings)


def test_csv_has_a_row_for_a_page_that_was_not_seen(made: Report, unseen: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv([made, unseen]).decode("utf-8-sig"))))

    assert len(rows) == len(made.findings) + 1
    assert (rows[-1]["url"], rows[-1]["check"], rows[-1]["verdict"]) == ("https://www.example.com/", "", "not seen")
    assert rows[-1]["summary"].endswith("[dns_failed]")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "'", '"', " "])
def test_s46_csv_cells_are_not_run(start: str) -> None:
    assert safe(f"{start}1+1").startswith("'")


def test_s46_numbers_stay_numbers_and_texts_are_quoted(made: Report) -> None:
    lines = to_csv([made]).decode("utf-8-sig").splitlines()

    assert lines[0].startswith('"url","category"')
    assert safe(-1.5) == -1.5


def test_markdown_keeps_hostile_text_as_text(made: Report) -> None:
    shown = to_markdown([made])

    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert shown.startswith("# SEO report: `https://www.example.com/shop/blue-widgets`")
    assert escape("<b>*x*</b>") == r"\<b\>\*x\*\</b\>"
    assert code("a`b``c") == "```a`b``c```"


def test_markdown_of_a_page_that_was_not_seen(unseen: Report) -> None:
    assert "**Not rated.**" in to_markdown([unseen])


def test_sarif_names_rules_places_and_fingerprints(made: Report) -> None:
    run = json.loads(to_sarif([made, made]))["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    titled = next(result for result in run["results"] if result["ruleId"] == "title-present")

    assert len(rules) == len(set(rules))
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert titled["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    assert titled["partialFingerprints"]["findable/v1"].startswith("https://www.example.com/shop/blue-widgets title-present:")


def test_sarif_places_are_relative_paths_because_code_scanning_refuses_others(made: Report, unseen: Report) -> None:
    preview = structs.replace(made, requested_url="http://localhost:3000/a b?x=1&y=2")
    runs = [json.loads(to_sarif([one, unseen]))["runs"][0] for one in (made, preview)]
    places = [location for run in runs for result in run["results"] for location in result["locations"]]

    assert {"http", "https"} & {place["properties"]["url"].partition(":")[0] for place in places}
    for place in places:
        assert urlsplit(place["physicalLocation"]["artifactLocation"]["uri"])[:2] == ("", "")
    assert any(place["physicalLocation"]["artifactLocation"]["uri"] == "localhost%3A3000/a%20b%3Fx=1&y=2" for place in places)


def test_sarif_says_which_page_was_not_seen(made: Report, unseen: Report) -> None:
    seen, mixed = (json.loads(to_sarif(given))["runs"][0]["invocations"] for given in ([made], [made, unseen]))

    assert seen == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    assert mixed[0]["executionSuccessful"] is False
    assert "[dns_failed]" in mixed[0]["toolExecutionNotifications"][0]["message"]["text"]


def test_junit_is_xml_and_counts_right(made: Report, unseen: Report) -> None:
    root = ET.fromstring(to_junit([made, unseen]))
    suite, error = root

    assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure")) == made.counts["failed"]
    assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
    assert error.get("errors") == "1"


def test_the_badge_says_the_rating_in_words(made: Report, unseen: Report) -> None:
    assert f"{made.result} {made.score}" in to_badge(made)
    assert "not rated" in to_badge(unseen)
    ET.fromstring(to_badge(made))
