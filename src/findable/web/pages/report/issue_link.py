"""Link from a finding to the new-issue form of the project's tracker, for members only."""

from starlette.responses import Response

from findable.errors import NotFound
from findable.export.ci_subject import page_subject
from findable.export.new_issue import new_issue, with_only
from findable.reports.titles import readable_url
from findable.service.projects import issue_trackers
from findable.web.pages.report.share import visit_of
from findable.web.routing import Request, get


def tracker_redirect(link: str) -> Response:
    """Redirect to the form without a referrer, so that the tracker does not learn the URL of the report."""
    headers = {"Location": link, "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
    return Response(b"", status_code=303, media_type="text/html", headers=headers)


@get("/r/{public_id}/issue")
def get_report_issue(request: Request, public_id: str) -> Response:
    """Redirect to the tracker's new-issue form, filled in with the finding of the check in ``?check=``."""
    check = request.query.get("check")
    visit = visit_of(request.service, public_id, request.headers)
    view = visit.access.report
    if view is None or view.report is None or visit.caller is None or not visit.access.is_owner:
        raise NotFound
    tracker = issue_trackers.require_tracker(request.service, visit.caller, view.project_id)
    subject = with_only(page_subject(view.report), lambda problem: problem.finding.id == check)
    if subject is None:
        raise NotFound
    return tracker_redirect(new_issue(tracker, subject, f"{subject.problems[0].summary} – {readable_url(view.report.url)}"))
