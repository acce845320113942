"""Addresses that need no parser: what is taken for their own serialisation must be just that, whatever is mixed into it."""

import ada_url
from hypothesis import example, given
from hypothesis import strategies as st

from findable.urls import join, parse

PIECES = (
    *(
        "https://",
        "http://",
        "//",
        "/",
        "www.",
        "host.example",
        "h.com",
        ".com",
        "..",
        ".",
        "/../",
        "/./",
        "?",
        "#",
        ":",
        "@",
        "%2e",
        "%20",
    ),
    *(
        "a",
        "Z",
        "0",
        "_",
        "~",
        "-",
        "--",
        "xn--",
        "1.2",
        "0x1",
        "&",
        "=",
        "'",
        '"',
        "<",
        "{",
        "|",
        "^",
        "`",
        "\\",
        "\t",
        "\n",
        " ",
        "é",
        ":8080",
        ":443",
    ),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
BASES = st.sampled_from(
    ["https://www.example.com/a/b?c#d", "http://h.example/", "https://x.example:8080/p", "https://u:p@h.example/x", "https://1.2.3.4/x"]
)


def by_the_parser(text: str, base: str) -> str | None:
    try:
        return ada_url.join_url(base, text)
    except ValueError:
        return None


@given(TEXTS, BASES)
@example("/a/../b", "https://www.example.com/")
@example("https://h.com/a?b'c#d", "https://www.example.com/")
def test_joining_is_that_of_the_parser(text: str, base: str) -> None:
    assert join(base, text) == by_the_parser(text, base)


@given(TEXTS.map(lambda text: f"https://h.example/{text}"))
@example("https://h.example/?")
@example("https://h.example/#")
@example("https://h.example//a")
def test_parts_are_those_of_the_parser(text: str) -> None:
    found = parse(text)
    parts = ada_url.URL(text)

    assert found is not None
    assert (found.href, found.scheme, found.host, found.port) == (parts.href, "https", parts.hostname, int(parts.port or 443))
    assert (found.path, found.query, found.fragment) == (parts.pathname, parts.search[1:], parts.hash[1:])
