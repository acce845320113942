"""Outcomes of description-unique over what a crawl knows."""

import pytest
from msgspec.structs import replace

from findable.capture.crawl import PageInCrawl
from findable.checks.content.description_unique import description_unique

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
        ((URL,), "warned"),
    ],
)
def test_outcome(others: tuple[str, ...], expected: str) -> None:
    crawl = replace(CRAWL, same_description=others)

    assert description_unique(crawl).verdict == expected
