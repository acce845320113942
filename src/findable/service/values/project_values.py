"""Inputs and outputs of the use cases of projects and their sites: immutable values, no rows."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from findable.capture.browser_options import DEFAULTS, MAX_BLOCKED_HOSTS, MAX_SELECTOR_CHARS, BrowserOptions
from findable.crawl.extractors import Extractor
from findable.crawl.settings import Segment
from findable.export.new_issue import IssueTracker
from findable.monitor.retention_rules import Retention
from findable.reports.search_verdict import SearchVerdict, is_for_search
from findable.reports.url_patterns import MAX_PATTERN_CHARS, MAX_PATTERNS
from findable.service.values.paging import PagedQuery
from findable.values import DateTime, Discreet
from findable.vocabulary import BrowserUse, Privacy, Rating, ScoreOf, Tracker

MAX_TAGS = 20
MAX_TAG_CHARS = 40
_HOSTS = Meta(
    description=f"Hosts that are not loaded, with all names below them: at most {MAX_BLOCKED_HOSTS}, like analytics.example.com. Replaces "
    "the previous list; [] removes it."
)


_PATTERNS = Meta(
    description=f"Patterns of URLs that are not meant for search: at most {MAX_PATTERNS}, of at most {MAX_PATTERN_CHARS} "
    f"characters; in a form "
    "repeated or one per line, sent empty for none. * stands for anything. One that begins with / is compared with the path, "
    "with and without its query, any other with the whole URL.",
)
_SEGMENTS = Meta(
    description="Parts of the site by which the pages of crawls can be filtered: patterns by name, separated by spaces; in a form "
    "segments[Blog]=/blog/* . Replaces the previous segments; {} removes it. Stored crawls get them by POST /crawls/{id}/judge."
)
_EXTRACTORS = Meta(
    description="Further columns of the pages of crawls: a rule by name, as h1 (text of the first element), a@href (attribute), all: .tag, "
    "count: img or contains: words; in a form extractors[Heading]=h1 . Replaces the previous columns; {} removes it. Stored crawls get "
    "them by POST /crawls/{id}/judge."
)
_TAGS = Meta(
    description=f"At most {MAX_TAGS} tags of {MAX_TAG_CHARS} characters, without commas, semicolons, quotation marks and backslashes; in a "
    "form tags[]=shop . Replaces the previous tags; [] removes them."
)


class ProjectSort(StrEnum):
    """Sort keys of projects. Ties are broken by id."""

    CREATED_AT = "created_at"
    PROJECT = "project"
    SCORE = "score"
    """Score; projects without a value come last in both directions, also in the orders below."""
    CHANGE = "change"
    """Change of the score within a week; equal changes by score."""
    INDEXABLE = "indexable"
    """Share of indexable pages in the last crawl."""
    PROBLEMS = "problems"
    """Number of problems in the last crawl."""
    CHECKED = "checked"
    """Time of the newest crawl or report."""


class ProjectQuery(PagedQuery, frozen=True):
    """Query for a list of projects."""

    search: str = ""
    sort_by: ProjectSort = ProjectSort.CREATED_AT
    descending: bool = True
    tag: str = ""
    client: str = ""
    owner: str = ""
    """Email address."""
    result: Rating | None = None
    is_watched: bool | None = None


class Labels(Struct, frozen=True):
    """Labels of projects that lists can be filtered by, in alphabetical order."""

    clients: tuple[str, ...]
    tags: tuple[str, ...]
    owners: tuple[str, ...]
    """Email addresses."""


class IdentityView(Struct, frozen=True):
    """Parts of a project's identity that are set; their values are never shown."""

    basic: bool
    headers: tuple[str, ...]
    """Names of the headers."""
    cookies: int
    """Number of cookies."""
    user_agent: bool
    readable: bool = True
    """Whether the identity can be decrypted; otherwise it must be entered again."""


class ProjectSize(Struct, frozen=True):
    """Disk space of a project."""

    reports_bytes: int | None = None
    """Bytes of runs, saved pages and images; measured once a day, null before the first measurement."""
    crawls_bytes: int = 0
    """Bytes of the stores of its crawls."""
    measured_at: DateTime | None = None
    """Time of the daily measurement of reports."""

    @property
    def total_bytes(self) -> int:
        """Total size in bytes."""
        return (self.reports_bytes or 0) + self.crawls_bytes


class ReportDefaults(Struct, frozen=True):
    """Appearance, access and browser of reports in an account or project. The account's settings apply where the project has none.

    Name and logo belong together: a project with one of them inherits neither.
    """

    brand_name: str = ""
    brand_color: str = ""
    """Colour as ``#rrggbb``."""
    has_logo: bool = False
    brand_reply_to: str = ""
    """Email address for replies to emails about the project."""
    rating_words: str = ""
    """Words of ratings for clients, see `BrandView`."""
    language: str | None = None
    """Language of the reports for guests; `READERS_LANGUAGE` in a project selects the reader's language even if the account sets one."""
    default_privacy: Privacy | None = None
    """Default access to new reports and crawls."""
    browser: BrowserUse | None = None
    """Browser mode of reports."""


class ProjectView(ReportDefaults, frozen=True, kw_only=True):
    """Project of an account."""

    id: int
    name: str
    """Host, which identifies it in the API."""
    created_at: datetime
    reports_count: int
    title: str = ""
    """Display name; empty for the host."""
    client: str = ""
    """Name of the client; empty without one."""
    tags: tuple[str, ...] = ()
    owner: str = ""
    """Email address of the person responsible for the site; empty for nobody."""
    icon: str = ""
    """Version of the site's icon; empty without one."""
    verdict: SearchVerdict | None = None
    """Verdict of the site by its newest crawl, else by the report of its start page; None without either."""
    verdict_crawl: str = ""
    """Public id of the crawl with that verdict; empty without one."""
    result: Rating | None = None
    score: int | None = None
    """Site score of the last crawl that counts, else the mean score of its pages, limited by the start page; 0 if it cannot be reached."""
    score_of: ScoreOf | None = None
    """Source of the score; None without a score."""
    scored_pages: int = 0
    """Number of pages in that crawl, or of pages averaged in the score."""
    crawled_at: datetime | None = None
    """End of that crawl; None if the score is the mean of pages."""
    indexable_pages: int | None = None
    """Number of indexable pages of that crawl; None without one."""
    problems_count: int | None = None
    """Number of problems of that crawl; None without one."""
    is_watched: bool = False
    """Whether a schedule crawls the site or runs its reports."""
    is_watch_answered: bool = False
    """Whether somebody answered the offer to watch it."""
    score_crawl: int | None = None
    """Id of that crawl."""
    last_generated_at: datetime | None = None
    """Time of the newest rated report."""
    not_for_search: tuple[str, ...] = ()
    """Patterns of URLs that are not meant for search (`reports.url_patterns`)."""
    rated: Mapping[Rating, int] = field(default_factory=dict)
    """Number of pages by rating of their newest report."""
    pages_count: int = 0
    """Number of pages that have a report."""
    browser_options: BrowserOptions = DEFAULTS
    """Options of browser visits, for reports and crawls."""
    identity: IdentityView | None = None
    """Identity for requests to its site; None if it is empty."""
    segments: tuple[Segment, ...] = ()
    """Segments of the site that filter the pages of its crawls."""
    extractors: tuple[Extractor, ...] = ()
    """Additional columns of the pages of its crawls."""
    retention: Retention = Retention()
    saved_days: int = 0
    """Days for which its saved pages are stored, within the limits of the project and the service."""
    size: ProjectSize = ProjectSize()
    tracker: IssueTracker | None = None
    """Tracker for issues about its findings."""

    @property
    def display(self) -> str:
        """Display name, or the host."""
        return self.title or self.name

    @property
    def checked_at(self) -> datetime | None:
        """Time of its newest crawl or rated report; None without one."""
        return max((at for at in (self.crawled_at, self.last_generated_at) if at is not None), default=None)

    @property
    def indexable_percent(self) -> int | None:
        """Share of indexable pages in the last crawl; None without one."""
        return None if self.indexable_pages is None or not self.scored_pages else round(100 * self.indexable_pages / self.scored_pages)

    @property
    def is_for_search(self) -> bool:
        """Whether the project as a whole is meant for search."""
        return is_for_search(self.not_for_search)


class IdentityChanges(Discreet, frozen=True):
    """Changes of a project's identity; `site_identities.change` validates them. A part that was not sent does not change."""

    hidden: ClassVar[frozenset[str]] = frozenset({"basic", "headers", "cookies", "user_agent"})
    basic: tuple[str, str] | UnsetType | None = UNSET
    """User and password; None removes them."""
    headers: Sequence[tuple[str, str]] | UnsetType = UNSET
    cookies: Sequence[tuple[str, str]] | UnsetType = UNSET
    user_agent: str | UnsetType = UNSET
    """User agent; empty for the default."""


class BrowserOptionsUpdate(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes of the options of browser visits; options that are not sent stay unchanged, null sets the default."""

    dismiss_consent: bool | UnsetType | None = UNSET
    """Whether to dismiss the layers of well-known consent services, by refusing consent if they offer that."""
    without_blocked: bool | UnsetType | None = UNSET
    """Whether to omit files of the page's host that robots.txt forbids Googlebot, so that the page is rendered as by Google."""
    wait_for: Annotated[str, Meta(max_length=MAX_SELECTOR_CHARS)] | UnsetType | None = UNSET
    """CSS selector of an element to wait for, ten seconds at most; empty or null for none."""
    blocked_hosts: Annotated[list[str], _HOSTS] | UnsetType | None = UNSET
    load_trackers: bool | UnsetType | None = UNSET
    """Whether to load well-known hosts of analytics, advertising and chat, which count the visit as a visitor."""


class RetentionUpdate(Struct, frozen=True, forbid_unknown_fields=True):
    """Days for which runs of a project and their data are stored; a member that is not sent does not change, null sets the default."""

    all_days: int | UnsetType | None = UNSET
    """Days for which all runs and crawls are stored. Default: 30."""
    weekly_days: int | UnsetType | None = UNSET
    """Days for which the first run of each week is stored; later only the first run of each month. Default: 365."""
    saved_days: int | UnsetType | None = UNSET
    """Days for which saved pages and screenshots are stored, within the limit of the service."""


class TrackerUpdate(Struct, frozen=True, forbid_unknown_fields=True):
    """Issue tracker of a project."""

    kind: Tracker | UnsetType = UNSET
    url: str | UnsetType = UNSET
    """URL of the repository or project, like https://github.com/owner/repository; for Jira with pid and issuetype in its query."""


class DefaultsUpdate(Struct, frozen=True):
    """Changes of the appearance, access and browser of reports: of the account, or of a project, which overrides it.

    Only fields that are sent change.
    """

    brand_name: str | UnsetType | None = UNSET
    """Brand name on the reports; empty or null removes it. A project with a name or a logo inherits neither from the account."""
    brand_color: str | UnsetType | None = UNSET
    """Accent colour, like #1a5442; empty or null for the default."""
    brand_logo: bytes | UnsetType | None = UNSET
    """PNG, JPEG or WebP of at most 1 MB: a file in a multipart form, base64 elsewhere; empty or null for none."""
    brand_reply_to: str | UnsetType | None = UNSET
    """Email address for replies to emails about the project; empty or null for the sender's address."""
    rating_words: str | UnsetType | None = UNSET
    """Words that clients read for good, decent and bad, like: On track, Needs work, At risk; none shows them the score alone, empty or null
    the usual words. The API keeps its codes.
    """
    language: str | UnsetType | None = UNSET
    """Language of the reports, like de; empty or null: the account's setting, or else the reader's language. In a project, reader selects
    the reader's language even if the account sets one.
    """
    default_privacy: Literal[0, 1] | UnsetType | None = UNSET
    """Default access to new reports and crawls; empty or null: the account's setting, or else 0."""
    browser: BrowserUse | UnsetType | None = UNSET
    """Way in which reports use the Chromium of the service: view loads each page once, as visitors see it; empty or null: the account's
    setting, or else none.
    """


class ProjectSettingsUpdate(DefaultsUpdate, frozen=True):
    """Changes of a project, except its identity; only fields that are sent change."""

    display_name: Annotated[str, Meta(max_length=80)] | UnsetType | None = UNSET
    """Name of the project for people; empty or null: its host."""
    client: Annotated[str, Meta(max_length=80)] | UnsetType | None = UNSET
    """Name of the client; empty or null for none."""
    tags: Annotated[list[str], _TAGS] | UnsetType = UNSET
    owner: str | UnsetType | None = UNSET
    """Email address of the person responsible for the site, who must have access to it; empty or null for nobody."""
    not_for_search: Annotated[list[str], _PATTERNS] | UnsetType = UNSET
    browser_options: BrowserOptionsUpdate | UnsetType = UNSET
    """Options of browser visits, for reports and crawls."""
    segments: Annotated[dict[str, str], _SEGMENTS] | UnsetType = UNSET
    extractors: Annotated[dict[str, str], _EXTRACTORS] | UnsetType = UNSET
    retention: RetentionUpdate | UnsetType = UNSET
    """Days for which runs, crawls, saved pages and screenshots are stored."""
    tracker: TrackerUpdate | UnsetType = UNSET
    """Tracker in which members create issues about findings; {} removes it."""


class ProjectChanges(ProjectSettingsUpdate, frozen=True):
    """Changes of a project, with those of its identity."""

    identity: IdentityChanges | UnsetType = UNSET


class ScorePoint(Struct, frozen=True):
    """Score of a project at a time."""

    at: datetime
    score: int
    ruleset: str = ""
    """Ruleset of the score, without which it cannot be compared; empty if it is not known."""


class DeletedProject(Struct, frozen=True):
    """Deleted project, with the number of its reports."""

    id: int
    name: str
    reports_deleted: int
