"""Faults that are planted in the clean sites: each a small change of a site, with the causes that its report must have."""

import unicodedata
from collections.abc import Callable, Mapping
from random import Random
from urllib.parse import quote

from msgspec import Struct

from tests.crawl.clean_sites import CANONICAL, links, prose
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


BUSINESS: Mapping[str, Fault] = {
    "slash": Fault(variant("/services", "/services/"), {"site-slash-variants": 1}),
    "case": Fault(variant("/prices", "/Prices"), {"site-case-variants": 1}),
    "encoding": Fault(of_own_page(*CAFE), {"site-encoding-variants": 1}),
    "order": Fault(of_own_page("/find?a=1&b=2", "/find?b=2&a=1"), {"site-parameter-order": 1}),
    "double-slash": Fault(of_own_page("/legal/notes", "/legal//notes"), {"site-duplicate-slash": 1}),
    "tracking": Fault(_tracking, {"site-tracking-links": 1}),
    "sessions": Fault(_sessions, {"site-session-ids": 1}),
    "parameter": Fault(_parameter, {"site-parameters": 1}),
    "index": Fault(variant("/", "/index.html", on="/about"), {"site-index-variants": 1}),
}
