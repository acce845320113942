"""Link from a finding to the new-issue form of the project's tracker, for members only."""

from starlette.responses import Response

from findable.errors import NotFound
from findable.export.ci_subject import page_subject
from findable.export.new_issue import new_issue, with_only
from findable.reports.titles import readable_url
from findable.service.projects import issue_trackers
from findable.web.pages.report.report_visit import REPORT_PAGES, ReportVisit


def tracker_redirect(link: str) -> Response:
    """Redirect to the form without a referrer, so that the tracker does not learn the URL of the report."""
    headers = {"Location": link, "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
    return Response(b"", status_code=303, media_type="text/html", headers=headers)


@REPORT_PAGES.owner_page("/issue")
def get_report_issue(visit: ReportVisit) -> Response:
    """Redirect to the tracker's new-issue form, filled in with the finding of the check in ``?check=``."""
    report, check = visit.report.report, visit.query.get("check")
    if report is None:
        raise NotFound
    tracker = issue_trackers.require_tracker(visit.service, visit.require_owner(), visit.report.project_id)
    subject = with_only(page_subject(report), lambda problem: problem.finding.id == check)
    if subject is None:
        raise NotFound
    return tracker_redirect(new_issue(tracker, subject, f"{subject.problems[0].summary} – {readable_url(report.url)}"))
