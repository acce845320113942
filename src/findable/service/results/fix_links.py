"""Links for the person who fixes one finding: without an account, signed, and limited in time. They end with the link of the report."""

from datetime import UTC, datetime, timedelta

from msgspec import Struct

from findable.checks.engine import Check, find_check
from findable.clock import now
from findable.errors import NotFound, require_found
from findable.recheck import RecheckResult
from findable.reports.reported_finding import ReportedFinding
from findable.service.results.rechecks import RecheckJob, run_recheck
from findable.service.results.share_links import is_expired
from findable.service.results.shareable import Shareable, Shared, SharedT_co
from findable.service.runtime.attempt_limits import count_try
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import read_signed_number, signed_number
from findable.service.values.presentation import Presentation, presentation_of
from findable.store.store_protocol import Session
from findable.wording import later

LIFE_DAYS = 30
PAGES_SHOWN = 25
"""Maximum number of affected pages on the page of a link."""
FREE_CHECKS = 20
"""Number of checks by one link after which each further one blocks the link for longer."""
_TOO_MANY = later("This was checked too often.")


class FixView(Struct, frozen=True):
    """Finding behind a link for the person who fixes it."""

    check: Check
    findings: tuple[ReportedFinding, ...]
    """Findings of the check in the newest result; empty if it has no fault any more."""
    url: str
    """URL of the page or site."""
    pages: tuple[str, ...]
    """URLs of the first affected pages."""
    cms: str
    presentation: Presentation
    expires_at: datetime
    jobs: tuple[RecheckJob, ...]
    """Jobs that check the pages again, in their order; none for findings that take a crawl."""
    more_pages: int = 0
    """Number of further affected pages."""


def fix_token(service: Service, target: Shareable[Shared], public_id: str, check: str) -> str:
    """Return the token of a link that is valid for LIFE_DAYS days, counted from the next midnight (UTC)."""
    midnight = now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    expires_at = int((midnight + timedelta(days=LIFE_DAYS + 1)).timestamp())
    return signed_number(service.secret, expires_at, "fix", target.counter, public_id, check)


def linked_row(
    service: Service, session: Session, target: Shareable[SharedT_co], public_id: str, check: str, token: str
) -> tuple[SharedT_co, Check, Presentation, datetime]:
    """Return what a link is about, even if only its owner may see it: object, check, presentation, and when the token ends.

    Raises NotFound if the token is not valid for the finding or has ended, or if the link of the object has ended.
    """
    expires_at = read_signed_number(service.secret, token, "fix", target.counter, public_id, check)
    if expires_at is None or expires_at <= now().timestamp():
        raise NotFound
    row, link = target.find(session, public_id)
    if row is None or link is None or is_expired(link):
        raise NotFound
    return row, require_found(find_check(check)), presentation_of(link, target.sections), datetime.fromtimestamp(expires_at, UTC)


async def recheck_by_link(service: Service, view: FixView, token: str, number: int) -> RecheckResult:
    """Check one of the pages again: one check at a time for each link.

    Raises NotFound for a page that the link does not have, RateLimited after too many checks, and what `recheck_finding` raises.
    """
    if not 0 <= number < len(view.jobs):
        raise NotFound
    if service.analysis is not None:
        await service.run(_count, token)
    return await run_recheck(service, view.jobs[number], alone=token)


def _count(service: Service, token: str) -> None:
    with service.store.write() as session:
        count_try(session, {f"fix:{token[-32:]}": FREE_CHECKS}, _TOO_MANY)
