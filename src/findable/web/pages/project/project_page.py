"""Tabs of a project with its results: overview, findings, pages and structure.

They show the parts of the report of the crawl that the score comes from; without a crawl, what the page reports say.
"""

from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct
from starlette.responses import Response

from findable.reports.titles import RATINGS, VERDICTS
from findable.service.accounts.permissions import may
from findable.service.projects import issue_trackers, project_links, project_reports, project_runs
from findable.service.projects.project_reports import ProjectContent
from findable.service.values.caller import MEMBER, OWNER
from findable.service.values.crawl_values import CrawlView
from findable.service.values.project_values import ProjectView
from findable.vocabulary import Rating, Verdict
from findable.web.pages.project.crawl_overview import crawl_form, start_crawl
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.project.project_glance import ProjectGlance, glance_of
from findable.web.pages.project.project_pages import PageList, page_list
from findable.web.pages.project.project_sections import ProjectSections, Reader, sections_of
from findable.web.pages.project.unloaded_pages import UnloadedProject, unloaded_pages
from findable.web.pages.shared.form_fields import FormView
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import page_response, see_other, variables
from findable.web.pages.shared.project_tabs import FINDINGS, OVERVIEW, REPORTS, STRUCTURE
from findable.web.pages.shared.verdict_notice import VerdictNotice, verdict_notice
from findable.web.pages.shared.viewer import SignedInRequest
from findable.web.pages.site.site_page import SitePage, site_page
from findable.web.pages.site.site_visit import visit_of_tab


class ProjectResult(Struct, frozen=True, kw_only=True):
    """Content of the tabs besides the report of a crawl."""

    view: ProjectView
    is_owner: bool
    """Whether the reader may change the settings."""
    can_run: bool
    """Whether the reader can run all pages again."""
    can_mark: bool
    """Whether the reader may mark events in the plots."""
    marker: FormView
    """Form for marking an event."""
    sections: ProjectSections | None
    """Sections of the page reports, and the score over time; None without a result."""
    glance: ProjectGlance | None
    """First screen, unless it is that of the report of a crawl."""
    notice: VerdictNotice | None
    """Verdict in search, if it needs words."""
    notice_href: str
    """URL of the crawl with the verdict; empty without a crawl, or if it is the one that the score comes from."""
    crawl: CrawlView | None
    """Last finished crawl, if the score comes from no crawl or from an earlier one."""


class ProjectOverviewPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_overview.html, for a project without a crawl."""

    place: ClassVar[str] = OVERVIEW
    result: ProjectResult
    unloaded: UnloadedProject | None
    """First screen of a project of which no page could be loaded; else None."""
    ratings: tuple[tuple[str, str, int], ...]
    """Ratings with their words and the number of pages; ``none`` for pages that are not rated."""


class ProjectFindingsPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_findings.html, for a project without a crawl."""

    place: ClassVar[str] = FINDINGS
    result: ProjectResult


class ProjectStructurePage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_structure.html, for a project without a crawl."""

    place: ClassVar[str] = STRUCTURE


class ProjectReportsPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_reports.html."""

    place: ClassVar[str] = REPORTS
    can_run: bool
    ratings: tuple[tuple[str, str, int], ...]
    verdicts: Mapping[Verdict, str]
    """Words for verdicts."""
    page_list: PageList


class ProjectSitePage(SitePage, frozen=True, kw_only=True):
    """Variables of project_site.html: a part of the report of a crawl, with what the project adds."""

    result: ProjectResult | None
    """Additions of the project; None for its structure, which has none."""
    map_form: FormView | None
    """Form that checks a redirect map, in the structure for members; else None."""


@project_page("")
def get_project(request: SignedInRequest, view: ProjectView) -> ProjectOverviewPage | Response:
    """Show the verdict of a project, what changed, and its score over time."""
    content = project_reports.get(request.service, request.caller, view.name)
    result, crawl = _result(request, view, content, OVERVIEW), _crawl(content)
    if crawl is not None and (content.site is not None or not content.report.pages):
        return _site_part(request, crawl, result, OVERVIEW)
    return ProjectOverviewPage(
        result=result,
        unloaded=None if result.glance or not view.pages_count else unloaded_pages(request, view),
        ratings=_ratings(request, view),
    )


@project_page("/findings")
def get_project_findings(request: SignedInRequest, view: ProjectView) -> ProjectFindingsPage | Response:
    """Show the findings of a project: those of its crawl, then those of its page reports."""
    content = project_reports.get(request.service, request.caller, view.name)
    result, crawl = _result(request, view, content, FINDINGS), _crawl(content)
    if crawl is not None:
        return _site_part(request, crawl, result, FINDINGS)
    return ProjectFindingsPage(result=result)


@project_page("/structure")
def get_project_structure(request: SignedInRequest, view: ProjectView) -> ProjectStructurePage | Response:
    """Show the structure of the site that the crawl found."""
    crawl = project_reports.crawl_of_tabs(request.service, request.caller, view)
    if crawl is not None:
        return _site_part(request, crawl, None, STRUCTURE)
    return ProjectStructurePage()


@crawl_form(STRUCTURE, get_project_structure)
def post_redirect_map(request: SignedInRequest, _view: ProjectView) -> Response:
    """Start the crawl that checks a redirect map, and redirect to its report."""
    return start_crawl(request)


@project_page("/pages")
def get_project_pages(request: SignedInRequest, view: ProjectView) -> Response:
    """Redirect to the pages of the crawl; without one, to the list of page reports."""
    crawl = project_reports.crawl_of_tabs(request.service, request.caller, view)
    return see_other(f"/s/{crawl.public_id}/pages" if crawl else f"{project_url(view.name)}/{REPORTS}")


@project_page("/reports")
def get_project_reports(request: SignedInRequest, view: ProjectView) -> ProjectReportsPage:
    """List the page reports of a project. The query has the parameters of the API's list of reports, without `project`."""
    numbers = project_reports.metrics_of_pages(request.service, request.caller, view.name)
    pages = page_list(request, view, numbers)
    return ProjectReportsPage(
        can_run=may(request.caller, MEMBER) and bool(view.pages_count),
        ratings=_ratings(request, view),
        verdicts={verdict: request.say(words) for verdict, words in VERDICTS.items()},
        page_list=pages,
        status=422 if pages.problem else 200,
    )


@project_form("/again")
def post_run_project_again(request: SignedInRequest, view: ProjectView) -> Response:
    """Run every page of a project again, the newest reports first, and show the batch. Raises RateLimited."""
    request.service.rates.count(request.caller)
    return see_other(f"/batches/{project_runs.run_again(request.service, request.caller, view.name).id}")


def _crawl(content: ProjectContent) -> CrawlView | None:
    """Return the crawl whose report the tabs show: the one that the score comes from, else the last one with results."""
    if content.site is not None:
        return content.site.crawl
    return content.crawl if content.crawl is not None and content.crawl.has_results else None


def _site_part(request: SignedInRequest, crawl: CrawlView, result: ProjectResult | None, tab: str) -> Response:
    """Return a tab with its part of the report of the project's crawl."""
    visit = visit_of_tab(request, crawl, tab)
    fields = variables(site_page(visit))
    fields |= {"notice": result.notice, "notice_href": result.notice_href} if result else {"notice": None}
    error = request.error
    may_check = tab == STRUCTURE and may(request.caller, MEMBER, crawl.project_id)
    page = ProjectSitePage(**fields, result=result, map_form=request.form_with() if may_check else None)
    return page_response(page, request.say, status=error.status if error else 200, headers=visit.view_cookie)


def _result(request: SignedInRequest, view: ProjectView, content: ProjectContent, tab: str) -> ProjectResult:
    newest, scored = content.crawl, content.site.crawl if content.site else None
    is_owner, is_member = (may(request.caller, role, view.id) for role in (OWNER, MEMBER))
    at = project_url(view.name)
    reader = _reader(request, content, at, tab)
    is_apart = newest is not None and (scored is None or newest.id > scored.id) and newest.public_id != view.verdict_crawl
    is_before = content.report.verdict is not None and content.report.verdict.leaves_rating
    is_of_site = content.site is not None and content.report.score == content.site.report.score and not is_before
    return ProjectResult(
        view=view,
        is_owner=is_owner,
        can_run=may(request.caller, MEMBER) and bool(view.pages_count),
        can_mark=is_member,
        marker=request.form_with(name="marker"),
        sections=sections_of(content.report, reader) if content.report.pages or content.report.trend else None,
        glance=glance_of(content.report, content.site, reader) if (content.report.pages or content.site) and not is_of_site else None,
        notice=verdict_notice(view.verdict, request.say, request.zone),
        notice_href=f"/s/{view.verdict_crawl}" if view.verdict_crawl and (scored is None or scored.public_id != view.verdict_crawl) else "",
        crawl=newest if is_apart else None,
    )


def _ratings(request: SignedInRequest, view: ProjectView) -> tuple[tuple[str, str, int], ...]:
    rated = ((one.value, request.say.text(RATINGS[one]), view.rated.get(one, 0)) for one in Rating)
    return (*rated, ("none", request.say("Not rated"), max(0, view.pages_count - sum(view.rated.values()))))


def _reader(request: SignedInRequest, content: ProjectContent, at: str, tab: str) -> Reader:
    state = project_links.state(request.service, request.caller, content.project.name)
    return Reader(
        request.say,
        request.zone,
        f"{at}/{tab}",
        request.query,
        project=at,
        notes=state.presentation.client.notes,
        weights=content.weights,
        tracker=issue_trackers.tracker_name(request.service, request.caller, content.project.id),
    )
