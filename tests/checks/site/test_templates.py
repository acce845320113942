"""Templates of a whole site: first what must not be flagged, then what must."""

from msgspec.structs import replace

from findable.capture.crawl import Group
from findable.capture.site_graph import CrawledDuplicates, DuplicateGroup
from findable.capture.site_templates import CrawledMarkup, PartialType
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.site.harness import SITE, finding


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
