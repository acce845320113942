"""Serve a synthetic site for bench_crawl: ``python crawl_server.py PAGES KILOBYTES``; prints its port. Every page links to 90 others.

``python crawl_server.py PAGES FILE`` serves a site whose pages are those of one template, as those of most sites: head, navigation and
footer of a saved page (HTML, may be gzipped) stay, title, description, main content and its links differ.
"""

import gzip
import html
import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

from findable.artifacts.html.document import Document

VOWELS, CONSONANTS = "aeiou", "bdfgklmnprst"
MADE = 1000
"""Pages in memory. Those of a smaller site are made before the first request."""
RANDOM = Random(1)
WORDS = ["".join(RANDOM.choice(CONSONANTS) + RANDOM.choice(VOWELS) for _ in range(RANDOM.randint(1, 4))) for _ in range(3000)]


def page(number: int, pages: int, size: int) -> bytes:
    """Return one page of about ``size`` bytes."""
    random = Random(number)

    def link(target: int) -> str:
        return f'<li class="item"><a href="/page/{target % pages}">{WORDS[target % len(WORDS)]} {WORDS[target * 7 % len(WORDS)]}</a></li>'

    menu = "".join(link(target) for target in range(30))
    related = "".join(link(number * 3 + step) for step in range(1, 41))
    footer = "".join(link(target) for target in range(30, 50))
    title = f"{WORDS[number % len(WORDS)]} {WORDS[number * 13 % len(WORDS)]}".capitalize()
    head = (
        f'<meta charset="utf-8"><title>{title} and more of it, page {number}</title><meta name="viewport" content="width=device-width">'
        f'<meta name="description" content="{title}: {" ".join(random.choices(WORDS, k=14))}."><link rel="canonical" href="/page/{number}">'
    )
    parts = []
    left = size - len(menu) - len(related) - len(footer) - len(head) - 400
    while left > 0:
        words = [" ".join(random.choices(WORDS, k=count)) for count in (4, 20, 20)]
        shape = " ".join(f"M{random.randrange(999)} {random.randrange(999)}" for _ in range(40))
        part = (
            f'<section class="card card--wide mt-4 px-2 flex items-center" data-tracking="{random.getrandbits(256):x}"><h2>{words[0]}</h2>'
            f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{shape}"/></svg>'
            f'<div class="card__body text-base leading-7"><p class="lead">{words[1]}.</p><p>{words[2]}.</p></div></section>'
        )
        parts.append(part)
        left -= len(part)
    main = f'<main><h1>{title}</h1>{"".join(parts)}<ul class="related">{related}</ul></main>'
    body = f'<header><nav><ul class="menu">{menu}</ul></nav></header>{main}'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}<footer><ul>{footer}</ul></footer></body></html>'.encode()


class Template:
    """Pages with the head, the navigation and the footer of a saved page."""

    _URL = re.compile(r"(?<=href=[\"'])[^\"'<>#][^\"'<>]*")
    _TEXT = re.compile(r"(?<=>)[^<>]+(?=<)")
    _HIDDEN = re.compile(r"<(script|style|svg|noscript)\b.*?</\1>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
    _ANCHOR = re.compile(r"<a\b[^>]*>", re.IGNORECASE)
    _OWN = re.compile(
        r"<title\b.*?</title>|<link\b[^>]*\bcanonical\b[^>]*>|<base\b[^>]*>|<meta\b[^>]*\b(?:description|og:title|og:url|robots|refresh)\b[^>]*>",
        re.DOTALL | re.IGNORECASE,
    )

    def __init__(self, path: Path, pages: int) -> None:
        raw = path.read_bytes()
        source = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8", "replace").replace("\r\n", "\n")
        self._pages = pages
        hosts = Counter(re.findall(r"<a\b[^>]*\bhref=[\"']https?://([^/\"'?#]+)", source, re.IGNORECASE))
        self._host = max(hosts, key=hosts.__getitem__, default="")
        start, end = _main_of(source)
        head, opening, rest = self._OWN.sub("", source[:start]).partition("<head")
        attributes, closing, body = rest.partition(">")
        self._before = (f"{head}{opening}{attributes}{closing}", self._with_links(body, 30))
        self._main, self._after = source[start:end], self._with_links(source[end:], 20)
        words = [html.escape(word) for text in self._TEXT.findall(self._HIDDEN.sub("", self._main)) for word in html.unescape(text).split()]
        self._words = words if len(words) >= len(WORDS) else words + WORDS

    def _with_links(self, source: str, count: int) -> str:
        """Return markup of all pages, whose links lead to the first ones."""
        numbers = iter(range(10**9))
        return self._ANCHOR.sub(lambda anchor: self._moved(anchor[0], next(numbers) % count), source)

    def _moved(self, anchor: str, number: int) -> str:
        """Return a start tag that leads to a page instead of to a page of the saved site."""
        return self._URL.sub(lambda url: f"/page/{number}" if "//" not in url[0] or f"//{self._host}" in url[0] else url[0], anchor)

    def page(self, number: int) -> bytes:
        """Return one page."""
        random = Random(number)

        def text(found: re.Match[str]) -> str:
            count = len(found[0].split())
            return f" {' '.join(random.choices(self._words, k=count))} " if count else found[0]

        steps = iter(range(10**9))

        def anchor(found: re.Match[str]) -> str:
            return self._moved(found[0], (number * 3 + next(steps) % 40) % self._pages)

        parts, at = [], 0
        for hidden in self._HIDDEN.finditer(self._main):
            parts += [self._ANCHOR.sub(anchor, self._TEXT.sub(text, self._main[at : hidden.start()])), hidden[0]]
            at = hidden.end()
        parts.append(self._ANCHOR.sub(anchor, self._TEXT.sub(text, self._main[at:])))
        said = " ".join(" ".join(self._TEXT.findall(part)) for part in parts[::2]).split()
        title, description = " ".join(said[:6]), " ".join(said[6:26]).replace('"', "")
        own = (
            f'<title>{title} {number}</title><meta name="description" content="{description}">'
            f'<link rel="canonical" href="/page/{number}"><meta property="og:title" content="{title}">'
            f'<meta property="og:url" content="/page/{number}">'
        )
        return "".join((self._before[0], own, self._before[1], *parts, self._after)).encode()


def _main_of(source: str) -> tuple[int, int]:
    """Return where the main content begins and ends: ``main`` or the longest article, else the middle three fifths of the elements."""
    document = Document(source, "")
    offsets = [document.offset_of(order) for order in range(document.element_count)]
    places = [(element.order, document.ends[element.order]) for element in document.all("main", "article")]
    count = document.element_count
    start, end = max(places, key=lambda place: place[1] - place[0], default=(count // 5, count * 4 // 5))
    after = (offset for offset in offsets[end:] if offset is not None)
    return offsets[start] or 0, next(after, len(source))


class Handler(BaseHTTPRequestHandler):
    """Serves pages; the last ones stay in memory."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    make: Callable[[int], bytes]
    """Returns the page of a number."""
    pages: int

    def do_GET(self) -> None:
        """Send the requested page."""
        self._send(with_body=True)

    def do_HEAD(self) -> None:
        """Send the headers of the requested page."""
        self._send(with_body=False)

    def _send(self, *, with_body: bool) -> None:
        number = self.path.removeprefix("/page/") if self.path != "/" else "0"
        body = Handler.make(int(number)) if number.isdecimal() and int(number) < self.pages else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Discard log messages."""


def main() -> None:
    """Serve until the parent closes standard input."""
    pages = int(sys.argv[1])
    template = None if sys.argv[2].isdigit() else Template(Path(sys.argv[2]), pages)
    make = template.page if template else lambda number: page(number, pages, int(sys.argv[2]) * 1000)
    Handler.make, Handler.pages = lru_cache(MADE)(make), pages
    if pages <= MADE:
        for number in range(pages):
            Handler.make(number)
    server = ThreadingHTTPServer(("", 0), Handler)  # at all addresses of loopback: each is a host
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
