"""Sitemap of the indexable pages of a crawl."""

from collections.abc import Iterable, Iterator
from html import escape

from findable.crawl.page_columns import PageRow

SITEMAP_URLS = 50_000
"""Maximum number of URLs in a sitemap (sitemaps.org)."""


def sitemap_xml(rows: Iterable[PageRow]) -> Iterator[bytes]:
    """Yield a sitemap that lists the first SITEMAP_URLS indexable pages."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    for _, row in zip(range(SITEMAP_URLS), (row for row in rows if row.indexable), strict=False):
        yield f"<url><loc>{escape(row.url, quote=False)}</loc></url>\n".encode("utf-8", "replace")
    yield b"</urlset>\n"
