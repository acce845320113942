"""Outcomes of image-alt: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no pictures", page(), {}, "inapplicable"),
    ("alternative texts", page('<img src="a.png" alt="A">'), {}, "passed"),
    ("empty alt is decoration", page('<img src="a.png" alt=""><img src="b.png" alt>'), {}, "passed"),
    ("marked as presentation", page('<img src="a.png" role="presentation"><img src="b.png" role="none">'), {}, "passed"),
    ("hidden from tools", page('<span aria-hidden="true"><img src="a.png"></span><img src="b.png" aria-hidden="true">'), {}, "passed"),
    ("named otherwise", page('<img src="a.png" aria-label="A"><img src="b.png" title="B">'), {}, "passed"),
    ("a named drawing", page('<svg role="img"><title>Logo</title></svg><svg role="img" aria-label="Logo"></svg>'), {}, "passed"),
    ("a drawing without a role", page('<svg><path/></svg><img src="a.png" alt="A">'), {}, "passed"),
    ("a counter of one pixel", page('<img src="t.gif" width="1" height="1"><img src="a.png" alt="A">'), {}, "passed"),
    (
        "inside noscript or template",
        page('<noscript><img src="a"></noscript><template><img src="b"></template><img src="c" alt="C">'),
        {},
        "passed",
    ),
    ("an area without a link", page('<img src="m.png" alt="Map"><map name="m"><area shape="default"></map>'), {}, "passed"),
    ("no address", page('<img id="later"><img src="" id="too"><img src="a" alt="A">'), {}, "passed"),
    ("one of five", page('<img src="a" alt="A">' * 4 + '<img src="b">'), {}, "warned"),
    ("one of one", page('<img src="a.png">'), {}, "failed"),
    ("a button", page('<input type="image" src="go.png">'), {}, "failed"),
    ("an area", page('<map name="m"><area href="/x" shape="default"></map>'), {}, "failed"),
    ("a drawing alone never fails", page('<svg role="img"><path/></svg>'), {}, "warned"),
    (
        "drawings in links and buttons",
        page('<a href="/"><svg role="img"></svg> Home</a><button><svg role="img"></svg></button>'),
        {},
        "inapplicable",
    ),
    ("a drawing in a link beside an image", page('<a href="/"><svg role="img"></svg> Home</a><img src="a" alt="A">'), {}, "passed"),
    ("not a page", "", {"status": 404}, "inapplicable"),
    (
        "built by script",
        page('<div id="root"></div><script src="/app.js"></script>'),
        {"assets": {"https://www.example.com/app.js": {}}},
        "unknown",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("image-alt", html, **given) == expected, case


def test_names_that_are_no_alt_texts_are_counted_as_what_they_are() -> None:
    found = finding("image-alt", page('<img src="a" alt="A"><img src="b" title="B"><img src="c" aria-label="C"><img src="d" alt="">'))
    assert (found.params["by_alt_count"], found.params["named_count"], found.params["empty_count"]) == (1, 2, 1)


def test_a_fix_takes_only_words_that_stand_beside_the_image() -> None:
    images = (
        '<figure><img src="1.png"><figcaption>Rolls in a basket</figcaption></figure><img src="/rye-bread_800.jpg"><img src="IMG_1.jpg">'
        '<a href="/rye"><img src="/gettyimages-3.jpg"></a><a href="/rye">Rye bread</a><a href="/cakes"><img src="/c.jpg"> Cakes</a>'
        '<a href="/x"><img src="/foo/thumb.jpg"></a><p>Bread is <a href="/x">better than you think</a> if it is old.</p>'
        '<a href="/y"><img src="/y.jpg"></a><a href="/y">Enlarge</a> <a href="/z"><img src="/z.jpg"></a><a href="/z">$ 45</a>'
    )
    codes = [fix.code for fix in finding("image-alt", page(images)).fixes]
    assert codes == [
        '<img src="/gettyimages-3.jpg" alt="Rye bread">',
        '<img src="/c.jpg" alt="">',
    ]


def test_a_link_with_several_images_and_a_caption_give_no_text() -> None:
    images = '<a href="/us" title="Our team"><img src="/a.jpg"><img src="/b.jpg"></a><figure><img src="/c.jpg"><figcaption>C</figcaption></figure>'

    assert finding("image-alt", page(images)).fixes == ()


def test_an_image_that_acts_gets_the_words_of_what_is_clicked() -> None:
    images = (
        '<div onclick="share()" title="WeChat"><img src="/w.gif"></div><a href="/x">See <span onclick="vote()"><img src="/v.gif"></span></a>'
        '<img src="/r.gif" width="600" height="3" onclick="go()"><div onclick="open()"><img src="/card.jpg"> A card</div>'
    )
    codes = [fix.code for fix in finding("image-alt", page(images)).fixes]
    assert codes == ['<img src="/w.gif" alt="WeChat">']


def test_rules_and_spacers_get_an_empty_text() -> None:
    images = '<img src="/a.gif" width="600" height="3"><img src="/b.gif" width="5" height="4"><img src="/c.gif" width="80" height="60">'
    codes = [fix.code for fix in finding("image-alt", page(images)).fixes]
    assert codes == ['<img src="/a.gif" width="600" height="3" alt="">', '<img src="/b.gif" width="5" height="4" alt="">']


def test_a_cut_headline_is_no_alt_text() -> None:
    html = page('<a href="/star"><img src="/a.png"></a><a href="/star">Star of the old series dead at 6 …</a>')

    assert finding("image-alt", html).fixes == ()


def test_a_drawing_is_named_by_what_names_drawings() -> None:
    assert "aria-label" in finding("image-alt", page('<svg role="img"><path/></svg>')).advice
    assert finding("image-alt", page('<svg role="img"><path/></svg><img src="a.png">')).advice == ""


def test_the_cost_follows_the_images_that_carry_content() -> None:
    named, other = '<img src="/a.jpg" alt="A">', '<img src="/b.jpg">'
    around = f"<header>{other}</header><nav>{other}</nav><aside>{other}</aside>"
    small = '<img src="/c.jpg" width="16" height="16"><img src="/logo.svg"><img src="/d.png" class="avatar">'
    for case, html, share in (
        ("all of the content", f"<main>{other}</main>", 100),
        ("half of it costs as much", f"<main>{other}{named}</main>", 100),
        ("one of four", f"<main>{other}{named * 3}</main>{'<nav>' + named * 16 + '</nav>'}", 50),
        ("all but those of the content", f"<main>{named}</main>{around}{small}", round(100 * 0.5 * 6 / 7)),
        ("no content", around, 50),
    ):
        assert finding("image-alt", page(html)).share_percent == share, case


def test_an_image_in_a_link_with_a_title_is_not_called_decoration() -> None:
    link = '<a href="https://b.example/" title="BlockBee"><span>sponsor</span><img src="/b.png"></a>'

    assert not finding("image-alt", page(link)).fixes


def test_a_generic_link_text_names_no_image() -> None:
    assert not finding("image-alt", page('<a href="/sake"><img src="/s.jpg"></a><a href="/sake">Read more</a>')).fixes
