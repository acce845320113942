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

    def shared_project(self, public_id: str) -> str:
        """URL of the page of a project for people with its link."""
        return f"{self.base_url}/p/{public_id}"

    def batch(self, batch_id: int) -> str:
        """URL of a batch in the API."""
        return f"{self.base_url}{API}/batches/{batch_id}"

    def crawl(self, crawl_id: int) -> str:
        """URL of a crawl in the API."""
        return f"{self.base_url}{API}/crawls/{crawl_id}"

    def schedule(self, schedule_id: int) -> str:
        """URL of a schedule in the API."""
        return f"{self.base_url}{API}/schedules/{schedule_id}"

    def webhook(self, webhook_id: int) -> str:
        """URL of a webhook in the API."""
        return f"{self.base_url}{API}/webhooks/{webhook_id}"

    def webhook_page(self, webhook_id: int) -> str:
        """URL of the page of a webhook."""
        return f"{self.base_url}/account/webhooks/{webhook_id}"

    def alert(self, alert_id: int) -> str:
        """URL of an alert in the API."""
        return f"{self.base_url}{API}/alerts/{alert_id}"

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
    base = _list_url(path, query, "page", "cursor")

    def by_cursor(cursor: str | None) -> str | None:
        return f"{base}cursor={cursor}" if cursor else None

    previous, following = by_cursor(page.prev_cursor), by_cursor(page.next_cursor)
    is_shallow = page.page is not None and following and page.page * page.per_page < DEEP
    return ListLinks(
        first=f"{base}page=1",
        last=None if page.total_is_estimate else f"{base}page={page.last_page}",
        prev=f"{base}page={page.page - 1}" if page.page is not None and page.page > 1 else previous,
        next=f"{base}page={page.page + 1}" if page.page is not None and is_shallow else following,
        prev_cursor=previous,
        next_cursor=following,
    )


def links_forward(path: str, query: Mapping[str, Any], name: str, following: int | str | None) -> ListLinks:
    """Return the links of a forward-only list; ``name`` is the parameter that says where it continues, ``following`` its next value."""
    base = _list_url(path, query, name)
    further = None if following is None else f"{base}{name}={following}"
    return ListLinks(first=base[:-1], last=None, prev=None, next=further, prev_cursor=None, next_cursor=further)


def _list_url(path: str, query: Mapping[str, Any], *without: str) -> str:
    """Return the URL of a list with the rest of its query, ready for one more parameter. Cursors need no quoting."""
    kept = {name: value for name, value in query.items() if name not in without and isinstance(value, str)}
    return f"{path}?{urlencode(kept)}&" if kept else f"{path}?"


def link_header(links: ListLinks) -> str:
    """Return the `Link` header of a list (RFC 8288)."""
    found = {"first": links.first, "prev": links.prev, "next": links.next, "last": links.last}
    return ", ".join(f'<{url}>; rel="{name}"' for name, url in found.items() if url)
