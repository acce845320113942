import pytest
from multipart import parse_options_header as parse_content_type

from findable.errors import BadRequest, PayloadTooLarge, UnsupportedMediaType
from findable.web.api.crawl_routes import CrawlCreate
from findable.web.api.report_creation import ReportCreate
from findable.web.api.validation import kinds_of
from findable.web.bodies import MAX_FIELDS, Kinds, parse_fields
from findable.web.query_strings import parse_query


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        # as published clients send it: nothing is encoded
        (b"url=https://example.com/a?b=1&c=2 d+e&privacy=2", {"url": "https://example.com/a?b=1&c=2 d+e", "privacy": "2"}),
        (b"url=http://example.com/?q=a%20b&password=x&privacy=2", {"url": "http://example.com/?q=a%20b", "password": "x", "privacy": "2"}),
        (b"privacy=0&url=https://example.com/?a=1&b=2", {"privacy": "0", "url": "https://example.com/?a=1&b=2"}),
        (b"url=https://example.com/?a=1&results=1", {"url": "https://example.com/?a=1", "results": "1"}),
        (b"url=https://example.com/\r\n", {"url": "https://example.com/"}),
        ("url=https://example.com/ü".encode(), {"url": "https://example.com/ü"}),
        # as the standard says
        (b"url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b%3D2%2B3&privacy=1", {"url": "https://example.com/?a=1&b=2+3", "privacy": "1"}),
        (b"url=example.com%2Fa+b&c=d", {"url": "example.com/a b", "c": "d"}),
        (b"url=example.com/?a=1&b=2", {"url": "example.com/?a=1", "b": "2"}),
        (b"privacy=0&privacy=2", {"privacy": "2"}),
        (b"privacy=&password", {}),
        (b"a=%zz&b=100%", {"a": "%zz", "b": "100%"}),
        (b"&&a=1&", {"a": "1"}),
        (b"", {}),
        (b"URL=https://example.com/?a=1&b=2", {"URL": "https://example.com/?a=1", "b": "2"}),
        (b"url=HTTPS://example.com/?a=1&Privacy=2&privacy=1", {"url": "HTTPS://example.com/?a=1&Privacy=2", "privacy": "1"}),
        (b"my-url=https://example.com/?a=1&b=2", {"my-url": "https://example.com/?a=1", "b": "2"}),
    ],
)
def test_urlencoded(body: bytes, fields: dict[str, str]) -> None:
    assert parse_fields(body, "") == fields
    assert parse_fields(body, "application/x-www-form-urlencoded; charset=UTF-8") == fields


def test_the_fields_of_a_request_end_an_unencoded_url() -> None:
    kinds = kinds_of(CrawlCreate)

    assert parse_fields(b"url=https://example.com/?a=1&b=2&pages=400&hosts[]=www.example.de", "", kinds=kinds) == {
        "url": "https://example.com/?a=1&b=2",
        "pages": "400",
        "hosts": ["www.example.de"],
    }
    assert kinds_of(ReportCreate).after_url == Kinds().after_url | {"browser"}
    assert parse_fields(b"url=https://example.com/?a=1&b=2&browser=view", "", kinds=kinds_of(ReportCreate)) == {
        "url": "https://example.com/?a=1&b=2",
        "browser": "view",
    }


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (b'{"url":"x","privacy":2,"password":null,"results":""}', {"url": "x", "privacy": 2}),
        (b'{"a":"\\ud83d\\ude00"}', {"a": "😀"}),
        (b"{}", {}),
    ],
)
def test_json(body: bytes, fields: dict[str, object]) -> None:
    assert parse_fields(body, "application/json") == fields
    assert parse_fields(body, "application/merge-patch+json") == fields


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"1",
        b'"x"',
        b"{",
        b'{"a":NaN}',
        b'{"a":"\\ud800"}',
        b'{"a":"\\u0000"}',
        b'{"\\u0000":1}',
        b'{"a":' * 5000,
        b"\xff",
        b'{"a":1}x',
    ],
)
def test_json_that_is_none(body: bytes) -> None:
    with pytest.raises(BadRequest):
        parse_fields(body, "application/json")


def part(name: str, value: str) -> str:
    return f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'


def test_multipart() -> None:
    kind = 'multipart/form-data; boundary="B"'
    body = (part("url", "https://e.example/?a=1&b=2+3") + part("password", " two\r\nlines ") + part("privacy", "") + "--B--\r\n").encode()
    assert parse_fields(body, kind) == {"url": "https://e.example/?a=1&b=2+3", "password": " two\r\nlines "}
    typed = b'--B\r\ncontent-type: text/plain\r\ncontent-disposition: FORM-DATA; name=url; filename="u"\r\n\r\nx\r\n--B--'
    assert parse_fields(typed, kind) == {"url": "x"}


@pytest.mark.parametrize(
    "body", [b"x", b"--B\r\n\r\nx\r\n--B--", b"--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--", part("a", "b").encode()]
)
def test_multipart_that_is_none(body: bytes) -> None:
    with pytest.raises(BadRequest):
        parse_fields(body, "multipart/form-data; boundary=B")
    with pytest.raises(BadRequest):
        parse_fields(body, "multipart/form-data")


def test_s73_too_many_fields_are_refused() -> None:
    assert len(parse_fields(b"&".join(b"f%d=1" % number for number in range(MAX_FIELDS)), "")) == MAX_FIELDS
    many = [b"f%d=1" % number for number in range(MAX_FIELDS + 1)]
    with pytest.raises(PayloadTooLarge):
        parse_fields(b"&".join(many), "")
    with pytest.raises(PayloadTooLarge):
        parse_fields(
            ("".join(part(f"f{number}", "1") for number in range(MAX_FIELDS + 1)) + "--B--").encode(), "multipart/form-data; boundary=B"
        )
    with pytest.raises(PayloadTooLarge):
        parse_fields(b"{" + b",".join(b'"f%d":1' % number for number in range(MAX_FIELDS + 1)) + b"}", "application/json")


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", "text/json", "application/json; charset=latin-1"])
def test_s73_other_types_are_refused(kind: str) -> None:
    with pytest.raises(UnsupportedMediaType):
        parse_fields(b"a=1", kind)


def test_content_types() -> None:
    assert parse_content_type('Multipart/Form-Data; Boundary="a\\"b;c"; x=y') == ("multipart/form-data", {"boundary": 'a"b;c', "x": "y"})
    assert parse_content_type("") == ("", {})


def test_queries() -> None:
    assert parse_query(b"a=1&a=2&b=&c=%C3%BC+x&d[]=1&&e") == {"a": "2", "c": "ü x", "d": ["1"]}
    for raw in (b"a=%00", b"a=%ff", b"&".join([b"a=1"] * 65)):
        with pytest.raises(BadRequest):
            parse_query(raw)
