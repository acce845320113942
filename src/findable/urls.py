"""The only module that takes URLs apart: WHATWG parsing (ada-url) and registrable domains (publicsuffixlist).

A URL is parsed once; only its serialisation is stored, compared and fetched.
"""

import re
from functools import cache, lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote

import ada_url
from msgspec import Struct

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

MAX_URL_CHARS = 2048
MAX_LINK_CHARS = 4 * MAX_URL_CHARS
DEFAULT_PORTS = {"http": 80, "https": 443}
TRACKING_PARAMETERS = frozenset(
    {
        "gclid",
        "fbclid",
        "msclkid",
        "dclid",
        "gbraid",
        "wbraid",
        "yclid",
        "twclid",
        "ttclid",
        "igshid",
        "mc_cid",
        "mc_eid",
        "_ga",
        "_gl",
        "srsltid",
    }
)
"""Parameters that ad and mail systems add to links; also every ``utm_…``."""


class Url(Struct, frozen=True):
    """A parsed absolute URL. ``str()`` is its WHATWG serialisation."""

    href: str
    scheme: str
    host: str
    """Lower case, A-labels; IPv6 without brackets; a trailing dot is kept."""
    port: int
    """Explicit or the scheme's default; 0 where the scheme has none."""
    path: str
    query: str
    """Without ``?``."""
    fragment: str
    """Without ``#``."""
    username: str
    password: str

    def __str__(self) -> str:
        return self.href

    @property
    def origin(self) -> str:
        """``https://example.com`` or ``http://example.com:8080``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{self.port_part}"

    @property
    def port_part(self) -> str:
        """``:8080``; empty for the port that the scheme has anyway."""
        return "" if self.port in (0, DEFAULT_PORTS.get(self.scheme)) else f":{self.port}"

    @property
    def is_http(self) -> bool:
        """Whether the scheme is http or https."""
        return self.scheme in DEFAULT_PORTS

    @property
    def has_login(self) -> bool:
        """Whether it names a user or a password."""
        return bool(self.username or self.password)

    @property
    def path_and_query(self) -> str:
        """What a server is asked for."""
        return f"{self.path}?{self.query}" if self.query else self.path


# Possessive: what is read is never given back, and to be able to would take half as long again.
_PLAIN_HOST = r"(?:[a-z0-9_]++(?:-[a-z0-9_]++)*+\.)++[a-z]++"
_PLAIN_PATH = r"(?!//)(?:/(?!\.{1,2}(?:[/?#]|\Z))[a-zA-Z0-9_~!$&()*+,;=:@.-]*+)++"
_PLAIN_END = r"(?:\?([a-zA-Z0-9_~!$&()*+,;=:@./?%-]*+))?(?:#([a-zA-Z0-9_~!$&()*+,;=:@./?%-]*+))?"
_PLAIN = re.compile(rf"(https?)://({_PLAIN_HOST})({_PLAIN_PATH}){_PLAIN_END}")
"""Addresses that are their own serialisation: a host of ASCII labels without ``--``, no port, no escapes or dot segments in the path.

Most links are written so; to see that costs a tenth of taking them apart by all the rules.
"""
_PLAIN_ON_HOST = re.compile(_PLAIN_PATH + _PLAIN_END)


@lru_cache(maxsize=16384)
def parse(text: str, base: str | None = None) -> Url | None:
    """Parses by the WHATWG rules, relative to ``base`` where given; None where it is not a URL."""
    if plain := _PLAIN.fullmatch(text):
        scheme, host, path, query, fragment = plain.groups("")
        return Url(text, scheme, host, DEFAULT_PORTS[scheme], path, query, fragment, "", "")
    try:
        parsed = ada_url.URL(text, base) if base else ada_url.URL(text)
    except (ValueError, UnicodeError):
        return None
    scheme = parsed.protocol.rstrip(":")
    return Url(
        href=parsed.href,
        scheme=scheme,
        host=parsed.hostname.strip("[]"),
        port=int(parsed.port) if parsed.port else DEFAULT_PORTS.get(scheme, 0),
        path=parsed.pathname,
        query=parsed.search.removeprefix("?"),
        fragment=parsed.hash.removeprefix("#"),
        username=parsed.username,
        password=parsed.password,
    )


@lru_cache(maxsize=64)
def _plain_origin(base: str) -> str:
    """The origin of an address that is its own serialisation, empty for others."""
    return origin_part(base) if _PLAIN.fullmatch(base) else ""


def join(base: str, text: str) -> str | None:
    """The absolute URL that ``text`` means on the page ``base``; None where it means none."""
    if text.startswith("/"):
        if (origin := _plain_origin(base)) and _PLAIN_ON_HOST.fullmatch(text):
            return origin + text
    elif _PLAIN.fullmatch(text):
        return text
    try:
        return ada_url.join_url(base, text)
    except (ValueError, UnicodeError):
        return None


def origin_part(href: str) -> str:
    """``https://host:port`` of a serialised http(s) URL, cut and not parsed: a cheap key to look each host at once only."""
    end = href.find("/", len("https://"))
    return href if end < 0 else href[:end]


def as_https(href: str) -> str:
    """The same address by https."""
    return "https:" + href.removeprefix("http:") if href.startswith("http:") else href


def moved(href: str, origin: str, to: str) -> str:
    """The address on the origin ``to`` where it stands on ``origin``; any other as it is."""
    return to + href.removeprefix(origin) if origin and origin_part(href) == origin else href


def link_of(text: str) -> str:
    """The URL where a reader may be given it as a link, else empty: other schemes may run, one with a user name poses as another host."""
    url = parse(text) if len(text) <= MAX_LINK_CHARS else None
    return url.href if url is not None and url.is_http and not url.has_login else ""


def without_fragment(href: str) -> str:
    """The URL without ``#…``."""
    return href.partition("#")[0]


@cache
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 - reading the list takes 86 ms, not every command needs it

    return PublicSuffixList()


def is_ip(host: str) -> bool:
    """Whether the host is an IP literal (brackets or none)."""
    if ":" not in host and not host[-1:].isdigit():
        return False  # nearly all
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=16384)
def registrable_domain(host: str) -> str:
    """``example.co.uk`` for ``www.shop.example.co.uk``; the host itself for an IP literal or a bare suffix."""
    host = host.rstrip(".").lower()
    if is_ip(host):
        return host
    return str(_suffixes().privatesuffix(host) or host)


def same_site(first: str, second: str) -> bool:
    """Whether two absolute URLs belong to one registrable domain (the scheme does not matter)."""
    a, b = parse(first), parse(second)
    return a is not None and b is not None and registrable_domain(a.host) == registrable_domain(b.host)


def without_www(host: str) -> str:
    """The host without one leading ``www.``."""
    return host.removeprefix("www.")


def same_host(first: str, second: str) -> bool:
    """Whether two absolute URLs name one host, ``www.`` aside: what "internal" means for a link."""
    a, b = parse(first), parse(second)
    return a is not None and b is not None and without_www(a.host) == without_www(b.host) and _port_matters(a) == _port_matters(b)


def _port_matters(url: Url) -> int:
    return 0 if url.port in DEFAULT_PORTS.values() else url.port


def project_name(href: str) -> str:
    """The project a URL belongs to: host in lower case A-labels, ``www.`` dropped, non-default port kept."""
    url = parse(href)
    if url is None:
        return ""
    host = without_www(url.host)
    host = f"[{host}]" if ":" in host else host
    return host if url.port == DEFAULT_PORTS.get(url.scheme) else f"{host}:{url.port}"


def display_host(host: str) -> str:
    """The host in Unicode where it is an IDN, for readers."""
    return str(ada_url.idna.decode(host.encode())) if "xn--" in host else host


def without_tracking(href: str) -> str:
    """The URL without fragment and without the parameters that only track (TRACKING_PARAMETERS, ``utm_…``)."""
    url = parse(without_fragment(href))
    if url is None or not url.query:
        return url.href if url else href
    kept = [part for part in url.query.split("&") if not _tracks(part)]
    base = url.href.partition("?")[0]
    return f"{base}?{'&'.join(kept)}" if kept else base


def _tracks(parameter: str) -> bool:
    name = unquote(parameter.partition("=")[0]).lower()
    return name in TRACKING_PARAMETERS or name.startswith("utm_")


def query_parameters(href: str) -> list[tuple[str, str]]:
    """Name and value of each query parameter, decoded, in order."""
    url = parse(href)
    return parse_qsl(url.query, keep_blank_values=True) if url else []
