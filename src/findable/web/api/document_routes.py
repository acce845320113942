"""The description of the interface: the OpenAPI document and a page that tries it out."""

from starlette.responses import Response

from findable.web.api.api_urls import API
from findable.web.api.openapi import document, document_bytes
from findable.web.middleware import PAGE_HEADERS
from findable.web.pages.shared.rendering import page
from findable.web.problems import PLAIN_JSON
from findable.web.routing import Request, get


@get(f"{API}/openapi.json")
async def get_openapi(request: Request) -> Response:
    """The document."""
    return Response(document_bytes(request.urls.base_url), 200, {"Cache-Control": "public, max-age=300"}, PLAIN_JSON)


@get(f"{API}/docs")
async def get_docs(request: Request) -> Response:
    """A page made from the document; forms send their request from the browser, with the key that is typed there."""
    return page("api.html", headers=dict(PAGE_HEADERS), document=document(request.urls.base_url))
