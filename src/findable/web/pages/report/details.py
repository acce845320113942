"""Pages of the long lists of a report: links, images, headings and others, also as CSV."""

from starlette.responses import Response

from findable.crawl.exported_table import table_of
from findable.errors import NotFound
from findable.export.table_files import table_csv
from findable.reports.titles import readable_url
from findable.web.pages.report.detail_tables import LISTS, DetailTable, detail_query, detail_table, wanted_rows
from findable.web.pages.report.report_visit import REPORT_PAGES, ReportVisit
from findable.web.pages.result.files import file_name
from findable.web.pages.result.presentation import Brand, brand_of
from findable.web.pages.shared.attachments import attachment
from findable.web.pages.shared.page_templates import Bar, PageContext, page_bytes
from findable.web.pages.shared.untrusted_text import visible
from findable.web.pages.shared.viewer import bar_of


class DetailsPage(PageContext, frozen=True):
    """Variables of details.html."""

    bar: Bar | None
    """Bar at the top; None for guests."""
    name: str
    """Title of the page, or its URL."""
    brand: Brand | None
    page: str
    """Path of the report."""
    table: DetailTable


@REPORT_PAGES.viewer_page("/details/{name}")
def get_details(visit: ReportVisit, name: str) -> Response:
    """Show a long list of a report: sorted by ``sort``, with the columns as filters; ``links.csv`` is the list as a file.

    Raises NotFound for readers who may not see the facts.
    """
    list_name, _, ending = name.partition(".")
    visit.require("facts")
    if list_name not in LISTS or ending not in ("", "csv") or visit.report.report is None:
        raise NotFound
    query, facts, brand = detail_query(list_name, visit.query), visit.report.report.facts, visit.presentation.brand
    if ending:
        every = LISTS[list_name].rows(facts)
        if not every:
            raise NotFound
        file = table_of(list_name, type(every[0]), wanted_rows(list_name, facts, query))
        return visit.response(lambda: b"".join(table_csv(file)), "text/csv", attachment(file_name(brand, *visit.file_parts, name)))
    table = detail_table(list_name, facts, visit.say, f"{visit.path}/details/{list_name}", query, is_whole=True)
    if table is None:
        raise NotFound
    title = visible(facts.page_title or readable_url(visit.report.report.url))
    page = DetailsPage(bar_of(visit.caller) if visit.access.is_owner else None, title, brand_of(brand, visit.path), visit.path, table)
    return visit.response(lambda: page_bytes(page, visit.say))
