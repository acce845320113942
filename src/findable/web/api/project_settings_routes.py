"""What an owner sets for a project: `PUT` and `PATCH /projects/{project}`; and `POST /projects`, to do so before the first report."""

from litestar import Response, patch, post, put
from litestar.params import FromPath

from findable.errors import NotFound
from findable.service.projects import projects
from findable.service.values.use_cases import UNSET, WRITE, IdentityChanges, ProjectChanges
from findable.web.api import response_shapes
from findable.web.api.api_urls import API
from findable.web.api.exchange import ApiRequest, begin, data, reply
from findable.web.api.request_models import IdentityBody, NewProjectBody, ProjectBody, read, unknown_names
from findable.web.bodies import WITH_PICTURE

LISTS = frozenset({"not_for_search"})
"""Fields with more than one value."""
CLEARABLE = frozenset({"brand_name", "brand_color", "brand_logo", "language"})
"""Fields that are taken away by sending them empty."""
FILES = frozenset({"brand_logo"})


@post(f"{API}/projects", status_code=201)
async def make_project(request: ApiRequest) -> Response[bytes]:
    """The project of a site; 200 where there was one."""
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    fields = await exchange.fields()
    made = await exchange.service.run(projects.make, caller, read(NewProjectBody, fields).project)
    body = data(response_shapes.project_whole(made.project, exchange.at), unknown_names(NewProjectBody, fields))
    return reply(body, 201 if made.is_new else 200, {"Location": exchange.at.project(made.project.name)})


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
    fields = await exchange.fields(LISTS, WITH_PICTURE, clearable=CLEARABLE, files=FILES)
    view = await exchange.service.run(projects.update, caller, project, _changes(read(ProjectBody, fields)))
    return reply(data(response_shapes.project_whole(view, exchange.at), unknown_names(ProjectBody, fields)))


def _changes(sent: ProjectBody) -> ProjectChanges:
    return ProjectChanges(
        not_for_search=UNSET if sent.not_for_search is None else sent.not_for_search,
        brand_name=UNSET if sent.brand_name is None else sent.brand_name,
        brand_color=UNSET if sent.brand_color is None else sent.brand_color,
        brand_logo=UNSET if sent.brand_logo is None else sent.brand_logo,
        language=UNSET if sent.language is None else sent.language,
        identity=UNSET if sent.identity is None else _identity(sent.identity),
    )


def _identity(sent: IdentityBody) -> IdentityChanges:
    """All of it: what is not named is taken away."""
    basic = None if sent.user is None and sent.password is None else (sent.user or "", sent.password or "")
    return IdentityChanges(basic, tuple(sent.headers.items()), tuple(sent.cookies.items()), sent.user_agent or "")
