"""Icon, preview image, screenshots and filmstrip of a reported page, and the logo of its owner, for people who may see the report."""

from starlette.responses import Response

from findable.errors import NotFound
from findable.service.reports import stored_images
from findable.service.reports.stored_images import Kind
from findable.web.pages.report.share import cached_response, visit_of
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.pages.shared.page_templates import static_url
from findable.web.routing import Request, get

IMAGE_FILES: dict[str, Kind] = {
    "icon.png": "icon",
    "card.png": "card",
    "logo.png": "logo",
    "phone.png": "phone",
    "desktop.png": "desktop",
    "filmstrip.webp": "filmstrip",
}
PLACEHOLDERS: dict[Kind, str] = {"icon": "no-icon.svg", "card": "no-card.svg"}
"""Placeholders for missing or undecodable images; a report without a logo has none."""


@get(*[f"/r/{{public_id}}/{name}" for name in IMAGE_FILES])
def get_image(request: Request, public_id: str) -> Response:
    """Return an image of the report, or redirect to its placeholder."""
    name = request.scope["path"].rstrip("/").rpartition("/")[2]
    kind = IMAGE_FILES[name]
    shared = visit_of(request.service, public_id, request.headers).access
    report = shared.report
    is_hidden = kind in PLACEHOLDERS and not (shared.is_owner or shared.presentation.client.shows("outside"))
    if report is None or is_hidden:
        raise NotFound
    data = stored_images.image_of_report(request.service, report, kind)
    if data is None and kind not in PLACEHOLDERS:
        raise NotFound
    variant = f"-{stored_images.name_of(data)}" if data else "-none"
    media_type = f"image/{name.rpartition('.')[2]}"
    response = cached_response(
        shared, report, request.headers, lambda: data or b"", {"Content-Security-Policy": SANDBOX}, variant, media_type
    )
    if data is None:
        response.status_code, response.headers["Location"] = 302, static_url(PLACEHOLDERS[kind])
    return response
