"""Common variables of the pages of one project."""

from collections.abc import Callable
from typing import Any, ClassVar

from msgspec.structs import replace
from starlette.responses import Response

from findable.service.accounts.permissions import may, require_role
from findable.service.projects import projects
from findable.service.values.caller import MEMBER
from findable.web.pages.shared.project_tabs import ProjectHead, project_head
from findable.web.pages.shared.viewer import PersonEndpoint, PersonPage, SignedInRequest, person_form, person_page
from findable.web.path_parts import without_nul
from findable.web.routing import Endpoint


class ProjectPageContext(PersonPage, frozen=True, kw_only=True):
    """Template variables of every page of a project, which `project_page` and `project_form` set."""

    entry: ClassVar[str] = "projects"
    place: ClassVar[str]
    """Path of the page below the project, see `project_tabs`."""
    head: ProjectHead | None = None
    href: str = ""
    """URL of the project."""
    may_change: bool = False
    """Whether the reader may change what members change, such as crawls and schedules."""


def project_page(path: str, role: str = "") -> Callable[[Callable[..., PersonPage | Response]], PersonEndpoint]:
    """Declare a page of a project for people with this role in it, see `person_page`.

    It is a function of the request, the project and the other parameters of the path by name. Raises NotFound, Forbidden.
    """
    return lambda show: person_page(f"/projects/{{project}}{path}")(_with_project(show, role))


def project_form(path: str, *page: Any, role: str = "", **options: Any) -> Callable[[Callable[..., PersonPage | Response]], Endpoint]:
    """Declare a form below the page of a project, see `project_page` and `person_form`."""
    return lambda submit: person_form(f"/projects/{{project}}{path}", *page, **options)(_with_project(submit, role))


def _with_project(work: Callable[..., PersonPage | Response], role: str) -> Callable[..., PersonPage | Response]:
    def run(request: SignedInRequest, project: str, *more: Any, **values: str) -> PersonPage | Response:
        view = projects.get(request.service, request.caller, without_nul(project))
        if role:
            require_role(request.caller, role, view.id)
        made = work(request, view, *more, **values)
        if not isinstance(made, ProjectPageContext):
            return made
        head = project_head(request.service, request.caller, view, made.place, request.say)
        may_change = may(request.caller, MEMBER, view.id)
        return replace(made, head=head, href=head.href, may_change=may_change)

    return run
