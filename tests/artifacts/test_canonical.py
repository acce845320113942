"""Canonical declarations, which of them count, and how two addresses differ."""

import pytest

from findable.artifacts.page.canonical import Canonical, Difference, IgnoredReason, comparable, differences
from findable.formats.link_header import parse_link_header
from tests.checks.harness import DEFAULT_HEADERS, artifacts, page


def canonical(head: str = "", body: str = "", link: str = "", **given: object) -> Canonical:
    headers = [*DEFAULT_HEADERS, *([("Link", link)] if link else [])]
    made = artifacts(page(body, head), headers=headers, **given).get(Canonical)
    assert isinstance(made, Canonical)
    return made


@pytest.mark.parametrize(
    ("tag", "target"),
    [
        ('<link rel="canonical" href="https://www.example.com/a">', "https://www.example.com/a"),
        ('<link rel="CANONICAL nofollow" href=" https://www.example.com/a ">', "https://www.example.com/a"),
        ('<link href="/a" rel=canonical>', "https://www.example.com/a"),
        ('<link rel=canonical href="//www.example.com/a">', "https://www.example.com/a"),
        ('<link rel=canonical href="https:\\\\www.example.com\\a">', "https://www.example.com/a"),
        ('<link rel=canonical href="https://WWW.EXAMPLE.com/a#top">', "https://www.example.com/a"),
        ('<link rel=canonical href="https://bücher.example/a b">', "https://xn--bcher-kva.example/a%20b"),
        ('<base href="https://cdn.example.com/x/"><link rel=canonical href="a">', "https://cdn.example.com/x/a"),
        ('<base href="data:,x"><base href="/y/"><link rel=canonical href="a">', "https://www.example.com/shop/a"),
    ],
)
def test_addresses_are_resolved_as_browsers_do(tag: str, target: str) -> None:
    assert canonical(tag).target == target


@pytest.mark.parametrize(
    ("tag", "ignored"),
    [
        ('<link rel=canonical href="">', IgnoredReason.EMPTY),
        ("<link rel=canonical>", IgnoredReason.EMPTY),
        ('<link rel=canonical href="https://[::1">', IgnoredReason.UNREADABLE),
        ('<link rel=canonical href="javascript:void(0)">', IgnoredReason.SCHEME),
        ('<link rel=canonical hreflang=de href="https://www.example.com/a">', IgnoredReason.ATTRIBUTE),
        ('<link rel=canonical media="print" href="https://www.example.com/a">', IgnoredReason.ATTRIBUTE),
        ('<link rel=canonical type="text/html" href="https://www.example.com/a">', IgnoredReason.ATTRIBUTE),
    ],
)
def test_declarations_that_do_not_count(tag: str, ignored: IgnoredReason) -> None:
    made = canonical(tag)

    assert [item.ignored for item in made.declared] == [ignored]
    assert made.target is None
    assert made.is_self


def test_canonical_in_the_body_does_not_count() -> None:
    assert [item.ignored for item in canonical(body='<link rel=canonical href="/a">').declared] == [IgnoredReason.BODY]


def test_canonical_after_a_picture_in_the_head_stands_in_the_body() -> None:
    assert [item.ignored for item in canonical('<img src="a.png"><link rel=canonical href="/a">').declared] == [IgnoredReason.BODY]


def test_canonical_after_a_noscript_with_a_picture_stands_in_the_head() -> None:
    made = canonical('<noscript><img src="https://t.example/p.gif"></noscript><link rel=canonical href="https://www.example.com/a">')

    assert made.target == "https://www.example.com/a"


def test_canonical_in_a_template_is_none() -> None:
    assert canonical('<template><link rel=canonical href="/a"></template>').declared == ()


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ('<https://www.example.com/a>; rel="canonical"', "https://www.example.com/a"),
        ("</a,b;c>; rel=canonical", "https://www.example.com/a,b;c"),
        ('<https://cdn.example/x>; rel=preconnect, </a>; title="x, y; z"; rel="canonical"', "https://www.example.com/a"),
        ('</a>; REL="Canonical"', "https://www.example.com/a"),
        ('</a>;rel="alternate canonical"', "https://www.example.com/a"),
        ('</a>; rel="canonical"; hreflang="de"', None),
        ('</a>; rel="preload"', None),
        ("a; rel=canonical", None),
        ('</a>; rel=canonical; anchor=""', "https://www.example.com/a"),
        ('</a>; rel=canonical; anchor="https://www.example.com/shop/blue-widgets"', "https://www.example.com/a"),
        ('</a>; rel=canonical; anchor="/paper.pdf"', None),
        ('</a>; rel=canonical; anchor="#part"', None),
    ],
)
def test_link_header(line: str, target: str | None) -> None:
    assert canonical(link=line).target == target


def test_link_header_keeps_parameters() -> None:
    [link] = parse_link_header('<https://a.example/x>; rel="alternate"; hreflang=de; title="a \\"b\\""; x')

    assert (link.href, set(link.rel)) == ("https://a.example/x", {"alternate"})
    assert link.params == {"hreflang": "de", "title": 'a "b"', "x": ""}


def test_two_that_agree_are_one_target() -> None:
    made = canonical('<link rel=canonical href="/a">', link="</a#x>; rel=canonical")

    assert len(made.effective) == 2
    assert made.target == "https://www.example.com/a"


def test_two_that_differ_are_no_target() -> None:
    made = canonical('<link rel=canonical href="/a"><link rel=canonical href="/b">')

    assert made.targets == ["https://www.example.com/a", "https://www.example.com/b"]
    assert made.target is None


PAGE = "https://www.example.com/shop/widgets"
DIFFERENCES = [
    (PAGE, PAGE, set()),
    (PAGE, f"{PAGE}#x", set()),
    (PAGE, f"{PAGE}?utm_source=x&gclid=1", set()),
    ("https://www.example.com:443/a", "https://www.example.com/a", set()),
    ("https://www.example.com/%c3%a9%7Ea", "https://www.example.com/%C3%A9~a", set()),
    ("https://www.example.com./a", "https://www.example.com/a", set()),
    (PAGE, f"{PAGE}/", {Difference.SLASH}),
    ("https://www.example.com/a/", "https://www.example.com/a/index.html", {Difference.INDEX_FILE}),
    ("https://www.example.com/", "https://www.example.com/index.php", {Difference.INDEX_FILE}),
    (PAGE, PAGE.replace("https", "http"), {Difference.SCHEME}),
    (PAGE, PAGE.replace("www.", ""), {Difference.WWW}),
    (f"{PAGE}?page=2", PAGE, {Difference.QUERY}),
    (PAGE, PAGE.replace("widgets", "Widgets"), {Difference.LETTER_CASE}),
    ("https://m.example.com/a", "https://www.example.com/a", {Difference.MOBILE}),
    (f"{PAGE}?a=1", "http://example.com/shop/widgets/", {Difference.QUERY, Difference.SCHEME, Difference.WWW, Difference.SLASH}),
    (PAGE, "https://www.example.com/", {Difference.HOME_PAGE}),
    (PAGE, "https://example.com/index.html", {Difference.HOME_PAGE}),
    (PAGE, "https://www.example.com/shop", {Difference.OTHER_PAGE}),
    (PAGE, "https://shop.example.com/shop/widgets", {Difference.OTHER_HOST}),
    (PAGE, "https://www.example.com:8443/shop/widgets", {Difference.OTHER_HOST}),
    (PAGE, "https://www.example.de/shop/widgets", {Difference.OTHER_HOST}),
]


@pytest.mark.parametrize(("page_url", "target", "expected"), DIFFERENCES)
def test_differences(page_url: str, target: str, expected: set[Difference]) -> None:
    assert differences(page_url, target) == expected


def test_comparable_keeps_what_is_reserved() -> None:
    assert comparable("https://example.com/a%2Fb?q=%26#x") == "https://example.com/a%2Fb?q=%26"
