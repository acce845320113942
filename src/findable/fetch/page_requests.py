"""Make the extra requests of a report for the page."""

import asyncio
from collections.abc import Container, Coroutine, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from findable import urls
from findable.artifacts.request_targets import AssetTarget, Targets
from findable.artifacts.site.language_versions import listed_versions
from findable.capture.page import AssetKind, PageProbes
from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.internet_route import is_cut_off, mark_unreachable
from findable.fetch.preview import NO_PREVIEW, PreviewOrigin
from findable.fetch.prober import Prober

CANONICAL_CAP_BYTES = 512 * 1024
IMAGE_RANGE_BYTES = 64 * 1024
CODE_CAP_BYTES = 512 * 1024
HTTP_VARIANT_CAP_BYTES = 16 * 1024
ALTERNATE_CAP_BYTES = 128 * 1024
MAX_ALTERNATES = 20
OUTSIDE_LEAST_PART = 3
OWN_REQUESTS = 10
"""Requests reserved for the page's own host besides assets and links: robots.txt, canonical, plain http, TLS versions."""
_WHOLE = frozenset({AssetKind.STYLESHEET, AssetKind.SCRIPT})
Job = Coroutine[Any, Any, ProbeResponse]
T = TypeVar("T")


async def probe_page(
    fetcher: Fetcher,
    targets: Targets,
    budget: Budget,
    site: SiteCapture,
    *,
    identity: Identity = NOBODY,
    preview: PreviewOrigin = NO_PREVIEW,
) -> PageProbes:
    """Make the page requests: assets, links, canonical and alternates. Network errors never raise.

    Links in ``site.links`` are not requested again. Assets and links beyond the budget are only counted.
    """
    known = {response.url: response for response in site.links}
    own = Prober(fetcher, budget, identity, preview, samples_heads=True)
    outside = Prober(fetcher, _external_share(budget, targets, known), identity, preview)

    def prober_of(url: str) -> Prober:
        """Return the prober of a URL. External hosts have a separate queue: slow and dead ones must not delay requests to the site."""
        return own if urls.same_host(preview.request_url(url), targets.page_url) else outside

    def polite(url: str, cap_bytes: int) -> Job:
        return prober_of(url).fetch_politely(url, cap_bytes=cap_bytes)

    page_url = preview.public_url(targets.page_url)
    entries = fetcher.listings.entries(site.origin, [targets.page_url, page_url, *([targets.canonical] if targets.canonical else [])])
    named = (*targets.alternates, *listed_versions(entries, page_url))
    versions = [url for url in dict.fromkeys(named) if url not in (targets.page_url, page_url)][:MAX_ALTERNATES]
    alternates: dict[str, asyncio.Task[ProbeResponse]] = {}
    assets: dict[str, asyncio.Task[ProbeResponse]] = {}
    links: dict[str, asyncio.Task[ProbeResponse]] = {}
    # Order in which the budget is used: a few requests of each kind first, then the rest.
    jobs = _interleave(
        [(alternates, url, polite(url, ALTERNATE_CAP_BYTES)) for url in versions],
        [(assets, asset.url, _request_asset(prober_of(asset.url), asset)) for asset in targets.assets],
        [(links, url, _check_link(prober_of(url), url, known)) for url in _interleave(targets.links_internal, targets.links_external)],
    )
    async with asyncio.TaskGroup() as group:
        canonical = group.create_task(polite(targets.canonical, CANONICAL_CAP_BYTES)) if targets.canonical else None
        insecure_url = _over_http(targets.page_url)
        http_variant = group.create_task(own.request(insecure_url, cap_bytes=HTTP_VARIANT_CAP_BYTES)) if insecure_url else None
        for kind, url, job in jobs:
            kind[url] = group.create_task(job)
    budget.ended_by = budget.ended_by or outside.budget.ended_by
    asset_answers = _sent_responses(assets.values())
    link_answers = _sent_responses(links[url] for url in (*targets.links_internal, *targets.links_external))
    probes = PageProbes(
        assets=asset_answers,
        links=link_answers,
        canonical=canonical.result() if canonical else None,
        alternates=tuple(task.result() for task in alternates.values()),
        http_variant=http_variant.result() if http_variant else None,
        links_left_count=len(links) - len(link_answers),
        assets_left_count=len(assets) - len(asset_answers),
        sitemap_entries=entries,
        alternate_entries=fetcher.listings.entries(site.origin, versions),
        sitemaps_searched=fetcher.listings.has(site.origin),
    )
    return _mark_unreachable_hosts(probes, site, targets.page_url)


def _external_share(budget: Budget, targets: Targets, known: Container[str]) -> Budget:
    """Return the budget for external hosts: the requests that the page's own host does not need, but at least a third."""
    internal_urls = [
        *(url for url in targets.links_internal if url not in known),
        *(asset.url for asset in targets.assets if urls.same_host(asset.url, targets.page_url)),
        *(url for url in targets.alternates if urls.same_host(url, targets.page_url)),
    ]
    left_count = budget.requests_left
    most_count = max(left_count - len(internal_urls) - OWN_REQUESTS, left_count // OUTSIDE_LEAST_PART)
    return budget.part(share_s=budget.left_s, max_requests=most_count, max_bytes=budget.bytes_left)


def _mark_unreachable_hosts(probes: PageProbes, site: SiteCapture, page_url: str) -> PageProbes:
    """Mark results of external hosts as unknown if this machine has no internet connection."""
    canonical = (probes.canonical,) if probes.canonical else ()
    if not is_cut_off(site, page_url, (*probes.assets, *probes.links, *probes.alternates, *canonical)):
        return probes
    return replace(
        probes,
        assets=mark_unreachable(page_url, probes.assets),
        links=mark_unreachable(page_url, probes.links),
        alternates=mark_unreachable(page_url, probes.alternates),
        canonical=next(iter(mark_unreachable(page_url, canonical)), None),
    )


def _interleave(*rows: Sequence[T]) -> list[T]:
    """Return the first item of each row, then the second of each, and so on."""
    length = max((len(row) for row in rows), default=0)
    return [row[turn] for turn in range(length) for row in rows if turn < len(row)]


async def _request_asset(prober: Prober, asset: AssetTarget) -> ProbeResponse:
    if asset.kind in _WHOLE:
        return await prober.request(asset.url, cap_bytes=CODE_CAP_BYTES)
    return await prober.request(asset.url, cap_bytes=IMAGE_RANGE_BYTES, range_bytes=IMAGE_RANGE_BYTES)


async def _check_link(prober: Prober, url: str, responses: Mapping[str, ProbeResponse]) -> ProbeResponse:
    return responses[url] if url in responses else await prober.check_link(url)


def _sent_responses(tasks: Iterable[asyncio.Task[ProbeResponse]]) -> tuple[ProbeResponse, ...]:
    """Return the responses of finished tasks, without requests that the budget prevented."""
    responses = (task.result() for task in tasks)
    return tuple(response for response in responses if response.failure is not Failure.BUDGET)


def _over_http(page_url: str) -> str | None:
    page = urls.parse(page_url)
    if page is None or page.scheme != "https" or page.port != urls.DEFAULT_PORTS["https"]:
        return None
    return f"http{page.href.removeprefix('https')}"
