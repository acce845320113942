"""Absolute URLs of the service, from the configured base URL and never from a request's Host."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct

from findable.service.values.paging import Page

API = "/api/v1"
DEEP = 10_000
"""Row from which the next page has a cursor: counting up to it would cost more each time."""


class ListLinks(Struct, frozen=True):
    """URLs of other pages of a list; `prev` and `next` are by page near the start of a list, by cursor deep in it."""

    first: str
    last: str | None
    prev: str | None
    next: str | None
    prev_cursor: str | None
    next_cursor: str | None


class ServiceUrls(Struct, frozen=True):
    """All URLs of the service."""

    base_url: str

    @property
    def check_docs(self) -> str:
        """URL of the checks' pages."""
        return f"{self.base_url}/docs/checks"

    def check(self, check_id: str) -> str:
        """URL of a check in the API."""
        return f"{self.base_url}{API}/checks/{check_id}"

    def report(self, report_id: int) -> str:
        """URL of a report in the API."""
        return f"{self.base_url}{API}/reports/{report_id}"

    def run(self, report_id: int, run: int) -> str:
        """URL of a run of a report."""
        return f"{self.report(report_id)}/runs/{run}"

    def share_page(self, public_id: str) -> str:
        """URL of a report's page."""
        return f"{self.base_url}/r/{public_id}"

    def site_page(self, public_id: str) -> str:
        """URL of the page of a crawl."""
        return f"{self.base_url}/s/{public_id}"

    def batch(self, batch_id: int) -> str:
        """URL of a batch in the API."""
        return f"{self.base_url}{API}/batches/{batch_id}"

    def crawl(self, crawl_id: int) -> str:
        """URL of a crawl in the API."""
        return f"{self.base_url}{API}/crawls/{crawl_id}"

    def batch_page(self, batch_id: int) -> str:
        """URL of a batch's page."""
        return f"{self.base_url}/batches/{batch_id}"

    def project(self, name: str) -> str:
        """URL of a project in the API."""
        return f"{self.base_url}{API}/projects/{_quoted(name)}"

    def project_page(self, name: str) -> str:
        """URL of a project's page."""
        return f"{self.base_url}/projects/{_quoted(name)}"

    def reports_of(self, project: str) -> str:
        """URL of the reports of a project."""
        return f"{self.base_url}{API}/reports?{urlencode({'project': project})}"


@lru_cache(maxsize=1024)
def _quoted(name: str) -> str:
    """Quote a name; cached, because lists repeat names."""
    return quote(name, safe="")


def list_links(page: Page[Any], path: str, query: Mapping[str, Any]) -> ListLinks:
    """Return the other pages of a list, with the rest of the query unchanged."""
    kept = {name: value for name, value in query.items() if name not in ("page", "cursor") and isinstance(value, str)}

    def numbered(number: int) -> str:
        return f"{path}?{urlencode({**kept, 'page': number})}"

    def by_cursor(cursor: str | None) -> str | None:
        return f"{path}?{urlencode({**kept, 'cursor': cursor})}" if cursor else None

    previous, following = by_cursor(page.prev_cursor), by_cursor(page.next_cursor)
    is_shallow = page.page is not None and following and page.page * page.per_page < DEEP
    return ListLinks(
        first=numbered(1),
        last=None if page.total_is_estimate else numbered(page.last_page),
        prev=numbered(page.page - 1) if page.page is not None and page.page > 1 else previous,
        next=numbered(page.page + 1) if page.page is not None and is_shallow else following,
        prev_cursor=previous,
        next_cursor=following,
    )


def links_by_place(path: str, query: Mapping[str, Any], following: int | None) -> ListLinks:
    """Return the links of a forward-only list that continues after the number of its last item (`before`); None at its end."""
    kept = {name: value for name, value in query.items() if name != "before" and isinstance(value, str)}
    further = f"{path}?{urlencode({**kept, 'before': following})}" if following is not None else None
    first = f"{path}?{urlencode(kept)}" if kept else path
    return ListLinks(first=first, last=None, prev=None, next=further, prev_cursor=None, next_cursor=further)


def links_by_cursor(path: str, query: Mapping[str, Any], following: str | None) -> ListLinks:
    """Return the links of a forward-only list that continues after a cursor; None at its end."""
    kept = {name: value for name, value in query.items() if name != "cursor" and isinstance(value, str)}
    further = f"{path}?{urlencode({**kept, 'cursor': following})}" if following is not None else None
    first = f"{path}?{urlencode(kept)}" if kept else path
    return ListLinks(first=first, last=None, prev=None, next=further, prev_cursor=None, next_cursor=further)


def link_header(links: ListLinks) -> str:
    """Return the `Link` header of a list (RFC 8288)."""
    found = {"first": links.first, "prev": links.prev, "next": links.next, "last": links.last}
    return ", ".join(f'<{url}>; rel="{name}"' for name, url in found.items() if url)
