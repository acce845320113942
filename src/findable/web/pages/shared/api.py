"""Page that shows the API from its OpenAPI document and sends test requests."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from starlette.responses import Response

from findable.service_urls import API
from findable.web.api.openapi import document
from findable.web.pages.shared.page_templates import html, render
from findable.web.response_headers import PAGE_HEADERS
from findable.web.routing import Request, get

MANY_CHOICES = 50


@get(f"{API}/docs")
async def get_docs(request: Request) -> Response:
    """Return the page generated from the OpenAPI document; its forms send requests from the browser, with the typed key."""
    described = document(request.urls.base_url)
    return html(render("api.html", document=described, long_choices=_long_choices(described)), headers=dict(PAGE_HEADERS))


def _long_choices(described: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return enumerations of more than MANY_CHOICES values by parameter name; the page prints each of them only once."""
    operations = (item for path in described["paths"].values() for item in path.values() if isinstance(item, dict))
    parameters = chain.from_iterable(operation.get("parameters", ()) for operation in operations)
    return {found["name"]: found["schema"]["enum"] for found in parameters if len(found["schema"].get("enum", ())) > MANY_CHOICES}
