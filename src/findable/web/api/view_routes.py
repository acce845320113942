"""Routes of saved views: `/views`."""

from collections.abc import Mapping
from typing import Literal
from urllib.parse import parse_qsl, urlencode

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from findable.errors import BadRequest, NotFound, ValidationFailed
from findable.service.accounts import saved_views
from findable.service.accounts.saved_views import ListName, NewView, SavedView
from findable.service.crawls import crawl_questions
from findable.service.projects import projects
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.web.api.crawl_list_models import PageListQuery
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.report_routes import ReportListQuery
from findable.web.api.shape_parts import Deleted
from findable.web.api.validation import errors_of, fields_of, value_or
from findable.web.query_strings import parse_query
from findable.wording import Message, later

OVER = "over"
"""Parameter of a question about several crawls of a project: ``over=crawls``."""
COLUMNS = "columns"
"""Parameter of the page that lists the pages of a crawl: the columns to show."""
_NOT_SAVED = frozenset({"fields", "per_page", "page", "cursor", "project", "search_by"})
_LISTS: dict[ListName, tuple[type[Struct], frozenset[str]]] = {
    ListName.PAGES: (PageListQuery, frozenset({COLUMNS})),
    ListName.REPORTS: (ReportListQuery, frozenset()),
}
"""Query of each list in the API, and additional parameters of its page."""
_UNKNOWN = later("The list has no filter %(name)s.")
_NOT_WATCHED = later("A question about several crawls cannot be watched.")
_NO_PROJECT = later("There is no such project.")
_EMPTY = later("The query field needs a filter or an order, like status=404.")


class ViewListQuery(Struct, frozen=True):
    """The query of `GET /views`."""

    list: ListName | UnsetType = UNSET
    """List whose views to return. Default: all."""


class ViewDeleted(Deleted[Literal["view"]], frozen=True, kw_only=True):
    """Deleted view."""


@operation(
    "POST", "/views", {201: Data[SavedView]}, example={"list": "pages", "name": "Broken pages", "query": "status=400..499&sort_by=inlinks"}
)
def create_view(call: Call, *, body: NewView) -> Reply:
    """Save a view.

    Stores filters and sort order of a list, or a question about the crawls of a project, under a name, for everybody with access to the
    whole account; at most 50 per list.
    """
    view = save_view(call.service, call.caller, body)
    return call.write_reply(Reply(view, 201), view.id)


@operation("GET", "/views", {200: Items[SavedView]})
def list_views(call: Call, *, query: ViewListQuery) -> Reply:
    """List the saved views of the account."""
    return Reply(saved_views.find(call.service, call.caller, value_or(query.list)))


@operation("DELETE", "/views/{id}", {200: Data[ViewDeleted]})
def delete_view(call: Call, view_id: int) -> Reply:
    """Delete a saved view."""
    saved_views.delete(call.service, call.caller, view_id)
    return call.write_reply(Reply(ViewDeleted(id=view_id, object="view")), view_id)


def save_view(service: Service, caller: Caller, new: NewView) -> SavedView:
    """Validate and save a view. Raises Forbidden, ValidationFailed."""
    try:
        project_id = projects.get(service, caller, new.project).id if new.project else None
    except NotFound as error:
        raise ValidationFailed({"project": [_NO_PROJECT]}) from error
    query = _saved_query(new.list, new.query)
    if new.most is not None and OVER in dict(parse_qsl(query)):
        raise ValidationFailed({"most": [_NOT_WATCHED]})
    return saved_views.create(service, caller, replace(new, query=query), project_id)


def filters_of(list_name: ListName, query: Mapping[str, str]) -> dict[str, str]:
    """Return the filters and sort order in the query of a list, without page and cursor."""
    if list_name is ListName.QUESTIONS:
        return {name: value for name, value in query.items() if value and _is_of_question(name)}
    names = _parameter_names(list_name)
    return {name: value for name, value in query.items() if value and name in names}


def _is_of_question(name: str) -> bool:
    return name in ("sql", "question", OVER) or name.startswith(crawl_questions.PARAM)


def _saved_query(list_name: ListName, text: str) -> str:
    """Return a list's query string in the form to store. Raises ValidationFailed for other parameters than filters and sort order."""
    try:
        given = parse_query(text.strip().removeprefix("?").encode())
    except BadRequest as error:
        raise ValidationFailed({"query": [error.message]}) from error
    if list_name is ListName.QUESTIONS:
        own = filters_of(list_name, {name: value for name, value in given.items() if isinstance(value, str)})
        crawl_questions.require_valid(crawl_questions.question_of(own), is_stacked=OVER in own)
        return urlencode(own)
    names, (model, _) = _parameter_names(list_name), _LISTS[list_name]
    wrong: list[str] = [Message(_UNKNOWN, name=name[:40]) for name in given if name not in names]
    wrong += [sentence for sentences in errors_of(model, given).values() for sentence in sentences]
    if wrong or not given:
        raise ValidationFailed({"query": wrong or [_EMPTY]})
    return urlencode(given)


def _parameter_names(list_name: ListName) -> frozenset[str]:
    model, more = _LISTS[list_name]
    return (frozenset(fields_of(model)) | more) - _NOT_SAVED
