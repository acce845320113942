"""Page of a project for people with its link: score, findings on its pages, changes; its PDF; its forms for the owner.

The service decides who may see it; guests without access get the password form or NotFound.
"""

from datetime import datetime
from typing import ClassVar

from starlette.responses import Response

from findable.errors import NotFound, RequestError
from findable.export.pdf import is_available, project_to_pdf
from findable.export.pdf_content import Branding, Sheet
from findable.service.accounts.callers import require_role
from findable.service.accounts.sessions import SignInClient
from findable.service.projects import project_links
from findable.service.projects.project_links import PROJECTS, ProjectAccess
from findable.service.projects.project_reports import ProjectContent
from findable.service.reports import report_links, stored_images
from findable.service.reports.guest_access import Decision
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER
from findable.service.values.presentation import PROJECT_SECTIONS
from findable.vocabulary import Privacy
from findable.web.pages.project.project_glance import ProjectGlance, glance_of
from findable.web.pages.project.project_page import get_project
from findable.web.pages.project.project_sections import PageLink, ProjectSections, Reader, page_link, sections_of
from findable.web.pages.report import client
from findable.web.pages.report.client import BODY, LISTS, ClientEdit
from findable.web.pages.report.downloads import PDF_TYPE, pdf_for_viewer, pdf_or_unavailable, words_of
from findable.web.pages.report.link_visit import LinkFrame, LinkPages, LinkVisit, Sender, frame_of
from findable.web.pages.report.manage import privacy_of
from findable.web.pages.report.owner_presentation import OwnerTexts, file_prefix, texts_of
from findable.web.pages.report.share import NOT_PUBLIC, unlock_page
from findable.web.pages.shared.attachments import SANDBOX, attachment, in_file_name
from findable.web.pages.shared.lines import project_name, project_title, project_url
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import Bar, PageContext, html, page_bytes, see_other
from findable.web.pages.shared.verdict_notice import VerdictNotice, verdict_notice
from findable.web.pages.shared.viewer import SignedInRequest, bar_of
from findable.web.routing import Request, get, post

PREFIX = "/p/"
PRIVATE_FILE = {**NOT_PUBLIC, "Cache-Control": "private, no-store"}
LISTED_PAGES = 200
"""Maximum number of listed pages."""


class ProjectVisit(LinkVisit[ProjectAccess], frozen=True, kw_only=True):
    """Request of a viewer who may see the project."""

    content: ProjectContent
    public_id: str

    @property
    def reply_headers(self) -> dict[str, str]:
        """Headers of all responses to viewers of the project."""
        is_listed = self.access.privacy is Privacy.PUBLIC and self.access.presentation.is_listed and not self.access.is_owner
        return {"Cache-Control": "private, no-store"} if is_listed else dict(PRIVATE_FILE)


class SharedProjectPage(PageContext, frozen=True):
    """Variables of shared_project.html."""

    template: ClassVar[str] = "shared_project.html"
    frame: LinkFrame
    bar: Bar | None
    title: str
    preview: str
    """Title for link previews; reveals nothing about a project that is not public."""
    is_listed: bool
    name: str
    host: str
    """Host of the project; empty if the name is the host."""
    notice: VerdictNotice | None
    """Verdict of a crawl that the viewer may see; None if it needs no notice."""
    when: Moment | None
    glance: ProjectGlance | None
    """First screen; None without pages and without a crawl."""
    sections: ProjectSections
    visible_sections: frozenset[str]
    """Sections that the viewer sees."""
    client: OwnerTexts | None
    pages: tuple[PageLink, ...]
    more_pages: int
    """Number of pages that are not listed."""
    pdf: str
    """URL of the PDF; empty if it is not available."""
    project_href: str
    """URL of the project for its members; empty for guests."""


def _find_visit(request: Request, service: Service, public_id: str) -> ProjectVisit | Decision:
    """Return the visit of a shared project, or the reason why access is denied (blocking). Raises NotFound for a NUL."""
    sender = Sender.from_request(request, service, public_id)
    access = project_links.view(service, public_id, sender.viewer)
    content = access.content
    if content is None:
        return access.decision
    common = sender.fields(service, access, f"{PREFIX}{public_id}", content.project.name)
    return ProjectVisit(content=content, public_id=public_id, **common)


SHARED: LinkPages[ProjectVisit] = LinkPages(PREFIX, _find_visit)


@SHARED.viewer_page("", is_first=True)
def get_shared_project(visit: ProjectVisit) -> Response:
    """Show the project to people with its link, or the password form, or a "not found" page."""
    return html(page_bytes(_page(visit), visit.say), 200, visit.reply_headers)


@post("/p/{public_id}")
async def post_shared_project(request: Request, public_id: str) -> Response:
    """Check the password of a shared project and redirect to its page."""
    return await unlock_page(request, public_id, PROJECTS, f"/p/{public_id}")


def _result_times(visit: ProjectVisit) -> list[datetime]:
    """Return the finish times of the newest page report and of the crawl that the score comes from, if they exist."""
    report, site = visit.content.report, visit.content.site
    return [at for at in (report.at, site.crawl.finished_at if site else None) if at is not None]


def _page(visit: ProjectVisit) -> SharedProjectPage:
    say, report, project = visit.say, visit.content.report, visit.content.project
    zone = visit.zone
    presented = visit.access.presentation
    parameters = {"language": visit.url_language} if visit.url_language else {}
    shown = frozenset(name for name in PROJECT_SECTIONS if presented.client.shows(name))
    notes = presented.client.shown_notes
    reader = Reader(say, zone, visit.path, visit.query, parameters, notes=notes)
    is_public = visit.access.privacy is Privacy.PUBLIC
    name = project_title(project)
    return SharedProjectPage(
        frame=frame_of(visit),
        bar=bar_of(visit.caller, "projects") if visit.owner else None,
        title=say("%(name)s · Project report", name=name),
        preview=say("Project report: %(name)s", name=name) if is_public else say("Private report"),
        is_listed=is_public and presented.is_listed and not visit.access.is_owner,
        name=name,
        host=project_name(project.name) if project.title else "",
        notice=verdict_notice(report.verdict, say, zone),
        when=moment_of(max(results), say, zone) if (results := _result_times(visit)) else None,
        glance=glance_of(report, visit.content.site, reader) if report.pages or visit.content.site else None,
        sections=sections_of(report, reader),
        visible_sections=shown,
        client=texts_of(presented.client),
        pages=tuple(page_link(page, project.name, say) for page in report.worst_pages[:LISTED_PAGES]) if "page_list" in shown else (),
        more_pages=max(0, len(report.pages) - LISTED_PAGES),
        pdf=visit.url("/report.pdf") if is_available() else "",
        project_href=project_url(project.name) if visit.owner else "",
    )


def _ruleset_before(content: ProjectContent) -> str:
    """Return the ruleset of the earlier crawl, if that of the score is the first one under another; else an empty text."""
    compared = content.site.comparison if content.site else None
    return compared.findings.ruleset_before if compared else ""


@get("/p/{public_id}/report.pdf")
async def get_project_pdf(request: Request, public_id: str) -> Response:
    """Return the report as a PDF for the client, without sections hidden from guests."""
    return await pdf_for_viewer(request, SHARED, public_id, _project_pdf)


def _project_pdf(visit: ProjectVisit) -> Response:
    presented = visit.access.presentation
    logo = stored_images.logo_of(visit.service, presented.brand)
    site = visit.content.site
    branding = Branding(presented.brand.name, presented.brand.color, logo or b"")
    sheet = Sheet(visit.file_say, branding, words_of(presented.client), visit.zone, ruleset_before=_ruleset_before(visit.content))
    body = pdf_or_unavailable(
        lambda: project_to_pdf(visit.content.report, sheet, site.report if site else None), f"project {visit.access.number}"
    )
    report = visit.content.report
    day = report.at.strftime("-%Y-%m-%d") if report.at else ""
    named = attachment(f"{file_prefix(presented.brand)}-project-{in_file_name(report.name)}{day}.pdf")
    return Response(body, 200, {**PRIVATE_FILE, **named}, PDF_TYPE)


@SHARED.viewer_page("/logo.png")
def get_shared_project_logo(visit: ProjectVisit) -> Response:
    """Return the image file of the project's logo."""
    logo = stored_images.logo_of(visit.service, visit.access.presentation.brand)
    if logo is None:
        raise NotFound
    return Response(logo, 200, {**PRIVATE_FILE, "Content-Security-Policy": SANDBOX}, "image/png")


# --- the owner's forms


@SHARED.owner_form("/privacy")
def post_project_privacy(visit: ProjectVisit) -> Response:
    """Change who may see the shared project; an empty password field does not change the password."""
    owner, name = visit.require_owner(), visit.content.project.name
    try:
        privacy = privacy_of(visit.text("privacy"))
        report_links.set_access(visit.service, owner, visit.access.number, privacy, visit.text("password") or None, target=PROJECTS)
    except NotFound:
        raise
    except RequestError as error:
        request_of_owner = SignedInRequest(visit.service, owner, visit.say, "", SignInClient("", ""), {}, visit.fields)
        return get_project.show(request_of_owner.with_error(error, "link"), name)
    return see_other(f"{project_url(name)}#share")


def _edit(visit: ProjectVisit) -> ClientEdit:
    project, report = visit.content.project, visit.content.report
    require_role(visit.require_owner(), MEMBER, project.id)
    return ClientEdit(
        service=visit.service,
        caller=visit.require_owner(),
        say=visit.say,
        zone=visit.zone,
        target=PROJECTS,
        number=visit.access.number,
        page=visit.path,
        address=visit.at.shared_project(visit.public_id),
        name=project_name(project.name),
        project=project.name,
        privacy=visit.access.privacy,
        presentation=visit.access.presentation,
        findings=tuple(finding.example for finding in report.findings if finding.example is not None),
        fields=visit.fields,
    )


@SHARED.owner_page("/client")
def get_project_client(visit: ProjectVisit) -> Response:
    """Show the form with texts and options for the client of a shared project."""
    return client.client_form(_edit(visit))


@SHARED.owner_form("/client", BODY, LISTS)
def post_project_client(visit: ProjectVisit) -> Response:
    """Save the texts and options for the client of a shared project."""
    return client.save_client(_edit(visit))


@SHARED.owner_page("/link")
def get_project_link(visit: ProjectVisit) -> Response:
    """Show the forms for the expiry, indexing and replacement of a shared project's link."""
    return client.link_form(_edit(visit))


@SHARED.owner_form("/link")
def post_project_link(visit: ProjectVisit) -> Response:
    """Save expiry and indexing of a shared project's link."""
    return client.save_link(_edit(visit))


@SHARED.owner_form("/link/new")
def post_project_new_link(visit: ProjectVisit) -> Response:
    """Replace the link of a shared project; the old one becomes invalid immediately."""
    report_links.renew(visit.service, visit.require_owner(), visit.access.number, target=PROJECTS)
    return see_other(f"{project_url(visit.content.project.name)}#share")
