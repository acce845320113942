"""People with access to a project: list, grant, invite and remove. For owners of the project."""

from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar

from starlette.responses import Response

from findable.errors import NotFound, require_found
from findable.service.accounts import invitations, sessions
from findable.service.accounts.invitations import NewInvitation
from findable.service.accounts.permissions import may
from findable.service.projects import role_grants
from findable.service.projects.role_grants import ProjectRole
from findable.service.reports import stored_images
from findable.service.values.account_values import InvitationView
from findable.service.values.caller import MEMBER, OWNER
from findable.service.values.project_values import ProjectView
from findable.web.auth import preview_cookie
from findable.web.pages.account.people import role_words
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.shared.attachments import image_response
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import SignedInRequest, person_form, person_page
from findable.web.path_parts import id_of
from findable.wording import later


class ProjectPeoplePage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_people.html."""

    place: ClassVar[str] = "people"
    confirmations: ClassVar[Mapping[str, str]] = {
        "granted": later("They have access now."),
        "taken": later("The role in this project was removed."),
        "withdrawn": later("The invitation was withdrawn."),
    }
    people: tuple[ProjectRole, ...]
    roles: Mapping[str, str]
    """Words of the roles."""
    invitations: tuple[InvitationView, ...]
    """Open invitations to the project, for owners of the account."""
    invited: NewInvitation | None
    """New invitation with its link, which is shown once."""


@project_form("/preview", role=MEMBER)
def post_preview(request: SignedInRequest, view: ProjectView) -> Response:
    """Show the project as its clients see it, until the person ends the preview."""
    sessions.preview(request.service, request.caller, request.token, view.id)
    return see_other(project_url(view.name), [_cookie(request, is_on=True)])


@person_form("/preview/end", in_preview=True)
def post_preview_end(request: SignedInRequest) -> Response:
    """End the preview, and return to the project."""
    project = request.caller.preview_of
    sessions.preview(request.service, request.caller, request.token, None)
    return see_other("/projects" if project is None else f"/projects/{project}", [_cookie(request, is_on=False)])


def _cookie(request: SignedInRequest, *, is_on: bool) -> str:
    return preview_cookie(request.service.settings.base_url, request.token, is_on=is_on)


@person_page("/logo.png")
def get_client_logo(request: SignedInRequest) -> Response:
    """Return the logo of the brand of a client's projects."""
    return image_response(require_found(stored_images.image_of(request.service, request.caller.brand.logo)))


@project_page("/people", role=OWNER)
def get_project_people(request: SignedInRequest, view: ProjectView, invited: NewInvitation | None = None) -> ProjectPeoplePage:
    """Show the people with access to the project, and the link of a new invitation."""
    open_ones = invitations.invitations(request.service, request.caller) if may(request.caller, OWNER) else ()
    return ProjectPeoplePage(
        people=tuple(role_grants.roles(request.service, request.caller, str(view.id))),
        roles=role_words(request.say),
        form=request.form_with({"role": "viewer"}),
        invitations=tuple(one for one in open_ones if one.project_id == view.id),
        invited=invited,
        status=201 if invited else 200,
    )


@project_form("/people", get_project_people, role=OWNER)
def post_project_people(request: SignedInRequest, view: ProjectView) -> Response:
    """Give access by email address: people of the account get the role, others an invitation, whose link is shown once."""
    given = role_grants.give_access(request.service, request.caller, str(view.id), request.text("email"), request.text("role"))
    if isinstance(given, NewInvitation):
        return get_project_people.show(request, view.name, given)
    return see_other(f"{project_url(view.name)}/people?done=granted")


@project_form("/people/withdraw", role=OWNER)
def post_project_invitation_withdraw(request: SignedInRequest, view: ProjectView) -> Response:
    """Withdraw an open invitation to the project."""
    with suppress(NotFound):  # the invitation was accepted or has expired meanwhile: the list shows its state
        invitations.withdraw(request.service, request.caller, request.text("invitation"))
    return see_other(f"{project_url(view.name)}/people?done=withdrawn")


@project_form("/people/{person}/remove", role=OWNER)
def post_project_person_remove(request: SignedInRequest, view: ProjectView, person: str) -> Response:
    """Remove the role of a person in the project, possibly one's own."""
    number = id_of(person)
    try:
        role_grants.revoke(request.service, request.caller, str(view.id), number)
    except NotFound:  # the role was removed meanwhile, as the list shows
        return see_other(f"{project_url(view.name)}/people")
    own = number == request.caller.user_id and not may(request.caller, OWNER)
    return see_other("/projects" if own else f"{project_url(view.name)}/people?done=taken")
