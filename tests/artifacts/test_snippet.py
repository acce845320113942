"""Snippets: the beginning of an element, however large it is."""

from hypothesis import given
from hypothesis import strategies as st

from findable.artifacts.html.document import Document
from tests.checks.harness import artifacts, page

PIECES = st.lists(st.sampled_from(["<p>", "</p>", " ", "\n\t ", "word", "<b>x</b>", "long" * 30, "<script>no</script>", "é "]), max_size=60)


def document(body: str) -> Document:
    found = artifacts(page(body)).get_or_none(Document)
    assert found is not None
    return found


@given(PIECES, st.integers(1, 150))
def test_the_beginning_is_that_of_the_whole_text(pieces: list[str], chars: int) -> None:
    found = document("".join(pieces))
    body = found.body
    assert body is not None

    assert body.text_up_to(chars) == body.text[:chars]


def test_a_snippet_says_when_there_is_more() -> None:
    body = document(f"<p>{'word ' * 5000}</p>").body
    assert body is not None

    assert body.snippet.endswith("…</body>")
    assert len(body.snippet) < 200
