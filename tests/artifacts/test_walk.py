"""One walk over the tree, and what is later looked up in it: texts, descendants, names, for every element of odd markup."""

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.name_text import named_strings
from findable.artifacts.html.parse_tree import BLOCK_TAGS, NEVER_SHOWN, shown_strings

PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "<p>",
                "</p>",
                "<b>",
                "</b>",
                "<nav>",
                "</nav>",
                "<a href=/>",
                "</a>",
                "<table><tr><td>",
                "</table>",
                "<br>",
                "<ul><li>",
                "</ul>",
            ),
            *(" ", "\n\t ", " two  words\n", "word", "é ", "a&nbsp;b", "<!-- c -->", "<img alt=' cat '>", "<i aria-hidden=true>hidden</i>"),
            *("<script>no</script>", "<style>no</style>", "<select><option>one</select>", "<textarea> t </textarea>", "<object><p>in"),
            *("</object>", "<template><p>inert</p></template>", "<svg><title>drawing</title><g/></svg>", "<svg><template><g>live"),
            *("<i aria-label=label>x</i>", "<noscript>none</noscript>", "<title>t</title>", "<dialog hidden>", "</dialog>"),
        ]
    ),
    max_size=30,
)


def document(pieces: list[str]) -> Document:
    return Document("".join(pieces), "https://www.example.com/")


def fold_space(text: str) -> str:
    return " ".join(text.split())


def all_elements(found: Document) -> list[Element]:
    return [found.element_at(order) for order in range(len(found.nodes))]


@given(PIECES)
def test_texts_and_names_are_those_of_a_walk_below_each_element(pieces: list[str]) -> None:
    for element in all_elements(document(pieces)):
        assert element.text == fold_space("".join(shown_strings(element._node)))
        assert element.name_text == fold_space("".join(named_strings(element._node)))[:300]


@pytest.mark.parametrize("source", ["Wort&shy;teil", "Wort<b>&shy;</b>teil", "Wort<b>teil</b>", " Wort<b>teil \n</b>\n", "Wort<i></i>teil"])
def test_no_space_comes_into_a_word(source: str) -> None:
    assert document([source]).text == "Wortteil"


def test_a_title_of_a_drawing_is_apart_from_the_words_around_it_in_names() -> None:
    (link,) = document(["<a href=/>one <svg><title>two</title></svg> three</a>"]).all("a")

    assert (link.name_text, link.text) == ("one two three", "one three")


@given(PIECES)
def test_relatives_are_those_of_the_tree(pieces: list[str]) -> None:
    found = document(pieces)
    everything = all_elements(found)

    for element in everything:
        node = element._node
        assert element.tag == node.tag
        assert [child._node for child in element.children] == [
            child
            for child in node.children
            if isinstance(child, turbohtml.Element) and (node.tag, node.namespace.value) != ("template", "html")
        ]
        assert element.descendants() == [other for other in everything if element in other.ancestors]
        assert element.parent is None or element in element.parent.children
        assert found.in_head(element) == (found.head in element.ancestors)


@given(PIECES)
def test_shape_and_order_are_those_of_the_tree(pieces: list[str]) -> None:
    found = document(pieces)
    everything = all_elements(found)
    widths = [len(element.children) for element in everything]

    assert found.element_count == len(everything) == sum(found.tag_counts.values())
    assert found.max_depth == max(1 + len(list(element.ancestors)) for element in everything)
    assert found.widest == (everything[widths.index(max(widths))], max(widths))
    assert found.select("*") == everything
    assert [element.order for element in everything] == list(range(len(everything)))


def pieces_outside(node: Any, tags: frozenset[str]) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, turbohtml.Text):
            yield child.data
        elif isinstance(child, turbohtml.Element) and child.tag not in tags | NEVER_SHOWN:
            space = " " if child.tag in BLOCK_TAGS else ""
            yield space + "".join(pieces_outside(child, tags)) + space


@given(PIECES, st.frozensets(st.sampled_from(["nav", "p", "b", "table"])))
def test_text_outside_leaves_whole_elements_out(pieces: list[str], tags: frozenset[str]) -> None:
    found = document(pieces)
    assert found.body is not None

    assert found.text_outside(tags) == fold_space("".join(pieces_outside(found.body._node, tags)))


@pytest.mark.parametrize(
    ("source", "text"), [("a<b> x </b> c", "a c"), ("a<b> x </b>c", "ac"), ("a <b> x </b>c", "a c"), ("a<p></p> c", "a c")]
)
def test_what_is_left_out_takes_only_its_own_spaces_along(source: str, text: str) -> None:
    assert document([source]).text_outside(frozenset({"b", "p"})) == text


def test_a_document_does_not_hold_itself() -> None:
    gc.disable()
    try:
        found = document(["<p>x<a href=/>y"])
        body = found.body
        assert body is not None
        assert (body.text, body.name_text, body.attrs, len(found.select("a"))) == ("xy", "xy", {}, 1)
        gone = weakref.ref(found)
        del found, body
        assert gone() is None, "memory of pages must not wait for the garbage collector"
    finally:
        gc.enable()


def test_the_holder_of_a_text_is_the_innermost_element_that_shows_it() -> None:
    found = document(["<p>a</p><script>needle</script><div>x <p>y <b>the needle z</b></p> needle</div><title>needle</title>"])

    assert found.innermost_element_with("needle") == found.all("b")[0]
    assert found.innermost_element_with("y the needle") == found.all("p")[1]
    assert found.innermost_element_with("nothing") is None
