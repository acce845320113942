"""The address a person typed, as the address that is fetched."""

import re
from typing import NamedTuple

from findable.fetch.addresses import parse_address
from findable.fetch.guard import NOT_A_URL, NOT_HTTP, Guard
from findable.urls import MAX_URL_CHARS, parse, without_fragment
from findable.wording import Filled, later

REQUIRED = later("The url field is required.")
TOO_LONG = Filled(later("The url must not be longer than %(most)s characters."), most=MAX_URL_CHARS)
_WITH_PORT = re.compile(r"[^/?#:@\s]+:\d{1,5}(?:[/?#].*)?", re.DOTALL)
"""``localhost:8000/x``: by the standard a URL of the scheme "localhost", meant as a host with a port."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Address(NamedTuple):
    """What is stored and fetched."""

    url: str
    scheme_guessed: bool
    """Nothing said http or https: https is tried first, then http."""


def read_address(text: str | None, guard: Guard) -> Address | str:
    """The address, or one sentence why it is none that can be analysed."""
    typed = (text or "").strip(" \t\r\n\f\v")
    if not typed:
        return REQUIRED
    if len(typed) > MAX_URL_CHARS:
        return TOO_LONG
    guessed = False
    if typed.startswith("//"):
        typed, guessed = f"https:{typed}", True
    elif not _SCHEME.match(typed) or _WITH_PORT.fullmatch(typed):
        typed, guessed = f"https://{typed}", True
    url = parse(typed)
    if url is None or not url.host:
        return NOT_A_URL if url is None or url.is_http else NOT_HTTP
    refusal = guard.check_url(url.href)
    if refusal is not None:
        return refusal
    href = without_fragment(url.href)
    return Address(href, guessed) if len(href) <= MAX_URL_CHARS else TOO_LONG


def host_key(url: str, guard: Guard) -> str:
    """Whose limit of reports at once holds for the address; empty where an operator allowed the target by name."""
    parsed = parse(url)
    if parsed is None:
        return ""
    address = parse_address("127.0.0.1" if parsed.host == "localhost" else parsed.host)
    exempt = any(target.covers(parsed.host, parsed.port, address) for target in guard.allow_targets)
    return "" if exempt else parsed.host.rstrip(".").removeprefix("www.")
