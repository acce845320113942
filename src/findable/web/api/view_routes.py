"""Routes of saved views: `/views`."""

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlencode

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import BadRequest, ValidationFailed
from findable.service.accounts import saved_views
from findable.service.accounts.saved_views import MAX_QUERY_CHARS, ListName, SavedView
from findable.values import NEEDED
from findable.web.api.crawl_list_models import PageListQuery
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.request_models import ReportListQuery
from findable.web.api.shape_parts import Deleted
from findable.web.api.validation import errors_of, fields_of, value_or
from findable.web.query_strings import parse_query
from findable.wording import Message, later

COLUMNS = "columns"
"""Parameter of the page that lists the pages of a crawl: the columns to show."""
_NOT_SAVED = frozenset({"fields", "per_page", "page", "cursor", "project", "search_by"})
_LISTS: dict[ListName, tuple[type[Struct], frozenset[str]]] = {
    ListName.PAGES: (PageListQuery, frozenset({COLUMNS})),
    ListName.REPORTS: (ReportListQuery, frozenset()),
}
"""Query of each list in the API, and additional parameters of its page."""
_UNKNOWN = later("The list has no filter %(name)s.")
_EMPTY = later("The query field needs a filter or an order, like status=404.")


class ViewListQuery(Struct, frozen=True):
    """The query of `GET /views`."""

    list: ListName | UnsetType = UNSET
    """List whose views to return. Default: all."""


class ViewCreate(Struct, frozen=True):
    """Name, list and query of a new saved view."""

    list: Annotated[ListName, NEEDED]
    """pages: pages of a crawl. reports: reports of a project."""
    name: Annotated[str, NEEDED] = ""
    """Name, unique for the list."""
    query: Annotated[str, Meta(max_length=MAX_QUERY_CHARS)] = ""
    """Query string of the list: filters, sort and sort_by, for pages also columns."""


class ViewDeleted(Deleted[Literal["view"]], frozen=True, kw_only=True):
    """Deleted view."""


@operation(
    "POST", "/views", {201: Data[SavedView]}, example={"list": "pages", "name": "Broken pages", "query": "status=400..499&sort_by=inlinks"}
)
def create_view(call: Call, *, body: ViewCreate) -> Reply:
    """Save a view.

    Stores filters and sort order of a list under a name, for everybody with access to the whole account; at most 50 per list.
    """
    view = saved_views.create(call.service, call.caller, body.list, body.name, saved_query(body.list, body.query))
    return call.write_reply(Reply(view, 201), view.id)


@operation("GET", "/views", {200: Items[SavedView]})
def list_views(call: Call, *, query: ViewListQuery) -> Reply:
    """List the saved views of the account."""
    return Reply(list(saved_views.find(call.service, call.caller, value_or(query.list))))


@operation("DELETE", "/views/{id}", {200: Data[ViewDeleted]})
def delete_view(call: Call, view_id: int) -> Reply:
    """Delete a saved view."""
    saved_views.delete(call.service, call.caller, view_id)
    return call.write_reply(Reply(ViewDeleted(id=view_id, object="view", deleted=True)), view_id)


def filters_of(list_name: ListName, query: Mapping[str, str]) -> dict[str, str]:
    """Return the filters and sort order in the query of a list, without page and cursor."""
    names = _parameter_names(list_name)
    return {name: value for name, value in query.items() if value and name in names}


def saved_query(list_name: ListName, text: str) -> str:
    """Return a list's query string in the form to store. Raises ValidationFailed for other parameters than filters and sort order."""
    try:
        given = parse_query(text.strip().removeprefix("?").encode())
    except BadRequest as error:
        raise ValidationFailed({"query": [error.message]}) from error
    names, (model, _) = _parameter_names(list_name), _LISTS[list_name]
    wrong: list[str] = [Message(_UNKNOWN, name=name[:40]) for name in given if name not in names]
    wrong += [sentence for sentences in errors_of(model, given).values() for sentence in sentences]
    if wrong or not given:
        raise ValidationFailed({"query": wrong or [_EMPTY]})
    return urlencode(given)


def _parameter_names(list_name: ListName) -> frozenset[str]:
    model, more = _LISTS[list_name]
    return (frozenset(fields_of(model)) | more) - _NOT_SAVED
