"""Pages of the findings of a settled crawl.

For example, a link in the footer of 10,000 pages is one finding, whose pages are stored as one set of numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_ as union
from typing import Any

from sqlalchemy import Connection, or_, select

from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.checks.causes import CauseKind
from findable.crawl.bitmaps import bits_of
from findable.crawl.page_selection import PageSelection, Span
from findable.crawl.record import VERDICT_BYTES
from findable.crawl.state import CrawlState
from findable.crawl.traps import without_parameters
from findable.crawl.url_keys import url_key
from findable.crawl.varints import unpack_sorted
from findable.reports.reported_finding import AGAINST
from findable.reports.site_report import SITE, SiteFinding
from findable.store.crawl_page_index import verdict_set
from findable.store.crawl_page_queries import PageLists
from findable.store.crawl_resources import LINKED_OUTSIDE
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_schema import ALL_PAGES, BLOCK, BLOCK_PAGES, INDEXABLE, PAGE, PAGES, SERIES, SETTLED, URL
from findable.store.resource_roots import RESOURCE_CHECKS, FaultyPages, ResourceRoots
from findable.values import once

_SIGN = 1 << 63
_SHARED = {
    "site-title-duplicate": PAGE.c.title,
    "site-description-duplicate": PAGE.c.description,
    "site-text-duplicate": PAGE.c.text,
    "site-text-near": SETTLED.c.similar,
}
"""Columns in which the pages of a duplicate group have the same value, by the check that finds such groups."""


class FindingPages:
    """Finds the pages of findings.

    Args:
        connection: connection for reading.
        state: state of the crawl.
        lists: lists of its pages.
    """

    def __init__(self, connection: Connection, state: CrawlState, lists: PageLists) -> None:
        self._connection = connection
        self._state = state
        self._lists = lists
        self._roots = CrawlRoots(connection, state)
        self._resources: dict[str, Sequence[FaultyPages]] = {}
        self._size = lists.numbers(PageSelection()).bit_length()
        self._conditions: Mapping[str, Callable[[], tuple[Any, ...]]] = {
            "site-orphans": self._roots.orphaned,
            "site-sitemap-missing": self._roots.missing_in_sitemap,
        }

    def pages_of(self, finding: SiteFinding) -> int:
        """Return the set of the pages with a finding, as bits.

        For some site checks, only the pages in the evidence are known.
        """
        if finding.templates:
            return self._pages_of_page_check(finding)
        if finding.cause.kind is CauseKind.BLOCK:
            return self._pages_of_block(finding.cause.key)
        if finding.cause.kind is CauseKind.HOST and finding.cause.key == SITE:
            return self._bits(self._chosen(PAGE.c.is_html, PAGE.c.status == OK))
        if finding.cause.kind is CauseKind.PAGE and finding.pages_count == 1:
            return self._pages_of_urls([finding.cause.key])
        found = next((bits for bits in self._pages_of_site_check(finding) if bits.bit_count() == finding.pages_count), 0)
        return found or self._pages_of_urls(str(item.params.get("page") or item.url) for item in finding.evidence)

    def _pages_of_page_check(self, finding: SiteFinding) -> int:
        name = verdict_set(finding.id)
        with_verdict = reduce(union, (self._lists.stored_set(name, VERDICT_BYTES[verdict]) for verdict in AGAINST))
        within = with_verdict & self._lists.numbers(PageSelection(status=Span(OK, OK), indexable=True))
        column = self._lists.column("template")
        return reduce(union, (column.equal(template, within) for template in finding.templates))

    def _pages_of_block(self, key: str) -> int:
        number = int(key, 16)
        signed = number - 2 * _SIGN if number >= _SIGN else number
        chosen = select(BLOCK_PAGES.c.pages).join(BLOCK, BLOCK.c.id == BLOCK_PAGES.c.block).where(BLOCK.c.key == signed)
        return self._bits(unpack_sorted(self._connection.execute(chosen).scalar() or b""))

    def _pages_of_site_check(self, finding: SiteFinding) -> Iterator[int]:
        """Yield candidates for the set of pages with a finding of a site check."""
        if finding.id in self._conditions:
            yield self._bits(self._chosen(*self._conditions[finding.id]()))
        if finding.id in _SHARED:
            yield self._with_same_value(_SHARED[finding.id], finding)
        if finding.id in RESOURCE_CHECKS:
            first = finding.evidence[0].url
            yield from (item.pages for item in self._faulty(finding.id) if item.resources.resources[0].url == first)
        if finding.cause.kind is CauseKind.PAGE:
            yield self._linking_to(URL.c.key == self._key_of(finding.cause.key))
        if finding.id == "site-external-broken" and finding.cause.kind is CauseKind.HOST:
            prefixes = (URL.c.url.startswith(f"{scheme}://{finding.cause.key}", autoescape=True) for scheme in ("http", "https"))
            yield self._linking_to(or_(*prefixes), *LINKED_OUTSIDE)
        if finding.id in _OF_SITEMAP:
            yield self._lists.numbers(PageSelection(in_sitemap=True, reason=_OF_SITEMAP[finding.id].value))
        if finding.cause.kind is CauseKind.TEMPLATE:
            yield from self._pages_of_template(finding.cause.key)
        if finding.cause.kind is CauseKind.PARAMETER:
            series = select(SERIES.c.id).where(SERIES.c.pattern == finding.cause.key)
            yield self._bits(self._chosen(URL.c.series.in_(series)))

    def _linking_to(self, *conditions: Any) -> int:
        targets = self._connection.execute(select(URL.c.id).where(*conditions)).scalars().all()
        return self._roots.pages_linking_to(targets)

    def _faulty(self, check: str) -> Sequence[FaultyPages]:
        """Return the faulty resources that a check reports, by cause."""
        if check not in self._resources:
            self._resources[check] = ResourceRoots(self._connection, self._state).faulty(check)
        return self._resources[check]

    def _pages_of_template(self, name: str) -> Iterator[int]:
        """Yield the pages, and the indexable pages, of the templates with a name."""
        column = self._lists.column("template")
        for indexable in (None, True):
            within = self._lists.numbers(PageSelection(status=Span(OK, OK), indexable=indexable))
            yield reduce(union, (column.equal(number, within) for number in self._templates.get(name, ())), 0)

    @once
    def _templates(self) -> Mapping[str, tuple[int, ...]]:
        """Ids of templates by name."""
        found: dict[str, tuple[int, ...]] = {}
        for template in self._roots.templates().items:
            found[template.name] = (*found.get(template.name, ()), template.number)
        return found

    def _with_same_value(self, column: Any, finding: SiteFinding) -> int:
        url = next((item.url for item in finding.evidence if item.url), "")
        row = self._connection.execute(select(column, PAGE.c.lang).select_from(ALL_PAGES).where(URL.c.key == self._key_of(url))).first()
        if row is None or not row[0]:
            return 0
        return self._bits(self._chosen(*INDEXABLE, column == row[0], PAGE.c.lang == row.lang))

    def _chosen(self, *conditions: Any) -> Iterable[int]:
        return self._connection.execute(select(PAGE.c.id).select_from(ALL_PAGES).where(*conditions)).scalars()

    def _pages_of_urls(self, urls: Iterable[str]) -> int:
        keys = {self._key_of(url) for url in urls}
        return self._bits(self._connection.execute(select(PAGE.c.id).select_from(PAGES).where(URL.c.key.in_(keys))).scalars())

    def _key_of(self, url: str) -> int:
        return url_key(without_parameters(url, frozenset(self._state.session_names)))

    def _bits(self, numbers: Iterable[int]) -> int:
        return bits_of((number for number in numbers if number < self._size), self._size)


_OF_SITEMAP = {"site-sitemap-noindex": Reason.NOINDEX, "site-sitemap-canonical": Reason.CANONICAL}
