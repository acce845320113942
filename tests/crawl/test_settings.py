"""Which URLs belong to a crawl."""

import pytest

from findable.capture.crawl import Refusal
from findable.crawl.settings import CrawlSettings, Extent

START = "https://www.example.com/"


@pytest.mark.parametrize(
    ("extent", "url", "belongs"),
    [
        (Extent.ORIGIN, "https://www.example.com/a", True),
        (Extent.ORIGIN, "http://www.example.com/a", False),
        (Extent.ORIGIN, "https://example.com/", False),
        (Extent.ORIGIN, "https://www.example.com:8443/", False),
        (Extent.HOST, "http://example.com/a", True),
        (Extent.HOST, "https://shop.example.com/", False),
        (Extent.DOMAIN, "https://shop.example.com/", True),
        (Extent.DOMAIN, "https://example.org/", False),
        (Extent.DOMAIN, "ftp://example.com/", False),
    ],
)
def test_extent_decides_which_hosts_belong(extent: Extent, url: str, belongs: bool) -> None:
    settings = CrawlSettings(START, extent=extent)

    assert settings.refusal_of(url) is (None if belongs else Refusal.SCOPE)


def test_further_hosts_belong_and_others_do_not() -> None:
    settings = CrawlSettings(START, hosts=("www.example.de",))

    assert settings.refusal_of("https://www.example.de/x") is None
    assert settings.refusal_of("https://www.example.fr/x") is Refusal.SCOPE


def test_include_and_exclude_are_patterns_and_spare_the_start() -> None:
    settings = CrawlSettings(START, include=("/shop/*",), exclude=("*/print/*",))

    assert settings.refusal_of(START) is None
    assert settings.refusal_of("https://www.example.com/shop/a") is None
    assert settings.refusal_of("https://www.example.com/blog/a") is Refusal.SCOPE
    assert settings.refusal_of("https://www.example.com/shop/print/a") is Refusal.SCOPE


def test_a_very_long_url_is_refused() -> None:
    assert CrawlSettings(START).refusal_of(START + "a" * 3000) is Refusal.TOO_LONG
