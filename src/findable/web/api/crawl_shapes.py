"""Crawls in the shape of the API, from which the OpenAPI document is generated."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from findable.capture.crawl import Requested
from findable.crawl.progress import CrawlStage, LatestPage
from findable.crawl.settings import Extent, Render, RenderReason, RobotsRules
from findable.reports.projection import ScorePart
from findable.service.values.crawl_values import CrawlMembers, CrawlView
from findable.service_urls import ServiceUrls
from findable.urls import origin_part
from findable.values import shape_of
from findable.vocabulary import Verdict
from findable.web.api.shape_parts import Deleted, ProblemShape, VerdictShape, verdict
from findable.wording import ENGLISH, Translator


class CrawlNumbers(Struct, frozen=True, kw_only=True):
    """Numbers of URLs of a crawl, by kind and state."""

    urls: int
    """Number of URLs found."""
    requested: int
    pages: int
    """Number of HTML pages with status 200."""
    indexable: int
    waiting: int
    statuses: Mapping[str, int] = {}
    """Requested URLs by class of status, such as 2xx; none without a response."""
    carried: int = 0
    """Number of pages that a rolling crawl carried over from the earlier crawl."""
    oldest: Annotated[str, Meta(extra_json_schema={"format": "date-time"})] | None = None
    """Earliest time at which one of these was last requested; null without any."""
    rendered: int = 0
    """Number of visits with a browser, updated after each slice of the crawl."""
    rendered_failed: int = 0
    """Number of these visits without a document: the pages were checked as sent."""
    refused: dict[str, int]
    """Number of URLs that were not requested, by reason; set at the end."""
    resources: Requested | None = None
    """Numbers of the site's stylesheets, scripts and images; set at the end."""
    external: Requested | None = None
    """Numbers of links to other sites; null if they were not to be requested."""
    lost: dict[str, int] | None = None
    """Number of pages lost for search engines since the previous crawl, by kind of change; null if no crawl is comparable."""


class FirstFindingShape(Struct, frozen=True, kw_only=True):
    """Result of a check on the pages so far."""

    check: str
    verdict: Verdict
    pages_count: int
    summary: str


class CrawlProgressShape(Struct, frozen=True, kw_only=True):
    """Progress of a running crawl."""

    stage: CrawlStage
    """Stage whose numbers are given: urls of the crawl; then files and links to other sites; or stored pages while rescoring."""
    done: int
    of: int
    """Known number of URLs to request, or of stored pages to rescore."""
    is_at_least: Literal[0, 1]
    """Whether more URLs may be found."""
    statuses: Mapping[str, int]
    """Requested URLs by class of status, such as 2xx; none without a response."""
    pages_per_second: float
    """Speed over the last minute."""
    limited_by: str
    """Limiting factor: politeness or site; analysis while stored pages are rescored."""
    eta_s: float | None
    """Seconds left for the stage; null if new URLs are found too fast to estimate it."""
    latest: tuple[LatestPage, ...]
    """URLs that were requested last, the latest first."""
    findings: tuple[FirstFindingShape, ...]
    """First findings, the most important first. Order and numbers change until the crawl has ended."""


class CrawlOptions(Struct, frozen=True, kw_only=True):
    """Settings of a crawl. `list` is the number of URLs in its list."""

    hosts: tuple[str, ...]
    pages: int
    rolling: int | None
    """Number of URLs that a rolling crawl requests; null if all are requested."""
    depth: int | None
    scope: Extent
    list_: int = field(name="list")
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    segments: dict[str, tuple[str, ...]]
    """Patterns by name of the segment."""
    extractors: dict[str, str]
    """Rules by name of the extractor."""
    robots: RobotsRules
    render: Render
    render_reason: RenderReason | None
    """Reason of render if it was not sent: browser, no_browser or project; else null."""
    rate: float
    connections: int
    seconds: int | None
    as_: str | None = field(name="as")
    """Origin of which the URL is a preview."""
    external: Literal[0, 1]
    uploaded: Literal[0, 1]


class CrawlLinks(Struct, frozen=True, kw_only=True):
    """URLs of a crawl."""

    self: str
    html: str
    """Report for people, subject to its privacy."""
    project: str
    previous: str | None


class CrawlShape(CrawlMembers, frozen=True, kw_only=True):
    """Crawl of a site, with its rating, counts and progress."""

    object: Literal["crawl"] = "crawl"
    verdict: VerdictShape | None
    """Verdict of the site after the crawl, or why the crawl does not count; null before its end, and if nothing may be said."""
    privacy: Literal[0, 1, 2]
    counts: CrawlNumbers
    progress: CrawlProgressShape | None
    error: ProblemShape | None
    waits_for: ProblemShape | None
    """Reason why a started crawl is paused."""
    settings: CrawlOptions
    links: CrawlLinks
    score_parts: tuple[ScorePart, ...] | UnsetType = UNSET
    """Points that each finding costs, from 100 to the score; only in the response for one crawl with a score."""


class CrawlDeleted(Deleted[Literal["crawl"]], frozen=True, kw_only=True):
    """Deleted crawl."""


def crawl(view: CrawlView, urls: ServiceUrls, say: Translator = ENGLISH) -> CrawlShape:
    """Return a crawl in the shape of the API; ``say``: language of its verdict."""
    settings, progress = view.settings, view.progress
    numbers: dict[str, Any] = {"urls": 0, "requested": 0, "pages": 0, "indexable": 0, "waiting": 0, "refused": {}, **view.counts}
    return shape_of(
        CrawlShape,
        view,
        verdict=verdict(view.verdict, say),
        counts=CrawlNumbers(**numbers),
        progress=None
        if progress is None
        else shape_of(
            CrawlProgressShape,
            progress,
            is_at_least=1 if progress.is_at_least else 0,
            statuses=progress.counts.statuses,
            pages_per_second=round(progress.pages_per_second, 1),
            eta_s=None if progress.eta_s is None else round(progress.eta_s),
            findings=tuple(shape_of(FirstFindingShape, one, summary=one.summary(say)) for one in progress.findings),
        ),
        error=None if view.failure is None else ProblemShape(code=view.failure.value, message=view.failure.words, retryable=True),
        waits_for=None if view.waits_for is None else ProblemShape(code=view.waits_for.value, message=view.waits_for.words, retryable=True),
        settings=shape_of(
            CrawlOptions,
            settings,
            scope=settings.extent,
            render_reason=settings.render_reason or None,
            list_=settings.pages if view.is_list else 0,
            segments={segment.name: segment.patterns for segment in settings.segments},
            extractors={extractor.name: extractor.rule for extractor in settings.extractors},
            as_=origin_part(settings.start_url) if settings.preview_origin else None,
            external=1 if settings.external else 0,
            uploaded=1 if settings.uploaded else 0,
        ),
        links=CrawlLinks(
            self=urls.crawl(view.id),
            html=urls.site_page(view.public_id),
            project=urls.project(view.project),
            previous=None if view.previous is None else urls.crawl(view.previous.crawl),
        ),
    )
