"""What checks say where a page has more of something than is read: nothing passes on a part, nothing is called missing."""

import json
from typing import Any

import pytest

from findable.artifacts.html.ids import MAX_IDS
from findable.artifacts.page.controls import MAX_CONTROLS
from findable.artifacts.page.headings import MAX_HEADINGS
from findable.artifacts.page.images import MAX_IMAGES
from findable.artifacts.page.links import MAX_LINKS
from findable.artifacts.page.structured_items import MAX_ITEMS
from findable.artifacts.responses.resources import MAX_RESOURCES
from findable.checks.structured_data import sd_matches_page
from findable.formats.json_ld import MAX_BLOCK_CHARS
from findable.reports.facts import facts_of
from tests.checks.harness import artifacts, finding, findings, page

PICTURE = '<img src="/a.png" alt="A" width="10" height="10" loading="lazy">'
RATING = {"@type": "AggregateRating", "ratingValue": "4.6", "ratingCount": 3}
MANY = {"@type": "Thing"}


def ld(*values: Any, body: str = "<h1>Blue widget</h1><p>Blue widget, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>x</title>" + "".join(f'<script type="application/ld+json">{json.dumps(value)}</script>' for value in values)
    )


def product(**more: Any) -> dict[str, Any]:
    return {"@context": "https://schema.org", "@type": "Product", "name": "Blue widget", "aggregateRating": RATING, **more}


FULL = [
    ("headings", page("<h1>A</h1>" + "<h2>A</h2>" * (MAX_HEADINGS - 1)), ["h1-present", "heading-order"]),
    ("pictures", page(PICTURE * MAX_IMAGES), ["image-alt"]),
    ("links", page('<a href="/a">Blue widgets</a>' * MAX_LINKS), ["links-crawlable", "links-localhost"]),
    ("fields", page('<input aria-label="Name">' * MAX_CONTROLS), ["control-names"]),
    ("ratings", ld(*[product()] * 60), ["sd-reviews", "jsonld-valid"]),
    ("items", ld(product(isRelatedTo=[MANY] * (MAX_ITEMS - 10))), ["sd-reviews", "jsonld-valid", "sd-matches-page"]),
]
MORE = [
    ("headings", page("<h1>A</h1>" + "<h2>A</h2>" * MAX_HEADINGS), ["heading-order"]),
    ("a main heading behind them", page("<h2>A</h2>" * MAX_HEADINGS + "<h1>A</h1>"), ["h1-present"]),
    ("pictures", page(PICTURE * (MAX_IMAGES + 1)), ["image-alt"]),
    ("links", page('<a href="/a">Blue widgets</a>' * (MAX_LINKS + 1)), ["links-crawlable", "links-localhost"]),
    ("fields", page('<input aria-label="Name">' * (MAX_CONTROLS + 1)), ["control-names"]),
    ("frames", page('<iframe src="/a" title="A"></iframe>' * (MAX_CONTROLS + 1)), ["iframe-title"]),
    (
        "ids",
        page("".join(f'<i id="{number}"></i>' for number in range(MAX_IDS + 1)) + '<a href="#x">X</a>'),
        ["duplicate-id", "links-fragment"],
    ),
    ("scripts", page("".join(f'<script src="/{number}.js" defer></script>' for number in range(MAX_RESOURCES + 1))), ["script-defer"]),
    (
        "items",
        ld(product(isRelatedTo=[MANY] * MAX_ITEMS)),
        ["sd-reviews", "sd-deprecated", "sd-required", "jsonld-valid", "sd-matches-page"],
    ),
    ("a large block", ld(product(), {"@type": "Thing", "text": "x" * MAX_BLOCK_CHARS}), ["sd-reviews", "sd-deprecated", "jsonld-valid"]),
    ("nothing but a large block", ld({"@type": "Thing", "text": "x" * MAX_BLOCK_CHARS}), ["sd-reviews", "sd-required", "sd-matches-page"]),
]


@pytest.mark.parametrize(("case", "html", "checks"), FULL, ids=[case for case, *_ in FULL])
def test_up_to_the_cap_all_is_judged(case: str, html: str, checks: list[str]) -> None:
    found = findings(html)
    assert {name: found[name].verdict.value for name in checks} == dict.fromkeys(checks, "passed"), case


@pytest.mark.parametrize(("case", "html", "checks"), MORE, ids=[case for case, *_ in MORE])
def test_nothing_passes_on_a_part(case: str, html: str, checks: list[str]) -> None:
    found = findings(html)
    assert {name: found[name].verdict.value for name in checks} == dict.fromkeys(checks, "unknown"), case


def test_a_fault_in_the_part_is_a_fault() -> None:
    assert finding("heading-order", page("<h1>A</h1><h4>B</h4>" + "<h2>A</h2>" * MAX_HEADINGS)).verdict.value == "warned"
    assert (
        finding("sd-reviews", ld(product(aggregateRating={**RATING, "ratingValue": "9"}, isRelatedTo=[MANY] * MAX_ITEMS))).verdict.value
        == "warned"
    )


def test_a_rule_in_the_part_of_the_body_that_was_not_received_is_not_known() -> None:
    html = page("<p>Text").partition("</body>")[0]
    found = findings(html, truncated=True)
    assert {name: found[name].verdict.value for name in ("noindex", "nofollow-page")} == {"noindex": "unknown", "nofollow-page": "unknown"}
    headers = [["Content-Type", "text/html"], ["X-Robots-Tag", "noindex"]]
    assert finding("noindex", html, truncated=True, headers=headers).verdict.value == "failed"


def test_what_many_items_name_is_said_of_the_first() -> None:
    found = finding("sd-matches-page", ld(*[product()] * (sd_matches_page.ITEMS_JUDGED + 1)))
    assert (found.verdict.value, found.params["judged_count"], found.params["count"]) == ("passed", 10, 11)


def test_many_offers_are_said_to_be_looked_at_in_part() -> None:
    offers = [{"@type": "Offer", "price": "1", "priceCurrency": "EUR"}] * 21
    found = finding("sd-required", ld(product(offers=offers, image="https://www.example.com/a.png")))
    assert (found.verdict.value, found.params["count"]) == ("passed", 20)


def test_a_name_that_may_stand_behind_what_is_searched_is_not_missing() -> None:
    body = f"<h1>x</h1><p>{'word ' * 50_000} Blue widget 4.6</p>"
    assert finding("sd-matches-page", ld(product(), body=body)).verdict.value == "unknown"


def test_prices_behind_those_that_are_read_contradict_nothing() -> None:
    given = product(offers={"@type": "Offer", "price": "12.90", "priceCurrency": "EUR"})
    other = '<span class="price">9.00 €</span>'
    assert finding("sd-matches-page", ld(given, body=f"<h1>Blue widget 4.6</h1>{other * 100}")).verdict.value == "failed"
    assert finding("sd-matches-page", ld(given, body=f"<h1>Blue widget 4.6</h1>{other * 101}")).verdict.value == "passed"


def test_facts_say_how_many_there_are() -> None:
    facts = facts_of(artifacts(page("<h2>A</h2>" * (MAX_HEADINGS + 5) + '<a href="/a">A</a>' * (MAX_LINKS + 5))))
    assert facts.headings
    assert facts.headings.count == MAX_HEADINGS + 5
    assert facts.links
    assert facts.links_left_count
    assert facts.links_left_count + len(facts.links) == MAX_LINKS + 5
