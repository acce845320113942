"""Page of a project: its reports, ratings and shared findings."""

from collections.abc import Mapping
from typing import ClassVar

from starlette.responses import Response

from findable.export.pdf import is_available
from findable.reports.titles import RATINGS, VERDICTS
from findable.service.accounts.callers import may
from findable.service.projects import issue_trackers, project_links, project_reports, project_runs
from findable.service.projects.project_links import LinkState
from findable.service.projects.project_reports import ProjectContent
from findable.service.runtime import rate_limits
from findable.service.values.caller import MEMBER, OWNER
from findable.service.values.crawl_values import CrawlView
from findable.service.values.project_values import ProjectView
from findable.service_urls import ServiceUrls
from findable.vocabulary import Rating, Verdict
from findable.web.pages.project.project_context import ProjectPageContext, project_page, project_response
from findable.web.pages.project.project_glance import ProjectGlance, glance_of
from findable.web.pages.project.project_pages import PageList, page_list
from findable.web.pages.project.project_sections import ProjectSections, Reader, sections_of
from findable.web.pages.project.unloaded_pages import UnloadedProject, unloaded_pages
from findable.web.pages.result.sharing import LinkForms, link_forms
from findable.web.pages.shared.form_fields import FormView
from findable.web.pages.shared.lines import (
    project_url,
)
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.verdict_notice import VerdictNotice, verdict_notice
from findable.web.pages.shared.viewer import SignedInRequest, person_form
from findable.web.path_parts import without_nul


class ProjectPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project.html."""

    template: ClassVar[str] = "project.html"
    view: ProjectView
    is_owner: bool
    """Whether the reader may change the settings."""
    sends_mails: bool
    """Whether the service sends e-mails."""
    can_run: bool
    """Whether the reader can run all pages again."""
    ratings: tuple[tuple[str, str, int], ...]
    """Ratings with their words and the number of pages; ``none`` for pages that are not rated."""
    sections: ProjectSections | None
    """Sections of the report; None without a result."""
    notice: VerdictNotice | None
    """Verdict in search, if it needs words."""
    notice_href: str
    """URL of the crawl with the verdict; empty without a crawl, or if it is the one that the score comes from."""
    glance: ProjectGlance | None
    """First screen; None without pages and without a crawl."""
    site_href: str
    """URL of the report of the crawl that the score comes from, else of the last finished crawl; empty without one."""
    unloaded: UnloadedProject | None
    """First screen of a project of which no page could be loaded; else None."""
    crawl: CrawlView | None
    """Last finished crawl, if the score comes from no crawl or from an earlier one."""
    share: LinkForms | None
    """Share link for the client; None without pages and a crawl, and for people with read access only."""
    has_pdf: bool
    can_mark: bool
    """Whether the reader may mark events in the plots."""
    marker: FormView
    """Form for marking an event."""
    verdicts: Mapping[Verdict, str]
    """Words for verdicts."""
    page_list: PageList
    """List of the project's pages."""


@project_page("")
def get_project(request: SignedInRequest, view: ProjectView) -> Response:
    """Show a project. The query has the parameters of the API's list of reports, without `project`."""
    say = request.say
    at = project_url(view.name)
    content = project_reports.get(request.service, request.caller, view.name)
    state = project_links.state(request.service, request.caller, view.name)
    pages = page_list(request, view, content.metrics)
    has_content = bool(content.report.pages) or content.site is not None
    reader = _reader(request, content, state, at, pages.query)
    newest, scored = content.crawl, content.site.crawl if content.site else None
    site = scored or newest
    is_owner, shares = (may(request.caller, role, view.id) for role in (OWNER, MEMBER))
    rated = ((one.value, say.text(RATINGS[one]), view.rated.get(one, 0)) for one in Rating)
    shown = ProjectPage(
        view=view,
        is_owner=is_owner,
        sends_mails=bool(request.service.settings.smtp_url),
        can_run=may(request.caller, MEMBER) and bool(view.pages_count),
        ratings=(*rated, ("none", say("Not rated"), max(0, view.pages_count - sum(view.rated.values())))),
        sections=sections_of(content.report, reader) if content.report.pages else None,
        notice=verdict_notice(view.verdict, say, request.zone),
        notice_href=f"/s/{view.verdict_crawl}" if view.verdict_crawl and (scored is None or scored.public_id != view.verdict_crawl) else "",
        glance=glance_of(content.report, content.site, reader) if has_content else None,
        unloaded=None if has_content or not view.pages_count else unloaded_pages(request, view),
        site_href=f"/s/{site.public_id}" if site else "",
        crawl=newest if newest and _is_apart(newest, scored, view) else None,
        share=_link(request, state) if shares and has_content else None,
        has_pdf=is_available(),
        can_mark=shares,
        marker=request.form_with(name="marker"),
        verdicts={verdict: say(words) for verdict, words in VERDICTS.items()},
        page_list=pages,
    )
    return project_response(request, view, shown, 422 if pages.problem else 200)


def _link(request: SignedInRequest, state: LinkState) -> LinkForms:
    """Return the state of the forms for the link of a project."""
    address = ServiceUrls(request.service.settings.base_url).shared_project(state.public_id)
    return link_forms(state, state.presentation, address, request.say, request.form_with(name="link"))


def _is_apart(newest: CrawlView, scored: CrawlView | None, view: ProjectView) -> bool:
    """Return whether the newest crawl gave the project neither its score nor its verdict."""
    return (scored is None or newest.id > scored.id) and newest.public_id != view.verdict_crawl


@person_form("/projects/{project}/again")
def post_run_project_again(request: SignedInRequest, project: str) -> Response:
    """Run every page of a project again, the newest reports first, and show the batch. Raises RateLimited."""
    rate_limits.count_request(request.service, request.caller)
    return see_other(f"/batches/{project_runs.run_again(request.service, request.caller, without_nul(project)).id}")


def _reader(request: SignedInRequest, content: ProjectContent, state: LinkState, path: str, parameters: Mapping[str, str]) -> Reader:
    notes = state.presentation.client.notes
    tracker = issue_trackers.tracker_name(request.service, request.caller, content.project.id)
    return Reader(
        request.say,
        request.zone,
        path,
        request.query,
        parameters,
        is_owner=True,
        notes=notes,
        weights=content.weights,
        tracker=tracker,
    )
