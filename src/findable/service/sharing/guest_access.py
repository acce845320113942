"""Access to shared reports: the single authorization function for the share page, the API and every export."""

from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from findable.clock import now
from findable.errors import NotFound, require_found
from findable.service.reports.owned_reports import Shared, is_owner, list_view, run_of, view_of_run, view_with_results
from findable.service.runtime.guessing_limits import count_try, counters, remember, undo_counts
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import link_salt, read_signed_number, signed_number
from findable.service.sharing.shareable import REPORTS, Shareable
from findable.service.values.caller import Caller
from findable.service.values.presentation import Presentation, client_of, presentation_of
from findable.service.values.report_values import ReportView
from findable.store.link_statements import LinkRow
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy, Status


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


class ReportAccess(LinkAccess, frozen=True):
    """Report with the access decision for a viewer. `report` is set only if `decision` is ALLOWED."""

    report: ReportView | None = None
    current_run: int | None = None
    """Number of the run that this viewer sees by default; `report` contains another run only on request."""
    link_run: int | None = None
    """Number of the run that guests see: the owner may have pinned the link to an older run."""


class UnlockCookie(Struct, frozen=True):
    """Cookie to set after the right password."""

    cookie_name: str
    token: str
    max_age_s: int
    secure: bool


UNLOCK_LIFE_S = 12 * 3600


def may_see(
    service: Service, session: Session, row: ReportRow | None, link: LinkRow | None, viewer: Viewer, run: int | None = None
) -> Decision:
    """Decide who may see a report. Missing, deleted, private and expired ones are indistinguishable.

    ``run`` is the requested run; guests see only the run of the link, owners all runs. Without the password, it is not revealed which runs
    exist.
    """
    decision = decide(service, row, link, viewer)
    if row is None or link is None or decision is not Decision.ALLOWED or is_owner(row, viewer.caller):
        return decision
    return Decision.ALLOWED if run in (None, _link_run(session, row, link)) else Decision.NOT_FOUND


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


def _link_run(session: Session, row: ReportRow, link: LinkRow) -> int | None:
    """Return the run that guests see: the pinned run, else the newest fetched one, with the score of its ruleset."""
    number = client_of(link.client_json).run or row.run
    while number is not None and (stored_run := session.runs.get(row.id, number)) is not None and stored_run.rescored_from is not None:
        number = stored_run.rescored_from
    return number


def view(service: Service, public_id: str, viewer: Viewer, run: int | None = None) -> ReportAccess:
    """Return the report behind a share link, if the viewer may see it; missing, deleted and private ones are all NOT_FOUND.

    ``run`` requests the report as of that run; by default the owner gets the newest result, and guests the run of the link. Raises NotFound
    for an unknown run.
    """
    with service.store.read() as session:
        row, link = REPORTS.find(session, public_id)
        decision = may_see(service, session, row, link, viewer, run)
        if row is None or link is None or decision is not Decision.ALLOWED:
            return ReportAccess(decision)
        owns = is_owner(row, viewer.caller)
        link_run = _link_run(session, row, link)
        current = row.run if owns else link_run
        wanted = current if run is None else run
        report = view_with_results(service, session, row) if wanted == row.run else view_of_run(service, session, row, wanted or 0)
        return ReportAccess(decision, owns, presentation_of(link), report, current, link_run)


def progress(service: Service, public_id: str, viewer: Viewer) -> ReportView | None:
    """Return the progress without results (blocking: three statements); None for viewers without access.

    For a guest whose link shows an older run the report is done.
    """
    with service.store.read() as session:
        row, link = REPORTS.find(session, public_id)
        if row is None or link is None or may_see(service, session, row, link, viewer) is not Decision.ALLOWED:
            return None
        report = list_view(service, session, row)
        stays = not is_owner(row, viewer.caller) and _link_run(session, row, link) != row.run
        return replace(report, status=Status.DONE, progress=None) if stays else report


def saved_page(service: Service, public_id: str, viewer: Viewer, run: int | None = None) -> bytes:
    """Return the saved page (JSON) of the run that the viewer may see.

    Raises NotFound for everyone else, for guests if any section is hidden, and if none was stored.
    """
    with service.store.read() as session:
        row, link = REPORTS.find(session, public_id)
        if row is None or link is None or may_see(service, session, row, link, viewer, run) is not Decision.ALLOWED:
            raise NotFound
        if not (is_owner(row, viewer.caller) or client_of(link.client_json).shows_saved_page):
            raise NotFound
        wanted = run if run is not None else row.run if is_owner(row, viewer.caller) else _link_run(session, row, link)
        return require_found(session.runs.saved_page(run_of(session, row, wanted or 0).saved_hash))


def unlock(service: Service, public_id: str, password: str, address: str, *, target: Shareable[Shared] = REPORTS) -> UnlockCookie | None:
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
