"""Convert a typed URL to the URL to fetch."""

import re

from msgspec import Struct

from findable.fetch.egress_guard import Guard, Refusal
from findable.fetch.ip_addresses import parse_address
from findable.urls import MAX_URL_CHARS, is_one_word, parse, split_urls, without_fragment
from findable.wording import Message, later

REQUIRED = later("The url field is required.")
TOO_LONG = Message(later("The url must not be longer than %(most)s characters."), most=MAX_URL_CHARS)
SEVERAL = later("These are several URLs. Enter one, or one per line where several are allowed.")
_ONE_WORD = later(
    "“%(word)s” is no complete host name. Enter one like %(word)s.example or, for a host of your own network, a URL like http://%(word)s/."
)
_WITH_PORT = re.compile(r"[^/?#:@\s]+:\d{1,5}(?:[/?#].*)?", re.DOTALL)
"""Host with port, such as ``localhost:8000/x``, which the standard reads as a URL with the scheme "localhost"."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_IGNORED = re.compile(r"[\t\r\n]+")
"""Characters that the URL standard removes anywhere, including in a scheme."""
_LOGIN = re.compile(r"\A((?:[a-z][a-z0-9+.-]*+:)?[/\\]++|).*@", re.IGNORECASE | re.DOTALL)


class PageTarget(Struct, frozen=True):
    """URL to store and fetch."""

    url: str
    scheme_guessed: bool
    """Whether no scheme was typed: https is tried first, then http."""

    @property
    def typed(self) -> str:
        """URL for records of what was requested: without a scheme if none was typed."""
        return without_guessed_scheme(self.url, guessed=self.scheme_guessed)


def read_url(text: str | None, guard: Guard) -> PageTarget | str:
    """Return the URL, or a sentence with the reason why it cannot be analysed."""
    typed_url = _IGNORED.sub("", text or "").strip(" \f\v")
    if not typed_url:
        return REQUIRED
    if len(typed_url) > MAX_URL_CHARS:
        return TOO_LONG
    if len(split_urls(typed_url)) > 1:
        return SEVERAL
    whole = _with_scheme(typed_url)
    url = parse(whole)
    if url is None or not url.host:
        return (Refusal.NOT_A_URL if url is None or url.is_http else Refusal.NOT_HTTP).words
    refusal = guard.check_url(url.href)
    if refusal is not None:
        return refusal.words
    if whole != typed_url and is_one_word(url) and url.host not in {target.host for target in guard.allow_targets}:
        return Message(_ONE_WORD, word=url.host)
    href = without_fragment(url.href)
    return PageTarget(href, scheme_guessed=whole != typed_url) if len(href) <= MAX_URL_CHARS else TOO_LONG


def _with_scheme(typed_url: str) -> str:
    """Return the text with a scheme; unchanged if it has one."""
    if typed_url.startswith("//"):
        return f"https:{typed_url}"
    return typed_url if _SCHEME.match(typed_url) and not _WITH_PORT.fullmatch(typed_url) else f"https://{typed_url}"


def without_login(typed_url: str) -> str:
    """Return a typed text that is safe to store and show: ``…`` replaces a user name and password."""
    text = typed_url.strip()
    url = parse(_with_scheme(text))
    if url is None or not url.is_http:
        return _LOGIN.sub(r"\1…@", text)
    return f"{url.scheme}://…{url.href[url.href.index('@') :]}" if url.has_login else text


def without_guessed_scheme(url: str, *, guessed: bool) -> str:
    """Return the URL, without its scheme if that was guessed, so that reading it again tries https and http."""
    return url.removeprefix("https://") if guessed else url


def host_key(url: str, guard: Guard) -> str:
    """Return the key of the concurrency limit for the URL; empty if the operator allowed the target by name."""
    parsed = parse(url)
    if parsed is None:
        return ""
    address = parse_address("127.0.0.1" if parsed.host == "localhost" else parsed.host)
    exempt = any(target.covers(parsed.host, parsed.port, address) for target in guard.allow_targets)
    return "" if exempt else parsed.host.rstrip(".").removeprefix("www.")
