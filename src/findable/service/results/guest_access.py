"""Access to shared objects by their links: who may see one."""

from enum import StrEnum

from msgspec import Struct, field

from findable.service.results.share_links import is_expired
from findable.service.results.shareable import Shared, is_owner
from findable.service.results.unlocking import is_unlocked
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.presentation import Presentation
from findable.store.share_link_statements import LinkRow
from findable.vocabulary import Privacy


class Decision(StrEnum):
    """Result of the authorization function."""

    ALLOWED = "allowed"
    PASSWORD_NEEDED = "password_needed"  # noqa: S105 - a code, not a password
    NOT_FOUND = "not_found"


class Viewer(Struct, frozen=True):
    """Viewer of a share page: an owner with session or key, or a guest who may have unlocked it."""

    caller: Caller | None = None
    unlock_token: str | None = None
    """Value of the report's unlock cookie."""


class LinkAccess(Struct, frozen=True):
    """Access decision about a shared object for a viewer."""

    decision: Decision
    is_owner: bool = False
    presentation: Presentation = field(default_factory=Presentation)
    """Owner's texts and choices for the link, and the project's branding."""


def decide(service: Service, row: Shared | None, link: LinkRow | None, viewer: Viewer) -> Decision:
    """Decide by owner, expiry of the link, privacy and password who may see an object; ``row`` and ``link`` are None if it is missing."""
    if row is None or link is None:
        return Decision.NOT_FOUND
    if is_owner(row, viewer.caller):
        return Decision.ALLOWED
    if is_expired(link):
        return Decision.NOT_FOUND
    if row.privacy == Privacy.PUBLIC:
        return Decision.ALLOWED
    if row.privacy == Privacy.PASSWORD and row.password_hash is not None:
        return Decision.ALLOWED if is_unlocked(service, row, viewer.unlock_token) else Decision.PASSWORD_NEEDED
    return Decision.NOT_FOUND
