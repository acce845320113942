"""Inputs and outputs of the use cases: frozen values, no rows."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct, field

from findable.errors import PageError
from findable.reports.comparison import ChangedFinding
from findable.reports.report import Engine, Report
from findable.reports.reported_finding import ReportedFinding
from findable.service.values.presentation import Presentation
from findable.service.values.report_summary import NO_SUMMARY, ReportSummary
from findable.values import Discreet
from findable.vocabulary import Privacy, Rating, Status, Verdict

Item = TypeVar("Item")

READ = "read"
WRITE = "write"
SCOPES = frozenset({READ, WRITE})
PER_PAGE = (10, 25, 50, 100)
MAX_SEARCH_CHARS = 2048
MAX_PASSWORD_BYTES = 1024


class Unset(StrEnum):
    """Type of `UNSET`, for a field of a change that was not sent."""

    UNSET = "unset"


UNSET = Unset.UNSET


class ReportSort(StrEnum):
    """Sort keys of reports. Ties are broken by id."""

    ID = "id"
    GENERATED_AT = "generated_at"
    URL = "url"
    RESULT = "result"
    """bad < decent < good."""


class ProjectSort(StrEnum):
    """Sort keys of projects. Ties are broken by id."""

    CREATED_AT = "created_at"
    PROJECT = "project"


class Caller(Struct, frozen=True):
    """An API key, or a signed-in person."""

    account_id: int
    user_id: int
    key_id: int | None
    """Key id, None for a person with a session."""
    scopes: frozenset[str]
    key_prefix: str = ""
    key_expires_at: datetime | None = None
    language: str | None = None
    """Language that the signed-in person chose; None for the browser's."""
    time_zone: str | None = None
    """IANA name; None for UTC."""
    role: str = "owner"
    """``owner`` or ``member``: members read and make reports, owners also manage people and keys and delete projects."""

    @property
    def owner(self) -> str:
        """Key of rate limits and idempotency keys: one string per API key, or per user."""
        return f"key:{self.key_id}" if self.key_id is not None else f"user:{self.user_id}"

    @property
    def account(self) -> str:
        """Key under which the account is counted."""
        return f"account:{self.account_id}"


class Progress(Struct, frozen=True):
    """Progress of the running generation."""

    stage: str
    done: int
    of: int


class Previous(Struct, frozen=True):
    """Previous rated run of the same account, URL and profile."""

    report: int
    run: int
    result: Rating
    score: int
    change: int
    """Current score minus the previous one."""


class ReportView(Struct, frozen=True):
    """Report as its owner may see it, with all values of SUMMARY and REPORT in the API."""

    id: int
    public_id: str
    account_id: int
    url: str
    project_id: int
    project: str
    status: Status
    privacy: Privacy
    has_password: bool
    created_at: datetime
    updated_at: datetime
    etag: str
    """ETag without quotes; it changes with every visible change."""
    generated_at: datetime | None = None
    run: int | None = None
    """Number of the shown run, from 1; None until one ended with a result."""
    result: Rating | None = None
    score: int | None = None
    coverage: float | None = None
    listed: ReportSummary = NO_SUMMARY
    """Engine, counts and categories of the shown run, for lists."""
    error: PageError | None = None
    """Why a failed report failed, or why a done one is not rated."""
    last_error: PageError | None = None
    """Reason why the newest generation failed while an older result is shown."""
    previous: Previous | None = None
    progress: Progress | None = None
    """Progress while a generation is queued or running, else None."""
    not_asked: tuple[str, ...] = ()
    report: Report | None = None
    """Report of the shown run, if one report or run was requested; None in lists and before the first result."""
    saved_sha256: str | None = None
    """Hexadecimal digest of the run's saved page; None if it is not stored, and without a report."""

    @property
    def settled(self) -> bool:
        """Whether no generation is queued or running."""
        return self.progress is None and self.status in (Status.DONE, Status.FAILED)


class NewReport(Struct, frozen=True):
    """Request for a report. The texts are as sent; `reports.create` validates them."""

    url: str | None
    privacy: Privacy = Privacy.PUBLIC
    password: str | None = None


class ReportChanges(Struct, frozen=True):
    """Changes of a report; only what was sent changes."""

    privacy: Privacy | Unset = UNSET
    password: str | Unset = UNSET
    results: bool = False
    """Whether to regenerate the results, site requests included."""


class ReportQuery(Struct, frozen=True):
    """Query for a list of reports. Filters are ANDed. `cursor` wins over `page`."""

    search: str = ""
    project: str = ""
    """Name or id."""
    result: Rating | None = None
    status: Status | None = None
    check: str = ""
    """Check for `verdict`: reports whose current run has that verdict on it."""
    verdict: Verdict | None = None
    since: datetime | None = None
    """Earliest update time."""
    sort_by: ReportSort = ReportSort.ID
    descending: bool = True
    per_page: int = 10
    page: int = 1
    cursor: str = ""


class ProjectQuery(Struct, frozen=True):
    """Query for a list of projects. `cursor` wins over `page`."""

    search: str = ""
    sort_by: ProjectSort = ProjectSort.CREATED_AT
    descending: bool = True
    per_page: int = 10
    page: int = 1
    cursor: str = ""


class Page(Struct, Generic[Item], frozen=True):
    """One page of a list."""

    items: tuple[Item, ...]
    total: int
    total_is_estimate: bool
    """Whether `total` is only a lower bound; it is exact up to 10,000."""
    per_page: int
    page: int | None
    """Page number, None if a cursor was followed."""
    next_cursor: str | None
    prev_cursor: str | None

    @property
    def last_page(self) -> int:
        """Number of the last page by `total`, at least 1."""
        return max(1, -(-self.total // self.per_page))


class IdentityView(Struct, frozen=True):
    """Parts that are set in a project's identity. Values are never shown."""

    has_basic: bool
    header_names: tuple[str, ...]
    cookies: int
    """Number of cookies."""
    has_user_agent: bool
    is_readable: bool = True
    """Whether it can be decrypted; otherwise it must be entered again."""


class ProjectView(Struct, frozen=True):
    """Project of an account."""

    id: int
    name: str
    created_at: datetime
    reports_count: int
    result: Rating | None = None
    """Rating of the newest rated report; `score` and `last_generated_at` belong to it too."""
    score: int | None = None
    last_generated_at: datetime | None = None
    not_for_search: tuple[str, ...] = ()
    """Patterns of URLs that are not meant for search (`reports.url_patterns`)."""
    rated: Mapping[Rating, int] = field(default_factory=dict)
    """Number of reports by rating."""
    brand_name: str = ""
    brand_color: str = ""
    """``#rrggbb``; empty for the default colour."""
    has_logo: bool = False
    language: str | None = None
    """Language of its reports; None for the reader's."""
    identity: IdentityView | None = None
    """Identity, None if nothing is sent."""


class IdentityChanges(Discreet, frozen=True):
    """Changes of a project's identity; `identities.changed` validates them. A part that was not sent stays."""

    hidden: ClassVar[frozenset[str]] = frozenset({"basic", "headers", "cookies", "user_agent"})
    basic: tuple[str, str] | Unset | None = UNSET
    """User and password; None removes them."""
    headers: Sequence[tuple[str, str]] | Unset = UNSET
    cookies: Sequence[tuple[str, str]] | Unset = UNSET
    user_agent: str | Unset = UNSET
    """User agent; empty for the default."""


class ProjectChanges(Struct, frozen=True):
    """Changes of a project; only what was sent changes."""

    not_for_search: Sequence[str] | Unset = UNSET
    """All patterns; an empty list removes them."""
    brand_name: str | Unset = UNSET
    brand_color: str | Unset = UNSET
    brand_logo: bytes | Unset = UNSET
    """Image as uploaded; empty removes it."""
    language: str | Unset = UNSET
    """Language; empty for the reader's."""
    identity: IdentityChanges | Unset = UNSET


class Scope(StrEnum):
    """Scope of an accepted finding."""

    REPORT = "report"
    """This report, while the evidence stays the same."""
    PROJECT = "project"
    """URLs of the project that match a pattern, with any evidence, since it differs from page to page."""


class NewAcceptance(Struct, frozen=True):
    """Request to accept a finding. The texts are as sent; `acceptances.accept` validates them."""

    reason: str
    until: date | None = None
    """Last day (UTC) of validity; None for no end."""
    scope: Scope = Scope.REPORT
    pattern: str | None = None
    """Pattern for scope PROJECT; None for all of its URLs."""


class DeletedProject(Struct, frozen=True):
    """Counts of what was deleted with a project."""

    id: int
    name: str
    reports_deleted: int


class RunView(Struct, frozen=True):
    """One generation in the history of a report, newest first in lists."""

    report: int
    run: int
    """Number from 1 within the report."""
    started_at: datetime
    finished_at: datetime | None
    result: Rating | None
    score: int | None
    coverage: float | None
    engine: Engine | None
    error: PageError | None
    rescored_from: int | None = None
    """Run whose saved page was rescored under another ruleset; this run was not fetched."""


class Changes(Struct, frozen=True):
    """Differences between run `since` and the current run."""

    since: int | None
    """Previous run, None if there is none."""
    run: int
    before: int | None
    """Score of the previous run."""
    after: int | None
    from_page: int | None
    """Part of the score change caused by the page; None if unknown."""
    from_ruleset: int | None
    from_accepted: int | None
    """Part of the score change caused by acceptances."""
    new: tuple[ChangedFinding[ReportedFinding], ...]
    fixed: tuple[ChangedFinding[ReportedFinding], ...]
    returned: tuple[ChangedFinding[ReportedFinding], ...]
    """Findings that are new but occurred in an older run of the history."""
    still: tuple[ChangedFinding[ReportedFinding], ...]
    since_report: int | None = None
    """Report of run `since`, if that is another report of the same URL."""
    rulesets: tuple[str, str] | None = None
    """Rulesets of the two runs, if they differ: then only findings that the page changed are listed as new or fixed."""


class IdempotencyKey(Struct, frozen=True):
    """Value of the Idempotency-Key header, and the digest of the request."""

    key: str
    payload_sha256: str


class StoredReply(Struct, frozen=True):
    """Response stored for an idempotency key."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class CreatedReport(Struct, frozen=True):
    """Result of `reports.create`."""

    report: ReportView
    reply: StoredReply | None = None
    """Response to send unchanged, with ``Idempotent-Replayed: true``."""
    replayed: bool = False
    """Whether the key was used before; `report` is the report made then. Without `reply` its first request never ended: respond now."""


class RateState(Struct, frozen=True):
    """Values of the headers ``RateLimit-Policy`` and ``RateLimit``. `limit` 0: there is none."""

    limit: int
    remaining: int
    reset_s: int
    """Seconds until the window ends."""
    window_s: int = 60


class KeyInfo(Struct, frozen=True):
    """API key without its secret."""

    id: int
    prefix: str
    name: str
    scopes: frozenset[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class NewKey(Struct, frozen=True):
    """API key with its secret, which is shown only once."""

    token: str
    info: KeyInfo


class AccountView(Struct, frozen=True):
    """Account with its limits and usage."""

    id: int
    name: str
    email: str
    created_at: datetime
    reports_count: int
    projects_count: int
    limits: Mapping[str, int]
    """``requests_per_minute``, ``reports_in_queue``: 0 if there is none."""


class SignInLink(Struct, frozen=True):
    """A one-time link. `url` carries the secret."""

    url: str
    expires_at: datetime


class Session(Struct, frozen=True):
    """Session of a signed-in person; `token` is the value of the cookie."""

    token: str
    expires_at: datetime
    caller: Caller


class Decision(StrEnum):
    """Result of the one authorization function."""

    ALLOWED = "allowed"
    PASSWORD_NEEDED = "password_needed"  # noqa: S105 - a code, not a password
    NOT_FOUND = "not_found"


class Viewer(Struct, frozen=True):
    """Viewer of a share page: an owner with session or key, or a guest who may have unlocked it."""

    caller: Caller | None = None
    unlock_token: str | None = None
    """Value of the report's unlock cookie."""


class ReportAccess(Struct, frozen=True):
    """Report for a viewer. `report` is set only if `decision` is ALLOWED."""

    decision: Decision
    report: ReportView | None = None
    is_owner: bool = False
    current_run: int | None = None
    """Number of the run that this viewer sees by default; `report` has another one only on request."""
    link_run: int | None = None
    """Number of the run that guests see: the owner may have fixed the link to an older one."""
    presentation: Presentation = field(default_factory=Presentation)
    """The owner's texts and choices for the link, and the project's branding."""


class UnlockCookie(Struct, frozen=True):
    """Cookie to set after the right password."""

    cookie_name: str
    token: str
    max_age_s: int
    secure: bool
