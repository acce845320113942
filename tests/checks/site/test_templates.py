"""Templates of a whole site: first what must not be flagged, then what must."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import CrawlSummary, Group
from findable.capture.site_graph import CrawledDuplicates, CrawledTemplates, DuplicateGroup, Template
from findable.capture.site_templates import CrawledMarkup, PartialType
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.site.harness import SITE, finding

SUMMARY = CrawlSummary(f"{SITE}/", "2026-11-01T12:00:00Z", pages_count=120, indexable_count=100, by_status=((200, 120),))
SLOW = Template(1, "/products/*", 20, 20, (f"{SITE}/products/a",), first_byte_p75_ms=1400.0)


@pytest.mark.parametrize(
    ("template", "by_status", "verdict"),
    [
        (replace(SLOW, first_byte_p75_ms=1000.0), ((200, 120),), Verdict.PASSED),
        (replace(SLOW, pages_count=19), ((200, 120),), Verdict.INAPPLICABLE),
        (SLOW, ((200, 120), (429, 1)), Verdict.UNKNOWN),
        (SLOW, ((200, 120), (404, 3)), Verdict.WARNED),
    ],
)
def test_a_slow_template(template: Template, by_status: tuple[tuple[int, int], ...], verdict: Verdict) -> None:
    found = finding("site-slow-template", CrawledTemplates((template,)), replace(SUMMARY, by_status=by_status))
    assert (found.verdict, [cause.cause.key for cause in found.causes]) == (verdict, ["/products/*"] if verdict is Verdict.WARNED else [])


def test_pages_without_the_type_of_the_others() -> None:
    assert finding("site-sd-partial", CrawledMarkup(90)).verdict is Verdict.INAPPLICABLE
    assert finding("site-sd-partial", CrawledMarkup(90, 40)).verdict is Verdict.PASSED
    partial = PartialType("Product", "/products/*", 40, 38, Group("/products/*", 2, (f"{SITE}/products/a",)))
    (cause,) = finding("site-sd-partial", CrawledMarkup(90, 40, (partial,))).causes
    assert render(cause.message, cause.params) == "2 pages have no Product, which 38 of 40 pages like these have"


def test_pages_that_differ_by_their_heading_alone() -> None:
    assert finding("site-empty-template", CrawledMarkup(0)).verdict is Verdict.INAPPLICABLE
    assert finding("site-empty-template", CrawledMarkup(90)).verdict is Verdict.PASSED
    (cause,) = finding("site-empty-template", CrawledMarkup(90, empty=(Group("/tag/*", 7, (f"{SITE}/tag/a",)),))).causes
    assert (cause.verdict, render(cause.cause.name, cause.cause.params), cause.pages_count) == (Verdict.WARNED, "pages like /tag/*", 7)


def test_one_heading_and_title_on_many_pages_is_a_note() -> None:
    group = DuplicateGroup("Widgets", 4, (f"{SITE}/1", f"{SITE}/2"))
    assert finding("site-h1-duplicate", CrawledDuplicates(1)).verdict is Verdict.INAPPLICABLE
    assert finding("site-h1-duplicate", CrawledDuplicates(9, headings=(group,), headings_count=1)).verdict is Verdict.INFO
    assert finding("site-h1-duplicate", CrawledDuplicates(9, headings=(replace(group, same_text=True),))).verdict is Verdict.PASSED
