"""Pages of a settled crawl with the same title, description, heading or text, as raw data (a root) for site checks."""

from typing import Any

from msgspec import Struct
from sqlalchemy import Select, case, func, select

from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, CrawledDuplicates, DuplicateGroup
from findable.crawl.site.duplicates import EqualPage, distinct_pages, have_same_text
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import INDEXABLE, PAGE, RECORD, SETTLED, URL, WITH_RECORD
from findable.store.crawl_url_roots import VARIANT_COLUMNS, UrlRoots
from findable.store.packed_pages import unpacked_record, versions_of
from findable.values import once


class _GroupRecord(Struct, frozen=True):
    """Part of a record with the shared values of a group of duplicates."""

    title: str = ""
    description: str = ""
    h1: str = ""


class DuplicateRoots(CrawlReading):
    """Computes `CrawledDuplicates` of one crawl."""

    def duplicates(self) -> CrawledDuplicates:
        """Return groups of indexable pages with the same title, description, heading or text."""
        titles = self._groups_by_value(PAGE.c.title, "title")
        descriptions = self._groups_by_value(PAGE.c.description, "description")
        headings = self._groups_by_value(PAGE.c.heading, "h1", with_one_title=True)
        texts = self._groups_by_value(PAGE.c.text, "title")
        similar = self._groups_by_value(SETTLED.c.similar, "title")
        return CrawledDuplicates(self.count(*INDEXABLE), *titles, *descriptions, *headings, *texts, *similar)

    def _groups_by_value(self, column: Any, shown: str, *, with_one_title: bool = False) -> tuple[tuple[DuplicateGroup, ...], int]:
        """Return groups of indexable pages of one language with the same value, the largest first, and the number of groups.

        Pages of unknown language belong to one of the languages in which others have the value.
        """
        joined = PAGE.outerjoin(SETTLED, SETTLED.c.id == PAGE.c.id)
        known = func.max(PAGE.c.lang).over(partition_by=column)
        lang = case((PAGE.c.lang == "", known), else_=PAGE.c.lang).label("lang")
        valued = select(PAGE.c.id, PAGE.c.title.label("page_title"), column.label("value"), lang).select_from(joined)
        pages = valued.where(*INDEXABLE, column != 0).subquery()
        counts = func.count().label("pages_count"), func.count().over().label("groups_count")
        grouped = select(pages.c.value, pages.c.lang, *counts).group_by(pages.c.value, pages.c.lang).having(func.count() > 1)
        if with_one_title:
            grouped = grouped.having(func.count(pages.c.page_title.distinct()) == 1)
        largest = self._connection.execute(grouped.order_by(func.count().desc(), pages.c.value, pages.c.lang).limit(LIST_LIMIT)).all()
        count = largest[0].groups_count if largest else 0
        columns = (*VARIANT_COLUMNS, SETTLED.c.similar, RECORD.c.record)
        recorded = joined.join(URL, URL.c.id == PAGE.c.id).join(RECORD, WITH_RECORD).join(pages, pages.c.id == PAGE.c.id)
        members = select(*columns).select_from(recorded).order_by(URL.c.url).limit(LIST_LIMIT)
        is_text = column.name in ("text", "similar")
        of_value = ((row, members.where(pages.c.value == row.value, pages.c.lang == row.lang)) for row in largest)
        groups = [self._group(chosen, row.pages_count, row.lang, shown, is_text=is_text) for row, chosen in of_value]
        return tuple(filter(None, groups)), count - groups.count(None)

    def _group(self, members: Select[Any], pages_count: int, lang: str, shown: str, *, is_text: bool) -> DuplicateGroup | None:
        """Return the pages with one value as a group; None if they are one page."""
        rows = self._connection.execute(members).all()
        records = {row.id: row.record for row in rows}
        equal = [EqualPage(*values) for *values, _ in rows]
        pages = distinct_pages(equal, self._duplicating_parameters, lambda number: alternates_of(records[number]), is_text=is_text)
        if not pages:
            return None
        text = getattr(unpacked_record(records[pages[0].id], _GroupRecord), shown)
        urls = tuple(page.url for page in pages[:URL_LIMIT])
        return DuplicateGroup(text, pages_count - len(equal) + len(pages), urls, have_same_text(pages), lang)

    @once
    def _duplicating_parameters(self) -> frozenset[str]:
        """Names of parameters that create duplicates; a separate check reports their pages."""
        return frozenset(item.name for item in UrlRoots(self._connection, self._state).multiplying())


def alternates_of(record: bytes) -> frozenset[str]:
    """Return the URLs of the language versions in a stored record."""
    return frozenset(url for _, url in versions_of(record))
