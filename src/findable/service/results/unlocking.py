"""Unlocking a shared object with its password: attempts, and the cookie that keeps it open for a guest."""

from msgspec import Struct

from findable.clock import now
from findable.errors import NotFound
from findable.service.results.share_links import is_expired
from findable.service.results.shareable import Shareable, Shared
from findable.service.runtime.attempt_limits import count_try, counters, remember, undo_counts
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import link_salt, read_signed_number, signed_number
from findable.vocabulary import Privacy


class UnlockCookie(Struct, frozen=True):
    """Cookie to set after the right password."""

    cookie_name: str
    token: str
    max_age_s: int
    secure: bool


UNLOCK_LIFE_S = 12 * 3600


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


def is_unlocked(service: Service, row: Shared, token: str | None) -> bool:
    """Return whether a guest has the cookie of the present password and privacy, and it has not expired."""
    if token is None:
        return False
    expires_at = read_signed_number(service.secret, token, "unlock", row.public_id, row.password_version)
    return expires_at is not None and 0 < expires_at - int(now().timestamp()) <= UNLOCK_LIFE_S


def _is_secure(service: Service) -> bool:
    return service.settings.base_url.startswith("https:")


def cookie_name(service: Service, public_id: str) -> str:
    """Return ``__Host-unlock-<public_id>``, without the prefix ``__Host-`` if BASE_URL is http."""
    return f"{'__Host-' if _is_secure(service) else ''}unlock-{public_id}"
