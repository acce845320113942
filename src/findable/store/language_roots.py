"""Language versions of the pages of a settled crawl, as raw data (a root) for site checks.

Pages that are versions of each other usually declare the same list. Each distinct list is resolved once, and only different lists are
compared.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from sqlalchemy import select

from findable.artifacts.page.canonical import comparable
from findable.artifacts.page.language_codes import X_DEFAULT
from findable.artifacts.tables.languages import primary
from findable.capture.crawl import Reason, Refusal
from findable.capture.site_graph import LIST_LIMIT
from findable.capture.site_languages import ANY, CrawledLanguages
from findable.capture.status_classes import OK, REFUSALS, SERVER_ERRORS
from findable.crawl.language_causes import FaultyPages, Key, add_reason, language_faults
from findable.crawl.record import MAX_ALTERNATES
from findable.crawl.site.canonicals import is_origin_variant
from findable.crawl.traps import without_parameters
from findable.crawl.url_keys import text_key, url_key
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import ALL_URLS, PAGE, RECORD, SETTLED, URL, WITH_VERSIONS
from findable.store.dialect import stream_rows
from findable.store.packed_pages import versions_of
from findable.store.rows_by_id import rows_in
from findable.urls import origin_part

MAX_CACHED_LISTS = 2048
ALIASES = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "sh": "sr"}
"""Equivalent codes of one language."""
_FAULTS = frozenset({Reason.STATUS.value, Reason.REDIRECT.value, Reason.NOINDEX.value, Reason.CANONICAL.value, Reason.ROBOTS.value})


class _Page(Struct, frozen=True):
    """URL that pages declare as a version."""

    number: int
    url: str
    refusal: str
    status: int | None
    failure: str
    reason: str
    template: int

    @property
    def is_indexable(self) -> bool:
        return self.status == OK and self.reason == ""

    @property
    def fault(self) -> Reason:
        """Reason why the page is not indexable, if known."""
        if self.refusal == Refusal.ROBOTS.value:
            return Reason.ROBOTS
        if self.status is None or self.failure or self.status in REFUSALS or self.status >= SERVER_ERRORS or self.reason not in _FAULTS:
            return Reason.NONE
        return Reason(self.reason)


class LanguageRoots(CrawlReading):
    """Computes `CrawledLanguages` of one crawl."""

    def languages(self) -> CrawledLanguages:
        """Return the language versions of the site, and their faults."""
        lists = self._lists()
        if not lists.pages_count:
            return CrawledLanguages(0)
        record = _FaultCollector()
        versions = lru_cache(MAX_CACHED_LISTS)(self._versions)
        for key, members in lists.members.items():
            self._compare(key, members, lists, record, versions)
        bad_targets = [
            add_reason(fault, Reason(fault.source.partition(" ")[0]), int(fault.source.partition(" ")[2]))
            for fault in language_faults(record.bad_targets, sides=(0,))
        ]
        return CrawledLanguages(
            pages_count=lists.pages_count,
            unknown_count=record.unknown_count,
            no_return=tuple(language_faults(record.no_return)[:LIST_LIMIT]),
            bad_targets=tuple(sorted(bad_targets, key=lambda fault: -fault.pages_count)[:LIST_LIMIT]),
            conflicts=tuple(language_faults(record.conflicts)[:LIST_LIMIT]),
        )

    def _lists(self) -> "_VersionLists":
        """Return the pages by the list of versions that they declare."""
        lists = _VersionLists()
        joined = PAGE.outerjoin(RECORD, WITH_VERSIONS)
        chosen = select(PAGE.c.id, PAGE.c.reason, RECORD.c.record).select_from(joined)
        chosen = chosen.where(PAGE.c.is_html, PAGE.c.status == OK).order_by(PAGE.c.id)
        for number, reason, record in stream_rows(self._connection, chosen):
            lists.add(number, versions_of(record), is_indexable=not reason)
        return lists

    def _versions(self, number: int) -> tuple[tuple[str, str], ...]:
        return versions_of(self._connection.execute(select(RECORD.c.record).where(RECORD.c.id == number)).scalar_one())

    def _pages(self, urls: Sequence[str]) -> dict[str, _Page]:
        """Return the facts about the known URLs among these."""
        names = frozenset(self._state.session_names)
        keys = {url_key(without_parameters(url, names)): url for url in urls}
        columns = (URL.c.key, URL.c.id, URL.c.url, URL.c.refusal, PAGE.c.status, PAGE.c.failure, PAGE.c.reason, SETTLED.c.template)
        found: dict[str, _Page] = {}
        for row in rows_in(self._connection, select(*columns).select_from(ALL_URLS), URL.c.key, keys):
            page = _Page(row.id, row.url, row.refusal, row.status, row.failure or "", row.reason or "", row.template or 0)
            found[keys[row.key]] = page
        return found

    def _compare(self, key: int, members: Sequence[int], lists: "_VersionLists", record: "_FaultCollector", versions: Any) -> None:
        """Compare the pages that declare one list with the versions in it."""
        declared = versions(members[0])
        known = self._pages([url for _, url in declared])
        own_pages = {page.number: page for page in self._pages_of(members)}
        codes: defaultdict[int, list[str]] = defaultdict(list)
        for code, url in declared:
            if code != X_DEFAULT and url in known:
                codes[known[url].number].append(code)
        for code, url in declared:
            target = known.get(url)
            if target is None or target.number in own_pages:
                if target is not None:
                    record.claim(target, code, own_pages[target.number])
                continue
            for page in own_pages.values():
                own = (codes.get(page.number) or [""])[0]
                record.claim(target, code, page)
                if target.fault is not Reason.NONE:
                    chooses = code == X_DEFAULT and target.fault is Reason.REDIRECT  # x-default may be a redirect to a language
                    if not chooses and not is_origin_variant(origin_part(target.url), origin_part(page.url)):
                        record.add_bad_target(target, code, page)
                elif not target.is_indexable:
                    record.unknown_count += 1
                elif code != X_DEFAULT and lists.key_of.get(target.number) != key:
                    self._check_return(page, own, target, code, record, versions)

    def _check_return(self, page: _Page, own: str, target: _Page, code: str, record: "_FaultCollector", versions: Any) -> None:
        back = versions(target.number)
        if len(back) >= MAX_ALTERNATES:
            record.unknown_count += 1
        elif comparable(page.url) not in {comparable(url) for _, url in back}:
            record.no_return[own or ANY, code, target.template].add(target.number, target.url, page.url, own)

    def _pages_of(self, numbers: Sequence[int]) -> Iterator[_Page]:
        columns = (URL.c.id, URL.c.url, SETTLED.c.template)
        joined = URL.join(SETTLED, SETTLED.c.id == URL.c.id)
        for row in rows_in(self._connection, select(*columns).select_from(joined).order_by(URL.c.id), URL.c.id, numbers):
            yield _Page(row.id, row.url, "", OK, "", "", row.template)


class _VersionLists:
    """Pages grouped by the list of language versions that they declare."""

    def __init__(self) -> None:
        self.members: dict[int, array[int]] = {}
        """Numbers of the indexable pages of each list."""
        self.key_of: dict[int, int] = {}
        self.pages_count = 0

    def add(self, number: int, versions: Sequence[tuple[str, str]], *, is_indexable: bool) -> None:
        """Add a page with its declared language versions."""
        if versions:
            key = self.key_of[number] = text_key("\n".join(sorted(f"{code} {url}" for code, url in versions)))
            if is_indexable:
                self.members.setdefault(key, array("i")).append(number)
                self.pages_count += 1


class _FaultCollector:
    """Collects faults of language versions, by languages and template."""

    def __init__(self) -> None:
        self.no_return: defaultdict[Key, FaultyPages] = defaultdict(FaultyPages)
        self.bad_targets: defaultdict[Key, FaultyPages] = defaultdict(FaultyPages)
        self.conflicts: defaultdict[Key, FaultyPages] = defaultdict(FaultyPages)
        self.claimed: dict[int, str] = {}
        """First declared language of each URL."""
        self.unknown_count = 0

    def claim(self, target: _Page, code: str, page: _Page) -> None:
        """Record the language that a page declares for a URL, to find URLs with several languages."""
        if code == X_DEFAULT:
            return
        language = primary(code)
        language = ALIASES.get(language, language)
        first = self.claimed.setdefault(target.number, language)
        if first != language:
            one, other = sorted((first, language))
            self.conflicts[one, other, target.template].add(target.number, target.url, page.url, code)

    def add_bad_target(self, target: _Page, code: str, page: _Page) -> None:
        """Count a page with a declared version that is not indexable."""
        self.bad_targets[f"{target.fault.value} {target.status or 0}", code, page.template].add(page.number, page.url, target.url, code)
