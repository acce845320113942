"""Page of a project for people with its link: score, findings, changes, history; its summary and PDFs.

The service decides who may see it; guests without access get the password form or NotFound. Members of the project see the page of its
guests, with a line above it.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable.clock import now
from findable.crawl.changes import CrawlComparison
from findable.crawl.standouts import lost_by_folder, section_notes
from findable.errors import RequestError
from findable.export.client_words import ClientTexts
from findable.export.pdf import typeset
from findable.export.pdf_sheet import Screenshots, Sheet
from findable.export.project_pdf_content import project_template_data
from findable.reports.project_report import ProjectPage
from findable.reports.reported_finding import ReportedFinding
from findable.reports.site_picture import SitePicture, site_picture
from findable.service.accounts.permissions import may
from findable.service.accounts.sessions import SignInClient
from findable.service.crawls import crawl_access
from findable.service.projects import bot_overview, project_links, project_reports, project_summary
from findable.service.projects.project_links import PROJECTS, LinkState, ProjectAccess
from findable.service.projects.project_reports import ProjectContent
from findable.service.projects.project_site import ProjectSite
from findable.service.reports import stored_images
from findable.service.results.guest_access import Decision, Viewer
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.crawl_values import CrawlView
from findable.service.values.presentation import BOTS, Presentation
from findable.vocabulary import Privacy
from findable.web.pages.project.bot_sections import BotSections, bot_sections
from findable.web.pages.project.project_glance import ProjectGlance, glance_of
from findable.web.pages.project.project_sections import ProjectSections, Reader, sections_of
from findable.web.pages.project.project_share import get_project_share
from findable.web.pages.result.changes import FindingChange
from findable.web.pages.result.files import hits_for_client, pdf_page, pdf_response, sheet_of
from findable.web.pages.result.findings_table import FindingsTable
from findable.web.pages.result.link_pages import NOT_PUBLIC, LinkPageContext, LinkPages, LinkVisit, page_fields, viewer_of, visit_fields
from findable.web.pages.result.sharing import sharing_forms
from findable.web.pages.shared.lines import project_name, project_title, project_url
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import page_bytes, render, variables
from findable.web.pages.shared.project_tabs import SHARE
from findable.web.pages.shared.verdict_notice import VerdictNotice, verdict_notice
from findable.web.pages.shared.viewer import SignedInRequest
from findable.web.pages.site.filtered_list_urls import PagesLinks
from findable.web.pages.site.site_changes import change_badges, changed_findings
from findable.web.pages.site.site_findings import site_rows, site_table
from findable.web.pages.site.site_parts import SiteParts, site_parts
from findable.web.routing import Request

PREFIX = "/p/"
_SECTIONS = {"next": "findings", "new": "progress", "fixed": "progress"}
"""Sections without which the suggested summary does not mention these figures."""
SUMMARY_SECTIONS = ("trend", "structure")
"""Sections whose pictures are on the summary."""
LISTED_PAGES = 200
"""Maximum number of listed pages."""


class ProjectVisit(LinkVisit[ProjectAccess], frozen=True, kw_only=True):
    """Request of a viewer who may see the project."""

    target = PROJECTS
    kind = "project"
    content: ProjectContent
    link: LinkState
    member: Caller | None = None
    """Person of the project who sees the page as guests do; None for guests."""
    filled: Presentation | None = None
    """Owner's settings with the figures in the summary; None if it has none."""

    @property
    def shared(self) -> LinkState:
        """The link of the project."""
        return self.link

    @property
    def figures(self) -> Mapping[str, str | None]:
        """Figures of the results that the viewer sees, in the language of the project's files."""
        return project_summary.figures_of(self.content, self.file_say, self.zone)

    @property
    def presentation(self) -> Presentation:
        """Owner's settings, with the figures in the summary."""
        return self.filled or self.access.presentation

    @property
    def title(self) -> str:
        """Name of the project as people write it."""
        return project_name(self.name)

    @property
    def file_parts(self) -> tuple[str, datetime | None]:
        """Name of the project, and time of its newest result."""
        return self.content.report.name, self.content.report.at

    @property
    def noted_findings(self) -> Sequence[ReportedFinding]:
        """Findings to write notes for: those that the page shows."""
        site = self.content.site
        of_pages = (finding.example for finding in self.content.report.findings)
        return tuple(item.as_reported for item in site.report.open) if site else tuple(one for one in of_pages if one is not None)

    def manage_url(self, public_id: str, done: str = "") -> str:
        """Return the URL of the project, which has the form for the access."""
        del public_id, done
        return f"{project_url(self.name)}/{SHARE}"

    def response(
        self,
        make: Callable[[], bytes],
        media_type: str = "text/html",
        more: Mapping[str, str] | None = None,
        variant: str | None = None,
    ) -> Response:
        """Return a page or file, which nobody may cache: it always shows the newest result."""
        del variant
        headers = dict({} if self.is_listed and more is None else NOT_PUBLIC) | {"Cache-Control": "private, no-store"}
        if self.member is None:
            headers |= self.view_cookie
        return Response(make(), 200, {**headers, **(more or {})}, media_type)


class PreviewLine(Struct, frozen=True):
    """Line above the page of the guests for a person of the project."""

    is_shared: bool
    """Whether guests have access."""
    may_share: bool
    project: str
    """URL of the project."""


class SharedProjectPage(LinkPageContext, frozen=True, kw_only=True):
    """Variables of shared_project.html, and of shared_summary.html: the project on one page."""

    preview: str
    """Title for link previews; reveals nothing about a project that is not public."""
    notice: VerdictNotice | None
    when: Moment | None
    glance: ProjectGlance | None
    """First screen; None without pages and without a crawl."""
    sections: ProjectSections
    client: ClientTexts | None
    bots: BotSections | None
    """Requests of bots; None if they are hidden from guests, or without logs."""
    pages: tuple[ProjectPage, ...]
    more_pages: int
    """Number of pages that are not listed."""
    preview_of: PreviewLine | None
    has_read_pages: bool
    """Whether the crawl read a page."""
    picture: SitePicture | None
    """Picture of the site; None if it is hidden, without a crawl, or if the site is too small."""
    parts: SiteParts | None
    """Charts of the site; None if they are hidden, or without a crawl."""
    site_findings: FindingsTable | None
    """Findings of the crawl; None without any, if they are hidden, or without a crawl."""
    since: CrawlComparison | None
    """Changes since the crawl before; None if they are hidden, or without one to compare with."""
    changed: tuple[FindingChange, ...]
    """Changed findings of the crawl."""


def _find_visit(request: Request, service: Service, public_id: str, *, for_guests: bool = False) -> ProjectVisit | Decision:
    """Return the visit of a shared project, or the reason why access is denied (blocking). Raises NotFound for a NUL.

    ``for_guests``: the visit is that of a guest, also if the viewer is a person of the project.
    """
    viewer = viewer_of(service, public_id, request.headers)
    access = project_links.view(service, public_id, viewer)
    content, link = access.content, access.link
    if content is None or link is None:
        return access.decision
    member = viewer.caller if for_guests and access.is_owner else None
    if member is not None:
        viewer, access = Viewer(), replace(access, is_owner=False)
    common = visit_fields(request, service, viewer, access, f"{PREFIX}{public_id}", content.project.name)
    visit = ProjectVisit(content=content, link=link, member=member, **common)
    if member is not None:
        visit = replace(visit, headers={})  # what the person chose for other reports does not count
    client = access.presentation.client
    if "{" not in client.summary:
        return visit
    summary = project_summary.filled(client.summary, visit.figures, visit.file_say)
    return replace(visit, filled=replace(access.presentation, client=replace(client, summary=summary)))


SHARED: LinkPages[ProjectVisit] = LinkPages(PREFIX, PROJECTS, _find_visit)
GUESTS: LinkPages[ProjectVisit] = LinkPages(PREFIX, PROJECTS, partial(_find_visit, for_guests=True))


@GUESTS.viewer_page("", is_first=True)
def get_shared_project(visit: ProjectVisit) -> Response:
    """Show the project to people with its link, or the password form, or a "not found" page."""
    return visit.response(lambda: page_bytes(_page(visit), visit.say))


@GUESTS.viewer_page("/summary")
def get_project_summary(visit: ProjectVisit) -> Response:
    """Show the project on one page: verdict, score, summary, and the score over time."""
    whole = _page(visit)
    glance = whole.glance and _elsewhere(whole.glance, visit.url())
    shown = replace(whole, **page_fields(visit, "/summary"), glance=glance, client=_summary_texts(visit))
    return visit.response(lambda: render("shared_summary.html", visit.say, **variables(shown)))


def _summary_texts(visit: ProjectVisit) -> ClientTexts:
    """Return the owner's texts; without a summary, the suggested sentences with their figures."""
    client = visit.presentation.client
    if client.summary:
        return client
    say = visit.file_say
    figures = {name: value for name, value in visit.figures.items() if name not in _SECTIONS or client.shows(_SECTIONS[name])}
    return replace(client, summary=project_summary.filled(project_summary.suggested_template(figures, say), figures, say))


def _elsewhere(glance: ProjectGlance, page: str) -> ProjectGlance:
    """Return the first screen for another page than the one that has the findings and the changes."""
    fixes = tuple(replace(one, href=f"{page}{one.href}") for one in glance.fixes)
    lines = tuple(replace(one, href=f"{page}{one.href}" if one.href else "") for one in glance.standouts)
    return replace(glance, fixes=fixes, standouts=lines, changes_href=f"{page}{glance.changes_href}")


@pdf_page(GUESTS, "/summary.pdf")
def get_project_summary_pdf(visit: ProjectVisit) -> Response:
    """Return the summary as a PDF of one page."""
    site, sheet = visit.content.site, _sheet(visit)
    sections = tuple(name for name in SUMMARY_SECTIONS if visit.presentation.client.shows(name))
    short = replace(sheet, client=replace(sheet.client, summary=_summary_texts(visit).summary, sections=sections, notes={}), is_short=True)
    report = site.report if site else None
    return pdf_response(visit, lambda: typeset(project_template_data(visit.content.report, short, report), short), "-summary")


def _page(visit: ProjectVisit) -> SharedProjectPage:
    say, report, project = visit.say, visit.content.report, visit.content.project
    zone, notes = visit.zone, visit.presentation.client.shown_notes
    parameters = {"language": visit.url_language} if visit.url_language else {}
    site, has_progress = visit.content.site, visit.shows("progress")
    times = [at for at in (report.at, site.crawl.finished_at if site else None) if at is not None]
    reader = Reader(say, zone, visit.path, visit.query, parameters, notes=notes, is_plain=visit.is_plain)
    glance = glance_of(report, site, reader) if report.pages or site else None
    if glance is not None and glance.is_of_site and not has_progress:
        glance = replace(glance, changes="", changes_href="", standouts=())
    since = site.comparison if site and has_progress else None
    compared = since.findings if since and since.not_comparable is None else None
    structure = site.report.structure if site and visit.shows("structure") else None
    return SharedProjectPage(
        **page_fields(visit),
        preview=say("Project report: %(name)s", name=project_title(project)) if visit.is_public else say("Private report"),
        notice=verdict_notice(report.verdict, say, zone),
        when=moment_of(max(times), say, zone) if times else None,
        glance=glance,
        sections=sections_of(report, reader),
        client=visit.client,
        bots=bot_sections(bot_overview.overview_of(visit.service, project.id, _crawl(visit)), say) if visit.shows(BOTS) else None,
        pages=tuple(report.worst_pages[:LISTED_PAGES]) if visit.shows("page_list") else (),
        more_pages=max(0, len(report.pages) - LISTED_PAGES),
        preview_of=_preview_line(visit),
        has_read_pages=bool(site and site.report.summary.pages_count),
        picture=site_picture(
            structure.areas,
            structure.templates,
            say,
            lost=lost_by_folder(since.lost) if since else {},
            notes=section_notes(site.report, say),
        )
        if site and structure
        else None,
        parts=site_parts(structure, PagesLinks(""), say, with_tables=False) if structure else None,
        site_findings=_site_findings(visit, site) if site and visit.shows("findings") else None,
        since=since,
        changed=changed_findings(compared, site.report, say, is_plain=visit.is_plain) if site and compared else (),
    )


def _site_findings(visit: ProjectVisit, site: ProjectSite) -> FindingsTable | None:
    """Return the problems and warnings of the crawl that are not accepted; None without any."""
    since = site.comparison if visit.shows("progress") else None
    badges = change_badges(since, visit.say, is_plain=visit.is_plain) if since else {}
    rows = [row for row in site_rows(site.report, visit, "", badges, None) if not row.card.accepted]
    return site_table(rows, visit) if rows else None


def _preview_line(visit: ProjectVisit) -> PreviewLine | None:
    if visit.member is None:
        return None
    ends = visit.presentation.expires_at
    is_shared = visit.link.privacy is not Privacy.PRIVATE and (ends is None or now() < ends)
    return PreviewLine(is_shared, may(visit.member, MEMBER, visit.link.id), project_url(visit.name))


def _crawl(visit: ProjectVisit) -> CrawlView | None:
    """Return the crawl that requests of bots are joined with."""
    return visit.content.site.crawl if visit.content.site else visit.content.crawl


def _sheet(visit: ProjectVisit, **more: Any) -> Sheet:
    """Return the sheet of a PDF, with the screenshots of the start page if everybody may open its report."""
    start = project_reports.open_start_report(visit.service, visit.content.project)
    images = None if start is None else stored_images.screenshots_of(visit.service, start)
    shown, since = Screenshots(*images) if images else None, visit.content.site.comparison if visit.content.site else None
    return sheet_of(visit, ruleset_before=since.findings.ruleset_before if since else "", screenshots=shown, **more)


@pdf_page(GUESTS)
def get_project_pdf(visit: ProjectVisit) -> Response:
    """Return the report as a PDF for the client, without sections hidden from guests."""
    site = visit.content.site
    hits = hits_for_client(visit, visit.content.project.id, _crawl(visit))
    sheet = _sheet(visit, hits=hits)
    before = crawl_access.report(visit.service, site.earlier) if site and site.earlier else None
    of_site = (site.report, site.comparison, before) if site else ()
    return pdf_response(visit, lambda: typeset(project_template_data(visit.content.report, sheet, *of_site), sheet))


def _show_again(visit: ProjectVisit, error: RequestError) -> Response:
    """Return the project's page for its members again, with the error of the form for the access."""
    request = SignedInRequest(visit.service, visit.require_owner(), visit.say, "", SignInClient("", ""), {}, visit.fields)
    return get_project_share.show(request.with_error(error, "link"), visit.name)


SHARING = sharing_forms(SHARED, _show_again)
