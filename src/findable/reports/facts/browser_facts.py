"""Facts about the visit of the page with a browser: lab values, console, failed requests, changes by scripts."""

import math
from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from findable.artifacts.browser.layout import Layout
from findable.artifacts.browser.vitals import LabValues
from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.html.rendered_document import BrowserDestination, RenderedDocument
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.head import Head
from findable.artifacts.page.private_hosts import is_private
from findable.artifacts.page.robots_directives import directives_of_head
from findable.artifacts.page.sent_page import SentPage
from findable.artifacts.page.word_count import count_words
from findable.artifacts.registry import Artifacts, gather
from findable.artifacts.site.robots import Robots
from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.capture.page import PageCapture
from findable.capture.rendering import BrowserRequest, DismissedLayer, Film, Readiness, Rendering, WithheldReason
from findable.capture.status_classes import is_error
from findable.lazy_pattern import lazy_pattern
from findable.reports.facts.request_facts import RequestFact, requests_of
from findable.urls import origin_part, parse, same_host
from findable.values import median, shape_of
from findable.vocabulary import Code
from findable.wording import later

NAME_CHARS = 100
NETWORK_ERROR = lazy_pattern(r"net::ERR_[A-Z0-9_]{1,60}")
URL_CHARS = 500
TEXT_CHARS = 300
LIST_LIMIT = 50
MAX_ELEMENTS = 5000
SHOWN_AFTER_MS = 50
"""Time after which a paint is certain to be on the images that the browser gives."""
GOOGLEBOT = ("Googlebot",)
_CANCELLED = frozenset({"net::ERR_ABORTED", "inspector"})
"""Errors of requests cancelled by the page itself or by the end of the visit."""


class PagePart(Code):
    """Part of a page compared before and after scripts ran."""

    TITLE = "title", later("Title")
    DESCRIPTION = "description", later("Description")
    HEADING = "main_heading", later("Main heading")
    ROBOTS = "robots", later("Robots rules")
    CANONICAL = "canonical", later("Canonical URL")
    LANGUAGE = "language", later("Language")
    HREFLANG = "hreflang", later("Language versions")
    STRUCTURED_DATA = "json_ld", later("JSON-LD scripts")
    LINKS = "internal_links", later("Internal links")
    IMAGES = "images", later("Images")
    WORDS = "words", later("Words")


class ComparedFact(Struct, frozen=True, kw_only=True):
    """Part of the page in the HTML as sent and in the document after scripts; some values are numbers of elements or words."""

    page_part: PagePart
    as_sent: str
    rendered: str
    with_blocked: str | UnsetType = UNSET
    """Same part with the files that robots.txt forbids Googlebot; absent if no files were left out."""


class ConsoleFact(Struct, frozen=True, kw_only=True):
    """Message of the console, with the number of times it was written."""

    level: str
    text: str
    url: str
    line: int | None
    times: int


class FailedRequestFact(Struct, frozen=True, kw_only=True):
    """Request of the page that failed or returned an error."""

    url: str
    type: str
    status: int | None
    reason: str
    third_party: bool


class LabMetric(Code):
    """Lab value, under Google's name."""

    LCP = "largest_contentful_paint", later("Largest contentful paint (LCP)")
    CLS = "cumulative_layout_shift", later("Cumulative layout shift (CLS)")
    TBT = "total_blocking_time", later("Total blocking time (TBT)")
    FCP = "first_contentful_paint", later("First contentful paint (FCP)")


class MetricFact(Struct, frozen=True, kw_only=True):
    """Lab value of the page: the median, lowest and highest value of its loads, in milliseconds; layout shift has no unit."""

    metric: LabMetric
    median: float
    lowest: float
    highest: float


class LabFacts(Struct, frozen=True, kw_only=True):
    """Conditions under which the loading was measured on the machine of this service."""

    loads_count: int
    """Number of measured loads."""
    machine_was_busy: bool
    """Whether other work slowed the loads down; the values are then not rated."""
    waited_percent: float | None
    """Share of time that the browser waited for a processor; null if the system does not report it."""
    latency_ms: float
    """Added latency per request."""
    download_kbps: float
    upload_kbps: float
    processor_factor: float
    """Slowdown factor of the main thread."""
    processor_index: float
    """Speed of a processor of the machine before the loads; comparable on one machine only."""


class FrameFact(Struct, frozen=True, kw_only=True):
    """Frame of the filmstrip, an image of the first view during a load that was slowed down like the measured ones."""

    at_ms: float
    """Time since the load began."""
    largest_paint: bool
    """Whether this is the first frame with the largest contentful paint of the load."""


class MarkFact(Struct, frozen=True, kw_only=True):
    """Place of a finding in the first view on a phone, in percent of its width and height."""

    check: str
    """Id of the finding."""
    left_percent: float
    top_percent: float
    width_percent: float
    height_percent: float


class BrowserFacts(Struct, frozen=True, kw_only=True):
    """Visit of the page with a browser."""

    browser: str
    """Name and version; empty if no browser started."""
    axe_version: str
    """Version of axe-core; empty if it did not run."""
    after_scripts: bool
    """Whether the checks used the document after scripts, not the one that was sent."""
    scripts_build: bool
    """Whether the HTML is an empty shell that scripts fill."""
    failure: str
    """Code of the reason why the document after scripts was not used; empty if it was."""
    failure_detail: str = ""
    """Chromium's name of the network error, such as net::ERR_CERT_AUTHORITY_INVALID; empty without one."""
    leads_to: str
    """URL of the other page that the browser was redirected to; empty without a redirect."""
    metrics: tuple[MetricFact, ...] = ()
    """Lab values of a slowed-down phone; empty if the loading was not measured."""
    lab: LabFacts | None = None
    """Conditions of the measurement; null without lab values."""
    filmstrip: tuple[FrameFact, ...] = ()
    """Frames at equal distances until the last change; empty if the loading was not measured."""
    marks: tuple[MarkFact, ...] = ()
    """Places of problems and warnings in the first view on a phone."""
    compared: tuple[ComparedFact, ...] = ()
    visited_at: str = ""
    """Time of the visit (RFC 3339, UTC)."""
    requests: tuple[RequestFact, ...] = ()
    """First requests of the page, in the order in which they began."""
    requests_count: int = 0
    console: tuple[ConsoleFact, ...] = ()
    """Errors and warnings of the console."""
    failed_requests: tuple[FailedRequestFact, ...] = ()
    cookie_banner: str = ""
    """Selector of a fixed layer that asks for consent to cookies; empty without a banner."""
    cookie_banner_percent: int | None = None
    """Share of the first view on a phone that it covers; null without one."""
    options: BrowserOptions = DEFAULTS
    """Options of the visit."""
    dismissed: DismissedLayer | None = None
    """Consent layer that was dismissed before the page was read; null if there was none."""
    selector_came: bool | None = None
    """Whether the awaited element appeared; null if none was awaited."""
    hosts_not_loaded: tuple[str, ...] = ()
    """Hosts of the page that the options excluded from loading."""
    sent_credentials: bool = False
    """Whether the browser sent cookies, headers or a login of the project to the page's origin."""
    blocked_by_robots: tuple[str, ...] = ()
    """Files of this host that the page loads and robots.txt forbids Googlebot, so that Google renders the page without them."""


def browser(artifacts: Artifacts) -> BrowserFacts | None:
    """Return the facts about the browser visit; None if no browser was used."""
    rendering, sent = artifacts.get_or_none(Rendering), artifacts.get_or_none(SentDocument)
    if rendering is None:
        return None
    leads_to, layout = artifacts.get_or_none(BrowserDestination), artifacts.get_or_none(Layout)
    is_rendered = artifacts.get_or_none(RenderedDocument) is not None
    unready = Readiness.LOADING.value if rendering.readiness is Readiness.LOADING else ""
    reasons = (rendering.failure.value, "leads_away" if leads_to else "", unready)
    return shape_of(
        BrowserFacts,
        rendering,
        browser=rendering.browser[:NAME_CHARS],
        axe_version=rendering.axe_version[:NAME_CHARS],
        after_scripts=is_rendered,
        scripts_build=sent is not None and is_script_shell(sent.document),
        failure="" if is_rendered else next(filter(None, reasons), ""),
        failure_detail=rendering.detail if not is_rendered and NETWORK_ERROR.fullmatch(rendering.detail) else "",
        leads_to=leads_to.url[:URL_CHARS] if leads_to else "",
        metrics=tuple(_metrics(artifacts.get_or_none(LabValues))),
        lab=_lab(rendering, artifacts.get_or_none(LabValues)),
        filmstrip=tuple(_frames(rendering.film)) if rendering.film else (),
        compared=tuple(_compared_parts(artifacts)) if is_rendered else (),
        visited_at=rendering.captured_at,
        requests=tuple(requests_of(rendering)),
        requests_count=len(rendering.requests),
        console=tuple(_console(rendering)),
        failed_requests=tuple(_failed_requests(rendering))[:LIST_LIMIT],
        cookie_banner=layout.consent_selector if layout else "",
        cookie_banner_percent=round(100 * layout.consent_share) if layout and layout.consent_selector else None,
        hosts_not_loaded=_hosts_not_loaded(rendering),
        blocked_by_robots=tuple(_blocked_urls(rendering, artifacts.get_or_none(Robots)))[:LIST_LIMIT],
    )


def _metrics(values: LabValues | None) -> Iterator[MetricFact]:
    if values is None:
        return
    for metric, artifact, digits in (
        (LabMetric.LCP, values.lcp_ms, 0),
        (LabMetric.CLS, values.cls, 3),
        (LabMetric.TBT, values.tbt_ms, 0),
        (LabMetric.FCP, values.fcp_ms, 0),
    ):
        middle, lowest, highest = (round(float(value), digits) for value in (median(artifact), min(artifact), max(artifact)))
        yield MetricFact(metric=metric, median=middle, lowest=lowest, highest=highest)


def _frames(film: Film) -> Iterator[FrameFact]:
    shown_ms = film.largest_paint_ms + SHOWN_AFTER_MS if film.largest_paint_ms is not None else math.inf
    first_ms = min((frame.at_ms for frame in film.frames if frame.at_ms >= shown_ms), default=None)
    for frame in film.frames:
        yield FrameFact(at_ms=frame.at_ms, largest_paint=frame.at_ms == first_ms)


def _lab(rendering: Rendering, values: LabValues | None) -> LabFacts | None:
    throttling = rendering.throttling
    if values is None or throttling is None:
        return None
    return shape_of(
        LabFacts,
        throttling,
        loads_count=len(values.lcp_ms),
        machine_was_busy=values.machine_was_busy,
        waited_percent=None if values.waited_share is None else round(100 * values.waited_share, 1),
        processor_index=round(median(load.processor_index for load in rendering.loads), 1),
    )


def _compared_parts(artifacts: Artifacts) -> Iterator[ComparedFact]:
    sent, after = artifacts.get_or_none(SentPage), _parts_of(artifacts)
    if sent is None or not after:
        return
    whole = _with_blocked(artifacts)
    for part, text in _parts(sent.document, sent.head, sent.canonical).items():
        yield ComparedFact(page_part=part, as_sent=text, rendered=after[part], with_blocked=whole.get(part, UNSET))


def _with_blocked(artifacts: Artifacts) -> dict[PagePart, str]:
    """Return the parts of the document rendered with files that robots.txt disallows for Googlebot; empty if there are no such files."""
    rendering, page = artifacts.get_or_none(Rendering), artifacts.get_or_none(PageCapture)
    if rendering is None or page is None or not rendering.html_with_blocked:
        return {}
    return _parts_of(gather(page, replace(rendering, html=rendering.html_with_blocked, html_with_blocked="")))


def _parts_of(artifacts: Artifacts) -> dict[PagePart, str]:
    document, head, canonical = artifacts.get_or_none(Document), artifacts.get_or_none(Head), artifacts.get_or_none(Canonical)
    return {} if document is None or head is None or canonical is None else _parts(document, head, canonical)


def _parts(document: Document, head: Head, canonical: Canonical) -> dict[PagePart, str]:
    heading = next((text for node in document.all("h1", limit=10) if (text := node.text_up_to(TEXT_CHARS))), "")
    blocks = sum("ld+json" in (node.attr("type") or "") for node in document.all("script", limit=MAX_ELEMENTS))
    return {
        PagePart.TITLE: head.title[:TEXT_CHARS],
        PagePart.DESCRIPTION: head.description[:TEXT_CHARS],
        PagePart.HEADING: heading,
        PagePart.ROBOTS: ", ".join(item.name for item in directives_of_head(head).all[:LIST_LIMIT]),
        PagePart.CANONICAL: (canonical.target or "")[:URL_CHARS],
        PagePart.LANGUAGE: (head.lang or "")[:NAME_CHARS],
        PagePart.HREFLANG: str(sum(link.hreflang is not None for link in head.links)),
        PagePart.STRUCTURED_DATA: str(blocks),
        PagePart.LINKS: str(_internal_count(document)),
        PagePart.IMAGES: str(document.tag_counts.get("img", 0)),
        PagePart.WORDS: str(count_words(document.text)),
    }


def _internal_count(document: Document) -> int:
    hrefs = (value for _, value in document.values("a", "href", MAX_ELEMENTS) if value)
    return len({url for href in hrefs if (url := document.resolve(href)) and url.startswith("http") and same_host(url, document.url)})


def _console(rendering: Rendering) -> Iterator[ConsoleFact]:
    lines = Counter((line.level, line.text[:TEXT_CHARS], line.url[:URL_CHARS], line.line) for line in rendering.console)
    wanted = [(line, times) for line, times in lines.items() if line[0] in ("error", "warning")]
    wanted.sort(key=lambda pair: pair[0][0] != "error")
    for (level, text, url, number), times in wanted[:LIST_LIMIT]:
        yield ConsoleFact(level=level, text=text, url=url, line=number, times=times)


def _failed_requests(rendering: Rendering) -> Iterator[FailedRequestFact]:
    """Yield failed requests, except those that the guard of this service refused."""
    for request in rendering.requests:
        if (
            (is_error(request.status) or request.failure)
            and request.failure not in _CANCELLED
            and not request.withheld
            and not _is_refused(request)
        ):
            yield FailedRequestFact(
                url=request.url[:URL_CHARS],
                type=request.kind,
                status=request.status or None,
                reason=request.failure[:NAME_CHARS],
                third_party=not same_host(request.url, rendering.final_url),
            )


def _hosts_not_loaded(rendering: Rendering) -> tuple[str, ...]:
    """Return the hosts that the options of the visit blocked, in the order of their first request."""
    urls = (parse(request.url) for request in rendering.requests if request.withheld is WithheldReason.HOST)
    return tuple(dict.fromkeys(url.host for url in urls if url is not None))[:LIST_LIMIT]


def _is_refused(request: BrowserRequest) -> bool:
    url = parse(request.url)
    return url is None or (bool(request.failure) and is_private(url.host, ""))


def _blocked_urls(rendering: Rendering, robots: Robots | None) -> Iterator[str]:
    if robots is None or not robots.is_known:
        return
    urls = dict.fromkeys(request.url for request in rendering.requests if request.kind != "document")
    for url in urls:
        if origin_part(url) == robots.origin and not robots.decide(GOOGLEBOT, url).allowed:
            yield url[:URL_CHARS]
