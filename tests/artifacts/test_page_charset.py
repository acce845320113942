"""Encodings: who declares them, which one is used, and what decoding says."""

import pytest

from findable.artifacts.html.page_charset import Charset
from findable.formats.encodings import codec_of, name_of
from tests.checks.harness import artifacts

UTF8 = "<p>é</p>".encode()
LATIN = "<p>é</p>".encode("latin-1")


def charset(body: bytes, content_type: str | None = "text/html") -> Charset:
    made = artifacts(body, headers=[["Content-Type", content_type]] if content_type else []).get(Charset)
    assert isinstance(made, Charset)
    return made


@pytest.mark.parametrize(
    ("body", "content_type", "used"),
    [
        (UTF8, "text/html; charset=utf-8", "utf-8"),
        (UTF8, "text/html", "utf-8"),
        (LATIN, "text/html", "windows-1252"),
        (LATIN, "text/html; charset=ISO-8859-1", "windows-1252"),
        (LATIN, 'text/html; Charset = "latin1"', "windows-1252"),
        (b"\xef\xbb\xbf" + UTF8, "text/html; charset=iso-8859-1", "utf-8"),
        ("\ufeff<p>é</p>".encode("utf-16-le"), "text/html; charset=utf-8", "utf-16le"),
        ("\ufeff<p>é</p>".encode("utf-16-be"), None, "utf-16be"),
        (b"<meta charset=windows-1252>" + LATIN, "text/html", "windows-1252"),
        (b"<meta charset=utf-16>" + UTF8, "text/html", "utf-8"),
        (b"<meta charset=none>" + UTF8, "text/html", "utf-8"),
        (UTF8, "text/html; charset=none", "utf-8"),
        (b"<meta charset=windows-1251>" + UTF8, "text/html; charset=utf-8", "utf-8"),
        ("<meta charset=gb2312><p>é</p>".encode("gb18030"), "text/html", "gbk"),
        ("<p>日</p>".encode("shift_jis"), "text/html; charset=x-sjis", "shift_jis"),
        ("<p>日</p>".encode("euc_jp"), "text/html; charset=EUC-JP", "euc-jp"),
    ],
)
def test_order_of_browsers(body: bytes, content_type: str | None, used: str) -> None:
    found = charset(body, content_type)

    assert found.used == used
    assert found.replacement_count == 0
    assert "é" in found.text or "日" in found.text


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (b'<meta charset="UTF-8">', ("utf-8", 0)),
        (b"<META CHARSET=utf-8/>", ("utf-8/", 0)),
        (b"<meta charset='utf-8' />", ("utf-8", 0)),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-15">', ("iso-8859-15", 0)),
        (b"<meta content='text/html;charset=x-sjis' http-equiv=content-type>", ("x-sjis", 0)),
        (b"<!-- <meta charset=utf-7> --><meta charset=utf-8>", ("utf-8", 29)),
        (b'<meta name="description" content="how to write charset=utf-8">', (None, None)),
        (b'<meta content="text/html; charset=utf-8">', (None, None)),
        (b"<metadata charset=utf-8>", (None, None)),
        (b" " * 2000 + b"<meta charset=utf-8>", ("utf-8", 2000)),
        (b" " * 100_000 + b"<meta charset=utf-8>", (None, None)),
    ],
)
def test_meta_declarations(markup: bytes, expected: tuple[str | None, int | None]) -> None:
    found = charset(markup)

    assert (found.meta, found.meta_offset_bytes) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (b'<meta test=" charset=koi8-r>"><p>x</p>', None),
        (b'<p title="<meta charset=koi8-r>">x</p>', None),
        (b'<meta http-equiv="Content-Type " content="text/html; charset=koi8-r">', None),
        (b'<meta charset="bogus"><meta charset="koi8-r">', "koi8-r"),
        (b'<meta charset="bogus">', "bogus"),
        (b"<meta charset=koi8-r", None),
        (b"<script>if (a<b) c = '</p title=\"'</script>" + b" " * 1024 + b"<meta charset=koi8-r>", "koi8-r"),
        (b" " * 1024 + b"<noscript><meta charset=koi8-r></noscript>", None),
    ],
    ids=["in an attribute", "in a tag", "another pragma", "unknown first", "unknown only", "no end", "after a script", "in noscript"],
)
def test_meta_declarations_are_read_as_tags(markup: bytes, expected: str | None) -> None:
    assert charset(markup).meta == expected


def test_what_decoding_replaces_is_counted_what_the_author_wrote_is_not() -> None:
    found = charset("<p>\ufffd</p>".encode() + b"a\xffb\xfe", "text/html; charset=utf-8")

    assert (found.replacement_count, found.first_bad_byte_offset) == (2, 11)


def test_open_places_of_a_code_page_are_control_characters() -> None:
    found = charset(b"<p>a\x81b</p>", "text/html; charset=windows-1252")

    assert (found.text, found.replacement_count, found.first_bad_byte_offset) == ("<p>a\x81b</p>", 0, None)


def test_a_page_cut_inside_a_character_is_still_utf8() -> None:
    assert charset("<p>é".encode()[:-1]).used == "utf-8"


def test_newlines_are_those_of_the_parser() -> None:
    assert charset(b"a\r\nb\rc\nd").text == "a\nb\nc\nd"


@pytest.mark.parametrize(
    "label", ["utf-7", "utf-32", "rot13", "unicode_escape", "idna", "hz-gb-2312", "iso-2022-kr", "cp037", "utf_8", "none", ""]
)
def test_labels_that_no_browser_knows(label: str) -> None:
    assert codec_of(label) is None


@pytest.mark.parametrize(
    ("label", "name"),
    [
        (" UTF8 ", "utf-8"),
        ("ascii", "windows-1252"),
        ("l5", "windows-1254"),
        ("tis-620", "windows-874"),
        ("ks_c_5601-1987", "euc-kr"),
        ("logical", "iso-8859-8"),
        ("mac", "macintosh"),
        ("unicode", "utf-16le"),
    ],
)
def test_labels_of_the_encoding_standard(label: str, name: str) -> None:
    codec = codec_of(label)

    assert codec is not None
    assert name_of(codec) == name
