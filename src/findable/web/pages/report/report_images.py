"""Icon, preview image and screenshots of a reported page, and the owner's logo, for people who may see the report: re-encoded PNGs."""

from starlette.responses import Response

from findable.errors import NotFound
from findable.service.reports import stored_images
from findable.service.reports.stored_images import Kind
from findable.service.runtime.service import Service
from findable.web.pages.report.share import PageReply, answered, looked_at
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.pages.shared.page_templates import static_address
from findable.web.routing import Request, get

KINDS: dict[str, Kind] = {"icon": "icon", "card": "card", "logo": "logo", "phone": "phone", "desktop": "desktop"}
PLACEHOLDERS: dict[Kind, str] = {"icon": "no-icon.svg", "card": "no-card.svg"}
"""Placeholders for missing or undecodable images; a report without a logo has none."""


@get(*[f"/r/{{public_id}}/{name}.png" for name in KINDS])
async def get_image(request: Request, public_id: str) -> Response:
    """Return one image, or redirect to its placeholder."""
    service = request.service
    headers = request.headers
    kind = KINDS[request.scope["path"].rstrip("/").rpartition("/")[2].removesuffix(".png")]

    def work(service: Service) -> PageReply:
        shared = looked_at(service, public_id, headers)
        report = shared.report
        is_hidden = kind in PLACEHOLDERS and not (shared.is_owner or shared.presentation.client.shows("outside"))
        if report is None or is_hidden:
            raise NotFound
        data = stored_images.of_report(service, report, kind)
        if data is None and kind not in PLACEHOLDERS:
            raise NotFound
        variant = f"-{stored_images.name_of(data)}" if data else "-none"
        made = answered(shared, report, headers, lambda: data or b"", {"Content-Security-Policy": SANDBOX}, variant)
        if data is None:
            return PageReply(b"", 302, {**made.headers, "Location": static_address(PLACEHOLDERS[kind])})
        return made

    answer = await service.run(work)
    return Response(answer.body, status_code=answer.status, media_type="image/png", headers=answer.headers)
