"""Saved page of a report's run as a file, for people who may see that run."""

from starlette.responses import Response

from findable.web.pages.report.owner_presentation import file_prefix
from findable.web.pages.report.share import NOT_PUBLIC, requested_run, saved_page_for, visit_of
from findable.web.pages.shared.attachments import attachment
from findable.web.routing import Request, get


@get("/r/{public_id}/evidence")
async def get_evidence(request: Request, public_id: str) -> Response:
    """Return the page and all responses as JSON; the report contains its SHA-256."""
    service = request.service
    run = requested_run(request)
    saved = await service.run(saved_page_for, public_id, request.headers, run)
    visit = await service.run(visit_of, public_id, request.headers, run)
    name = f"{file_prefix(visit.access.presentation.brand)}-evidence.json"
    return Response(saved, media_type="application/json", headers={**NOT_PUBLIC, **attachment(name)})
