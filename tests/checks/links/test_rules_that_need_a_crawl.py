"""The rules of link checks that read a crawl, over made-up crawls."""

from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.site.crawl_context import Crawl
from findable.capture.response import Response
from findable.checks.links.click_depth import click_depth
from findable.checks.links.orphan_page import orphan_page
from tests.checks.harness import gathered, page

HOME = "https://www.example.com/"
PLACE = Crawl(
    pages_count=50,
    same_title=(),
    same_description=(),
    same_text=(),
    similar_text=(),
    inlinks_count=3,
    found_by="link",
    depth=2,
    path_from_home=(HOME, f"{HOME}a", f"{HOME}a/b"),
)
DEPTHS: list[tuple[dict[str, Any], str]] = [
    ({}, "passed"),
    ({"depth": 4}, "passed"),
    ({"depth": 5}, "warned"),
    ({"path_from_home": ()}, "inapplicable"),
]
ORPHANS: list[tuple[dict[str, Any], str]] = [
    ({}, "passed"),
    ({"inlinks_count": 0, "depth": 0}, "passed"),
    ({"inlinks_count": 0, "found_by": "sitemap"}, "failed"),
]


@pytest.mark.parametrize(("seen", "expected"), DEPTHS)
def test_click_depth(seen: dict[str, Any], expected: str) -> None:
    assert click_depth(replace(PLACE, **seen)).verdict.value == expected


@pytest.mark.parametrize(("seen", "expected"), ORPHANS)
def test_orphan_page(seen: dict[str, Any], expected: str) -> None:
    response = gathered(page()).present(Response)

    assert orphan_page(replace(PLACE, **seen), response).verdict.value == expected
