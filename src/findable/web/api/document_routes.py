"""Description of the API: the OpenAPI document."""

from starlette.responses import Response

from findable.service_urls import API
from findable.web.api.openapi import document_bytes
from findable.web.problems import PLAIN_JSON
from findable.web.routing import Request, get


@get(f"{API}/openapi.json")
async def get_openapi(request: Request) -> Response:
    """Return the document."""
    return Response(document_bytes(request.urls.base_url), 200, {"Cache-Control": "public, max-age=300"}, PLAIN_JSON)
