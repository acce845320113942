"""Inputs and outputs of the report use cases: immutable values, no rows."""

from datetime import UTC, date, datetime
from enum import StrEnum

from msgspec import UNSET, Struct, UnsetType

from findable.clock import now
from findable.crawl.changes import PageChange
from findable.crawl.page_selection import Span
from findable.errors import PageError
from findable.export.report_json import Points
from findable.reports.difference import ByChange, NotComparable
from findable.reports.report import Engine, Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.search_verdict import SearchVerdict, found_on_page, over_time
from findable.service.values.paging import PagedQuery
from findable.service.values.report_summary import NO_SUMMARY, ReportSummary
from findable.service.values.result_values import ResultMembers
from findable.values import DateTime
from findable.vocabulary import BrowserUse, Privacy, Profile, Rating, Status, Verdict


class ReportSort(StrEnum):
    """Sort keys of reports. Ties are broken by id; reports with the same rating begin with the newest."""

    ID = "id"
    GENERATED_AT = "generated_at"
    URL = "url"
    RESULT = "result"
    """Rating: bad, decent, good, and within a rating the score."""
    DATA = "data"
    """Uploaded metric in the column `ReportQuery.data`; for reports of one project only."""


class Progress(Struct, frozen=True):
    """Progress of the running generation."""

    stage: str
    done: int
    of: int


class PreviousRun(Struct, frozen=True):
    """Last comparable run of the same page."""

    report: int
    run: int
    result: Rating
    score: Points
    change: int
    """Current score minus the previous one."""


def page_verdict(listed: ReportSummary, error: PageError | None) -> SearchVerdict | None:
    """Return what the newest run shows about its page: by its error, or without one, by its summary."""
    if error is None:
        return listed.verdict
    return found_on_page(None, error=error)


def page_verdict_now(
    listed: ReportSummary, error: PageError | None, since: datetime | None, generated_at: datetime | None
) -> SearchVerdict | None:
    """Return the verdict of a page at present; None if its newest run says nothing about it.

    Args:
        listed: summary of the run that its report shows.
        error: reason why the newest run has no rating; None if it has one.
        since: time of the first of its last results with this verdict; None if it is not known.
        generated_at: time of the run that its report shows.
    """
    found = page_verdict(listed, error)
    if found is None or since is None:
        return found
    failed_at = None if error is None or error.at is None else datetime.fromtimestamp(error.at, UTC)
    return over_time(found, since, failed_at or generated_at or since, now())


class ReportFields(ResultMembers, frozen=True, kw_only=True):
    """Members of a report in lists of the API that its owner sees in the same form."""

    status: Status
    generated_at: DateTime | None = None
    previous: PreviousRun | None = None
    not_asked: tuple[str, ...] = ()
    browser: BrowserUse | None = None
    """Browser mode of its runs; null for the project's setting."""


class ReportView(ReportFields, frozen=True, kw_only=True):
    """Report for display to its owner, with all values of SUMMARY and REPORT in the API."""

    account_id: int
    project_id: int
    privacy: Privacy
    etag: str
    """ETag without quotes; it changes with every visible change."""
    run: int | None = None
    """Number of the shown run, from 1; None until a run has a result."""
    listed: ReportSummary = NO_SUMMARY
    """Engine, counts and categories of the shown run, for lists."""
    error: PageError | None = None
    """Reason why a failed report failed, or a completed one has no rating."""
    last_error: PageError | None = None
    """Reason why the newest generation failed while an older result is shown."""
    verdict_since: datetime | None = None
    """Time of the first of its last results with the present verdict; None for a single run."""
    progress: Progress | None = None
    """Progress while a generation is queued or running, else None."""
    queued_at: datetime | None = None
    """Time at which that generation was requested."""
    report: Report | None = None
    """Report of the shown run, if one report or run was requested; None in lists and before the first result."""
    saved_sha256: str | None = None
    """Hexadecimal digest of the run's saved page; None if it is not stored, or without a report."""

    @property
    def verdict(self) -> SearchVerdict | None:
        """Verdict of the newest run about the page in search; None if it says nothing about it."""
        return page_verdict_now(self.listed, self.last_error or self.error, self.verdict_since, self.generated_at)

    @property
    def score_before(self) -> int | None:
        """Score of the shown run, if the verdict of a later run that failed decides another one; else None."""
        report = self.report if self.last_error is not None else None
        return None if report is None or report.score == self.score else report.score

    @property
    def shows_part(self) -> bool:
        """Whether the shown run is the part without the browser of the generation that is running."""
        return self.queued_at is not None and self.generated_at is not None and self.queued_at <= self.generated_at

    @property
    def is_finished(self) -> bool:
        """Whether no generation is queued or running."""
        return self.progress is None and self.status in (Status.DONE, Status.FAILED)


class Existing(StrEnum):
    """Choice for URLs that already have a report."""

    RERUN = "rerun"
    """Choice to add a run to the existing report; its link, access, notes and acceptances stay."""
    NEW = "new"
    """Choice to create another report."""


class NewReport(Struct, frozen=True):
    """Request for a report. The texts are unvalidated; `reports.create` validates them."""

    url: str | None
    privacy: Privacy | None = None
    """Access; None for the default of the project."""
    password: str | None = None
    existing: Existing = Existing.NEW
    browser: BrowserUse | None = None
    """Browser mode of its runs; None for the setting of the existing report or the project."""
    unset_privacy: Privacy = Privacy.PRIVATE
    """Access if neither the request, the project nor the account sets one; `POST /reports` has always created public reports."""
    is_from_form: bool = False
    """Whether a person started it at a form: a visit with the browser follows the first result, unless a setting says otherwise."""


class ReportChanges(Struct, frozen=True):
    """Changes of a report; only fields that were sent change."""

    privacy: Privacy | UnsetType = UNSET
    password: str | UnsetType = UNSET
    results: bool = False
    """Whether to regenerate the results, including site requests."""
    browser: BrowserUse | UnsetType | None = UNSET
    """Browser mode from the next run on; None for the project's setting."""
    is_from_form: bool = False
    """Whether a person requested the results at a form, as in `NewReport`."""
    measure: bool = False
    """Whether the requested results include a measurement of loading, whatever the browser mode."""


class ReportQuery(PagedQuery, frozen=True):
    """Query for a list of reports. Filters are combined with AND."""

    search: str = ""
    project: str = ""
    """Name or id."""
    result: Rating | None = None
    status: Status | None = None
    check: str = ""
    """Check for `verdict`, which selects reports by the verdict of their current run on the check."""
    verdict: Verdict | None = None
    since: datetime | None = None
    """Earliest update time."""
    pages_only: bool = False
    """Whether to list one report per page, the newest."""
    data: str | None = None
    """Column of uploaded metrics; needs `project`."""
    data_span: Span | None = None
    """Range of the metric."""
    sort_by: ReportSort = ReportSort.ID
    descending: bool = True


class Scope(StrEnum):
    """Scope of an accepted finding."""

    REPORT = "report"
    """Finding of this report, while the evidence stays the same."""
    PROJECT = "project"
    """Findings on URLs of the project that match a pattern, with any evidence, because it differs between pages."""


class NewAcceptance(Struct, frozen=True):
    """Request to accept a finding. The texts are unvalidated; `acceptances.accept` validates them."""

    reason: str
    until: date | None = None
    """Last day (UTC) of validity; None for no end."""
    scope: Scope = Scope.REPORT
    pattern: str | None = None
    """Pattern for scope PROJECT; None for all URLs of the project."""


class RunMark(StrEnum):
    """Reason why a run of a history is not a usual result."""

    FAILED = "failed"
    """The page could not be loaded, or its report not be generated."""
    UNRATED = "unrated"
    """The page was loaded, but could not be rated."""
    RESCORED = "rescored"
    """The saved page of an earlier run was rescored; nothing was fetched."""


class RunMembers(Struct, frozen=True, kw_only=True):
    """Members of a run in the history of a page, as in the API; lists begin with the newest."""

    report: int
    run: int
    """Number from 1 within the report."""
    started_at: DateTime
    result: Rating | None
    score: Points | None
    coverage: float | None
    engine: Engine | None
    rescored_from: int | None = None
    """Run whose saved page was rescored under another ruleset; this run was not fetched."""
    url: str = ""
    """Requested URL, which may be another form of the URL of the page."""
    mode: Profile = Profile.STATIC
    """Highest source of the run: static, rendered or crawled, as in `engine.profile`."""
    comparable: bool = False
    """Whether it is rated, and in the same mode and under the same ruleset as the run that the report shows."""
    mark: RunMark | None = None
    """failed, unrated or rescored; null for a usual result."""


class RunView(RunMembers, frozen=True, kw_only=True):
    """Run in the history of a page."""

    finished_at: datetime | None
    error: PageError | None


class ScoreChange(Struct, frozen=True, kw_only=True):
    """Change of a score, and its parts caused by the page, by a new ruleset, and by changed acceptances."""

    before: Points | None
    after: Points | None
    from_page: int | None
    from_ruleset: int | None
    from_accepted: int | UnsetType = UNSET


class ChangedFinding(Struct, frozen=True):
    """Finding of the newer run, or of the older one if the newer one has none."""

    finding: ReportedFinding
    before: Verdict | None
    """Verdict of the same check in the older run; None if it did not run."""
    after: Verdict | None


class Changes(ByChange[ChangedFinding], frozen=True, kw_only=True):
    """Differences between run `since` and the current run."""

    since: int | None
    """Previous run, None if there is none."""
    run: int
    score: ScoreChange
    """Scores of the two runs; a part is None if it is not known."""
    reason: NotComparable | None = None
    """Reason why no earlier run can be compared, or why the two runs cannot; None if they can."""
    since_report: int | None = None
    """Report of run `since`, if that is another report of the same URL."""
    values: tuple[PageChange, ...] = ()
    """Changed values of the page, the decisive one first."""
    rulesets: tuple[str, str] | None = None
    """Rulesets of the two runs, if they differ."""
