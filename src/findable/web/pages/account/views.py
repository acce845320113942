"""Saved views of an account: named filters of lists."""

from collections.abc import Mapping
from typing import ClassVar
from urllib.parse import quote

from starlette.responses import Response

from findable.errors import BadRequest, ValidationFailed
from findable.service.accounts import saved_views
from findable.service.accounts.permissions import may
from findable.service.accounts.saved_views import MAX_NUMBER_DIGITS, ListName, NewView, SavedView
from findable.service.values.caller import MEMBER
from findable.web.api.view_routes import save_view
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.web.path_parts import id_of
from findable.web.query_strings import whole_number
from findable.wording import later

_NO_NUMBER = later("The most field must be a whole number.")


class ViewsPage(PersonPage, frozen=True, kw_only=True):
    """Variables of views.html."""

    entry: ClassVar[str] = "projects"
    confirmations: ClassVar[Mapping[str, str]] = {"deleted": later("The view is deleted.")}
    groups: tuple[tuple[str, tuple[SavedView, ...]], ...]
    """Saved views of each list, after the name of the list."""
    may_change: bool


@person_page("/views")
def get_views(request: SignedInRequest) -> ViewsPage:
    """Show the saved views of all lists."""
    found = saved_views.find(request.service, request.caller)
    groups = ((of.words, tuple(view for view in found if view.list is of)) for of in ListName)
    return ViewsPage(
        groups=tuple((request.say(words), views) for words, views in groups if views),
        may_change=may(request.caller, MEMBER),
    )


@person_form("/views", get_views)
def post_view(request: SignedInRequest) -> Response:
    """Save the filters of a list as a view and redirect to the list."""
    of, at = next((name for name in ListName if name.value == request.text("list")), None), request.text("at")
    if of is None:
        raise BadRequest
    sent = request.text("most")
    most = whole_number(sent, MAX_NUMBER_DIGITS - 1)
    if sent and most is None:
        raise ValidationFailed({"most": [_NO_NUMBER]})
    new = NewView(of, request.text("name"), request.text("query"), request.text("project"), most)
    view = save_view(request.service, request.caller, new)
    here = quote(at, safe="")
    if of is ListName.QUESTIONS:
        return see_other(
            f"/s/{here}/questions?{view.query}#answer" if at else f"{project_url(view.project or '')}/questions?{view.query}#answer"
        )
    return see_other(f"/s/{here}/pages?{view.query}#list" if of is ListName.PAGES else f"/projects/{here}/reports?{view.query}")


@person_form("/views/{view}/delete")
def post_delete_view(request: SignedInRequest, view: str) -> Response:
    """Delete a saved view."""
    saved_views.delete(request.service, request.caller, id_of(view))
    return see_other("/views?done=deleted")
