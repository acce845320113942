"""Inputs and outputs of the use cases of schedules."""

from datetime import datetime
from enum import StrEnum

from msgspec import UNSET, Struct, UnsetType

from findable.service.values.crawl_values import CrawlChoices
from findable.vocabulary import Code
from findable.wording import later


class ScheduledWork(StrEnum):
    """Work of a schedule."""

    REPORTS = "reports"
    """New runs of the project's reports, or of the URLs of a sitemap."""
    CRAWL = "crawl"


class ScheduleProblem(Code):
    """Reason why a scheduled run did not start."""

    STILL_RUNNING = "still_running", later("the previous run had not ended")
    NO_PAGES = "no_pages", later("the project has no reports")
    SITEMAP = "sitemap", later("the sitemap could not be read")
    REFUSED = "refused", later("its URL or settings are no longer allowed")
    NOT_PERMITTED = (
        "not_permitted",
        later("the person who saved it last may no longer write in this project; save it to run it with your role"),
    )
    WAITING = "waiting", later("it waits until fewer crawls of the account are queued or running")
    QUOTA = "quota", later("a limit of the account is reached")
    STORAGE = "storage", later("the disk is full")


class ScheduleSettings(CrawlChoices, frozen=True, omit_defaults=True):
    """Settings for the work of a schedule; those of the other kind of work are ignored."""

    sitemap: str = ""
    """URL of the sitemap whose pages get reports; empty for the project's reports."""


class ScheduleChanges(Struct, frozen=True):
    """Fields of a schedule that were sent; others keep their values, or have the defaults in a new schedule."""

    project: str | UnsetType = UNSET
    """Name or id of the project; only for a new schedule."""
    what: ScheduledWork | UnsetType = UNSET
    every: str | UnsetType = UNSET
    at: str | UnsetType = UNSET
    time_zone: str | UnsetType = UNSET
    settings: ScheduleSettings | UnsetType = UNSET


class ScheduleView(Struct, frozen=True):
    """Schedule for display to its owner."""

    id: int
    project_id: int
    project: str
    what: ScheduledWork
    every: str
    at: str
    time_zone: str
    settings: ScheduleSettings
    created_at: datetime
    next_at: datetime
    """Time of the next run, including its fixed delay."""
    delay_s: int
    last_at: datetime | None = None
    last_is_late: bool = False
    last_batch: int | None = None
    last_crawl: int | None = None
    last_problem: ScheduleProblem | None = None
