"""Page URLs that a sitemap and the files of its index list, for crawls, batches and audits."""

import math
from collections.abc import Mapping
from itertools import islice

from msgspec import Struct, structs

from findable import urls
from findable.capture.response import Failure, ProbeResponse
from findable.capture.sitemap_summary import SitemapForm, SitemapSummary
from findable.clock import monotonic_s
from findable.errors import Cause, SitemapError
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.sitemap_stream import DECODED_CAP_BYTES, SitemapReader, SitemapStream
from findable.formats.mime_sniffing import looks_like_html
from findable.limits import MAX_SITEMAP_FILES

LISTED_TIMEOUT_S = 30.0
_NO_RESPONSE = frozenset({Failure.DNS, Failure.CONNECT, Failure.TLS, Failure.TIMEOUT})


class _Collector(SitemapReader):
    """Reader that collects distinct http(s) URLs up to a limit."""

    most_children = MAX_SITEMAP_FILES

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
    stream = SitemapStream(reader)
    response = await fetcher.request(
        url,
        body_cap_bytes=DECODED_CAP_BYTES,
        wire_cap_bytes=DECODED_CAP_BYTES,
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
