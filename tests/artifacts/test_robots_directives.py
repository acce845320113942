"""Robots metas and X-Robots-Tag headers, merged per crawler."""

from datetime import UTC, datetime

import pytest

from findable.artifacts.page.robots_directives import RobotsDirectives
from tests.checks.harness import DEFAULT_HEADERS, artifacts, page


def directives(head: str = "", body: str = "", *lines: str, **given: object) -> RobotsDirectives:
    headers = [*DEFAULT_HEADERS, *(("X-Robots-Tag", line) for line in lines)]
    made = artifacts(page(body, head), headers=headers, **given).get(RobotsDirectives)
    assert isinstance(made, RobotsDirectives)
    return made


def meta(content: str, name: str = "robots") -> str:
    return f'<meta name="{name}" content="{content}">'


@pytest.mark.parametrize(
    "content",
    ["noindex", "NOINDEX", "none", "noindex, follow", " noindex ,nofollow", "follow,noindex", "noindex nofollow", "noindex;x, noindex"],
)
def test_noindex_is_seen(content: str) -> None:
    assert directives(meta(content)).noindex("googlebot")


@pytest.mark.parametrize(
    "content",
    ["", "index", "all", "max-image-preview:none", "max-image-preview: none", "noimageindex", "indexifembedded", "nofollow", "see noindex"],
)
def test_noindex_is_not_seen(content: str) -> None:
    assert directives(meta(content)).noindex("googlebot") is None


@pytest.mark.parametrize(
    ("name", "google", "bing"),
    [
        ("robots", True, True),
        ("ROBOTS", True, True),
        ("googlebot", True, False),
        ("Bingbot", False, True),
        ("googlebot-news", False, False),
    ],
)
def test_metas_hold_for_the_crawler_they_name(name: str, *, google: bool, bing: bool) -> None:
    made = directives(meta("noindex", name))

    assert bool(made.noindex("googlebot")) is google
    assert bool(made.noindex("bingbot")) is bing


def test_other_metas_are_no_rules() -> None:
    assert directives(meta("noindex", "description") + '<meta property="robots" content="noindex">').all == ()


def test_metas_in_the_body_count_those_in_templates_do_not() -> None:
    assert directives(body=meta("noindex")).noindex()
    assert directives(body=f"<template>{meta('noindex')}</template>").noindex() is None


HEADERS = [
    ("noindex", "", True),
    ("NoIndex", "", True),
    ("googlebot: noindex, nofollow", "googlebot", True),
    ("GoogleBot: nofollow, noindex", "googlebot", True),
    ("googlebot: noindex, nofollow", "bingbot", False),
    ("otherbot: noindex, googlebot: nofollow", "googlebot", False),
    ("otherbot: nofollow, googlebot: noindex", "googlebot", True),
    ("unavailable_after: 25 Jun 2010 15:00:00 PST", "", False),
    ("unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noindex", "", True),
    ("max-snippet:-1, max-image-preview:large", "", False),
    ("googlebot: max-snippet: 0", "googlebot", False),
    ("*: noindex", "googlebot", True),
]


@pytest.mark.parametrize(("line", "agent", "expected"), HEADERS)
def test_header_rules(line: str, agent: str, *, expected: bool) -> None:
    assert bool(directives("", "", line).noindex(agent)) is expected


def test_header_names_reach_over_commas() -> None:
    made = directives("", "", "googlebot: noindex, nofollow, otherbot: nosnippet", "noarchive")

    assert [(item.agent, item.name) for item in made.all] == [
        ("googlebot", "noindex"),
        ("googlebot", "nofollow"),
        ("otherbot", "nosnippet"),
        ("", "noarchive"),
    ]


def test_headers_of_redirects_are_not_read() -> None:
    hop = {"url": "https://example.com/", "headers": [["X-Robots-Tag", "noindex"]]}

    assert directives(hops=[hop]).all == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("25 Jun 2010 15:00:00 GMT", datetime(2010, 6, 25, 15, tzinfo=UTC)),
        ("Fri, 25 Jun 2010 15:00:00 GMT", datetime(2010, 6, 25, 15, tzinfo=UTC)),
        ("Friday, 25-Jun-10 15:00:00 GMT", datetime(2010, 6, 25, 15, tzinfo=UTC)),
        ("2010-06-25T15:00:00Z", datetime(2010, 6, 25, 15, tzinfo=UTC)),
        ("2010-06-25", datetime(2010, 6, 25, tzinfo=UTC)),
        ("soon", None),
    ],
)
def test_expiry(text: str, expected: datetime | None) -> None:
    for made in (directives(meta(f"unavailable_after: {text}")), directives("", "", f"unavailable_after: {text}")):
        found = made.expiry()
        assert (found.moment if found else None) == expected


def test_the_earliest_expiry_and_the_smallest_snippet_win() -> None:
    made = directives(
        meta("unavailable_after: 2030-01-01, max-snippet:50") + meta("max-snippet:20, unavailable_after: 2029-01-01", "googlebot")
    )

    expiry, snippet = made.expiry("googlebot"), made.shortest_snippet("googlebot")
    assert expiry is not None
    assert expiry.moment == datetime(2029, 1, 1, tzinfo=UTC)
    assert snippet is not None
    assert snippet.number == 20
    assert made.shortest_snippet("bingbot") != snippet


def test_no_limit_is_larger_than_any() -> None:
    found = directives(meta("max-snippet:-1") + meta("max-snippet:160")).shortest_snippet()

    assert found
    assert found.number == 160


def test_a_forgotten_comma_is_noticed() -> None:
    assert [(item.name, item.follows_comma) for item in directives(meta("noindex nofollow, nosnippet")).all] == [
        ("noindex", True),
        ("nofollow", False),
        ("nosnippet", True),
    ]


def test_latin_1_bytes_do_no_harm() -> None:
    assert [item.name for item in directives("", "", "no\xefndex, noindex").all] == ["noïndex", "noindex"]


def test_many_rules_are_capped() -> None:
    assert len(directives(meta("noindex," * 5000)).all) == 500
