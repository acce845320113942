"""Route to check a finding again: `POST /reports/{id}/findings/{key}/recheck`."""

from typing import Literal

from msgspec import Struct

from findable.checks.engine import Evidence
from findable.errors import NotRecheckable, PageUnavailable, Unavailable
from findable.recheck import RecheckResult
from findable.reports.page_error_text import sentences_of
from findable.reports.reported_finding import in_language
from findable.service.reports.finding_rechecks import recheck_finding
from findable.vocabulary import Verdict
from findable.web.api.operation import Call, Data, Reply, operation


class Recheck(Struct, frozen=True, kw_only=True):
    """Result of a recheck of a finding. If the page could not be loaded, only `summary` is known: the reason."""

    object: Literal["recheck"] = "recheck"
    check: str
    key: str = ""
    """Current key of the finding. It changes when the evidence changes."""
    fixed: bool | None
    """Whether the check no longer fails or warns; null if unknown."""
    before: Verdict | None = None
    verdict: Verdict | None
    summary: str
    evidence: tuple[Evidence, ...] = ()
    requests: int = 0
    """Number of requests sent."""


def recheck_of(result: RecheckResult) -> Recheck:
    """Return the result of a recheck in the shape of the API."""
    finding = result.finding
    return Recheck(
        check=finding.id,
        key=finding.key,
        fixed=None if finding.verdict is Verdict.UNKNOWN else result.is_fixed,
        before=result.before,
        verdict=finding.verdict,
        summary=finding.summary(),
        evidence=tuple(in_language(item) for item in finding.evidence),
        requests=result.requests_count,
    )


@operation("POST", "/reports/{id}/findings/{key}/recheck", {200: Data[Recheck]}, NotRecheckable, Unavailable)
async def recheck(call: Call, report: int, key: str) -> Reply:
    """Check a finding again.

    Requests only the page and the URLs that the check needs; the key may be the id of the check. The result is not stored; only a new run
    changes the report. 422 with not_recheckable if the finding requires a full report.
    """
    try:
        return Reply(recheck_of(await recheck_finding(call.service, call.caller, report, key)))
    except PageUnavailable as error:
        return Reply(Recheck(check=key.partition(":")[0], fixed=None, verdict=None, summary=sentences_of(error.error)))
