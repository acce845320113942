"""Check one finding again, by the worker of this process."""

import asyncio
from collections.abc import Sequence
from weakref import WeakValueDictionary

from msgspec import Struct, field

from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.errors import Unavailable
from findable.recheck import OldFinding, RecheckResult
from findable.service.runtime.service import Service
from findable.service.sites.site_identities import SiteWork
from findable.service.values.stored_settings import browser_options_of, patterns_of
from findable.store.store_protocol import Session
from findable.wording import later

DEADLINE_S = 25.0
_BUSY = later("The page cannot be checked now. Try again.")


class RecheckJob(SiteWork, frozen=True):
    """Finding to check again on behalf of an account."""

    finding: OldFinding
    not_for_search: Sequence[str] = ()
    browser_options: BrowserOptions = DEFAULTS


class _RunningRechecks(Struct, frozen=True):
    """Checks of findings that are being made for people with a link."""

    by_link: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)


async def run_recheck(service: Service, job: RecheckJob, *, alone: str = "") -> RecheckResult:
    """Return the current state of a finding. ``alone``: name under which only one check runs at a time; empty for no limit.

    Raises NotRecheckable, PageUnavailable, and Unavailable if it takes too long or this process has no worker.
    """
    if service.analysis is None or service.draining:
        raise Unavailable(_BUSY, retry_after_s=5)
    lock = service.memory(_RunningRechecks).by_link.setdefault(alone, asyncio.Lock()) if alone else asyncio.Lock()
    if lock.locked():
        raise Unavailable(_BUSY, retry_after_s=5)
    try:
        async with lock, asyncio.timeout(DEADLINE_S):
            return await service.analysis.recheck(job)
    except TimeoutError as error:
        raise Unavailable(_BUSY, retry_after_s=5) from error


def recheck_job(session: Session, account_id: int, project_id: int, old: OldFinding) -> RecheckJob:
    """Return the job that checks a finding again, with the settings of its project."""
    settings = session.projects.for_worker(project_id)
    options = browser_options_of(settings.browser_options_json)
    patterns = patterns_of(settings.not_for_search_json)
    return RecheckJob(old, patterns, options, account_id=account_id, project_id=project_id, identity=settings.identity)
