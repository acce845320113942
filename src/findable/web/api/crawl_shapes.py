"""Shapes of crawls in the API: one Struct each, in the order of the members in JSON."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from findable.capture.crawl import CrawlEnd, Requested
from findable.crawl.scope import Extent, Render, RobotsRules
from findable.export.report_json import DateTime
from findable.service.values.crawl_values import CrawlStatus, CrawlView, Expected, PreviousCrawl
from findable.service_urls import ServiceUrls
from findable.urls import origin_part
from findable.vocabulary import Rating
from findable.web.api.shape_parts import ProblemShape, Score, shape_of


class CrawlNumbers(Struct, frozen=True, kw_only=True):
    """URLs of a crawl."""

    urls: int
    """URLs that were found."""
    pages: int
    """HTML pages with status 200."""
    indexable: int
    waiting: int
    rendered: int = 0
    """Visits with a browser, when slices of the crawl have ended."""
    refused: dict[str, int]
    """URLs that were not requested, by the reason; at the end."""
    resources: Requested | None = None
    """Stylesheets, scripts and images of the site; at the end."""
    external: Requested | None = None
    """Links to other sites; null where they were not to be requested."""
    lost: dict[str, int] | None = None
    """Pages that search engines lost since the crawl before, by the kind of the change; null where there is none to compare."""


class CrawlProgressShape(Struct, frozen=True, kw_only=True):
    """Progress of a crawl."""

    done: int
    of: int
    """Number of URLs to request, as far as is known, or of stored pages to judge again."""
    pages_per_second: float
    limited_by: str
    """politeness or site; analysis while stored pages are judged again."""
    eta_s: float


class CrawlOptions(Struct, frozen=True, kw_only=True):
    """Settings of a crawl. `list` is the number of its URLs."""

    hosts: tuple[str, ...]
    pages: int
    depth: int | None
    scope: Extent
    list_: int = field(name="list")
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    segments: dict[str, tuple[str, ...]]
    """Patterns by the name of the segment."""
    extractors: dict[str, str]
    """Rules by the name of the extractor."""
    robots: RobotsRules
    render: Render
    rate: float
    connections: int
    seconds: int | None
    as_: str | None = field(name="as")
    """Origin that the URL is a preview of."""
    external: Literal[0, 1]
    uploaded: Literal[0, 1]


class CrawlLinks(Struct, frozen=True, kw_only=True):
    """URLs of a crawl."""

    self: str
    html: str
    """The report for people, as its privacy allows."""
    project: str
    previous: str | None


class CrawlShape(Struct, frozen=True, kw_only=True):
    """Crawl of a site."""

    id: int
    object: Literal["crawl"]
    public_id: str
    project: str
    url: str
    status: CrawlStatus
    ended_by: CrawlEnd | None
    result: Rating | None
    score: Score | None
    provisional: bool
    """Whether the crawl ended early, so that its score is not final."""
    coverage: float | None
    """Share of the URLs found that were requested."""
    privacy: Literal[0, 1, 2]
    has_password: bool
    counts: CrawlNumbers
    findings: Mapping[str, int]
    """Findings by verdict."""
    progress: CrawlProgressShape | None
    expected: Expected
    created_at: DateTime
    updated_at: DateTime
    started_at: DateTime | None
    finished_at: DateTime | None
    error: ProblemShape | None
    waits_for: ProblemShape | None
    """Reason why a crawl that has begun waits."""
    previous: PreviousCrawl | None
    settings: CrawlOptions
    links: CrawlLinks


class CrawlDeleted(Struct, frozen=True, kw_only=True):
    """Deleted crawl."""

    id: int
    object: Literal["crawl"]
    deleted: bool


def crawl(view: CrawlView, at: ServiceUrls) -> CrawlShape:
    """Return a crawl in the shape of the API."""
    settings, progress, counts = view.settings, view.progress, view.counts
    numbers: dict[str, Any] = {"urls": 0, "pages": 0, "indexable": 0, "waiting": 0, "refused": {}, **counts}
    if progress is not None:
        now = progress.counts
        numbers |= {"urls": now.found, "pages": now.pages, "indexable": now.indexable, "waiting": now.waiting}
    return shape_of(
        CrawlShape,
        view,
        object="crawl",
        counts=CrawlNumbers(**numbers),
        progress=None
        if progress is None
        else CrawlProgressShape(
            done=progress.done,
            of=progress.of,
            pages_per_second=round(progress.pages_per_second, 1),
            limited_by=progress.limited_by,
            eta_s=round(progress.eta_s),
        ),
        error=None if view.failure is None else ProblemShape(code=view.failure.value, message=view.failure.words, retryable=True),
        waits_for=None if view.waits_for is None else ProblemShape(code=view.waits_for.value, message=view.waits_for.words, retryable=True),
        settings=shape_of(
            CrawlOptions,
            settings,
            scope=settings.extent,
            list_=settings.pages if view.is_list else 0,
            segments={segment.name: segment.patterns for segment in settings.segments},
            extractors={extractor.name: extractor.rule for extractor in settings.extractors},
            as_=origin_part(settings.start_url) if settings.preview_origin else None,
            external=1 if settings.external else 0,
            uploaded=1 if settings.uploaded else 0,
        ),
        links=CrawlLinks(
            self=at.crawl(view.id),
            html=at.site_page(view.public_id),
            project=at.project(view.project),
            previous=None if view.previous is None else at.crawl(view.previous.crawl),
        ),
    )


def deleted_crawl(crawl_id: int) -> CrawlDeleted:
    """Return the response of `DELETE /crawls/{id}`."""
    return CrawlDeleted(id=crawl_id, object="crawl", deleted=True)
