"""The prose of a check's documentation, taken apart."""

from findable.reports.prose import Kind, Piece, pieces, spans

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
    assert spans("ask ``again``, and") == [("ask ", False), ("again", True), (", and", False)]
    assert spans("``") == [("``", False)]
