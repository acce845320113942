"""How much of a page the parser is given: all of what pages are, little of what only costs memory. S24, S26."""

import random

import pytest
import turbohtml

from findable.artifacts.responses.probed_page import MAX_PROBED_BYTES, read_probed
from findable.formats.parse_budget import (
    BEGINNING_CHARS,
    MAX_PARSED_BYTES,
    REOPENED_BYTES,
    STRAY_BEGINNING_CHARS,
    TAG_BYTES,
    _count_reopened,
    readable_chars,
)
from tests.checks.harness import answer

START = "<!doctype html><html lang=en><head><title>A page</title></head><body><p>"
PICTURE = '<img alt="A widget" src="data:image/png;base64,' + "iVBORw0KGgoAAAAN/+" * 10_000 + '">'
ARTICLE = (
    '<div class="a b"><h2 id="s#">Blue <em>widgets</em></h2><p>Made to <a href="/m#"><b>measure</b></a> in <i>three</i> days.</p></div>\n'
)


def article(count: int) -> str:
    return "".join(ARTICLE.replace("#", str(number)) for number in range(count))


PAGES = {
    "pictures written into it": START + PICTURE * 26,
    "pictures written into it, and an emoji": START + "😀" + PICTURE * 16 + article(500),
    "a state of three megabytes": START + "<script>" + '{"name": "Blue widget", "sizes": [1, 2]},' * 75_000 + "</script>" + article(500),
    "a state in an attribute": START + "<div data-page='" + '{"name": "Blue widget"},' * 80_000 + "'></div>",
    "an escaped state in an attribute": START + '<div data-page="' + "{&quot;name&quot;: &quot;Blue widget&quot;}," * 40_000 + '"></div>',
    "a novel": START + ("“It was the best of times, it was the worst of times.”" * 8 + "</p>\n<p>") * 7000,
    "a long list": START + article(5000),
    "a table": START + "<table>" + "<tr><td>1</td><td>2</td><td>3</td></tr>\n" * 11_000 + "</table>",
    "a text that is nothing but text": "word " * 100_000,
    "names of parameters in a manual": START
    + "".join(f'<em class="n{n}"><span><b>x</b></span></em><svg><path d="M0"/></svg>' for n in range(6000)),
    "anchors that are never closed": START + "".join(f"<i id=a{number}>" for number in range(10_000)),
    "links that are never closed": START + "".join(f'<li><b class=b{n}><a href="/{n}">N {n}</b>{"text " * 40}</li>' for n in range(2000)),
    "bold text that is never closed": START + "<b>Bold<p>text" * 2000,
}


@pytest.mark.parametrize("name", PAGES)
def test_s26_what_is_written_into_real_pages_is_read_to_the_end(name: str) -> None:
    text = PAGES[name]

    assert readable_chars(text) == len(text)


FLOODS = {
    "elements": START + "<div>" * 1_000_000,
    "elements with a text": START + "<p>x" * 1_000_000,
    "brackets": START + "<" * 4_000_000,
    "comments": START + "<!---->" * 500_000,
    "attributes": START + "<p " + "".join(f"a{number} " for number in range(300_000)) + ">",
    "elements with attributes": START + "<p a b c d e f g h i j k l m n o p q r s t u v w x y z>" * 80_000,
    "quotes in a tag": START + "<p " + '"' * 2_000_000 + ">",
    "slashes in a tag": START + "<p " + "/" * 2_000_000 + ">",
    "references": START + "&x;" * 1_000_000,
    "text before all tags": "word " * 800_000,
    "text, and one emoji": START + "word " * 600_000 + "😀",
    "formatting": START + "".join(f"<b c={number}>" for number in range(2000)) + "<p>x" * 2000,
    "formatting in a comment's guise": START + "".join(f"<!--><b c='-->' d={number}></b>'>" for number in range(1000)) + "<p>x" * 2000,
    "formatting that something else closes": START + "".join(f"<b c={number}></b\u00a0>" for number in range(1000)) + "<p>x" * 2000,
    "formatting whose end is text": START + "".join(f"<b c={number}><title/></b></title>" for number in range(1000)) + "<p>x" * 2000,
    "formatting whose end is ignored": START + "".join(f"<b c={number}><select/></b></select>" for number in range(1000)) + "<p>x" * 2000,
    "formatting around formatting": START + "".join(f"<b c={n}>" for n in range(1000)) + "<p>x" * 2000 + "</p>" + "</b>" * 1000,
    "formatting outside of a table": START + "".join(f"<b c={number}><table></b></table>" for number in range(1000)) + "<p>x" * 2000,
}


@pytest.mark.parametrize("name", FLOODS)
def test_s26_of_what_only_costs_memory_the_beginning_is_read(name: str) -> None:
    text = FLOODS[name]
    read = readable_chars(text)

    assert read <= min(len(text) // 2, BEGINNING_CHARS)
    assert nodes_of(text[:read]) * REOPENED_BYTES < MAX_PARSED_BYTES


def test_s26_of_a_file_of_zeros_the_beginning_is_read() -> None:
    assert readable_chars(START + "\0" * 1_000_000) == STRAY_BEGINNING_CHARS
    assert readable_chars(START + "a" * 1_000_000 + "\0") == len(START) + 1_000_001


PIECES = (
    *("<b>", "<i>", "<a>", "<p>", "<div>", "</b>", "</i>", "</a>", "</p>", "</div>", "x", "<table>", "<td>", "</td>", "</table>", "<nobr>"),
    *("<font a>", "<font b>", "</font>", "<li>", "<B>", "</B>", "<em>", "<s>", "</s>", "<h1>", "<button>", "</button>", "<svg>", "</svg>"),
    *("<math>", "<mi>", "<select>", "<option>", "<form>", "<template>", "</template>", "<!--", "-->", '<b c="', '">', "<b c='>'>", "<br>"),
    *("<b\u00a0>", "</b\u00a0>", '<a href="#">', "<script>", "</script>", "<b c=#>", '<i d="#">', "</b x>", "<object>", "</object>"),
    *(
        "<caption>",
        "<tr>",
        "<title>",
        "</title>",
        "<textarea>",
        "<noscript>",
        "<b/>",
        "& ",
        "<div/>",
        "<path/>",
        "<script/>",
        "</textarea>",
    ),
    *("<select/>", "</select>", "</span>", "<span>", "<iframe/>", "</iframe>", "</option>", "</li>", "</math>", "</form>", "</noscript>"),
)


@pytest.mark.parametrize("seed", range(60))
def test_s26_no_page_is_made_of_more_nodes_than_were_foreseen(seed: int) -> None:
    chance = random.Random(seed)
    runs = ["".join(chance.choices(PIECES, k=chance.randint(1, 7))) for _ in range(3)]
    text = START + "".join(run.replace("#", str(number)) for run in runs for number in range(chance.choice((30, 200))))
    tags = text.count("<")

    closely, roughly = (_count_reopened(text, len(text), tags, few) for few in (0, 1 << 60))
    assert nodes_of(text) * REOPENED_BYTES <= tags * TAG_BYTES + min(closely, roughly) * REOPENED_BYTES + 1000


def nodes_of(text: str) -> int:
    return sum(1 for _ in turbohtml.parse(text, scripting=True, allow_declarative_shadow_roots=False).descendants)


@pytest.mark.parametrize(
    ("body", "is_read"),
    [
        (START + article(1500), True),
        (START + "Текст, которого много. " * 15_000, True),
        (START + "".join(f"<b c={number}>" for number in range(400)) + "<p>x" * 400, False),
        (START + "<p>x" * 100_000, False),
    ],
)
def test_s26_other_pages_of_a_site_are_held_to_less(body: str, *, is_read: bool) -> None:
    page = read_probed(answer("https://www.example.com/other", body=body, headers=[("Content-Type", "text/html; charset=utf-8")]))

    assert page
    assert (page.document is not None) == is_read
    assert page.tree
    assert nodes_of(page.tree.source) * REOPENED_BYTES <= MAX_PROBED_BYTES
