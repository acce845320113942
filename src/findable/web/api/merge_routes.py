"""Routes to find and merge several reports of one URL: `/projects/{project}/duplicates`, `/reports/{id}/merge`."""

from findable.errors import Conflict, ValidationFailed
from findable.service.reports import report_merges
from findable.values import shape_of
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.project_shapes import RepeatedUrl
from findable.web.api.report_routes import report_reply
from findable.web.api.report_shapes import Report


@operation("GET", "/projects/{project}/duplicates", {200: Items[RepeatedUrl]}, name="list_duplicates")
def list_duplicates(call: Call, project: str) -> Reply:
    """List the pages of a project with several reports.

    Up to 200, most reports first.
    """
    return Reply(
        [shape_of(RepeatedUrl, page, object="duplicate") for page in report_merges.repeated_pages(call.service, call.caller, project)]
    )


@operation("POST", "/reports/{id}/merge", {200: Data[Report]}, Conflict, ValidationFailed, reply_headers=("ETag",))
def merge_reports(call: Call, report: int) -> Reply:
    """Merge all reports of the URL into the one with the newest result.

    Returns that report. It gets the strictest access, the notes and the accepted findings of all. The others stay readable by their ids
    but can no longer be changed; their links redirect to it, for those who could open them.
    """
    return report_reply(call, report_merges.merge(call.service, call.caller, report))
