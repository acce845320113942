"""Run all pages of a project again."""

from findable.service.accounts.permissions import require
from findable.service.projects import projects
from findable.service.reports import batches, reports
from findable.service.reports.batches import MAX_URLS, BatchView, NewBatch
from findable.service.runtime.service import Service
from findable.service.values.caller import WRITE, Caller
from findable.service.values.report_values import ReportQuery

AT_ONCE = 100
"""Number of reports read at once, an allowed page size."""


def run_again(service: Service, caller: Caller, project: str) -> BatchView:
    """Queue a run of each page of a project, up to MAX_URLS, as a batch.

    Raises NotFound, Forbidden for people who may not create batches, ValidationFailed without pages.
    """
    require(caller, WRITE)
    view = projects.get(service, caller, project)
    urls: list[str] = []
    cursor: str | None = ""
    while cursor is not None and len(urls) < MAX_URLS:
        page = reports.find(service, caller, ReportQuery(project=view.name, per_page=AT_ONCE, pages_only=True, cursor=cursor))
        urls += [view.url for view in page.items]
        cursor = page.next_cursor
    return batches.create(service, caller, NewBatch(urls[:MAX_URLS])).batch
