"""List of the pages of a project with filters, sort order and uploaded metrics."""

from collections.abc import Mapping
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from findable.checks.engine import all_checks
from findable.errors import ValidationFailed
from findable.reports.titles import question_of
from findable.service.accounts.saved_views import ListName
from findable.service.crawls.uploaded_metrics import weight_of
from findable.service.reports import reports
from findable.service.reports.page_metrics import PageMetrics
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectView
from findable.service.values.report_values import ReportQuery, ReportSort, ReportView
from findable.web.pages.project.project_lists import LISTED, WORST_FIRST, report_query, total_words
from findable.web.pages.shared.form_fields import Choice, SortedColumn
from findable.web.pages.shared.lines import NO_SUCH_LIST, Pages, list_pages, project_url
from findable.web.pages.shared.number_words import column_words, number_words
from findable.web.pages.shared.project_tabs import REPORTS
from findable.web.pages.shared.view_chips import ViewChips, view_chips
from findable.web.pages.shared.viewer import SignedInRequest
from findable.web.query_strings import url_with
from findable.wording import Translator, later

REPORT_SORTS = (
    (ReportSort.RESULT, False, later("Worst first")),
    (ReportSort.ID, True, later("Newest first")),
    (ReportSort.GENERATED_AT, True, later("Last result first")),
    (ReportSort.RESULT, True, later("Best first")),
    (ReportSort.URL, False, later("URL")),
)

FILTERS = ("search", "result", "status", "check", "verdict", "since", "data")
"""Parameters of the filters."""
COLUMNS = 5
"""Maximum number of columns of uploaded metrics."""


CheckGroup = tuple[str, tuple[Choice, ...]]
"""Title of a category, and its checks as choices of the filter form."""


class PageList(Struct, frozen=True):
    """List of the pages of a project, ready for the template."""

    views: ViewChips
    """Saved views of the list."""
    wanted: ReportQuery
    """Filters and order of the query; the links lead to the finding of its check."""
    groups: tuple[CheckGroup, ...]
    data_example: str
    """Example of the filter by uploaded metrics; empty without uploads."""
    hidden: tuple[tuple[str, str], ...]
    """Fields of the form that are not shown."""
    sorts: tuple[Choice, ...]
    heads: tuple[SortedColumn, ...]
    """Headers of the metric columns; empty without uploads."""
    lines: tuple[tuple[ReportView, tuple[str, ...]], ...]
    """Pages, each with its uploaded metrics."""
    pages: Pages
    csv: str
    problem: str
    """Error message about the URL; empty without an error."""
    parameters: Mapping[str, str]
    """Filters as parameters."""


def page_list(request: SignedInRequest, view: ProjectView, numbers: PageMetrics) -> PageList:
    """Return the list of a project's pages for the query of the request."""
    say, at = request.say, f"{project_url(view.name)}/{REPORTS}"
    weight = weight_of(numbers.columns)
    columns = sorted(numbers.columns, key=lambda column: column != weight)[:COLUMNS]
    page, list_query, problem = _reports(request, view)
    sent = {**request.query, "verdict": list_query.verdict.value if list_query.verdict else ""}
    parameters = {name: sent[name] for name in FILTERS if sent.get(name) and not problem}
    by = {"sort_by": list_query.sort_by.value, "sort": "desc" if list_query.descending else "asc"}

    def sorted_by(sort: ReportSort, descending: bool, words: str) -> Choice:  # noqa: FBT001 - a row of the table
        href = url_with(at, {**parameters, "sort_by": sort.value, "sort": "desc" if descending else "asc"})
        return Choice(sort.value, say(words), (list_query.sort_by, list_query.descending) == (sort, descending), href)

    return PageList(
        views=view_chips(
            request.service,
            request.caller,
            ListName.REPORTS,
            view.name,
            {**parameters, **by},
            lambda saved: url_with(at, saved),
            defaults=WORST_FIRST,
        ),
        wanted=list_query,
        groups=check_groups(list_query.check, say),
        data_example=f"{numbers.columns[0]}:100.." if numbers.columns else "",
        hidden=_hidden_fields(list_query, parameters, by),
        sorts=tuple(sorted_by(*row) for row in REPORT_SORTS),
        heads=tuple(_head(column, list_query, parameters, at, say) for column in columns),
        lines=tuple(
            (
                one,
                tuple(number_words(shown.get(column), say) for shown in (numbers.row(one.url),) for column in columns),
            )
            for one in page.items
        ),
        pages=list_pages(
            page, at, {**parameters, **by}, total_words(page, say, say.plural("%(count)s page", "%(count)s pages", page.total))
        ),
        csv=url_with(f"{at}.csv", {**parameters, **by}),
        problem=problem,
        parameters=parameters,
    )


def _head(column: str, list_query: ReportQuery, parameters: Mapping[str, str], at: str, say: Translator) -> SortedColumn:
    """Return the header of an uploaded metric's column, whose link sorts descending first, then ascending."""
    is_chosen = list_query.sort_by is ReportSort.DATA and list_query.data == column
    data = parameters["data"] if list_query.data == column else column
    direction = "asc" if is_chosen and list_query.descending else "desc"
    href = url_with(at, {**parameters, "data": data, "sort_by": ReportSort.DATA.value, "sort": direction})
    return SortedColumn(column_words(column, say), href, ("descending" if list_query.descending else "ascending") if is_chosen else "")


def _reports(request: SignedInRequest, view: ProjectView) -> tuple[Page[ReportView], ReportQuery, str]:
    """Return the reports, the parsed query, and an error message; for an invalid query, all reports."""
    plain = replace(report_query({}), project=view.name, per_page=LISTED, pages_only=True)
    try:
        list_query = replace(report_query(request.raw_query), project=view.name, per_page=LISTED, pages_only=True)
        return reports.find(request.service, request.caller, list_query), list_query, ""
    except ValidationFailed:
        return reports.find(request.service, request.caller, plain), plain, request.say(NO_SUCH_LIST)


def check_groups(chosen: str, say: Translator, numbers: Mapping[str, str] | None = None) -> tuple[CheckGroup, ...]:
    """Return all checks as choices by category, with their ``numbers`` in brackets, if any."""

    def choice(check: str) -> Choice:
        number = (numbers or {}).get(check)
        return Choice(check, f"{question_of(check, say)} ({number})" if number else question_of(check, say), check == chosen)

    by_category = groupby(all_checks().values(), lambda one: one.category)
    return tuple((say(category.words), tuple(choice(one.id) for one in found)) for category, found in by_category)


def _hidden_fields(list_query: ReportQuery, parameters: Mapping[str, str], by: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    hidden = {name: parameters[name] for name in ("status", "since") if name in parameters}
    return tuple({**hidden, **(by if list_query.sort_by is not ReportSort.DATA else {})}.items())
