"""The rules of link checks that read a crawl, over made-up crawls."""

from typing import Any

import pytest
from msgspec.structs import replace

from findable.capture.crawl import PageInCrawl
from findable.checks.links.click_depth import click_depth
from findable.checks.links.orphan_page import orphan_page

HOME = "https://www.example.com/"
PLACE = PageInCrawl(
    url="https://www.example.com/widgets",
    status=200,
    title="Widgets",
    description="Blue widgets.",
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
    ({"path_from_home": (), "is_complete": False}, "unknown"),
    ({"depth": 5, "is_complete": False}, "unknown"),
    ({"is_complete": False}, "passed"),
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
    assert orphan_page(replace(PLACE, **seen)).verdict.value == expected
