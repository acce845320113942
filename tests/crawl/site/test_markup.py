"""Structured data and content that pages of the same template have in common."""

from collections.abc import Sequence

from findable.capture.crawl import Group
from findable.capture.site_templates import CrawledMarkup
from findable.crawl.site.markup import BUILD_PAGES, EMPTY_FROM, PagesByBuild

SITE = "https://shop.example"
PRODUCT, ARTICLES = (11,), (12,)


def group(numbers: Sequence[int]) -> Group:
    return Group("/p/*", len(numbers), tuple(map(str, numbers)))


def markup(typed_count: int, count: int, type_name: str = "Product", shapes: tuple[int, ...] = PRODUCT, path: str = "p") -> CrawledMarkup:
    """The markup of a template's pages, on a site with as many other pages."""
    pages = PagesByBuild()
    for number in range(count):
        pages.add(number, f"{SITE}/{path}/{number}", shapes, (type_name,) if number < typed_count else ())
        pages.add(1000 + number, f"{SITE}/news/{number}", ARTICLES, ())
    return pages.markup(group, lambda _numbers: "/p/*")


def test_a_type_of_all_or_of_few_pages_is_not_missing() -> None:
    assert markup(20, 20).partial == ()
    assert markup(15, 20).partial == ()
    assert markup(BUILD_PAGES - 2, BUILD_PAGES - 1).partial == ()


def test_a_type_for_any_page_or_without_a_rich_result_is_not_missing() -> None:
    assert markup(18, 20, "BreadcrumbList").partial == ()
    assert markup(18, 20, "Thing").partial == ()


def test_pages_without_a_list_of_their_own_are_of_no_template() -> None:
    assert markup(18, 20, shapes=()).partial == ()


def test_the_type_of_most_pages_is_missing_on_the_others() -> None:
    found = markup(18, 20)

    assert (found.pages_count, found.typed_count) == (40, 18)
    assert [(item.type, item.pages_count, item.typed_count, item.missing) for item in found.partial] == [
        ("Product", 20, 18, group([18, 19]))
    ]


def test_pages_with_the_same_content_are_empty_if_they_are_no_pages_of_a_list() -> None:
    pages = PagesByBuild()
    for number in range(EMPTY_FROM):
        pages.add_content(number, f"{SITE}/tag/{number}", 5)
        pages.add_content(100 + number, f"{SITE}/list?page={number}", 6)
        pages.add_content(200 + number, f"{SITE}/a/{number}", 0)
    pages.add_content(300, f"{SITE}/b", 7)

    assert pages.markup(group, lambda _numbers: "").empty == (group(range(EMPTY_FROM)),)
