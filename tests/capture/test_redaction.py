"""Pages that show their visitors' requests: nothing of what was sent along stays in what is stored."""

import base64
import html
import json
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from findable.capture.capture import Capture
from findable.capture.redaction import is_secret, mask_secrets, mask_secrets_in_value
from findable.capture.response import Headers
from findable.capture.saved import dump
from findable.fetch.identity import Identity
from tests.checks.harness import capture, page

SECRET = "s3cret/&+ word"
URL = "https://staging.example.com/"


def of_page(body: str, **more: Any) -> Capture:
    return capture(page(body=body), url=URL, **more)


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        html.escape(SECRET),
        quote(SECRET, safe=""),
        quote(SECRET, safe="").lower(),
        quote_plus(SECRET),
        json.dumps(SECRET)[1:-1].replace("/", "\\/"),
        SECRET.replace("&", "\\u0026").replace("/", "\\x2f"),
        SECRET.replace("+", "&#43;").replace("/", "&#x2F;"),
        f"before{SECRET}after",
    ],
)
def test_s16_a_value_is_hidden_in_every_way_pages_write_it(written: str) -> None:
    cleared = mask_secrets(of_page(f"<p>It was {written}.</p>"), (SECRET,))
    text = cleared.page.response.body.decode()
    assert "s3cret" not in text
    assert "word" not in text.partition("It was")[2].partition(".</p>")[0].replace("before", "")
    assert len(cleared.page.response.body) == len(of_page(f"<p>It was {written}.</p>").page.response.body)


@pytest.mark.parametrize("charset", ["utf-8", "latin-1", "utf-16", "utf-16-be"])
def test_s16_it_is_hidden_in_every_charset(charset: str) -> None:
    value = "pässwort-1"
    made = of_page("")
    seen = replace(made, page=replace(made.page, response=replace(made.page.response, body=f"<p>{value}</p>".encode(charset))))
    kept = mask_secrets(seen, (value,)).page.response.body
    assert value not in kept.decode(charset)
    assert len(kept.decode(charset)) == len(f"<p>{value}</p>") + (charset == "utf-8")


def test_s16_it_is_hidden_in_headers_and_addresses() -> None:
    made = of_page("")
    hop = replace(made.page.response.final, url=f"{URL}?token=abcd1234", headers=Headers((("X-Echo", "got abcd1234"),)))
    seen = replace(made, page=replace(made.page, response=replace(made.page.response, hops=(hop,))))
    assert b"abcd1234" not in dump(mask_secrets(seen, ("abcd1234",)))


def test_a_capture_in_which_nothing_stands_is_the_same_one() -> None:
    made = of_page("<p>Nothing</p>")
    assert mask_secrets(made, ("abcd1234",)) is made
    assert mask_secrets(made, ()) is made


@pytest.mark.parametrize("value", ["", "abc", "2026", "preview", "Staging", "en-GB", "staging.example.com", "e.com"])
def test_ordinary_words_are_left_alone(value: str) -> None:
    assert not is_secret(value, "staging.example.com")
    made = of_page(f"<p>{value}</p>")
    assert mask_secrets(made, (value,)) is made


def test_a_short_value_is_hidden_where_it_stands_by_itself() -> None:
    cleared = mask_secrets(of_page("<p>a1b2 xa1b2 a1b2x a1b2</p>"), ("a1b2",)).page.response.body.decode()
    assert "<p>**** xa1b2 a1b2x ****</p>" in cleared


def test_what_an_identity_would_give_away() -> None:
    identity = Identity(
        "https://a.example",
        user_agent="Preview/77",
        headers=(("X-Key", "k-1234567"), ("Accept-Language", "de-DE,de"), ("Authorization", "Bearer abcdef")),
        user_password=("me", "pw"),
        cookies=(("id", "12345678"),),
    )
    basic = base64.b64encode(b"me:pw").decode()
    assert set(identity.secrets) == {"Preview/77", "k-1234567", "Bearer abcdef", "abcdef", "pw", basic, "12345678"}
    assert "pw" not in repr(identity)
    assert "k-1234567" not in repr(identity)
    assert Identity("https://a.example", user_agent="Googlebot").secrets == ()


def test_a_line_of_ours_quotes_no_secret() -> None:
    told = mask_secrets_in_value("it leads to https://staging.example.com/?k=abcd1234", ("abcd1234", "staging"), URL)
    assert told == "it leads to https://staging.example.com/?k=********"


@given(value=st.text(st.characters(codec="ascii", min_codepoint=33, max_codepoint=126), min_size=8, max_size=30))
def test_s16_no_secret_of_eight_characters_stays(value: str) -> None:
    cleared = mask_secrets(capture(f"<p>{html.escape(value)}</p><p>{value}</p><p>{quote(value)}</p>", url="https://x.example/"), (value,))
    if is_secret(value, "x.example") and value.strip("*"):
        assert value.encode() not in cleared.page.response.body
        assert html.escape(value).encode() not in cleared.page.response.body
