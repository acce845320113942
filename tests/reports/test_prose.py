"""The prose of a check's documentation, taken apart."""

from findable.reports.prose import Kind, Piece, Span, instructions, pieces, spans, unwrap_lines

TEXT = """write it into the head::

    <title>Fresh bread</title>
      <!-- indented -->

Then

- ask ``again``, and
  look
- wait
"""


def test_paragraphs_code_and_lists_are_told_apart() -> None:
    assert pieces(TEXT) == [
        Piece(Kind.WORDS, ["Write it into the head:"]),
        Piece(Kind.CODE, ["<title>Fresh bread</title>\n  <!-- indented -->"]),
        Piece(Kind.WORDS, ["Then"]),
        Piece(Kind.LIST, ["ask ``again``, and look", "wait"]),
    ]
    assert pieces(" \n\n") == []


def test_literals_are_code() -> None:
    assert spans("ask ``again``, and") == [Span("ask "), Span("again", is_code=True), Span(", and")]
    assert spans("``") == [Span("``")]


def test_links_have_words_and_a_url() -> None:
    assert spans("[RFC 6596](https://www.rfc-editor.org/rfc/rfc6596); a [list], or two") == [
        Span("RFC 6596", url="https://www.rfc-editor.org/rfc/rfc6596"),
        Span("; a [list], or two"),
    ]
    assert spans("[run](javascript:alert(1))") == [Span("[run](javascript:alert(1))")]


def test_paragraphs_and_items_are_one_line_each() -> None:
    text = unwrap_lines(TEXT)

    assert text == (
        "Write it into the head:\n\n    <title>Fresh bread</title>\n      <!-- indented -->\n\nThen\n\n- ask ``again``, and look\n- wait"
    )
    assert unwrap_lines(text) == text


def test_code_of_the_page_replaces_the_example() -> None:
    words = 'set it.\n\n    <a href="https://www.example.com/">\n\nThen wait.'
    assert instructions(words, ['<a href="/x">', '<a href="/y">', '<a href="/x">', ""]) == (
        'Set it.\n\n    <a href="/x">\n    <a href="/y">\n\nThen wait.'
    )


def test_examples_about_another_page_are_left_out() -> None:
    assert instructions('Set it.\n\n    <a href="https://www.example.com/">\n\nThen wait.', []) == "Set it.\n\nThen wait."
    assert instructions("Set it.\n\n    gzip on;", []) == "Set it.\n\n    gzip on;"
