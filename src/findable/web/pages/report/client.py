"""Pages *For the client* and *Link*, where the owner writes texts and makes choices for people with the link."""

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct, field
from starlette.responses import Response

from findable.checks.engine import all_checks
from findable.clock import now
from findable.errors import ValidationFailed
from findable.reports.reported_finding import AGAINST
from findable.reports.titles import readable_url
from findable.service.accounts.callers import OWNER
from findable.service.reports import history, report_links
from findable.service.reports.report_links import NOTE_CHARS, PERSON_CHARS, SUMMARY_CHARS, NewClient, TermChanges
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.presentation import SECTIONS, ClientView
from findable.service.values.report_values import ReportView
from findable.vocabulary import Privacy
from findable.web.auth import refuse_cross_site
from findable.web.bodies import Bounds, Fields, Kinds
from findable.web.pages.report.finding_cards import card
from findable.web.pages.report.run_history import owned, require_still
from findable.web.pages.report.share import Visit
from findable.web.pages.shared.form_fields import Choice, FormView, refused
from findable.web.pages.shared.lines import project_address
from findable.web.pages.shared.page_templates import PageContext, html, see_other, shown_bytes
from findable.web.pages.shared.viewer import Bar, bar_of
from findable.web.routing import Request, get, post
from findable.web.service_urls import ServiceUrls
from findable.wording import Wording, later

BODY = Bounds(512 * 1024, 400)
"""Limits of the form: a note for each check, each of maximum length."""
LISTS = Kinds(lists=frozenset({"sections"}))
_LONGEST_RUN = 9
"""Maximum number of digits."""
MOST_RUNS = 50
SECTION_NAMES: Mapping[str, str] = {
    "search": later("What search engines may do with this page"),
    "fixes": later("Fix first"),
    "outside": later("Search and social previews"),
    "findings": later("Findings, with your notes"),
    "counted": later("What else was checked"),
    "facts": later("Facts"),
    "evidence": later("The saved page for download, where nothing else is hidden"),
}


class NotedFinding(Struct, frozen=True):
    """Finding with its note."""

    id: str
    """Id of the check."""
    mark: str
    """Name of the sign."""
    fact: Markup
    note: str


class TextLimits(Struct, frozen=True):
    """Maximum lengths of the texts, in characters."""

    summary: int = SUMMARY_CHARS
    note: int = NOTE_CHARS
    person: int = PERSON_CHARS


class ClientPage(PageContext, frozen=True):
    """The variables of client.html."""

    template: ClassVar[str] = "client.html"
    page: str
    """Path of the share page."""
    name: str
    form: FormView
    findings: tuple[NotedFinding, ...]
    """Problems and warnings of the page, and other findings with a note."""
    has_notes: bool
    """Whether there is a note."""
    sections: tuple[Choice, ...]
    runs: tuple[Choice, ...]
    """Older runs that the link can show, newest first."""
    stays: bool
    """Whether the link shows a fixed run."""
    most: TextLimits
    brand: str
    """URL of the branding settings; empty for members."""
    bar: Bar


class ClientLinkPage(PageContext, frozen=True):
    """The variables of link.html."""

    template: ClassVar[str] = "link.html"
    page: str
    """Path of the share page."""
    address: str
    """The link."""
    name: str
    form: FormView
    is_listed: bool
    is_public: bool
    today: str
    """First possible day, ISO."""
    bar: Bar


class ClientEdit(Struct, frozen=True):
    """Owner on one of these pages."""

    service: Service
    visit: Visit
    caller: Caller
    report: ReportView
    at: ServiceUrls
    fields: Fields = field(default_factory=dict)

    @property
    def page(self) -> str:
        """Path of the share page."""
        return f"/r/{self.report.public_id}"

    @property
    def name(self) -> str:
        """Title or URL of the reported page."""
        return (self.report.report.facts.page_title if self.report.report else "") or readable_url(self.report.url)

    def text(self, name: str) -> str:
        """Return the value of a field; empty if it was not sent."""
        return str(self.fields.get(name) or "")


async def _edited(request: Request, public_id: str, *, is_form: bool = False) -> ClientEdit:
    """Return the owner's request. Raises Forbidden for a form of another site, NotFound for anyone but the owner."""
    service = request.service
    headers = request.headers
    if is_form:
        refuse_cross_site(headers, service.settings.base_url)
    visit, caller, report = await service.run(owned, public_id, headers)
    fields: Fields = {}
    if is_form:
        fields = await request.fields(BODY, LISTS)
        await service.run(require_still, caller, headers)
    return ClientEdit(service, visit, caller, report, request.urls, fields)


def _shown(edited: ClientEdit, shown: PageContext, status: int = 200) -> Response:
    return html(shown_bytes(shown, edited.visit.say), status)


# --- for the client ---------------------------------------------------------------------------------------------------


@get("/r/{public_id}/client")
async def get_client(request: Request, public_id: str) -> Response:
    """Show the form with texts and choices."""
    edited = await _edited(request, public_id)
    client = edited.visit.shared.presentation.client
    values = {"summary": client.summary, "prepared_by": client.prepared_by, "prepared_for": client.prepared_for}
    return _shown(edited, await edited.service.run(_client_page, edited, client, FormView(values)))


@post("/r/{public_id}/client")
async def post_client(request: Request, public_id: str) -> Response:
    """Save texts and choices. Notes on findings that the form did not show stay."""
    edited = await _edited(request, public_id, is_form=True)
    kept = edited.visit.shared.presentation.client
    listed = {name.removeprefix("listed."): "" for name in edited.fields if name.startswith("listed.")}
    notes = {name.removeprefix("note."): edited.text(name) for name in edited.fields if name.startswith("note.")}
    number = edited.text("run")
    run = _run_of(number) if edited.text("link") == "stay" and number.isascii() and number.isdigit() else None
    new = NewClient(
        summary=edited.text("summary"),
        notes={**{check: note for check, note in kept.notes.items() if check in all_checks()}, **listed, **notes},
        sections=edited.fields.get("sections", ()),
        prepared_by=edited.text("prepared_by"),
        prepared_for=edited.text("prepared_for"),
        run=run,
    )
    try:
        await edited.service.run(report_links.write, edited.caller, edited.report.id, new)
    except ValidationFailed as error:
        shown = ClientView("", dict(new.notes), tuple(new.sections), "", "", run)
        form = refused(edited.fields, error, edited.visit.say)
        return _shown(edited, await edited.service.run(_client_page, edited, shown, form), error.status)
    return see_other(edited.page)


def _run_of(number: str) -> int:
    """Return the number of a run; 0, which no run has, for one with too many digits."""
    return int(number) if len(number) <= _LONGEST_RUN else 0


def _client_page(service: Service, edited: ClientEdit, client: ClientView, form: FormView) -> ClientPage:
    """Return the page (blocking)."""
    say = edited.visit.say
    runs = _runs(service, edited, client, say)
    noted = _noted(edited, client, say)
    return ClientPage(
        page=edited.page,
        name=edited.name,
        form=form,
        findings=noted,
        has_notes=any(one.note for one in noted),
        sections=tuple(Choice(name, say(SECTION_NAMES[name]), is_chosen=client.shows(name)) for name in SECTIONS),
        runs=runs,
        stays=client.run is not None,
        most=TextLimits(),
        brand=f"{project_address(edited.report.project)}/settings#brand" if edited.caller.role == OWNER else "",
        bar=bar_of(edited.caller),
    )


def _noted(edited: ClientEdit, client: ClientView, say: Wording) -> tuple[NotedFinding, ...]:
    if edited.report.report is None:
        return ()
    wanted = [one for one in edited.report.report.findings if one.is_against or client.notes.get(one.id)]
    wanted.sort(key=lambda one: (one.verdict not in AGAINST, -one.lost, one.id))
    cards = (card(one, say, names=True, note=client.notes.get(one.id, "")) for one in wanted)
    return tuple(NotedFinding(one.id, one.mark, one.fact, one.note) for one in cards)


def _runs(service: Service, edited: ClientEdit, client: ClientView, say: Wording) -> tuple[Choice, ...]:
    mine = (run for run in history.runs(service, edited.caller, edited.report.id) if run.report == edited.report.id)
    rated = [run for run in mine if run.engine is not None][:MOST_RUNS]
    made = []
    for run in rated:
        when = say.moment(run.finished_at, edited.visit.zone) if run.finished_at else ""
        words = say("Run %(number)s, %(moment)s", number=run.run, moment=when)
        made.append(Choice(str(run.run), words, is_chosen=run.run == (client.run or edited.report.run)))
    if client.run is not None and not any(one.is_chosen for one in made):  # older than the listed runs
        made.append(Choice(str(client.run), say("Run %(number)s", number=client.run), is_chosen=True))
    return tuple(made)


# --- the link ---------------------------------------------------------------------------------------------------------


@get("/r/{public_id}/link")
async def get_link(request: Request, public_id: str) -> Response:
    """Show the end of guest access, the listing by search engines, and the renewal of the link."""
    edited = await _edited(request, public_id)
    terms = edited.visit.shared.presentation
    last = terms.last_day.isoformat() if terms.last_day else ""
    return _shown(edited, _link_page(edited, FormView({"until": last}), is_listed=terms.is_listed))


@post("/r/{public_id}/link")
async def post_link(request: Request, public_id: str) -> Response:
    """Save the terms."""
    edited = await _edited(request, public_id, is_form=True)
    is_listed = edited.text("listed") == "1"
    try:
        terms = TermChanges(_day(edited.text("until")), is_listed)
        await edited.service.run(report_links.set_terms, edited.caller, edited.report.id, terms)
    except ValidationFailed as error:
        shown = _link_page(edited, refused(edited.fields, error, edited.visit.say), is_listed=is_listed)
        return _shown(edited, shown, error.status)
    return see_other(f"{edited.page}#share")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise ValidationFailed({"until": [later("The until field must be a date like 2027-01-31.")]}) from error


def _link_page(edited: ClientEdit, form: FormView, *, is_listed: bool) -> ClientLinkPage:
    return ClientLinkPage(
        page=edited.page,
        address=edited.at.share_page(edited.report.public_id),
        name=edited.name,
        form=form,
        is_listed=is_listed,
        is_public=edited.report.privacy is Privacy.PUBLIC,
        today=now().date().isoformat(),
        bar=bar_of(edited.caller),
    )


@post("/r/{public_id}/link/new")
async def post_new_link(request: Request, public_id: str) -> Response:
    """Replace the link; the old one ends at once."""
    edited = await _edited(request, public_id, is_form=True)
    link = await edited.service.run(report_links.renew, edited.caller, edited.report.id)
    return see_other(f"/r/{link.public_id}#share")
