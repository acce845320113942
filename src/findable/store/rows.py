"""Row types of the tables. Times are seconds since 1970; text fields with JSON are named ``…_json``."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from findable.vocabulary import Verdict

NEVER = 2**53
"""Value that sorts after every time and fits in a JSON number."""
RESULTS = ("bad", "decent", "good")
"""Results, worst first: the order of sorting by result."""
VERDICTS = tuple(Verdict)
"""Verdicts by stored number; new ones are added at the end."""
MAX_ID = 2**63
"""Upper limit of ids."""


class OwnRow(Struct, frozen=True):
    """Account or project: its name, age and settings of reports, and the number of its reports."""

    id: int
    name: str
    created_at: int
    reports: int
    brand_name: str | None
    brand_color: str | None
    brand_logo: bytes | None
    brand_reply_to: str | None
    rating_words: str | None
    language: str | None
    default_privacy: int | None
    browser: str | None


class AccountRow(OwnRow, frozen=True):
    """Account with its settings and counters."""

    email: str
    projects: int


class PersonRow(NamedTuple):
    """Person who can sign in."""

    id: int
    account_id: int
    email: str
    password_hash: str | None
    disabled_at: int | None
    created_at: int
    name: str
    role: str
    language: str | None
    time_zone: str | None
    visited_at: int | None
    """End of the visit before the current one."""
    is_operator: int


class KeyRow(NamedTuple):
    """API key of a person, without the secret."""

    id: int
    account_id: int
    person_id: int
    prefix: str
    name: str
    scopes: str
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None


class SessionRow(NamedTuple):
    """Session of a signed-in person."""

    token_hash: bytes
    created_at: int
    expires_at: int
    last_seen_at: int | None
    user_agent: str | None
    network: str | None
    proxied_email: str | None
    preview_of: int | None


class InvitationRow(NamedTuple):
    """Invitation to join an account, or one project of it."""

    token_hash: bytes
    account_id: int
    role: str
    email: str | None
    invited_by: int | None
    created_at: int
    expires_at: int
    project_id: int | None


class ProjectRow(OwnRow, frozen=True):
    """Project with its score and its newest rated report."""

    score: int | None
    """Site score of the last complete crawl, or else the mean score of the project's pages, limited by the start page."""
    site_crawl: int | None
    """Id of the crawl that the score comes from; None if it is the score of the pages."""
    site_at: int | None
    """Time of the crawl that the score comes from."""
    site_counts_json: str | None
    """Page counts of the crawl that the score comes from."""
    site_findings_json: str | None
    """Numbers of findings of that crawl by verdict."""
    schedules_count: int
    title: str | None
    """Display name; None for the host."""
    client_name: str | None
    tags_json: str | None
    watch_answered: int
    owner: str | None
    """Email address of the person responsible for the site; None for nobody."""
    icon: bytes | None
    """Hash of the icon of the site, from its newest report or crawl with one; None without one."""
    verdict: str | None
    """Code of the verdict of its newest crawl about the site; None without one."""
    verdict_since: int | None
    verdict_at: int | None
    verdict_values_json: str | None
    verdict_crawl: str | None
    """Public id of that crawl."""
    scored_pages: int
    """Number of pages in the mean score; used without a crawl."""
    generated_at: int | None
    not_for_search_json: str | None
    good: int
    decent: int
    bad: int
    identity: bytes | None
    segments_json: str | None
    extractors_json: str | None
    browser_options_json: str | None
    retention_json: str | None
    reports_bytes: int
    measured_at: int
    """Time of the measurement; 0 if there was none."""
    tracker_json: str | None
    crawls_bytes: int
    duplicates: int
    duplicates_good: int
    duplicates_decent: int
    duplicates_bad: int


class RunImages(NamedTuple):
    """Hashes of the images of a run; None for missing images."""

    icon: bytes | None = None
    card: bytes | None = None
    phone: bytes | None = None
    """Screenshot on a phone; ``desktop`` is that on a desktop."""
    desktop: bytes | None = None
    filmstrip: bytes | None = None


class WorkerSettings(NamedTuple):
    """Settings of a project, or of its account, that workers need; None for those without a value."""

    not_for_search_json: str | None
    identity: bytes | None
    """Encrypted headers for requests to the site."""
    browser: str | None
    browser_options_json: str | None


class AcceptanceRow(NamedTuple):
    """Accepted finding of one report or of a project's URLs."""

    id: int
    report_id: int | None
    check_name: str
    pattern: str
    finding_key: str
    reason: str
    until: str
    accepted_by: str
    created_at: int


class ResultRow(Struct, frozen=True):
    """Report or crawl with its link, its result, the name of its project, and its queued or running job."""

    id: int
    public_id: str
    account_id: int
    project_id: int
    project: str
    url: str
    scheme_guessed: int
    privacy: int
    password_hash: str | None
    password_version: int
    status: str
    version: int
    created_at: int
    updated_at: int
    result: str | None
    score: int | None
    coverage: int | None
    verdict_since: int | None
    previous_result: str | None
    previous_score: int | None
    job_state: str | None
    job_progress_json: str | None


class ReportRow(ResultRow, frozen=True):
    """Report with the project's name and its queued or running job."""

    queued_at: int | None
    run: int | None
    generated_at: int | None
    check_set: int | None
    summary_json: str | None
    error_json: str | None
    last_error_json: str | None
    previous_report: int | None
    previous_run: int | None
    generated_up: int
    generated_down: int
    result_down: int
    worst_down: int
    browser: str | None


class RunRow(NamedTuple):
    """Run without its analysis."""

    report_id: int
    number: int
    started_at: int
    finished_at: int
    result: str | None
    score: int | None
    coverage: int | None
    engine_json: str | None
    error_json: str | None
    profile: str
    url: str
    saved_hash: bytes | None
    id: int
    rescored_from: int | None


class ClaimedJob(Struct, frozen=True):
    """Claimed job. `attempt` is the fencing token: writes are accepted only while it is unchanged."""

    id: int
    account_id: int
    host: str
    attempt: int
    failures: int
    started_at: int
    person_id: int | None


class JobRow(ClaimedJob, frozen=True):
    """Claimed job of a report."""

    kind: str
    report_id: int
    fresh_site: int
    is_scheduled: int
    browser: str | None
    """Browser mode of this run, whose result without a browser is shown first; None for the setting of report or project."""


class IdempotencyRow(NamedTuple):
    """Stored request with an idempotency key."""

    payload_hash: str
    report_id: int
    created_at: int
    held_until: int
    reply: bytes | None


class NewRun(Struct, frozen=True):
    """Finished run, with or without a result."""

    started_at: int
    finished_at: int
    profile: str
    result: str | None = None
    score: int | None = None
    coverage: int | None = None
    """Coverage in per cent."""
    engine_json: str | None = None
    analysis: bytes | None = None
    saved_page: bytes | None = None
    error_json: str | None = None
    summary_json: str | None = None
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """Verdicts by check id, for all checks that ran."""
    not_asked: Sequence[str] = ()
    rescored_from: int | None = None
    """Number of the run whose saved page was rescored."""
    cap: int | None = None
    """Lowest limit of the score; None if it is not limited."""
    accepted_end: int | None = None
    """Time when the first acceptance that affects the result ends."""
    accepted: frozenset[str] = frozenset()
    """Checks whose finding is accepted."""
    failed: int | None = None
    """Number of problems that are not accepted."""
    warned: int | None = None


class Position(Struct, frozen=True):
    """Position in a sorted list: sort key and id of a row."""

    key: Any
    id: int
    backwards: bool = False
    """Whether to read the page before the position instead of the one after it."""


class Selection(Struct, frozen=True):
    """Filter, sort order and page of a list of reports."""

    account_id: int
    sort: str = "id"
    """Sort key: ``id``, ``generated_at``, ``url`` or ``result``."""
    descending: bool = True
    limit: int = 10
    offset: int = 0
    position: Position | None = None
    project_id: int | None = None
    search: str = ""
    result: str | None = None
    status: str | None = None
    check: str = ""
    verdict: Verdict | None = None
    person_id: int | None = None
    """Person for whom only granted projects are listed; None for all."""
    since: int | None = None
    pages_only: bool = False
    """Whether to omit reports of pages that have a newer one."""

    @property
    def uses_counters(self) -> bool:
        """Whether counters contain the number of matches, so that no query counts them."""
        return not (self.search or self.status or self.check or self.since is not None or self.person_id is not None)
