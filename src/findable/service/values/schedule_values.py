"""Inputs and outputs of the use cases of schedules."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.crawl.settings import Extent, RobotsRules
from findable.limits import MAX_PAGES
from findable.monitor.schedule_rules import HOURS, MAX_TEXT_CHARS
from findable.reports.url_patterns import MAX_PATTERNS
from findable.urls import MAX_URL_CHARS
from findable.values import NEEDED, DateTime
from findable.vocabulary import Code
from findable.wording import later

_EVERY = Meta(
    max_length=MAX_TEXT_CHARS,
    description=f"day, week, month, or every few hours: {', '.join(f'PT{hours}H' for hours in HOURS)}; default: day.",
)
_AT = Meta(
    max_length=MAX_TEXT_CHARS,
    description="Local time. With the day of a weekly schedule, like mon 03:30, or of a monthly one, like 15 03:30, or the last day of a "
    "shorter month. Default: spread over the nights of a week. Every few hours: counted from this time of the day.",
)
_ZONE = Meta(max_length=MAX_TEXT_CHARS, description="Time zone, like Europe/Berlin; default: UTC.")
_Url = Annotated[str, Meta(max_length=MAX_URL_CHARS)]
_Patterns = Annotated[list[str], Meta(max_length=MAX_PATTERNS)]


class ScheduledWork(Code):
    """Work of a schedule."""

    REPORTS = "reports", later("New runs of the project's reports")
    """New runs of the project's reports, or of the URLs of a sitemap."""
    CRAWL = "crawl", later("Crawl of the site")


class ScheduleProblem(Code):
    """Reason why a scheduled run did not start."""

    STILL_RUNNING = "still_running", later("the previous run had not ended")
    SITEMAP = "sitemap", later("the sitemap could not be read")
    REFUSED = "refused", later("its URL or settings are no longer allowed")
    NOT_PERMITTED = (
        "not_permitted",
        later("the person who saved it last may no longer write in this project; save it to run it with your role"),
    )
    WAITING = "waiting", later("it waits until fewer crawls of the account are queued or running")
    QUOTA = "quota", later("a limit of the account is reached")
    STORAGE = "storage", later("the disk is full")


class ScheduleOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of what a schedule runs: `sitemap` for reports, the others for a crawl. Null: the default."""

    sitemap: _Url | None = None
    """Sitemap whose pages get reports. Default: the project's reports."""
    url: _Url | None = None
    """Start URL of the crawl. Default: the start page of the project."""
    pages: Annotated[int, Meta(ge=1, le=MAX_PAGES)] | None = None
    rolling: Annotated[int, Meta(ge=1, le=MAX_PAGES)] | None = None
    """Number of URLs that each run requests; the other pages are carried over from the run before. Default: all are requested."""
    depth: Annotated[int, Meta(ge=0, le=1000)] | None = None
    scope: Extent = Extent.ORIGIN
    include: _Patterns = []
    exclude: _Patterns = []
    robots: RobotsRules = RobotsRules.FINDABLE
    rate: Annotated[float, Meta(gt=0)] | None = None


class ScheduleUpdate(Struct, frozen=True):
    """Changes of a schedule; only fields that are sent change."""

    what: ScheduledWork | UnsetType = UNSET
    """reports: new runs of the pages of the project or of a sitemap. crawl: the site."""
    every: Annotated[str, _EVERY] | UnsetType = UNSET
    at: Annotated[str, _AT] | UnsetType = UNSET
    time_zone: Annotated[str, _ZONE] | UnsetType = UNSET
    settings: ScheduleOptions | UnsetType = UNSET
    """New settings, which replace all existing ones."""


class ScheduleCreate(ScheduleUpdate, frozen=True):
    """New schedule of a project."""

    project: Annotated[str, NEEDED] | UnsetType = UNSET
    """Name or number of the project."""


class ScheduleLast(Struct, frozen=True, kw_only=True):
    """Last run of a schedule."""

    at: DateTime
    late: bool
    """Whether it ran later than planned, because the service was down."""
    batch: int | None
    crawl: int | None
    problem: str | None
    """Reason code if nothing was run: still_running, sitemap, refused, quota or storage."""


class ScheduleLinks(Struct, frozen=True, kw_only=True):
    """URLs of a schedule."""

    self: str
    project: str


class ScheduleShape(Struct, frozen=True, kw_only=True):
    """Schedule of a project, with its next and last run."""

    id: int
    object: Literal["schedule"] = "schedule"
    project: str
    what: ScheduledWork
    every: str
    at: str
    time_zone: str
    settings: ScheduleOptions
    created_at: DateTime
    next_at: DateTime
    """Planned time plus a delay of up to a tenth of the interval, at most 15 minutes, which is fixed for the schedule."""
    last: ScheduleLast | None
    links: ScheduleLinks
