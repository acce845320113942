"""Link from a finding to the new-issue form of the project's tracker, for members only."""

from collections.abc import Sequence

from starlette.responses import Response

from findable.errors import require_found
from findable.export.ci_subject import CiSubject
from findable.export.new_issue import new_issue
from findable.service.projects import issue_trackers
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller


def issue_form(
    service: Service, caller: Caller, project_id: int, subject: CiSubject | None, where: str, urls: Sequence[str] = ()
) -> Response:
    """Redirect to the form, filled in with the only problem of ``subject``; without a referrer, because it contains the report's URL.

    ``where`` ends the title; ``urls`` are all affected pages, if there are several. Raises NotFound without a subject or a tracker.
    """
    tracker, found = issue_trackers.require_tracker(service, caller, project_id), require_found(subject)
    link = new_issue(tracker, found, f"{found.problems[0].summary} – {where}", urls)
    headers = {"Location": link, "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
    return Response(b"", status_code=303, media_type="text/html", headers=headers)
