"""Account pages of the signed-in person: name, language, time zone, email address, password, deletion of the account."""

from collections.abc import Mapping
from itertools import groupby
from typing import ClassVar

from starlette.responses import Response

from findable.service.accounts import own_account, people, time_zones
from findable.service.accounts.people import PersonView
from findable.web.auth import session_cookie
from findable.web.pages.shared.form_fields import FormView
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.wording import LANGUAGES, later


class ProfilePage(PersonPage, frozen=True, kw_only=True):
    """Variables of profile.html."""

    confirmations: ClassVar[Mapping[str, str]] = {
        "profile": later("Your profile was saved."),
        "email": later("Your email address was changed. Sign in with the new one from now on."),
        "password": later("Your password was changed. You are signed out everywhere else."),
    }
    me: PersonView
    has_passwords: bool
    """Whether sign-in by password is turned on."""
    profile: FormView
    email: FormView
    password: FormView
    languages: tuple[tuple[str, str], ...]
    """Code and name of each language."""
    zones: tuple[tuple[str, tuple[str, ...]], ...]
    """Time zones after the name of their region, which is empty for UTC."""


class DeleteAccountPage(PersonPage, frozen=True):
    """Variables of delete_account.html."""

    me: PersonView
    others: int
    """Number of other people who would lose access too."""


# --- own settings -----------------------------------------------------------------------------------------------------


@person_page("/account")
def get_account(request: SignedInRequest) -> ProfilePage:
    """Show the forms for profile, email address and password."""
    me = people.myself(request.service, request.caller)
    profile = request.form_with({"name": me.name, "language": me.language or "", "time_zone": me.time_zone or "UTC"}, "profile")
    return ProfilePage(
        me=me,
        has_passwords=request.service.settings.sign_in_password,
        profile=profile,
        email=request.form_with({"email": me.email}, "email"),
        password=request.form_with(name="password"),
        languages=tuple((language.code, language.name) for language in LANGUAGES.values()),
        zones=zone_groups(profile.values.get("time_zone", "")),
    )


def zone_groups(selected: str = "") -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the time zones grouped by part of the world; ``selected`` is included even if it is an outdated name."""
    first, *places = time_zones.choices()
    if selected not in (first, *places) and time_zones.is_known(selected):
        places = sorted((*places, selected))
    grouped = groupby(places, lambda zone: zone.partition("/")[0] if "/" in zone else "")
    return (("", (first,)), *((name, tuple(zones)) for name, zones in grouped))


@person_form("/account/profile", get_account, "profile")
def post_profile(request: SignedInRequest) -> Response:
    """Change name, language and time zone of the person."""
    zone = request.text("time_zone")
    own_account.change_profile(
        request.service,
        request.caller,
        name=request.text("name"),
        language=request.text("language"),
        time_zone="" if zone == "UTC" else zone,
    )
    return see_other("/account?done=profile")


@person_form("/account/email", get_account, "email")
def post_email(request: SignedInRequest) -> Response:
    """Change the email address for sign-in."""
    own_account.change_email(request.service, request.caller, email=request.text("email"), password=request.text("password"))
    return see_other("/account?done=email")


@person_form("/account/password", get_account, "password")
def post_password(request: SignedInRequest) -> Response:
    """Change the password and end the person's other sessions."""
    session = own_account.change_password(
        request.service,
        request.caller,
        request.token,
        request.client,
        present=request.text("present"),
        password=request.text("password"),
    )
    return see_other("/account?done=password", [session_cookie(request.service.settings.base_url, session)])


# --- deleting the account ---------------------------------------------------------------------------------------------


@person_page("/account/delete")
def get_delete_account(request: SignedInRequest) -> DeleteAccountPage:
    """Show the form that requires the password; opening the page deletes nothing."""
    everybody = people.list_people(request.service, request.caller)
    me = next(person for person in everybody if person.is_caller)
    return DeleteAccountPage(me, len(everybody) - 1)


@person_form("/account/delete", get_delete_account)
def post_delete_account(request: SignedInRequest) -> Response:
    """Delete the account with its projects, reports and crawls, after a check of the password."""
    own_account.delete_account(request.service, request.caller, request.text("password"))
    return see_other("/?done=deleted", [session_cookie(request.service.settings.base_url, None)])
