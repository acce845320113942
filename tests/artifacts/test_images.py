"""Pictures: every way in which markup shows one."""

import pytest

from findable.artifacts.page.images import ImageKind, Images, exposed_elements
from findable.artifacts.registry import Absent
from findable.formats.srcset import Candidate, likely_candidate, parse_srcset
from tests.checks.harness import artifacts, page


def images(body: str, head: str = "<title>t</title>") -> Images:
    made = artifacts(page(body, head)).get(Images)
    assert not isinstance(made, Absent)
    return made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.jpg", [Candidate("a.jpg")]),
        ("a.jpg 1x, b.jpg 2x", [Candidate("a.jpg", None, 1.0), Candidate("b.jpg", None, 2.0)]),
        ("a.jpg,b.jpg 2x", [Candidate("a.jpg,b.jpg", None, 2.0)]),
        ("a.jpg, b.jpg", [Candidate("a.jpg"), Candidate("b.jpg")]),
        (" ,, a.jpg 320w ,\n b.jpg 640w 480h", [Candidate("a.jpg", 320), Candidate("b.jpg", 640)]),
        ("data:image/png;base64,AAAA 1x, b.jpg 2x", [Candidate("data:image/png;base64,AAAA", None, 1.0), Candidate("b.jpg", None, 2.0)]),
        ("a.jpg future(1,2) 2x, b.jpg", [Candidate("b.jpg")]),
        ("a.jpg 0w, b.jpg 1.5x", [Candidate("b.jpg", None, 1.5)]),
        ("a.jpg 1x 2w, b.jpg -1x, c.jpg 2h, d.jpg 1w 0h, e.jpg 2x 2x, f.jpg 0.5x", [Candidate("f.jpg", None, 0.5)]),
        ("a.jpg ((1) 2x, b.jpg", [Candidate("b.jpg")]),
        ("", []),
        (",,,", []),
    ],
)
def test_srcset_is_parsed_by_the_html_rules(text: str, expected: list[Candidate]) -> None:
    assert parse_srcset(text) == expected


def test_the_likely_candidate_is_large_enough_and_no_larger() -> None:
    assert likely_candidate(parse_srcset("s 320w, m 1024w, l 4000w")) == Candidate("m", 1024)
    assert likely_candidate(parse_srcset("s 320w, m 640w")) == Candidate("m", 640)
    assert likely_candidate(parse_srcset("s 1x, m 2x, l 3x")) == Candidate("m", None, 2.0)
    assert likely_candidate([]) is None


def test_addresses_follow_base_and_data_is_left_alone() -> None:
    found = images(
        '<img src=" a.png#x "><img src="data:image/gif;base64,R0"><img src=""><img>', '<base href="/pics/"><title>t</title>'
    ).imgs

    assert [image.urls for image in found] == [("https://www.example.com/pics/a.png",), (), (), ()]
    assert [image.is_data for image in found] == [False, True, False, False]
    assert [image.src for image in found] == ["a.png#x", "data:image/gif;base64,R0", "", None]


def test_alt_missing_and_alt_empty_are_told_apart() -> None:
    found = images('<img src=a><img src=b alt><img src=c alt=""><img src=d alt="D">').imgs

    assert [image.alt for image in found] == [None, "", "", "D"]


def test_all_kinds_are_seen() -> None:
    found = images(
        '<svg role="img"><title>Logo</title></svg><svg></svg><input type="IMAGE" src=b><input><map name=m><area href=/x alt=X><area></map>'
        '<video poster="p.jpg"></video><picture><source srcset="w.webp 800w"><img src="w.jpg"></picture><picture></picture>'
        "<template><img src=t></template>"
    )

    assert [image.kind for image in found.items] == [
        ImageKind.SVG,
        ImageKind.INPUT,
        ImageKind.AREA,
        ImageKind.POSTER,
        ImageKind.IMG,
    ]
    assert found.items[0].has_name
    assert found.imgs[0].in_picture
    assert found.imgs[0].urls == ("https://www.example.com/shop/w.webp", "https://www.example.com/shop/w.jpg")
    assert len(found.pictures_without_img) == 1


@pytest.mark.parametrize(
    ("attributes", "reserved"),
    [
        ("width=10 height=20", True),
        ('width="10px" height="20px"', True),
        ('style="aspect-ratio: 16/9"', True),
        ('style="width:10px;height:2em"', True),
        ('width="100%" height="auto"', False),
        ("width=10", False),
        ('style="max-width:10px; max-height: 10px"', False),
        ("width=0 height=0", False),
    ],
)
def test_space_is_reserved_by_attributes_or_style(attributes: str, reserved: bool) -> None:
    assert images(f"<img src=a {attributes}>").imgs[0].reserves_space is reserved


def test_lazy_patterns_and_their_fallback() -> None:
    found = images('<img data-src="a.jpg" loading=LAZY><noscript><img src="a.jpg"></noscript><div style="background:url(b.jpg)"></div>')

    assert found.imgs[0].lazy_url == "https://www.example.com/shop/a.jpg"
    assert found.imgs[0].loading == "lazy"
    assert found.fallback_urls == {"https://www.example.com/shop/a.jpg"}
    assert [url for _, url in found.backgrounds] == ["https://www.example.com/shop/b.jpg"]


@pytest.mark.parametrize(
    ("markup", "counts"),
    [
        ('<img src="//b.scorecardresearch.com/p?c1=2" alt="">', True),
        ('<img src="https://stats.example.com/o.gif?page=1" alt="">', True),
        ('<img src="https://www.facebook.com/tr?id=1&amp;ev=PageView">', True),
        ('<img src="a.gif" width=1 height=1>', True),
        ('<img src="o.gif" alt="">', False),
        ('<img src="/pixel?id=1" alt="A picture made of pixels">', False),
        ('<img src="/p?id=1" alt="" width=80 height=80>', False),
        ('<img src="/shop/blue-widget.jpg?w=800">', False),
    ],
)
def test_counters_are_told_by_size_or_address(markup: str, counts: bool) -> None:
    assert images(markup).imgs[0].is_pixel is counts


def test_hidden_ancestors_hide() -> None:
    found = images(
        '<div aria-hidden="true"><p><img src=a></p></div><div hidden><img src=b></div><div style="display: none"><img src=c></div><img src=d>'
    )

    assert [element.attr("src") for element in exposed_elements(image.element for image in found.imgs)] == ["d"]
