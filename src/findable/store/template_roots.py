"""Templates of a settled crawl, as raw data (roots) for site checks, with structured data that some pages lack, and thin pages."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from sqlalchemy import Connection, select

from findable.capture.crawl import Group
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, CrawledTemplates
from findable.capture.site_templates import CrawledMarkup, CrawledThin
from findable.crawl.site.markup import PagesByBuild
from findable.crawl.site.templates import PagesOfTemplate
from findable.crawl.site.thin_pages import ThinPages
from findable.crawl.state import CrawlState
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import RECORD, SERIES, URL
from findable.store.packed_pages import unpacked_record
from findable.store.record_pass import PassedPage
from findable.store.rows_by_id import parts, rows_in


class _TextRecord(Struct, frozen=True):
    """Part of a record that identifies thin pages."""

    own_text: bytes = b""
    frame_key: int = 0


class TemplateRoots(CrawlReading):
    """Computes `CrawledTemplates`, `CrawledThin` and `CrawledMarkup` of one crawl."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._endless = frozenset(connection.execute(select(SERIES.c.id).where(SERIES.c.closed)).scalars())
        self._templates: defaultdict[int, PagesOfTemplate] = defaultdict(PagesOfTemplate)
        self._builds = PagesByBuild()
        self._thin = ThinPages(state.checks)

    def add(self, page: PassedPage) -> None:
        """Read the structure and the text of a page."""
        record = page.record
        self._templates[page.template].add(page.url, page.words, page.first_byte_ms, record.types, is_indexable=not page.reason)
        if page.reason:
            return
        self._builds.add(page.number, page.url, record.shapes, record.types)
        if page.series not in self._endless:
            self._builds.add_content(page.number, page.url, record.frame_key)
            self._thin.add(page.number, page.url, record.own_text, record.frame_key, record.verdicts)

    def templates(self) -> CrawledTemplates:
        """Return the templates of the site, those with the most pages first."""
        return CrawledTemplates(tuple(pages.as_template(number) for number, pages in sorted(self._templates.items())))

    def thin(self) -> CrawledThin:
        """Return the pages with few unique words, by folder."""
        return self._thin.judged(self._texts(self._thin.short))

    def _texts(self, numbers: Iterable[int]) -> Iterator[tuple[str, bytes, int]]:
        """Yield (URL, text, hash of the content) of pages."""
        chosen = select(URL.c.id, URL.c.url, RECORD.c.record).join(RECORD, RECORD.c.id == URL.c.id)
        for part in parts(numbers):
            rows = {row.id: row for row in rows_in(self._connection, chosen, URL.c.id, part)}
            for row in map(rows.__getitem__, part):
                text = unpacked_record(row.record, _TextRecord)
                yield row.url, text.own_text, text.frame_key

    def markup(self) -> CrawledMarkup:
        """Return the structured data that the pages of each template have in common."""
        return self._builds.markup(self._group_of_pages, self.folder_of)

    def _group_of_pages(self, numbers: Sequence[int]) -> Group:
        urls = sorted(self.urls_of(list(numbers[:LIST_LIMIT])))
        return Group(self.folder_of(numbers) or urls[0], len(numbers), tuple(urls[:URL_LIMIT]))
