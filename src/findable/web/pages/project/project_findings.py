"""Findings of a project as a file, and the link from a finding to a new issue in the project's tracker."""

from starlette.responses import Response, StreamingResponse

from findable.export.ci_subject import CiSubject, Problem, places_on
from findable.export.project_findings_csv import project_findings_csv
from findable.reports.project_report import ProjectFinding
from findable.reports.titles import readable_url
from findable.service.projects import project_reports
from findable.service.values.project_values import ProjectView
from findable.service_urls import ServiceUrls
from findable.web.pages.project.project_context import project_page
from findable.web.pages.project.project_sections import Reader, sections_of
from findable.web.pages.result.issue_link import issue_form
from findable.web.pages.shared.attachments import attachment, in_file_name
from findable.web.pages.shared.viewer import SignedInRequest


@project_page("/findings.csv")
def get_project_findings_csv(request: SignedInRequest, view: ProjectView) -> Response:
    """Return the findings that match the filters of the query as CSV, with all affected pages."""
    content = project_reports.get(request.service, request.caller, view.name)
    table = sections_of(content.report, Reader(request.say, request.zone, "", request.query, weights=content.weights)).table
    shown = [row.anchor for row in table.rows if row.is_shown] if table else []
    by_check = {finding.check: finding for finding in content.report.findings}
    at = ServiceUrls(request.service.settings.base_url)
    rows = project_findings_csv((by_check[name] for name in shown), lambda page: at.share_page(page.public_id), request.say)
    named = attachment(f"findable-findings-{in_file_name(content.project.name)}.csv")
    return StreamingResponse(rows, media_type="text/csv", headers=named)


@project_page("/issue")
def get_project_issue(request: SignedInRequest, view: ProjectView) -> Response:
    """Redirect to the tracker's new-issue form, filled in with the finding of the check in ``?check=`` and its pages."""
    content = project_reports.get(request.service, request.caller, view.name)
    finding = next((one for one in content.report.findings if one.check == request.query.get("check")), None)
    urls = [page.url for page in finding.pages] if finding else [""]
    where = readable_url(urls[0]) + (f" (+{len(urls) - 1})" if len(urls) > 1 else "")
    return issue_form(request.service, request.caller, content.project.id, _subject(finding), where, urls)


def _subject(finding: ProjectFinding | None) -> CiSubject | None:
    """Return the page with the example of the finding as a CI subject; None without an example."""
    if finding is None or (page := finding.example_page) is None or (example := finding.example) is None:
        return None
    problem = Problem(example, example.id, example.summary(), example.key, places_on(page.url, example.evidence))
    return CiSubject(url=page.url, captured_at=page.generated_at.isoformat(), goal="", problems=(problem,))
