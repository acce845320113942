"""Check the pages of a crawl: from responses to records. These functions run in analysis processes."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from msgspec import structs

from findable.artifacts.html.document import Document
from findable.artifacts.html.parse_errors import ParseErrors
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.keywords import Keywords
from findable.artifacts.registry import Absent, Artifacts, ancestors_of, gather, roots_of
from findable.artifacts.responses.agent_responses import AgentResponses
from findable.artifacts.responses.assets import Assets
from findable.artifacts.responses.canonical_response import CanonicalTarget
from findable.artifacts.responses.link_responses import PageLinkResponses
from findable.artifacts.responses.phone import Phone
from findable.artifacts.responses.preview_images import ImageSources, image_sources
from findable.artifacts.site.robots import Robots
from findable.capture.crawl import Reason
from findable.capture.page import PageCapture
from findable.capture.rendering import Rendering
from findable.capture.response import HTML_TYPES, Response
from findable.capture.saved import load_site
from findable.capture.site import SiteCapture
from findable.capture.status_classes import OK
from findable.checks.engine import Check, Result, runnable_checks, unknown
from findable.checks.indexability.canonical_self import depends_on_texts
from findable.checks.runner import run
from findable.crawl.extractors import Extracted, Extractor, extract_values
from findable.crawl.indexability import reason_of
from findable.crawl.record import PageRecord, ReadPage, UnsettledFinding, record_of
from findable.crawl.stored_responses import pack_rendered, pack_response, unpack_page
from findable.fetch.page_check import page_error_of
from findable.fetch.single_fetch import SingleFetch
from findable.formats.bot_challenges import challenge_of
from findable.formats.server_errors import is_error_message
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import Row, Score, row_of
from findable.urls import origin_part
from findable.vocabulary import FETCHED, Category, Subject, Verdict

LEFT_OUT = (AgentResponses, Assets, CanonicalTarget, Keywords, PageLinkResponses, ParseErrors, Phone)
"""Artifacts that a crawl does not make: those of extra requests for a page, and phrases and parse errors, which take too long."""
NOT_IN_CRAWLS = frozenset({"https-redirect"})
"""Ids of further checks that need an extra request."""
INDEXING = frozenset({Category.INDEXABILITY, Category.SECURITY})
"""Categories of the checks of pages that are not indexable."""
_OTHER_HOST = Absent("robots.txt, sitemaps and settings of this host were not read", Verdict.UNKNOWN)
_NOT_MADE = Absent("not measured in a crawl", Verdict.UNKNOWN)


def read_pages(
    site: bytes, singles: Sequence[tuple[str, SingleFetch]], extractors: Sequence[Extractor] = (), rendering: Rendering | None = None
) -> list[ReadPage]:
    """Return the records of responses, in order. Runs in an analysis process."""
    artifacts = _gather_site(site)
    pages = [(_read(url, single, artifacts, extractors, rendering), single.response) for url, single in singles]
    return [_pack_page(page, response, rendering) for page, response in pages]


def images_of_site(site: bytes) -> ImageSources:
    """Return the icons of the crawled site. Runs in an analysis process."""
    return image_sources(_gather_site(site)[1])


def rescore_stored(site: bytes, stored_pages: Sequence[tuple[str, bytes]], extractors: Sequence[Extractor] = ()) -> list[ReadPage]:
    """Return the records of stored responses. Runs in an analysis process."""
    artifacts = _gather_site(site)
    pages = [(url, *unpack_page(data)) for url, data in stored_pages]
    return [_read(url, SingleFetch(response=response), artifacts, extractors, rendering) for url, response, rendering in pages]


def extract_stored(stored_pages: Sequence[bytes], extractors: Sequence[Extractor]) -> list[Mapping[int, Extracted]]:
    """Return the results of extractors on stored responses. Runs in an analysis process."""
    pages = [unpack_page(data) for data in stored_pages]
    return [_extract(gather(PageCapture("", response), rendering), extractors) for response, rendering in pages]


def _extract(artifacts: Artifacts, extractors: Sequence[Extractor]) -> Mapping[int, Extracted]:
    document = artifacts.get_or_none(Document) if extractors else None
    return {} if document is None else extract_values(document, extractors)


def _pack_page(page: ReadPage, response: Response | None, rendering: Rendering | None) -> ReadPage:
    """Return a checked page with its packed response."""
    if response is None or not page.record.verdicts:
        return page
    return structs.replace(page, packed_response=pack_response(response) if rendering is None else pack_rendered(response, rendering))


@lru_cache(maxsize=4)
def _gather_site(site: bytes) -> tuple[SiteCapture, Artifacts]:
    capture = load_site(site)
    return capture, gather(capture)


def _read(
    url: str, single: SingleFetch, site: tuple[SiteCapture, Artifacts], extractors: Sequence[Extractor], rendering: Rendering | None = None
) -> ReadPage:
    response = single.response
    if response is None or single.location or not response.body or response.headers.media_type not in ("", *HTML_TYPES):
        return ReadPage(unparsed_record(url, single))
    if challenge_of(response):
        return ReadPage(structs.replace(unparsed_record(url, single), reason=Reason.CHALLENGE))
    if response.status == OK and page_error_of(response) is not None:
        return ReadPage(unparsed_record(url, single))
    capture, shared = site
    page = PageCapture(capture.captured_at, response)
    if origin_part(response.final_url) == capture.origin:
        artifacts = gather(page, capture, rendering)
        artifacts.adopt(shared, *site_artifacts())
    else:
        artifacts = gather(page, rendering)
        artifacts.leave_out(_OTHER_HOST, SiteCapture)
    artifacts.leave_out(_NOT_MADE, *LEFT_OUT)
    robots = artifacts.get_or_none(Robots)
    disallowed = robots is not None and not robots.decide(("googlebot",), url).allowed
    reason = Reason.COOKIE if response.cookie_loop else reason_of(artifacts, response.status, is_disallowed=disallowed)
    results = run(artifacts, page_checks() if reason is Reason.NONE else indexing_checks())
    unsettled, results = _unsettled(artifacts, results, response.status)
    made = record_of(artifacts, response, results, reason=reason, score=_score(results, response.status), unsettled=unsettled)
    return structs.replace(made, extractor_results=_extract(artifacts, extractors)) if extractors else made


def _unsettled(artifacts: Artifacts, results: list[Result], status: int) -> tuple[UnsettledFinding | None, list[Result]]:
    """Return the finding that the text of the canonical page decides, if there is one, and the results with an unknown one instead."""
    canonical = artifacts.get_or_none(Canonical)
    if canonical is None or canonical.is_self:
        return None, results
    for at, result in enumerate(results):
        if result.check.id == "canonical-self" and depends_on_texts(canonical, result.finding):
            found = UnsettledFinding(ReportedFinding.from_result(result), _score(results, status))
            return found, [*results[:at], Result(result.check, unknown(_NOT_MADE.reason)), *results[at + 1 :]]
    return None, results


def _score(results: Iterable[Result], status: int) -> int | None:
    """Return the score of a page; None for an error page."""
    return Score(tuple(_row(result) for result in results)).score if status == OK else None


def _row(result: Result) -> Row:
    finding = result.finding
    return row_of(result.check, finding.verdict, finding.fault, finding.share_percent)


@cache
def page_checks() -> tuple[Check, ...]:
    """Return the checks of crawled pages: those that need no extra request."""
    left_out = frozenset(LEFT_OUT)

    def needs_no_extra_request(check: Check) -> bool:
        required = frozenset().union(*(ancestors_of(reading.kind) for reading in check.parameters if not reading.optional))
        return not required & left_out and check.id not in NOT_IN_CRAWLS

    return tuple(check for check in runnable_checks(FETCHED, Subject.PAGE) if needs_no_extra_request(check))


@cache
def indexing_checks() -> tuple[Check, ...]:
    """Return the checks that also apply to crawled pages that are not indexable."""
    return tuple(check for check in page_checks() if check.category in INDEXING)


@cache
def site_artifacts() -> tuple[type, ...]:
    """Return the artifacts of page checks that depend only on the site, so that they are made once for all its pages."""
    read = {kind for check in page_checks() for reading in check.parameters for kind in ancestors_of(reading.kind)}
    return tuple(
        kind for kind in read if roots_of(kind) == {SiteCapture} and kind is not SiteCapture and PageCapture not in ancestors_of(kind)
    )


def _is_blank(response: Response) -> bool:
    """Return whether a response declared as HTML is empty, or is an error message without markup. One that was not read is neither."""
    if response.headers.media_type not in ("", *HTML_TYPES) or response.truncated or response.decode_error:
        return False
    text = response.body.removeprefix(b"\xef\xbb\xbf").decode("latin-1").strip()
    return not text or is_error_message(text)


def unparsed_record(url: str, single: SingleFetch) -> PageRecord:
    """Return the record of a response that is not an HTML page."""
    response = single.response
    if response is None:
        return PageRecord(url, 0, failure=single.failure.value, reason=Reason.FAILURE)
    reason = Reason.REDIRECT if single.location else Reason.STATUS if response.status != OK else Reason.NOT_HTML
    if reason is Reason.NOT_HTML and _is_blank(response):
        reason = Reason.BLANK
    return PageRecord(
        url,
        response.status,
        location=single.location,
        media_type=response.headers.media_type,
        wire_bytes=response.wire_bytes,
        size_bytes=response.size_bytes,
        first_byte_ms=round(response.final.timing.wait_ms, 1),
        reason=reason,
    )
