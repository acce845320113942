"""Access to shared objects by their links: who may see one, and the password of guests."""

from enum import StrEnum

from msgspec import Struct, field

from findable.clock import now
from findable.errors import NotFound
from findable.service.results.shareable import Shareable, Shared, is_owner
from findable.service.runtime.guessing_limits import count_try, counters, remember, undo_counts
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import link_salt, read_signed_number, signed_number
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


class UnlockCookie(Struct, frozen=True):
    """Cookie to set after the right password."""

    cookie_name: str
    token: str
    max_age_s: int
    secure: bool


UNLOCK_LIFE_S = 12 * 3600


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
        unlocked = viewer.unlock_token is not None and _is_valid(service, row, viewer.unlock_token)
        return Decision.ALLOWED if unlocked else Decision.PASSWORD_NEEDED
    return Decision.NOT_FOUND


def is_expired(link: LinkRow) -> bool:
    """Return whether guest access has ended."""
    return link.expires_at is not None and link.expires_at <= int(now().timestamp())


def unlock(service: Service, target: Shareable[Shared], public_id: str, password: str, address: str) -> UnlockCookie | None:
    """Check a password for a guest at that IP address; None if it is wrong.

    Raises NotFound if there is no object with a password, RateLimited after too many wrong attempts from that network or for that object,
    or while too many are being checked.
    """
    with service.store.write() as session:
        row, link = target.find(session, public_id)
        if row is None or link is None or is_expired(link) or row.privacy != Privacy.PASSWORD or row.password_hash is None:
            raise NotFound
        counted = counters(session, target.counter, str(row.id), address)
        count_try(session, counted)
    if not service.passwords.is_right(row.password_hash, password):
        return None
    with service.store.write() as session:
        undo_counts(session, counted)  # the password of one report gives no further attempts at others
        remember(session, target.counter, str(row.id), address)
        salt = link_salt(service.secret, row.account_id)
        if service.passwords.is_outdated(row.password_hash, salt):
            target.change(session, row.id, password_hash=service.passwords.hash(password, salt))
    expires_at = session.moment + UNLOCK_LIFE_S
    token = signed_number(service.secret, expires_at, "unlock", row.public_id, row.password_version)
    return UnlockCookie(cookie_name(service, row.public_id), token, UNLOCK_LIFE_S, secure=_is_secure(service))


def _is_valid(service: Service, row: Shared, token: str) -> bool:
    expires_at = read_signed_number(service.secret, token, "unlock", row.public_id, row.password_version)
    return expires_at is not None and 0 < expires_at - int(now().timestamp()) <= UNLOCK_LIFE_S


def _is_secure(service: Service) -> bool:
    return service.settings.base_url.startswith("https:")


def cookie_name(service: Service, public_id: str) -> str:
    """Return ``__Host-unlock-<public_id>``, without the prefix ``__Host-`` if BASE_URL is http."""
    return f"{'__Host-' if _is_secure(service) else ''}unlock-{public_id}"
