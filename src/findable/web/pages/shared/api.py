"""Page to try out the API, from its OpenAPI document."""

from starlette.responses import Response

from findable.service_urls import API
from findable.web.api.openapi import document
from findable.web.middleware import PAGE_HEADERS
from findable.web.pages.shared.page_templates import page
from findable.web.routing import Request, get


@get(f"{API}/docs")
async def get_docs(request: Request) -> Response:
    """Return a page made from the document; its forms send requests from the browser, with the key typed there."""
    return page("api.html", headers=dict(PAGE_HEADERS), document=document(request.urls.base_url))
