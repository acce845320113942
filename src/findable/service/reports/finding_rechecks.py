"""Check one finding of a report again, by the worker of this process. The result is not stored, and the report does not change."""

import asyncio
from collections.abc import Sequence
from weakref import WeakValueDictionary

from msgspec import Struct, field
from msgspec.structs import replace

from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.errors import NotFound, NotRecheckable, Unavailable
from findable.recheck import OldFinding, RecheckResult
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.service.accounts.callers import refreshed
from findable.service.accounts.permissions import require, require_access
from findable.service.reports import reports
from findable.service.reports.report_views import browser_options_of, patterns_of
from findable.service.runtime.service import Service
from findable.service.sites.site_identities import SiteWork
from findable.service.values.caller import READ, WRITE, Caller
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


async def recheck_finding(service: Service, caller: Caller, report_id: int, key: str) -> RecheckResult:
    """Return the current state of the finding with the key, or of the check.

    Raises NotFound, Forbidden, NotRecheckable, PageUnavailable, and Unavailable if it takes too long or this process has no worker;
    Unauthenticated, NotFound and Forbidden also if the caller loses the right meanwhile.
    """
    job = await service.run(_recheck_job, caller, report_id, key)
    try:
        return await run_recheck(service, job)
    finally:
        await service.run(_require_still, caller, job.project_id)


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


def _require_still(service: Service, caller: Caller, project_id: int) -> None:
    require_access(refreshed(service, caller), project_id, for_update=True)


def _recheck_job(service: Service, caller: Caller, report_id: int, key: str) -> RecheckJob:
    require(caller, READ)
    require(caller, WRITE)
    view = reports.get(service, caller, report_id)
    report = view.report
    found = None if report is None else next((one for one in report.findings if key in (one.key, one.id)), None)
    if report is None or found is None:
        raise NotFound
    if found.check is None:
        raise NotRecheckable
    require_access(caller, view.project_id, for_update=True)
    with service.store.read() as session:
        return recheck_job(session, view.account_id, view.project_id, old_finding(view.url, found, report))


def old_finding(url: str, found: ReportedFinding, report: Report) -> OldFinding:
    """Return a finding of a report to check again."""
    links = report.facts.links if isinstance(report.facts.links, tuple) else ()
    old = OldFinding(url, found.id, found.verdict, found.evidence, found.evidence_count, links, report.judged_as)
    return replace(old, after_scripts=report.facts.browser.after_scripts) if report.facts.browser else old


def recheck_job(session: Session, account_id: int, project_id: int, old: OldFinding) -> RecheckJob:
    """Return the job that checks a finding again, with the settings of its project."""
    settings = session.projects.for_worker(project_id)
    options = browser_options_of(settings.browser_options_json)
    patterns = patterns_of(settings.not_for_search_json)
    return RecheckJob(old, patterns, options, account_id=account_id, project_id=project_id, identity=settings.identity)
