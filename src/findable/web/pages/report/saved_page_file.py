"""The saved page of a report's run as a file: for whoever may see that run, and for nobody else."""

from starlette.responses import Response

from findable.web.pages.report.downloads import SANDBOX
from findable.web.pages.report.share import NOT_PUBLIC, run_asked_for, saved_page_for
from findable.web.routing import Request, get


@get("/r/{public_id}/evidence")
async def get_evidence(request: Request, public_id: str) -> Response:
    """The page and all answers as they were seen, JSON; its SHA-256 stands on the report."""
    service = request.service
    saved = await service.run(saved_page_for, public_id, request.headers, run_asked_for(request))
    headers = {**NOT_PUBLIC, "Content-Security-Policy": SANDBOX, "Content-Disposition": 'attachment; filename="findable-evidence.json"'}
    return Response(saved, media_type="application/json", headers=headers)
