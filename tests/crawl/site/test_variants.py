"""Variants of one URL."""

import pytest
from msgspec.structs import replace

from findable.capture.site_urls import VariantKind
from findable.crawl.site.variants import VariantPage, possible_variants, variants

SITE = "https://shop.example"
PAGE = VariantPage(1, f"{SITE}/shoes", text=7, plain_text=8, title=9, heading=10, linked_from=5)
SLASH = replace(PAGE, id=2, url=f"{SITE}/shoes/", linked_from=2)
SHORT = {"text": 0, "plain_text": 8}


def kinds_of(*pages: VariantPage) -> list[tuple[VariantKind, str]]:
    return [(item.kind, item.pairs[0].variant) for item in variants([pages], lambda _number: None)]


def test_urls_that_differ_in_more_than_their_writing_are_no_variants() -> None:
    paths = ["/shoes", "/shoes/", "/shoes?a=1&b=2", "/shoes?b=2&a=1", "/shoes?a=1", "/hats"]

    assert [*possible_variants((number, SITE + path) for number, path in enumerate(paths))] == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("page", "other"),
    [
        (PAGE, replace(SLASH, text=6)),
        (PAGE, replace(SLASH, linked_from=0)),
        (replace(PAGE, **SHORT), replace(SLASH, **SHORT, heading=3)),
        (replace(PAGE, **SHORT, title=0), replace(SLASH, **SHORT, title=0)),
    ],
    ids=["other text", "not linked", "other heading of a short text", "no title of a short text"],
)
def test_pages_that_may_differ_are_no_variants(page: VariantPage, other: VariantPage) -> None:
    assert kinds_of(page, other) == []


def test_the_variant_has_fewer_links_or_an_unusual_form() -> None:
    index = replace(PAGE, id=3, url=f"{SITE}/shoes/index.html", linked_from=90)

    assert kinds_of(PAGE, SLASH) == [(VariantKind.SLASH, SLASH.url)]
    assert kinds_of(PAGE, replace(SLASH, linked_from=9)) == [(VariantKind.SLASH, PAGE.url)]
    assert kinds_of(SLASH, index) == [(VariantKind.INDEX, index.url)]
    assert kinds_of(replace(PAGE, **SHORT), replace(SLASH, **SHORT)) == [(VariantKind.SLASH, SLASH.url)]


def test_variants_with_the_most_links_come_first() -> None:
    others = [replace(page, id=page.id + 2, url=page.url.replace("shoes", "hats"), linked_from=7) for page in (PAGE, SLASH)]
    (item,) = variants([(PAGE, SLASH), others], lambda _number: None)

    assert (item.pairs_count, [pair.variant_inlinks_count for pair in item.pairs]) == (2, [7, 2])
