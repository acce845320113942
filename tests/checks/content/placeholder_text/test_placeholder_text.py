"""Outcomes of placeholder-text: first what must not be flagged, then what must."""

import pytest

from findable.vocabulary import Fault
from tests.checks.harness import finding, page, verdict

CICERO = (
    "Neque porro quisquam est, qui dolorem ipsum, quia dolor sit amet, consectetur, adipisci velit, sed quia non numquam eius modi "
    "tempora incidunt, ut labore et dolore magnam aliquam quaerat voluptatem. Ut enim ad minima veniam, quis nostrum exercitationem ullam "
    "corporis suscipit laboriosam. Quis autem vel eum iure reprehenderit? At vero eos et accusamus et iusto odio dignissimos ducimus, qui "
    "blanditiis praesentium voluptatum deleniti atque corrupti, quos dolores et quas molestias excepturi sint, obcaecati cupiditate non "
    "provident, similique sunt in culpa, qui officia deserunt mollitia animi, id est laborum et dolorum fuga."
)
OUTCOMES = [
    ("a holder of templates", page('<div class="sdf-component-templates"><p>{{ price.line }}</p></div>'), "unknown"),
    ("a class about a template", page('<div class="template-product"><p>{{ price.line }}</p></div>'), "warned"),
    ("a page", page(), "passed"),
    ("accents as they should be", page("<p>Ångström, São Paulo, NÃO, Â, déjà vu – “quoted” …</p>"), "passed"),
    ("a page about templates", page("<p>Write {{ name }} into the template.</p><code>{{ name }}</code>"), "passed"),
    ("undefined in running text", page("<p>Division by zero is undefined. Undefined behaviour is undefined.</p>"), "passed"),
    ("a page about dummy text", page("<p>Lorem ipsum dolor sit amet</p>", head="<title>Lorem ipsum generator</title>"), "passed"),
    ("a main heading about dummy text", page("<h1>Where Lorem Ipsum comes from</h1>"), "passed"),
    ("Cicero", page(f"<p>{CICERO}</p>"), "passed"),
    ("variables in scripts and templates", page("<script>var a='{{ x }}'</script><template>{{ x }}</template>"), "passed"),
    ("one odd pair of letters", page("<p>The sequence Ã© shows a wrong encoding.</p>"), "passed"),
    ("a set of numbers in braces", page("<p>Let {{1, 2}, {3}} be a set of sets.</p>"), "passed"),
    ("examples in quotation marks", page('<p>Where é is read as ”Ã©\u200e“ or «Ã¨» and "â€œ" as “â€œ”, or as “e\ufffd”.</p>'), "passed"),
    ("output of a program", page("<p>It says:</p><pre><samp>mv travail/\ufffdl\ufffdments FÃ¼r StraÃŸe</samp></pre>"), "passed"),
    ("a word in quotation marks", page("<p>Unser “CafÃ©” in der „StraÃŸe“ hat offen</p>"), "warned"),
    ("garbled dashes", page("<p>Open 8â€“12 and 14â€“18 o'clock</p>"), "warned"),
    ("garbled outside of code", page("<pre>Ã©</pre><p>FÃ¼r StraÃŸe</p>"), "warned"),
    ("dummy text", page("<p>Lorem ipsum dolor sit amet, consetetur.</p>"), "warned"),
    ("dummy text from its middle on", page("<p>Tempor incididunt ut labore et dolore magna aliqua.</p>"), "warned"),
    ("German dummy text", page("<p>Weit hinten, hinter den Wortbergen, leben die Blindtexte.</p>"), "warned"),
    ("a greeting in the header", page("<header><span>Hej {{firstName}}!</span></header>"), "unknown"),
    ("in an element for scripts", page('<p><span class="note js-shipping">(over {{threshold}})</span></p>'), "unknown"),
    ("a variable", page("<p>Hello {{ user.name }}!</p>"), "warned"),
    ("an object", page("<p>Price: [object Object]</p>"), "warned"),
    ("a price that is undefined", page("<p>Only $undefined today</p>"), "warned"),
    ("garbled letters", page("<p>FÃ¼r StraÃŸe und CafÃ©</p>"), "warned"),
    ("replacement characters", page("<p>Stra\ufffde</p>"), "warned"),
    ("a variable in the title belongs to title-quality", page(head="<title>{{ page.title }}</title>"), "passed"),
    ("in the title", page(head="<title>CafÃ© StraÃŸe</title>"), "failed"),
    ("entities", page(head="<title>Tea &amp; Bread &#8211; it&#039;s good</title>"), "passed"),
    ("a page about entities", page("<p>Write <code>&amp;amp;</code></p>", head="<title>What &amp;amp; means</title>"), "passed"),
    ("an entity escaped twice", page(head="<title>Tea, it&amp;#039;s good</title>"), "warned"),
    ("twice in the description", page(head='<title>Tea</title><meta name="description" content="Tea &amp;amp; bread">'), "warned"),
    ("in the description", page(head='<title>Widgets</title><meta name="description" content="Lorem ipsum dolor sit amet">'), "failed"),
    ("a variable that Vue fills", page('<div v-cloak :class="c"><p>{{ country }}</p></div>'), "unknown"),
    ("in a heading that AngularJS fills", page('<div ng-controller="a"><h1>{{ title }}</h1></div>'), "unknown"),
    (
        "a hidden template of search suggestions",
        page('<div class="results hide"><button><small>All results for "{{ terms }}"</small></button></div>'),
        "unknown",
    ),
    ("a template that a rule hides", page("<style>.t{display:none}</style><ul class=t><li>{{ term }}</li></ul>"), "unknown"),
    ("beside a template of Alpine", page('<div x-data="{}">Menu</div><p>{{ country }}</p>'), "warned"),
    ("dummy text as the main heading", page("<h1>Lorem Ipsum Dolor</h1>"), "failed"),
    ("in the main heading", page("<h1>Caf\ufffd menu</h1>"), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("placeholder-text", html) == expected, case


def test_letters_that_only_decoding_spoiled_belong_to_charset() -> None:
    html = page("<p>Stra@e</p>").encode().replace(b"@", b"\xdf")

    assert verdict("placeholder-text", html) == "passed"


def test_letters_that_a_wrong_declaration_spoiled_belong_to_charset() -> None:
    latin = {"headers": [("Content-Type", "text/html; charset=iso-8859-1")]}

    assert verdict("placeholder-text", page("<h1>Für Straße und Café</h1>"), **latin) == "passed"


def test_the_place_of_a_broken_text_is_never_code_that_shows_the_same() -> None:
    html = page("<div><p>Shown as “Ã¼”, or <code>Ã¼</code>.</p><p>FÃ¼r StraÃŸe</p></div>")

    assert [item.text for item in finding("placeholder-text", html).evidence] == ["<p>FÃ¼r StraÃŸe</p>"]


def test_only_dummy_text_that_begins_the_main_text_is_its_content() -> None:
    dummy, hidden = "<p>Tempor incididunt ut labore et dolore.</p>", '<div style="display:none"><p>Lorem ipsum dolor sit amet.</p></div>'
    words = "<p>The bakery at the old market bakes rye bread, rolls and cakes every morning.</p>" * 20

    assert finding("placeholder-text", page(f"<main><h1>Bread</h1>{words}{dummy}</main>")).fault == ""
    assert finding("placeholder-text", page(f"<main><h1>Bread</h1>{hidden}{dummy}</main>")).fault == Fault.DUMMY_CONTENT
