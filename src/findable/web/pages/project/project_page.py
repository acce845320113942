"""The page of a project: its reports, their ratings and shared findings."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable.checks.engine import all_checks
from findable.errors import ValidationFailed
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
from findable.service.values.caller import MEMBER, OWNER, Caller
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectView
from findable.service.values.report_values import ReportQuery, ReportSort, ReportView
from findable.service_urls import ServiceUrls
from findable.vocabulary import Rating, Verdict
from findable.web.pages.project.crawl_lines import CrawlLine, crawl_line
from findable.web.pages.project.project_lists import LISTED, list_address, list_pages, report_query, total_words
from findable.web.pages.project.project_sections import ProjectSections, Reader, sections_of
from findable.web.pages.project.project_share import ProjectShare, project_share
from findable.web.pages.report.finding_cards import question_of
from findable.web.pages.shared.form_fields import Choice, FormView
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
from findable.web.pages.shared.view_chips import ViewChips, view_chips
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, for_person, person_form
from findable.web.query_strings import Query
from findable.web.routing import Request, get
from findable.wording import Wording, later

BAR_PX = 600
STORED = later("%(size)s stored")
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
        href = list_address(at, {**kept, "sort_by": sort.value, "sort": "desc" if descending else "asc"}, "reports")
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
            asked.service, asked.caller, ListName.REPORTS, view.name, _saved(kept, by), lambda saved: list_address(at, saved, "reports")
        ),
        filters=_filters(wanted, by, say),
        sorts=tuple(sorted_by(*row) for row in REPORT_SORTS),
        lines=tuple(report_line(one, say, asked.zone, wanted.check) for one in page.items),
        pages=list_pages(page, at, {**kept, **by}, total_words(page, say, say.plural("%(count)s page", "%(count)s pages", page.total))),
        csv=list_address(f"{at}/reports.csv", {**kept, **by}),
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
        wanted = replace(report_query(query), project=view.name, per_page=LISTED, pages_only=True)
        return reports.find(asked.service, asked.caller, wanted), wanted, ""
    except ValidationFailed:
        return reports.find(asked.service, asked.caller, plain), plain, asked.say(NO_SUCH_LIST)


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
        href = list_address(at, {"result": rating}, "reports") if count and rating != "none" else ""
        if rated and (count or rating != "none"):
            yield RatingShare(rating, words, say.number(count), f"{round(100 * count / whole)} %", round(x, 1), round(width, 1), href)
        x += width
