"""Uploaded metrics of pages with reports, matched by URL."""

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from findable.crawl.page_selection import Span
from findable.errors import ValidationFailed
from findable.formats.number_tables import NumberTable, shown_number
from findable.service.reports.bot_metrics import bot_table
from findable.service.reports.hit_results import HitResults
from findable.service.reports.report_lists import selection_of
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.paging import ListOrder, Page, cut_sorted
from findable.service.values.report_values import ReportQuery, ReportSort
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from findable.urls import origin_part
from findable.wording import Message, later


class PageMetrics(Struct, frozen=True):
    """Uploaded metrics of a project, by the URL of a page."""

    places: dict[str, tuple[NumberTable, int]]
    """Table and position of each column; for equal columns, the newest upload counts."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.places)

    def value(self, url: str, column: str) -> float | None:
        """Return the value of a page; None if it has none. Rows may have absolute URLs, or paths."""
        table, place = self.places[column]
        row = table.rows.get(url) or table.rows.get(url[len(origin_part(url)) :])
        return row[place] if row else None

    def row(self, url: str) -> dict[str, float | str | None]:
        """Return the metrics of a page by column, as people read them."""
        values = ((column, self.value(url, column)) for column in self.places)
        return {column: None if value is None else shown_number(column, value) for column, value in values}


NO_METRICS = PageMetrics({})


def metrics_of(service: Service, session: Session, project_id: int) -> PageMetrics:
    """Return the uploaded metrics of a project, and the requests of bots in its access logs."""
    places: dict[str, tuple[NumberTable, int]] = {}
    for table in session.url_data.tables(project_id, [row.source for row in session.url_data.of_project(project_id)]):
        for place, name in enumerate(table.columns):
            places.setdefault(name, (table, place))
    if found := bot_table(HitResults(service, session, project_id)):
        for place, name in enumerate(found.columns):
            places.setdefault(name, (found, place))
    return PageMetrics(places)


MAX_LISTED = 10_000
"""Number of newest reports among which a list by metric selects."""
_NEEDS_PROJECT = later("The data field needs a project.")
_NO_COLUMN = later("There is no uploaded column with this name. Available columns: %(names)s.")
_COLUMN_REQUIRED = later("Send the name of an uploaded column as data.")


def require_metric(column: str | None, columns: Collection[str]) -> str:
    """Return the name of one of the uploaded columns. Raises ValidationFailed if none was sent, or there is no such column."""
    if column is None:
        raise ValidationFailed({"data": [_COLUMN_REQUIRED]})
    if column not in columns:
        raise ValidationFailed({"data": [Message(_NO_COLUMN, names=", ".join(columns) or "–")]})
    return column


def page_by_metric(service: Service, session: Session, caller: Caller, query: ReportQuery) -> Page[ReportRow] | None:
    """Return the reports of a project whose metric is in the range, or sorted by metric; None for an unknown project.

    Reports without the metric are excluded by every range, and last in both orders. Raises ValidationFailed.
    """
    if not query.project:
        raise ValidationFailed({"data": [_NEEDS_PROJECT]})
    by_number = query.sort_by is ReportSort.DATA
    stored = replace(query, sort_by=ReportSort.ID if by_number else query.sort_by, cursor="", page=1)
    selection = selection_of(session, caller, stored)
    if selection is None or selection.project_id is None:
        return None
    numbers = metrics_of(service, session, selection.project_id)
    column = require_metric(query.data, numbers.columns)
    rows = session.reports.select(replace(selection, limit=MAX_LISTED))
    values = {row.id: numbers.value(row.url, column) for row in rows}
    found = [row for row in rows if query.data_span is None or _is_within(values[row.id], query.data_span)]
    if by_number:
        found.sort(key=lambda row: _order(values[row.id], descending=query.descending))
    order = ListOrder(f"by-number-{query.sort_by}", query.descending)
    step = -1 if query.descending else 1
    page = cut_sorted([(step * place, row) for place, row in enumerate(found)], len(found), query, order, lambda item: (item[0], 1))
    return replace(page.with_items(row for _, row in page.items), total_is_estimate=len(rows) == MAX_LISTED)


def _is_within(value: float | None, span: Span) -> bool:
    return value is not None and (span.low is None or value >= span.low) and (span.high is None or value <= span.high)


def _order(value: float | None, *, descending: bool) -> tuple[bool, float]:
    return value is None, 0 if value is None else -value if descending else value
