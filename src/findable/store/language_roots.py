"""Language versions of the pages of a settled crawl, as raw data (a root) for site checks."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sqlalchemy import select

from findable.capture.site_languages import CrawledLanguages
from findable.capture.status_classes import OK
from findable.crawl.site.languages import VersionFaults, VersionLists, VersionPage
from findable.crawl.url_keys import url_key
from findable.crawl.url_parameters import without_parameters
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import ALL_URLS, PAGE, RECORD, SETTLED, URL, WITH_VERSIONS
from findable.store.dialect import stream_rows
from findable.store.packed_pages import versions_of
from findable.store.rows_by_id import rows_in

MAX_CACHED_LISTS = 2048


class LanguageRoots(CrawlReading):
    """Computes `CrawledLanguages` of one crawl."""

    def languages(self) -> CrawledLanguages:
        """Return the language versions of the site, and their faults."""
        lists = self._lists()
        versions = lru_cache(MAX_CACHED_LISTS)(self._versions)
        faults = VersionFaults(lists, versions)
        for members in lists.members.values():
            declared = versions(members[0])
            faults.compare(declared, list(self._pages_of(members)), self._pages([url for _, url in declared]))
        return faults.as_root()

    def _lists(self) -> VersionLists:
        """Return the pages by the list of versions that they declare."""
        lists = VersionLists()
        joined = PAGE.outerjoin(RECORD, WITH_VERSIONS)
        chosen = select(PAGE.c.id, PAGE.c.reason, RECORD.c.record).select_from(joined)
        chosen = chosen.where(PAGE.c.is_html, PAGE.c.status == OK).order_by(PAGE.c.id)
        for number, reason, record in stream_rows(self._connection, chosen):
            lists.add(number, versions_of(record), is_indexable=not reason)
        return lists

    def _versions(self, number: int) -> tuple[tuple[str, str], ...]:
        return versions_of(self._connection.execute(select(RECORD.c.record).where(RECORD.c.id == number)).scalar_one())

    def _pages(self, urls: Sequence[str]) -> dict[str, VersionPage]:
        """Return the facts about the known URLs among these."""
        names = frozenset(self._state.session_names)
        keys = {url_key(without_parameters(url, names)): url for url in urls}
        columns = (URL.c.key, URL.c.id, URL.c.url, URL.c.refusal, PAGE.c.status, PAGE.c.failure, PAGE.c.reason, SETTLED.c.template)
        found: dict[str, VersionPage] = {}
        for row in rows_in(self._connection, select(*columns).select_from(ALL_URLS), URL.c.key, keys):
            page = VersionPage(row.id, row.url, row.refusal, row.status, row.failure or "", row.reason or "", row.template or 0)
            found[keys[row.key]] = page
        return found

    def _pages_of(self, numbers: Sequence[int]) -> Iterator[VersionPage]:
        columns = (URL.c.id, URL.c.url, SETTLED.c.template)
        joined = URL.join(SETTLED, SETTLED.c.id == URL.c.id)
        for row in rows_in(self._connection, select(*columns).select_from(joined).order_by(URL.c.id), URL.c.id, numbers):
            yield VersionPage(row.id, row.url, template=row.template)
