"""Analysis of a capture: gather, check, score."""

from collections.abc import Sequence

from msgspec import structs

from findable.artifacts.content import needs_browser
from findable.artifacts.registry import Artifacts, gather
from findable.artifacts.site.robots import Robots
from findable.capture.capture import Capture
from findable.capture.rendering import Rendering
from findable.capture.status_classes import is_server_error
from findable.checks.engine import page_checks, runnable_checks
from findable.checks.runner import run
from findable.errors import Cause, PageError, PageErrorCode
from findable.reports.acceptance import Acceptance, acceptance_of
from findable.reports.facts import facts_of
from findable.reports.marks import marks_of
from findable.reports.report import Engine, Report
from findable.reports.reported_finding import AcceptanceTerms, ReportedFinding
from findable.reports.scoring import RULESET
from findable.reports.search_verdict import stops_crawling
from findable.reports.totals import with_totals


def analyse(
    capture: Capture, artifacts: Artifacts | None = None, *, not_for_search: bool = False, acceptances: Sequence[Acceptance] = ()
) -> Report:
    """Gather, check and score one capture. ``artifacts`` are those of the capture, if they were already gathered.

    A page built by scripts, with a server error, or of a host whose robots.txt returns one, is checked as far as possible but not rated.

    ``not_for_search``: whether the page is not meant for search; then
    nothing that prevents indexing is a fault.
    """
    artifacts = artifacts or gather(*capture.roots)
    page = capture.page
    results = run(artifacts, runnable_checks(artifacts.sources), not_for_search=not_for_search)
    report = Report(
        requested_url=page.response.requested_url,
        url=page.response.final_url,
        captured_at=page.captured_at,
        engine=Engine.using(artifacts.sources),
        judged_as=page.judged_as,
        not_for_search=not_for_search,
        error=_error_of(page.response.status, artifacts, None if not_for_search else artifacts.get_or_none(Robots)),
        not_asked=tuple(sorted(set(page_checks()) - {result.check.id for result in results})),
        findings=tuple(ReportedFinding.from_result(result) for result in results),
        facts=facts_of(artifacts),
    )
    rendering = artifacts.get_or_none(Rendering)
    if rendering is not None and report.facts.browser:
        browser = structs.replace(report.facts.browser, marks=marks_of(rendering, report.findings))
        report = structs.replace(report, facts=structs.replace(report.facts, browser=browser))
    return _with_acceptances(report, acceptances, page.captured_at[:10])


def _error_of(status: int, artifacts: Artifacts, robots: Robots | None) -> PageError | None:
    """Return why a page with a response is not rated; None if it is. ``robots`` is None if robots.txt does not matter."""
    if is_server_error(status):
        return PageError(PageErrorCode.SERVER_ERROR, Cause.STATUS, status=status)
    if robots is not None and stops_crawling(robots.response.status, robots.response.failure):
        return PageError(PageErrorCode.ROBOTS_UNREADABLE, status=robots.response.status)
    return PageError(PageErrorCode.NEEDS_BROWSER) if needs_browser(artifacts) else None


def with_acceptances(report: Report, acceptances: Sequence[Acceptance], day: str) -> Report:
    """Return the report with exactly these acceptances on that day (ISO date).

    The result equals that of a new analysis of the page. Raises ValueError for a report under an older ruleset, whose weights no longer
    exist.
    """
    if not can_be_rescored(report):
        raise ValueError(f"a report under ruleset {report.engine.ruleset} is not judged by {RULESET}")
    return _with_acceptances(report, acceptances, day)


def can_be_rescored(report: Report) -> bool:
    """Return whether the report has the current ruleset, so that it can be rescored."""
    return report.engine.ruleset == RULESET and all(finding.check for finding in report.findings)


def _with_acceptances(report: Report, acceptances: Sequence[Acceptance], day: str) -> Report:
    findings = tuple(_with_acceptance(finding, acceptances, report.url, day) for finding in report.findings)
    return with_totals(structs.replace(report, findings=findings))


def _with_acceptance(finding: ReportedFinding, acceptances: Sequence[Acceptance], url: str, day: str) -> ReportedFinding:
    found = acceptance_of(acceptances, finding, url, day) if acceptances else None
    terms = None if found is None else AcceptanceTerms(found.reason, found.until, found.by)
    return finding if terms == finding.accepted else structs.replace(finding, accepted=terms)
