"""Common variables of the pages of one project."""

from typing import ClassVar

from msgspec.structs import replace
from starlette.responses import Response

from findable.service.accounts.callers import require_role
from findable.service.projects import projects
from findable.service.values.caller import OWNER
from findable.service.values.project_values import ProjectView
from findable.web.pages.shared.lines import project_name, project_title, project_url
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_response
from findable.web.path_parts import without_nul


class ProjectPageContext(PersonPage, frozen=True, kw_only=True):
    """Template variables of every page of a project, which `project_response` sets."""

    entry: ClassVar[str] = "projects"
    name: str = ""
    title: str = ""
    """Display name of the project; its host if none was set."""
    href: str = ""
    """URL of the project."""


def owned_project(request: SignedInRequest, name: str) -> ProjectView:
    """Return a project of which the person is an owner. Raises NotFound, Forbidden."""
    view = projects.get(request.service, request.caller, without_nul(name))
    require_role(request.caller, OWNER, view.id)
    return view


def project_response(request: SignedInRequest, view: ProjectView, page: ProjectPageContext, status: int = 200) -> Response:
    """Return a page of a project as a response, see `person_response`."""
    return person_response(
        request, replace(page, name=project_name(view.name), title=project_title(view), href=project_url(view.name)), status
    )
