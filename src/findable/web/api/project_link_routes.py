"""Routes of the link of a project."""

from datetime import date
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from findable.service.projects import project_links
from findable.service.projects.project_links import LinkState
from findable.service.results.share_links import TermChanges
from findable.values import shape_of
from findable.vocabulary import Privacy
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.project_routes import PATH
from findable.web.api.project_shapes import ProjectLink
from findable.web.api.request_models import password_warning
from findable.web.api.validation import value_or

LINK_PATH = f"{PATH}/link"


class ProjectLinkUpdate(Struct, frozen=True):
    """Changes of a project's link; only fields that are sent change."""

    privacy: Privacy | UnsetType = UNSET
    """0 public: anyone with the link. 1 private: people of the account. 2 password: anyone with the link and the password."""
    password: str | UnsetType = UNSET
    """Password for privacy 2, required if none is stored; never returned."""
    until: date | UnsetType | None = UNSET
    """Last day (UTC) of guest access, today or later; empty or null: no end."""
    listed: Literal[0, 1] | UnsetType = UNSET
    """1: search engines may index this public page."""


@operation("GET", LINK_PATH, {200: Data[ProjectLink]})
def get_project_link(call: Call, project: str) -> Reply:
    """Read the link of a project with its access and expiry."""
    return Reply(_link(call, project_links.state(call.service, call.caller, project)))


@operation("PUT", LINK_PATH, {200: Data[ProjectLink]}, example={"privacy": 0}, is_partial=True)
def put_project_link(call: Call, project: str, *, body: ProjectLinkUpdate) -> Reply:
    """Change access, expiry and search engine listing of the link of a project.

    A new password invalidates existing unlock cookies.
    """
    password = value_or(body.password)
    terms = TermChanges(body.until, UNSET if body.listed is UNSET else bool(body.listed))
    state = project_links.set_access(call.service, call.caller, project, value_or(body.privacy), password, terms)
    if body.privacy is not UNSET or password:
        call.warnings += password_warning(password, state.privacy)
    return call.write_reply(Reply(_link(call, state)), state.id)


def _link(call: Call, state: LinkState) -> ProjectLink:
    last = state.presentation.last_day
    return shape_of(
        ProjectLink,
        state,
        url=call.at.shared_project(state.public_id),
        until=last.isoformat() if last else None,
        listed=state.presentation.is_listed,
    )
