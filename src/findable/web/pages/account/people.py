"""People of the account: everyone sees the list; owners invite and remove people and change roles."""

from collections.abc import Mapping
from typing import ClassVar

from starlette.responses import Response

from findable.errors import NotFound
from findable.service.accounts import invitations, people
from findable.service.accounts.invitations import NewInvitation
from findable.service.accounts.people import PersonView
from findable.service.values.account_values import InvitationView
from findable.service.values.caller import MEMBER, OWNER, PROJECTS, ROLES, VIEWER
from findable.web.auth import session_cookie
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.web.path_parts import id_of
from findable.wording import Translator, later

ROLE_WORDS = {
    OWNER: later("owner"),
    MEMBER: later("member"),
    VIEWER: later("viewer"),
    PROJECTS: later("single projects"),
}


class PeoplePage(PersonPage, frozen=True, kw_only=True):
    """Variables of people.html."""

    confirmations: ClassVar[Mapping[str, str]] = {
        "role": later("The role was changed."),
        "removed": later("The person was removed from the account. Their sessions and keys have ended."),
        "withdrawn": later("The invitation was withdrawn."),
    }
    problem: str
    """Reason why a role could not be changed; empty if there was no attempt."""
    people: tuple[PersonView, ...]
    roles: Mapping[str, str]
    """Roles to choose from, with their words."""
    invitations: tuple[InvitationView, ...]
    """Open invitations, for owners only."""
    invited: NewInvitation | None
    """New invitation with its link, which is shown once."""


@person_page("/account/people")
def get_people(request: SignedInRequest, invited: NewInvitation | None = None) -> PeoplePage:
    """Show the people and open invitations of the account, and the link of a new one."""
    open_ones = invitations.invitations(request.service, request.caller) if request.caller.role == OWNER else ()
    return PeoplePage(
        problem=" ".join(request.form_with(name="list").errors.values()),
        people=tuple(people.list_people(request.service, request.caller)),
        roles=role_words(request.say),
        invitations=tuple(open_ones),
        form=request.form_with({"role": "member"}),
        invited=invited,
        status=201 if invited else 200,
    )


def role_words(say: Translator) -> Mapping[str, str]:
    """Return the roles in words, the most powerful first."""
    return {role: say(ROLE_WORDS[role]) for role in reversed(ROLES)}


@person_form("/account/people/invite", get_people)
def post_invite(request: SignedInRequest) -> Response:
    """Create an invitation to the account and show its link once."""
    invited = invitations.invite(request.service, request.caller, role=request.text("role"), email=request.text("email"))
    return get_people.show(request, invited)


@person_form("/account/people/withdraw")
def post_withdraw(request: SignedInRequest) -> Response:
    """Withdraw an open invitation, whose link stops working."""
    try:
        invitations.withdraw(request.service, request.caller, request.text("invitation"))
    except NotFound:  # the invitation was accepted or has expired meanwhile: the list shows its state
        return see_other("/account/people")
    return see_other("/account/people?done=withdrawn")


@person_form("/account/people/{person}/role", get_people, "list")
def post_role(request: SignedInRequest, person: str) -> Response:
    """Change the role of a person in the account."""
    people.change_role(request.service, request.caller, id_of(person), request.text("role"))
    return see_other("/account/people?done=role")


@person_form("/account/people/{person}/remove", get_people, "list")
def post_remove_person(request: SignedInRequest, person: str) -> Response:
    """Remove a person from the account, possibly oneself."""
    number = id_of(person)
    people.remove(request.service, request.caller, number)
    if number == request.caller.user_id:
        return see_other("/?done=left", [session_cookie(request.service.settings.base_url, None)])
    return see_other("/account/people?done=removed")
