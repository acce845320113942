"""Settings of a project: branding, identity for its site, URLs that are not meant for search, deletion."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import asdict, replace
from starlette.responses import Response

from findable.errors import ValidationFailed
from findable.reports.messages import format_bytes
from findable.reports.search_verdict import WHOLE_SITE
from findable.service.projects import projects, report_defaults, role_grants
from findable.service.projects.role_grants import ProjectRole
from findable.service.values.caller import OWNER
from findable.service.values.project_values import (
    BrowserOptionsUpdate,
    IdentityChanges,
    ProjectChanges,
    ProjectView,
    RetentionUpdate,
    TrackerUpdate,
)
from findable.vocabulary import Tracker
from findable.web.bodies import ORDINARY, WITH_IMAGE, Bounds
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.shared.attachments import image_response
from findable.web.pages.shared.browser_choices import BROWSER_UNSET, browser_choices
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.lines import project_name, project_url
from findable.web.pages.shared.look_form import LOGO, LookForm, brand_values, look_form, sent_brand
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.project_tabs import REDIRECT_MAP, SETTINGS
from findable.web.pages.shared.viewer import SignedInRequest, required_person
from findable.web.path_parts import without_nul
from findable.web.query_strings import whole_number
from findable.web.routing import Endpoint, Request, get
from findable.wording import later

SAVED_HINT = later("At most %(days)s. The responses of the last two crawls are always stored.")
MAX_SEARCH_CHARS = 100
ADVANCED = frozenset({"sign-in", "segments", "extractors", "tracker", "retention", "end"})
"""Forms of the advanced settings."""
ELSEWHERE = {
    "watching": later("Schedules, rules of alerts, and emails about them"),
    "share": later("Link for the client: access, texts, end"),
    "people": later("People with access"),
    "recipients": later("Recipients of the monthly report"),
    "data": later("Uploaded numbers"),
    "bots": later("Access logs"),
    REDIRECT_MAP: later("Redirect map: whether the redirects of a relaunch or migration lead to the right pages"),
}
ICON_CACHING = "private, max-age=604800, immutable"
"""Caching of icons, whose URLs contain their version."""


class ProjectSettingsPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_settings.html."""

    place: ClassVar[str] = SETTINGS
    confirmations: ClassVar[Mapping[str, str]] = {
        "name": later("Name, client, tags and owner were saved."),
        "patterns": later("The URLs that are not meant for search were saved."),
        "segments": later("The segments were saved. They apply to later crawls, and to earlier ones once those are rescored."),
        "extractors": later("The extractors were saved. They apply to later crawls, and to earlier ones once those are rescored."),
        "browser": later("The browser settings were saved. They apply to later reports and crawls."),
        "tracker": later("The issue tracker was saved."),
        "retention": later("The retention was saved. Older data is deleted within a day."),
        "brand": later("Look and access of the reports were saved."),
        "sign-in": later("The credentials were saved. Run a report again to see whether the site accepts them."),
    }
    forms: Mapping[str, FormView]
    """Forms by their name in the URL."""
    look: LookForm
    view: ProjectView
    saved_hint: str
    """Days for which the service keeps saved pages, in words."""
    browser_choices: tuple[Choice, ...]
    """Browser modes to choose from."""
    size: str
    """Disk space of the project."""
    people: tuple[ProjectRole, ...]
    """People with access to the project, of whom one can be its owner."""
    trackers: Mapping[str, str]
    """Names of issue trackers by their value."""
    search: str
    """Text that the shown sections contain."""
    is_open: bool
    """Whether the advanced settings are shown."""
    elsewhere: tuple[tuple[str, str], ...]
    """Paths and words of the settings in other tabs."""


@project_page("/settings", role=OWNER)
def get_settings(request: SignedInRequest, view: ProjectView) -> ProjectSettingsPage:
    """Show the settings of a project to its owners."""
    say = request.say
    account = report_defaults.inherited(request.service, request.caller, view.id)
    forms = {name: request.form_with(values, name) for name, values in _form_values(view).items()}
    forms["sign-in"] = replace(forms["sign-in"], values={})  # secrets that were typed are never sent back
    return ProjectSettingsPage(
        forms=forms,
        look=look_form(view, account, forms["brand"], f"{project_url(view.name)}/logo.png", say),
        view=view,
        saved_hint=say(SAVED_HINT, days=request.service.settings.saved_page_days),
        browser_choices=browser_choices(
            say,
            forms["browser"].values.get("browser", ""),
            say("Account setting: %(value)s", value=say(account.browser.words if account.browser else BROWSER_UNSET)),
        ),
        size=format_bytes(view.size.total_bytes, say),
        people=role_grants.roles(request.service, request.caller, str(view.id)),
        trackers={kind.value: kind.words for kind in Tracker},
        search=request.query.get("q", "").strip()[:MAX_SEARCH_CHARS],
        is_open=bool({request.query.get("done"), *request.rejected} & ADVANCED),
        elsewhere=tuple((path, say(words)) for path, words in ELSEWHERE.items()),
    )


def _form_values(view: ProjectView) -> Mapping[str, Mapping[str, str]]:
    """Return the stored values of each form of the page, by form and field name."""
    options = view.browser_options
    days = {"all_days": view.retention.all_days, "weekly_days": view.retention.weekly_days, "saved_days": view.saved_days}
    return {
        "brand": brand_values(view).values,
        "sign-in": {},
        "name": {"display_name": view.title, "client": view.client, "tags": ", ".join(view.tags), "owner": view.owner},
        "patterns": {
            "whole_site": "" if view.is_for_search else "1",
            "not_for_search": "\n".join(one for one in view.not_for_search if one not in WHOLE_SITE),
        },
        "segments": {"segments": "\n".join(f"{segment.name}: {' '.join(segment.patterns)}" for segment in view.segments)},
        "extractors": {"extractors": "\n".join(f"{extractor.name}: {extractor.rule}" for extractor in view.extractors)},
        "browser": {
            "browser": view.browser or "",
            "dismiss_consent": "1" if options.dismiss_consent else "",
            "without_blocked": "1" if options.without_blocked else "",
            "wait_for": options.wait_for,
            "blocked_hosts": "\n".join(options.blocked_hosts),
            "load_trackers": "1" if options.load_trackers else "",
        },
        "retention": {name: str(number) for name, number in days.items()},
        "end": {},
        "tracker": {"kind": view.tracker.kind.value, "url": view.tracker.url} if view.tracker else {},
    }


def settings_form(name: str, bounds: Bounds = ORDINARY) -> Callable[[Callable[[SignedInRequest], ProjectChanges]], Endpoint]:
    """Declare the form ``name`` of the settings page: a function that returns its changes to the project."""

    def decorate(changes: Callable[[SignedInRequest], ProjectChanges]) -> Endpoint:
        @project_form(f"/settings/{name}", get_settings, name, bounds=bounds, kinds=LOGO)
        def save(request: SignedInRequest, view: ProjectView) -> Response:
            projects.update(request.service, request.caller, view.name, changes(request))
            return see_other(f"{project_url(view.name)}/settings?done={name}#{name}")

        return save

    return decorate


@settings_form("patterns")
def post_patterns(request: SignedInRequest) -> ProjectChanges:
    """Return whether the whole site, or URLs by pattern, one per line, are not meant for search."""
    whole = ["/*"] if request.text("whole_site") else []
    return ProjectChanges(not_for_search=[*whole, *request.text("not_for_search").splitlines()])


@settings_form("name")
def post_name(request: SignedInRequest) -> ProjectChanges:
    """Return the display name of the project, empty for its host, and what lists of sites are grouped by."""
    name, client, owner = (request.text(field) for field in ("display_name", "client", "owner"))
    return ProjectChanges(display_name=name, client=client, owner=owner, tags=request.text("tags").split(","))


@settings_form("segments")
def post_segments(request: SignedInRequest) -> ProjectChanges:
    """Return the segments of the site, one per line: ``Blog: /blog/* /news/*``."""
    return ProjectChanges(segments=_values_by_name(request, "segments"))


@settings_form("extractors")
def post_extractors(request: SignedInRequest) -> ProjectChanges:
    """Return the extractors of the pages of crawls, one per line: ``Price: .price``."""
    return ProjectChanges(extractors=_values_by_name(request, "extractors"))


def _values_by_name(request: SignedInRequest, field: str) -> dict[str, str]:
    """Return the values of lines like ``Name: value`` in a text field, by name."""
    lines = [line.partition(":") for line in request.text(field).splitlines() if line.strip()]
    return {name.strip(): rest for name, _, rest in lines}


@settings_form("browser")
def post_browser(request: SignedInRequest) -> ProjectChanges:
    """Return how reports use a browser, and the options of its visits."""
    options = BrowserOptionsUpdate(
        dismiss_consent=bool(request.text("dismiss_consent")),
        without_blocked=bool(request.text("without_blocked")),
        wait_for=request.text("wait_for"),
        blocked_hosts=request.text("blocked_hosts").splitlines(),
        load_trackers=bool(request.text("load_trackers")),
    )
    browser: Any = request.text("browser")  # `projects.update` validates it
    return ProjectChanges(browser=browser, browser_options=options)


@settings_form("tracker")
def post_tracker(request: SignedInRequest) -> ProjectChanges:
    """Return the issue tracker of the project. An empty URL removes it."""
    kind = next((kind for kind in Tracker if kind == request.text("kind")), UNSET)
    return ProjectChanges(tracker=TrackerUpdate(kind, request.text("url")))


@settings_form("retention")
def post_retention(request: SignedInRequest) -> ProjectChanges:
    """Return for how many days runs are stored. An empty field sets the default."""
    errors: dict[str, list[str]] = {}

    def days(name: str) -> int | None:
        typed = request.text(name).strip()
        if typed and whole_number(typed) is None:
            errors[name] = [later("Enter a number of days.")]
        return whole_number(typed)

    changes = RetentionUpdate(days("all_days"), days("weekly_days"), days("saved_days"))
    if errors:
        raise ValidationFailed(errors)
    return ProjectChanges(retention=changes)


@settings_form("brand", WITH_IMAGE)
def post_brand(request: SignedInRequest) -> ProjectChanges:
    """Return appearance and access of the project's reports. Without a new file the logo does not change."""
    return ProjectChanges(**asdict(sent_brand(request)))


@settings_form("sign-in")
def post_identity(request: SignedInRequest) -> ProjectChanges:
    """Return the credentials and headers for requests to the site. Empty fields stay unchanged, because stored values are never shown."""
    user, password = request.text("user"), request.text("password")
    headers, cookies, agent = (request.text(name) for name in ("headers", "cookies", "user_agent"))
    identity = IdentityChanges(
        basic=None if request.text("no_basic") else (user, password) if user or password else UNSET,
        headers=() if request.text("no_headers") else _name_value_pairs(headers, ":") if headers else UNSET,
        cookies=() if request.text("no_cookies") else _name_value_pairs(cookies, "=") if cookies else UNSET,
        user_agent="" if request.text("no_user_agent") else agent or UNSET,
    )
    return ProjectChanges(identity=identity)


def _name_value_pairs(text: str, separator: str) -> list[tuple[str, str]]:
    """Return name and value of each line. A line without the separator gets an empty name, because an error message might quote names."""
    parted = (line.partition(separator) for line in text.splitlines() if line.strip())
    return [(name, value) if found else ("", "") for name, found, value in parted]


@get("/projects/{project}/logo.png")
def get_logo(request: Request, project: str) -> Response:
    """Return the image file of the project's logo to people of the account."""
    caller = required_person(request.service, request.headers)
    return image_response(projects.logo(request.service, caller, without_nul(project)))


@get("/projects/{project}/icon.png")
def get_icon(request: Request, project: str) -> Response:
    """Return the image file of the site's icon to people of the account."""
    caller = required_person(request.service, request.headers)
    return image_response(projects.icon(request.service, caller, without_nul(project)), {"Cache-Control": ICON_CACHING})


@project_form("/delete", get_settings, "end", role=OWNER)
def post_delete_project(request: SignedInRequest, view: ProjectView) -> Response:
    """Delete the project if its name was typed."""
    if request.text("name").strip().lower() not in {view.name, project_name(view.name).lower()}:
        raise ValidationFailed({"name": [later("This is not the name of the project.")]})
    projects.delete(request.service, request.caller, str(view.id))
    return see_other("/projects")
