"""The description of the interface: the OpenAPI document and a page that tries it out."""

from litestar import Response, get

from findable.web.api.api_urls import API
from findable.web.api.exchange import ApiRequest, raw_reply
from findable.web.api.openapi import document, document_bytes
from findable.web.middleware import PAGE_HEADERS
from findable.web.pages.shared.rendering import page


@get(f"{API}/openapi.json")
async def get_openapi(request: ApiRequest) -> Response[bytes]:
    """The document."""
    headers = {"Cache-Control": "public, max-age=300"}
    return raw_reply(document_bytes(request.app.state.addresses.base_url), headers=headers)


@get(f"{API}/docs")
async def get_docs(request: ApiRequest) -> Response[bytes]:
    """A page made from the document; forms send their request from the browser, with the key that is typed there."""
    base_url = request.app.state.addresses.base_url
    return page("api.html", headers=dict(PAGE_HEADERS), document=document(base_url))
