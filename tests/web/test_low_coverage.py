"""A page of which less than half could be measured, and one with a category like that: no rating word anywhere, "–" for the category."""

import json
from collections.abc import Iterator

import pytest

from findable.cli.report_text import report_lines
from findable.cli.terminal import Terminal
from findable.export.pdf_content import template_data
from findable.export.pdf_sheet import Sheet
from findable.formats.parse_budget import MAX_ELEMENTS
from findable.reports.analysis import analyse
from findable.reports.category_lines import category_lines
from findable.reports.report import Report
from findable.reports.scoring import RATED_FROM
from findable.vocabulary import Category
from findable.wording import wording
from tests.checks.harness import capture, page
from tests.web.live import Client, Live, run_live
from tests.web.test_crawl_pages import words

HOST = "large.example"
LARGE = page(f"<h1>Blue widgets</h1>{'<br>' * MAX_ELEMENTS}", head="<title>Blue widgets of all sizes, made by hand in our workshop</title>")
NO_RATING = "No rating: less than half could be measured"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), rate_limit=100_000)


@pytest.fixture(scope="module")
def large() -> Report:
    return analyse(capture(LARGE, url=f"https://{HOST}/"))


def test_a_page_measured_by_less_than_half_has_no_rating_in_any_format(live: Live, large: Report) -> None:
    live.analyser.pages[HOST] = LARGE
    email = live.email()
    client: Client = live.client(email=email)
    made = client.report(f"https://{HOST}/")
    shown = client.get(f"/reports/{made['id']}").json["data"]
    path = f"/r/{made['public_id']}"
    html = words(live.signed_in(email).get(path).text)
    told = f"Only {round(shown['coverage'] * 100)}% of the applicable checks (by weight) could be measured."

    assert shown["coverage"] < RATED_FROM
    assert (shown["score"], shown["result"], shown["score_parts"]) == (None, None, [])
    assert NO_RATING in html
    assert "+15" not in html  # no gain without a score
    assert told in html
    assert "Good" not in html.partition("Findings")[0]
    assert "not rated" in live.signed_in(email).get(f"{path}/badge.svg").text
    assert json.loads(live.signed_in(email).get(f"{path}/report.json").text)["score"] is None
    lines = report_lines(large, Terminal())
    assert "Not rated" in lines
    assert f"Score –, {round((large.coverage or 0) * 100)} % of the check weight measured" in lines
    sheet = template_data(large, Sheet())
    assert sheet["verdict"] is None
    assert sheet["plate"]["title"] == NO_RATING
    assert sheet["plate"]["text"].startswith("Only ")
    assert template_data(large, Sheet(say=wording("de")))["plate"]["title"] != NO_RATING


def test_a_category_measured_by_less_than_half_shows_a_dash(large: Report) -> None:
    by_id = {one.id: one for one in large.categories}
    lines = {line.id: line for line in category_lines(large, large.not_asked)}
    full = "\n".join(report_lines(large, Terminal(), verbose=True))
    sheet = {line["title"]: line["value"] for line in template_data(large, Sheet())["categories"]}

    assert by_id[Category.IMAGES].score is None
    assert (lines["images"].score, lines["images"].checked_count < lines["images"].checks_count / 2) == (None, True)
    assert "Images  –" in full
    assert sheet["Images"] == "–"
    assert [line.score is None for line in lines.values()] == sorted(line.score is None for line in lines.values())
