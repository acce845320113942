"""Icon, preview image, screenshots and filmstrip of a reported page, for people who may see the report."""

from functools import partial

from starlette.responses import Response

from findable.errors import NotFound
from findable.service.reports import stored_images
from findable.service.reports.stored_images import Kind
from findable.web.pages.report.report_visit import REPORT_PAGES, ReportVisit
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.pages.shared.page_templates import static_url

IMAGE_FILES: dict[str, Kind] = {
    "icon.png": "icon",
    "card.png": "card",
    "phone.png": "phone",
    "desktop.png": "desktop",
    "filmstrip.webp": "filmstrip",
}
PLACEHOLDERS: dict[Kind, str] = {"icon": "no-icon.svg", "card": "no-card.svg"}
"""Placeholders for missing or undecodable images."""


def _image(name: str, kind: Kind, visit: ReportVisit) -> Response:
    """Return an image of the report, or redirect to its placeholder."""
    if kind in PLACEHOLDERS:
        visit.require("outside")
    data = stored_images.image_of_report(visit.service, visit.report, kind)
    if data is None and kind not in PLACEHOLDERS:
        raise NotFound
    variant = f"-{stored_images.name_of(data)}" if data else "-none"
    media_type = f"image/{name.rpartition('.')[2]}"
    response = visit.response(lambda: data or b"", media_type, {"Content-Security-Policy": SANDBOX}, variant)
    if data is None:
        response.status_code, response.headers["Location"] = 302, static_url(PLACEHOLDERS[kind])
    return response


IMAGES = tuple(REPORT_PAGES.viewer_page(f"/{name}")(partial(_image, name, kind)) for name, kind in IMAGE_FILES.items())
