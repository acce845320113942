"""Ways to pages: first what is neither deep nor generic."""

import pytest

from findable.capture.site_graph import LinkSource
from findable.checks.site.site_depth import DEEP_FROM_CLICKS
from findable.crawl.found_by import FoundBy
from findable.crawl.site.reach import LinkTexts, generic_links, reach_by_clicks, top_pages_count
from tests.crawl.stored_crawl import url

ANCHORS = [(1, "Read more"), (2, "Blue widgets"), (3, " "), (4, "Go")]


def test_there_is_a_top_page_on_every_site() -> None:
    assert [top_pages_count(count) for count in (0, 1, 20, 21, 1000)] == [1, 1, 1, 2, 50]


def test_near_pages_and_later_pages_of_lists_are_not_deep() -> None:
    near = (1, url("/a"), int(FoundBy.SITEMAP), DEEP_FROM_CLICKS - 1)
    root, deepest = reach_by_clicks([(2, url("/list?page=9"), int(FoundBy.SITEMAP), 9), near])

    assert (deepest, root.deep, root.deep_listed) == (0, None, None)
    assert root.by_clicks == ((DEEP_FROM_CLICKS - 1, 1),)


def test_deep_pages_are_counted_and_the_first_of_the_deepest_is_kept() -> None:
    link, sitemap = int(FoundBy.LINK), int(FoundBy.SITEMAP)
    root, deepest = reach_by_clicks([(1, url("/x"), link, 7), (2, url("/y"), sitemap, 7), (3, url("/z"), link, 6)])

    assert (deepest, root.by_clicks) == (1, ((6, 1), (7, 2)))
    assert root.deep is not None
    assert root.deep_listed is not None
    assert (root.deep.pages_count, root.deep_listed.urls) == (3, (url("/y"),))


@pytest.mark.parametrize(
    ("links", "generic", "named_count"),
    [
        ([(1, 1, False), (1, 2, False)], [], 1),  # one text that says something
        ([(1, 3, False)], [], 0),
        ([(1, 1, True)], [], 0),
        ([(2, 4, False)], [], 1),  # the name of the page
        ([(1, 1, False), (1, 3, False), (1, 2, True)], [1], 1),
        ([(1, 4, False)], [1], 1),
    ],
)
def test_only_pages_whose_followed_texts_are_all_generic(links: list[tuple[int, int, bool]], generic: list[int], named_count: int) -> None:
    texts = LinkTexts(3, ANCHORS)
    for target, anchor, nofollow in links:
        texts.add([target], [anchor], [nofollow])

    assert texts.generic_only([(1, url("/java.html")), (2, url("/go.html"))]) == (generic, named_count)


def test_shown_links_are_followed_and_have_text() -> None:
    shown = (("here", False), ("here", False), ("", False), ("x", True))
    sources = [LinkSource("b", "", "ul", 1, text, nofollow, pages_count=1) for text, nofollow in shown]

    assert generic_links(url("/a"), sources).anchor_texts == ("here",)
    assert generic_links(url("/a"), sources).sources == tuple(sources[:2])
