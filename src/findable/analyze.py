"""Analyse one page, from its URL to its report: fetch, gather, check, score.

Pure steps (parsing, checking, scoring) run through ``compute``, so that a service can run them in another process.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from msgspec import Struct, field, structs
from msgspec.structs import replace

from findable.artifacts.html.document import Document
from findable.artifacts.html.markup import Markup, SentDocument
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.html.rendered_document import RenderedDocument
from findable.artifacts.page.private_hosts import is_private
from findable.artifacts.registry import Artifacts, gather
from findable.artifacts.request_targets import Targets, find_targets
from findable.artifacts.responses.preview_images import ImageSources, image_sources
from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.capture.capture import Capture
from findable.capture.page import PageCapture
from findable.capture.preview_origin import move_to_origin
from findable.capture.redaction import mask_secrets, mask_secrets_in_value
from findable.capture.rendering import Rendering, RenderingFailure
from findable.capture.response import ProbeResponse, Response
from findable.capture.saved import load
from findable.capture.site import SiteCapture
from findable.clock import monotonic_s, now, rfc3339
from findable.compute import Compute, compute_here
from findable.errors import PageError, PageUnavailable
from findable.fetch.browser.page_orders import Visit, order_for, visit_and_compare, visitor_order
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.other_agent_requests import CRAWLERS_SHARE, request_as_crawlers, request_as_phone
from findable.fetch.page_requests import probe_page
from findable.fetch.preview import NO_PREVIEW, PreviewOrigin
from findable.fetch.prober import Prober
from findable.fetch.site_cache import SiteCache, site_key_of
from findable.fetch.site_requests import probe_site, probe_tls
from findable.reports.acceptance import Acceptance
from findable.reports.analysis import analyse
from findable.reports.report import Report
from findable.reports.url_patterns import any_matches
from findable.urls import origin_part, parse

Measure = Callable[[Rendering, VisitOrder], Awaitable[Rendering]]
"""Adds measured loads of a page to a rendering of it."""
ReportProgress = Callable[[str, int, int], None]
"""Called with (stage, completed steps, total steps)."""

_log = logging.getLogger(__name__)
NO_IMAGES = ImageSources()
STAGES = ("fetch", "site", "page", "checks")


class Options(Struct, frozen=True):
    """Options of the analysis of one page."""

    judged_as: str | None = None
    """Future origin of a preview."""
    identity: Identity = NOBODY
    cache_key: str = ""
    """Key of the site cache: the account and its identity."""
    not_for_search: Sequence[str] = ()
    """Patterns of URLs that are not meant for search (`reports.url_patterns`); compared with the final URL of the page."""
    acceptances: Sequence[Acceptance] = field(default=())
    images: bool = False
    """Whether to find the icon and the preview image of the page, and to film a load of it if loads are measured."""
    visit: Visit | None = None
    """Function that visits the page with a browser; None for no browser."""
    measure: Measure | None = None
    """Function that measures how the page loads in the browser while nothing else is requested from its server; None for no measurement."""
    browser: BrowserOptions = DEFAULTS
    """Options of the browser visit."""
    ask_as_crawlers: bool = False
    """Whether to also request the page with the user agents of a browser and of AI search crawlers, seconds apart."""


def _no_progress(stage: str, done: int, total: int) -> None:
    del stage, done, total


class ParsedPage:
    """Parsed page with the URLs to request. Its artifacts stay in the process that parsed the page."""

    def __init__(self, targets: Targets, artifacts: Artifacts | None = None, roots: Sequence[object] = ()) -> None:
        self.targets = targets
        self._artifacts = artifacts
        self._roots = roots

    def artifacts_of(self, capture: Capture) -> Artifacts:
        """Return the artifacts of the whole capture, reusing the document if this process has already parsed it."""
        artifacts = gather(*capture.roots)
        roots = (capture.page.response, capture.rendering)
        if self._artifacts is not None and all(one is other for one, other in zip(self._roots, roots, strict=True)):
            artifacts.adopt(self._artifacts, Charset, Markup, SentDocument, RenderedDocument, Document)
        return artifacts

    def __reduce__(self) -> tuple[type["ParsedPage"], tuple[Targets]]:
        return ParsedPage, (self.targets,)


class CheckedPage(Struct, frozen=True):
    """Report of a page with the URLs of its icon and preview image."""

    report: Report
    images: ImageSources


async def capture_page(url: str, fetcher: Fetcher, options: Options) -> Capture:
    """Fetch a page and make all its extra requests. Raises PageUnavailable if the page itself could not be loaded.

    Extra requests never fail a report: their failures are recorded in the capture.
    """
    return (await _read_and_capture(url, fetcher, options, None, compute_here, _no_progress))[1]


async def _read_and_capture(
    url: str,
    fetcher: Fetcher,
    options: Options,
    site_cache: SiteCache | None,
    compute: Compute,
    progress: ReportProgress,
    response: Response | None = None,
) -> tuple[ParsedPage, Capture]:
    progress(STAGES[0], 0, len(STAGES))
    response = response or await fetcher.fetch_page(url, identity=options.identity)
    captured_at = rfc3339(now())
    if options.judged_as is None and not _is_private(response) and len(response.wait_samples_ms) <= 1:
        # Measure the server before any other request, because a busy server responds later. Private hosts are not measured.
        response = await fetcher.add_wait_samples(response, identity=options.identity)
    preview = PreviewOrigin(origin_part(response.final_url), options.judged_as) if options.judged_as else NO_PREVIEW
    budget = Budget()
    held = budget.reserve(**CRAWLERS_SHARE) if options.ask_as_crawlers else None
    progress(STAGES[1], 1, len(STAGES))

    async def make_site() -> SiteCapture:
        return await probe_site(fetcher, response.final_url, budget, identity=options.identity, preview=preview)

    site_key = site_key_of(options.cache_key, origin_part(response.final_url), preview.future_origin)

    async def site_of_page() -> SiteCapture:
        return await (site_cache.site_of(site_key, make_site) if site_cache else make_site())

    async def rendering_of_page() -> Rendering | None:
        if options.visit is None:
            return None
        order = await order_for(response.final_url, options.browser, Prober(fetcher, budget, identity=options.identity, preview=preview))
        return await visit_and_compare(options.visit, order)

    async def read_of_page() -> tuple[ParsedPage, Rendering | None]:
        # The browser visit comes first, because the rendered page determines which other URLs are requested.
        begun_s = monotonic_s()
        rendering = await rendering_of_page()
        for waiting in filter(None, (budget, held)):
            waiting.exclude_wait(monotonic_s() - begun_s)
        return await compute(read_page, PageCapture(captured_at, response), rendering), rendering

    site, (page_read, rendering) = await asyncio.gather(site_of_page(), read_of_page())
    progress(STAGES[2], 2, len(STAGES))

    async def agents_of_page() -> tuple[tuple[str, ProbeResponse], ...]:
        return await request_as_crawlers(fetcher, response, held, identity=options.identity) if held else ()

    # The request as a phone comes first, because a page with many links uses up the budget.
    phone, agents, tls_versions, probes = await asyncio.gather(
        request_as_phone(fetcher, response, budget, identity=options.identity),
        agents_of_page(),
        probe_tls(fetcher, response.final_url, budget, identity=options.identity),
        probe_page(fetcher, page_read.targets, budget, site, identity=options.identity, preview=preview),
    )
    probes = replace(probes, phone=phone, agents=agents)
    if site_cache:
        site_cache.add_links(site_key, probes.links)
    page = PageCapture(captured_at, response, probes, budget_ended=budget.ended_by)
    if options.measure and rendering is not None and rendering.failure is RenderingFailure.NONE:
        order = VisitOrder(response.final_url, screenshots=options.images, options=options.browser, identity=options.identity)
        rendering = await options.measure(rendering, visitor_order(order))
    capture = Capture(page, replace(site, tls_versions=tls_versions), rendering)
    return page_read, move_to_origin(capture, options.judged_as) if options.judged_as else capture


async def report_page(
    url: str,
    fetcher: Fetcher,
    *,
    options: Options | None = None,
    site_cache: SiteCache | None = None,
    compute: Compute = compute_here,
    progress: ReportProgress = _no_progress,
    response: Response | None = None,
) -> tuple[Capture, CheckedPage]:
    """Return the capture of a page and its report. ``response`` is that of the page, if it was already fetched.

    Raises PageUnavailable, also if the deadline is exceeded.
    """
    options = options or Options()
    secrets = options.identity.secrets
    try:
        page_read, capture = await _read_and_capture(url, fetcher, options, site_cache, compute, progress, response)
    except PageUnavailable as error:
        raise PageUnavailable(_mask_secrets(error.error, secrets, url)) from None
    progress(STAGES[3], 3, len(STAGES))
    if secrets:
        capture = await compute(mask_secrets, capture, secrets)
    not_for_search = any_matches(options.not_for_search, capture.page.response.final_url)
    return capture, await compute(check_capture, capture, page_read, not_for_search, tuple(options.acceptances), options.images)


def _mask_secrets(error: PageError, secrets: Sequence[str], url: str) -> PageError:
    """Return the error with the secrets of the request masked."""
    shown = {name: mask_secrets_in_value(getattr(error, name), secrets, url) for name in ("host", "url", "text")}
    return structs.replace(error, **shown)


def read_page(page: PageCapture, rendering: Rendering | None = None) -> ParsedPage:
    """Parse a page and find the URLs to request for it."""
    artifacts = gather(page, *([rendering] if rendering is not None else []))
    return ParsedPage(find_targets(artifacts, page.response.final_url), artifacts, (page.response, rendering))


def check_capture(
    capture: Capture,
    page_read: ParsedPage,
    not_for_search: bool,  # noqa: FBT001 - crosses a process boundary by position
    acceptances: Sequence[Acceptance],
    images: bool,  # noqa: FBT001 - crosses a process boundary by position
) -> CheckedPage:
    """Check a capture and return its report, with the URLs of its icon and preview image if ``images`` is true."""
    artifacts = page_read.artifacts_of(capture)
    report = analyse(capture, artifacts, not_for_search=not_for_search, acceptances=acceptances)
    return CheckedPage(report, _images_of(artifacts) if images else NO_IMAGES)


def _images_of(artifacts: Artifacts) -> ImageSources:
    try:
        return image_sources(artifacts)
    except Exception:  # noqa: BLE001 - an error in the images must not lose the report
        _log.exception("could not find the icon and preview image of a page")
        return NO_IMAGES


def analyse_saved(capture_file: bytes, not_for_search: bool = False) -> Report:  # noqa: FBT001, FBT002 - crosses a process boundary by position
    """Return the report of a saved page."""
    return analyse(load(capture_file), not_for_search=not_for_search)


def _is_private(response: Response) -> bool:
    url = parse(response.final_url)
    return url is None or is_private(url.host, response.final.address)
