"""Of a page with more elements than are walked the head is judged as that of any other, and the rest is unknown."""

import pytest

from findable.formats.parse_budget import MAX_ELEMENTS
from findable.reports.analysis import analyse
from findable.reports.scoring import PROVISIONAL_BELOW
from tests.checks.harness import capture, finding, findings
from tests.mutations.world import captured, site

HEAD = (
    "title-present", "title-length", "meta-description", "meta-description-length", "viewport", "noindex", "nofollow-page", "og-basic",
    "robots-meta-valid", "hreflang-self",
)  # fmt: skip


@pytest.mark.parametrize("name", ["company", "tea"])
def test_what_is_judged_is_judged_as_on_a_small_page(name: str) -> None:
    page = site(name)
    large = page.html.replace("</body>", "<br>" * MAX_ELEMENTS + "</body>")
    keywords = {**page.keywords, "languages": {}}
    small, cut = ({item.id: item.verdict for item in analyse(captured(html, keywords)).findings} for html in (page.html, large))
    assert {check: verdict for check, verdict in cut.items() if verdict not in (small[check], "unknown")} == {}
    assert {cut[check] for check in HEAD} == {"passed"}
    assert {cut[check] for check in ("h1-present", "content-length", "links-crawlable", "image-alt", "html-structure")} == {"unknown"}


@pytest.mark.parametrize(
    "markup", ['<meta name="robots" content="noindex">', '<link rel="canonical" href="/other">', "<title>Late</title>"]
)
def test_metadata_behind_what_is_walked_leaves_the_head_unknown(markup: str) -> None:
    html = f"<!doctype html><html lang=en><head><title>A page</title></head><body>{'<br>' * MAX_ELEMENTS}{markup}</body></html>"
    verdicts = {check: found.verdict.value for check, found in findings(html).items()}
    assert {verdicts[check] for check in ("title-present", "noindex", "meta-description")} == {"unknown"}


def test_a_head_without_end_is_unknown() -> None:
    html = "<!doctype html><html lang=en><head><title>A page</title>" + '<meta name="a" content="b">' * (MAX_ELEMENTS + 1)
    assert finding("title-present", html).verdict.value == "unknown"


def test_a_page_that_was_cut_lacks_nothing_for_certain() -> None:
    html = "<!doctype html><html lang=en><head><title>A page</title></head><body><p>Text"
    verdicts = {check: found.verdict.value for check, found in findings(html, truncated=True).items()}
    assert {verdicts[check] for check in ("h1-present", "image-alt", "links-crawlable", "content-length")} == {"unknown"}
    assert (verdicts["title-present"], verdicts["meta-description"]) == ("passed", "warned")
    cut_in_head = {check: found.verdict.value for check, found in findings(html.partition("</head>")[0], truncated=True).items()}
    assert (cut_in_head["title-present"], cut_in_head["meta-description"]) == ("unknown", "unknown")


def test_the_rating_is_provisional() -> None:
    report = analyse(capture("<!doctype html><title>A page</title>" + "<br>" * MAX_ELEMENTS))
    assert report.coverage is not None
    assert report.coverage < PROVISIONAL_BELOW
