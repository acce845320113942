"""Fetch the sitemaps of a site, declared in robots.txt or else at the usual locations, and the files of an index."""

import asyncio
import math
from collections.abc import Mapping
from itertools import islice

from msgspec import Struct, field, structs
from msgspec.structs import replace

from findable import urls
from findable.capture.response import Failure, ProbeResponse
from findable.capture.sitemap_summary import SitemapForm, SitemapSummary
from findable.clock import monotonic_s
from findable.errors import Cause, SitemapError
from findable.fetch.decode import Decoder
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.prober import Prober
from findable.fetch.sitemap_stream import ListedPages, SitemapReader
from findable.formats.mime_sniffing import looks_like_html
from findable.formats.robots_txt import RobotsTxt

USUAL_PATHS = ("/sitemap.xml", "/sitemap_index.xml")
MAX_FILES = 10
DECODED_CAP_BYTES = 50_000_000
"""Maximum number of decoded bytes that are read. The protocol limits an uncompressed file to 52,428,800 bytes."""
STORED_BODY_BYTES = 256 * 1024
WIRE_CAP_BYTES = 3_000_000
LISTED_TIMEOUT_S = 30.0
_NO_RESPONSE = frozenset({Failure.DNS, Failure.CONNECT, Failure.TLS, Failure.TIMEOUT})
_GZIP = b"\x1f\x8b"


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
    stream = _Stream(reader)
    response = await prober.request(url, cap_bytes=WIRE_CAP_BYTES, decoded_cap_bytes=DECODED_CAP_BYTES, sink=stream.feed)
    if not response.ok or response.failure is not Failure.NONE:
        return replace(response, body=bytes(stream.start))
    whole = not response.truncated and not response.decode_error and stream.finish()
    summary = reader.summary(read_to_end=whole)
    if summary.form is not SitemapForm.INDEX:
        sitemaps.listing[url] = reader.listed
    is_cut = response.truncated or summary.decoded_bytes > len(stream.start)
    return replace(response, body=bytes(stream.start), truncated=is_cut, sitemap=summary)


class _Stream:
    """Sink that decompresses a ``.gz`` file (which is not a content coding), stores its beginning and feeds the reader."""

    def __init__(self, reader: SitemapReader) -> None:
        self.start = bytearray()
        self._reader = reader
        self._gzip: Decoder | None = None
        self._is_first = True

    def feed(self, data: bytes) -> bool:
        if data and self._is_first:
            self._is_first = False
            self._gzip = Decoder("gzip", DECODED_CAP_BYTES) if data.startswith(_GZIP) else None
        if self._gzip is None:
            return self._feed_reader(data)
        goes_on = self._gzip.feed(data)
        return self._feed_reader(self._gzip.take()) and goes_on

    def _feed_reader(self, data: bytes) -> bool:
        if len(self.start) < STORED_BODY_BYTES:
            self.start += data[: STORED_BODY_BYTES - len(self.start)]
        return self._reader.feed(data) if data else True

    def finish(self) -> bool:
        """Mark the end of the transfer; return False if the file itself is incomplete."""
        if self._gzip is not None:
            self._gzip.finish()
            if self._gzip.error or self._gzip.truncated:
                return False
        self._reader.finish()
        return True


def _sample(responses: tuple[ProbeResponse, ...], origin: str, count: int) -> tuple[str, ...]:
    """Return URLs from the sitemaps on the site's own host, distributed evenly among the samples of all files."""
    summaries = [response.sitemap for response in responses if response.sitemap and response.sitemap.form is not SitemapForm.INDEX]
    kept = [entry.url for summary in summaries for entry in summary.sample]
    own = [url for url in dict.fromkeys(kept) if urls.same_host(url, origin)]
    if len(own) <= count:
        return tuple(own)
    return tuple(own[position * len(own) // count] for position in range(count))


class _Collector(SitemapReader):
    """Reader that collects distinct http(s) URLs up to a limit."""

    def __init__(self, url: str, limit: int) -> None:
        super().__init__(url)
        self.found: dict[str, str] = {}
        """Dates of the last change by URL, as written; empty without one."""
        self._limit = limit

    def feed(self, data: bytes) -> bool:
        return super().feed(data) and len(self.found) < self._limit

    def _add_entry(self, loc: str, date: str) -> None:
        super()._add_entry(loc, date)
        if self._form is not SitemapForm.INDEX and len(self.found) < self._limit:
            parsed = urls.parse(loc)
            if parsed is not None and parsed.is_http:
                self.found.setdefault(loc, date)


class SitemapUrls(Struct, frozen=True):
    """Page URLs in a sitemap, or the reason why there are none."""

    dates: Mapping[str, str]
    """Dates of the last change by page URL, as written, empty without one; from an invalid file, those before the error."""
    error: SitemapError | None = None
    """Reason why there are no URLs; empty if there are some."""
    has_no_response: bool = False
    """Whether there was no response at all."""

    @property
    def urls(self) -> tuple[str, ...]:
        """Page URLs without duplicates."""
        return tuple(self.dates)


async def listed_urls(
    fetcher: Fetcher,
    url: str,
    limit: int,
    *,
    identity: Identity = NOBODY,
    preview_of: str = "",
    follow_index: bool = True,
    total_timeout_s: float = math.inf,
) -> SitemapUrls:
    """Return the first ``limit`` page URLs of a sitemap and the files of an index; at the timeout, those read so far.

    ``identity`` is sent to its own origin only. ``preview_of`` is the origin that the preview at ``url`` will have; the index of a preview
    lists its files there, and they are requested beside the index.
    """
    until_s = monotonic_s() + total_timeout_s
    reader = _Collector(url, limit)
    stream = _Stream(reader)
    response = await fetcher.request(
        url,
        body_cap_bytes=DECODED_CAP_BYTES,
        wire_cap_bytes=WIRE_CAP_BYTES,
        sink=stream.feed,
        timeout_s=min(LISTED_TIMEOUT_S, total_timeout_s),
        identity=identity,
    )
    if not response.ok or (response.failure is not Failure.NONE and not reader.found):
        return SitemapUrls({}, _unread_error(response), has_no_response=response.failure in _NO_RESPONSE)
    stream.finish()
    found, summary, error = reader.found, reader.summary(read_to_end=True), None
    children = (urls.join(response.final_url, child) for child in summary.children)
    children = (child and urls.move_to_origin(child, preview_of, urls.origin_part(url)) for child in children)
    for child in dict.fromkeys(children) if follow_index else ():
        left_s = until_s - monotonic_s()
        if left_s <= 0:
            error = error or SitemapError(Cause.FILES_TIMEOUT, text=f"{total_timeout_s:.0f}")
        if len(found) >= limit or left_s <= 0:
            break
        if child is not None:
            listed = await listed_urls(fetcher, child, limit, identity=identity, follow_index=False, total_timeout_s=left_s)
            for page, date in listed.dates.items():
                found.setdefault(page, date)
            error = error or (structs.replace(listed.error, file=child) if listed.error else None)
    return SitemapUrls(dict(islice(found.items(), limit)), None if found else error or _empty_error(summary, response, bytes(stream.start)))


def _unread_error(response: ProbeResponse) -> SitemapError:
    """Return why a sitemap could not be read: the cause of the failure, or the status."""
    if response.cause is None:
        return SitemapError(Cause.STATUS, status=response.status)
    return SitemapError(response.cause, host=response.detail, text=response.detail)


def _empty_error(summary: SitemapSummary, response: ProbeResponse, start: bytes) -> SitemapError:
    if response.cause is not None:
        return _unread_error(response)
    if response.decode_error:
        return SitemapError(Cause.UNDECODABLE, text=response.decode_error)
    if summary.form is SitemapForm.HTML or looks_like_html(start):
        return SitemapError(Cause.HTML)
    if summary.error:
        return SitemapError(Cause.NOT_XML, line=summary.error_line, text=summary.error)
    return SitemapError(Cause.NO_URLS)
