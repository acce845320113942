"""Signals in pages of a settled crawl, as raw data (roots) for site checks: findings of page checks with a common cause, and noindex."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import Connection, select

from findable.capture.crawl import Group, Reason, Refusal
from findable.capture.site_signals import CrawledNoindex, CrawledSignals
from findable.capture.status_classes import OK
from findable.crawl.found_by import FoundBy
from findable.crawl.site.counted import group_of_pages
from findable.crawl.site.signals import SignalCollector
from findable.crawl.state import CrawlState
from findable.store.crawl_reading import AT_ONCE, CrawlReading, top_score_threshold
from findable.store.crawl_schema import PAGE, PAGES, RECORD, SETTLED, SETTLED_PAGES, URL, WITH_RECORD
from findable.store.packed_pages import unpacked_record
from findable.store.record_pass import PassedPage
from findable.urls import host_of

LINKED_SHOWN = 50
"""Maximum number of noindex pages whose links are listed."""


class SignalRoots(CrawlReading):
    """Computes `CrawledSignals` and `CrawledNoindex` of one crawl."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._collected = SignalCollector(host_of(state.settings.start_url))
        self._redirecting: list[tuple[str, tuple[str, ...]]] = []
        self._indexable_count = 0

    # --- findings of page checks

    def add(self, page: PassedPage) -> None:
        """Read the signals of an indexable page, and the routes of one that redirects by a refresh."""
        collected, record = self._collected, page.record
        if page.reason:
            if page.reason == Reason.REDIRECT.value:
                self._redirecting.append((page.url, record.routes))
            return
        self._indexable_count += 1
        collected.add_routes(page.url, record.routes)
        if any(core.id in collected.readers for core in record.findings):
            for finding in page.all_findings()[: len(record.findings)]:
                if finding.id in collected.readers:
                    collected.readers[finding.id](page.url, page.template, finding)

    def signals(self) -> CrawledSignals:
        """Return the signals in records and findings of indexable pages, by cause."""
        collected = self._collected
        for page in self._redirecting:
            collected.add_routes(*page)
        for url, source in self._declared_hosts():
            collected.add_declared(url, source)
        empty = select(URL.c.url).join(PAGE, PAGE.c.id == URL.c.id).where(PAGE.c.reason == Reason.BLANK.value).order_by(URL.c.url)
        blank = group_of_pages(self._connection.execute(empty).yield_per(AT_ONCE).scalars())
        return structs.replace(collected.as_root(self._indexable_count), blank=blank)

    def _declared_hosts(self) -> Iterator[tuple[str, str]]:
        """Yield (URL, page that declares it) of canonical and hreflang links outside the crawl."""
        declared = URL.c.found_by.op("&")(int(FoundBy.CANONICAL | FoundBy.HREFLANG)) != 0
        source = URL.alias()
        chosen = select(URL.c.url, source.c.url.label("page")).join(source, source.c.id == URL.c.source)
        refused = chosen.where(declared, URL.c.refusal.in_((Refusal.SCOPE.value, Refusal.GUARD.value))).order_by(URL.c.id)
        for row in self._connection.execute(refused).yield_per(AT_ONCE):
            yield row.url, row.page

    # --- noindex

    def noindex(self) -> CrawledNoindex:
        """Return the noindex pages that are linked or that robots.txt disallows."""
        is_noindex = (PAGE.c.is_html, PAGE.c.reason == Reason.NOINDEX.value)
        linked = self._linked_noindex(*is_noindex)
        top = top_score_threshold(self._connection, PAGE.c.is_html, PAGE.c.status == OK)
        return CrawledNoindex(
            noindex_count=self.count(*is_noindex),
            linked=tuple(self.target(row.id) for row in linked),
            prominent=tuple(row.url for row in linked if row.link_score >= top),
            unread=self._disallowed_noindex(),
        )

    def _linked_noindex(self, *conditions: Any) -> list[Any]:
        chosen = select(URL.c.id, URL.c.url, SETTLED.c.link_score).select_from(SETTLED_PAGES).where(*conditions, SETTLED.c.linked_from > 0)
        is_other = URL.c.url != self._state.settings.start_url
        return list(self._connection.execute(chosen.where(is_other).order_by(SETTLED.c.linked_from.desc(), URL.c.url).limit(LINKED_SHOWN)))

    def _disallowed_noindex(self) -> Group | None:
        """Return the noindex pages that robots.txt disallows for Googlebot."""
        chosen = select(URL.c.url, RECORD.c.record).select_from(PAGES.join(RECORD, WITH_RECORD))
        blocked = chosen.where(PAGE.c.is_html, PAGE.c.reason == Reason.ROBOTS.value).order_by(URL.c.url)
        rows = self._connection.execute(blocked).yield_per(AT_ONCE)
        return group_of_pages(row.url for row in rows if unpacked_record(row.record, _NoindexRecord).noindex)


class _NoindexRecord(Struct, frozen=True):
    """Part of a record that shows whether the page is noindex."""

    noindex: bool = False
