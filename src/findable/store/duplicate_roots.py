"""Pages of a settled crawl with the same title, description, heading or text, as raw data (a root) for site checks."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import case, func, select

from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, CrawledDuplicates, DuplicateGroup
from findable.crawl.clusters import MAX_LANGUAGES, cluster_keys
from findable.crawl.page_numbers import without_page_number
from findable.crawl.site.variants import VariantPage, variant_pairs
from findable.crawl.url_parameters import without_parameters
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import INDEXABLE, PAGE, RECORD, SETTLED, URL, WITH_RECORD
from findable.store.crawl_url_roots import VARIANT_COLUMNS, UrlRoots
from findable.store.packed_pages import unpacked_record, versions_of
from findable.urls import has_tracking, without_tracking
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
        columns = (pages.c.value, pages.c.lang)
        counts = func.count().label("pages_count"), func.count().over().label("groups_count")
        grouped = select(*columns, *counts).group_by(*columns).having(func.count() > 1)
        if with_one_title:
            grouped = grouped.having(func.count(pages.c.page_title.distinct()) == 1)
        largest = self._connection.execute(grouped.order_by(func.count().desc(), pages.c.value, pages.c.lang).limit(LIST_LIMIT)).all()
        count = largest[0].groups_count if largest else 0
        groups = []
        for row in largest:
            members = self._connection.execute(
                select(*VARIANT_COLUMNS, SETTLED.c.similar, RECORD.c.record)
                .select_from(joined.join(URL, URL.c.id == PAGE.c.id).join(RECORD, WITH_RECORD).join(pages, pages.c.id == PAGE.c.id))
                .where(pages.c.value == row.value, pages.c.lang == row.lang)
                .order_by(URL.c.url)
                .limit(LIST_LIMIT)
            ).all()
            read_count = len(members)
            variants = {other.id for _, other, _ in variant_pairs(VariantPage(*member[:7]) for member in members)}
            members = [member for member in members if member.id not in variants]
            members = list({self._group_url(member.url): member for member in reversed(members)}.values())[::-1]
            if column.name not in ("text", "similar"):
                members = list({without_page_number(member.url): member for member in reversed(members)}.values())[::-1]
            if _distinct_pages_count(members) <= 1:
                count -= 1
                continue
            first = unpacked_record(members[0].record, _GroupRecord)
            same_text = len({member.similar or member.text for member in members}) == 1 and bool(members[0].text)
            urls = tuple(member.url for member in members[:URL_LIMIT])
            groups.append(
                DuplicateGroup(getattr(first, shown), row.pages_count - read_count + len(members), urls, same_text=same_text, lang=row.lang)
            )
        return tuple(groups), count

    def _group_url(self, url: str) -> str:
        """Return a URL without campaign parameters and parameters that create duplicates, which separate checks report."""
        return without_parameters(without_tracking(url) if has_tracking(url) else url, self._duplicating_parameters)

    @once
    def _duplicating_parameters(self) -> frozenset[str]:
        """Names of parameters that create duplicates; a separate check reports their pages."""
        return frozenset(item.name for item in UrlRoots(self._connection, self._state).multiplying())


def _distinct_pages_count(members: Sequence[Any]) -> int:
    """Count these pages; versions and language versions of one page count once."""
    is_small = len(members) <= MAX_LANGUAGES
    alternates = {member.url: alternates_of(member.record) for member in members} if is_small else {}
    return len(set(cluster_keys((member.url for member in members), alternates).values()))


def alternates_of(record: bytes) -> frozenset[str]:
    """Return the URLs of the language versions in a stored record."""
    return frozenset(url for _, url in versions_of(record))
