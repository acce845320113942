"""Content-Type as browsers read it: which of several values counts, and with which charset (WHATWG Fetch, "extract a MIME type")."""

import pytest

from findable.capture.media_type import media_type_of
from findable.capture.response import Headers


@pytest.mark.parametrize(
    ("lines", "essence", "charset"),
    [
        (("text/html",), "text/html", None),
        (("TEXT/HTML; Charset=UTF-8",), "text/html", "utf-8"),
        (('text/html;charset="utf-8"',), "text/html", "utf-8"),
        (('text/html;x="a;charset=b";charset=c',), "text/html", "c"),
        (("text/html;charset=a;charset=b",), "text/html", "a"),
        (("text/html, text/html; charset=utf-8",), "text/html", "utf-8"),
        (("text/html;;charset=utf-8, text/html",), "text/html", "utf-8"),
        (("text/plain", "text/html; charset=utf-8"), "text/html", "utf-8"),
        (("text/html", "text/plain"), "text/plain", None),
        (("text/html;charset=gbk, text/plain, text/html",), "text/html", None),
        (("text/html, */*",), "text/html", None),
        (("text/html,",), "text/html", None),
        (("text/html, nonsense",), "text/html", None),
        (('"text/html"',), "", None),
        (("html",), "", None),
        (("application/unknown",), "", None),
        (("",), "", None),
        ((), "", None),
    ],
)
def test_the_last_valid_type_counts(lines: tuple[str, ...], essence: str, charset: str | None) -> None:
    found = media_type_of(lines)

    assert (found.essence, found.charset) == (essence, charset)


def test_two_lines_are_read_together() -> None:
    headers = Headers((("Content-Type", "text/plain"), ("content-type", "text/html")))

    assert headers.media_type == "text/html"


def test_a_long_value_costs_no_time() -> None:
    assert media_type_of(('text/html;charset="' + "\\" * 100_001,)).essence == "text/html"
    assert media_type_of((";" * 100_000 + "," * 100_000,)).essence == ""
