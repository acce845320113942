"""Sharing of a result by its link: its password, and the owner's forms for access, texts and options for the client, and the link."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from findable.checks.engine import all_checks
from findable.clock import now
from findable.errors import BadRequest, RateLimited, RequestError, ValidationFailed, require_found
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.service.accounts.permissions import require_role
from findable.service.projects import issue_trackers, projects
from findable.service.projects.project_summary import FIGURES, suggested_template
from findable.service.reports import stored_images
from findable.service.results import client_texts, share_links, unlocking
from findable.service.results.share_links import TermChanges
from findable.service.values.caller import MEMBER, OWNER, Caller
from findable.service.values.presentation import ClientView, Presentation
from findable.service.values.project_values import ProjectView
from findable.vocabulary import Privacy
from findable.web.auth import set_cookie
from findable.web.bodies import Bounds, Kinds
from findable.web.pages.result.finding_cards import Card, card
from findable.web.pages.result.findings_table import FindingsTable
from findable.web.pages.result.fix_page import fix_url
from findable.web.pages.result.link_pages import (
    NOT_PUBLIC,
    LinkPageContext,
    LinkPages,
    LinkVisit,
    SharedView,
    UnlockPage,
    VisitT,
    requested_language,
)
from findable.web.pages.result.presentation import PRIVACIES, SearchListing
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.pages.shared.form_fields import Choice, FormView, problem_of, rejected_form
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.verdict_notice import VerdictNotice
from findable.web.pages.shared.viewer import bar_of, client_ip_address, wording_of
from findable.web.path_parts import without_nul
from findable.web.problems import error_headers
from findable.web.query_strings import url_with, whole_number
from findable.web.routing import Endpoint, Request
from findable.wording import Translator, later, wording

AnyVisit = LinkVisit[Any]
BODY = Bounds(512 * 1024, 400)
"""Limits of the form: a note for each check, each of maximum length."""
LISTS = Kinds(lists=frozenset({"sections"}))
MAX_RUNS = 50
NO_FORM = FormView()
PRIVACY = "privacy"
"""Place of the form for the access on the page."""
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
    "progress": later("New and fixed findings since the result before"),
    "page_list": later("Pages with their scores"),
    "bots": later("Requests of bots in access logs"),
}
_KINDS = {"": later("SEO report"), "site": later("Site report"), "project": later("Project report")}


class SharingPageContext(PageContext, frozen=True, kw_only=True):
    """Variables of the pages with the forms for what guests see."""

    visit: AnyVisit
    kind: str
    """Words for the kind of report."""
    form: FormView
    bar: Bar


class ClientPage(SharingPageContext, frozen=True, kw_only=True):
    """Variables of client.html."""

    findings: tuple[Card, ...]
    """Problems and warnings of the page, and other findings with a note."""
    sections: tuple[Choice, ...]
    figures: tuple[tuple[str, str, str], ...]
    """Figures that the summary may contain: name, words and present value; empty for reports."""
    runs: tuple[Choice, ...]
    """Older runs that the link can show, newest first."""
    is_pinned: bool
    """Whether the link is pinned to a run."""
    brand: str
    """URL of the branding settings; empty for members."""


class ClientLinkPage(SharingPageContext, frozen=True, kw_only=True):
    """Variables of client_link.html."""

    is_listed: bool
    today: str
    """First possible day (ISO 8601)."""


class LinkForms(Struct, frozen=True):
    """State of the forms for the link of a result."""

    page: str
    """Path of the share page, whose sub-paths are the forms."""
    absolute: str
    """URL of the share page, to copy."""
    privacy: int
    privacy_words: str
    has_password: bool
    presentation: Presentation
    form: FormView
    """Rejected form for the access; empty without one."""

    @property
    def has_ended(self) -> bool:
        """Whether guests no longer have access."""
        return self.presentation.expires_at is not None and self.presentation.expires_at <= now()


class ResultPage(LinkPageContext, frozen=True, kw_only=True):
    """Template variables of the page of a result, whatever its subject."""

    title: str
    """Title of the document."""
    preview: str
    """Title for link previews; reveals nothing about a report that is not public."""
    listing: SearchListing | None
    """Metadata for search engines; None if they may not index the page."""
    notice: VerdictNotice | None
    """Verdict in search, if it needs words; None for readers who do not see that section."""
    findings: FindingsTable | None
    """Table of findings; None before there are any."""
    files: bool
    """Whether there is a result to export."""


class ResultOwner(Struct, frozen=True, kw_only=True):
    """Content of the page of a result for its owner only."""

    link: LinkForms
    form: FormView = NO_FORM
    """Rejected form; empty without one."""
    place: str = ""
    """Key of the finding, or PRIVACY, that the rejected form is about; empty for another form."""
    site: ProjectView
    """Project of the result."""
    tracker: str = ""
    """Name of the tracker for issues about findings; empty for none."""
    fix_url: Callable[[str], str] | None = None
    """Returns the URL of the page for the person who fixes the finding of a check; None without one."""

    @property
    def project_href(self) -> str:
        """Path of the project's page."""
        return project_url(self.site.name)


def link_forms(shared: SharedView, presentation: Presentation, address: str, say: Translator, form: FormView = NO_FORM) -> LinkForms:
    """Return the state of the forms for the link; ``address`` is the URL of the share page."""
    path = f"/{'/'.join(address.rsplit('/', 2)[1:])}"
    return LinkForms(path, address, shared.privacy.value, say(PRIVACIES[shared.privacy]), shared.has_password, presentation, form)


def owner_fields(visit: AnyVisit, form: FormView, place: str) -> dict[str, Any]:
    """Return the fields of a `ResultOwner` (blocking)."""
    shared, owner = visit.shared, visit.require_owner()
    link = link_forms(shared, visit.presentation, visit.address, visit.say, form if place == PRIVACY else NO_FORM)
    return {
        "link": link,
        "form": form,
        "place": place,
        "site": projects.get(visit.service, owner, str(shared.project_id)),
        "fix_url": partial(fix_url, visit.service, visit.target, visit.at.base_url, f"/{visit.path.split('/')[1]}/", shared.public_id),
        "tracker": issue_trackers.tracker_name(visit.service, owner, shared.project_id),
    }


def sharing_forms(pages: LinkPages[VisitT], show_again: Callable[[VisitT, RequestError], Response]) -> tuple[Endpoint, ...]:
    """Declare the form for the password of one kind of shared object, its owner's forms for what guests see, and its images.

    ``show_again`` returns the page with the form for the access, with its errors (blocking).
    """
    return (
        Endpoint("POST", (f"{pages.prefix}{{public_id}}",), partial(_unlock, pages)),
        pages.viewer_page("/logo.png")(_logo),
        pages.viewer_page("/site-icon.png")(_site_icon),
        pages.owner_form("/privacy", again=show_again)(_save_access),
        pages.owner_page("/client")(_client_form),
        pages.owner_form("/client", BODY, LISTS)(_save_client),
        pages.owner_page("/link")(_link_form),
        pages.owner_form("/link")(_save_link),
        pages.owner_form("/link/new")(_renew_link),
    )


async def _unlock(pages: LinkPages[VisitT], request: Request, public_id: str) -> Response:
    """Check the password and redirect to the page, or show the form again."""
    service, password = request.service, str((await request.form_fields()).get("password", ""))
    language = requested_language(request)
    say = wording(language) if language else wording_of(request.headers)
    network = client_ip_address(request, service)
    try:
        found = await service.run(unlocking.unlock, pages.target, without_nul(public_id), password, network)
    except RateLimited as error:
        told = {**NOT_PUBLIC, **error_headers(error)}
        return page_response(UnlockPage(problem_of(error, say)), say, status=error.status, headers=told)
    if found is None:
        return page_response(UnlockPage(say("The password is wrong.")), say, status=403, headers=NOT_PUBLIC)
    cookie = set_cookie(found.cookie_name, found.token, found.max_age_s, secure=found.secure)
    return see_other(url_with(f"{pages.prefix}{public_id}", {"language": language}), [cookie])


def _logo(visit: AnyVisit) -> Response:
    """Return the image file of the project's logo."""
    return _image(visit, stored_images.image_of(visit.service, visit.presentation.brand.logo))


def _site_icon(visit: AnyVisit) -> Response:
    """Return the image file of the site's icon."""
    return _image(visit, stored_images.image_of(visit.service, visit.presentation.icon))


def _image(visit: AnyVisit, data: bytes | None) -> Response:
    found = require_found(data)
    return visit.response(lambda: found, "image/png", {"Content-Security-Policy": SANDBOX}, f"-{stored_images.name_of(found)}")


def _save_access(visit: AnyVisit) -> Response:
    """Change who may see it; an empty password field does not change the password."""
    owner, privacy = visit.require_owner(), privacy_of(visit.text("privacy"))
    share_links.set_access(visit.service, owner, visit.target, visit.shared.id, privacy, visit.text("password") or None)
    return see_other(visit.manage_url(visit.shared.public_id, "access"))


def privacy_of(text: str) -> Privacy:
    """Parse the privacy in a form field. Raises BadRequest if the form does not offer it."""
    if text not in {str(choice.value) for choice in Privacy}:
        raise BadRequest("The privacy is not one of the choices.")
    return Privacy(int(text))


def _require_member(visit: AnyVisit) -> Caller:
    """Return the signed-in owner, who may change what guests see. Raises Forbidden, NotFound."""
    owner = visit.require_owner()
    require_role(owner, MEMBER, visit.shared.project_id)
    return owner


def _sharing_fields(visit: AnyVisit, form: FormView) -> dict[str, Any]:
    """Return the fields of a `SharingPageContext`."""
    return {"visit": visit, "kind": visit.say(_KINDS[visit.kind]), "form": form, "bar": bar_of(visit.caller)}


# --- for the client ---------------------------------------------------------------------------------------------------


def _client_form(visit: AnyVisit) -> Response:
    """Show the form with texts and options for the client."""
    _require_member(visit)
    client, figures = visit.access.presentation.client, visit.figures
    summary = client.summary or (suggested_template(figures, visit.file_say) if figures else "")
    values = {"summary": summary, "prepared_by": client.prepared_by, "prepared_for": client.prepared_for}
    return page_response(_client_page(visit, client, FormView(values)), visit.say)


def _save_client(visit: AnyVisit) -> Response:
    """Save the texts and options for the client. Notes on findings that are not in the form do not change."""
    owner = _require_member(visit)
    listed = {name.removeprefix("listed."): "" for name in visit.fields if name.startswith("listed.")}
    notes = {name.removeprefix("note."): visit.text(name) for name in visit.fields if name.startswith("note.")}
    sent = visit.text("run") if visit.text("link") == "stay" else ""
    run = (whole_number(sent) or 0) if sent else None  # no run has the number 0
    new = ClientView(
        summary=visit.text("summary"),
        notes={**{check: note for check, note in visit.presentation.client.notes.items() if check in all_checks()}, **listed, **notes},
        sections=tuple(visit.fields.get("sections", ())),
        prepared_by=visit.text("prepared_by"),
        prepared_for=visit.text("prepared_for"),
        run=run,
    )
    try:
        client_texts.write(visit.service, owner, visit.target, visit.shared.id, new)
    except ValidationFailed as error:
        form = rejected_form(visit.fields, error, visit.say)
        return page_response(_client_page(visit, new, form), visit.say, status=error.status)
    return see_other(visit.path)


def _client_page(visit: AnyVisit, client: ClientView, form: FormView) -> ClientPage:
    say = visit.say
    return ClientPage(
        **_sharing_fields(visit, form),
        findings=_noted_findings(visit.noted_findings, client, say),
        sections=tuple(Choice(name, say(SECTION_NAMES[name]), is_chosen=client.shows(name)) for name in visit.target.sections),
        figures=tuple((name, visit.say(FIGURES[name]), value or "–") for name, value in visit.figures.items()),
        runs=_runs(visit, client),
        is_pinned=client.run is not None,
        brand=f"{project_url(visit.shared.project)}/settings#brand" if visit.require_owner().role == OWNER else "",
    )


def _noted_findings(findings: Sequence[ReportedFinding], client: ClientView, say: Translator) -> tuple[Card, ...]:
    wanted = [one for one in findings if one.has_problem or client.notes.get(one.id)]
    wanted.sort(key=lambda one: (one.verdict not in AGAINST, -one.lost, one.id))
    first = {one.id: one for one in reversed(wanted)}  # a site has one finding per cause, but one note per check
    return tuple(card(one, say, names=True, note=client.notes.get(one.id, "")) for one in wanted if first[one.id] is one)


def _runs(visit: AnyVisit, client: ClientView) -> tuple[Choice, ...]:
    made, say = [], visit.say
    for run in visit.runs[:MAX_RUNS]:
        when = say.moment(run.finished_at, visit.zone) if run.finished_at else ""
        words = say("Run %(number)s, %(moment)s", number=run.run, moment=when)
        made.append(Choice(str(run.run), words, is_chosen=run.run == (client.run or visit.run)))
    if client.run is not None and not any(one.is_chosen for one in made):  # the run is older than the listed runs
        made.append(Choice(str(client.run), say("Run %(number)s", number=client.run), is_chosen=True))
    return tuple(made)


# --- the link ---------------------------------------------------------------------------------------------------------


def _link_form(visit: AnyVisit) -> Response:
    """Show the forms for the expiry, indexing and replacement of the link."""
    _require_member(visit)
    terms = visit.presentation
    last = terms.last_day.isoformat() if terms.last_day else ""
    return page_response(_link_page(visit, FormView({"until": last}), is_listed=terms.is_listed), visit.say)


def _save_link(visit: AnyVisit) -> Response:
    """Save expiry and indexing of the link, or show the form with its errors."""
    owner, is_listed = _require_member(visit), visit.text("listed") == "1"
    try:
        terms = TermChanges(day_of(visit.text("until")), is_listed)
        share_links.set_terms(visit.service, owner, visit.target, visit.shared.id, terms)
    except ValidationFailed as error:
        shown = _link_page(visit, rejected_form(visit.fields, error, visit.say), is_listed=is_listed)
        return page_response(shown, visit.say, status=error.status)
    return see_other(visit.manage_url(visit.shared.public_id))


def day_of(text: str) -> date | None:
    """Parse the date in the field ``until``; None if it is empty. Raises ValidationFailed."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise ValidationFailed({"until": [later("The until field must be a date like 2027-01-31.")]}) from error


def _link_page(visit: AnyVisit, form: FormView, *, is_listed: bool) -> ClientLinkPage:
    return ClientLinkPage(
        **_sharing_fields(visit, form),
        is_listed=is_listed,
        today=now().date().isoformat(),
    )


def _renew_link(visit: AnyVisit) -> Response:
    """Replace the link; the old one becomes invalid immediately."""
    link = share_links.renew(visit.service, visit.require_owner(), visit.target, visit.shared.id)
    return see_other(visit.manage_url(link.public_id))
