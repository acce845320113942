"""Who may see a report: the one authorisation function, used by share page, interface and every export."""

import hmac
from ipaddress import ip_address, ip_network

from findable.clock import now
from findable.errors import NotFound, RateLimited
from findable.service.access import is_owner, shown
from findable.service.app import Service
from findable.service.secret import sign
from findable.service.values import Decision, Shared, Unlocked, Viewer
from findable.store.protocol import Session
from findable.store.rows import ReportRow
from findable.vocabulary import Privacy

UNLOCK_LIFE_S = 12 * 3600
FREE_TRIES = 10
FIRST_BLOCK_S = 60
LONGEST_BLOCK_S = 3600
TRIES_KEPT_S = 24 * 3600
_RANGE_BITS = {4: 24, 6: 56}
_MAX_DOUBLINGS = 6


def may_see(service: Service, row: ReportRow | None, viewer: Viewer) -> Decision:
    """The one function that decides it. A missing report, a deleted one and a private one of somebody else are alike."""
    if row is None:
        return Decision.NOT_FOUND
    if is_owner(row, viewer.caller):
        return Decision.ALLOWED
    if row.privacy == Privacy.PUBLIC:
        return Decision.ALLOWED
    if row.privacy == Privacy.PASSWORD and row.password_hash is not None:
        unlocked = viewer.unlock_token is not None and _is_valid(service, row, viewer.unlock_token)
        return Decision.ALLOWED if unlocked else Decision.PASSWORD_NEEDED
    return Decision.NOT_FOUND


def view(service: Service, public_id: str, viewer: Viewer) -> Shared:
    """The report behind a share link, if the viewer may see it. A missing, deleted and private report are alike: NOT_FOUND."""
    with service.store.read() as session:
        row = session.reports.by_public_id(public_id)
        decision = may_see(service, row, viewer)
        if row is None or decision is not Decision.ALLOWED:
            return Shared(decision)
        return Shared(decision, shown(service, session, row), is_owner=is_owner(row, viewer.caller))


def unlock(service: Service, public_id: str, password: str, address: str) -> Unlocked | None:
    """Tries a password for a guest at that IP address; None where it is wrong.

    Raises NotFound where there is no report with a password, RateLimited after ten wrong tries, or while too many are being tried.
    """
    moment = int(now().timestamp())
    with service.store.write() as session:
        row = session.reports.by_public_id(public_id)
        if row is None or row.privacy != Privacy.PASSWORD or row.password_hash is None:
            raise NotFound
        buckets = (f"unlock:report:{row.id}", f"unlock:range:{_range(address)}")
        _count_try(session, buckets, moment)
    if not service.passwords.is_right(row.password_hash, password):
        return None
    with service.store.write() as session:
        for name in buckets:
            session.kept.clear_bucket(name)
        if service.passwords.is_outdated(row.password_hash):
            session.reports.change(row.id, moment, password_hash=service.passwords.hash(password))
    expires_at = moment + UNLOCK_LIFE_S
    token = f"{expires_at}.{_signature(service, row, expires_at)}"
    return Unlocked(cookie_name(service, public_id), token, UNLOCK_LIFE_S, secure=_is_secure(service))


def _count_try(session: Session, buckets: tuple[str, ...], moment: int) -> None:
    """Counts the try before it is made, so that many at once are counted too. Raises RateLimited."""
    known = {name: session.kept.bucket(name, moment) for name in buckets}
    blocked_until = max(until for _, until in known.values())
    if blocked_until > moment:
        raise RateLimited("Too many wrong passwords.", retry_after_s=blocked_until - moment)
    for name, (count, _) in known.items():
        over = count + 1 - FREE_TRIES
        block_s = min(LONGEST_BLOCK_S, FIRST_BLOCK_S * 2 ** min(over, _MAX_DOUBLINGS)) if over >= 0 else 0
        session.kept.set_bucket(name, count + 1, moment + block_s if block_s else 0, moment + TRIES_KEPT_S)


def _range(address: str) -> str:
    """The /24 or /56 that an address belongs to."""
    try:
        ip = ip_address(address)
    except ValueError:
        return "unknown"
    return str(ip_network(f"{ip}/{_RANGE_BITS[ip.version]}", strict=False))


def _signature(service: Service, row: ReportRow, expires_at: int) -> str:
    return sign(service.secret, "unlock", row.public_id, row.password_version, expires_at).hex()


def _is_valid(service: Service, row: ReportRow, token: str) -> bool:
    expiry, _, signature = token.partition(".")
    if not (expiry.isascii() and expiry.isdigit() and len(expiry) <= 12) or not signature.isascii():  # noqa: PLR2004 - more is no time
        return False
    expires_at = int(expiry)
    left_s = expires_at - int(now().timestamp())
    return 0 < left_s <= UNLOCK_LIFE_S and hmac.compare_digest(signature, _signature(service, row, expires_at))


def _is_secure(service: Service) -> bool:
    return service.settings.base_url.startswith("https:")


def cookie_name(service: Service, public_id: str) -> str:
    """``__Host-unlock-<public_id>``, without the prefix where BASE_URL is http."""
    return f"{'__Host-' if _is_secure(service) else ''}unlock-{public_id}"
