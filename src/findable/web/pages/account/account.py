"""Settings of a person: name, language, time zone, e-mail address, password, sessions; leaving and deleting the account."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import groupby
from typing import ClassVar

from msgspec import Struct
from starlette.responses import Response

from findable.errors import NotFound, RateLimited, ValidationFailed
from findable.service.accounts import people, sessions, time_zones
from findable.service.accounts.people import PersonView
from findable.service.accounts.sessions import SessionView
from findable.web.auth import session_cookie
from findable.web.pages.account.devices import device
from findable.web.pages.shared.form_fields import FormView, refused, retry_headers
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, person_form, person_page
from findable.wording import LANGUAGES, later

DONE: Mapping[str, str] = {
    "profile": later("Your profile was saved."),
    "email": later("Your email address was changed. Sign in with the new one from now on."),
    "password": later("Your password was changed. You are signed out everywhere else."),
    "session": later("That session has ended."),
}
"""Confirmation messages after a form, by the word in the URL."""


class ZoneGroup(Struct, frozen=True):
    """Time zones of one region."""

    name: str
    """Name of the group; empty for UTC."""
    zones: tuple[str, ...]


class AccountPage(PageContext, frozen=True):
    """Variables of account.html."""

    template: ClassVar[str] = "account.html"
    bar: Bar
    tab: str
    """Current tab of the account."""
    confirmation: str
    """Confirmation of the last action; empty if there is none."""
    me: PersonView
    has_passwords: bool
    """Whether sign-in by password is turned on."""
    profile: FormView
    email: FormView
    password: FormView
    languages: tuple[tuple[str, str], ...]
    """Code and name of each language."""
    zones: tuple[ZoneGroup, ...]


class SessionLine(Struct, frozen=True):
    """Session as text."""

    view: SessionView
    device: str
    """Browser and system: ``Firefox on Linux``."""
    since: Moment
    """Start of the session."""
    last_use: Moment
    """Last use of the session."""


class SessionsPage(PageContext, frozen=True):
    """Variables of sessions.html."""

    template: ClassVar[str] = "sessions.html"
    bar: Bar
    tab: str
    confirmation: str
    sessions: tuple[SessionLine, ...]


class DeleteAccountPage(PageContext, frozen=True):
    """Variables of delete_account.html."""

    template: ClassVar[str] = "delete_account.html"
    bar: Bar
    form: FormView
    me: PersonView
    others: int
    """Number of other people who would lose access too."""


def done_of(request: SignedInRequest, words: Mapping[str, str] = DONE) -> str:
    """Return the confirmation of the last action, selected by the URL."""
    return request.say.text(words.get(request.query.get("done", ""), ""))


# --- own settings -----------------------------------------------------------------------------------------------------


@person_page("/account")
def get_account(request: SignedInRequest) -> Response:
    """Show the profile."""
    return _account(request)


def _account(
    request: SignedInRequest, wrong: str = "", form: FormView | None = None, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    me = people.myself(request.service, request.caller)
    forms = {
        "profile": FormView({"name": me.name, "language": me.language or "", "time_zone": me.time_zone or "UTC"}),
        "email": FormView({"email": me.email}),
        "password": FormView(),
    }
    if form is not None:
        forms[wrong] = form
    shown = AccountPage(
        bar=bar_of(request.caller, "account"),
        tab="profile",
        confirmation=done_of(request) if form is None else "",
        me=me,
        has_passwords=request.service.settings.password_sign_in,
        **forms,
        languages=tuple((language.code, language.name) for language in LANGUAGES.values()),
        zones=zone_groups(forms["profile"].values.get("time_zone", "")),
    )
    return page_response(shown, request.say, status=status, headers=headers)


def zone_groups(selected: str = "") -> tuple[ZoneGroup, ...]:
    """Return the time zones grouped by part of the world; a chosen old name is among them."""
    first, *places = time_zones.choices()
    if selected not in (first, *places) and time_zones.is_known(selected):
        places = sorted((*places, selected))
    grouped = groupby(places, lambda zone: zone.partition("/")[0] if "/" in zone else "")
    return (ZoneGroup("", (first,)), *(ZoneGroup(name, tuple(zones)) for name, zones in grouped))


@person_form("/account/profile")
def post_profile(request: SignedInRequest) -> Response:
    """Change name, language and time zone."""
    zone = request.text("time_zone")
    try:
        people.change_profile(
            request.service,
            request.caller,
            name=request.text("name"),
            language=request.text("language"),
            time_zone="" if zone == "UTC" else zone,
        )
    except ValidationFailed as error:
        return _account(request, "profile", refused(request.fields, error, request.say), error.status)
    return see_other("/account?done=profile")


@person_form("/account/email")
def post_email(request: SignedInRequest) -> Response:
    """Change the e-mail address for sign-in."""
    try:
        people.change_email(request.service, request.caller, email=request.text("email"), password=request.text("password"))
    except (ValidationFailed, RateLimited) as error:
        return _account(request, "email", refused(request.fields, error, request.say), error.status, retry_headers(error))
    return see_other("/account?done=email")


@person_form("/account/password")
def post_password(request: SignedInRequest) -> Response:
    """Change the password; other sessions end."""
    try:
        session = people.change_password(
            request.service,
            request.caller,
            request.token,
            request.place,
            present=request.text("present"),
            password=request.text("password"),
        )
    except (ValidationFailed, RateLimited) as error:
        return _account(request, "password", refused(request.fields, error, request.say), error.status, retry_headers(error))
    return see_other("/account?done=password", [session_cookie(request.service.settings.base_url, session)])


# --- sessions ---------------------------------------------------------------------------------------------------------


@person_page("/account/sessions")
def get_sessions(request: SignedInRequest) -> Response:
    """List the person's sessions."""
    say, zone = request.say, request.zone
    lines = tuple(
        SessionLine(view, device(view.user_agent, say), moment_of(view.created_at, say, zone), moment_of(view.last_seen_at, say, zone))
        for view in sessions.of_caller(request.service, request.caller, request.token)
    )
    return page_response(SessionsPage(bar_of(request.caller, "account"), "sessions", done_of(request), lines), say)


@person_form("/account/sessions/end")
def post_end_session(request: SignedInRequest) -> Response:
    """End one session."""
    with suppress(NotFound):  # the session may have ended meanwhile
        sessions.end(request.service, request.caller, request.text("session"))
    return see_other("/account/sessions?done=session")


@person_form("/account/sessions/end-all")
def post_end_sessions(request: SignedInRequest) -> Response:
    """Sign out everywhere."""
    return _end_sessions(request)


def _end_sessions(request: SignedInRequest) -> Response:
    sessions.end_all(request.service, request.caller)
    return see_other("/", [session_cookie(request.service.settings.base_url, None)])


# --- deleting the account ---------------------------------------------------------------------------------------------


@person_page("/account/delete")
def get_delete_account(request: SignedInRequest) -> Response:
    """Show the form that requires the password; opening the page deletes nothing."""
    return _delete_account(request)


def _delete_account(
    request: SignedInRequest, form: FormView | None = None, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    everybody = people.list_people(request.service, request.caller)
    me = next(person for person in everybody if person.is_caller)
    shown = DeleteAccountPage(bar_of(request.caller, "account"), form or FormView(), me, len(everybody) - 1)
    return page_response(shown, request.say, status=status, headers=headers)


@person_form("/account/delete")
def post_delete_account(request: SignedInRequest) -> Response:
    """Delete the account and everything in it."""
    try:
        people.delete_account(request.service, request.caller, request.text("password"))
    except (ValidationFailed, RateLimited) as error:
        return _delete_account(request, refused(request.fields, error, request.say), error.status, retry_headers(error))
    return see_other("/?done=deleted", [session_cookie(request.service.settings.base_url, None)])
