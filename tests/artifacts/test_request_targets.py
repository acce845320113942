"""What extra requests a page asks for."""

from findable.artifacts.registry import gather
from findable.artifacts.request_targets import Targets, find_targets
from findable.capture.capture import Capture
from findable.capture.page import AssetKind
from tests.checks.harness import capture, page

HEAD = """<title>x</title>
<link rel="canonical" href="/other#a"><link rel="alternate" hreflang="de" href="https://www.example.com/de">
<link rel="alternate" hreflang="en" href="https://www.example.com/shop/blue-widgets">
<link rel="stylesheet" href="a.css"><link rel="icon" href="/i.png"><meta property="og:image" content="/og.png">"""
BODY = """<a href="/x#y">1</a> <a href="/x">1</a> <a href="#top">top</a> <a href="mailto:a@b.example">m</a> <a href="https://o.example/">o</a>
<a href="http://example.com/y">y</a> <img src="a.png" srcset="a.png 1x, b.png 2x"> <img src="data:image/gif;base64,R0lGOD"> <script src="s.js"></script>"""


def targets(seen: Capture) -> Targets:
    return find_targets(gather(seen.page), seen.page.response.final_url)


def test_targets_of_a_page() -> None:
    found = targets(capture(page(BODY, HEAD)))

    assert found.page_url == "https://www.example.com/shop/blue-widgets"
    assert found.links_internal == ("https://www.example.com/x", "http://example.com/y")
    assert found.links_external == ("https://o.example/",)
    assert found.canonical == "https://www.example.com/other"
    assert found.alternates == ("https://www.example.com/de",)
    assert [(item.kind, item.url.rpartition("/")[2]) for item in found.assets] == [
        (AssetKind.STYLESHEET, "a.css"),
        (AssetKind.SCRIPT, "s.js"),
        (AssetKind.ICON, "i.png"),
        (AssetKind.SOCIAL, "og.png"),
        (AssetKind.IMAGE, "b.png"),
        (AssetKind.IMAGE, "a.png"),
    ]


def test_a_page_that_is_its_own_canonical_asks_for_none() -> None:
    assert targets(capture(page(head='<link rel="canonical" href="/shop/blue-widgets?utm_source=x">'))).canonical is None


def test_an_error_page_asks_for_nothing() -> None:
    found = targets(capture(page(BODY, HEAD), status=404))

    assert (found.assets, found.links_internal, found.links_external, found.canonical) == ((), (), (), None)


def test_s26_forty_thousand_links_are_capped() -> None:
    found = targets(capture(page("".join(f'<a href="/{number}">x</a>' for number in range(40_000)))))

    assert len(found.links_internal) == 3000
