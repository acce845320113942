"""Make the extra requests of a report for the site."""

import asyncio
from collections.abc import Container
from enum import StrEnum
from hashlib import sha256

from findable import clock, urls
from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.handshakes import Versions
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.preview import NO_PREVIEW, PreviewOrigin
from findable.fetch.prober import Prober
from findable.fetch.sitemaps import read_sitemaps

SITE_SHARE_S = 6.0
SITE_MAX_REQUESTS = 40
SITE_MAX_BYTES = 3_500_000
HOME_CAP_BYTES = 512 * 1024
VARIANT_CAP_BYTES = 16 * 1024
NOT_FOUND_CAP_BYTES = 256 * 1024
ICON_RANGE_BYTES = 64 * 1024
LLMS_TXT_CAP_BYTES = 64 * 1024
SAMPLE_CAP_BYTES = 32 * 1024
MAX_SAMPLE = 10
LANGUAGES = ("", "en", "de")
"""Values of Accept-Language; the first request has none."""
LANGUAGE_CAP_BYTES = 32 * 1024
LANGUAGES_LEAST_S = 2.0


class SitePart(StrEnum):
    """Group of requests for the site, besides robots.txt, that a caller can leave out."""

    NOT_FOUND = "not_found"
    VARIANTS = "variants"
    FAVICON = "favicon"
    HOME = "home"
    LLMS_TXT = "llms_txt"
    SITEMAPS = "sitemaps"
    LANGUAGES = "languages"


SITE_PARTS = frozenset(SitePart)


async def probe_site(
    fetcher: Fetcher,
    page_url: str,
    budget: Budget,
    *,
    identity: Identity = NOBODY,
    preview: PreviewOrigin = NO_PREVIEW,
    parts: Container[SitePart] = SITE_PARTS,
) -> SiteCapture:
    """Make the site requests for the final URL, independent of the page. Network errors never raise.

    ``parts`` that are left out are empty.
    """
    page = urls.parse(page_url)
    if page is None:
        raise ValueError(f"not an absolute URL: {page_url!r}")
    origin = page.origin
    share = budget.part(share_s=SITE_SHARE_S, max_requests=SITE_MAX_REQUESTS, max_bytes=SITE_MAX_BYTES)
    prober = Prober(fetcher, share, identity, preview)
    captured_at = clock.rfc3339(clock.now())
    fetcher.robots_txt_cache.delete(origin)
    robots_txt = await prober.robots_txt(origin)
    home_url = f"{origin}/"
    async with asyncio.TaskGroup() as group:
        start = group.create_task

        def request_part(part: SitePart, url: str, cap_bytes: int, range_bytes: int | None = None) -> asyncio.Task[ProbeResponse] | None:
            return start(prober.request(url, cap_bytes=cap_bytes, range_bytes=range_bytes)) if part in parts else None

        made_up = request_part(SitePart.NOT_FOUND, non_existent_url(origin), NOT_FOUND_CAP_BYTES)
        variants = [request_part(SitePart.VARIANTS, url, VARIANT_CAP_BYTES) for url in variant_urls(origin)]
        favicon = request_part(SitePart.FAVICON, f"{origin}/favicon.ico", ICON_RANGE_BYTES, ICON_RANGE_BYTES)
        is_home = urls.without_fragment(page_url) == home_url
        home = None if is_home else request_part(SitePart.HOME, home_url, HOME_CAP_BYTES)
        llms_txt = request_part(SitePart.LLMS_TXT, f"{origin}/llms.txt", LLMS_TXT_CAP_BYTES)
        sitemaps = await read_sitemaps(prober, origin, robots_txt, sample_count=MAX_SAMPLE) if SitePart.SITEMAPS in parts else None
        sample = [start(prober.fetch_politely(url, cap_bytes=SAMPLE_CAP_BYTES)) for url in (sitemaps.sample if sitemaps else ())]
    languages = await _request_languages(prober, home_url, identity) if SitePart.LANGUAGES in parts else ()
    if sitemaps:
        fetcher.listings.store(origin, sitemaps.listing)
    return SiteCapture(
        origin=origin,
        captured_at=captured_at,
        robots_txt=robots_txt,
        sitemaps=sitemaps.responses if sitemaps else (),
        sitemap_sample=tuple(task.result() for task in sample),
        made_up=made_up.result() if made_up else None,
        home=home.result() if home else None,
        variants=tuple(task.result() for task in variants if task),
        favicon=favicon.result() if favicon else None,
        llms_txt=llms_txt.result() if llms_txt else None,
        languages=languages,
    )


def variant_urls(origin: str) -> tuple[str, ...]:
    """Return the URLs of ``/`` over http and https, with and without www.

    Other subdomains have only the two schemes. IP addresses and hosts with a non-default port have no variants.
    """
    site = urls.parse(origin)
    if site is None or site.port != urls.DEFAULT_PORTS.get(site.scheme) or urls.is_ip(site.host) or "." not in site.host:
        return ()
    bare = urls.without_www(site.host)
    hosts = (bare, f"www.{bare}") if urls.registrable_domain(bare) == bare else (site.host,)
    return tuple(f"{scheme}://{host}/" for scheme in ("http", "https") for host in hosts)


def non_existent_url(origin: str) -> str:
    """Return a non-existent URL, constant per site, so that two runs can be compared."""
    return f"{origin}/findable-{sha256(origin.encode()).hexdigest()[:16]}"


async def probe_tls(fetcher: Fetcher, page_url: str, budget: Budget, *, identity: Identity = NOBODY) -> Versions:
    """Return the TLS versions that the server of a page accepts. Network errors never raise."""
    page = urls.parse(page_url)
    if page is None or page.scheme != "https":
        return ()
    prober = Prober(fetcher, budget, identity)
    return await fetcher.handshakes.versions(page.origin, lambda version: prober.accepts_tls(page_url, version))


async def _request_languages(prober: Prober, home_url: str, identity: Identity) -> tuple[tuple[str, ProbeResponse], ...]:
    """Request the home page in each of LANGUAGES, if the budget allows; never with credentials."""
    budget = prober.budget
    if identity.has_credentials or budget.requests_left < len(LANGUAGES) or budget.left_s < LANGUAGES_LEAST_S:
        return ()
    request = prober.request
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(request(home_url, cap_bytes=LANGUAGE_CAP_BYTES, accept_language=language or None, with_cookies=False))
            for language in LANGUAGES
        ]
    responses = [task.result() for task in tasks]
    return tuple((sent, response) for sent, response in zip(LANGUAGES, responses, strict=True) if response.failure is not Failure.BUDGET)
