"""Outcomes of content-duplicate over what a crawl knows."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import PageInCrawl
from findable.checks.content.content_duplicate import content_duplicate

URL = "https://www.example.com/other"
CRAWL = PageInCrawl(
    url="https://www.example.com/widgets",
    status=200,
    title="Widgets",
    description="Blue widgets.",
    pages_count=20,
    same_title=(),
    same_description=(),
    same_text=(),
    similar_text=(),
    inlinks_count=1,
    found_by="link",
    depth=1,
    path_from_home=(),
)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ((), "passed"),
        ((URL,), "failed"),
    ],
)
def test_outcome(others: tuple[str, ...], expected: str) -> None:
    crawl = replace(CRAWL, same_text=others)

    assert content_duplicate(crawl).verdict == expected


def test_near_duplicates_need_ninety_percent() -> None:
    assert content_duplicate(replace(CRAWL, similar_text=((URL, 0.95),))).verdict == "warned"
    assert content_duplicate(replace(CRAWL, similar_text=((URL, 0.8),))).verdict == "passed"
