"""What callers send to us: read, or refused with a sentence: S70 to S74."""

import base64
import json
from urllib.parse import urlencode

import pytest
from hypothesis import strategies as st
from multipart import parse_options_header as parse_content_type

from findable.errors import RequestError
from findable.service.values.paging import position_of
from findable.web.auth import bearer_token, cookies, refuse_cross_site
from findable.web.bodies import Bounds, Kinds, parse_fields
from findable.web.query_strings import parse_query
from findable.wording import LANGUAGES, best_language
from tests.fuzz.harness import as_bytes, example, fuzz, of_pieces

BODIES = of_pieces(
    "--b", "--b--", "\r\n", "\r\n\r\n", "\n", "Content-Disposition: form-data; ", 'name="url"', 'name="a[]"', "name=x", ";", "filename=", "url=", "https://example.com/?a=1&b=2",
    "&", "=", "%00", "%ff", "+", "privacy=2", "{", "}", '"url":', "[", "]", "null", "1e999", '"', "\\ud800", ",", "\0", "é", "a[b]=", "[]=", most=30,
)  # fmt: skip
TYPES = st.one_of(
    st.sampled_from(
        [
            "",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=b",
            'multipart/form-data; boundary="b"',
            "application/json",
            "application/a+json",
            "text/plain",
        ]
    ),
    of_pieces("multipart/form-data", ";", "boundary=", "charset=", "utf-8", "utf-16", '"', "\\", "application/json", " "),
)
SCALARS = st.one_of(
    st.sampled_from(["url", "project", "id", 0, 1, True]), st.none(), st.integers(), st.floats(), st.text(st.characters(exclude_categories=[]), max_size=9)
)  # fmt: skip
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)


@example(b"url=https://example.com/?url=https://b.example/&privacy=1", "", "")
@fuzz(as_bytes(BODIES), TYPES, st.sampled_from(["", "identity", "gzip"]))
def test_s73_a_body_is_read_or_refused(body: bytes, content_type: str, coding: str) -> None:
    try:
        fields = parse_fields(body, content_type, coding, Bounds(64 * 1024, 8), Kinds(frozenset({"a"})))
    except RequestError as error:
        if error.status not in {400, 413, 415}:
            raise
        return
    assert not any("\0" in name for name in fields)
    assert not any("\0" in value for value in fields.values() if isinstance(value, str))
    assert len(fields) <= 8


@fuzz(st.dictionaries(TEXTS.filter(lambda name: name and "[" not in name and name != "url"), TEXTS, max_size=8))
def test_s72_what_is_sent_as_a_form_arrives_as_it_is(fields: dict[str, str]) -> None:
    expected = {name: value for name, value in fields.items() if value}
    assert parse_fields(urlencode(fields).encode(), "application/x-www-form-urlencoded") == expected


@fuzz(st.dictionaries(st.from_regex(r"[a-z_]{1,10}", fullmatch=True), TEXTS, max_size=8))
def test_s72_what_is_sent_in_parts_arrives_as_it_is(fields: dict[str, str]) -> None:
    boundary = "xYzZY-boundary-of-a-browser"
    parts = [f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()]
    body = "".join([*parts, f"--{boundary}--\r\n"]).encode()
    expected = {name: value for name, value in fields.items() if value}
    if fields:
        assert parse_fields(body, f"multipart/form-data; boundary={boundary}") == expected


@fuzz(of_pieces("multipart/form-data", ";", "=", '"', "\\", " ", "a", "boundary", "é"))
def test_s73_a_content_type_is_read(value: str) -> None:
    media_type, parameters = parse_content_type(value)
    assert media_type == media_type.lower()
    assert all(name == name.lower() for name in parameters)


@fuzz(as_bytes(of_pieces("a", "=", "&", "%00", "%ff", "+", "[", "]", "é", "per_page", "1", "%")))
def test_s70_a_query_is_read_or_refused(raw: bytes) -> None:
    try:
        query = parse_query(raw)
    except RequestError as error:
        if error.status != 400:
            raise
        return
    assert not any("\0" in value for value in query.values() if isinstance(value, str))


@fuzz(
    of_pieces(
        "findable", "__Host-findable", "=", ";", ",", '"', "\\", "\\054", " ", "a", "$Version", "é", "\0", "expires=", "[", "{", "\r\n"
    )
)
def test_s74_cookies_are_read(header: str) -> None:
    found = cookies({"cookie": header})
    assert all(";" not in name + value for name, value in found.items())
    assert cookies({"cookie": f"{header};findable=token"})["findable"] == "token"


@example("url", ["url", 1, "\ud800", 1, 0])
@example("project", ["project", 1, "a\0b", 1, 0])
@example("id", ["id", 1, 10**400, 1, 0])
@fuzz(st.sampled_from(["url", "project", "id", "score"]), st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=5), max_leaves=8))
def test_s70_a_cursor_is_a_place_or_refused(sort: str, parts: object) -> None:
    cursor = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()
    try:
        place = position_of(cursor, sort, descending=True)
    except RequestError as error:
        if error.status != 422:
            raise
        return
    assert place is not None
    assert str(place.key).encode().decode() == str(place.key)


@fuzz(of_pieces("de", "en", "*", ";q=", "0", "1", "0.5", "-", ",", " ", "nan", "inf", "1e999", "-1", "DE-at", "é", most=60))
def test_the_language_that_suits_best_is_one_that_we_speak(header: str) -> None:
    assert best_language(header) in LANGUAGES
    assert best_language(f"{header},") == best_language(header)


@fuzz(
    of_pieces("Bearer", "bearer", " ", "fnd_", "a", "é", "\t", ","),
    st.dictionaries(st.sampled_from(["api_key", "KEY", "token", "a"]), st.just("x")),
)
def test_s60_a_key_is_read_or_refused(header: str, query: dict[str, str]) -> None:
    try:
        token = bearer_token({"authorization": header}, query)
    except RequestError as error:
        if error.status != 401:
            raise
        return
    assert token.isascii()
    assert " " not in token
    assert set(query) <= {"a"}


@fuzz(
    of_pieces("same-origin", "cross-site", "same-site", "none", "SAME-ORIGIN", " "),
    of_pieces("https://seo.example", "null", "http://", ".", "evil", ":443"),
    st.booleans(),
)
def test_s74_only_our_own_origin_sends_forms(fetch_site: str, origin: str, signed_in: bool) -> None:
    headers = {"sec-fetch-site": fetch_site, "origin": origin} | ({"cookie": "__Host-findable=x"} if signed_in else {})
    ours = (
        fetch_site.lower() in {"same-origin", "none"}
        if fetch_site
        else origin == "https://seo.example" or (origin == "null" and not signed_in)
    )
    if ours:
        refuse_cross_site(headers, "https://seo.example")
    else:
        with pytest.raises(RequestError):
            refuse_cross_site(headers, "https://seo.example")
