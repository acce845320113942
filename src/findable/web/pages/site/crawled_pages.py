"""List of the pages of a crawl, with filters and columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, structs
from starlette.responses import Response

from findable.crawl.column_declaration import Listed
from findable.crawl.extractors import Extractor
from findable.crawl.page_columns import COLUMNS, PageRow
from findable.crawl.page_selection import AFTER_CRAWL, DATA, PageFilters
from findable.errors import BadRequest, RequestError, ValidationFailed
from findable.reports.titles import readable_url
from findable.service.accounts.saved_views import ListName
from findable.service.crawls import crawl_lists
from findable.service.crawls.crawl_lists import PageQuery
from findable.service.crawls.site_colours import OF_FINDING
from findable.service.crawls.uploaded_metrics import data_of, weight_of
from findable.store.crawl_url_data import NO_DATA
from findable.web.api.crawl_list_models import PageListQuery
from findable.web.api.validation import read
from findable.web.pages.result.link_pages import LinkPageContext, page_fields
from findable.web.pages.shared.form_fields import Choice, SortedColumn
from findable.web.pages.shared.lines import NO_SUCH_LIST, Pages, list_pages
from findable.web.pages.shared.number_words import column_words, number_words
from findable.web.pages.shared.problem_words import all_errors
from findable.web.pages.shared.view_chips import ViewChips, view_chips
from findable.web.pages.site.crawled_page_cells import (
    DETAILS,
    EXTRACTED,
    SHOWN_EXTRACTORS,
    UPLOADED,
    USUAL_OF_REDIRECTS,
    are_redirects,
    cell,
    extracted_cell,
    score_of,
)
from findable.web.pages.site.crawled_page_filters import (
    FilterField,
    ListUrl,
    filter_fields,
    filter_words,
    own_filters,
    quick_filters,
)
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response
from findable.web.query_strings import url_with
from findable.wording import Translator

LISTED = 50
ORDER: tuple[str, ...] = ("sort_by", "sort")


class PageLine(Struct, frozen=True):
    """Row of the list: a crawled page."""

    href: str
    address: str
    title: str
    cells: tuple[tuple[str, str], ...]
    """Texts of the columns after the URL, each with its rating; empty for none."""


class CrawledPagesPage(LinkPageContext, frozen=True, kw_only=True):
    """Variables of crawled_pages.html."""

    active_filters: str
    """Active filters in words; empty without filters."""
    clear: str
    """URL of the list without filters."""
    search: str
    hidden_fields: tuple[tuple[str, str], ...]
    """Parameters that the forms keep."""
    quick: tuple[Choice, ...]
    views: ViewChips | None
    """Saved views; None for guests, and while the crawl is running."""
    filters: tuple[FilterField, ...]
    columns: tuple[Choice, ...]
    """Columns to choose."""
    heads: tuple[SortedColumn, ...]
    lines: tuple[PageLine, ...]
    pages: Pages
    csv: str
    """URL of the list as CSV; empty while the crawl is running."""
    problem: str
    is_partial: bool
    """Whether only examples of the pages of a finding are known."""
    picture: str
    """URL of the picture of the site in the colours of the finding; empty for other lists."""


@SITES.viewer_page("/pages")
def get_crawled_pages(visit: SiteVisit) -> Response:
    """List the pages of a crawl, with the filters and sort orders of the API; ``finding`` selects a finding, ``columns`` the columns."""
    visit.require("pages")
    say, own = visit.say, f"{visit.path}/pages"
    parameters = {name: value for name in (*PageFilters.__struct_fields__, *ORDER) if (value := visit.query.get(name))}
    problem, status = "", 200
    with visit.open_crawl() as handle:
        data = data_of(visit.service, handle) if visit.owner else NO_DATA
        only_redirects = False
        try:
            wanted = query_of(visit.query)
            found = crawl_lists.pages_of(handle, wanted, data)
            only_redirects = are_redirects(parameters.get("status", ""))
        except RequestError as error:
            problem, status = all_errors(error, say), 422
            found, parameters = crawl_lists.pages_of(handle, PageQuery(per_page=LISTED), data), {}
        finding = crawl_lists.finding_of(handle, parameters["finding"]) if "finding" in parameters else None
        segments = [segment.name for segment in handle.state.settings.segments]
        extractors = handle.state.settings.extractors
        is_settled = handle.state.phase.has_results
    extracted = tuple(Listed(extractor.name, f"{EXTRACTED}{place}") for place, extractor in enumerate(extractors))
    weight = weight_of(data.names)
    names = sorted(data.names, key=lambda name: name != weight)
    uploaded = tuple(Listed(column_words(name, say), f"{UPLOADED}{name}", can_sort=True, descends=True) for name in names)
    columns = (*COLUMNS.values(), *uploaded, *extracted)
    usual = (
        *(USUAL_OF_REDIRECTS if only_redirects else (name for name, column in COLUMNS.items() if column.is_usual)),
        *(column.name for own in (uploaded, extracted) for column in own[:SHOWN_EXTRACTORS] if column.name not in DETAILS),
    )
    chosen = _chosen_columns(visit.query, columns) or usual
    filters = {name: value for name, value in parameters.items() if name not in ORDER}
    others = {"columns": ",".join(chosen) if chosen != usual else "", "language": visit.url_language}
    others = {name: value for name, value in others.items() if value}
    order = {name: parameters[name] for name in ORDER if name in parameters}

    def url_for(query: Mapping[str, str]) -> str:
        return url_with(own, {**query, **others}, "list")

    shown_columns = tuple(column for column in columns if column.name in ("url", *chosen))
    is_partial = finding is not None and finding.listed_count < finding.finding.pages_count
    page = CrawledPagesPage(
        **page_fields(visit, "/pages"),
        active_filters=filter_words(filters, finding, say),
        clear=url_for(order),
        search=parameters.get("search", ""),
        hidden_fields=tuple({**{name: value for name, value in parameters.items() if name != "search"}, **others}.items()),
        quick=tuple(quick_filters(filters, order, own_filters(segments, extractors, data.names, say), url_for, say)),
        views=_saved_views(visit, {**parameters, **others}) if is_settled else None,
        filters=tuple(filter_fields(parameters, segments, data.names, say, is_settled=is_settled)),
        columns=tuple(Choice(column.name, say(column.title), column.name in chosen) for column in columns[1:]),
        heads=tuple(_heads(shown_columns, filters, parameters, url_for, say, is_settled=is_settled)),
        lines=tuple(_page_line(row, visit, shown_columns, extractors) for row in found.items),
        pages=list_pages(found, own, {**parameters, **others}, say.plural("%(count)s URL", "%(count)s URLs", found.total)),
        csv=visit.url("/export", table="redirects" if only_redirects else "pages", **filters) if is_settled else "",
        problem=problem,
        is_partial=is_partial,
        picture=f"{visit.url(picture=f'{OF_FINDING}{finding.finding.key}')}#picture" if finding and not is_partial else "",
    )
    return visit_response(visit, page, status)


def query_of(query: Mapping[str, str]) -> PageQuery:
    """Parse the query of a list of crawled pages. Raises BadRequest for unknown parameters."""
    known = {name: value for name, value in query.items() if value and name in (*PageFilters.__struct_fields__, *ORDER, "cursor")}
    try:
        wanted = read(PageListQuery, known).to_query()
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    return structs.replace(wanted, per_page=LISTED)


def _saved_views(visit: SiteVisit, query: Mapping[str, str]) -> ViewChips | None:
    def url_for(saved: Mapping[str, str]) -> str:
        return f"{visit.url('/pages', **saved)}#list"

    return view_chips(visit.service, visit.owner, ListName.PAGES, visit.crawl.public_id, query, url_for) if visit.owner else None


def _chosen_columns(query: Mapping[str, str], columns: Sequence[Listed]) -> tuple[str, ...]:
    """Return the names of the columns in ``columns=status,words``, or selected in the form."""
    wanted = {*query.get("columns", "").split(","), *(name.removeprefix("column.") for name in query if name.startswith("column."))}
    return tuple(column.name for column in columns[1:] if column.name in wanted)


def _heads(
    columns: Iterable[Listed],
    filters: Mapping[str, str],
    parameters: Mapping[str, str],
    list_url: ListUrl,
    say: Translator,
    *,
    is_settled: bool,
) -> Iterator[SortedColumn]:
    for column in columns:
        sort = DATA if column.name.startswith(UPLOADED) else column.name
        if not column.can_sort or (sort in AFTER_CRAWL and not is_settled):
            yield SortedColumn(say(column.title), "", "")
            continue
        own = _filter_of(column, filters)
        is_chosen = parameters.get("sort_by") == sort and own.items() <= filters.items()
        down = parameters.get("sort") != "desc" if is_chosen else column.descends
        href = list_url({**filters, **own, "sort_by": sort, "sort": "desc" if down else "asc"})
        order = ("descending" if parameters.get("sort") == "desc" else "ascending") if is_chosen else ""
        yield SortedColumn(say(column.title), href, order)


def _filter_of(column: Listed, filters: Mapping[str, str]) -> Mapping[str, str]:
    """Return the query parameters that sorting by the column requires: for uploaded metrics, a filter by their column."""
    if not column.name.startswith(UPLOADED):
        return {}
    name, given = column.name.removeprefix(UPLOADED), filters.get("data", "")
    return {"data": given if given.partition(":")[0] == name else name}


def _page_line(row: PageRow, visit: SiteVisit, columns: Iterable[Listed], extractors: Sequence[Extractor]) -> PageLine:
    cells = tuple(_cell(row, column, extractors, visit.say) for column in columns if column.name != "url")
    return PageLine(visit.url(f"/pages/{row.n}"), readable_url(row.url), row.title, cells)


def _cell(row: PageRow, column: Listed, extractors: Sequence[Extractor], say: Translator) -> tuple[str, str]:
    if column.name.startswith(EXTRACTED):
        return extracted_cell(row, extractors[int(column.name.removeprefix(EXTRACTED))], say), ""
    if column.name.startswith(UPLOADED):
        return number_words(row.data.get(column.name.removeprefix(UPLOADED)), say), ""
    rated = score_of(row, say) if column.name == "score" else None
    return cell(row, column, say), rated.rating if rated else ""
