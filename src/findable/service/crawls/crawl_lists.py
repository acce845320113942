"""Use cases that read a crawl: its pages, findings, links and tables. Each raises NotFound for another account's crawl."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, structs

from findable.capture.site_hits import HitUrl
from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import AFTER_CRAWL, DATA, PagePlace, PageSelection
from findable.crawl.page_selection import data_of as data_of_filter
from findable.crawl.tables import CrawlTable, LinkRow
from findable.errors import ValidationFailed, require_found, require_valid
from findable.reports.reported_finding import ReportedFinding
from findable.reports.site_areas import SiteArea, UrlState, with_states
from findable.reports.site_faults import SiteFault
from findable.reports.site_report import SiteFinding
from findable.service.crawls import site_hits
from findable.service.crawls.crawl_access import OpenCrawl, open_crawl, terms_of
from findable.service.crawls.crawl_reports import decode_report
from findable.service.crawls.site_colours import CHANGE, Colouring, coloured
from findable.service.crawls.uploaded_metrics import data_of
from findable.service.reports.page_metrics import require_metric
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlView
from findable.service.values.paging import ListOrder, Page, PagedQuery, cursor_of, cut, cut_sorted, position_of, require_bounds
from findable.store.crawl_findings import findings_of_pages, stored_finding, stored_findings
from findable.store.crawl_link_queries import CrawlLinks, LinkPlace
from findable.store.crawl_roots import CrawlRoots
from findable.store.crawl_url_data import NO_DATA, DataColumns
from findable.store.page_lists import PageLists
from findable.store.stored_comparisons import states_by_change
from findable.store.structure_reading import site_areas
from findable.vocabulary import Verdict
from findable.wording import Message, later

DEEPEST_OFFSET = 100_000
_TOO_DEEP = later("A page number reaches the first 100,000 rows: add a filter, or follow the cursors.")
_AFTER_CRAWL = later("This is available after the crawl.")
_NO_EXTRACTOR = later("The crawl has no extractor with this name; it has: %(names)s.")
_PLACES = "place"


class PageQuery(PagedQuery, frozen=True):
    """Query for a list of pages."""

    selection: PageSelection = PageSelection()


class FindingQuery(PagedQuery, frozen=True):
    """Query for a list of findings."""

    segment: str = ""
    """Segment whose pages have the findings; empty for all."""
    verdict: Verdict | None = None
    """Failed or warned findings; *info* selects the notes, which are not faults; None selects all faults."""


class PageOfCrawl(Struct, frozen=True):
    """Page of a crawl, with its findings."""

    row: PageRow
    findings: tuple[ReportedFinding, ...]
    """Failed and warned findings."""
    requested_as: tuple[HitUrl, ...] = ()
    """Other URLs with requests of search bots that are the same page, for people of the account."""
    inlink_places: Mapping[str, int] = {}
    """Number of pages that link here by landmark of the link, empty for none; only known after the crawl."""
    outlink_places: Mapping[str, int] = {}
    """Number of links on the page by landmark."""


class FindingOfCrawl(Struct, frozen=True):
    """Finding of a crawl, with its position in the list that begins with the most harmful one."""

    place: int
    finding: SiteFinding
    listed_count: int
    """Number of pages that can be listed, within the segment if one was requested."""
    groups: tuple[SiteFinding, ...] = ()
    """All findings of its check, in a list of faults."""
    cms: str = ""
    """Content management system of the site; empty for none that is known."""

    @property
    def fault(self) -> SiteFault:
        """Fault that the finding is a group of; with this group only outside lists."""
        return SiteFault(self.groups or (self.finding,))


class LinkQuery(Struct, frozen=True):
    """Query for links of a page, or to a URL."""

    target: str = ""
    """Number or URL of the target."""
    source: str = ""
    per_page: int = 10
    cursor: str = ""


class LinkList(Struct, frozen=True):
    """Part of a list of links, and the cursor of the next part."""

    links: tuple[LinkRow, ...]
    next_cursor: str | None


def pages(service: Service, caller: Caller, crawl_id: int, query: PageQuery) -> Page[PageRow]:
    """Return a list of pages. Raises ValidationFailed."""
    with open_crawl(service, caller, crawl_id) as handle:
        return pages_of(handle, query, data_of(service, handle))


def pages_of(handle: OpenCrawl, query: PageQuery, data: DataColumns = NO_DATA) -> Page[PageRow]:
    """Return a list of pages of an open crawl, with uploaded metrics for people of its account. Raises ValidationFailed."""
    require_bounds(query.per_page, query.page, query.selection.search)
    require_column(query.selection, data)
    _require_extractors(handle, query.selection)
    _require_known(handle, query.selection)
    if query.offset > DEEPEST_OFFSET:
        raise ValidationFailed({"page": [_TOO_DEEP]})
    sort, descending = query.selection.sort, query.selection.descending
    position = position_of(query.cursor, sort, descending=descending)
    selection = structs.replace(
        query.selection,
        limit=query.per_page + 1,
        offset=query.offset,
        place=PagePlace(position.key, position.id, position.backwards) if position else None,
    )
    with handle.store.reading() as connection:
        found = PageLists(connection, handle.state, data).select(selection)
    page = cut(found.pages, found.total, query, position, ListOrder(sort, descending), lambda item: (item.value, item.row.n))
    return page.with_items(item.row for item in page.items)


def areas_of(handle: OpenCrawl) -> tuple[SiteArea, ...]:
    """Return the areas of the site as far as its crawl has got."""
    with handle.store.reading() as connection:
        return site_areas(connection)


def coloured_areas(service: Service, handle: OpenCrawl, areas: Sequence[SiteArea], colouring: Colouring) -> tuple[SiteArea, ...]:
    """Return the areas of a settled crawl with their URLs by level of a colouring that its report does not store."""
    with handle.store.reading() as connection:
        if colouring is CHANGE:
            return with_states(areas, states_by_change(connection), UrlState.REST)
        return coloured(PageLists(connection, handle.state, data_of(service, handle)), areas, colouring)


def _require_known(handle: OpenCrawl, selection: PageSelection) -> None:
    """Raise ValidationFailed for filters and sort orders that only a settled crawl can have."""
    if handle.state.phase.has_results:
        return
    errors = {name: [_AFTER_CRAWL] for name in selection.given if name in AFTER_CRAWL}
    if selection.sort in AFTER_CRAWL:
        errors["sort_by"] = [_AFTER_CRAWL]
    require_valid(errors)


def _require_extractors(handle: OpenCrawl, selection: PageSelection) -> None:
    """Raise ValidationFailed for an unknown extractor, or a value without an extractor."""
    names = [extractor.name for extractor in handle.state.settings.extractors]
    wrong = Message(_NO_EXTRACTOR, names=", ".join(names) or "–")
    given = selection.given
    errors: dict[str, list[str]] = {field: [wrong] for field in ("has", "lacks") if field in given and given[field] not in names}
    if selection.value and "has" not in given:
        errors["value"] = [later("Send the name of an extractor as has.")]
    require_valid(errors)


def require_column(selection: PageSelection, data: DataColumns) -> None:
    """Raise ValidationFailed for an unknown column of uploaded metrics, or a sort order by metric without a column."""
    column, _ = data_of_filter(selection.data)
    if column is not None or selection.sort == DATA:
        require_metric(column, data.names)


def page(service: Service, caller: Caller, crawl_id: int, number: int) -> PageOfCrawl:
    """Return one page with its findings. Raises NotFound if the URL was not requested."""
    with open_crawl(service, caller, crawl_id) as handle:
        return with_links(handle, page_with_requests(service, handle, number))


def page_with_requests(service: Service, handle: OpenCrawl, number: int) -> PageOfCrawl:
    """Return one page of an open crawl with uploaded metrics and requests of bots, like `page`."""
    data = data_of(service, handle)
    found = page_of(handle, number, data)
    return structs.replace(found, requested_as=site_hits.requested_as(service, handle, data, number, found.row.url))


def page_of(handle: OpenCrawl, number: int, data: DataColumns = NO_DATA) -> PageOfCrawl:
    """Return one page of an open crawl with its findings. Raises NotFound if the URL was not requested."""
    with handle.store.reading() as connection:
        row, record = require_found(PageLists(connection, handle.state, data).page(number))
    return PageOfCrawl(row, record.findings)


def with_links(handle: OpenCrawl, found: PageOfCrawl) -> PageOfCrawl:
    """Return a page of an open crawl with the numbers of links around it by landmark."""
    with handle.store.reading() as connection:
        links = CrawlLinks(connection, handle.state)
        inlinks = links.places_to(found.row.n) if handle.state.phase.has_results else {}
        return structs.replace(found, inlink_places=inlinks, outlink_places=links.places_from(found.row.n))


def findings(service: Service, caller: Caller, crawl_id: int, query: FindingQuery) -> Page[FindingOfCrawl]:
    """Return a list of faults, the most harmful first, each as its first finding with all groups. Raises ValidationFailed."""
    require_bounds(query.per_page, query.page, "")
    notes = query.verdict is Verdict.INFO
    with open_crawl(service, caller, crawl_id) as handle, handle.store.reading() as connection:
        if not handle.state.phase.has_results:
            found = []
        elif query.segment:
            pages = PageLists(connection, handle.state).ids(PageSelection(segment=query.segment))
            found = list(findings_of_pages(connection, pages, notes=notes))
        else:
            found = list(stored_findings(connection, notes=notes))
        cms = CrawlRoots(connection, handle.state).cms() if found else ""
    if handle.crawl.verdict is not None:
        found = [item for item in found if handle.crawl.verdict.is_of_interest(item.finding.check)]
    rated = _rated_findings(service, handle.crawl)
    faults = _by_fault(FindingOfCrawl(item.place, rated.get(item.finding.key, item.finding), item.listed_count, cms=cms) for item in found)
    items = [item for item in faults if query.verdict in (None, item.fault.verdict)]
    return cut_sorted(items, len(items), query, ListOrder(_PLACES), lambda item: (item.place, item.place))


def _by_fault(items: Iterable[FindingOfCrawl]) -> list[FindingOfCrawl]:
    found: dict[str, list[FindingOfCrawl]] = {}
    for item in items:
        found.setdefault(item.finding.id, []).append(item)
    return [
        structs.replace(own[0], groups=tuple(one.finding for one in own), listed_count=sum(one.listed_count for one in own))
        for own in found.values()
    ]


def _rated_findings(service: Service, crawl: CrawlView) -> Mapping[str, SiteFinding]:
    """Return the findings with acceptances, and the updated costs and gains of all findings, if the project accepted any."""
    with service.store.read() as session:
        terms = terms_of(session, crawl.project_id)
        encoded = session.crawls.report(crawl.id) if terms else None
    return {} if encoded is None else {item.key: item for item in decode_report(encoded).with_accepted(terms).findings}


def finding_pages(service: Service, caller: Caller, crawl_id: int, key: str, query: PageQuery) -> tuple[FindingOfCrawl, Page[PageRow]]:
    """Return a finding and a list of its pages. Raises NotFound."""
    with open_crawl(service, caller, crawl_id) as handle:
        finding = require_found(finding_of(handle, key))
        selection = structs.replace(query.selection, finding=key)
        found = pages_of(handle, structs.replace(query, selection=selection), data_of(service, handle))
    return finding, found


def finding_of(handle: OpenCrawl, key: str) -> FindingOfCrawl | None:
    """Return the finding with a key; None if the crawl has no such finding."""
    with handle.store.reading() as connection:
        found = stored_finding(connection, key) if handle.state.phase.has_results else None
        cms = CrawlRoots(connection, handle.state).cms() if found is not None else ""
    return None if found is None else FindingOfCrawl(found.place, found.finding, found.listed_count, cms=cms)


def links(service: Service, caller: Caller, crawl_id: int, query: LinkQuery) -> LinkList:
    """Return the links of a page, or to a URL. Raises ValidationFailed, and NotFound for a URL that is not in the crawl."""
    with open_crawl(service, caller, crawl_id) as handle:
        return links_of(handle, query)


def links_of(handle: OpenCrawl, query: LinkQuery) -> LinkList:
    """Return the links of a page of an open crawl, or to a URL, like `links`."""
    if bool(query.source) == bool(query.target):
        raise ValidationFailed({"to": ["Send either the to field or the from field."]})
    require_bounds(query.per_page, 1, "")
    kind = "from" if query.source else "to"
    position = position_of(query.cursor, kind, descending=False)
    after = LinkPlace(position.key, position.id) if position else None
    with handle.store.reading() as connection:
        reading = CrawlLinks(connection, handle.state)
        wanted = query.source or query.target
        is_number = wanted.isascii() and wanted.isdigit() and len(wanted) < _LONG
        number = int(wanted) if is_number else require_found(reading.number_of(wanted))
        if kind == "to" and not handle.state.phase.has_results:
            raise ValidationFailed({"to": [_AFTER_CRAWL]})
        rows = reading.from_page if kind == "from" else reading.to_page
        found = list(rows(number, after=after, limit=query.per_page + 1))
    shown = found[: query.per_page]
    more = len(found) > len(shown)
    place = shown[-1][1] if more else None
    following = cursor_of(kind, place.first, place.second, descending=False, backwards=False) if place else None
    return LinkList(tuple(row for row, _ in shown), following)


_LONG = 10


def require_table(handle: OpenCrawl, table: CrawlTable, selection: PageSelection, data: DataColumns = NO_DATA) -> None:
    """Raise ValidationFailed if a table cannot be exported, or not with the given filters."""
    require_column(selection, data)
    if table.needs_end and not handle.state.phase.has_results:
        raise ValidationFailed({"table": [_AFTER_CRAWL]})
    if not table.takes_filters and selection.given:
        raise ValidationFailed({"table": [later("Filters of pages do not apply to this table.")]})
    _require_extractors(handle, selection)
    _require_known(handle, selection)
