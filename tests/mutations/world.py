"""Ten realistic pages and the sites around them: what the network would answer, as keywords of `tests.checks.harness.capture`.

A page is `pages/NAME.html`; `pages/NAME.json` describes its site: ``url``, ``headers``, ``robots_txt`` (lines), ``pictures``
(address: format, width, height, bytes), ``files`` (style sheets, scripts, fonts: address: content), ``links`` (addresses that
answer 200) and ``alternates`` (language version: language). Everything else is alike for all of them and made here.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from findable.capture.capture import Capture
from findable.urls import join, parse
from tests.checks.harness import capture

FOLDER = Path(__file__).parent / "pages"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.html")))

LASTING = [["Cache-Control", "public, max-age=31536000, immutable"], ["X-Content-Type-Options", "nosniff"]]
TYPES = {"css": "text/css", "js": "text/javascript", "woff2": "font/woff2"}
AGENTS = ("Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0", "OAI-SearchBot/1.3", "PerplexityBot/1.0")
LANGUAGES = ("", "en", "de")
AS_THE_PAGE = "as the page"
"""Stands for a body that is the page's own, whatever a fault made of it: the site serves it to phones and crawlers alike."""


@dataclass(frozen=True, slots=True)
class Site:
    """A page and what surrounds it. ``keywords`` are those of the harness; faults work on a copy."""

    name: str
    html: str
    keywords: Mapping[str, Any]

    @property
    def url(self) -> str:
        """The page's address."""
        return str(self.keywords["url"])

    def address(self, path: str) -> str:
        """An address of this site from a path."""
        return address(self.url, path)


def address(page_url: str, path: str) -> str:
    """Resolves a reference on the page."""
    found = join(page_url, path)
    assert found is not None, path
    return found


@cache
def site(name: str) -> Site:
    """One of the ten, unharmed."""
    html = (FOLDER / f"{name}.html").read_text(encoding="utf-8")
    told = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return Site(name, html, _keywords(html, told))


def captured(html: str | bytes, keywords: Mapping[str, Any]) -> Capture:
    """The capture of a page, harmed or not."""
    body = html if isinstance(html, bytes) else html.encode()
    given = {name: _filled(value, body) for name, value in keywords.items()}
    given.setdefault("wire_bytes", len(body) // 3)
    return capture(body, **given)


def _filled(value: Any, body: bytes) -> Any:
    if isinstance(value, Mapping):
        return {name: body if inner == AS_THE_PAGE else _filled(inner, body) for name, inner in value.items()}
    return value


def _keywords(html: str, told: Mapping[str, Any]) -> dict[str, Any]:
    url = told["url"]
    parsed = parse(url)
    assert parsed is not None
    origin, host = parsed.origin, parsed.host
    page = {"body": AS_THE_PAGE, "headers": told["headers"]}
    sitemap = f"{origin}/sitemap.xml"
    assert f"Sitemap: {sitemap}" in told["robots_txt"]
    return {
        "url": url,
        "headers": told["headers"],
        "robots_txt": "\n".join(told["robots_txt"]) + "\n",
        "wait_samples_ms": [160, 140, 190],
        "tls": {"leaf": {"subject": f"CN={host}", "names": [host, host.removeprefix("www.")]}},
        "tls_versions": {"TLSv1": False, "TLSv1.1": False, "TLSv1.2": True, "TLSv1.3": True},
        "http_variant": {"http" + url.removeprefix("https"): {"final_url": url}},
        "variants": {variant: {"final_url": f"{origin}/"} for variant in _variants(host)} | {f"{origin}/": {"body": "<p>Home</p>"}},
        "made_up": {"status": 404, "body": NOT_FOUND, "headers": [["Content-Type", "text/html; charset=utf-8"]]},
        "home": page if parsed.path == "/" else {"body": "<!doctype html><title>Home</title>", "headers": told["headers"]},
        "favicon": {"picture": ["png", 48, 48]},
        "llms_txt": {"status": 404},
        "sitemaps": {sitemap: {"body": _sitemap(origin, url, told["links"]), "headers": [["Content-Type", "application/xml"]]}},
        "sitemap_entries": [[url, "2026-10-12", sitemap]],
        "sitemaps_searched": True,
        "sitemap_sample": {},
        "assets": _assets(url, told),
        "links": {address(url, path): {} for path in told["links"]},
        "alternates": {other: _alternate(html, other, language) for other, language in told.get("alternates", {}).items()},
        "phone": {url: page},
        "languages": dict.fromkeys(LANGUAGES, page),
        "agents": dict.fromkeys(AGENTS, page),
    }


def _variants(host: str) -> list[str]:
    bare = host.removeprefix("www.")
    hosts = [bare, f"www.{bare}"] if bare.count(".") == 1 else [host]
    return [f"{scheme}://{name}/" for scheme in ("http", "https") for name in hosts if (scheme, name) != ("https", host)]


def _assets(url: str, told: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path, (form, width, height, size_bytes) in told["pictures"].items():
        headers = [*LASTING, ["Content-Type", "image/svg+xml" if form == "svg" else f"image/{form}"]]
        found[address(url, path)] = {"picture": [form, width, height], "headers": headers, "total_bytes": size_bytes}
    for path, content in told["files"].items():
        kind = TYPES[path.partition("?")[0].rpartition(".")[2]]
        found[address(url, path)] = {"body": content, "headers": [*LASTING, ["Content-Type", kind]], "content_encoding": "br"}
    return found


def _sitemap(origin: str, url: str, links: list[str]) -> str:
    own = dict.fromkeys([url, *(address(url, path) for path in links)])
    entries = [
        f"<url><loc>{loc}</loc><lastmod>2026-{1 + index % 10:02}-12</lastmod></url>"
        for index, loc in enumerate(loc for loc in own if loc.startswith(f"{origin}/"))
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        + "".join(entries)
        + "</urlset>"
    )


def _alternate(html: str, url: str, language: str) -> dict[str, Any]:
    """Another language version, with the same set of versions in its head."""
    head = "".join(re.findall(r"<link[^>]*\bhreflang=[^>]*>", html))
    body = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{language}</title>'
        f'<link rel="canonical" href="{url}">{head}</head><body><p>The same page in another language.</p></body></html>'
    )
    return {"body": body, "headers": [["Content-Type", "text/html; charset=utf-8"]]}


NOT_FOUND = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Page not found</title><link rel="stylesheet" href="/error.css"></head>
<body>
<main>
<h1>There is no page here</h1>
<p>The address may be mistyped, or the page was taken away. What was moved leads on by itself, so that an old bookmark should still work.
If you followed a link of ours, please tell us which one: we look through these messages every Monday and mend what can be mended.</p>
<p><a href="/">To the home page</a></p>
<form action="/search"><label>Look for it <input name="q" type="search"></label> <button>Search</button></form>
</main>
</body>
</html>
"""
