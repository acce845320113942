"""What an owner sets for a project: `PUT` and `PATCH /projects/{project}`."""

from litestar import Response, patch, put
from litestar.params import FromPath

from findable.errors import NotFound
from findable.service import projects
from findable.service.values import UNSET, WRITE, ProjectChanges
from findable.web.api import shapes
from findable.web.api.addresses import API
from findable.web.api.exchange import ApiRequest, begin, data, reply
from findable.web.api.models import ProjectBody, read, unknown_names

LISTS = frozenset({"not_for_search"})
"""Fields with more than one value."""


@put(f"{API}/projects/{{project:str}}")
async def update_project(request: ApiRequest, project: FromPath[str]) -> Response[bytes]:
    """Changes a project."""
    return await _update(request, project)


@patch(f"{API}/projects/{{project:str}}")
async def patch_project(request: ApiRequest, project: FromPath[str]) -> Response[bytes]:
    """The same as PUT."""
    return await _update(request, project)


async def _update(request: ApiRequest, project: FromPath[str]) -> Response[bytes]:
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    if "\0" in project:
        raise NotFound
    fields = await exchange.fields(LISTS)
    sent = read(ProjectBody, fields)
    changes = ProjectChanges(UNSET if sent.not_for_search is None else sent.not_for_search)
    view = await exchange.service.run(projects.update, caller, project, changes)
    return reply(data(shapes.project_whole(view, exchange.at), unknown_names(ProjectBody, fields)))
