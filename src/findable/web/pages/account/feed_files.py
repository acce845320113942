"""Files of feeds: Atom for feed readers, CSV and JSON for spreadsheets and dashboards."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable.clock import rfc3339
from findable.crawl.page_columns import PageRow
from findable.errors import NotFound
from findable.export.atom import MEDIA_TYPE, FeedEntry, atom
from findable.export.csv_rows import csv_line
from findable.notify.event_words import one_line
from findable.service.accounts.saved_views import ListName
from findable.service.crawls import crawl_lists, crawls
from findable.service.delivery import feeds
from findable.service.delivery.feeds import OpenFeed
from findable.service.projects import projects
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlQuery, CrawlStatus, CrawlView
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectQuery, ProjectView
from findable.service.values.report_values import ReportQuery, ReportView
from findable.service_urls import ServiceUrls
from findable.urls import project_words
from findable.vocabulary import Verdict
from findable.web.api import project_shapes, report_shapes
from findable.web.api.crawl_list_models import PageListQuery
from findable.web.api.report_routes import ReportListQuery
from findable.web.api.validation import fields_of, read
from findable.web.path_parts import without_nul
from findable.web.problems import encode_json
from findable.web.routing import Request, get

T = TypeVar("T")
ROWS = 1000
PER_PAGE = 100
HEADERS = {"Referrer-Policy": "no-referrer", "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex"}
_REPORT_COLUMNS = ("url", "project", "title", "result", "score", "status", "generated_at", "html")
_PROJECT_COLUMNS = ("project", "result", "score", "pages", "last_generated_at", "html")
_PAGE_COLUMNS = ("url", "status", "title", "score", "indexable", "reason", "depth", "inlinks", "words", "failed", "warned")


class FeedTable(Struct, frozen=True):
    """Items of a feed, with functions that convert one item to each format."""

    columns: tuple[str, ...]
    items: Iterator[Any]
    cells: Callable[[Any], Sequence[object]]
    json: Callable[[Any], object]
    entry: Callable[[Any], FeedEntry]


@get("/feeds/{token}")
async def get_feed(request: Request, token: str) -> Response:
    """Return the feed of a secret URL as Atom, or as CSV or JSON if the URL ends with ``.csv`` or ``.json``."""
    secret, _, form = without_nul(token).partition(".")
    if form not in _FORMS:
        raise NotFound
    media_type, write_body = _FORMS[form]
    return Response(await request.service.run(_body, secret, request.urls, write_body), headers=HEADERS, media_type=media_type)


def _body(service: Service, token: str, urls: ServiceUrls, write_body: "Callable[[Service, OpenFeed, ServiceUrls], bytes]") -> bytes:
    return write_body(service, feeds.open_feed(service, token), urls)


def _as_atom(service: Service, feed: OpenFeed, urls: ServiceUrls) -> bytes:
    if feed.view is None:
        return atom(feeds.alerts(service, feed))
    table = _table(service, feed, urls)
    return atom(feeds.document(service, feed, [table.entry(item) for item in islice(table.items, feeds.ENTRIES)]))


def _as_csv(service: Service, feed: OpenFeed, urls: ServiceUrls) -> bytes:
    table = _table(service, feed, urls)
    return b"".join([csv_line(table.columns), *(csv_line(map(_cell, table.cells(item))) for item in islice(table.items, ROWS))])


def _as_json(service: Service, feed: OpenFeed, urls: ServiceUrls) -> bytes:
    table = _table(service, feed, urls)
    return encode_json({"data": [table.json(item) for item in islice(table.items, ROWS)]})


_FORMS = {
    "": (MEDIA_TYPE, _as_atom),
    "csv": ("text/csv; charset=utf-8", _as_csv),
    "json": ("application/json", _as_json),
}


def _cell(value: object) -> object:
    return "" if value is None else int(value) if isinstance(value, bool) else value


def _table(service: Service, feed: OpenFeed, urls: ServiceUrls) -> FeedTable:
    if feed.view is not None and feed.view.list is ListName.PAGES:
        return _pages(service, feed, feed.view.query, urls)
    if feed.view is None and not feed.project:
        return _projects(service, feed, urls)
    saved = read(ReportListQuery, dict(parse_qsl(feed.view.query))).to_query() if feed.view is not None else ReportQuery()
    wanted = replace(saved, project=feed.project, per_page=PER_PAGE)
    return FeedTable(
        _REPORT_COLUMNS,
        _all_rows(lambda cursor: reports.find(service, feed.caller, replace(wanted, cursor=cursor))),
        lambda item: _report_cells(item, urls),
        lambda item: report_shapes.summary(item, urls),
        lambda item: _report_entry(item, urls),
    )


def _projects(service: Service, feed: OpenFeed, urls: ServiceUrls) -> FeedTable:
    found = _all_rows(lambda cursor: projects.find(service, feed.caller, ProjectQuery(per_page=PER_PAGE, cursor=cursor)))
    return FeedTable(
        _PROJECT_COLUMNS,
        found,
        lambda item: _project_cells(item, urls),
        lambda item: project_shapes.project(item, urls),
        lambda item: _project_entry(item, urls),
    )


def _pages(service: Service, feed: OpenFeed, saved: str, urls: ServiceUrls) -> FeedTable:
    """Return the pages of the project's newest finished crawl, in the order of the saved view; an empty table without a crawl."""
    fields = {name: value for name, value in parse_qsl(saved) if name in fields_of(PageListQuery)}
    wanted = replace(read(PageListQuery, fields).to_query(), per_page=PER_PAGE)
    newest = crawls.find(service, feed.caller, CrawlQuery(project=feed.project, status=CrawlStatus.DONE, per_page=10)).items[:1]

    def rows_of_crawl(crawl: CrawlView) -> Iterator[PageRow]:
        return _all_rows(lambda cursor: crawl_lists.pages(service, feed.caller, crawl.id, replace(wanted, cursor=cursor)))

    found = chain.from_iterable(map(rows_of_crawl, newest))
    return FeedTable(_PAGE_COLUMNS, found, _page_cells, lambda item: item, lambda item: _page_entry(item, newest[0], urls))


def _all_rows(page_of: Callable[[str], Page[T]]) -> Iterator[T]:
    """Yield the items of a paginated list, and load each page only when it is reached."""
    cursor: str | None = ""
    while cursor is not None:
        page = page_of(cursor)
        yield from page.items
        cursor = page.next_cursor


def _report_cells(item: ReportView, urls: ServiceUrls) -> Sequence[object]:
    generated_at = rfc3339(item.generated_at) if item.generated_at else None
    return (
        item.url,
        item.project,
        item.listed.title,
        item.result,
        item.score,
        item.status.value,
        generated_at,
        urls.share_page(item.public_id),
    )


def _report_entry(item: ReportView, urls: ServiceUrls) -> FeedEntry:
    page = urls.share_page(item.public_id)
    rated = f"{item.score} {item.result.value}" if item.result and item.score is not None else item.status.value
    title = one_line(f"{item.url}: {rated}")
    return FeedEntry(f"{page}#run-{item.run or 0}", title, rfc3339(item.generated_at or item.created_at), page)


def _project_cells(item: ProjectView, urls: ServiceUrls) -> Sequence[object]:
    generated_at = rfc3339(item.last_generated_at) if item.last_generated_at else None
    return item.name, item.result, item.score, item.pages_count, generated_at, urls.project_page(item.name)


def _project_entry(item: ProjectView, urls: ServiceUrls) -> FeedEntry:
    page = urls.project_page(item.name)
    return FeedEntry(page, one_line(project_words(item.name, item.title)), rfc3339(item.created_at), page)


def _page_cells(item: PageRow) -> Sequence[object]:
    failed, warned = (" ".join(item.verdicts.get(verdict.value, ())) for verdict in (Verdict.FAILED, Verdict.WARNED))
    own = (item.url, item.status, item.title, item.score, item.indexable, item.reason, item.depth, item.inlinks, item.words)
    return *own, failed, warned


def _page_entry(item: PageRow, crawl: CrawlView, urls: ServiceUrls) -> FeedEntry:
    page = f"{urls.site_page(crawl.public_id)}/pages/{item.n}"
    title = one_line(f"{item.url}: {item.status}" + (f", {item.score}" if item.score is not None else ""))
    return FeedEntry(page, title, rfc3339(crawl.finished_at or crawl.created_at), page)
