"""Pages of projects: the list of all, and one with its reports, their ratings and shared findings."""

from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import groupby
from typing import Any, ClassVar
from urllib.parse import urlencode

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response, StreamingResponse

from findable.checks.engine import all_checks
from findable.clock import rfc3339
from findable.errors import BadRequest, ValidationFailed
from findable.export.csv import list_head, list_rows
from findable.export.pdf import is_available
from findable.reports.judgement import CATEGORY_TITLES
from findable.reports.messages import format_bytes
from findable.reports.titles import RATINGS, VERDICTS
from findable.service.accounts.callers import may
from findable.service.accounts.saved_views import ListName
from findable.service.accounts.sessions import SignInClient
from findable.service.projects import project_links, project_reports, project_runs, projects
from findable.service.projects.project_links import LinkState
from findable.service.projects.project_reports import ProjectContent
from findable.service.reports import reports
from findable.service.runtime import rate_limits
from findable.service.runtime.service import Service
from findable.service.sites.url_input import without_login
from findable.service.values.caller import MEMBER, OWNER, Caller
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectQuery, ProjectSort, ProjectView
from findable.service.values.report_values import ReportQuery, ReportSort, ReportView
from findable.service_urls import ServiceUrls
from findable.vocabulary import Rating, Verdict
from findable.web.api.request_models import ProjectListQuery, ReportListQuery
from findable.web.api.validation import read
from findable.web.pages.project.crawl_lines import CrawlLine, crawl_line
from findable.web.pages.project.project_sections import ProjectSections, Reader, sections_of
from findable.web.pages.project.project_share import ProjectShare, project_share
from findable.web.pages.report.finding_cards import question_of
from findable.web.pages.shared.form_fields import Choice, FormView, refused
from findable.web.pages.shared.lines import (
    NO_SUCH_LIST,
    Pages,
    ProjectScore,
    ReportLine,
    last_at,
    pages_words,
    project_address,
    project_name,
    project_score,
    report_line,
)
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import Bar, PageContext, see_other, shown_page
from findable.web.pages.shared.path_parts import without_nul
from findable.web.pages.shared.system import SANDBOX
from findable.web.pages.shared.view_chips import ViewChips, view_chips
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, for_person, person_form, signed_in
from findable.web.query_strings import Query
from findable.web.routing import Request, get
from findable.wording import Wording, later

LISTED = 25
CSV_AT_ONCE = 100
"""Reports read at a time, an allowed page size."""
MAX_CSV_ROWS = 100_000
BAR_PX = 600
STORED = later("%(size)s stored")
PROJECT_SORTS = (
    (ProjectSort.SCORE, False, later("Worst first")),
    (ProjectSort.PROJECT, False, later("Name")),
    (ProjectSort.CREATED_AT, True, later("Newest first")),
    (ProjectSort.CREATED_AT, False, later("Oldest first")),
)
REPORT_SORTS = (
    (ReportSort.ID, True, later("Newest first")),
    (ReportSort.GENERATED_AT, True, later("Last result first")),
    (ReportSort.RESULT, False, later("Worst first")),
    (ReportSort.RESULT, True, later("Best first")),
    (ReportSort.URL, False, later("URL")),
)


class CheckGroup(Struct, frozen=True):
    """Checks of a category, to choose one."""

    title: str
    checks: tuple[Choice, ...]


class ProjectLine(Struct, frozen=True):
    """A project in the list."""

    href: str
    name: str
    score: ProjectScore | None
    reports: str
    """Number of pages with a report, in words."""
    when: Moment | None
    """Time of the newest crawl or rated run."""


class ProjectsPage(PageContext, frozen=True):
    """The variables of projects.html."""

    template: ClassVar[str] = "projects.html"
    bar: Bar
    search: str
    hidden: tuple[tuple[str, str], ...]
    """Parameters that the search keeps."""
    sorts: tuple[Choice, ...]
    lines: tuple[ProjectLine, ...]
    pages: Pages
    problem: str
    """Error message about the URL; empty for none."""
    new: FormView
    """Form for a site without reports."""
    may_make: bool
    """Whether the viewer may make projects."""


class RatingShare(Struct, frozen=True):
    """One rating in the distribution bar."""

    rating: str
    """Rating: ``good``, ``decent``, ``bad``; ``none`` for not rated."""
    words: str
    count: str
    percent: str
    x: float
    width: float
    """Width and position in the bar, out of BAR_PX."""
    href: str
    """URL of the reports with it; empty for unrated ones."""


class Filters(Struct, frozen=True):
    """Form above the list of reports."""

    search: str
    results: tuple[Choice, ...]
    groups: tuple[CheckGroup, ...]
    verdicts: tuple[Choice, ...]
    hidden: tuple[tuple[str, str], ...]
    is_open: bool
    """Whether a filter in the collapsed part is set."""
    is_set: bool
    """Whether the list is filtered."""


class ProjectPage(PageContext, frozen=True):
    """The variables of project.html."""

    template: ClassVar[str] = "project.html"
    bar: Bar
    href: str
    name: str
    score: ProjectScore | None
    when: Moment | None
    reports: str
    size: str
    """Room that it takes."""
    settings: str
    """URL of the settings; empty for members."""
    can_run: bool
    """Whether there are pages that the reader may run again."""
    has_duplicates: bool
    """Whether pages have, or had, several reports."""
    needs_sign_in: bool
    """Whether the identity can no longer be decrypted."""
    parts: tuple[RatingShare, ...]
    sections: ProjectSections | None
    """Sections of the report; None without a result."""
    crawl: CrawlLine | None
    """The last crawl that ended; None for none."""
    share: ProjectShare | None
    """The link for the client; None without a result, and for people who only read."""
    has_pdf: bool
    link: FormView
    """Form of the link for the client."""
    can_mark: bool
    """Whether the reader may mark events in the plots."""
    marker: FormView
    """Form of an event."""
    views: ViewChips
    """Saved views of the list of reports."""
    filters: Filters
    sorts: tuple[Choice, ...]
    lines: tuple[ReportLine, ...]
    pages: Pages
    csv: str
    problem: str
    """Error message about the URL; empty for none."""


# --- all --------------------------------------------------------------------------------------------------------------


@get("/projects")
async def get_projects(request: Request) -> Response:
    """Show all projects: ``?search=…&sort_by=…&sort=…&cursor=…`` as in the API; sorted by name by default."""
    query = request.query
    return await for_person(request, lambda asked: _projects(asked, query))


@person_form("/projects")
def post_project(asked: SignedInRequest) -> Response:
    """Make a project for a site without reports and redirect to its settings, since staging sites may need an identity first."""
    try:
        made = projects.make(asked.service, asked.caller, asked.text("project"))
    except ValidationFailed as error:
        return _projects(asked, {}, refused({"project": without_login(asked.text("project"))}, error, asked.say), error.status)
    at = project_address(made.project.name)
    return see_other(f"{at}/settings" if may(asked.caller, OWNER, made.project.id) else at)


def _projects(asked: SignedInRequest, query: Query, new: FormView | None = None, status: int = 200) -> Response:
    say = asked.say
    page, wanted, problem = _found(asked, query)
    by = {"sort_by": wanted.sort_by.value, "sort": "desc" if wanted.descending else "asc"}

    def sorted_by(sort: ProjectSort, descending: bool, words: str) -> Choice:  # noqa: FBT001 - a row of the table
        href = _address("/projects", {"search": wanted.search, "sort_by": sort.value, "sort": "desc" if descending else "asc"})
        return Choice(sort.value, say(words), (wanted.sort_by, wanted.descending) == (sort, descending), href)

    shown = ProjectsPage(
        bar=bar_of(asked.caller, "projects"),
        search=wanted.search,
        hidden=tuple(by.items()),
        sorts=tuple(sorted_by(*row) for row in PROJECT_SORTS),
        lines=tuple(_line(view, asked) for view in page.items),
        pages=_pages(
            page,
            "/projects",
            {"search": wanted.search, **by},
            _total(page, say, say.plural("%(count)s project", "%(count)s projects", page.total)),
        ),
        problem=problem,
        new=new or FormView(),
        may_make=may(asked.caller, MEMBER),
    )
    return shown_page(shown, say, status=422 if problem else status)


def _found(asked: SignedInRequest, query: Query) -> tuple[Page[ProjectView], ProjectQuery, str]:
    """Return the projects, the query as understood, and an error message: then all projects are listed."""
    plain = ProjectQuery(sort_by=ProjectSort.PROJECT, descending=False, per_page=LISTED)
    try:
        sent = read(ProjectListQuery, {"sort_by": "project", "sort": "asc", **_without(query)})
        wanted = replace(sent.wanted(), per_page=LISTED)
        return projects.find(asked.service, asked.caller, wanted), wanted, ""
    except ValidationFailed:
        return projects.find(asked.service, asked.caller, plain), plain, asked.say(NO_SUCH_LIST)


def _without(query: Query, *names: str) -> Query:
    """Return the query without parameters that pages decide themselves."""
    return {name: value for name, value in query.items() if name not in ("page", "per_page", "search_by", *names)}


def _line(view: ProjectView, asked: SignedInRequest) -> ProjectLine:
    return ProjectLine(
        href=project_address(view.name),
        name=project_name(view.name),
        score=project_score(view, asked.say),
        reports=pages_words(view.pages_count, asked.say),
        when=None if (last := last_at(view)) is None else moment_of(last, asked.say, asked.zone),
    )


# --- one --------------------------------------------------------------------------------------------------------------


@get("/projects/{project}")
async def get_project(request: Request, project: str) -> Response:
    """Show a project. The query of its list of reports is that of the API, without `project`."""
    query = request.query
    return await for_person(request, lambda asked: project_shown(asked, project, query))


@person_form("/projects/{project}/again")
def post_project_again(asked: SignedInRequest, project: str) -> Response:
    """Run every page of a project again, the newest reports first, and show the batch. Raises RateLimited."""
    rate_limits.count_request(asked.service, asked.caller)
    return see_other(f"/batches/{project_runs.run_again(asked.service, asked.caller, without_nul(project)).id}")


def project_shown(
    asked: SignedInRequest, name: str, query: Query, link: FormView | None = None, status: int = 200, marker: FormView | None = None
) -> Response:
    """Return the page; ``link`` and ``marker`` are rejected forms of its link or of an event. Raises NotFound."""
    say = asked.say
    view = projects.get(asked.service, asked.caller, without_nul(name))
    page, wanted, problem = _reports(asked, view, query)
    at = project_address(view.name)
    content = project_reports.get(asked.service, asked.caller, view.name)
    state = project_links.state(asked.service, asked.caller, view.name)
    kept = _kept(wanted)
    by = {"sort_by": wanted.sort_by.value, "sort": "desc" if wanted.descending else "asc"}

    def sorted_by(sort: ReportSort, descending: bool, words: str) -> Choice:  # noqa: FBT001 - a row of the table
        href = _address(at, {**kept, "sort_by": sort.value, "sort": "desc" if descending else "asc"}, "reports")
        return Choice(sort.value, say(words), (wanted.sort_by, wanted.descending) == (sort, descending), href)

    is_owner, shares = (may(asked.caller, role, view.id) for role in (OWNER, MEMBER))
    shown = ProjectPage(
        bar=bar_of(asked.caller, "projects"),
        href=at,
        name=project_name(view.name),
        score=project_score(view, say),
        when=None if (last := last_at(view)) is None else moment_of(last, say, asked.zone),
        reports=pages_words(view.pages_count, say),
        size=say(STORED, size=format_bytes(view.size.total_bytes, say)) if view.size.measured_at else "",
        settings=f"{at}/settings" if is_owner else "",
        can_run=may(asked.caller, MEMBER) and bool(view.pages_count),
        has_duplicates=view.reports_count != view.pages_count,
        needs_sign_in=is_owner and view.identity is not None and not view.identity.is_readable,
        parts=tuple(_parts(view, say, at)),
        sections=_sections(asked, content, state, at, {**kept, **by}) if content.report.pages else None,
        crawl=crawl_line(content.crawl, asked) if content.crawl else None,
        share=project_share(state, ServiceUrls(asked.service.settings.base_url), say) if shares and content.report.pages else None,
        has_pdf=is_available(),
        link=link or FormView(),
        can_mark=shares,
        marker=marker or FormView(),
        views=view_chips(
            asked.service, asked.caller, ListName.REPORTS, view.name, _saved(kept, by), lambda saved: _address(at, saved, "reports")
        ),
        filters=_filters(wanted, by, say),
        sorts=tuple(sorted_by(*row) for row in REPORT_SORTS),
        lines=tuple(report_line(one, say, asked.zone, wanted.check) for one in page.items),
        pages=_pages(page, at, {**kept, **by}, _total(page, say, say.plural("%(count)s page", "%(count)s pages", page.total))),
        csv=_address(f"{at}/reports.csv", {**kept, **by}),
        problem=problem,
    )
    return shown_page(shown, say, status=422 if problem else status)


def project_refused(service: Service, caller: Caller, name: str, say: Wording, form: FormView, status: int) -> Response:
    """Return the page of a project with the error of the form of its link."""
    asked = SignedInRequest(service, caller, say, "", SignInClient("", ""), {})
    return project_shown(asked, name, {}, form, status)


def _sections(asked: SignedInRequest, content: ProjectContent, state: LinkState, at: str, kept: Mapping[str, str]) -> ProjectSections:
    notes = state.presentation.client.notes
    reader = Reader(asked.say, asked.zone, at, asked.query, kept, is_owner=True, notes=notes, weights=content.weights)
    return sections_of(content.report, reader)


def _reports(asked: SignedInRequest, view: ProjectView, query: Query) -> tuple[Page[ReportView], ReportQuery, str]:
    """Return the reports, the query as understood, and an error message: then all reports are listed."""
    plain = ReportQuery(project=view.name, per_page=LISTED, pages_only=True)
    try:
        wanted = replace(_report_query(query), project=view.name, per_page=LISTED, pages_only=True)
        return reports.find(asked.service, asked.caller, wanted), wanted, ""
    except ValidationFailed:
        return reports.find(asked.service, asked.caller, plain), plain, asked.say(NO_SUCH_LIST)


def _report_query(query: Query) -> ReportQuery:
    """Read the query. A verdict without a check is ignored; a check without a verdict means its problems. Raises ValidationFailed."""
    asked = _without(query, "project")
    if "check" not in asked:
        asked.pop("verdict", None)
    wanted = read(ReportListQuery, asked).wanted()
    return replace(wanted, verdict=(wanted.verdict or Verdict.FAILED) if wanted.check else None)


def _kept(wanted: ReportQuery) -> dict[str, str]:
    """Return the filters as parameters."""
    found = {
        "search": wanted.search,
        "result": wanted.result.value if wanted.result else "",
        "status": wanted.status.value if wanted.status else "",
        "check": wanted.check,
        "verdict": wanted.verdict.value if wanted.verdict else "",
        "since": wanted.since.strftime("%Y-%m-%dT%H:%M:%SZ") if wanted.since else "",
    }
    return {name: value for name, value in found.items() if value}


def _saved(kept: Mapping[str, str], by: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters as a view saves them: without the order in which the list is shown anyway."""
    usual = {"sort_by": ReportSort.ID.value, "sort": "desc"}
    return {**kept, **(by if by != usual else {})}


def _filters(wanted: ReportQuery, by: Mapping[str, str], say: Wording) -> Filters:
    results = (
        Choice("", say("Any rating"), wanted.result is None),
        *(_choice(one, say.text(RATINGS[one]), wanted.result) for one in Rating),
    )
    groups = tuple(
        CheckGroup(say(CATEGORY_TITLES[category]), tuple(Choice(one.id, question_of(one.id, say), one.id == wanted.check) for one in found))
        for category, found in groupby(all_checks().values(), lambda one: one.category)
    )
    verdict = wanted.verdict or Verdict.FAILED
    verdicts = tuple(Choice(one.value, say(words), one is verdict) for one, words in VERDICTS.items())
    kept = _kept(wanted)
    hidden = {name: kept[name] for name in ("status", "since") if name in kept}
    return Filters(wanted.search, results, groups, verdicts, (*hidden.items(), *by.items()), bool(wanted.check), bool(kept))


def _choice(one: Rating, words: str, chosen: Rating | None) -> Choice:
    return Choice(one.value, words, one is chosen)


def _parts(view: ProjectView, say: Wording, at: str) -> Iterator[RatingShare]:
    """Yield each rating as a part of the bar; none if nothing is rated."""
    rated = sum(view.rated.values())
    counts = [(one.value, say.text(RATINGS[one]), view.rated.get(one, 0)) for one in Rating]
    counts.append(("none", say("Not rated"), max(0, view.pages_count - rated)))
    whole = max(1, sum(count for _, _, count in counts))
    x = 0.0
    for rating, words, count in counts:
        width = BAR_PX * count / whole
        href = _address(at, {"result": rating}, "reports") if count and rating != "none" else ""
        if rated and (count or rating != "none"):
            yield RatingShare(rating, words, say.number(count), f"{round(100 * count / whole)} %", round(x, 1), round(width, 1), href)
        x += width


# --- parts of both ----------------------------------------------------------------------------------------------------


def _address(path: str, query: Mapping[str, str], anchor: str = "") -> str:
    sent = urlencode({name: value for name, value in query.items() if value})
    return path + (f"?{sent}" if sent else "") + (f"#{anchor}" if anchor else "")


def _pages(page: Page[Any], path: str, kept: Mapping[str, str], words: str) -> Pages:
    def to(cursor: str | None) -> str:
        return _address(path, {**kept, "cursor": cursor}, "list") if cursor else ""

    return Pages(to(page.prev_cursor), to(page.next_cursor), words)


def _total(page: Page[Any], say: Wording, words: str) -> str:
    return say("more than %(words)s", words=words) if page.total_is_estimate else words


# --- as a file --------------------------------------------------------------------------------------------------------


@get("/projects/{project}/reports.csv")
async def get_project_csv(request: Request, project: str) -> Response:
    """Return the list of reports as CSV, with filters and order of the page; at most the first MAX_CSV_ROWS."""
    service = request.service
    at = request.urls
    asked = request.headers
    caller = await service.run(signed_in, asked)
    if caller is None:
        return see_other("/sign-in")
    view = await service.run(projects.get, caller, without_nul(project))
    try:
        query = replace(_report_query(request.query), project=view.name, per_page=CSV_AT_ONCE, pages_only=True)
        first = await service.run(reports.find, caller, query)
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    name = "".join(character if character.isalnum() and character.isascii() else "-" for character in view.name).strip("-")
    headers = {"Content-Disposition": f'attachment; filename="findable-{name}.csv"', "Content-Security-Policy": SANDBOX}
    rows = _csv(service, asked, query, first, at)
    return StreamingResponse(rows, media_type="text/csv", headers=headers)


async def _csv(
    service: Service, headers: Mapping[str, str], query: ReportQuery, first: Page[ReportView], at: ServiceUrls
) -> AsyncIterator[bytes]:
    """Yield one page of the list at a time, so that memory and the database stay free. It ends with the session."""
    yield list_head()
    page, count = first, 0
    while True:
        yield list_rows([_row(view, at) for view in page.items])
        count += len(page.items)
        if page.next_cursor is None or count >= MAX_CSV_ROWS:
            return
        caller = await service.run(signed_in, headers)
        if caller is None:
            return
        page = await service.run(reports.find, caller, replace(query, cursor=page.next_cursor))


def _row(view: ReportView, at: ServiceUrls) -> dict[str, Any]:
    counts = msgspec.json.decode(view.listed.counts, type=dict[str, int] | None) or {}
    return {
        "url": view.url,
        "status": view.status.value,
        "result": view.result.value if view.result else None,
        "score": view.score,
        "change": view.previous.change if view.previous else None,
        "coverage": view.coverage,
        "failed": counts.get("failed"),
        "warned": counts.get("warned"),
        "privacy": view.privacy.name.lower(),
        "created_at": rfc3339(view.created_at),
        "generated_at": rfc3339(view.generated_at) if view.generated_at else None,
        "error": view.error.code if view.error else None,
        "report": at.share_page(view.public_id),
    }
