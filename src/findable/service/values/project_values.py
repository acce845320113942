"""Inputs and outputs of the use cases of projects and their sites: frozen values, no rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from msgspec import UNSET, Struct, UnsetType, field

from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.crawl.extractors import Extractor
from findable.crawl.scope import Segment
from findable.export.new_issue import IssueTracker
from findable.monitor.retention_rules import Retention
from findable.values import Discreet
from findable.vocabulary import BrowserUse, Privacy, Rating, ScoreOf


class ProjectSort(StrEnum):
    """Sort keys of projects. Ties are broken by id."""

    CREATED_AT = "created_at"
    PROJECT = "project"
    SCORE = "score"
    """Score; projects without one come last both ways."""


class ProjectQuery(Struct, frozen=True):
    """Query for a list of projects. `cursor` wins over `page`."""

    search: str = ""
    sort_by: ProjectSort = ProjectSort.CREATED_AT
    descending: bool = True
    per_page: int = 10
    page: int = 1
    cursor: str = ""


class IdentityView(Struct, frozen=True):
    """Parts that are set in a project's identity. Values are never shown."""

    has_basic: bool
    header_names: tuple[str, ...]
    cookies: int
    """Number of cookies."""
    has_user_agent: bool
    is_readable: bool = True
    """Whether it can be decrypted; otherwise it must be entered again."""


class ProjectSize(Struct, frozen=True):
    """Room that a project takes."""

    reports_bytes: int | None = None
    """Bytes of runs, saved pages and images; None before they were measured."""
    crawls_bytes: int = 0
    """Bytes of the stores of its crawls."""
    measured_at: datetime | None = None
    """Time when the reports were measured, which happens once a day."""

    @property
    def total_bytes(self) -> int:
        """Bytes of both."""
        return (self.reports_bytes or 0) + self.crawls_bytes


class ReportDefaults(Struct, frozen=True):
    """Look and access of reports, as an account or one of its projects sets it. What a project leaves open is as the account sets it.

    Name and logo belong together: a project with one of them takes neither from the account.
    """

    brand_name: str = ""
    brand_color: str = ""
    """Colour as ``#rrggbb``."""
    has_logo: bool = False
    language: str | None = None
    """Language of the reports for guests; `READERS_LANGUAGE` in a project for the reader's, although the account sets one."""
    default_privacy: Privacy | None = None
    """Access to new reports and crawls where nobody chooses one."""


class ProjectView(ReportDefaults, frozen=True, kw_only=True):
    """Project of an account."""

    id: int
    name: str
    created_at: datetime
    reports_count: int
    result: Rating | None = None
    score: int | None = None
    """Site score of the last complete crawl, else the mean score of the pages limited by the start page."""
    score_of: ScoreOf | None = None
    """Which of the two it is; None without a score."""
    scored_pages: int = 0
    """Pages of that crawl, or pages in the mean."""
    crawled_at: datetime | None = None
    """End of that crawl; None for a mean of pages."""
    last_generated_at: datetime | None = None
    """Time of the newest rated report."""
    not_for_search: tuple[str, ...] = ()
    """Patterns of URLs that are not meant for search (`reports.url_patterns`)."""
    rated: Mapping[Rating, int] = field(default_factory=dict)
    """Number of pages by rating of their newest report."""
    pages_count: int = 0
    """Number of pages that have a report."""
    browser: BrowserUse = BrowserUse.NONE
    """Way in which its reports use a browser."""
    browser_options: BrowserOptions = DEFAULTS
    """Options of the visits with the browser, of reports and crawls."""
    identity: IdentityView | None = None
    """Identity, None if nothing is sent."""
    segments: tuple[Segment, ...] = ()
    """Parts of the site by which the pages of its crawls are filtered."""
    extractors: tuple[Extractor, ...] = ()
    """Further columns of the pages of its crawls."""
    alert_rules: Mapping[str, bool] = {}
    """Rules of alerts that are on or off other than by default."""
    retention: Retention = Retention()
    saved_days: int = 0
    """Days for which its saved pages are kept: as many as it and the service allow."""
    size: ProjectSize = ProjectSize()
    tracker: IssueTracker | None = None
    """Tracker in which issues of its findings are made."""


class IdentityChanges(Discreet, frozen=True):
    """Changes of a project's identity; `identities.changed` validates them. A part that was not sent stays."""

    hidden: ClassVar[frozenset[str]] = frozenset({"basic", "headers", "cookies", "user_agent"})
    basic: tuple[str, str] | UnsetType | None = UNSET
    """User and password; None removes them."""
    headers: Sequence[tuple[str, str]] | UnsetType = UNSET
    cookies: Sequence[tuple[str, str]] | UnsetType = UNSET
    user_agent: str | UnsetType = UNSET
    """User agent; empty for the default."""


class BrowserOptionsChanges(Struct, frozen=True):
    """Changes of the options of visits with the browser; None sets the default. A part that was not sent stays."""

    dismiss_consent: bool | UnsetType | None = UNSET
    without_blocked: bool | UnsetType | None = UNSET
    wait_for: str | UnsetType | None = UNSET
    blocked_hosts: Sequence[str] | UnsetType | None = UNSET
    """All hosts; an empty list removes them."""


class RetentionChanges(Struct, frozen=True):
    """Changes of the retention; None sets the default. A part that was not sent stays."""

    all_days: int | UnsetType | None = UNSET
    weekly_days: int | UnsetType | None = UNSET
    saved_days: int | UnsetType | None = UNSET


class TrackerChanges(Struct, frozen=True):
    """Tracker of a project as it is sent; without a URL it is removed."""

    kind: str = ""
    """Value of `Tracker`."""
    url: str = ""


class DefaultsChanges(Struct, frozen=True, kw_only=True):
    """Changes of `ReportDefaults`; only what was sent changes, and what is empty is left open."""

    brand_name: str | UnsetType = UNSET
    brand_color: str | UnsetType = UNSET
    brand_logo: bytes | UnsetType = UNSET
    """Image as uploaded; empty removes it."""
    language: str | UnsetType = UNSET
    default_privacy: str | UnsetType = UNSET
    """Number of a `Privacy`."""


class ProjectChanges(DefaultsChanges, frozen=True):
    """Changes of a project; only what was sent changes."""

    not_for_search: Sequence[str] | UnsetType = UNSET
    """All patterns; an empty list removes them."""
    browser: str | UnsetType = UNSET
    """Value of `BrowserUse`; empty for none."""
    browser_options: BrowserOptionsChanges | UnsetType = UNSET
    identity: IdentityChanges | UnsetType = UNSET
    segments: Mapping[str, str] | UnsetType = UNSET
    """Patterns by name, separated by white space; an empty mapping removes them."""
    extractors: Mapping[str, str] | UnsetType = UNSET
    """Rules by name; an empty mapping removes them."""
    alert_rules: Mapping[str, bool] | UnsetType = UNSET
    """Rules of alerts that are on or off; replaces all."""
    retention: RetentionChanges | UnsetType = UNSET
    tracker: TrackerChanges | UnsetType = UNSET


class ScorePoint(Struct, frozen=True):
    """Score of a project at a time."""

    at: datetime
    score: int


class DeletedProject(Struct, frozen=True):
    """Counts of what was deleted with a project."""

    id: int
    name: str
    reports_deleted: int
