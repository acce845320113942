"""URLs of the extra requests for one page."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.head import Head, SentHead
from findable.artifacts.page.hreflang import Hreflang
from findable.artifacts.page.images import Images
from findable.artifacts.registry import Artifacts
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.capture.page import AssetKind
from findable.urls import join, parse, same_host, without_fragment


class AssetTarget(Struct, frozen=True):
    """Sub-resource of the page to request; its URL is absolute and without fragment."""

    url: str
    kind: AssetKind


class Targets(Struct, frozen=True):
    """URLs to request for one page: absolute, without fragments and duplicates, the most important first in case the budget ends."""

    page_url: str
    """Final URL of the page."""
    assets: tuple[AssetTarget, ...] = ()
    links_internal: tuple[str, ...] = ()
    """Links to the same host, ``www.`` aside."""
    links_external: tuple[str, ...] = ()
    canonical: str | None = None
    """Canonical URL, if it differs from the page's URL."""
    alternates: tuple[str, ...] = ()
    """Alternates declared with hreflang, without the page itself."""


MAX_LINKS = 3000
MAX_ASSETS = 1000
MAX_URL_CHARS = 8192
"""Length above which an attribute is not a URL; a data: URL is never resolved."""
SOCIAL_IMAGES = ("og:image", "og:image:secure_url", "og:image:url", "twitter:image", "twitter:image:src")


def find_targets(artifacts: Artifacts, page_url: str) -> Targets:
    """Return the URLs to request for the page as captured so far; only its own URL if it is not a 2xx HTML page."""
    page_url = without_fragment(page_url)
    document, sent = artifacts.get_or_none(Document), artifacts.get_or_none(SentHead)
    if document is None or sent is None:
        return Targets(page_url)
    hrefs = (element.attr("href") for element in document.all("a", "area")[:MAX_LINKS])
    links = list(_resolve_urls(document.base_url, hrefs, without=page_url))
    canonical, hreflang = artifacts.get_or_none(Canonical), artifacts.get_or_none(Hreflang)
    return Targets(
        page_url=page_url,
        assets=_assets(document.base_url, sent.head, artifacts.get_or_none(Resources), artifacts.get_or_none(Images)),
        links_internal=tuple(url for url in links if same_host(url, page_url)),
        links_external=tuple(url for url in links if not same_host(url, page_url)),
        canonical=None if canonical is None or canonical.is_self else canonical.target,
        alternates=tuple(hreflang.others) if hreflang else (),
    )


def _resolve_urls(base: str, hrefs: Iterable[str | None], without: str = "") -> Iterator[str]:
    """Yield each absolute http(s) URL once, without fragments."""
    seen = {without}
    for href in hrefs:
        url = without_fragment(join(base, href.strip()) or "") if href and len(href) <= MAX_URL_CHARS else ""
        if url not in seen and url.startswith(("http:", "https:")) and parse(url):
            seen.add(url)
            yield url


def _assets(base: str, head: Head, resources: Resources | None, images: Images | None) -> tuple[AssetTarget, ...]:
    items = resources.items if resources else ()
    groups: list[tuple[AssetKind, Iterable[str | None]]] = [
        (AssetKind.STYLESHEET, (item.url for item in items if item.kind is ResourceKind.STYLESHEET)),
        (AssetKind.SCRIPT, (item.url for item in items if item.kind is ResourceKind.SCRIPT)),
        (AssetKind.ICON, (item.url for item in items if item.kind is ResourceKind.ICON)),
        (AssetKind.SOCIAL, (meta.content for name in SOCIAL_IMAGES for meta in head.properties(name))),
        (AssetKind.IMAGE, (item.url for item in items if item.kind is ResourceKind.IMAGE)),
        (AssetKind.IMAGE, (url for _, url in images.backgrounds) if images else ()),
        (AssetKind.FONT, (item.url for item in items if item.kind is ResourceKind.FONT)),
        (AssetKind.FONT, resources.font_urls if resources else ()),
        # URLs for other screen sizes come last.
        (AssetKind.IMAGE, (url for image in images.items for url in image.urls) if images else ()),
    ]
    found: dict[str, AssetTarget] = {}
    for kind, hrefs in groups:
        for url in _resolve_urls(base, hrefs):
            found.setdefault(url, AssetTarget(url, kind))
    return tuple(found.values())[:MAX_ASSETS]
