"""Parse the Link header (RFC 8288 section 3).

Commas and semicolons inside URLs and quotes are not separators; parameters may be in any order.
"""

import re
from collections.abc import Mapping

from msgspec import Struct, field

from findable.capture.response import Headers
from findable.formats.encodings import header_text
from findable.lazy_pattern import lazy_pattern
from findable.urls import join, without_fragment

MAX_LINKS = 2000
MAX_VALUE_CHARS = 512_000

_TARGET = lazy_pattern(r"[\s,]*<([^>]*)>")
_PARAMETER = lazy_pattern(r"""\s*;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)?(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?""")


class HeaderLink(Struct, frozen=True):
    """One link of a Link header."""

    href: str
    """Target as sent, trimmed."""
    rel: frozenset[str]
    """Rel tokens in lower case."""
    params: Mapping[str, str] = field(default_factory=dict)
    """Other parameters by lower-case name; the first one counts if a name repeats."""
    line: str = ""
    """Header line that contains the link."""


def header_links(headers: Headers, url: str) -> list[HeaderLink]:
    """Return the links of all Link headers of the response of ``url``, in order, at most MAX_LINKS.

    Links of another resource, which their ``anchor`` names, are left out (RFC 8288 section 3.2). Values are decoded as UTF-8 if they are
    valid UTF-8, else as Latin-1.
    """
    found: list[HeaderLink] = []
    for value in headers.all("link"):
        found += parse_link_header(header_text(value[:MAX_VALUE_CHARS]), MAX_LINKS - len(found))
    own = without_fragment(url)
    return [link for link in found if "anchor" not in link.params or join(url, link.params["anchor"].strip()) == own]


def parse_link_header(line: str, limit_count: int = MAX_LINKS) -> list[HeaderLink]:
    """Return the links of one header line. Parsing ends at the first syntax error."""
    found: list[HeaderLink] = []
    at = 0
    while len(found) < limit_count and (target := _TARGET.match(line, at)):
        at = target.end()
        params: dict[str, str] = {}
        while (parameter := _PARAMETER.match(line, at)) and parameter.end() > at:
            at = parameter.end()
            name, quoted, plain = parameter.groups()
            if name:
                params.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else plain or "")
        rel = frozenset(params.pop("rel", "").lower().split())
        found.append(HeaderLink(target[1].strip(), rel, params, line))
    return found
