"""Fictional shop of some hundred pages for screenshots, with planted faults; its cakes lose their place in search while it is used."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

SHELVES = {"bread": 34, "rolls": 22, "cakes": 26, "tarts": 16, "cookies": 30, "pies": 10, "gifts": 6}
"""Number of products by folder."""
PER_PAGE = 12
NOTES = 8
HEAD_WORDS = ("crusty", "dark", "golden", "wholemeal", "small", "festive", "sweet", "seeded")
WORDS = ("flour", "water", "salt", "yeast", "oven", "crust", "crumb", "dough", "warm", "fresh", "grain", "rye", "seeds", "honey", "butter")
NOINDEX = '<meta name="robots" content="noindex">'


class Shop:
    """State of the shop."""

    def __init__(self) -> None:
        self.hides_cakes = False


@contextmanager
def serve_shop(port: int) -> Iterator[Shop]:
    """Serve the shop on loopback; what is yielded changes it."""
    shop = Shop()
    server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, shop, f"http://127.0.0.1:{port}"))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield shop
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, shop: Shop, origin: str, *arguments: Any) -> None:
        self._shop, self._origin = shop, origin
        super().__init__(*arguments)

    def log_message(self, *_: object) -> None:
        """Write nothing."""

    def do_GET(self) -> None:
        """Send a page of the shop."""
        url = urlsplit(self.path)
        parts = [part for part in url.path.split("/") if part]
        page = int(parse_qs(url.query).get("page", ["1"])[0])
        match parts:
            case ["robots.txt"]:
                self._send("User-agent: *\nDisallow: /cart\n", kind="text/plain")
            case []:
                links = "".join(f'<p><a href="/{shelf}/">{shelf}</a> {_text(shelf, 20)}</p>' for shelf in SHELVES)
                self._page("Mill Street shop: bread and cakes from our own oven", f'{links}<p><a href="/cart">Cart</a></p>')
            case [shelf] if shelf in SHELVES:
                self._page(f"{shelf.title()} of the season, page {page} | Mill Street shop", self._shelf(shelf, page))
            case [shelf, name] if shelf in SHELVES and name.isdigit() and int(name) < SHELVES[shelf]:
                self._product(shelf, int(name))
            case ["notes"] | ["notes", _]:
                number = int(parts[1]) if len(parts) > 1 else 0
                older = f'<p><a href="/notes/{number + 1}">older</a></p>' if number < NOTES else ""
                self._page(f"Baking notes {number}: what we learned at the oven this week", f"<p>{_text(f'n{number}', 380)}</p>{older}")
            case _:
                self._send("<title>Not found</title>", HTTPStatus.NOT_FOUND)

    def _shelf(self, shelf: str, page: int) -> str:
        first = (page - 1) * PER_PAGE
        numbers = range(first, min(SHELVES[shelf], first + PER_PAGE))
        links = "".join(
            f'<p><a href="/{shelf}/{number}">{_name(shelf, number)}</a> {_text(f"{shelf}{number}", 8)}</p>' for number in numbers
        )
        pages = range(1, (SHELVES[shelf] - 1) // PER_PAGE + 2)
        return links + "".join(f'<a href="/{shelf}/?page={one}">Page {one}</a> ' for one in pages if one != page)

    def _product(self, shelf: str, number: int) -> None:
        if shelf == "tarts" and number % 4 == 1:
            self._send("<title>Gone</title>", HTTPStatus.NOT_FOUND)
            return
        if shelf == "pies" and number % 5 == 1:
            self._send("", HTTPStatus.MOVED_PERMANENTLY, location=f"/{shelf}/")
            return
        words = 60 if shelf == "cookies" else 330
        body = f'<p>{_text(f"{shelf}{number}", words)}</p><p><a href="/{shelf}/{(number + 1) % SHELVES[shelf]}">Similar</a></p>'
        self._page(f"{_name(shelf, number)} | Mill Street", body, NOINDEX if shelf == "cakes" and self._shop.hides_cakes else "")

    def _page(self, title: str, body: str, head: str = "") -> None:
        links = "".join(f'<a href="/{shelf}/">{shelf.title()}</a> ' for shelf in SHELVES)
        canonical = "" if self.path.startswith("/rolls/") else f'<link rel="canonical" href="{self._origin}{self.path}">'
        self._send(
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{canonical}{head}'
            f'<meta name="viewport" content="width=device-width"><meta name="description" content="{_text(title, 18)}">'
            f'<meta property="og:title" content="{title}"><meta property="og:type" content="website">'
            f'<meta property="og:url" content="{self._origin}{self.path}"><meta property="og:image" content="{self._origin}/none.png">'
            f'<script type="application/ld+json">{{"@context":"https://schema.org","@type":"WebPage","name":"{title}"}}</script></head>'
            f"<body><nav>{links}</nav><main><h1>{title.partition(' |')[0]}</h1>{body}</main>"
            '<footer><a href="/">Home</a> <a href="/notes">Notes</a></footer></body></html>'
        )

    def _send(self, text: str, status: HTTPStatus = HTTPStatus.OK, kind: str = "text/html", location: str = "") -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(data)


def _name(shelf: str, number: int) -> str:
    return f"{HEAD_WORDS[number % len(HEAD_WORDS)].title()} {shelf.removesuffix('s')} number {number}, slowly baked"


def _text(seed: str, count: int) -> str:
    """Return words that are the same for the same seed."""
    chosen = random.Random(seed)  # noqa: S311 - filler text
    return " ".join(chosen.choice(WORDS) for _ in range(count)).capitalize() + "."
