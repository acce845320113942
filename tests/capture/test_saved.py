"""A capture as one file and back."""

import pytest

from findable.capture import saved
from findable.capture.saved import dump, load
from findable.errors import SavedPageError
from findable.reports.analysis import analyse
from tests.checks.harness import answer, capture, page


def test_a_capture_survives() -> None:
    seen = capture(
        page().encode() + b"\xff\x00",
        hops=[{"url": "http://example.com/", "location": "https://www.example.com/"}],
        links={"https://www.example.com/a": 404},
        languages={"de": {"status": 200, "body": "ü"}},
        tls_versions={"TLSv1.0": False},
        made_up=404,
    )

    assert load(dump(seen)) == seen


def test_an_unanswered_request_survives() -> None:
    assert answer("https://www.example.com/", failure="timeout", left_count=3).left_count == 3


def test_s25_a_body_of_zeros_takes_no_more_room_than_base64() -> None:
    seen = capture(page().encode() + b"\0" * 1_000_000)

    assert len(dump(seen)) < 1_400_000
    assert load(dump(seen)) == seen


def test_a_stray_control_character_leaves_a_body_readable() -> None:
    assert b"<h1>Blue widgets</h1>" in dump(capture(page().encode() + b"\0"))


@pytest.mark.parametrize("body", ['ä\n"\\ \0😀'.encode() * 200_000, b"\xff\0 " * 400_000], ids=["text", "no text"])
def test_a_body_that_is_written_in_pieces_stands_there_like_any_other(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = capture(body)
    in_pieces = dump(seen)
    monkeypatch.setattr(saved, "PIECE_BYTES", len(body))

    assert in_pieces == dump(seen)
    assert load(in_pieces) == seen


def test_nothing_of_a_page_is_taken_for_the_place_of_a_body() -> None:
    look_alike = '{"":0}'
    seen = capture(
        page(body=look_alike + "x" * saved.PIECE_BYTES), headers=[["Content-Type", "text/html"], ["X", look_alike], [look_alike, ""]]
    )

    assert load(dump(seen)) == seen


def test_half_a_character_in_a_saved_page_is_read() -> None:
    seen = capture(page(), headers=[["Content-Type", "text/html"], ["X-Half", "\ud800"]])

    assert load(dump(seen)) == seen


def test_the_same_capture_gives_the_same_bytes_and_the_same_report() -> None:
    seen = capture(page())

    assert dump(load(dump(seen))) == dump(seen)
    assert analyse(load(dump(seen))) == analyse(seen)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"format":"findable.page/2"}',
        b'{"format":"findable.page/9","page":{}}',
        b"[" * 100_000,
    ],
    ids=["empty", "object", "list", "bytes", "no roots", "newer", "deep"],
)
def test_what_is_no_saved_page_is_refused(data: bytes) -> None:
    with pytest.raises(SavedPageError):
        load(data)


def test_damage_is_refused() -> None:
    damaged = dump(capture(page())).replace(b'"status":200', b'"status":"200"')

    with pytest.raises(SavedPageError, match="damaged"):
        load(damaged)
