"""Counts of the pages of a template."""

from findable.capture.site_graph import Template
from findable.crawl.site.templates import PagesOfTemplate


def test_a_template_is_named_and_counted_by_its_pages() -> None:
    pages = PagesOfTemplate()
    urls = tuple(f"https://shop.example/p/{number}" for number in range(4))
    for number, url in enumerate(urls):
        types = ("Product", "Offer") if number else ("Product",)
        pages.add(url, 100 * number, 10.0 * number, types, is_indexable=number > 0)

    types_count = (("Product", 4), ("Offer", 3))
    assert pages.as_template(7) == Template(7, "/p/*", 4, 3, urls, words_median=150, first_byte_p75_ms=20.0, types=types_count)
