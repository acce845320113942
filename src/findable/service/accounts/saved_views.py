"""Saved views: filters and order of a list under a name, for people with access to the whole account."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from findable.errors import ValidationFailed, require_found
from findable.service.accounts.permissions import may, require, require_role, writing
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import MEMBER, READ, VIEWER, WRITE, Caller
from findable.service.values.views import view_of
from findable.store.saved_view_statements import SavedViewRow
from findable.values import NEEDED, DateTime
from findable.vocabulary import Code
from findable.wording import Message, later

MAX_VIEWS = 50
"""Maximum number of saved views per account and list."""
MAX_NAME_CHARS = 60
MAX_WATCHED = 10
"""Maximum number of watched questions per project, because each is asked after each crawl."""
MAX_NUMBER_DIGITS = 15
MAX_QUERY_CHARS = 4000
_WRONG_NAME = Message(later("The name must have 1 to %(most)s characters without control characters."), most=MAX_NAME_CHARS)
_TOO_MANY = Message(later("A list has at most %(most)s saved views. Delete one."), most=MAX_VIEWS)
_TOO_MANY_WATCHED = Message(later("A project has at most %(most)s watched questions."), most=MAX_WATCHED)
_ONLY_QUESTIONS = later("Send the project field for a view of questions, and only for one.")
_TAKEN = later("There is already a view with this name.")
_TOO_LONG = Message(later("The filters have more than %(most)s characters."), most=MAX_QUERY_CHARS)


class ListName(Code):
    """List whose filters can be saved."""

    PAGES = "pages", later("Pages of a crawl")
    """Pages of a crawl."""
    REPORTS = "reports", later("Reports of a project")
    """Reports of a project."""
    QUESTIONS = "questions", later("Questions about crawls")
    """Questions about the crawls of a project."""


class NewView(Struct, frozen=True):
    """Saved view to create."""

    list: Annotated[ListName, NEEDED]
    """pages: pages of a crawl. reports: reports of a project. questions: questions about the crawls of a project."""
    name: Annotated[str, NEEDED] = ""
    """Name, unique for the list."""
    query: Annotated[str, Meta(max_length=MAX_QUERY_CHARS)] = ""
    """Query string of the list: filters, sort and sort_by, for pages also columns; for questions sql or question, and param.NAME."""
    project: str = ""
    """Name or id of the project whose crawls are asked; only for questions."""
    most: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    """Watches a question: a crawl of the project with more rows opens an alert. Null: the question is not watched."""


class SavedView(Struct, frozen=True, kw_only=True):
    """Saved view: append `query` to the URL of the list."""

    id: int
    object: Literal["view"] = "view"
    list: ListName
    name: str
    query: str
    project: str | None
    most: int | None
    created_at: DateTime


def find(service: Service, caller: Caller, list_name: ListName | None = None) -> tuple[SavedView, ...]:
    """Return the saved views of a list, or of all lists, sorted by name.

    Empty for people with access to single projects, because names and queries reveal other projects.
    """
    require(caller, READ)
    if not may(caller, VIEWER):
        return ()
    with service.store.read() as session:
        return tuple(_view(row) for row in session.views.of_account(caller.account_id) if list_name in (None, row.list))


def chosen_view_id(text: str) -> int | None:
    """Return the id of the view chosen in a form; None if none was chosen, 0 (the id of no view) for invalid input."""
    return None if not text else int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_DIGITS else 0


def get(service: Service, caller: Caller, view_id: int) -> SavedView:
    """Return a saved view. Raises NotFound, also for people with access to single projects only."""
    return require_found(next((view for view in find(service, caller) if view.id == view_id), None))


def create(service: Service, caller: Caller, new: NewView, project_id: int | None) -> SavedView:
    """Save the query of a list, after the list has validated it; ``project_id`` is its project. Raises Forbidden, ValidationFailed."""
    require(caller, WRITE)
    require_role(caller, MEMBER)
    name = new.name.strip()
    if not 0 < len(name) <= MAX_NAME_CHARS or not name.isprintable():
        raise ValidationFailed({"name": [_WRONG_NAME]})
    if len(new.query) > MAX_QUERY_CHARS:
        raise ValidationFailed({"query": [_TOO_LONG]})
    asks = new.list is ListName.QUESTIONS
    if asks != (project_id is not None) or (new.most is not None and not asks):
        raise ValidationFailed({"project": [_ONLY_QUESTIONS]})
    with service.store.write() as session:
        here = [row for row in session.views.of_account(caller.account_id) if row.list == new.list]
        if name in {row.name for row in here}:
            raise ValidationFailed({"name": [_TAKEN]})
        if len(here) >= MAX_VIEWS:
            raise ValidationFailed({"name": [_TOO_MANY]})
        if project_id is not None and new.most is not None and len(session.views.watched(project_id)) >= MAX_WATCHED:
            raise ValidationFailed({"most": [_TOO_MANY_WATCHED]})
        owner = {"account_id": caller.account_id, "project_id": project_id, "created_at": session.moment}
        number = session.views.add({**owner, "list": new.list.value, "name": name, "query": new.query, "most": new.most})
        audit_log.record(session, caller, AuditAction.VIEW_MADE, name, list=new.list.value)
        return _view(next(row for row in session.views.of_account(caller.account_id) if row.id == number))


def delete(service: Service, caller: Caller, view_id: int) -> None:
    """Delete a saved view. Raises Forbidden, NotFound."""
    with writing(service, caller, MEMBER) as session:
        rows = session.views.of_account(caller.account_id)
        found = require_found(next((row for row in rows if row.id == view_id), None))
        session.views.remove(view_id)
        audit_log.record(session, caller, AuditAction.VIEW_DELETED, found.name, list=found.list)


def _view(row: SavedViewRow) -> SavedView:
    return view_of(SavedView, row)
