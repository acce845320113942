"""The reports of a project as a CSV file."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.responses import Response, StreamingResponse

from findable.clock import rfc3339
from findable.errors import BadRequest, ValidationFailed
from findable.export.csv_rows import csv_head
from findable.export.report_csv import list_rows
from findable.service.projects import project_reports, projects
from findable.service.reports import reports
from findable.service.reports.page_metrics import PageMetrics
from findable.service.runtime.service import Service
from findable.service.values.paging import Page
from findable.service.values.report_values import ReportQuery, ReportView
from findable.service_urls import ServiceUrls
from findable.vocabulary import Verdict
from findable.web.pages.project.project_lists import report_query
from findable.web.pages.shared.attachments import attachment, in_file_name
from findable.web.pages.shared.lines import NO_SUCH_LIST
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import signed_in
from findable.web.path_parts import without_nul
from findable.web.routing import Request, get

CSV_AT_ONCE = 100
"""Reports read at a time, an allowed page size."""
MAX_CSV_ROWS = 100_000


@get("/projects/{project}/reports.csv")
async def get_project_csv(request: Request, project: str) -> Response:
    """Return the reports of a project as CSV, with filters and order of the query; at most MAX_CSV_ROWS rows."""
    service = request.service
    at = request.urls
    signed_in_request = request.headers
    caller = await service.run(signed_in, signed_in_request)
    if caller is None:
        return see_other("/sign-in")
    view = await service.run(projects.get, caller, without_nul(project))
    try:
        query = replace(report_query(request.query), project=view.name, per_page=CSV_AT_ONCE, pages_only=True)
        first = await service.run(reports.find, caller, query)
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    numbers = await service.run(project_reports.metrics_of_pages, caller, view.name)
    rows = _csv(service, signed_in_request, query, first, numbers, at)
    named = attachment(f"findable-{in_file_name(view.name)}.csv")
    return StreamingResponse(rows, media_type="text/csv", headers=named)


async def _csv(
    service: Service, headers: Mapping[str, str], query: ReportQuery, first: Page[ReportView], numbers: PageMetrics, urls: ServiceUrls
) -> AsyncIterator[bytes]:
    """Yield the CSV one page of the list at a time, to limit memory and database load. It ends early if the session ends."""
    columns = (*COLUMNS, *numbers.columns)
    yield csv_head(columns)
    page, count = first, 0
    while True:
        yield list_rows([{**numbers.row(view.url), **_row(view, urls)} for view in page.items], columns)
        count += len(page.items)
        if page.next_cursor is None or count >= MAX_CSV_ROWS:
            return
        caller = await service.run(signed_in, headers)
        if caller is None:
            return
        page = await service.run(reports.find, caller, replace(query, cursor=page.next_cursor))


def _row(view: ReportView, urls: ServiceUrls) -> dict[str, Any]:
    return {**{name: read(view) for name, read in COLUMNS.items()}, "report": urls.share_page(view.public_id)}


def _count_of(view: ReportView, verdict: Verdict) -> int | None:
    """Return the number of findings with a verdict; None without a result."""
    return (msgspec.json.decode(view.listed.counts, type=dict[str, int] | None) or {}).get(verdict)


COLUMNS: Mapping[str, Callable[[ReportView], Any]] = {
    "url": lambda view: view.url,
    "status": lambda view: view.status.value,
    "result": lambda view: view.result.value if view.result else None,
    "score": lambda view: view.score,
    "change": lambda view: view.previous.change if view.previous else None,
    "coverage": lambda view: view.coverage,
    "failed": lambda view: _count_of(view, Verdict.FAILED),
    "warned": lambda view: _count_of(view, Verdict.WARNED),
    "privacy": lambda view: view.privacy.name.lower(),
    "created_at": lambda view: rfc3339(view.created_at),
    "generated_at": lambda view: rfc3339(view.generated_at) if view.generated_at else None,
    "error": lambda view: view.error.code if view.error else None,
    "report": lambda _: "",
    "final_url": lambda view: view.listed.final_url,
}
"""Cells by the name of their column, without the URL of the report."""
