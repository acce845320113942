"""Pages *For the client* and *Link* of a report, where the owner sets texts and options for people with the link."""

from collections.abc import Mapping, Sequence
from datetime import date, tzinfo
from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct, field, structs
from starlette.responses import Response

from findable.checks.engine import all_checks
from findable.clock import now
from findable.errors import ValidationFailed
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.titles import readable_url
from findable.service.accounts.callers import require_role
from findable.service.reports import history, report_links
from findable.service.reports.owned_reports import Shared
from findable.service.reports.report_links import NOTE_CHARS, PERSON_CHARS, SUMMARY_CHARS, NewClient, TermChanges
from findable.service.reports.shareable import REPORTS, Shareable
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, OWNER, Caller
from findable.service.values.presentation import ClientView, Presentation
from findable.service.values.report_values import RunView
from findable.service_urls import ServiceUrls
from findable.vocabulary import Privacy
from findable.web.auth import refuse_cross_site
from findable.web.bodies import Bounds, Fields, Kinds
from findable.web.pages.report.finding_cards import card
from findable.web.pages.report.run_history import owned_visit, require_still
from findable.web.pages.shared.form_fields import Choice, FormView, rejected_form
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import bar_of
from findable.web.routing import Request, get, post
from findable.wording import Translator, later

BODY = Bounds(512 * 1024, 400)
"""Limits of the form: a note for each check, each of maximum length."""
LISTS = Kinds(lists=frozenset({"sections"}))
_LONGEST_RUN = 9
"""Maximum number of digits."""
MAX_RUNS = 50
SECTION_NAMES: Mapping[str, str] = {
    "search": later("What search engines may do with this page"),
    "fixes": later("Fix first"),
    "outside": later("Search and social previews"),
    "findings": later("Findings, with your notes"),
    "counted": later("What else was checked"),
    "facts": later("Facts"),
    "evidence": later("The saved page for download, if no section is hidden"),
    "structure": later("Structure: depth, folders, segments, templates"),
    "duplicates": later("Duplicates and language versions"),
    "sitemaps": later("Sitemaps and robots.txt"),
    "pages": later("Pages: the list, each page, and tables for download"),
    "changes": later("Changes since the previous crawl"),
    "trend": later("Score and findings over time"),
    "progress": later("New and fixed findings since the last run of each page"),
    "page_list": later("Pages with their scores"),
}


class NotedFinding(Struct, frozen=True):
    """Finding with the owner's note for the client."""

    id: str
    """Id of the check."""
    mark: str
    """Name of the icon."""
    fact: Markup
    note: str


class TextLimits(Struct, frozen=True):
    """Maximum lengths of the texts, in characters."""

    summary: int = SUMMARY_CHARS
    note: int = NOTE_CHARS
    person: int = PERSON_CHARS


class ClientPage(PageContext, frozen=True):
    """Variables of client.html."""

    template: ClassVar[str] = "client.html"
    page: str
    """Path of the share page."""
    name: str
    is_site: bool
    """Whether the report is that of a site."""
    form: FormView
    findings: tuple[NotedFinding, ...]
    """Problems and warnings of the page, and other findings with a note."""
    has_notes: bool
    """Whether there is a note."""
    sections: tuple[Choice, ...]
    runs: tuple[Choice, ...]
    """Older runs that the link can show, newest first."""
    is_pinned: bool
    """Whether the link is pinned to a run."""
    limits: TextLimits
    brand: str
    """URL of the branding settings; empty for members."""
    bar: Bar


class ClientLinkPage(PageContext, frozen=True):
    """Variables of link.html."""

    template: ClassVar[str] = "link.html"
    page: str
    """Path of the share page."""
    address: str
    """URL of the link."""
    name: str
    is_site: bool
    """Whether the report is that of a site."""
    form: FormView
    is_listed: bool
    is_public: bool
    today: str
    """First possible day (ISO 8601)."""
    bar: Bar


class ClientEdit(Struct, frozen=True):
    """Request of the owner for one of these pages of a report, site report or project."""

    service: Service
    caller: Caller
    say: Translator
    zone: tzinfo | None
    target: Shareable[Shared]
    number: int
    """Id of the report or crawl."""
    page: str
    """Path of the share page."""
    address: str
    """URL of the share page."""
    name: str
    """Title or URL of the shared object."""
    project: str
    privacy: Privacy
    presentation: Presentation
    findings: Sequence[ReportedFinding]
    """Findings to write notes for."""
    runs: Sequence[RunView] = ()
    """Runs that the link can show."""
    run: int | None = None
    """Number of the current run."""
    fields: Fields = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return the value of a field; empty if it was not sent."""
        return str(self.fields.get(name) or "")


async def _read_client_edit(request: Request, public_id: str, *, is_form: bool = False) -> ClientEdit:
    """Return the edit that the owner sent. Raises Forbidden for a form of another site, NotFound for anyone but the owner."""
    service = request.service
    headers = request.headers
    if is_form:
        refuse_cross_site(headers, service.settings.base_url)
    edit = await service.run(_edit_of, public_id, headers, request.urls)
    if not is_form:
        return edit
    fields = await request.fields(BODY, LISTS)
    await service.run(require_still, edit.caller, headers)
    return structs.replace(edit, fields=fields)


def _edit_of(service: Service, public_id: str, headers: Mapping[str, str], urls: ServiceUrls) -> ClientEdit:
    visit, caller, report = owned_visit(service, public_id, headers)
    require_role(caller, MEMBER, report.project_id)
    runs = history.runs(service, caller, report.id)
    return ClientEdit(
        service=service,
        caller=caller,
        say=visit.say,
        zone=visit.zone,
        target=REPORTS,
        number=report.id,
        page=f"/r/{report.public_id}",
        address=urls.share_page(report.public_id),
        name=(report.report.facts.page_title if report.report else "") or readable_url(report.url),
        project=report.project,
        privacy=report.privacy,
        presentation=visit.access.presentation,
        findings=report.report.findings if report.report else (),
        runs=tuple(run for run in runs if run.report == report.id and run.engine is not None),
        run=report.run,
    )


# --- for the client ---------------------------------------------------------------------------------------------------


@get("/r/{public_id}/client")
async def get_client(request: Request, public_id: str) -> Response:
    """Show the form with texts and options for the client of a report."""
    edit = await _read_client_edit(request, public_id)
    return await edit.service.run(lambda _: client_form(edit))


@post("/r/{public_id}/client")
async def post_client(request: Request, public_id: str) -> Response:
    """Save the texts and options for the client of a report. Notes on findings that are not in the form do not change."""
    edit = await _read_client_edit(request, public_id, is_form=True)
    return await edit.service.run(lambda _: save_client(edit))


def client_form(edit: ClientEdit) -> Response:
    """Return the form with texts and options for the client (blocking)."""
    client = edit.presentation.client
    values = {"summary": client.summary, "prepared_by": client.prepared_by, "prepared_for": client.prepared_for}
    return page_response(_client_page(edit, client, FormView(values)), edit.say)


def save_client(edit: ClientEdit) -> Response:
    """Save the texts and options for the client, or return the form with its errors (blocking)."""
    parameters = edit.presentation.client
    listed = {name.removeprefix("listed."): "" for name in edit.fields if name.startswith("listed.")}
    notes = {name.removeprefix("note."): edit.text(name) for name in edit.fields if name.startswith("note.")}
    number = edit.text("run")
    run = _run_of(number) if edit.text("link") == "stay" and number.isascii() and number.isdigit() else None
    new = NewClient(
        summary=edit.text("summary"),
        notes={**{check: note for check, note in parameters.notes.items() if check in all_checks()}, **listed, **notes},
        sections=edit.fields.get("sections", ()),
        prepared_by=edit.text("prepared_by"),
        prepared_for=edit.text("prepared_for"),
        run=run,
    )
    try:
        report_links.write(edit.service, edit.caller, edit.number, new, target=edit.target)
    except ValidationFailed as error:
        shown = ClientView("", dict(new.notes), tuple(new.sections), "", "", run)
        form = rejected_form(edit.fields, error, edit.say)
        return page_response(_client_page(edit, shown, form), edit.say, status=error.status)
    return see_other(edit.page)


def _run_of(number: str) -> int:
    """Parse the number of a run; 0, which no run has, if it has too many digits."""
    return int(number) if len(number) <= _LONGEST_RUN else 0


def _client_page(edit: ClientEdit, client: ClientView, form: FormView) -> ClientPage:
    say = edit.say
    noted = _noted_findings(edit, client, say)
    return ClientPage(
        page=edit.page,
        name=edit.name,
        is_site=edit.target is not REPORTS,
        form=form,
        findings=noted,
        has_notes=any(one.note for one in noted),
        sections=tuple(Choice(name, say(SECTION_NAMES[name]), is_chosen=client.shows(name)) for name in edit.target.sections),
        runs=_runs(edit, client, say),
        is_pinned=client.run is not None,
        limits=TextLimits(),
        brand=f"{project_url(edit.project)}/settings#brand" if edit.caller.role == OWNER else "",
        bar=bar_of(edit.caller),
    )


def _noted_findings(edit: ClientEdit, client: ClientView, say: Translator) -> tuple[NotedFinding, ...]:
    wanted = [one for one in edit.findings if one.has_problem or client.notes.get(one.id)]
    wanted.sort(key=lambda one: (one.verdict not in AGAINST, -one.lost, one.id))
    first = {one.id: one for one in reversed(wanted)}  # a site has one finding per cause, but one note per check
    cards = (card(one, say, names=True, note=client.notes.get(one.id, "")) for one in wanted if first[one.id] is one)
    return tuple(NotedFinding(one.id, one.mark, one.fact, one.note) for one in cards)


def _runs(edit: ClientEdit, client: ClientView, say: Translator) -> tuple[Choice, ...]:
    made = []
    for run in edit.runs[:MAX_RUNS]:
        when = say.moment(run.finished_at, edit.zone) if run.finished_at else ""
        words = say("Run %(number)s, %(moment)s", number=run.run, moment=when)
        made.append(Choice(str(run.run), words, is_chosen=run.run == (client.run or edit.run)))
    if client.run is not None and not any(one.is_chosen for one in made):  # the run is older than the listed runs
        made.append(Choice(str(client.run), say("Run %(number)s", number=client.run), is_chosen=True))
    return tuple(made)


# --- the link ---------------------------------------------------------------------------------------------------------


@get("/r/{public_id}/link")
async def get_link(request: Request, public_id: str) -> Response:
    """Show the forms for the expiry, indexing and replacement of a report's link."""
    return link_form(await _read_client_edit(request, public_id))


@post("/r/{public_id}/link")
async def post_link(request: Request, public_id: str) -> Response:
    """Save expiry and indexing of a report's link."""
    edit = await _read_client_edit(request, public_id, is_form=True)
    return await edit.service.run(lambda _: save_link(edit))


def link_form(edit: ClientEdit) -> Response:
    """Return the form for expiry and indexing of the link."""
    terms = edit.presentation
    last = terms.last_day.isoformat() if terms.last_day else ""
    return page_response(_link_page(edit, FormView({"until": last}), is_listed=terms.is_listed), edit.say)


def save_link(edit: ClientEdit) -> Response:
    """Save expiry and indexing of the link, or return the form with its errors (blocking)."""
    is_listed = edit.text("listed") == "1"
    try:
        terms = TermChanges(day_of(edit.text("until")), is_listed)
        report_links.set_terms(edit.service, edit.caller, edit.number, terms, target=edit.target)
    except ValidationFailed as error:
        shown = _link_page(edit, rejected_form(edit.fields, error, edit.say), is_listed=is_listed)
        return page_response(shown, edit.say, status=error.status)
    return see_other(f"{edit.page}#share")


def day_of(text: str) -> date | None:
    """Parse the date in the field ``until``; None if it is empty. Raises ValidationFailed."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise ValidationFailed({"until": [later("The until field must be a date like 2027-01-31.")]}) from error


def _link_page(edit: ClientEdit, form: FormView, *, is_listed: bool) -> ClientLinkPage:
    return ClientLinkPage(
        page=edit.page,
        address=edit.address,
        name=edit.name,
        is_site=edit.target is not REPORTS,
        form=form,
        is_listed=is_listed,
        is_public=edit.privacy is Privacy.PUBLIC,
        today=now().date().isoformat(),
        bar=bar_of(edit.caller),
    )


@post("/r/{public_id}/link/new")
async def post_new_link(request: Request, public_id: str) -> Response:
    """Replace the link of a report; the old one becomes invalid immediately."""
    edit = await _read_client_edit(request, public_id, is_form=True)
    link = await edit.service.run(report_links.renew, edit.caller, edit.number)
    return see_other(f"/r/{link.public_id}#share")
