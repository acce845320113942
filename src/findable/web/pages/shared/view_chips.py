"""Links to the saved views of a list, and the form that saves the current filters."""

from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlencode

from msgspec import Struct

from findable.service.accounts import saved_views
from findable.service.accounts.permissions import may
from findable.service.accounts.saved_views import MAX_NAME_CHARS, ListName
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.web.api.view_routes import filters_of
from findable.web.pages.shared.form_fields import Choice


class ViewChips(Struct, frozen=True):
    """Saved views of a list, for display above it."""

    chips: tuple[Choice, ...]
    query: str
    """Filters that can be saved; empty without filters, for a saved view and for people with read access only."""
    list_name: str
    """Name of the list."""
    at: str
    """Public id of the crawl, or name of the project, that the list belongs to."""
    longest: int = MAX_NAME_CHARS


def view_chips(
    service: Service,
    caller: Caller,
    list_name: ListName,
    at: str,
    query: Mapping[str, str],
    url_for: Callable[[Mapping[str, str]], str],
    defaults: Mapping[str, str] | None = None,
) -> ViewChips:
    """Return the saved views of a list with this query; ``url_for`` returns the URL of the list with another query.

    ``defaults``: parameters of the default order, which are not saved.
    """
    now = _without_parameters(defaults, filters_of(list_name, query))
    found = tuple((view, dict(parse_qsl(view.query))) for view in saved_views.find(service, caller, list_name))
    chips = tuple(Choice(str(view.id), view.name, _without_parameters(defaults, saved) == now, url_for(saved)) for view, saved in found)
    can_save = may(caller, MEMBER) and not any(chip.is_chosen for chip in chips)
    return ViewChips(chips, urlencode(now) if can_save else "", list_name.value, at)


def _without_parameters(usual: Mapping[str, str] | None, query: Mapping[str, str]) -> Mapping[str, str]:
    """Return the query without the ``usual`` parameters if it contains all of them with their usual values, else unchanged."""
    has_all = usual is not None and usual.items() <= query.items()
    return {name: value for name, value in query.items() if name not in (usual or ())} if has_all else query
