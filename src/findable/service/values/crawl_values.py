"""Inputs and outputs of the use cases of crawls."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.capture.crawl import CrawlEnd
from findable.crawl.progress import CrawlProgress
from findable.crawl.settings import CrawlSettings, Extent, Render, RobotsRules
from findable.export.report_json import Points
from findable.limits import MAX_PAGES, MAX_SECONDS
from findable.reports.search_verdict import SearchVerdict
from findable.service.values.paging import PagedQuery
from findable.service.values.result_values import ResultMembers
from findable.values import DateTime
from findable.vocabulary import Code, Privacy, Rating
from findable.wording import later


class CrawlStatus(Code):
    """Status of a crawl."""

    QUEUED = "queued", later("queued")
    RUNNING = "running", later("running")
    SETTLING = "settling", later("being evaluated")
    """Crawl with completed requests whose findings are being computed."""
    DONE = "done", later("not rated")
    FAILED = "failed", later("failed")
    STOPPED = "stopped", later("stopped")

    @property
    def is_final(self) -> bool:
        """Whether the status is final unless the owner resumes or rescores the crawl."""
        return self in (CrawlStatus.DONE, CrawlStatus.FAILED, CrawlStatus.STOPPED)


class CrawlFailure(Code):
    """Reason why a crawl failed."""

    SITE_UNREACHABLE = "site_unreachable", later("the start page could not be loaded")
    WORKER_CRASHED = "worker_crashed", later("its worker was lost several times in a row")
    STORAGE_FULL = "storage_full", later("its results could not be stored")
    STORAGE_DAMAGED = "storage_damaged", later("its stored pages are damaged")
    NOT_PERMITTED = "not_permitted", later("the person who started it may no longer write in this project")
    INTERNAL_ERROR = "internal_error", later("an internal error")


class CrawlWait(Code):
    """Reason why a started crawl is paused."""

    SITE_DOWN = "site_down", later("the site does not respond")
    STORAGE = "storage", later("its results cannot be stored: the disk is full, or the database cannot be reached")
    WORKER_LOST = "worker_lost", later("its worker was lost")


CrawlSort = Literal["id", "url", "finished_at", "score"]
"""Sort keys of crawls. Ties are broken by id."""


class NewCrawl(Struct, frozen=True):
    """Request for a crawl. The texts are unvalidated; `crawls.create` validates them."""

    url: str = ""
    """Start URL; empty for the first one of a list, or the start page of the scheduled project."""
    pages: int | None = None
    rolling: int | None = None
    depth: int | None = None
    scope: Extent = Extent.ORIGIN
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    robots: RobotsRules = RobotsRules.FINDABLE
    rate: float | None = None
    hosts: tuple[str, ...] = ()
    listed_urls: tuple[str, ...] = ()
    render: Render | None = None
    """Pages to render; None for the default: a sample where a browser works."""
    connections: int | None = None
    seconds: int | None = None
    judged_as: str = ""
    """Origin of which the URL is a preview; empty for none."""
    external: bool = False
    uploaded: bool = False
    """Whether to request uploaded URLs of the project too."""
    privacy: Privacy | None = None
    """Access; None for the default of the project."""
    password: str | None = None
    is_one_of_many: bool = False
    """Whether it is one of many that were started together, which may be queued beyond the limit of crawls at once."""


class CrawlResume(Struct, frozen=True):
    """New limits of a crawl to resume."""

    pages: Annotated[int, Meta(ge=1, le=MAX_PAGES)] | UnsetType = UNSET
    """Maximum number of URLs to request, including earlier requests. Default: unchanged."""
    seconds: Annotated[int, Meta(ge=1, le=MAX_SECONDS)] | UnsetType = UNSET
    """Maximum duration, including the earlier duration. Default: unchanged, or twice the limit if the crawl ended by it."""


class CrawlQuery(PagedQuery, frozen=True):
    """Query for a list of crawls."""

    project: str = ""
    """Name or id."""
    status: CrawlStatus | None = None
    sort_by: CrawlSort = "id"
    descending: bool = True


class Expected(Struct, frozen=True):
    """Upper limits of the resources of a crawl."""

    requests: int
    seconds: int
    """Duration at its rate, in seconds."""
    megabytes: int


class PreviousCrawl(Struct, frozen=True):
    """Last earlier crawl of the same URL that has a score."""

    crawl: int
    result: Rating
    score: Points
    change: int
    """Current score minus the previous one."""


class CrawlMembers(ResultMembers, frozen=True, kw_only=True):
    """Members of a crawl in the API that its owner sees in the same form."""

    final_url: str | None
    """Start page to which it led; null before it responded, and for a list."""
    status: CrawlStatus
    ended_by: CrawlEnd | None
    provisional: bool
    """Whether the crawl ended early, so that its score is not final."""
    findings: Mapping[str, int]
    """Findings by verdict."""
    expected: Expected
    started_at: DateTime | None
    finished_at: DateTime | None
    previous: PreviousCrawl | None
    """Earlier crawl that its score is compared with; null if there is none, or without a score."""


class CrawlView(CrawlMembers, frozen=True, kw_only=True):
    """Crawl for display to its owner."""

    account_id: int
    project_id: int
    settings: CrawlSettings
    """Settings without the URLs of a list; `CrawlSettings.pages` is their number."""
    is_list: bool
    privacy: Privacy
    etag: str
    """ETag without quotes; it changes with every visible change."""
    scheme_guessed: bool
    """Whether no scheme was typed, and no server has responded yet."""
    is_stopping: bool
    failure: CrawlFailure | None
    waits_for: CrawlWait | None
    counts: Mapping[str, Any]
    ruleset: str
    """Ruleset of its report; empty before it has one."""
    size_bytes: int
    progress: CrawlProgress | None
    """Progress while it runs, from the first page on."""
    verdict: SearchVerdict | None
    """Verdict of the site after the crawl, or the reason why the crawl does not count; None before its end, and if nothing may be said."""

    @property
    def ended(self) -> DateTime:
        """Time of its end; of its beginning while it is running."""
        return self.finished_at or self.created_at

    @property
    def is_finished(self) -> bool:
        """Whether the status is final unless the owner resumes or rescores the crawl."""
        return self.status.is_final

    @property
    def is_rescoring(self) -> bool:
        """Whether the crawl has ended and is being rescored from its stored responses."""
        return self.status is CrawlStatus.SETTLING and self.finished_at is not None

    @property
    def has_results(self) -> bool:
        """Whether the results of the crawl can be read: it has ended, and rescoring may be in progress."""
        return self.is_finished or self.is_rescoring
