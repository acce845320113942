"""The only module that parses URLs: WHATWG rules (ada-url) and registrable domains (publicsuffixlist).

A URL is parsed once; only its serialisation is stored, compared and fetched.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from ipaddress import ip_address
from urllib.parse import parse_qsl, unquote

import ada_url
from msgspec import Struct

from findable.lazy_pattern import lazy_pattern
from findable.values import read_data

MAX_URL_CHARS = 2048
MAX_LINK_CHARS = 4 * MAX_URL_CHARS
DEFAULT_PORTS = {"http": 80, "https": 443}
TRACKING_PARAMETERS = read_data(__package__, "tracking_parameters", frozenset[str])
"""Tracking parameters of advertising and mailing systems, in addition to every ``utm_…``."""


class Url(Struct, frozen=True):
    """Parsed absolute URL. ``str()`` is its WHATWG serialization."""

    href: str
    scheme: str
    host: str
    """Host in lower case with A-labels; IPv6 without brackets, a trailing dot unchanged."""
    port: int
    """Explicit port or the scheme's default; 0 if the scheme has none."""
    path: str
    query: str
    """Query without ``?``."""
    fragment: str
    """Fragment without ``#``."""
    username: str
    password: str

    def __str__(self) -> str:
        return self.href

    @property
    def origin(self) -> str:
        """Origin, like ``https://example.com`` or ``http://example.com:8080``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{self.port_part}"

    @property
    def port_part(self) -> str:
        """Port with colon, like ``:8080``; empty for the default port of the scheme."""
        return "" if self.port == DEFAULT_PORTS.get(self.scheme, 0) else f":{self.port}"

    @property
    def is_http(self) -> bool:
        """Whether the scheme is http or https."""
        return self.scheme in DEFAULT_PORTS

    @property
    def has_login(self) -> bool:
        """Whether the URL contains a user name or a password."""
        return bool(self.username or self.password)

    @property
    def path_and_query(self) -> str:
        """Path and query, as sent to a server."""
        return f"{self.path}?{self.query}" if self.query else self.path


# Possessive quantifiers: backtracking would take 50 % longer.
_PLAIN_HOST = r"(?:[a-z0-9_]++(?:-[a-z0-9_]++)*\.)+[a-z]++"
_PLAIN_PATH = r"(?!//)(?:/(?!\.{1,2}(?:[/?#]|\Z))[a-zA-Z0-9_~!$&()*+,;=:@.-]*+)+"
_PLAIN_END = r"(?:\?([a-zA-Z0-9_~!$&()*+,;=:@./?%-]*+))?(?:#([a-zA-Z0-9_~!$&()*+,;=:@./?%-]*+))?"
_PLAIN = lazy_pattern(rf"(https?)://({_PLAIN_HOST})({_PLAIN_PATH}){_PLAIN_END}")
"""URLs that equal their serialization: ASCII host without ``--``, no port, no escapes or dot segments in the path.

Most links are such URLs, and this test is ten times as fast as full parsing.
"""
_PLAIN_ON_HOST = lazy_pattern(_PLAIN_PATH + _PLAIN_END)


@lru_cache(maxsize=16384)
def parse(text: str, base: str | None = None) -> Url | None:
    """Parse by the WHATWG rules, relative to ``base`` if given; None if it is not a URL."""
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
    """Return the origin of a URL that equals its serialization, empty for others."""
    return origin_part(base) if _PLAIN.fullmatch(base) else ""


@lru_cache(maxsize=8192)
def _is_plain(text: str) -> bool:
    """Return whether a URL, or a path on a host, equals its serialization. The result is cached, because pages of a site share links."""
    return (_PLAIN_ON_HOST if text.startswith("/") else _PLAIN).fullmatch(text) is not None


def join(base: str, text: str) -> str | None:
    """Return the absolute URL of ``text`` on the page ``base``; None if it is not a URL."""
    if len(text) <= MAX_URL_CHARS and _is_plain(text):  # longer ones would fill the memory of the cache
        if not text.startswith("/"):
            return text
        if origin := _plain_origin(base):
            return origin + text
    try:
        return ada_url.join_url(base, text)
    except (ValueError, UnicodeError):
        return None


_ESCAPE = lazy_pattern(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def with_uniform_escapes(url: str) -> str:
    """Return a URL with equivalent escapes in one form: upper-case digits, and none of unreserved characters (RFC 3986 section 6.2.2)."""
    return _ESCAPE.sub(_uniform_escape, url) if "%" in url else url


def _uniform_escape(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()


def origin_part(href: str) -> str:
    """Return ``https://host:port`` of a serialized http(s) URL without parsing it, as a cheap key for lookups by host."""
    end = href.find("/", len("https://"))
    return href if end < 0 else href[:end]


def path_of(url: str) -> str:
    """Return the path of a serialized http(s) URL without parsing it."""
    return url[len(origin_part(url)) :].partition("?")[0]


def first_folder(url: str) -> str:
    """Return the first folder of a serialized http(s) URL, like ``/products/``; ``/`` if its path has none."""
    path = url.partition("?")[0]
    start = path.find("/", len("https://"))
    end = path.find("/", start + 1)
    return path[start : end + 1] if 0 <= start < end else "/"


def origin_of(url: str) -> str:
    """Return the origin of an absolute URL; empty if it is not one."""
    parsed = parse(url)
    return parsed.origin if parsed else ""


def host_of(url: str) -> str:
    """Return the host of an absolute URL; empty if it is not one."""
    parsed = parse(url)
    return parsed.host if parsed else ""


def as_https(href: str) -> str:
    """Return an http(s) URL with the scheme https."""
    return "https:" + href.removeprefix("http:") if href.startswith("http:") else href


def move_to_origin(href: str, origin: str, to: str) -> str:
    """Move the URL from ``origin`` to the origin ``to``; return any other URL unchanged."""
    return to + href.removeprefix(origin) if origin and origin_part(href) == origin else href


def link_of(text: str) -> str:
    """Return a text if it is a URL that is safe to show as a link, else an empty string.

    Other schemes may run code, and a URL with a user name may be mistaken for another host.
    """
    url = parse(text) if len(text) <= MAX_LINK_CHARS else None
    return url.href if url is not None and url.is_http and not url.has_login else ""


def other_scheme(text: str) -> str:
    """Return the scheme of an absolute URL that is neither http nor https, such as ``file``; empty for any other text."""
    url = parse(text)
    return url.scheme if url is not None and not url.is_http else ""


def without_fragment(href: str) -> str:
    """Return the URL without its fragment."""
    return href.partition("#")[0]


@cache
def _suffix_rules() -> frozenset[str]:
    """Return the rules of the public suffix list, internationalized ones in Unicode. `PublicSuffixList` takes ten times as long to load."""
    from publicsuffixlist import PSLFILE  # noqa: PLC0415 - not every command needs it

    with open(PSLFILE, encoding="utf-8") as file:  # noqa: PTH123 - the module loads no pathlib for it
        return frozenset(file.read().split("\n"))  # a comment equals no name


def _unicode_label(label: str) -> str:
    """Return a label of a host name as in the rules."""
    if not label.startswith("xn--"):
        return label
    try:
        return label.removeprefix("xn--").encode().decode("punycode")
    except UnicodeError:
        return label


def _suffix_length(labels: Sequence[str]) -> int:
    """Return the number of labels of the public suffix of a host name. The longest rule counts, an unknown suffix has one label."""
    rules = _suffix_rules()
    for length in range(len(labels), 0, -1):
        name = ".".join(labels[-length:])
        if f"!{name}" in rules:
            return length - 1
        if f"*.{name}" in rules:
            return min(length + 1, len(labels))
        if name in rules:
            return length
    return 1


def is_ip(host: str) -> bool:
    """Return whether the host is an IP literal, with or without brackets."""
    if ":" not in host and not host[-1:].isdigit():
        return False  # nearly all hosts are names, which need no parsing
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


@lru_cache(maxsize=16384)
def registrable_domain(host: str) -> str:
    """Return ``example.co.uk`` for ``www.shop.example.co.uk``; the host itself for an IP literal or a bare suffix."""
    host = host.rstrip(".").lower()
    if is_ip(host):
        return host
    labels = host.split(".")
    if "" in labels:
        return host
    own = _suffix_length([_unicode_label(label) for label in labels]) + 1
    return ".".join(labels[-own:])


def same_site(first: str, second: str) -> bool:
    """Return whether two absolute URLs share a registrable domain. The scheme does not matter."""
    a, b = parse(first), parse(second)
    return a is not None and b is not None and registrable_domain(a.host) == registrable_domain(b.host)


def without_www(host: str) -> str:
    """Return the host without one leading ``www.``."""
    return host.removeprefix("www.")


def same_host(first: str, second: str) -> bool:
    """Return whether two absolute URLs have the same host apart from ``www.``; such links count as internal."""
    a, b = parse(first), parse(second)
    return a is not None and b is not None and without_www(a.host) == without_www(b.host) and _custom_port(a) == _custom_port(b)


def _custom_port(url: Url) -> int:
    return 0 if url.port in DEFAULT_PORTS.values() else url.port


def project_name(href: str) -> str:
    """Return the project name of a URL: its host in lower-case A-labels, without ``www.``, and any non-default port."""
    url = parse(href)
    if url is None:
        return ""
    host = without_www(url.host)
    host = f"[{host}]" if ":" in host else host
    return host if url.port == DEFAULT_PORTS.get(url.scheme) else f"{host}:{url.port}"


_INDEX_FILE = lazy_pattern(r"/(?:index\.(?:html?|xhtml|shtml|php|aspx?|jsp)|default\.(?:html?|aspx?))\Z")
"""Names under which servers offer the start page of a folder."""


def subject_key(href: str) -> str:
    """Return the key of the page behind a URL: URLs of one page have one history of results.

    These variants have the same key: http and https, with and without ``www.``, a folder with and without its last slash, and the index
    file of a folder (``/shop``, ``/shop/``, ``/shop/index.html``). Everything else separates pages: another host, port, query, or upper and
    lower case of the path. The key begins with the project name; it is not a URL.
    """
    url = parse(href)
    if url is None:
        return href
    path = _INDEX_FILE.sub("/", url.path).rstrip("/") or "/"
    return f"{project_name(href)}{path}?{url.query}" if url.query else f"{project_name(href)}{path}"


def start_page_key(project: str) -> str:
    """Return the key (`subject_key`) of the start page of a project."""
    return f"{project}/"


def is_start_page(href: str, project: str) -> bool:
    """Return whether a URL leads to the start page of a project, whatever its form."""
    return subject_key(href) == start_page_key(project)


def start_page_project(href: str) -> str:
    """Return the project name of a URL that is the start page of its project; empty for other pages."""
    url = parse(href)
    return project_name(href) if url is not None and url.path == "/" and not url.query else ""


def project_words(name: str, title: str | None) -> str:
    """Return a project for emails and feeds: its display name with its host, or its host alone."""
    return f"{title} ({name})" if title else name


def display_host(host: str) -> str:
    """Return the host for display, in Unicode if it is an IDN."""
    return str(ada_url.idna.decode(host.encode())) if "xn--" in host else host


def without_tracking(href: str) -> str:
    """Return the URL without fragment and tracking parameters (TRACKING_PARAMETERS, ``utm_…``)."""
    url = parse(without_fragment(href))
    if url is None or not url.query:
        return url.href if url else href
    kept = untracked_query(url)
    base = url.href.partition("?")[0]
    return f"{base}?{kept}" if kept else base


def has_tracking(href: str) -> bool:
    """Return whether the URL has a tracking parameter."""
    return any(_is_tracking(part) for part in without_fragment(href).partition("?")[2].split("&"))


def untracked_query(url: Url) -> str:
    """Return the query of a URL without tracking parameters."""
    return "&".join(part for part in url.query.split("&") if not _is_tracking(part)) if url.query else ""


def _is_tracking(parameter: str) -> bool:
    name = unquote(parameter.partition("=")[0]).lower()
    return name in TRACKING_PARAMETERS or name.startswith("utm_")


def query_parameters(href: str) -> list[tuple[str, str]]:
    """Return the decoded name and value of each query parameter, in order."""
    url = parse(href)
    return parse_qsl(url.query, keep_blank_values=True) if url else []


_BARE_HOST = lazy_pattern(r"[^\s/?#:@.,;]+(?:\.[^\s/?#:@.,;]+)+(?::\d{1,5})?/?")
_WHOLE_URL = lazy_pattern(r"https?://[^\s,;]+", re.IGNORECASE)
_URL_OF_HOST = lazy_pattern(r"https?://[^\s/?#]*[.:\]][^\s,;]*", re.IGNORECASE)
"""URL whose host is not a single word: the first part of `http://exa mple.com/` is a typing error, not a URL of its own."""
_HOST_AND_PATH = lazy_pattern(r"[^\s/?#:@.]+(?:\.[^\s/?#:@.]+)+(?::\d{1,5})?(?:[/?#]\S*)?")


def split_urls(text: str) -> list[str]:
    """Return the URLs in a line that are separated by blanks, commas or semicolons; the whole line if it is a single URL."""
    line = text.strip()
    spaced = [piece for piece in re.split(r"[\s,;]+", line) if piece]
    if re.search(r"\s", line):
        is_list = all(_URL_OF_HOST.fullmatch(piece) or _HOST_AND_PATH.fullmatch(piece) for piece in spaced)
        return spaced if is_list else [line]
    if all(_BARE_HOST.fullmatch(piece) for piece in spaced):
        return spaced or [line]
    pieces = re.split(r"[,;](?=https?://)", line, flags=re.IGNORECASE)
    is_list = all("?" not in piece for piece in pieces[:-1]) and all(_WHOLE_URL.match(piece) for piece in pieces)
    return pieces if is_list else [line]


def is_one_word(url: Url) -> bool:
    """Return whether a host is a single word such as ``shop``, which is more often a typing error than a host."""
    return "." not in url.host.rstrip(".") and ":" not in url.host and url.host != "localhost" and url.port == DEFAULT_PORTS[url.scheme]
