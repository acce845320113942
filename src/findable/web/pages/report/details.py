"""Pages of the long lists of a report: links, images, headings and others, also as CSV."""

from collections.abc import Mapping
from typing import ClassVar

from starlette.responses import Response

from findable.errors import NotFound
from findable.export.crawl_files import table_csv
from findable.reports.titles import readable_url
from findable.service.values.report_values import ReportView
from findable.web.pages.report.detail_tables import LISTS, DetailQuery, DetailTable, detail_query, detail_table, wanted_rows
from findable.web.pages.report.downloads import file_name
from findable.web.pages.report.owner_presentation import Brand, brand_of
from findable.web.pages.report.share import Visit, cached_response, requested_language, requested_run, visit_of
from findable.web.pages.shared.attachments import attachment
from findable.web.pages.shared.page_templates import Bar, PageContext, page_bytes
from findable.web.pages.shared.untrusted_text import visible
from findable.web.pages.shared.viewer import bar_of
from findable.web.routing import Request, get


class DetailsPage(PageContext, frozen=True):
    """Variables of details.html."""

    template: ClassVar[str] = "details.html"
    bar: Bar | None
    """Bar at the top; None for guests."""
    name: str
    """Title of the page, or its URL."""
    brand: Brand | None
    page: str
    """Path of the report."""
    table: DetailTable


@get("/r/{public_id}/details/{name}")
def get_details(request: Request, public_id: str, name: str) -> Response:
    """Show a long list of a report: sorted by ``sort``, with ``q`` and the columns as filters; ``links.csv`` is the list as a file.

    Raises NotFound for readers who may not see the report or its facts.
    """
    list_name, _, ending = name.partition(".")
    if list_name not in LISTS or ending not in ("", "csv"):
        raise NotFound
    run, language = requested_run(request), requested_language(request)
    query = detail_query(list_name, request.query)
    visit = visit_of(request.service, public_id, request.headers, run, language)
    report = visit.access.report
    if report is None or report.report is None or not (visit.access.is_owner or visit.access.presentation.client.shows("facts")):
        raise NotFound
    made = _file(visit, report, list_name, query) if ending else _page(visit, report, list_name, query)
    more = _file_headers(visit, report, list_name) if ending else {}
    media_type = "text/csv" if ending else "text/html"
    return cached_response(visit.access, report, request.headers, lambda: made, more, visit.variant, media_type)


def _file_headers(visit: Visit, report: ReportView, list_name: str) -> Mapping[str, str]:
    return attachment(file_name(report, f"{list_name}.csv", visit.access.presentation.brand))


def _page(visit: Visit, report: ReportView, list_name: str, query: DetailQuery) -> bytes:
    found = report.report
    path = f"/r/{report.public_id}"
    table = detail_table(list_name, found.facts, visit.say, f"{path}/details/{list_name}", query, is_whole=True) if found else None
    if found is None or table is None:
        raise NotFound
    name = visible(found.facts.page_title or readable_url(found.url))
    brand = brand_of(visit.access.presentation.brand, path)
    return page_bytes(DetailsPage(bar_of(visit.caller) if visit.access.is_owner else None, name, brand, path, table), visit.say)


def _file(visit: Visit, report: ReportView, list_name: str, query: DetailQuery) -> bytes:
    every = LISTS[list_name].rows(report.report.facts) if report.report else None
    if report.report is None or not every:
        raise NotFound
    return b"".join(table_csv(type(every[0]), wanted_rows(list_name, report.report.facts, query, visit.data_say)))
