"""Reports in the formats that others read, hostile text included."""

import csv
import io
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest

from findable.errors import PageError, PageErrorCode
from findable.export.badge import to_badge
from findable.export.csv_cells import safe
from findable.export.markdown import code, escape, to_markdown
from findable.export.report_csv import COLUMNS, to_csv
from findable.reports.analysis import analyse
from findable.reports.report import Report, unloaded_report
from tests.checks.harness import capture, page

HOSTILE = "=cmd|' /C calc'!A0 <script>alert(1)</script> ]]> `x` \x1b[31m \u202e **bold** ![x](https://evil.example/)"
MOMENT = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def made() -> Report:
    html = page(head=f"<title>{HOSTILE}</title><title>two</title>", body='<h1>x</h1><img src="/a.png"><a href="javascript:x()">y</a>')
    return analyse(capture(html))


@pytest.fixture(scope="module")
def unseen() -> Report:
    return unloaded_report("https://www.example.com/", PageError(PageErrorCode.DNS_FAILED), "2026-11-01T00:00:00Z")


def test_csv_has_a_row_for_every_finding(made: Report) -> None:
    rows = list(csv.reader(io.StringIO(to_csv(made).decode("utf-8-sig"))))

    assert tuple(rows[0]) == tuple(COLUMNS)
    assert len(rows) == 1 + len(made.findings)
    gains = {row[2]: row[[*COLUMNS].index("gain")] for row in rows[1:]}
    assert gains == {finding.id: "" if finding.gain is None else str(finding.gain) for finding in made.findings}
    assert any(gains.values())


def test_csv_has_a_row_for_a_page_that_was_not_seen(made: Report, unseen: Report) -> None:
    rows = list(csv.DictReader(io.StringIO((to_csv(made) + to_csv(unseen, has_head=False)).decode("utf-8-sig"))))

    assert len(rows) == len(made.findings) + 1
    assert (rows[-1]["url"], rows[-1]["check"], rows[-1]["verdict"]) == ("https://www.example.com/", "", "not seen")
    assert rows[-1]["summary"].endswith("[dns_failed]")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "'", '"', " "])
def test_s46_csv_cells_are_not_run(start: str) -> None:
    assert safe(f"{start}1+1").startswith("'")


def test_s46_numbers_stay_numbers_and_texts_are_quoted(made: Report) -> None:
    lines = to_csv(made).decode("utf-8-sig").splitlines()

    assert lines[0].startswith('"url","category"')
    assert safe(-1.5) == -1.5


def test_markdown_keeps_hostile_text_as_text(made: Report) -> None:
    shown = to_markdown(made)

    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert shown.startswith("# SEO report: `https://www.example.com/shop/blue-widgets`")
    assert escape("<b>*x*</b>") == r"\<b\>\*x\*\</b\>"
    assert code("a`b``c") == "```a`b``c```"


def test_markdown_of_a_page_that_was_not_seen(unseen: Report) -> None:
    assert "**Not rated.**" in to_markdown(unseen)


def test_the_badge_says_the_rating_in_words(made: Report, unseen: Report) -> None:
    assert f"{made.result} {made.score}" in to_badge(made)
    assert "not rated" in to_badge(unseen)
    ET.fromstring(to_badge(made))
