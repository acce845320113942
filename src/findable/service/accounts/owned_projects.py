"""Projects by name or id, as far as the caller may see or change them."""

from findable.errors import ValidationFailed, require_found
from findable.service.accounts.permissions import may, require_access, require_role
from findable.service.values.caller import VIEWER, Caller
from findable.service.values.paging import MAX_OFFSET
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.urls import parse, project_name
from findable.wording import later

MAX_DIGITS = 19
"""Maximum number of digits of a number; Python cannot parse numbers with thousands of digits."""


def find_project(session: Session, caller: Caller, name_or_id: str) -> ProjectRow | None:
    """Return a project that the caller may see by its name (case-insensitive, IDN or Punycode) or its id."""
    found = _project(session, caller, name_or_id)
    return found if found is not None and may(caller, VIEWER, found.id) else None


def _project(session: Session, caller: Caller, name_or_id: str) -> ProjectRow | None:
    text = name_or_id.strip()
    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        found = session.projects.by_id(caller.account_id, int(text)) if int(text) < MAX_OFFSET else None
        if found:
            return found
    url = parse(f"https://{text}/") if text else None
    if url is None or url.path != "/" or url.query or url.username:
        return None
    for scheme in ("https", "http"):
        found = session.projects.by_name(caller.account_id, project_name(f"{scheme}://{text}/"))
        if found:
            return found
    return None


def owned_project(session: Session, caller: Caller, name_or_id: str, role: str = VIEWER) -> ProjectRow:
    """Return a project in which the caller has a role; to change it, use a writing transaction.

    Raises NotFound, and Forbidden if they may only read or have a lower role.
    """
    row = require_found(find_project(session, caller, name_or_id))
    require_access(caller, row.id, for_update=session.is_writing)
    require_role(caller, role, row.id)
    return row


def named_project(session: Session, caller: Caller, name_or_id: str) -> ProjectRow | None:
    """Return the project that a field of a request names; None for an empty one. Raises ValidationFailed for an unknown project."""
    if not name_or_id.strip():
        return None
    row = find_project(session, caller, name_or_id)
    if row is None:
        raise ValidationFailed({"project": [later("There is no such project.")]})
    return row
