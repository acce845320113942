"""The saved page of a report's run as a file: for whoever may see that run, and for nobody else."""

from litestar import Response, get
from litestar.params import FromPath

from findable.service.runtime.app import Service
from findable.web.pages.report.downloads import SANDBOX
from findable.web.pages.report.share import NOT_PUBLIC, run_asked_for, saved_page_for
from findable.web.pages.shared.rendering import PageRequest
from findable.web.request_context import header_map


@get("/r/{public_id:str}/evidence")
async def get_evidence(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """The page and all answers as they were seen, JSON; its SHA-256 stands on the report."""
    service: Service = request.app.state.service
    saved = await service.run(saved_page_for, public_id, header_map(request.scope["headers"]), run_asked_for(request))
    headers = {**NOT_PUBLIC, "Content-Security-Policy": SANDBOX, "Content-Disposition": 'attachment; filename="findable-evidence.json"'}
    return Response(saved, media_type="application/json", headers=headers)
