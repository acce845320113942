"""Faults that are planted in the clean sites: each a small change of a site, with the causes that its report must have."""

import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from random import Random
from urllib.parse import quote

from msgspec import Struct

from tests.crawl.clean_sites import AMP_STORIES, ARCHIVE_PAGES, CANONICAL, COLLECTIONS, MAPS, PRODUCTS, SECTIONS, SHOPIFY, links, prose
from tests.crawl_sites import WORDS
from tests.sites.server import Site


class Fault(Struct, frozen=True):
    """Change of a clean site."""

    plant: Callable[[Site], None]
    causes: Mapping[str, int]
    """Number of causes by the check that reports them."""


def link(site: Site, on: str, *hrefs: str) -> None:
    """Links in the text of a page."""
    site.change(on, "</main>", links(((href, f"More about {href.strip('/') or 'home'}") for href in hrefs), "more") + "</main>")


def listed(site: Site, *paths: str) -> None:
    """Entries of the sitemap."""
    entries = "".join(f"<url><loc>{site.url(path).replace('&', '&amp;')}</loc></url>" for path in paths)
    site.change("/sitemap.xml", "</urlset>", f"{entries}</urlset>")


def without_canonical(site: Site, path: str) -> None:
    site.change(path, CANONICAL.format(site.url(path)), "")


def variant(path: str, *others: str, on: str = "/") -> Callable[[Site], None]:
    """A page that other URLs return as well, which a page links to."""

    def plant(site: Site) -> None:
        without_canonical(site, path)
        for other in others:
            site.copy(path, other)
        link(site, on, *others)
        listed(site, *others)

    return plant


def own_page(site: Site, path: str) -> None:
    """A further page with a text of its own."""
    site.copy("/jobs", path)
    site.change(path, prose("/jobs"), prose(path))
    site.change(path, "Jobs for joiners", f"Notes on {' '.join(Random(path).sample(WORDS, 3))}")
    site.change(path, f'{site.url("/jobs")}"', f'{site.url(path)}"')


def of_own_page(path: str, *others: str) -> Callable[[Site], None]:
    """A further page under several URLs."""

    def plant(site: Site) -> None:
        own_page(site, path)
        variant(path, *others)(site)
        link(site, "/", path)
        listed(site, path)

    return plant


CAFE = tuple(f"/{quote(unicodedata.normalize(form, 'café'))}" for form in ("NFC", "NFD"))


def _tracking(site: Site) -> None:
    for path in ("/services", "/prices", "/about"):
        link(site, path, "/contact?utm_source=site&utm_medium=text")


def _sessions(site: Site) -> None:
    for number, path in enumerate(("/services", "/prices", "/about")):
        link(site, path, f"/contact;jsessionid={Random(number).getrandbits(96):024X}")


def _parameter(site: Site) -> None:
    without_canonical(site, "/contact")
    hrefs = [f"/contact?from=place{number}" for number in range(60)]
    link(site, "/", *hrefs)
    listed(site, *hrefs)


def _missing_style(site: Site) -> None:
    for path in ("/prices", "/about"):
        site.change(path, "</head>", '<link rel="stylesheet" href="/old.css"></head>')


def _thin_notes(site: Site) -> None:
    for number, word in enumerate(WORDS[:6]):
        path = f"/notes/{word}"
        own_page(site, path)
        site.change(path, prose(path), f"<p>{' '.join(WORDS[8 * number : 8 * number + 20])}.</p>")
        link(site, "/", path)
        listed(site, path)


BUSINESS: Mapping[str, Fault] = {
    "missing-style": Fault(_missing_style, {"site-assets-broken": 1}),
    "thin-notes": Fault(_thin_notes, {"site-thin": 1}),
    "slash": Fault(variant("/services", "/services/"), {"site-slash-variants": 1}),
    "case": Fault(variant("/prices", "/Prices"), {"site-case-variants": 1}),
    "encoding": Fault(of_own_page(*CAFE), {"site-encoding-variants": 1}),
    "order": Fault(of_own_page("/find?a=1&b=2", "/find?b=2&a=1"), {"site-parameter-order": 1}),
    "tracking": Fault(_tracking, {"site-tracking-links": 1}),
    "sessions": Fault(_sessions, {"site-session-ids": 1}),
    "parameter": Fault(_parameter, {"site-parameters": 1}),
    "index": Fault(variant("/", "/index.html", on="/about"), {"site-index-variants": 1}),
}


def _old_folder(site: Site) -> None:
    for number, path in enumerate(_products()[:4]):
        link(site, path, f"/old/offer-{number}")


def _products() -> list[str]:
    return [SHOPIFY.product.format(f"{WORDS[n % len(WORDS)]}-{WORDS[(n * 7 + 3) % len(WORDS)]}-{n}") for n in range(PRODUCTS)]


def _open_facets(site: Site) -> None:
    site.change("/robots.txt", f"Disallow: /*?*{SHOPIFY.facet}\n", "")


FIRST_LIST = SHOPIFY.collection.format(COLLECTIONS[0])


def _first_as_canonical(site: Site) -> None:
    for number in (2, 3, 4):
        url = f"{FIRST_LIST}?page={number}"
        site.change(url, CANONICAL.format(site.url(url)), CANONICAL.format(site.url(FIRST_LIST)))


def _without_data(site: Site) -> None:
    for path in _products()[5:8]:
        site.change(path, '"@type": "Product"', '"@type": "Thing"')


def _empty_tags(site: Site) -> None:
    tags = [f"/tags/{word}" for word in WORDS[:5]]
    for path, word in zip(tags, WORDS, strict=False):
        site.copy("/imprint", path)
        site.change(path, prose("/imprint"), "<p>No products found.</p>")
        site.change(path, "Imprint of the store", f"Goods of {word}")
        site.change(path, f'{site.url("/imprint")}"', f'{site.url(path)}"')
    link(site, "/privacy", *tags)
    listed(site, *tags)


def picture(site: Site, on: str, src: str) -> None:
    """An image in the text of a page."""
    site.change(on, "</main>", f'<p><img src="{src}" alt="A view of it" width="400" height="300" loading="lazy"></p></main>')


def _missing_pictures(site: Site) -> None:
    for path in _products()[10:14]:
        picture(site, path, f"/pictures{path}.jpg")


STORE: Mapping[str, Fault] = {
    "missing-pictures": Fault(_missing_pictures, {"site-assets-broken": 1}),
    "old-folder": Fault(_old_folder, {"site-links-broken": 1}),
    "pagination": Fault(_first_as_canonical, {"site-pagination-broken": 1}),
    "partial-data": Fault(_without_data, {"site-sd-partial": 1}),
    "empty-tags": Fault(_empty_tags, {"site-empty-template": 1}),
    "open-facets": Fault(_open_facets, {"site-facets": 1}),
}


def without_languages(site: Site) -> None:
    """Pages that name no other language."""
    for page in MAPS:
        site.change(f"/{page}", 'rel="alternate" hreflang', 'rel="help" data-language')


def _old_news(site: Site) -> None:
    site.change("/news.xml", datetime.now(UTC).strftime("<news:publication_date>%Y"), "<news:publication_date>2019")


def _one_date(site: Site) -> None:
    site.change("/sitemap.xml", "</loc></url>", "</loc><lastmod>2020-02-02</lastmod></url>")


def _amp_pages(site: Site) -> None:
    for section in SECTIONS:
        for n in AMP_STORIES:
            path = f"/{section}/{WORDS[n]}-{WORDS[n + 7]}-{SECTIONS.index(section)}{n}"
            without = CANONICAL.format(site.url(path))
            site.change(f"/amp{path}", without, "")


def _archives_to_first(site: Site) -> None:
    for section in SECTIONS:
        for number in range(2, ARCHIVE_PAGES + 1):
            url = f"/{section}/page/{number}"
            site.change(url, CANONICAL.format(site.url(url)), CANONICAL.format(site.url(f"/{section}/")))


def _heavy_picture(site: Site) -> None:
    site.page("/heavy.jpg", "x" * 300_000, content_type="image/jpeg")
    for section in SECTIONS:
        picture(site, f"/{section}/", "/heavy.jpg")


NEWS: Mapping[str, Fault] = {
    "heavy-picture": Fault(_heavy_picture, {"site-images-heavy": 1}),
    "old-news": Fault(_old_news, {"site-news-sitemap": 1}),
    "one-date": Fault(_one_date, {"site-sitemap-lastmod": 1}),
    "amp-pages": Fault(_amp_pages, {"site-text-duplicate": 1}),
    "archives": Fault(_archives_to_first, {"site-pagination-broken": 1}),
}
