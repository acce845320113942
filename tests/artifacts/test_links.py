"""Links, names, ids and places of elements, as read from markup."""

import time

import pytest

from findable.artifacts.html.ids import Ids
from findable.artifacts.html.landmarks import Region
from findable.artifacts.page.controls import ControlKind, Names
from findable.artifacts.page.links import MAX_LINKS, Link, LinkFault, LinkKind, Links
from findable.artifacts.registry import Absent
from tests.checks.harness import artifacts, page


def links_of(html: str, **given: str) -> tuple[Link, ...]:
    """The links of such a page."""
    found = artifacts(page(html), **given).get(Links)
    assert isinstance(found, Links)
    return found.items


KINDS = [
    ('<a href="/a">x</a>', LinkKind.INTERNAL, "https://www.example.com/a"),
    ('<a href="https://example.com/a">x</a>', LinkKind.INTERNAL, "https://example.com/a"),
    ('<a href="//WWW.EXAMPLE.COM:443/a">x</a>', LinkKind.INTERNAL, "https://www.example.com/a"),
    ('<a href="https://shop.example.com/">x</a>', LinkKind.EXTERNAL, "https://shop.example.com/"),
    ('<a href="https://www.example.com.evil.example/">x</a>', LinkKind.EXTERNAL, "https://www.example.com.evil.example/"),
    ('<a href="https:///other.example">x</a>', LinkKind.EXTERNAL, "https://other.example/"),
    ('<a href="\\\\other.example\\a">x</a>', LinkKind.EXTERNAL, "https://other.example/a"),
    ('<a href="mailto:a@b.example">x</a>', LinkKind.CONTACT, "mailto:a@b.example"),
    ('<a href="/cdn-cgi/l/email-protection#4e2f">x</a>', LinkKind.CONTACT, "https://www.example.com/cdn-cgi/l/email-protection#4e2f"),
    ('<area href="/map">', LinkKind.INTERNAL, "https://www.example.com/map"),
    ('<svg><a xlink:href="/s"><text>x</text></a></svg>', LinkKind.INTERNAL, "https://www.example.com/s"),
]


@pytest.mark.parametrize(("html", "kind", "url"), KINDS)
def test_kind_and_address(html: str, kind: LinkKind, url: str) -> None:
    (link,) = links_of(html)

    assert (link.kind, link.url) == (kind, url)


FAULTS = [
    ('<a href="javascript:go()">Go</a>', LinkFault.SCRIPT),
    ('<a href=" java\nscript:go()">Go</a>', LinkFault.SCRIPT),
    ('<a href="#/route">Go</a>', LinkFault.HASH_ROUTE),
    ('<a href="#!/route">Go</a>', LinkFault.HASH_ROUTE),
    ('<a href="http://[">Go</a>', LinkFault.UNREADABLE),
    ('<a onclick="go()">Go</a>', LinkFault.HANDLER),
    ('<a ui-sref="home">Go</a>', LinkFault.ROUTER),
    ('<div routerLink="/a">Go</div>', LinkFault.ROUTER),
    ('<span href="/a">Go</span>', LinkFault.NOT_AN_ANCHOR),
]


@pytest.mark.parametrize(("html", "fault"), FAULTS)
def test_what_no_crawler_can_follow(html: str, fault: LinkFault) -> None:
    (link,) = links_of(html)

    assert link.fault is fault


NAMES = [
    ('<a href="/a">  Blue \n <b>widgets</b> </a>', "Blue widgets"),
    ('<a href="/a"><img src="a.png" alt="Blue"> widgets</a>', "Blue widgets"),
    ('<a href="/a" aria-label="Prices">more</a>', "Prices"),
    ('<a href="/a" aria-labelledby="p q">more</a><p id="p">Prices</p><p id="q" hidden>of widgets</p>', "Prices of widgets"),
    ('<a href="/a"><svg><title>Home</title></svg></a>', "Home"),
    ('<a href="/a"><span aria-hidden="true">→</span> Next</a>', "Next"),
    ('<a href="/a" title="Home"></a>', "Home"),
    ('<a href="/a"><style>a{}</style><script>x</script>A</a>', "A"),
    ('<a href="/a"></a>', ""),
]


@pytest.mark.parametrize(("html", "name"), NAMES)
def test_name(html: str, name: str) -> None:
    assert links_of(html)[0].name == name


def test_place_of_a_link() -> None:
    nav, main, footer = links_of(
        '<nav><a href="/a">A</a></nav><main lang="de"><div><a href="/b">B</a></div></main><div role="contentinfo" hidden><a href="/c">C</a></div>'
    )

    assert (nav.context.region, nav.context.lang) == (Region.NAV, "en")
    assert (main.context.region, main.context.lang) == (Region.MAIN, "de")
    assert (footer.context.region, footer.context.hidden) == (Region.FOOTER, True)


def test_tokens_of_rel_and_target() -> None:
    (link,) = links_of('<a href="/a" rel=" NoFollow\tnoopener " target="_BLANK">A</a>')

    assert link.rel == frozenset({"nofollow", "noopener"})
    assert link.target == "_blank"


def test_links_within_the_page() -> None:
    here, there = links_of('<a href="#a">A</a><a href="?x=1#a">B</a>')

    assert (here.same_page, here.fragment) == (True, "a")
    assert not there.same_page


def test_template_contents_are_no_links() -> None:
    assert links_of('<template><a href="/a">A</a></template><!-- <a href="/b"> -->') == ()


def test_a_page_that_scripts_build_is_not_judged() -> None:
    found = artifacts(page('<div id="root"></div><script src="/app.js"></script>')).get(Links)

    assert isinstance(found, Absent)
    assert found.verdict.value == "unknown"


def test_controls() -> None:
    names = artifacts(
        page('<input id="a"><label for="a">A</label><button>B</button><a href="/">C</a><iframe src="/d" title="D"></iframe>')
    ).get_or_none(Names)

    assert names is not None
    assert [(control.kind, control.name) for control in (*names.controls, *names.frames)] == [
        (ControlKind.FIELD, "A"),
        (ControlKind.BUTTON, "B"),
        (ControlKind.LINK, "C"),
        (ControlKind.FRAME, "D"),
    ]


def test_ids() -> None:
    ids = artifacts(page('<p id="a">1</p><p id="a">2</p><a name="n"></a><label for="b c">x</label>')).get_or_none(Ids)

    assert ids is not None
    assert [element.text for element in ids.duplicates["a"]] == ["1", "2"]
    assert ids.has_target("n")
    assert not ids.has_target("b")
    assert [reference.id for reference in ids.references] == ["b c"]


HOSTILE = [
    '<a href="/x">x</a>' * 40_000,
    "<div>" * 40_000 + '<a href="/x">x</a>' * 100,
    f'<a href="/x" aria-label="{"x" * 4_500_000}" rel="{"y " * 100_000}">x</a>',
    '<a href="/x"><img alt="a">' * 20_000,
    '<div role="button">' * 20_000,
    '<label for="x">' * 20_000,
    "".join(f'<p id="i{n % 50}" aria-labelledby="i{n} i{n + 1}">x</p>' for n in range(20_000)),
]


@pytest.mark.parametrize("html", HOSTILE, ids=["many", "deep", "long", "nested", "buttons", "labels", "ids"])
def test_hostile_markup_is_read_in_bounded_time(html: str) -> None:
    """Generous, for busy machines; a quadratic walk takes minutes."""
    everything = artifacts(page(html))
    started = time.process_time()
    links, names, ids = everything.get_or_none(Links), everything.get_or_none(Names), everything.get_or_none(Ids)

    assert links is not None
    assert names is not None
    assert ids is not None
    assert len(links) <= MAX_LINKS
    assert time.process_time() - started < 20
