"""Fetch the sitemaps of a site, declared in robots.txt or else at the usual locations, and the files of an index."""

import asyncio

from msgspec import Struct, field
from msgspec.structs import replace

from findable import urls
from findable.capture.response import Failure, ProbeResponse
from findable.capture.sitemap_summary import SitemapForm
from findable.fetch.prober import Prober
from findable.fetch.sitemap_stream import DECODED_CAP_BYTES, WIRE_CAP_BYTES, ListedPages, SitemapReader, SitemapStream
from findable.formats.robots_txt import RobotsTxt

USUAL_PATHS = ("/sitemap.xml", "/sitemap_index.xml")
MAX_FILES = 10


class FoundSitemaps(Struct):
    """Sitemaps of a site: the responses, the pages they list, and a sample of these to check."""

    responses: tuple[ProbeResponse, ...] = ()
    listing: dict[str, ListedPages] = field(default_factory=dict)
    sample: tuple[str, ...] = ()
    """Listed URLs to check, evenly spread."""


def declared_sitemaps(robots_txt: ProbeResponse) -> tuple[str, ...]:
    """Return the URLs of ``Sitemap:`` lines, resolved and without duplicates."""
    if not robots_txt.ok:
        return ()
    found = (urls.join(robots_txt.final_url, line.url) for line in RobotsTxt.parse(robots_txt.body).sitemaps)
    return tuple(dict.fromkeys(url for url in found if url))[:MAX_FILES]


async def read_sitemaps(prober: Prober, origin: str, robots_txt: ProbeResponse, *, sample_count: int) -> FoundSitemaps:
    """Read up to MAX_FILES sitemap files of a site; files beyond the budget have `Failure.BUDGET`."""
    sitemaps = FoundSitemaps()
    queue = list(declared_sitemaps(robots_txt))
    if queue:
        first = await asyncio.gather(*(_read(prober, url, sitemaps) for url in queue))
    else:
        first = [await _read(prober, origin + USUAL_PATHS[0], sitemaps)]
        if not first[0].ok:
            first.append(await _read(prober, origin + USUAL_PATHS[1], sitemaps))
    asked = {response.url for response in first}
    children = [child for response in first for child in _children(response) if prober.preview.request_url(child) not in asked]
    wanted = list(dict.fromkeys(children))[: max(0, MAX_FILES - len(first))] if len(first) < MAX_FILES else []
    rest = await asyncio.gather(*(_read(prober, url, sitemaps) for url in wanted))
    responses = [*first, *rest]
    left_count = len(dict.fromkeys(children)) - len(wanted)
    if left_count > 0:
        responses.append(ProbeResponse(children[-1], failure=Failure.BUDGET, left_count=left_count))
    sitemaps.responses = tuple(responses)
    sitemaps.sample = _sample(sitemaps.responses, prober.preview.public_url(origin), sample_count)
    return sitemaps


def _children(response: ProbeResponse) -> list[str]:
    if response.sitemap is None or response.sitemap.form is not SitemapForm.INDEX:
        return []
    resolved = (urls.join(response.final_url, child) for child in response.sitemap.children)
    return [child for child in resolved if child]


async def _read(prober: Prober, url: str, sitemaps: FoundSitemaps) -> ProbeResponse:
    reader = SitemapReader(prober.preview.public_url(url))
    stream = SitemapStream(reader)
    response = await prober.request(url, cap_bytes=WIRE_CAP_BYTES, decoded_cap_bytes=DECODED_CAP_BYTES, sink=stream.feed)
    if not response.ok or response.failure is not Failure.NONE:
        return replace(response, body=bytes(stream.start))
    whole = not response.truncated and not response.decode_error and stream.finish()
    summary = reader.summary(read_to_end=whole)
    if summary.form is not SitemapForm.INDEX:
        sitemaps.listing[url] = reader.listed
    is_cut = response.truncated or summary.decoded_bytes > len(stream.start)
    return replace(response, body=bytes(stream.start), truncated=is_cut, sitemap=summary)


def _sample(responses: tuple[ProbeResponse, ...], origin: str, count: int) -> tuple[str, ...]:
    """Return URLs from the sitemaps on the site's own host, distributed evenly among the samples of all files."""
    summaries = [response.sitemap for response in responses if response.sitemap and response.sitemap.form is not SitemapForm.INDEX]
    kept = [entry.url for summary in summaries for entry in summary.sample]
    own = [url for url in dict.fromkeys(kept) if urls.same_host(url, origin)]
    if len(own) <= count:
        return tuple(own)
    return tuple(own[position * len(own) // count] for position in range(count))
