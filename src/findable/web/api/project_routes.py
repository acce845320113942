"""`/projects`."""

from typing import Any

from litestar import Response, delete, get
from litestar.params import FromPath

from findable.errors import NotFound
from findable.service.projects import projects
from findable.service.runtime.app import Service
from findable.service.values.use_cases import WRITE, Caller, ProjectQuery
from findable.web.api import response_shapes
from findable.web.api.api_urls import API, link_header, list_links
from findable.web.api.exchange import ApiRequest, begin, data, reply
from findable.web.api.request_models import ProjectListQuery, read, unknown_names


@get(f"{API}/projects")
async def list_projects(request: ApiRequest) -> Response[bytes]:
    """A list of projects."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> dict[str, Any]:
        query = read(ProjectListQuery, exchange.query)
        page = projects.find(
            service,
            caller,
            ProjectQuery(query.search, query.sort_by, query.sort == "desc", query.per_page, query.page, query.cursor),
        )
        return {
            "data": [response_shapes.project(item, exchange.at) for item in page.items],
            "links": list_links(page, exchange.path, exchange.query),
            "meta": response_shapes.list_meta(page, exchange.path, unknown_names(ProjectListQuery, exchange.query)),
        }

    found = await exchange.looked_up(work)
    return reply(found, headers={"Link": link_header(found["links"])})


@get(f"{API}/projects/{{project:str}}")
async def get_project(request: ApiRequest, project: FromPath[str]) -> Response[bytes]:
    """One project."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> response_shapes.ProjectWhole:
        return response_shapes.project_whole(projects.get(service, caller, _sound(project)), exchange.at)

    return reply(data(await exchange.asked(work), []))


@delete(f"{API}/projects/{{project:str}}", status_code=200)
async def delete_project(request: ApiRequest, project: FromPath[str]) -> Response[bytes]:
    """Deletes a project and its reports."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> dict[str, Any]:
        return response_shapes.deleted_project(projects.delete(service, caller, _sound(project)))

    return reply(data(await exchange.asked(work, WRITE), []))


def _sound(name: str) -> str:
    if "\0" in name:
        raise NotFound
    return name
