"""Outcomes of description-unique over what a crawl knows."""

import pytest
from msgspec.structs import replace

from findable.artifacts.page.head import Head
from findable.artifacts.site.crawl_context import Crawl
from findable.checks.content.description_unique import description_unique
from tests.checks.harness import gathered, page

URL = "https://www.example.com/other"
CRAWL = Crawl(
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
    found = gathered(page(head='<title>Widgets</title><meta name="description" content="Blue widgets.">')).present(Head)
    assert found is not None
    crawl = replace(CRAWL, same_description=others)

    assert description_unique(found, crawl).verdict == expected
