"""Serve a made shop for bench_shop: ``python shop_server.py PAGES PLANTED PORT``; prints a line when it listens.

Each page has 50 links: 20 in the menu, 15 to its neighbours, 15 in the text, more often to early pages. Sitemaps date all pages; a request
with the ETag of a page is answered with 304. PLANTED is a file with the numbers of pages that have changed, a line each; it may
be written while the server runs.
"""

import asyncio
import hashlib
import json
import random
import sys
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from crawl_server import WORDS

LINKS, MENU, NEIGHBOURS = 50, 20, 15
SECTION_PAGES = 100
SITEMAP_URLS = 50_000
AFTER = datetime.now(UTC).date().isoformat()
"""Date of a changed page in the sitemap; the others are of October."""


class Shop:
    """Pages and sitemaps of a shop.

    Args:
        pages: number of pages.
        planted: file with the numbers of pages that have changed.
    """

    def __init__(self, pages: int, planted: Path) -> None:
        self._pages, self._planted = pages, planted
        self._read_at: float | None = None
        self._changed: frozenset[int] = frozenset()
        self._menu = "".join(self._link(target) for target in range(0, pages, pages // MENU))

    def changed(self) -> frozenset[int]:
        """Return the numbers of the pages that have changed."""
        read_at = self._planted.stat().st_mtime
        if read_at != self._read_at:
            self._read_at, self._changed = read_at, frozenset(map(int, self._planted.read_text(encoding="ascii").split()))
        return self._changed

    def path(self, number: int) -> str:
        """Return the path of a page."""
        if not number:
            return "/"
        section = number // SECTION_PAGES
        name = f"{WORDS[section % len(WORDS)]}-{section}"
        return f"/{name}/" if number % SECTION_PAGES == 0 else f"/{name}/{WORDS[number * 7 % len(WORDS)]}-{number}"

    @staticmethod
    def _before(number: int) -> str:
        return f"2026-10-{number % 31 + 1:02}"

    def _link(self, target: int) -> str:
        words = f"{WORDS[target % len(WORDS)]} {WORDS[target * 7 % len(WORDS)]}"
        return f'<li><a href="{self.path(target)}">{words}</a></li>'

    def page(self, number: int, *, is_changed: bool) -> bytes:
        """Return one page."""
        chance = random.Random(number)
        words = chance.choices(WORDS, k=160)
        name = f"{words[0]} {words[1]} {WORDS[number * 7 % len(WORDS)]}".capitalize()
        section = number - number % SECTION_PAGES
        near = "".join(self._link(min(self._pages - 1, section + 1 + (number + step) % (SECTION_PAGES - 1))) for step in range(NEIGHBOURS))
        own = [int(self._pages * chance.random() ** 3) for _ in range(LINKS - MENU - NEIGHBOURS)]
        text = "".join(f"<p>{' '.join(words[at : at + 40]).capitalize()}.</p>" for at in range(0, 160, 40))
        title = f"{name} {number}{' reduced' if is_changed else ''}"
        product = {"@context": "https://schema.org", "@type": "Product", "name": title, "sku": str(number)}
        product["offers"] = {"@type": "Offer", "price": f"{number % 90 + 9}.90", "priceCurrency": "EUR"}
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f'<meta name="viewport" content="width=device-width"><meta name="description" content="{name}: {" ".join(words[2:16])}.">'
            f'<link rel="canonical" href="{self.path(number)}">'
            f'<script type="application/ld+json">{json.dumps(product)}</script></head>'
            f"<body><header><nav><ul>{self._menu}</ul></nav></header>"
            f'<main><h1>{title}</h1>{text}<ul class="more">{"".join(map(self._link, own))}</ul></main>'
            f"<aside><h2>Also here</h2><ul>{near}</ul></aside><footer><p>Made for a measurement.</p></footer></body></html>"
        ).encode()

    def sitemap(self, part: int, origin: str) -> bytes:
        """Return a sitemap of the pages, with dates."""
        changed = self.changed()
        rows = "".join(
            f"<url><loc>{origin}{self.path(number)}</loc><lastmod>{AFTER if number in changed else self._before(number)}</lastmod></url>"
            for number in range(part * SITEMAP_URLS, min(self._pages, (part + 1) * SITEMAP_URLS))
        )
        return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'.encode()

    def index(self, origin: str) -> bytes:
        """Return the index of the sitemaps."""
        rows = "".join(f"<sitemap><loc>{origin}/sitemap-{part}.xml</loc></sitemap>" for part in range(-(-self._pages // SITEMAP_URLS)))
        return f'<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</sitemapindex>'.encode()

    def number_of(self, path: str) -> int | None:
        """Return the number of the page at a path."""
        name = path.rstrip("/").rpartition("-")[2]
        if path == "/":
            return 0
        if not name.isdecimal():
            return None
        number = int(name) * (SECTION_PAGES if path.endswith("/") else 1)
        return number if number < self._pages and self.path(number) == path else None


def main() -> None:
    """Serve until the process is ended."""
    shop = Shop(int(sys.argv[1]), Path(sys.argv[2]))
    page = lru_cache(2000)(shop.page)

    def answer(path: str, host: str, etag: str) -> bytes:
        kind, status, body = "text/html; charset=utf-8", "200 OK", b"<title>Not found</title>"
        tag, origin = "", f"http://{host}"
        if path == "/robots.txt":
            kind, body = "text/plain", f"User-agent: *\nAllow: /\nSitemap: {origin}/sitemap.xml\n".encode()
        elif path == "/sitemap.xml":
            kind, body = "application/xml", shop.index(origin)
        elif path.startswith("/sitemap-"):
            kind, body = "application/xml", shop.sitemap(int(path[9:].partition(".")[0]), origin)
        elif (number := shop.number_of(path)) is None:
            status = "404 Not Found"
        else:
            body = page(number, is_changed=number in shop.changed())
            tag = f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'
            if tag == etag:
                return f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode()
        tagged = f"ETag: {tag}\r\n" if tag else ""
        return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{tagged}Content-Length: {len(body)}\r\n\r\n".encode() + body

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n"):
                method, path, _ = head[0].split(" ")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
                found = answer(path, headers["host"], headers.get("if-none-match", ""))
                writer.write(found.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if method == "HEAD" else found)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[3]))
        print("listening", flush=True)
        await server.serve_forever()

    asyncio.run(run())


if __name__ == "__main__":
    main()
