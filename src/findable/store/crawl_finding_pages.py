"""Pages of the findings of a settled crawl.

For example, a link in the footer of 10,000 pages is one finding.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, func, or_, select

from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.checks.causes import CauseKind
from findable.crawl.page_selection import PageSelection
from findable.crawl.site.resources import public_host
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import url_key
from findable.crawl.url_parameters import without_parameters
from findable.crawl.varints import unpack_sorted
from findable.reports.site_report import SITE, SiteFinding
from findable.store.crawl_resources import LINKED_OUTSIDE
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_schema import ALL_PAGES, BLOCK, BLOCK_PAGES, INDEXABLE, PAGE, PAGES, SERIES, SETTLED, URL
from findable.store.dialect import number_table
from findable.store.page_lists import PageLists
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
        self._conditions: Mapping[str, Callable[[], tuple[Any, ...]]] = {
            "site-orphans": self._roots.orphaned,
            "site-sitemap-missing": self._roots.missing_in_sitemap,
        }

    def pages_of(self, finding: SiteFinding) -> Select[Any]:
        """Return the statement that selects the ids of the pages with a finding.

        For some site checks, only the pages in the evidence are known.
        """
        if finding.templates:
            return self._pages_of_page_check(finding)
        if finding.cause.kind is CauseKind.BLOCK:
            return self._pages_of_block(finding.cause.key)
        if finding.cause.kind is CauseKind.HOST and finding.cause.key == SITE:
            return self._chosen(PAGE.c.is_html, PAGE.c.status == OK)
        if finding.cause.kind is CauseKind.PAGE and finding.pages_count == 1:
            return self._pages_of_urls([finding.cause.key])
        for found in self._pages_of_site_check(finding):
            if self._connection.execute(select(func.count()).select_from(found.subquery())).scalar_one() == finding.pages_count:
                return found
        return self._pages_of_urls(str(item.params.get("page") or item.url) for item in finding.evidence)

    def _pages_of_page_check(self, finding: SiteFinding) -> Select[Any]:
        selection = PageSelection(status=str(OK), indexable=1, check=finding.id)
        return self._of_templates(self._lists.ids(selection), finding.templates)

    def _of_templates(self, pages: Select[Any], templates: Iterable[int]) -> Select[Any]:
        return pages.where(PAGE.c.id.in_(select(SETTLED.c.id).where(SETTLED.c.template.in_(templates))))

    def _pages_of_block(self, key: str) -> Select[Any]:
        number = int(key, 16)
        signed = number - 2 * _SIGN if number >= _SIGN else number
        chosen = select(BLOCK_PAGES.c.pages).join(BLOCK, BLOCK.c.id == BLOCK_PAGES.c.block).where(BLOCK.c.key == signed)
        return self._listed(unpack_sorted(self._connection.execute(chosen).scalar() or b""))

    def _pages_of_site_check(self, finding: SiteFinding) -> Iterator[Select[Any]]:
        """Yield candidates for the pages with a finding of a site check."""
        if finding.id in self._conditions:
            yield self._chosen(*self._conditions[finding.id]())
        if finding.id in _SHARED:
            yield from self._with_same_value(_SHARED[finding.id], finding)
        if finding.id in RESOURCE_CHECKS:
            first = finding.evidence[0].url
            faulty = (item for item in self._faulty(finding.id) if item.resources.resources[0].url == first)
            yield from (self._listed(unpack_sorted(item.pages)) for item in faulty)
        if finding.cause.kind is CauseKind.PAGE:
            yield self._linking_to(URL.c.key == self._key_of(finding.cause.key))
        if finding.id == "site-external-broken" and finding.cause.kind is CauseKind.HOST:
            yield self._linking_to_host(finding.cause.key)
        if finding.id in _OF_SITEMAP:
            yield self._lists.ids(PageSelection(in_sitemap=1, reason=_OF_SITEMAP[finding.id].value))
        if finding.cause.kind is CauseKind.TEMPLATE:
            yield from self._pages_of_template(finding.cause.key)
        if finding.cause.kind is CauseKind.PARAMETER:
            series = select(SERIES.c.id).where(SERIES.c.pattern == finding.cause.key)
            yield self._chosen(URL.c.series.in_(series))

    def _linking_to(self, *conditions: Any) -> Select[Any]:
        targets = self._connection.execute(select(URL.c.id).where(*conditions)).scalars().all()
        return self._listed(self._roots.pages_linking_to(targets))

    def _linking_to_host(self, host: str) -> Select[Any]:
        prefixes = (URL.c.url.startswith(f"{scheme}://{host}", autoescape=True) for scheme in ("http", "https"))
        rows = self._connection.execute(select(URL.c.id, URL.c.url).where(or_(*prefixes), *LINKED_OUTSIDE))
        return self._listed(self._roots.pages_linking_to([row.id for row in rows if public_host(row.url) == host]))

    def _faulty(self, check: str) -> Sequence[FaultyPages]:
        """Return the faulty resources that a check reports, by cause."""
        if check not in self._resources:
            self._resources[check] = ResourceRoots(self._connection, self._state).faulty(check)
        return self._resources[check]

    def _pages_of_template(self, name: str) -> Iterator[Select[Any]]:
        """Yield the pages, and the indexable pages, of the templates with a name."""
        for selection in (PageSelection(status=str(OK)), PageSelection(status=str(OK), indexable=1)):
            yield self._of_templates(self._lists.ids(selection), self._templates.get(name, ()))

    @once
    def _templates(self) -> Mapping[str, tuple[int, ...]]:
        """Ids of templates by name."""
        found: dict[str, tuple[int, ...]] = {}
        for number, name in self._roots.template_names():
            found[name] = (*found.get(name, ()), number)
        return found

    def _with_same_value(self, column: Any, finding: SiteFinding) -> Iterator[Select[Any]]:
        url = next((item.url for item in finding.evidence if item.url), "")
        row = self._connection.execute(select(column, PAGE.c.lang).select_from(ALL_PAGES).where(URL.c.key == self._key_of(url))).first()
        if row is not None and row[0]:
            yield self._chosen(*INDEXABLE, column == row[0], PAGE.c.lang == row.lang)

    def _chosen(self, *conditions: Any) -> Select[Any]:
        return select(PAGE.c.id).select_from(ALL_PAGES).where(*conditions)

    def _listed(self, numbers: Sequence[int]) -> Select[Any]:
        return select(number_table(self._connection.dialect.name, dict.fromkeys(numbers, 0)).c.id)

    def _pages_of_urls(self, urls: Iterable[str]) -> Select[Any]:
        return select(PAGE.c.id).select_from(PAGES).where(URL.c.key.in_({self._key_of(url) for url in urls}))

    def _key_of(self, url: str) -> int:
        return url_key(without_parameters(url, frozenset(self._state.session_names)))


_OF_SITEMAP = {"site-sitemap-noindex": Reason.NOINDEX, "site-sitemap-canonical": Reason.CANONICAL}
