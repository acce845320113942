"""The extra requests of a report: what belongs to the site, and what belongs to the page."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

from findable import clock, urls
from findable.artifacts.capture import PageProbes, SiteCapture
from findable.artifacts.response import Answer, Failure
from findable.artifacts.targets import AssetKind, AssetTarget, Targets
from findable.fetch.addresses import is_special, parse_address, readings
from findable.fetch.budget import Budget
from findable.fetch.client import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.prober import Prober
from findable.fetch.sitemaps import read_sitemaps

__all__ = ["Budget", "made_up_url", "probe_page", "probe_site", "variant_urls"]

SITE_SHARE_S = 6.0
SITE_MAX_REQUESTS = 40
SITE_MAX_BYTES = 3_500_000
PAGE_CAP_BYTES = 512 * 1024
MADE_UP_CAP_BYTES = 256 * 1024
ICON_RANGE_BYTES = 64 * 1024
IMAGE_RANGE_BYTES = 64 * 1024
CODE_CAP_BYTES = 512 * 1024
LLMS_TXT_CAP_BYTES = 64 * 1024
VARIANT_CAP_BYTES = 16 * 1024
SAMPLE_CAP_BYTES = 32 * 1024
ALTERNATE_CAP_BYTES = 128 * 1024
MAX_ALTERNATES = 20
MAX_SAMPLE = 10
MIN_DEAD_HOSTS = 3
"""So many external hosts, none of which can be reached, are no coincidence: there is no way out from here."""

_WHOLE = frozenset({AssetKind.STYLESHEET, AssetKind.SCRIPT})
_UNREACHED = frozenset({Failure.DNS, Failure.CONNECT, Failure.TIMEOUT})
T = TypeVar("T")


# --- the site ---------------------------------------------------------------------------------------------------------


async def probe_site(fetcher: Fetcher, page_url: str, budget: Budget, *, identity: Identity = NOBODY) -> SiteCapture:
    """What belongs to the site of the final URL, independent of the page. Never raises for what the network does."""
    page = urls.parse(page_url)
    if page is None:
        msg = f"not an absolute URL: {page_url!r}"
        raise ValueError(msg)
    origin = page.origin
    share = budget.part(share_s=SITE_SHARE_S, max_requests=SITE_MAX_REQUESTS, max_bytes=SITE_MAX_BYTES)
    prober = Prober(fetcher, share, identity)
    captured_at = clock.rfc3339(clock.now())
    fetcher.permissions.forget(origin)
    robots_txt = await prober.robots_txt(origin)
    home_url = f"{origin}/"
    async with asyncio.TaskGroup() as group:
        start = group.create_task
        made_up = start(prober.ask(made_up_url(origin), cap_bytes=MADE_UP_CAP_BYTES))
        variants = [start(prober.ask(url, cap_bytes=VARIANT_CAP_BYTES)) for url in variant_urls(origin)]
        favicon = start(prober.ask(f"{origin}/favicon.ico", cap_bytes=ICON_RANGE_BYTES, range_bytes=ICON_RANGE_BYTES))
        is_home = urls.without_fragment(page_url) == home_url
        home = None if is_home else start(prober.ask(home_url, cap_bytes=PAGE_CAP_BYTES))
        llms_txt = start(prober.ask(f"{origin}/llms.txt", cap_bytes=LLMS_TXT_CAP_BYTES))
        sitemaps = await read_sitemaps(prober, origin, robots_txt, sample_count=MAX_SAMPLE)
        sample = [start(prober.ask_politely(url, cap_bytes=SAMPLE_CAP_BYTES)) for url in sitemaps.sample]
    fetcher.listings.keep(origin, sitemaps.listing)
    return SiteCapture(
        origin=origin,
        captured_at=captured_at,
        robots_txt=robots_txt,
        sitemaps=sitemaps.answers,
        sitemap_sample=tuple(task.result() for task in sample),
        made_up=made_up.result(),
        home=home.result() if home else None,
        variants=tuple(task.result() for task in variants),
        favicon=favicon.result(),
        llms_txt=llms_txt.result(),
    )


def variant_urls(origin: str) -> tuple[str, ...]:
    """Http and https × www and apex of ``/``; both schemes alone for another subdomain; none for an IP address or a port of its own."""
    site = urls.parse(origin)
    if site is None or site.port != urls.DEFAULT_PORTS.get(site.scheme) or urls.is_ip(site.host) or "." not in site.host:
        return ()
    bare = urls.without_www(site.host)
    hosts = (bare, f"www.{bare}") if urls.registrable_domain(bare) == bare else (site.host,)
    return tuple(f"{scheme}://{host}/" for scheme in ("http", "https") for host in hosts)


def made_up_url(origin: str) -> str:
    """An address that cannot exist, the same for a site each time, so that two runs can be compared."""
    return f"{origin}/findable-{sha256(origin.encode()).hexdigest()[:16]}"


# --- the page ---------------------------------------------------------------------------------------------------------


async def probe_page(fetcher: Fetcher, targets: Targets, budget: Budget, site: SiteCapture, *, identity: Identity = NOBODY) -> PageProbes:
    """What belongs to one page: its assets, its links, its canonical and alternates. Never raises for what the network does.

    Links that ``site.links`` knows are not asked again. Assets and links that did not fit the budget are counted, not listed.
    """
    prober = Prober(fetcher, budget, identity)
    known = {answer.url: answer for answer in site.links}
    alternates: dict[str, asyncio.Task[Answer]] = {}
    assets: dict[str, asyncio.Task[Answer]] = {}
    links: dict[str, asyncio.Task[Answer]] = {}
    # Started in this order, and the budget serves who comes first: a bit of everything, then more of everything.
    jobs = _mixed(
        [(alternates, url, prober.ask_politely(url, cap_bytes=ALTERNATE_CAP_BYTES)) for url in targets.alternates[:MAX_ALTERNATES]],
        [(assets, asset.url, _asset(prober, asset)) for asset in targets.assets],
        [(links, url, _link(prober, url, known)) for url in _mixed(targets.links_internal, targets.links_external)],
    )
    async with asyncio.TaskGroup() as group:
        canonical = group.create_task(prober.ask_politely(targets.canonical, cap_bytes=PAGE_CAP_BYTES)) if targets.canonical else None
        insecure_url = _over_http(targets.page_url)
        http_variant = group.create_task(prober.ask(insecure_url, cap_bytes=VARIANT_CAP_BYTES)) if insecure_url else None
        for kind, url, job in jobs:
            kind[url] = group.create_task(job)
    asset_answers = _answered(assets.values())
    by_url = {answer.url: answer for answer in _answered(links.values())}
    if _has_no_route(site, [by_url[url] for url in targets.links_external if url in by_url]):
        for url in targets.links_external:
            if url in by_url and by_url[url].failure in _UNREACHED:
                by_url[url] = Answer(url, failure=Failure.NO_ROUTE, detail="no host outside could be reached at all")
    page_urls = [targets.page_url, *([targets.canonical] if targets.canonical else [])]
    return PageProbes(
        assets=asset_answers,
        links=tuple(by_url[url] for url in (*targets.links_internal, *targets.links_external) if url in by_url),
        canonical=canonical.result() if canonical else None,
        alternates=tuple(task.result() for task in alternates.values()),
        http_variant=http_variant.result() if http_variant else None,
        links_left_count=len(links) - len(by_url),
        assets_left_count=len(assets) - len(asset_answers),
        sitemap_entries=fetcher.listings.entries(site.origin, page_urls),
        sitemaps_searched=fetcher.listings.knows(site.origin),
    )


def _mixed(*rows: Sequence[T]) -> list[T]:
    """One of each row in turn."""
    length = max((len(row) for row in rows), default=0)
    return [row[turn] for turn in range(length) for row in rows if turn < len(row)]


async def _asset(prober: Prober, asset: AssetTarget) -> Answer:
    if asset.kind in _WHOLE:
        return await prober.ask(asset.url, cap_bytes=CODE_CAP_BYTES)
    return await prober.ask(asset.url, cap_bytes=IMAGE_RANGE_BYTES, range_bytes=IMAGE_RANGE_BYTES)


async def _link(prober: Prober, url: str, known: Mapping[str, Answer]) -> Answer:
    return known[url] if url in known else await prober.ask_link(url)


def _answered(tasks: Iterable[asyncio.Task[Answer]]) -> tuple[Answer, ...]:
    """Without those that the budget left out."""
    answers = (task.result() for task in tasks)
    return tuple(answer for answer in answers if answer.failure is not Failure.BUDGET)


def _over_http(page_url: str) -> str | None:
    page = urls.parse(page_url)
    if page is None or page.scheme != "https" or page.port != urls.DEFAULT_PORTS["https"]:
        return None
    return f"http{page.href.removeprefix('https')}"


def _has_no_route(site: SiteCapture, external: Sequence[Answer]) -> bool:
    """Whether nothing outside could be reached, so that nothing is known of it.

    A page on a public address shows that there is a way out: then it takes MIN_DEAD_HOSTS dead hosts to doubt it.
    """
    asked = [answer for answer in external if answer.hops or answer.failure in _UNREACHED]
    if not asked or any(answer.hops for answer in asked):
        return False
    dead_hosts_count = len({parsed.host for answer in asked if (parsed := urls.parse(answer.url))})
    return dead_hosts_count >= MIN_DEAD_HOSTS or not _is_public(site.robots_txt)


def _is_public(answer: Answer) -> bool:
    address = parse_address(answer.hops[-1].address) if answer.hops else None
    return address is not None and not any(is_special(reading) for reading in readings(address))
