"""People with access to a project: list, grant, invite and remove. For owners of the project."""

from collections.abc import Mapping
from typing import ClassVar

from starlette.responses import Response

from findable.errors import NotFound
from findable.service.accounts import people
from findable.service.accounts.callers import may
from findable.service.projects import role_grants
from findable.service.projects.role_grants import ProjectRole
from findable.service.values.caller import OWNER
from findable.service.values.project_values import ProjectView
from findable.web.pages.account.people import invited_page, role_words
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page, project_response
from findable.web.pages.shared.form_fields import FormView
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import SignedInRequest
from findable.web.path_parts import id_of
from findable.wording import later


class ProjectPeoplePage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_people.html."""

    template: ClassVar[str] = "project_people.html"
    confirmations: ClassVar[Mapping[str, str]] = {
        "granted": later("The role was granted."),
        "taken": later("The role in this project was removed."),
    }
    people: tuple[ProjectRole, ...]
    roles: Mapping[str, str]
    """Words of the roles."""
    form: FormView
    may_invite: bool
    """Whether the viewer may invite people to the account."""
    sends_mails: bool


@project_page("/people", role=OWNER)
def get_project_people(request: SignedInRequest, view: ProjectView) -> Response:
    """Show the people with access to the project."""
    shown = ProjectPeoplePage(
        people=tuple(role_grants.roles(request.service, request.caller, str(view.id))),
        roles=role_words(request.say),
        form=request.form_with({"role": "viewer"}),
        may_invite=may(request.caller, OWNER),
        sends_mails=bool(request.service.settings.smtp_url),
    )
    return project_response(request, view, shown)


@project_form("/people", get_project_people, role=OWNER)
def post_project_people(request: SignedInRequest, view: ProjectView) -> Response:
    """Grant a role to a person of the account, or create an invitation link for another person."""
    email, role = request.text("email"), request.text("role")
    if request.text("how") == "invite" and may(request.caller, OWNER):
        made = people.invite(request.service, request.caller, role=role, email=email, project_id=view.id)
        return invited_page(request, made, f"{project_url(view.name)}/people")
    role_grants.grant(request.service, request.caller, str(view.id), email, role)
    return see_other(f"{project_url(view.name)}/people?done=granted")


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
