"""The page of a project for people with its link: score, findings over its pages, what changed; its PDF; its forms for the owner.

The service decides who may see it; a guest without access learns nothing.
"""

import re
from collections.abc import Callable, Mapping
from typing import ClassVar
from urllib.parse import urlencode

from msgspec import Struct, field
from starlette.responses import Response

from findable.errors import NotFound, RequestError
from findable.export.pdf import Branding, Sheet, is_available, project_to_pdf
from findable.service.projects import project_links
from findable.service.projects.project_links import PROJECTS, ProjectAccess
from findable.service.projects.project_reports import ProjectContent
from findable.service.reports import report_links, stored_images
from findable.service.reports.guest_access import Decision, Viewer, cookie_name
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.presentation import PROJECT_SECTIONS
from findable.vocabulary import Privacy
from findable.web.auth import cookies, refuse_cross_site
from findable.web.bodies import ORDINARY, TEXTS, Bounds, Fields, Kinds
from findable.web.pages.project.project_sections import PageLink, ProjectSections, Reader, page_link, sections_of
from findable.web.pages.project.projects import project_refused
from findable.web.pages.report import client
from findable.web.pages.report.client import BODY, LISTS, ClientEdit
from findable.web.pages.report.downloads import PDF_TYPE, SANDBOX, drawn, pdf_or_unavailable, words_of
from findable.web.pages.report.manage import privacy_of
from findable.web.pages.report.owner_presentation import LanguageLink, OwnerTexts, brand_of, written_of
from findable.web.pages.report.run_history import require_still
from findable.web.pages.report.share import NOT_PUBLIC, UnlockPage, language_asked_for, unlocked
from findable.web.pages.shared.form_fields import refused
from findable.web.pages.shared.lines import ProjectScore, project_address, project_name, project_score
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import Bar, PageContext, html, see_other, shown_bytes
from findable.web.pages.shared.score_bar import ScoreBar, score_bar
from findable.web.pages.shared.viewer import bar_of, signed_in, wording_of, zone_of
from findable.web.pages.site.site_visit import SiteFrame
from findable.web.routing import Request, get, post
from findable.web.service_urls import ServiceUrls
from findable.wording import LANGUAGES, Wording, wording

PRIVATE_FILE = {**NOT_PUBLIC, "Cache-Control": "private, no-store"}
LISTED_PAGES = 200
"""Pages that are listed, the newest results first."""


class ProjectVisit(Struct, frozen=True):
    """Viewer of a project who may see it, with the request."""

    service: Service
    access: ProjectAccess
    content: ProjectContent
    public_id: str
    caller: Caller | None
    """Signed-in person; None for a guest."""
    say: Wording
    at: ServiceUrls
    query: Mapping[str, str]
    asked: str = ""
    """Language in the URL; empty for none."""
    fields: Fields = field(default_factory=dict)
    """Fields of the form."""

    @property
    def owner(self) -> Caller | None:
        """The signed-in owner; None for everyone else."""
        return self.caller if self.access.is_owner else None

    @property
    def path(self) -> str:
        """Path of the page."""
        return f"/p/{self.public_id}"

    @property
    def file_say(self) -> Wording:
        """Language of the PDF."""
        language = self.access.presentation.language or self.asked
        return wording(language) if language else self.say

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the page."""
        is_listed = self.access.privacy is Privacy.PUBLIC and self.access.presentation.is_listed and not self.access.is_owner
        return {"Cache-Control": "private, no-store"} if is_listed else dict(PRIVATE_FILE)

    def text(self, name: str) -> str:
        """Return a field of the form; empty if it was not sent or is not a text."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) else ""


class SharedProjectPage(PageContext, frozen=True):
    """The variables of shared_project.html."""

    template: ClassVar[str] = "shared_project.html"
    frame: SiteFrame
    bar: Bar | None
    title: str
    preview: str
    """Title for link previews; reveals nothing about a project that is not public."""
    is_listed: bool
    name: str
    when: Moment | None
    score: ProjectScore | None
    score_bar: ScoreBar | None
    sections: ProjectSections
    shown: frozenset[str]
    """Sections that are shown."""
    client: OwnerTexts | None
    pages: tuple[PageLink, ...]
    more_pages: int
    """Number of pages that are not listed."""
    pdf: str
    """URL of the PDF; empty where it cannot be made."""
    project_href: str
    """URL of the project, for its people; empty for guests."""


Work = Callable[[ProjectVisit], Response]


def _found(request: Request, service: Service, public_id: str) -> ProjectVisit | Decision:
    """Return the visit, or why there is none (blocking)."""
    if "\0" in public_id:
        return Decision.NOT_FOUND
    headers = request.headers
    caller = signed_in(service, headers)
    access = project_links.view(service, public_id, Viewer(caller, cookies(headers).get(cookie_name(service, public_id))))
    if access.content is None:
        return access.decision
    asked = language_asked_for(request)
    language = asked if access.is_owner else access.presentation.language or asked
    say = wording(language) if language else wording_of(headers, caller)
    query = {name: value for name, value in request.query.items() if isinstance(value, str)}
    return ProjectVisit(service, access, access.content, public_id, caller, say, request.urls, query, asked)


def _for_viewer(request: Request, service: Service, public_id: str, work: Work, *, is_first: bool = False) -> Response:
    """Return a page or file for people who may see it (blocking); guests of a locked one get the form for its password first."""
    visit = _found(request, service, public_id)
    if isinstance(visit, ProjectVisit):
        return work(visit)
    if visit is not Decision.PASSWORD_NEEDED:
        raise NotFound
    if not is_first:
        return see_other(f"/p/{public_id}")
    return html(shown_bytes(UnlockPage(""), wording_of(request.headers)), 200, dict(NOT_PUBLIC))


async def _from_owner(request: Request, public_id: str, work: Work, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS) -> Response:
    """Handle a form of the owner. Raises Forbidden for a form of another site, NotFound for anyone but the owner."""
    service = request.service
    refuse_cross_site(request.headers, service.settings.base_url)
    owner = (await service.run(lambda service: _owned(request, service, public_id))).owner
    fields = await request.fields(bounds, kinds)

    def answer(service: Service) -> Response:
        if owner is not None:
            require_still(service, owner, request.headers)
        visit = _owned(request, service, public_id)
        return work(
            ProjectVisit(
                visit.service, visit.access, visit.content, public_id, visit.caller, visit.say, visit.at, visit.query, visit.asked, fields
            )
        )

    return await service.run(answer)


def _owned(request: Request, service: Service, public_id: str) -> ProjectVisit:
    visit = _found(request, service, public_id)
    if not isinstance(visit, ProjectVisit) or visit.owner is None:
        raise NotFound
    return visit


@get("/p/{public_id}")
async def get_shared_project(request: Request, public_id: str) -> Response:
    """Show the project to people with its link, a form for its password, or nothing."""

    def work(visit: ProjectVisit) -> Response:
        return html(shown_bytes(_page(visit), visit.say), 200, visit.headers)

    return await request.service.run(lambda service: _for_viewer(request, service, public_id, work, is_first=True))


@post("/p/{public_id}")
async def post_shared_project(request: Request, public_id: str) -> Response:
    """Check a password."""
    return await unlocked(request, public_id, project_links.unlock, f"/p/{public_id}")


def _page(visit: ProjectVisit) -> SharedProjectPage:
    say, report, project = visit.say, visit.content.report, visit.content.project
    zone = zone_of(visit.caller)
    presented = visit.access.presentation
    kept = {"language": visit.asked} if visit.asked else {}
    shown = frozenset(name for name in PROJECT_SECTIONS if presented.client.shows(name))
    notes = presented.client.shown_notes
    is_public = visit.access.privacy is Privacy.PUBLIC
    name = project_name(project.name)
    return SharedProjectPage(
        frame=_frame(visit),
        bar=bar_of(visit.caller, "projects") if visit.owner else None,
        title=say("%(name)s · Project report", name=name),
        preview=say("Project report: %(name)s", name=name) if is_public else say("Private report"),
        is_listed=is_public and presented.is_listed and not visit.access.is_owner,
        name=name,
        when=moment_of(report.at, say, zone) if report.at else None,
        score=project_score(project, say),
        score_bar=score_bar(report.score, report.result.value, say) if report.score is not None and report.result else None,
        sections=sections_of(report, Reader(say, zone, visit.path, visit.query, kept, notes=notes)),
        shown=shown,
        client=written_of(presented.client),
        pages=tuple(page_link(page, project.name, say) for page in report.pages[:LISTED_PAGES]) if "page_list" in shown else (),
        more_pages=max(0, len(report.pages) - LISTED_PAGES),
        pdf=f"{visit.path}/report.pdf{'?' + urlencode(kept) if kept else ''}" if is_available() else "",
        project_href=project_address(project.name) if visit.owner else "",
    )


def _frame(visit: ProjectVisit) -> SiteFrame:
    presented = visit.access.presentation
    can_choose = visit.owner is None and not presented.language
    links = (
        LanguageLink(one.code, one.name, f"{visit.path}?language={one.code}", one.code == visit.say.code) for one in LANGUAGES.values()
    )
    return SiteFrame(
        bar=bar_of(visit.caller, "projects") if visit.owner else None,
        href=visit.path,
        url=visit.content.project.name,
        brand=brand_of(presented.brand, visit.path),
        languages=tuple(links) if can_choose else (),
    )


@get("/p/{public_id}/report.pdf")
async def get_project_pdf(request: Request, public_id: str) -> Response:
    """Return the report as a PDF for the client, without what guests do not see."""

    def work(visit: ProjectVisit) -> Response:
        presented = visit.access.presentation
        logo = stored_images.logo_of(visit.service, presented.brand)
        branding = Branding(presented.brand.name, presented.brand.color, logo or b"")
        sheet = Sheet(visit.file_say, branding, words_of(presented.client), zone_of(visit.caller))
        body = pdf_or_unavailable(lambda: project_to_pdf(visit.content.report, sheet), f"project {visit.access.number}")
        report = visit.content.report
        name = re.sub(r"[^a-z0-9-]+", ".", report.name.lower()).strip(".-")
        day = report.at.strftime("-%Y-%m-%d") if report.at else ""
        named = {"Content-Disposition": f'attachment; filename="findable-project-{name}{day}.pdf"', "Content-Security-Policy": SANDBOX}
        return Response(body, 200, {**PRIVATE_FILE, **named}, PDF_TYPE)

    def is_allowed(service: Service) -> bool:
        return isinstance(_found(request, service, public_id), ProjectVisit)

    if not await request.service.run(is_allowed):  # people without access neither take a slot nor wait for one
        return await request.service.run(lambda service: _for_viewer(request, service, public_id, work))
    return await drawn(request, lambda service: _for_viewer(request, service, public_id, work))


@get("/p/{public_id}/logo.png")
async def get_shared_project_logo(request: Request, public_id: str) -> Response:
    """Return the logo of the project."""

    def work(visit: ProjectVisit) -> Response:
        logo = stored_images.logo_of(visit.service, visit.access.presentation.brand)
        if logo is None:
            raise NotFound
        return Response(logo, 200, {**PRIVATE_FILE, "Content-Security-Policy": SANDBOX}, "image/png")

    return await request.service.run(lambda service: _for_viewer(request, service, public_id, work))


# --- the owner's forms


@post("/p/{public_id}/privacy")
async def post_project_privacy(request: Request, public_id: str) -> Response:
    """Change who may see the page; an empty password keeps the existing one."""

    def work(visit: ProjectVisit) -> Response:
        owner, name = _owner(visit), visit.content.project.name
        try:
            privacy = privacy_of(visit.text("privacy"))
            report_links.set_access(visit.service, owner, visit.access.number, privacy, visit.text("password") or None, of=PROJECTS)
        except NotFound:
            raise
        except RequestError as error:
            form = refused(visit.fields, error, visit.say)
            return project_refused(visit.service, owner, name, visit.say, form, error.status)
        return see_other(f"{project_address(name)}#share")

    return await _from_owner(request, public_id, work)


def _owner(visit: ProjectVisit) -> Caller:
    if visit.owner is None:
        raise NotFound
    return visit.owner


def _edit(visit: ProjectVisit) -> ClientEdit:
    project, report = visit.content.project, visit.content.report
    return ClientEdit(
        service=visit.service,
        caller=_owner(visit),
        say=visit.say,
        zone=zone_of(visit.caller),
        of=PROJECTS,
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


@get("/p/{public_id}/client")
async def get_project_client(request: Request, public_id: str) -> Response:
    """Show the form with texts and choices for the client."""
    return await request.service.run(lambda service: client.client_form(_edit(_owned(request, service, public_id))))


@post("/p/{public_id}/client")
async def post_project_client(request: Request, public_id: str) -> Response:
    """Save texts and choices."""
    return await _from_owner(request, public_id, lambda visit: client.save_client(_edit(visit)), BODY, LISTS)


@get("/p/{public_id}/link")
async def get_project_link(request: Request, public_id: str) -> Response:
    """Show the end of guest access, the listing by search engines, and the renewal of the link."""
    return await request.service.run(lambda service: client.link_form(_edit(_owned(request, service, public_id))))


@post("/p/{public_id}/link")
async def post_project_link(request: Request, public_id: str) -> Response:
    """Save the terms of the link."""
    return await _from_owner(request, public_id, lambda visit: client.save_link(_edit(visit)))


@post("/p/{public_id}/link/new")
async def post_project_new_link(request: Request, public_id: str) -> Response:
    """Replace the link; the old one ends at once."""

    def work(visit: ProjectVisit) -> Response:
        report_links.renew(visit.service, _owner(visit), visit.access.number, of=PROJECTS)
        return see_other(f"{project_address(visit.content.project.name)}#share")

    return await _from_owner(request, public_id, work)
