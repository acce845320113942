"""Words of a marked body, and their comparison with an extractor's text."""

import json
from pathlib import Path

import pytest

from findable.artifacts.html.document import Document
from research.main_content import MARKS, Mark, body_of, count_segments, measure

PAGE = """<body><nav>Home About</nav><div id=body><h1>Title here</h1><p>One two three four</p><div class=ad>Buy this</div>
<figcaption>A caption</figcaption></div><footer>Imprint</footer>"""


def document() -> Document:
    return Document(PAGE, "https://www.example.com/page")


def test_a_body_has_neither_what_is_left_out_nor_what_is_optional() -> None:
    body = body_of(document(), Mark("#body", ".ad"))

    assert body.words == {"one": 1, "two": 1, "three": 1, "four": 1}
    assert body.optional == {"title": 1, "here": 1, "a": 1, "caption": 1}


def test_optional_words_change_neither_precision_nor_recall() -> None:
    body = body_of(document(), Mark("#body", ".ad"))

    assert measure("Title here One two three four", body) == measure("one two three four", body)
    assert measure("one two imprint buy", body).precision == 0.5
    assert measure("one two imprint buy", body).recall == 0.5
    assert measure("", body).precision == 0.0


def test_a_selector_that_finds_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="#text"):
        body_of(document(), Mark("#text"))


def test_60_pages_or_more_are_marked_and_no_text_of_a_publisher_is_kept() -> None:
    marks = json.loads(MARKS.read_text(encoding="utf-8"))

    assert len(marks) >= 60
    assert all(set(mark) <= {"main", "without", "optional"} for mark in marks.values())


def test_segments_are_counted_for_every_extractor_and_in_both_halves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "eval").mkdir()
    page = {"file": "a.html", "with": ["One  two", "nine"], "without": ["Imprint"]}
    (tmp_path / "eval" / "a.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "evaldata.json").write_text(json.dumps({"https://www.example.com/a": page}), encoding="utf-8")

    count_segments(tmp_path, {"other": {"https://www.example.com/a": "Imprint"}})

    table = capsys.readouterr().out
    assert "| extract_with_findable, all | 1 | 1 of 2 (50.0%) | 0 of 1 (0.0%) |" in table
    assert "| other, all | 1 | 2 of 2 (100.0%) | 1 of 1 (100.0%) |" in table
    assert table.count(" half | 1 |") == 2
