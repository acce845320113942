"""Convert values of the service to the API and back: the only place where a rating is called ``result``.

The types are the shapes: the OpenAPI document is made from them.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import PageError, PageErrorCode
from findable.export.client_words import ClientWords
from findable.export.pdf import is_available
from findable.export.report_json import DateTime, FindingJson, Points, ReportMembers, finding_json
from findable.reports.comparison import ChangedFinding
from findable.reports.facts import Facts
from findable.reports.page_error_text import sentences_of
from findable.reports.report import CategorySummary, Engine
from findable.reports.reported_finding import ReportedFinding
from findable.service.projects.role_grants import RoleView
from findable.service.projects.url_data import Uploaded, UrlDataView
from findable.service.reports.batches import BatchView, MemberView
from findable.service.reports.merging import RepeatedPage
from findable.service.reports.report_links import LinkView
from findable.service.values.account_values import AccountView
from findable.service.values.caller import Caller
from findable.service.values.paging import Page
from findable.service.values.presentation import ClientView
from findable.service.values.project_values import DeletedProject, IdentityView, ProjectView, ReportDefaults
from findable.service.values.report_values import Changes as RunChanges
from findable.service.values.report_values import Previous, Progress, ReportView, RunView
from findable.service_urls import ServiceUrls
from findable.store.batch_statements import REFUSED
from findable.vocabulary import BrowserUse, Importance, Privacy, Rating, ScoreOf, Status, Verdict
from findable.web.api.operation import ListMeta
from findable.wording import ENGLISH, Wording

Day = Annotated[str, Meta(extra_json_schema={"format": "date"}, examples=["2027-01-31"])]
Result = Literal["good", "decent", "bad"]
Score = Points
Shape = TypeVar("Shape", bound=Struct)


class ProblemShape(Struct, frozen=True, kw_only=True):
    """Reason why a page has no result."""

    code: str
    message: str
    retryable: bool
    at: DateTime | UnsetType = UNSET


class ReportFiles(Struct, frozen=True, kw_only=True):
    """URLs of a report's page and files, for everyone who may see the page; the files exist from the first result on."""

    html: str
    json: str | UnsetType = UNSET
    csv: str | UnsetType = UNSET
    markdown: str | UnsetType = UNSET
    pdf: str | UnsetType = UNSET
    """URL of the PDF, if the service has a typesetter."""


class ReportLinks(ReportFiles, frozen=True, kw_only=True):
    """URLs of a report."""

    self: str
    project: str


class Summary(Struct, frozen=True, kw_only=True):
    """A report in a list. `result` and `score` are null until a run could be rated."""

    id: int
    object: Literal["report"] = "report"
    public_id: str
    url: str
    project: str
    status: Status
    result: Rating | None
    score: Score | None
    coverage: float | None
    privacy: Literal[0, 1, 2]
    has_password: bool
    created_at: DateTime
    generated_at: DateTime | None
    updated_at: DateTime
    error: ProblemShape | None
    engine: Engine | None
    judged_as: str | None
    last_error: ProblemShape | None
    previous: Previous | None
    not_asked: tuple[str, ...]
    counts: Mapping[str, int]
    categories: tuple[CategorySummary, ...]
    links: ReportLinks
    merged_into: int | None
    browser: BrowserUse | None
    progress: Progress | UnsetType = UNSET


class Report(ReportMembers, frozen=True, kw_only=True):
    """A report with its findings and facts. Before the first result `results` and `facts` are empty."""

    id: int
    public_id: str
    project: str
    has_password: bool
    error: ProblemShape | None
    last_error: ProblemShape | None
    previous: Previous | None
    run: int | None
    links: ReportLinks
    merged_into: int | None
    browser: BrowserUse | None
    progress: Progress | UnsetType = UNSET


class ClientWordsShape(Struct, frozen=True, kw_only=True):
    """The owner's texts for the client."""

    summary: str
    prepared_by: str
    prepared_for: str
    notes: Mapping[str, str]


class SharedReport(ReportMembers, frozen=True, kw_only=True):
    """Report for everyone who may see its page: without information about the account and its other reports."""

    public_id: str
    error: ProblemShape | None
    last_error: ProblemShape | None
    run: int | None
    links: ReportFiles
    client: ClientWordsShape | UnsetType = UNSET


class ProjectLinks(Struct, frozen=True, kw_only=True):
    """URLs of a project."""

    self: str
    html: str
    reports: str


class Project(Struct, frozen=True, kw_only=True):
    """A site. `score_of` says what the score is: `site` that of the last complete crawl, `pages` the mean of its pages.

    The mean is limited by what limits the score of the start page; `result` is the rating of the score.
    """

    id: int
    object: Literal["project"]
    project: str
    created_at: DateTime
    reports_count: int
    result: Result | None
    score: Score | None
    score_of: ScoreOf | None
    scored_pages: int
    """Pages of that crawl, or pages in the mean."""
    last_generated_at: DateTime | None
    """Time of the newest rated report."""
    links: ProjectLinks


class IdentityShape(Struct, frozen=True, kw_only=True):
    """Set parts of a project's identity; `cookies` is their number. If not `readable`, it must be entered again."""

    basic: bool
    headers: list[str]
    cookies: int
    user_agent: bool
    readable: bool


class RetentionShape(Struct, frozen=True, kw_only=True):
    """Days for which runs of a project and what belongs to them are kept."""

    all_days: int
    """All runs and crawls."""
    weekly_days: int
    """The first run of each week; later the first of each month."""
    saved_days: int
    """Saved pages, screenshots, and responses of crawls before the last two."""


class SizeShape(Struct, frozen=True, kw_only=True):
    """Room that a project takes."""

    reports_bytes: int | None
    """Runs, saved pages and images; measured once a day, null before."""
    crawls_bytes: int
    measured_at: DateTime | None


class AccountSettings(Struct, frozen=True, kw_only=True):
    """Look and access of reports, for projects that set nothing themselves; null where nothing is set."""

    object: Literal["account_settings"]
    brand_name: str | None
    brand_color: str | None
    has_logo: bool
    language: str | None
    default_privacy: Literal[0, 1] | None


class ProjectWhole(Project, frozen=True, kw_only=True):
    """A project with its settings; null is as the account sets it."""

    not_for_search: list[str]
    brand_name: str | None
    brand_color: str | None
    has_logo: bool
    language: str | None
    default_privacy: Literal[0, 1] | None
    browser: BrowserUse
    segments: dict[str, list[str]]
    """Patterns by the name of the segment."""
    extractors: dict[str, str]
    """Rules by the name of the extractor."""
    alert_rules: dict[str, bool]
    """Rules of alerts that are on or off other than by default."""
    retention: RetentionShape
    size: SizeShape
    identity: IdentityShape | None


class MemberFailure(Struct, frozen=True, kw_only=True):
    """URL of a batch without result, and the reason."""

    url: str
    report: int | None
    code: str
    message: str
    retryable: bool


class BatchLinks(Struct, frozen=True, kw_only=True):
    """URLs of a batch."""

    self: str
    html: str
    reports: str


class BatchSummary(Struct, frozen=True, kw_only=True):
    """A batch in a list."""

    id: int
    object: Literal["batch"]
    status: Literal["running", "done"]
    sitemap: str | None
    created_at: DateTime
    privacy: Literal[0, 1, 2]
    addresses: int
    duplicates: int
    left_out: int
    counts: dict[str, int]
    results: dict[str, int]
    links: BatchLinks


class Batch(BatchSummary, frozen=True, kw_only=True):
    """Batch with its URLs that have no result."""

    failures: list[MemberFailure]


class MemberLinks(Struct, frozen=True, kw_only=True):
    """Links to the report of a batch's URL; none without a report."""

    report: str | UnsetType = UNSET
    html: str | UnsetType = UNSET


class Member(Struct, frozen=True, kw_only=True):
    """URL of a batch. `report` is null if there is none: not yet, rejected, or deleted."""

    object: Literal["member"]
    url: str
    state: Literal["waiting", "queued", "running", "done", "failed", "refused", "deleted"]
    report: int | None
    result: Result | None
    score: Score | None
    links: MemberLinks


class RepeatedUrl(Struct, frozen=True, kw_only=True):
    """URL with several reports; `report` is the one into which they would be merged, `privacy` the access that it would get."""

    object: Literal["duplicate"]
    url: str
    reports_count: int
    report: int
    privacy: Literal[0, 1, 2]


class RunLinks(Struct, frozen=True, kw_only=True):
    """URL of a run."""

    self: str


class Run(Struct, frozen=True, kw_only=True):
    """One generation."""

    object: Literal["run"]
    report: int
    run: int
    started_at: DateTime
    generated_at: DateTime | None
    result: Result | None
    score: Score | None
    coverage: float | None
    engine: Engine | None
    error: ProblemShape | None
    rescored_from: int | None
    links: RunLinks


class Client(Struct, frozen=True, kw_only=True):
    """The owner's texts and choices for people with the link."""

    object: Literal["client"]
    report: int
    summary: str
    notes: dict[str, str]
    sections: list[str]
    prepared_by: str
    prepared_for: str
    run: int | None


class Link(Struct, frozen=True, kw_only=True):
    """A report's link and its terms: `until` is the last day (UTC) on which guests see the report."""

    object: Literal["link"]
    report: int
    public_id: str
    url: str
    until: Day | None
    listed: bool


class ProjectLink(Struct, frozen=True, kw_only=True):
    """A project's link and its terms. Guests see the pages whose report is not more private than it."""

    object: Literal["link"]
    project: str
    privacy: Privacy
    has_password: bool
    public_id: str
    url: str
    until: Day | None
    listed: bool


class ProjectFindingPage(Struct, frozen=True, kw_only=True):
    """Page with a finding of its project."""

    report: int
    url: str
    score: Score | None


class ProjectFinding(Struct, frozen=True, kw_only=True):
    """Problem or warning of a project: one check on some of its pages."""

    id: str
    object: Literal["finding"]
    category: str
    verdict: Verdict
    """Worst verdict on a page."""
    importance: Importance
    summary: str
    pages_count: int
    new_on: int
    """Pages on which it is new since their previous run."""
    pages: list[ProjectFindingPage]
    """Pages with it, those that failed first: up to 100."""


class ScoreChange(Struct, frozen=True, kw_only=True):
    """Score change and the part caused by the page. `from_accepted` is set if acceptances changed."""

    before: Score | None
    after: Score | None
    from_page: int | None
    from_ruleset: int | None
    from_accepted: int | UnsetType = UNSET


class ChangedFindingJson(FindingJson, frozen=True, kw_only=True):
    """Finding that is new, gone or unchanged, with its verdict in both runs."""

    before: Verdict | None
    after: Verdict | None


class Changes(Struct, frozen=True, kw_only=True):
    """Differences between two runs."""

    object: Literal["changes"]
    since: int | None
    since_report: int | None
    run: int
    score: ScoreChange
    new: tuple[ChangedFindingJson, ...]
    fixed: tuple[ChangedFindingJson, ...]
    returned: tuple[ChangedFindingJson, ...]
    still: tuple[ChangedFindingJson, ...]


class ReportDeleted(Struct, frozen=True, kw_only=True):
    """Deleted report."""

    id: int
    object: Literal["report"]
    deleted: Annotated[bool, Meta(description="Always true.")]


class ProjectRole(Struct, frozen=True, kw_only=True):
    """Person with access to a project: `role` is the higher one of `granted` in this project and `account_role`."""

    object: Literal["role"]
    person: int
    name: str
    email: str
    role: str
    granted: str | None
    account_role: str


class ProjectRoleDeleted(Struct, frozen=True, kw_only=True):
    """Role of a person in a project that was taken back; `id` is that of the person."""

    id: int
    object: Literal["role"]
    deleted: Annotated[bool, Meta(description="Always true.")]


class UrlData(Struct, frozen=True, kw_only=True):
    """Uploaded numbers of one source; `skipped` rows have a URL that could not be read, or is of another site."""

    object: Literal["url_data"]
    source: str
    date: str | None
    columns: list[str]
    rows: int
    skipped: int
    uploaded_at: DateTime


class UrlDataUploaded(UrlData, frozen=True, kw_only=True):
    """Numbers that were uploaded; `ignored` columns have no numbers."""

    ignored: list[str]


class UrlDataDeleted(Struct, frozen=True, kw_only=True):
    """Deleted numbers of a source."""

    source: str
    object: Literal["url_data"]
    deleted: Annotated[bool, Meta(description="Always true.")]


class ProjectDeleted(Struct, frozen=True, kw_only=True):
    """Deleted project with its reports."""

    id: int
    object: Literal["project"]
    project: str
    deleted: Annotated[bool, Meta(description="Always true.")]
    reports_deleted: int


class KeyShape(Struct, frozen=True, kw_only=True):
    """The API key of a request."""

    prefix: str
    scopes: Annotated[list[str], Meta(extra_json_schema={"items": {"enum": ["read", "write"]}})]
    expires_at: DateTime | None


class Usage(Struct, frozen=True, kw_only=True):
    """Usage of an account."""

    reports: int
    projects: int


class Account(Struct, frozen=True, kw_only=True):
    """The account of a key."""

    id: int
    object: Literal["account"]
    name: str
    email: str
    created_at: DateTime
    key: KeyShape
    limits: dict[str, int]
    usage: Usage


def problem(error: PageError | None, say: Wording = ENGLISH) -> ProblemShape | None:
    """Return the reason for a missing result, in one language."""
    if error is None:
        return None
    at = UNSET if error.at is None else datetime.fromtimestamp(error.at, UTC)
    return ProblemShape(code=error.code, message=sentences_of(error, say), retryable=error.retryable, at=at)


def shape_of(kind: type[Shape], view: Struct, **own: Any) -> Shape:
    """Return a shape with the members that the view has by the same names, and its own."""
    same = {name: getattr(view, name) for name in _shared_members(kind, type(view)) if name not in own}
    return kind(**same, **own)


@cache
def _shared_members(kind: type[Struct], of: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if hasattr(of, name))


def summary(report: ReportView, at: ServiceUrls) -> Summary:
    """Return a report as in lists of the API. Stored JSON is passed on unparsed (`msgspec.Raw`)."""
    return shape_of(
        Summary,
        report,
        engine=report.listed.engine,
        judged_as=report.listed.judged_as,
        counts=report.listed.counts,
        categories=report.listed.categories,
        error=problem(report.error),
        last_error=problem(report.last_error),
        links=_report_links(report, at),
        progress=report.progress or UNSET,
    )


def _report_links(report: ReportView, at: ServiceUrls) -> ReportLinks:
    page = at.share_page(report.public_id)
    own = {"self": at.report(report.id), "html": page, "project": at.project(report.project)}
    if report.run is None:
        return ReportLinks(**own)
    files = {"json": f"{page}/report.json", "csv": f"{page}/report.csv", "markdown": f"{page}/report.md"}
    return ReportLinks(**own, **files, pdf=f"{page}/report.pdf" if is_available() else UNSET)


def report(view: ReportView, at: ServiceUrls, say: Wording = ENGLISH) -> Report:
    """Return a report in the shape of the API. Before the first result `results` and `facts` are empty."""
    found = view.report
    own = {
        "engine": found.engine if found else None,
        "judged_as": found.judged_as if found else None,
        "counts": found.counts if found else {},
        "categories": found.categories if found else (),
        "not_asked": found.not_asked if found else view.not_asked,
    }
    return Report(
        **{**msgspec.structs.asdict(summary(view, at)), **own},
        run=view.run,
        not_for_search=found is not None and found.not_for_search,
        explained=found.explained if found else None,
        results=tuple(finding_json(finding, at.check_docs, say) for finding in found.findings) if found else (),
        facts=found.facts if found else Facts(),
    )


def shared_report(view: ReportView, at: ServiceUrls, say: Wording, client: ClientWords) -> SharedReport:
    """Return the report for people who may see its page, in one language, with the owner's texts."""
    whole = report(view, at, say)
    members = {name: getattr(whole, name) for name in SharedReport.__struct_fields__ if name != "client"}
    categories = tuple(msgspec.structs.replace(category, title=say.text(category.title)) for category in whole.categories)
    files = ReportFiles(**{name: getattr(whole.links, name) for name in ReportFiles.__struct_fields__})
    return SharedReport(
        **{**members, "categories": categories, "error": problem(view.error, say), "links": files}, client=_client_words(client)
    )


def _client_words(client: ClientWords) -> ClientWordsShape | UnsetType:
    if not (client.summary or client.notes or client.prepared_by or client.prepared_for):
        return UNSET
    return shape_of(ClientWordsShape, client)


def client(report_id: int, kept: ClientView) -> Client:
    """Return the texts and choices for guests of a report."""
    return shape_of(Client, kept, object="client", report=report_id)


def link(view: LinkView, at: ServiceUrls) -> Link:
    """Return the link of a report and its terms."""
    until = view.until.isoformat() if view.until else None
    return shape_of(Link, view, object="link", report=view.id, url=at.share_page(view.public_id), until=until, listed=view.is_listed)


def project(view: ProjectView, at: ServiceUrls) -> Project:
    """Return a project in the shape of the API."""
    return shape_of(
        Project,
        view,
        object="project",
        project=view.name,
        links=ProjectLinks(self=at.project(view.name), html=at.project_page(view.name), reports=at.reports_of(view.name)),
    )


def _defaults(view: ReportDefaults) -> dict[str, Any]:
    return {"brand_name": view.brand_name or None, "brand_color": view.brand_color or None, "default_privacy": view.default_privacy}


def account_settings(view: ReportDefaults) -> AccountSettings:
    """Return the defaults of an account in the shape of the API."""
    return shape_of(AccountSettings, view, object="account_settings", **_defaults(view))


def project_whole(view: ProjectView, at: ServiceUrls) -> ProjectWhole:
    """Return a project with its settings in the shape of the API."""
    return shape_of(
        ProjectWhole,
        view,
        **msgspec.structs.asdict(project(view, at)),
        **_defaults(view),
        segments={segment.name: list(segment.patterns) for segment in view.segments},
        extractors={extractor.name: extractor.rule for extractor in view.extractors},
        alert_rules=dict(view.alert_rules),
        retention=shape_of(RetentionShape, view.retention, saved_days=view.saved_days),
        size=shape_of(SizeShape, view.size),
        identity=_identity(view.identity),
    )


def _identity(view: IdentityView | None) -> IdentityShape | None:
    if view is None:
        return None
    return IdentityShape(
        basic=view.has_basic,
        headers=list(view.header_names),
        cookies=view.cookies,
        user_agent=view.has_user_agent,
        readable=view.is_readable,
    )


def url_data(view: UrlDataView) -> UrlData:
    """Return uploaded numbers in the shape of the API."""
    return shape_of(UrlData, view, object="url_data", columns=list(view.columns))


def url_data_uploaded(made: Uploaded) -> UrlDataUploaded:
    """Return the result of an upload in the shape of the API."""
    return UrlDataUploaded(**msgspec.structs.asdict(url_data(made.view)), ignored=list(made.ignored))


def project_role(view: RoleView) -> ProjectRole:
    """Return the role of a person in a project in the shape of the API."""
    return shape_of(ProjectRole, view, object="role")


def deleted_project(deleted: DeletedProject) -> ProjectDeleted:
    """Return the response of `DELETE /projects/{project}`."""
    return ProjectDeleted(
        id=deleted.id,
        object="project",
        project=deleted.name,
        deleted=True,
        reports_deleted=deleted.reports_deleted,
    )


def deleted_report(report_id: int) -> ReportDeleted:
    """Return the response of `DELETE /reports/{id}`."""
    return ReportDeleted(id=report_id, object="report", deleted=True)


def run(view: RunView, at: ServiceUrls) -> Run:
    """Return one run of a history."""
    return shape_of(
        Run,
        view,
        object="run",
        generated_at=view.finished_at,
        error=problem(view.error),
        links=RunLinks(self=at.run(view.report, view.run)),
    )


def changes(found: RunChanges, at: ServiceUrls) -> Changes:
    """Return the response of `GET /reports/{id}/changes`."""

    def shown(findings: tuple[ChangedFinding[ReportedFinding], ...]) -> tuple[ChangedFindingJson, ...]:
        return tuple(
            ChangedFindingJson(
                **msgspec.structs.asdict(finding_json(item.finding, at.check_docs)),
                before=item.before,
                after=item.after,
            )
            for item in findings
        )

    return shape_of(
        Changes,
        found,
        object="changes",
        score=shape_of(ScoreChange, found, from_accepted=found.from_accepted or UNSET),
        new=shown(found.new),
        fixed=shown(found.fixed),
        returned=shown(found.returned),
        still=shown(found.still),
    )


def repeated(view: RepeatedPage) -> RepeatedUrl:
    """Return a page with several reports in the shape of the API."""
    return shape_of(RepeatedUrl, view, object="duplicate")


def batch_summary(view: BatchView, at: ServiceUrls) -> BatchSummary:
    """Return a batch as in lists of the API."""
    own = at.batch(view.id)
    return shape_of(
        BatchSummary,
        view,
        object="batch",
        status="done" if view.settled else "running",
        sitemap=view.source or None,
        links=BatchLinks(self=own, html=at.batch_page(view.id), reports=f"{own}/reports"),
    )


def batch(view: BatchView, at: ServiceUrls) -> Batch:
    """Return a batch in the shape of the API."""
    return Batch(**msgspec.structs.asdict(batch_summary(view, at)), failures=[_failure(member) for member in view.failures])


def _failure(member: MemberView) -> MemberFailure:
    if member.refused:
        return shape_of(MemberFailure, member, code=REFUSED, message=member.refused, retryable=False)
    error = member.error or PageError(PageErrorCode.INTERNAL_ERROR)
    return shape_of(MemberFailure, member, code=error.code.value, message=sentences_of(error), retryable=error.retryable)


def member(view: MemberView, at: ServiceUrls) -> Member:
    """Return a member of a batch."""
    links = MemberLinks()
    if view.report and view.public_id:
        links = MemberLinks(report=at.report(view.report), html=at.share_page(view.public_id))
    return shape_of(Member, view, object="member", links=links)


def account(view: AccountView, caller: Caller) -> Account:
    """Return the response of `GET /account`."""
    return shape_of(
        Account,
        view,
        object="account",
        key=KeyShape(prefix=caller.key_prefix, scopes=sorted(caller.scopes), expires_at=caller.key_expires_at),
        usage=Usage(reports=view.reports_count, projects=view.projects_count),
    )


def list_meta(page: Page[Any], path: str) -> ListMeta:
    """Return `meta` as Laravel does. After a cursor, the position is not counted."""
    start = None if page.page is None else (page.page - 1) * page.per_page
    count = len(page.items)
    return shape_of(
        ListMeta,
        page,
        current_page=page.page,
        from_=start + 1 if start is not None and count else None,
        path=path,
        to=start + count if start is not None and count else None,
        total_is_estimate=page.total_is_estimate or UNSET,
    )
