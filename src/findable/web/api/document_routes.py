"""Description of the API: the OpenAPI document and a page to try it out."""

from starlette.responses import Response

from findable.web.api.api_urls import API
from findable.web.api.openapi import document, document_bytes
from findable.web.middleware import PAGE_HEADERS
from findable.web.pages.shared.page_templates import page
from findable.web.problems import PLAIN_JSON
from findable.web.routing import Request, get


@get(f"{API}/openapi.json")
async def get_openapi(request: Request) -> Response:
    """Return the document."""
    return Response(document_bytes(request.urls.base_url), 200, {"Cache-Control": "public, max-age=300"}, PLAIN_JSON)


@get(f"{API}/docs")
async def get_docs(request: Request) -> Response:
    """Return a page made from the document; its forms send requests from the browser, with the key typed there."""
    return page("api.html", headers=dict(PAGE_HEADERS), document=document(request.urls.base_url))
