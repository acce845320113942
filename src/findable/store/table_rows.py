"""Rows of the exported tables of a settled crawl, one by one for streaming."""

from array import array
from collections.abc import Callable, Collection, Iterator
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import Connection, String, and_, cast, func, or_, select

from findable.capture.crawl import Reason, Refusal
from findable.capture.response import NOT_REQUESTED, Failure
from findable.capture.status_classes import ERRORS, OK, REFUSALS
from findable.checks.engine import site_twins
from findable.crawl.blocks import UsedAs
from findable.crawl.changes import PageChange
from findable.crawl.finding_rows import finding_row, fix_rows
from findable.crawl.found_by import FoundBy
from findable.crawl.packed_verdicts import unpack_verdicts
from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import CanonicalKind, PageSelection
from findable.crawl.record import PageRecord
from findable.crawl.redirect_chains import chain_of
from findable.crawl.redirect_map import RedirectMapRow
from findable.crawl.state import CrawlState
from findable.crawl.tables import (
    BotHitsRow,
    CanonicalRow,
    CrawlTable,
    DuplicateRow,
    ExternalRow,
    ExtractedRow,
    FindingPageRow,
    FindingRow,
    FixRow,
    HreflangRow,
    LinkRow,
    NumberRow,
    RedirectRow,
    RefusedRow,
    ResourceRow,
    SitemapRow,
    VerdictRow,
)
from findable.crawl.url_keys import url_key
from findable.crawl.varints import unpack
from findable.formats.number_tables import DAY_COLUMNS
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.store.crawl_findings import stored_findings
from findable.store.crawl_frontier import REFUSED, TAKEN, WAITING
from findable.store.crawl_link_queries import CrawlLinks, LinkCells
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_schema import (
    ALL_PAGES,
    ALL_URLS,
    ANSWER,
    BLOCK,
    EXTRACTED,
    FINDING,
    FINDING_PAGE,
    INDEXABLE,
    PAGE,
    RECORD,
    RESOURCE,
    SETTLED,
    URL,
    VERDICT,
    WITH_RECORD,
)
from findable.store.crawl_url_data import NO_DATA, SCALE, DataColumns, numbers_of
from findable.store.packed_pages import unpacked_record
from findable.store.page_lists import PageLists
from findable.store.page_results import findings_of
from findable.store.redirect_rows import RedirectRows
from findable.store.rows_by_id import each_part, parts, rows_in
from findable.store.stored_comparisons import each_change, main_comparison
from findable.values import shape_of

AT_ONCE = 500
PAGES_AT_ONCE = 200
"""Pages whose links are read at once."""
LOADED = UsedAs.STYLESHEET | UsedAs.SCRIPT | UsedAs.IMAGE
_RESPONSE = (RESOURCE.c.status, RESOURCE.c.failure, RESOURCE.c.detail)
_OF_FAILURE = {Failure.ROBOTS_TXT.value: Refusal.ROBOTS, Failure.REFUSED.value: Refusal.GUARD, Failure.SKIPPED.value: Refusal.ACTION}
_KINDS = (
    ("title", PAGE.c.title),
    ("description", PAGE.c.description),
    ("h1", PAGE.c.heading),
    ("text", PAGE.c.text),
    ("similar", SETTLED.c.similar),
)


class _Findings(Struct, frozen=True):
    """Findings in a record, which are those of the page alone."""

    findings: tuple[ReportedFinding, ...] = ()


class CrawlTables(CrawlReading):
    """Yields the rows of the tables of one crawl.

    Args:
        connection: connection for reading.
        state: state of the crawl.
        data: uploaded metrics of its pages.
    """

    def __init__(self, connection: Connection, state: CrawlState, data: DataColumns = NO_DATA) -> None:
        super().__init__(connection, state)
        self.lists = PageLists(connection, state, data)
        self.links_of = CrawlLinks(connection, state)

    def rows(self, table: CrawlTable, selection: PageSelection) -> Iterator[Struct]:
        """Yield the rows of a table."""
        read: Callable[..., Iterator[Struct]] = getattr(self, table.name.lower())
        return read(selection) if table.takes_filters else read()

    def findings(self) -> Iterator[FindingRow]:
        """Yield the findings of the stored report."""
        return (finding_row(item.finding) for item in stored_findings(self._connection))

    def fix_list(self) -> Iterator[FixRow]:
        """Yield the findings of the site, the most harmful first, then those of pages that no finding of the site covers."""
        for item in stored_findings(self._connection):
            if not item.finding.templates:
                first = next((one.url for one in item.finding.evidence if one.url), self._state.settings.start_url)
                yield from fix_rows(item.finding.as_reported, first, item.finding.pages_count)
        joined = ALL_PAGES.join(RECORD, WITH_RECORD).outerjoin(ANSWER, ANSWER.c.id == PAGE.c.id)
        columns = (URL.c.url, RECORD.c.record, ANSWER.c.findings)
        for numbers in self.lists.numbers(PageSelection(status=str(OK), indexable=1)):
            chosen = select(*columns).select_from(joined).where(PAGE.c.id.in_(numbers)).order_by(PAGE.c.id)
            for row in self._connection.execute(chosen):
                for finding in (*unpacked_record(row.record, _Findings).findings, *findings_of(row.findings)):
                    if not site_twins(finding.id):
                        yield from fix_rows(finding, row.url)

    def changes(self) -> Iterator[PageChange]:
        """Yield the changes of pages since the crawl with which this one was compared when it ended."""
        compared = main_comparison(self._connection)
        return each_change(self._connection, compared) if compared is not None else iter(())

    def finding_pages(self) -> Iterator[FindingPageRow]:
        """Yield the pages of the findings of the stored report."""
        joined = FINDING_PAGE.join(FINDING, FINDING.c.id == FINDING_PAGE.c.finding)
        chosen = select(FINDING.c.key, FINDING.c.check_id, FINDING_PAGE.c.page).select_from(joined).where(~FINDING.c.is_note)
        rows = self._connection.execute(chosen.order_by(FINDING_PAGE.c.finding, FINDING_PAGE.c.page)).yield_per(AT_ONCE)
        yield from (FindingPageRow(row.key, row.check_id, row.page) for row in rows)

    def verdicts(self) -> Iterator[VerdictRow]:
        """Yield the failed and warned checks of all pages."""
        for row in self._connection.execute(select(VERDICT).order_by(VERDICT.c.id)).yield_per(AT_ONCE):
            for name, verdict in unpack_verdicts(row.verdicts, self._state.checks).items():
                if verdict in AGAINST:
                    yield VerdictRow(row.id, name, verdict.value)

    def extracted(self) -> Iterator[ExtractedRow]:
        """Yield the results of extractors, of one extractor after the other."""
        for extractor in self._state.settings.extractors:
            chosen = select(EXTRACTED).where(EXTRACTED.c.rule == extractor.key).order_by(EXTRACTED.c.id)
            for row in self._connection.execute(chosen).yield_per(AT_ONCE):
                yield ExtractedRow(row.id, extractor.name, row.found, row.text.partition("\n")[0])

    def numbers(self) -> Iterator[NumberRow]:
        """Yield the uploaded numbers of pages, of one column after the other."""
        data = self.lists.data
        for name in data.names:
            if name not in DAY_COLUMNS:
                numbers = data.numbers(self._connection.dialect.name, name)
                chosen = select(numbers.c.id, numbers.c.value).where(numbers.c.value > 0) if name in data.stored else select(numbers)
                for number, value in self._connection.execute(chosen.order_by(numbers.c.id)).yield_per(AT_ONCE):
                    yield NumberRow(number, name, value / SCALE)

    def bot_hits(self) -> Iterator[BotHitsRow]:
        """Yield the requests of bots, of one bot after the other."""
        rows = iter(self.lists.data.bot_hits())
        while part := list(islice(rows, AT_ONCE)):
            numbers = numbers_of(self._connection, (row.url for row in part))
            yield from (structs.replace(row, n=numbers.get(url_key(row.url))) for row in part)

    def pages(self, selection: PageSelection) -> Iterator[PageRow]:
        """Yield the pages of a selection, in order of their ids."""
        return self.lists.each(selection)

    def links(self, selection: PageSelection) -> Iterator[LinkRow]:
        """Yield the links of the pages of a selection."""
        return chain.from_iterable(map(LinkRow, *cells) for cells in self.link_cells(selection))

    def link_cells(self, selection: PageSelection) -> Iterator[LinkCells]:
        """Yield the links of the pages of a selection as the cells of each column."""
        cells = map(self.links_of.from_pages, self.lists.numbers(selection, at_once=PAGES_AT_ONCE))
        return (one for one in cells if one[0])

    def broken_links(self) -> Iterator[LinkRow]:
        """Yield the links to URLs that respond with an error, except refusals such as 403, or that cannot be reached."""
        missing = (PAGE.c.status >= ERRORS) & PAGE.c.status.not_in(REFUSALS)
        broken = select(PAGE.c.id).where(or_(missing, PAGE.c.failure != "")).order_by(PAGE.c.id)
        for number in self._connection.execute(broken).scalars().all():
            yield from (row for row, _ in self.links_of.to_page(number))

    def redirects(self, selection: PageSelection) -> Iterator[RedirectRow]:
        """Yield the pages of a selection that redirect, with the ends of their chains."""
        for page in self.lists.each(selection, or_(PAGE.c.location != 0, PAGE.c.reason == Reason.REDIRECT.value)):
            if not page.location:
                continue
            chain, is_loop = chain_of(page.n, self._redirects.get)
            end = self.url_row(chain[-1]) if len(chain) > 1 else None
            yield shape_of(
                RedirectRow,
                page,
                hops=len(chain) - 1,
                end_url=page.location if end is None else end.url,
                end_status=None if end is None else end.status,
                is_loop=is_loop,
            )

    def canonicals(self, selection: PageSelection) -> Iterator[CanonicalRow]:
        """Yield the pages of a selection that declare another canonical URL."""
        others = selection if selection.canonical else structs.replace(selection, canonical=CanonicalKind.OTHER)
        for page in self.lists.each(others):
            if page.canonical:
                number = self.links_of.number_of(page.canonical)
                end = self.url_row(number) if number else None
                yield CanonicalRow(page.n, page.url, page.canonical, end.status if end else None, (end.reason or None) if end else None)

    def hreflang(self, selection: PageSelection) -> Iterator[HreflangRow]:
        """Yield the language versions that the pages of a selection declare."""
        for page in self.lists.each(selection, PAGE.c.versions_count > 0):
            record = self._record(page.n)
            for code, url in record.alternates if record else ():
                number = self.links_of.number_of(url)
                other = self._record(number) if number else None
                returns = None if other is None else any(back == page.url for _, back in other.alternates)
                status = None if other is None else other.status
                yield HreflangRow(page.n, page.url, record.lang if record else "", code, url, status, returns)

    def external(self) -> Iterator[ExternalRow]:
        """Yield the URLs outside the crawl that pages link to."""
        joined = URL.join(SETTLED, SETTLED.c.id == URL.c.id).outerjoin(RESOURCE, RESOURCE.c.key == URL.c.key)
        chosen = select(URL.c.url, SETTLED.c.linked_from, *_RESPONSE).select_from(joined)
        chosen = chosen.where(URL.c.refusal == Refusal.SCOPE.value, SETTLED.c.linked_from > 0).order_by(URL.c.id)
        for row in self._connection.execute(chosen).yield_per(AT_ONCE):
            yield ExternalRow(row.url, row.linked_from, row.status or None, row.failure or None, row.detail or None)

    def refused(self) -> Iterator[RefusedRow]:
        """Yield URLs that were found but not requested, with the reason, including URLs beyond a limit of the crawl."""
        page = URL.alias()
        unrequested = [failure.value for failure in NOT_REQUESTED]
        joined = URL.outerjoin(SETTLED, SETTLED.c.id == URL.c.id).outerjoin(page, page.c.id == URL.c.source)
        joined = joined.outerjoin(RESOURCE, and_(RESOURCE.c.key == URL.c.key, RESOURCE.c.used_as.op("&")(int(UsedAs.LINK)) != 0))
        columns = (URL.c.id, URL.c.url, URL.c.state, URL.c.refusal, URL.c.detail, URL.c.depth, URL.c.found_by)
        others = (SETTLED.c.linked_from, page.c.url.label("page"), RESOURCE.c.failure, RESOURCE.c.detail.label("more"))
        is_left_out = or_(RESOURCE.c.id.is_(None), RESOURCE.c.state == WAITING, RESOURCE.c.failure.in_(unrequested))
        chosen = select(*columns, *others).select_from(joined).where(URL.c.state.in_((REFUSED, WAITING, TAKEN)), is_left_out)
        for row in self._connection.execute(chosen.order_by(URL.c.id)).yield_per(AT_ONCE):
            yield RefusedRow(
                n=row.id,
                url=row.url,
                reason=self._refusal_of(row).value,
                detail=row.detail or row.more or None,
                depth=row.depth,
                found_by=FoundBy(row.found_by).names,
                pages=row.linked_from or 0,
                page=row.page,
            )

    def _refusal_of(self, row: Any) -> Refusal:
        """Return the reason why the crawl did not request a URL."""
        is_link = row.found_by & int(FoundBy.LINK | FoundBy.NOFOLLOW_LINK) and row.url.startswith(("http:", "https:"))
        if row.refusal == Refusal.SCOPE.value and is_link and self._state.settings.external:
            return _OF_FAILURE.get(row.failure or "", Refusal.BUDGET)
        return Refusal(row.refusal) if row.refusal else Refusal.BUDGET

    def images(self) -> Iterator[ResourceRow]:
        """Yield the images that pages load."""
        return self.resources(UsedAs.IMAGE)

    def resources(self, used_as: UsedAs = LOADED) -> Iterator[ResourceRow]:
        """Yield the stylesheets, scripts and images that pages load, in the order of discovery."""
        is_used = RESOURCE.c.used_as.op("&")(int(used_as)) != 0
        counts, firsts = self._uses()
        for rows in each_part(self._connection, select(RESOURCE).where(is_used), RESOURCE.c.id, AT_ONCE):
            urls = self._urls({firsts[row.id] for row in rows})
            for row in rows:
                yield ResourceRow(
                    url=row.url,
                    used_as=(UsedAs(row.used_as) & LOADED).names,
                    is_own=row.is_own,
                    pages=counts[row.id],
                    page=urls.get(firsts[row.id], ""),
                    status=row.status or None,
                    failure=row.failure or None,
                    media_type=row.media_type or None,
                    size_bytes=row.size_bytes,
                )

    def _uses(self) -> tuple["array[int]", "array[int]"]:
        """Return, by the id of the resource, the number of pages that load it and the id of the first one."""
        size = (self._connection.execute(select(func.max(RESOURCE.c.id))).scalar() or 0) + 1
        counts, firsts = array("i", bytes(4 * size)), array("i", bytes(4 * size))
        chosen = select(RECORD.c.id, RECORD.c.resources).where(RECORD.c.resources != b"")
        for pages in each_part(self._connection, chosen, RECORD.c.id, AT_ONCE):
            numbers = sorted({block for page in pages for block in unpack(page.resources)})
            rows = rows_in(self._connection, select(BLOCK.c.id, BLOCK.c.resources), BLOCK.c.id, numbers)
            blocks = {row.id: unpack(row.resources) for row in rows}
            for page in pages:
                for number in {number for block in unpack(page.resources) for number in blocks[block]}:
                    counts[number] += 1
                    firsts[number] = firsts[number] or page.id
        return counts, firsts

    def _urls(self, numbers: Collection[int]) -> dict[int, str]:
        rows = self._connection.execute(select(URL.c.id, URL.c.url).where(URL.c.id.in_(numbers)))
        return {row.id: row.url for row in rows}

    def sitemaps(self) -> Iterator[SitemapRow]:
        """Yield the entries of sitemaps."""
        columns = (URL.c.id, URL.c.url, URL.c.refusal, PAGE.c.status, PAGE.c.reason, SETTLED.c.inlinks)
        listed = URL.c.found_by.op("&")(int(FoundBy.SITEMAP)) != 0
        for row in self._connection.execute(select(*columns).select_from(ALL_URLS).where(listed).order_by(URL.c.id)).yield_per(AT_ONCE):
            indexable = None if row.reason is None else row.reason == Reason.NONE.value
            yield SitemapRow(row.id, row.url, row.status, indexable, row.reason or None, row.refusal or None, row.inlinks or 0)

    def redirect_map(self) -> Iterator[RedirectMapRow]:
        """Yield the URLs of the redirect map."""
        return RedirectRows(self._connection, self._state).each()

    def duplicates(self) -> Iterator[DuplicateRow]:
        """Yield groups of indexable pages of one language with the same title, description or text."""
        for kind, column in _KINDS:
            counted = select(column.label("value"), PAGE.c.lang).select_from(ALL_PAGES).where(*INDEXABLE, column != 0)
            shared = counted.group_by(column, PAGE.c.lang).having(func.count() > 1).subquery()
            joined = ALL_PAGES.join(shared, and_(column == shared.c.value, PAGE.c.lang == shared.c.lang))
            same = select(shared, PAGE.c.id, URL.c.url).select_from(joined).where(*INDEXABLE)
            rows = self._connection.execute(same.order_by(cast(column, String), PAGE.c.lang, URL.c.url)).yield_per(AT_ONCE)
            for group, (_, pages) in enumerate(groupby(rows, key=attrgetter("value", "lang")), 1):
                for row in pages:
                    record = self._record(row.id)
                    yield DuplicateRow(group, kind, row.id, row.url, record.title if record else "")

    def orphans(self) -> Iterator[PageRow]:
        """Yield the indexable pages without internal links."""
        conditions = CrawlRoots(self._connection, self._state).orphaned()
        numbers = self._connection.execute(select(PAGE.c.id).select_from(ALL_PAGES).where(*conditions).order_by(PAGE.c.id)).scalars().all()
        for part in parts(numbers):
            yield from sorted(self.lists.rows(part), key=lambda row: row.n)

    def _record(self, number: int) -> PageRecord | None:
        data = self._connection.execute(select(RECORD.c.record).where(RECORD.c.id == number)).scalar()
        return None if data is None else unpacked_record(data, PageRecord)
