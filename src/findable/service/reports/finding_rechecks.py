"""Check one finding of a report again, by the worker of this process. The result is not stored, and the report does not change."""

from msgspec.structs import replace

from findable.errors import NotFound, NotRecheckable
from findable.recheck import OldFinding, RecheckResult
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.service.accounts.callers import refreshed
from findable.service.accounts.permissions import require, require_access
from findable.service.reports import reports
from findable.service.results.rechecks import RecheckJob, recheck_job, run_recheck
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, WRITE, Caller


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
