"""What goes into the use cases and what comes out: frozen values, no rows."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct, field

from findable.errors import PageError
from findable.reports.comparison import ChangedFinding
from findable.reports.model import Analysis
from findable.service.values.presentation import Presentation
from findable.service.values.report_summary import NOTHING, Listed
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
    """The type of `UNSET`: a member of a change that was not sent."""

    UNSET = "unset"


UNSET = Unset.UNSET


class ReportSort(StrEnum):
    """What reports are sorted by. Ties are broken by id."""

    ID = "id"
    GENERATED_AT = "generated_at"
    URL = "url"
    RESULT = "result"
    """bad < decent < good."""


class ProjectSort(StrEnum):
    """What projects are sorted by. Ties are broken by id."""

    CREATED_AT = "created_at"
    PROJECT = "project"


class Caller(Struct, frozen=True):
    """Who asks: an API key, or a person who is signed in."""

    account_id: int
    user_id: int
    key_id: int | None
    """None for a person with a session."""
    scopes: frozenset[str]
    key_prefix: str = ""
    key_expires_at: datetime | None = None
    language: str | None = None
    """What somebody signed in has chosen for our pages; None for what the browser asks for."""
    time_zone: str | None = None
    """IANA name; None for UTC."""
    role: str = "owner"
    """``owner`` or ``member``: members read and make reports, owners also manage people and keys and delete projects."""

    @property
    def owner(self) -> str:
        """Whose rate and whose idempotency keys these are: one string per API key, or per user."""
        return f"key:{self.key_id}" if self.key_id is not None else f"user:{self.user_id}"

    @property
    def account(self) -> str:
        """By which name the account is counted."""
        return f"account:{self.account_id}"


class Progress(Struct, frozen=True):
    """How far the running generation is."""

    stage: str
    done: int
    of: int


class Previous(Struct, frozen=True):
    """The rated run before the current one of the same account, address and profile."""

    report: int
    run: int
    result: Rating
    score: int
    change: int
    """Current score minus that score."""


class ReportView(Struct, frozen=True):
    """One report as its owner may see it. Everything SUMMARY and REPORT of the interface need."""

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
    """Changes with every change that is visible in the body; without quotes."""
    generated_at: datetime | None = None
    run: int | None = None
    """Number of the run that is shown, from 1; None until one ended with a result."""
    result: Rating | None = None
    score: int | None = None
    coverage: float | None = None
    listed: Listed = NOTHING
    """Engine, counts and categories of the shown run as lists show them. `engine` to `explained` have them whole, where one report or
    one run was asked for."""
    engine: Mapping[str, str] | None = None
    """``{"version", "ruleset", "profile"}`` of the shown run."""
    judged_as: str | None = None
    error: PageError | None = None
    """Why a failed report failed, or why a done one is not rated."""
    last_error: PageError | None = None
    """Why the newest generation failed while an older result is shown."""
    previous: Previous | None = None
    progress: Progress | None = None
    """Given while a generation is queued or running."""
    counts: Mapping[str, int] = field(default_factory=dict)
    categories: tuple[Mapping[str, Any], ...] = ()
    not_asked: tuple[str, ...] = ()
    explained: Mapping[str, Any] = field(default_factory=dict)
    """How the score came about (Analysis document, `explained`)."""
    analysis: Analysis | None = None
    """Only where one report or one run was asked for; None in lists and before the first result."""
    saved_sha256: str | None = None
    """Hexadecimal, of the saved page of that run; None where it is not kept, and where there is no analysis."""

    @property
    def settled(self) -> bool:
        """Whether no generation is queued or running."""
        return self.progress is None and self.status in (Status.DONE, Status.FAILED)


class NewReport(Struct, frozen=True):
    """A report asked for. The texts are as sent; `reports.create` validates them."""

    url: str | None
    privacy: Privacy = Privacy.PUBLIC
    password: str | None = None


class ReportChanges(Struct, frozen=True):
    """Only what was sent changes."""

    privacy: Privacy | Unset = UNSET
    password: str | Unset = UNSET
    results: bool = False
    """Generate the results again, site requests included."""


class ReportQuery(Struct, frozen=True):
    """A list of reports. Filters are ANDed. `cursor` wins over `page`."""

    search: str = ""
    project: str = ""
    """Name or id."""
    result: Rating | None = None
    status: Status | None = None
    check: str = ""
    """With `verdict`: reports whose current run has that verdict on that check."""
    verdict: Verdict | None = None
    since: datetime | None = None
    """Reports updated at or after."""
    sort_by: ReportSort = ReportSort.ID
    descending: bool = True
    per_page: int = 10
    page: int = 1
    cursor: str = ""


class ProjectQuery(Struct, frozen=True):
    """A list of projects. `cursor` wins over `page`."""

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
    """None where a cursor was followed."""
    next_cursor: str | None
    prev_cursor: str | None

    @property
    def last_page(self) -> int:
        """The number of the last page by `total`, at least 1."""
        return max(1, -(-self.total // self.per_page))


class IdentityView(Struct, frozen=True):
    """Which parts are set of what a project sends along to its own site. Values are never shown."""

    has_basic: bool
    header_names: tuple[str, ...]
    cookies: int
    """How many."""
    has_user_agent: bool
    is_readable: bool = True
    """False where it was encrypted with another secret: it must be entered again."""


class ProjectView(Struct, frozen=True):
    """A site of an account."""

    id: int
    name: str
    created_at: datetime
    reports_count: int
    result: Rating | None = None
    """Of the newest rated report; so are `score` and `last_generated_at`."""
    score: int | None = None
    last_generated_at: datetime | None = None
    not_for_search: tuple[str, ...] = ()
    """Patterns of addresses that are not meant to be found (`reports.patterns`)."""
    rated: Mapping[Rating, int] = field(default_factory=dict)
    """How many reports have each rating."""
    brand_name: str = ""
    brand_color: str = ""
    """``#rrggbb``; empty for ours."""
    has_logo: bool = False
    language: str | None = None
    """Of its reports; None for what the reader asks for."""
    identity: IdentityView | None = None
    """None where nothing is sent along."""


class IdentityChanges(Discreet, frozen=True):
    """What goes along to a project's own site; as sent, `identities.changed` validates it. A part that was not sent stays."""

    hidden: ClassVar[frozenset[str]] = frozenset({"basic", "headers", "cookies", "user_agent"})
    basic: tuple[str, str] | Unset | None = UNSET
    """User and password; None for none."""
    headers: Sequence[tuple[str, str]] | Unset = UNSET
    cookies: Sequence[tuple[str, str]] | Unset = UNSET
    user_agent: str | Unset = UNSET
    """Empty for ours."""


class ProjectChanges(Struct, frozen=True):
    """Only what was sent changes."""

    not_for_search: Sequence[str] | Unset = UNSET
    """All patterns; none for an empty list."""
    brand_name: str | Unset = UNSET
    brand_color: str | Unset = UNSET
    brand_logo: bytes | Unset = UNSET
    """A picture as it was uploaded; empty for none."""
    language: str | Unset = UNSET
    """Empty for what the reader asks for."""
    identity: IdentityChanges | Unset = UNSET


class Scope(StrEnum):
    """What an accepted finding is accepted for."""

    REPORT = "report"
    """This report, as long as the evidence stays the same."""
    PROJECT = "project"
    """The project's addresses that match a pattern, whatever the evidence: it differs from page to page."""


class NewAcceptance(Struct, frozen=True):
    """A finding is to be accepted. The texts are as sent; `acceptances.accept` validates them."""

    reason: str
    until: date | None = None
    """Last day (UTC) it holds; None for no end."""
    scope: Scope = Scope.REPORT
    pattern: str | None = None
    """With scope PROJECT; None for all of its addresses."""


class DeletedProject(Struct, frozen=True):
    """What deleting a project took away."""

    id: int
    name: str
    reports_deleted: int


class RunView(Struct, frozen=True):
    """One generation in the history of a report, newest first in lists."""

    report: int
    run: int
    """From 1 within the report."""
    started_at: datetime
    finished_at: datetime | None
    result: Rating | None
    score: int | None
    coverage: float | None
    engine: Mapping[str, str] | None
    error: PageError | None
    rescored_from: int | None = None
    """The run whose saved page was judged again under another ruleset: this run was not fetched."""


class Changes(Struct, frozen=True):
    """What is different between run `since` and the current run."""

    since: int | None
    """None where there is no run before."""
    run: int
    before: int | None
    """Scores."""
    after: int | None
    from_page: int | None
    """Part of the change of score that the page made; None where it cannot be told."""
    from_ruleset: int | None
    from_accepted: int | None
    """Part of it that accepting findings made, or no longer accepting them."""
    new: tuple[ChangedFinding, ...]
    fixed: tuple[ChangedFinding, ...]
    returned: tuple[ChangedFinding, ...]
    """New, but seen before in an older run of the history."""
    still: tuple[ChangedFinding, ...]
    since_report: int | None = None
    """The report of run `since`: another one of the same address where this one has no older run itself."""


class IdempotencyKey(Struct, frozen=True):
    """The header of that name and the digest of what was sent with it."""

    key: str
    payload_sha256: str


class StoredReply(Struct, frozen=True):
    """A reply kept for an idempotency key."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Created(Struct, frozen=True):
    """What `reports.create` did."""

    report: ReportView
    reply: StoredReply | None = None
    """Send exactly this, with ``Idempotent-Replayed: true``."""
    replayed: bool = False
    """The key was seen before; `report` is the report made then. Without `reply` its first request never ended: answer anew."""


class RateState(Struct, frozen=True):
    """What the headers ``RateLimit-Policy`` and ``RateLimit`` say. `limit` 0: there is none."""

    limit: int
    remaining: int
    reset_s: int
    """Seconds until the window ends."""
    window_s: int = 60


class KeyInfo(Struct, frozen=True):
    """An API key without its secret."""

    id: int
    prefix: str
    name: str
    scopes: frozenset[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class NewKey(Struct, frozen=True):
    """A key at the only moment its secret is known."""

    token: str
    info: KeyInfo


class AccountView(Struct, frozen=True):
    """An account, its limits and what it uses."""

    id: int
    name: str
    email: str
    created_at: datetime
    reports_count: int
    projects_count: int
    limits: Mapping[str, int]
    """``requests_per_minute``, ``reports_in_queue``: 0 where there is none."""


class SignInLink(Struct, frozen=True):
    """A one-time link. `url` carries the secret."""

    url: str
    expires_at: datetime


class Session(Struct, frozen=True):
    """A person is signed in; `token` is the value of the cookie."""

    token: str
    expires_at: datetime
    caller: Caller


class Decision(StrEnum):
    """The answer of the one authorisation function."""

    ALLOWED = "allowed"
    PASSWORD_NEEDED = "password_needed"  # noqa: S105 - a word, not a password
    NOT_FOUND = "not_found"


class Viewer(Struct, frozen=True):
    """Who looks at a share page: an owner who is signed in or calls with a key, or a guest who may have unlocked it."""

    caller: Caller | None = None
    unlock_token: str | None = None
    """The value of the unlock cookie of that report."""


class Shared(Struct, frozen=True):
    """What a viewer gets. `report` is given only where `decision` is ALLOWED."""

    decision: Decision
    report: ReportView | None = None
    is_owner: bool = False
    current_run: int | None = None
    """Number of the run that this viewer is shown by itself; `report` is of another one only where that was asked for."""
    link_run: int | None = None
    """Number of the run that guests are shown: the owner may have let the link stay at an older one."""
    presentation: Presentation = field(default_factory=Presentation)
    """What the owner wrote and chose for the link, and how the project shows itself."""


class Unlocked(Struct, frozen=True):
    """The right password was given: the cookie to set."""

    cookie_name: str
    token: str
    max_age_s: int
    secure: bool
