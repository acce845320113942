"""Settings of a project: branding, identity for its site, URLs that are not meant for search, deletion."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from msgspec import UNSET, Struct, field, structs
from starlette.responses import Response

from findable.errors import Forbidden, ValidationFailed
from findable.reports.messages import format_bytes
from findable.service.accounts.callers import require_role
from findable.service.projects import issue_trackers, projects, report_defaults
from findable.service.values.caller import OWNER
from findable.service.values.project_values import (
    BrowserOptionsChanges,
    IdentityChanges,
    IdentityView,
    ProjectChanges,
    ProjectView,
    RetentionChanges,
    TrackerChanges,
)
from findable.web.bodies import ORDINARY, WITH_IMAGE, Bounds
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.pages.shared.browser_choices import project_browser_choices
from findable.web.pages.shared.form_fields import Choice, FormView, refused
from findable.web.pages.shared.lines import project_address, project_name
from findable.web.pages.shared.look_form import LOGO, LookForm, brand_values, look_form, sent_brand
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, from_person, person_form, person_page, signed_in
from findable.web.path_parts import without_nul
from findable.web.routing import Request, get, post
from findable.wording import later

DONE = {
    "patterns": later("The URLs that are not meant for search were saved."),
    "segments": later("The segments were saved. They apply to later crawls, and to earlier ones once those are rescored."),
    "extractors": later("The extractors were saved. They apply to later crawls, and to earlier ones once those are rescored."),
    "browser": later("The browser settings were saved. They apply to later reports and crawls."),
    "tracker": later("The issue tracker was saved."),
    "retention": later("The retention was saved. Older data is deleted within a day."),
    "brand": later("Look and access of the reports were saved."),
    "sign-in": later("The credentials were saved. Run a report again to see whether the site accepts them."),
}
SAVED_HINT = later("At most %(days)s. The responses of the last two crawls are always stored.")
MAX_DIGITS = 9


class SettingsForms(Struct, frozen=True):
    """Forms of the page, with errors of the submitted one."""

    patterns: FormView
    brand: FormView
    identity: FormView = field(default_factory=FormView)
    segments: FormView = field(default_factory=FormView)
    extractors: FormView = field(default_factory=FormView)
    browser: FormView = field(default_factory=FormView)
    retention: FormView = field(default_factory=FormView)
    tracker: FormView = field(default_factory=FormView)


class SettingsPage(PageContext, frozen=True):
    """Variables of project_settings.html."""

    template: ClassVar[str] = "project_settings.html"
    bar: Bar
    href: str
    """URL of the project's page."""
    name: str
    confirmation: str
    """Confirmation of the last change; empty without one."""
    forms: SettingsForms
    look: LookForm
    identity: IdentityView | None
    """Parts of the identity that are set."""
    headers: str
    """Names of the headers in the identity."""
    saved_hint: str
    """Days for which the service keeps saved pages, in words."""
    browser_choices: tuple[Choice, ...]
    """Browser modes to choose from."""
    size: str
    """Disk space of the project."""
    trackers: Mapping[str, str]
    """Names of issue trackers by their value."""


class DeleteProjectPage(PageContext, frozen=True):
    """Variables of project_delete.html."""

    template: ClassVar[str] = "project_delete.html"
    bar: Bar
    href: str
    name: str
    reports: str
    form: FormView


@person_page("/projects/{project}/settings")
def get_settings(signed_in_request: SignedInRequest, project: str) -> Response:
    """Show the settings; for owners only."""
    view = projects.get(signed_in_request.service, signed_in_request.caller, without_nul(project))
    require_role(signed_in_request.caller, OWNER, view.id)
    return _settings(signed_in_request, view)


def _settings(signed_in_request: SignedInRequest, view: ProjectView, forms: SettingsForms | None = None, status: int = 200) -> Response:
    say = signed_in_request.say
    at = project_address(view.name)
    names = view.identity.header_names if view.identity else ()
    is_new, forms = forms is None, forms or _forms(view)
    account = report_defaults.inherited(signed_in_request.service, signed_in_request.caller, view.id)
    shown = SettingsPage(
        bar=bar_of(signed_in_request.caller, "projects"),
        href=at,
        name=project_name(view.name),
        confirmation=say(DONE[signed_in_request.query["done"]]) if is_new and signed_in_request.query.get("done") in DONE else "",
        forms=forms,
        look=look_form(view, account, forms.brand, f"{at}/logo.png", say),
        identity=view.identity,
        headers=", ".join(names),
        saved_hint=say(SAVED_HINT, days=signed_in_request.service.settings.saved_page_days),
        browser_choices=project_browser_choices(say, forms.browser.values.get("browser", ""), account.browser),
        size=format_bytes(view.size.total_bytes, say),
        trackers={kind.value: name for kind, name in issue_trackers.TRACKERS.items()},
    )
    return page_response(shown, say, status=status)


def _forms(view: ProjectView) -> SettingsForms:
    segments = "\n".join(f"{segment.name}: {' '.join(segment.patterns)}" for segment in view.segments)
    patterns = FormView({"not_for_search": "\n".join(view.not_for_search)})
    extractors = FormView({"extractors": "\n".join(f"{extractor.name}: {extractor.rule}" for extractor in view.extractors)})
    options = view.browser_options
    checked = {name: "1" if getattr(options, name) else "" for name in ("dismiss_consent", "without_blocked")}
    typed = {"wait_for": options.wait_for, "blocked_hosts": "\n".join(options.blocked_hosts)}
    browser = FormView({"browser": view.browser or "", **checked, **typed})
    days = {"all_days": view.retention.all_days, "weekly_days": view.retention.weekly_days, "saved_days": view.saved_days}
    retention = FormView({name: str(number) for name, number in days.items()})
    return SettingsForms(
        patterns,
        brand_values(view),
        segments=FormView({"segments": segments}),
        extractors=extractors,
        browser=browser,
        retention=retention,
        tracker=FormView({"kind": view.tracker.kind.value, "url": view.tracker.url}) if view.tracker else FormView(),
    )


Read = Callable[[SignedInRequest], ProjectChanges]


async def _save_part(
    request: Request,
    project: str,
    part: str,
    changes: Read,
    form_with_errors: Callable[[FormView, SettingsForms], SettingsForms],
    bounds: Bounds = ORDINARY,
) -> Response:
    """Save a part of the settings; errors are shown beside their fields. ``form_with_errors`` returns the submitted form."""

    def save(signed_in_request: SignedInRequest) -> Response:
        name = without_nul(project)
        try:
            view = projects.update(signed_in_request.service, signed_in_request.caller, name, changes(signed_in_request))
        except ValidationFailed as error:
            view = projects.get(signed_in_request.service, signed_in_request.caller, name)
            return _settings(
                signed_in_request,
                view,
                form_with_errors(refused(signed_in_request.fields, error, signed_in_request.say), _forms(view)),
                error.status,
            )
        return see_other(f"{project_address(view.name)}/settings?done={part}#{part}")

    return await from_person(request, save, bounds, LOGO)


@post("/projects/{project}/settings/patterns")
async def post_patterns(request: Request, project: str) -> Response:
    """Save the URL patterns that are not meant for search, one per line."""

    def form_with_errors(form: FormView, forms: SettingsForms) -> SettingsForms:
        return structs.replace(forms, patterns=form)

    return await _save_part(
        request,
        project,
        "patterns",
        lambda signed_in_request: ProjectChanges(not_for_search=signed_in_request.text("not_for_search").splitlines()),
        form_with_errors,
    )


@post("/projects/{project}/settings/segments")
async def post_segments(request: Request, project: str) -> Response:
    """Save the segments of the site, one per line: ``Blog: /blog/* /news/*``."""

    def form_with_errors(form: FormView, forms: SettingsForms) -> SettingsForms:
        return structs.replace(forms, segments=form)

    return await _save_part(
        request,
        project,
        "segments",
        lambda signed_in_request: ProjectChanges(segments=_named_lines(signed_in_request, "segments")),
        form_with_errors,
    )


@post("/projects/{project}/settings/extractors")
async def post_extractors(request: Request, project: str) -> Response:
    """Save the extractors of the pages of crawls, one per line: ``Price: .price``."""

    def form_with_errors(form: FormView, forms: SettingsForms) -> SettingsForms:
        return structs.replace(forms, extractors=form)

    return await _save_part(
        request,
        project,
        "extractors",
        lambda signed_in_request: ProjectChanges(extractors=_named_lines(signed_in_request, "extractors")),
        form_with_errors,
    )


@post("/projects/{project}/settings/browser")
async def post_browser(request: Request, project: str) -> Response:
    """Save how reports use a browser, and the options of its visits."""

    def form_with_errors(form: FormView, forms: SettingsForms) -> SettingsForms:
        errors = {name.removeprefix("browser_options."): words for name, words in form.errors.items()}
        return structs.replace(forms, browser=FormView(form.values, errors, form.problem))

    def changes(signed_in_request: SignedInRequest) -> ProjectChanges:
        return ProjectChanges(browser=signed_in_request.text("browser"), browser_options=_browser_options(signed_in_request))

    return await _save_part(request, project, "browser", changes, form_with_errors)


def _browser_options(signed_in_request: SignedInRequest) -> BrowserOptionsChanges:
    return BrowserOptionsChanges(
        dismiss_consent=bool(signed_in_request.text("dismiss_consent")),
        without_blocked=bool(signed_in_request.text("without_blocked")),
        wait_for=signed_in_request.text("wait_for"),
        blocked_hosts=signed_in_request.text("blocked_hosts").splitlines(),
    )


@post("/projects/{project}/settings/tracker")
async def post_tracker(request: Request, project: str) -> Response:
    """Save the tracker for issues about findings. An empty URL removes it."""

    def form_with_errors(form: FormView, forms: SettingsForms) -> SettingsForms:
        errors = {name.removeprefix("tracker."): words for name, words in form.errors.items()}
        return structs.replace(forms, tracker=FormView(form.values, errors, form.problem))

    def changes(signed_in_request: SignedInRequest) -> ProjectChanges:
        return ProjectChanges(tracker=TrackerChanges(signed_in_request.text("kind"), signed_in_request.text("url")))

    return await _save_part(request, project, "tracker", changes, form_with_errors)


@post("/projects/{project}/settings/retention")
async def post_retention(request: Request, project: str) -> Response:
    """Save how long runs are kept. An empty field sets the default."""

    def form_with_errors(form: FormView, forms: SettingsForms) -> SettingsForms:
        errors = {name.removeprefix("retention."): words for name, words in form.errors.items()}
        return structs.replace(forms, retention=FormView(form.values, errors, form.problem))

    return await _save_part(
        request, project, "retention", lambda signed_in_request: ProjectChanges(retention=_retention(signed_in_request)), form_with_errors
    )


def _retention(signed_in_request: SignedInRequest) -> RetentionChanges:
    errors: dict[str, list[str]] = {}

    def days(name: str) -> int | None:
        typed = signed_in_request.text(name).strip()
        if typed and not (typed.isdecimal() and typed.isascii() and len(typed) <= MAX_DIGITS):
            errors[f"retention.{name}"] = [later("Enter a number of days.")]
            return None
        return int(typed) if typed else None

    changes = RetentionChanges(days("all_days"), days("weekly_days"), days("saved_days"))
    if errors:
        raise ValidationFailed(errors)
    return changes


def _named_lines(signed_in_request: SignedInRequest, field: str) -> dict[str, str]:
    """Return the values of lines like ``Name: value`` by name."""
    lines = [line.partition(":") for line in signed_in_request.text(field).splitlines() if line.strip()]
    return {name.strip(): rest for name, _, rest in lines}


@post("/projects/{project}/settings/brand")
async def post_brand(request: Request, project: str) -> Response:
    """Save appearance and access of the reports. Without a file the logo stays."""

    def form_with_errors(form: FormView, forms: SettingsForms) -> SettingsForms:
        return structs.replace(forms, brand=form)

    return await _save_part(
        request,
        project,
        "brand",
        lambda signed_in_request: ProjectChanges(**structs.asdict(sent_brand(signed_in_request))),
        form_with_errors,
        WITH_IMAGE,
    )


@post("/projects/{project}/settings/sign-in")
async def post_identity(request: Request, project: str) -> Response:
    """Save the identity. Empty fields stay unchanged, because their values are never shown."""

    def form_with_errors(form: FormView, forms: SettingsForms) -> SettingsForms:
        errors = {name.removeprefix("identity."): words for name, words in form.errors.items()}
        return structs.replace(forms, identity=FormView({}, errors, form.problem))  # secrets that were typed are never sent back

    return await _save_part(
        request, project, "sign-in", lambda signed_in_request: ProjectChanges(identity=_identity(signed_in_request)), form_with_errors
    )


def _identity(signed_in_request: SignedInRequest) -> IdentityChanges:
    user, password = signed_in_request.text("user"), signed_in_request.text("password")
    headers, cookies, agent = (signed_in_request.text(name) for name in ("headers", "cookies", "user_agent"))
    return IdentityChanges(
        basic=None if signed_in_request.text("no_basic") else (user, password) if user or password else UNSET,
        headers=() if signed_in_request.text("no_headers") else _lines(headers, ":") if headers else UNSET,
        cookies=() if signed_in_request.text("no_cookies") else _lines(cookies, "=") if cookies else UNSET,
        user_agent="" if signed_in_request.text("no_user_agent") else agent or UNSET,
    )


def _lines(text: str, mark: str) -> list[tuple[str, str]]:
    """Return name and value of each line. A line without the separator has no name, because an error message might quote it."""
    parted = (line.partition(mark) for line in text.splitlines() if line.strip())
    return [(name, value) if found else ("", "") for name, found, value in parted]


@get("/projects/{project}/logo.png")
async def get_logo(request: Request, project: str) -> Response:
    """Return the logo, for people of the account."""
    service = request.service
    caller = await service.run(signed_in, request.headers)
    if caller is None:
        raise Forbidden("Sign in first.")
    data = await service.run(projects.logo, caller, without_nul(project))
    return Response(data, media_type="image/png", headers={"Content-Security-Policy": SANDBOX})


@person_page("/projects/{project}/delete")
def get_delete_project(signed_in_request: SignedInRequest, project: str) -> Response:
    """Show the form that requires the project's name; opening the page deletes nothing."""
    view = projects.get(signed_in_request.service, signed_in_request.caller, without_nul(project))
    require_role(signed_in_request.caller, OWNER, view.id)
    return _delete_page(signed_in_request, view, FormView())


def _delete_page(signed_in_request: SignedInRequest, view: ProjectView, form: FormView, status: int = 200) -> Response:
    reports = signed_in_request.say.plural("%(count)s report", "%(count)s reports", view.reports_count)
    shown = DeleteProjectPage(bar_of(signed_in_request.caller, "projects"), project_address(view.name), view.name, reports, form)
    return page_response(shown, signed_in_request.say, status=status)


@person_form("/projects/{project}/delete")
def post_delete_project(signed_in_request: SignedInRequest, project: str) -> Response:
    """Delete the project if its name was typed."""
    view = projects.get(signed_in_request.service, signed_in_request.caller, without_nul(project))
    require_role(signed_in_request.caller, OWNER, view.id)
    typed = signed_in_request.text("name").strip().lower()
    if typed not in {view.name, project_name(view.name).lower()}:
        wrong = signed_in_request.say("This is not the name of the project.")
        return _delete_page(
            signed_in_request, view, FormView({"name": signed_in_request.text("name")}, {"name": wrong}), ValidationFailed.status
        )
    projects.delete(signed_in_request.service, signed_in_request.caller, str(view.id))
    return see_other("/projects")
