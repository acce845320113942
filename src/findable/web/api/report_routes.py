"""Routes of reports and their runs (`/reports`): list, read, compare and delete."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, UnsetType, structs

from findable.crawl.page_selection import DataText, data_of
from findable.errors import ValidationFailed
from findable.export.report_json import without_texts
from findable.service.reports import reports
from findable.service.values.report_values import ReportQuery, ReportSort, ReportView
from findable.vocabulary import Rating, Status, Verdict
from findable.web.api import report_shapes
from findable.web.api.operation import CONDITIONAL_READ, Call, Data, Items, Listing, RawReply, Reply, operation
from findable.web.api.report_shapes import Changes, Report, ReportDeleted, Run, Summary
from findable.web.api.request_models import CHECK_ID, CHECK_IDS, ChangesQuery, ListQuery, ReadQuery, RunQuery, Search
from findable.web.api.shape_parts import page_reply
from findable.web.api.validation import input_of, value_or
from findable.web.api.waiting import waiting


class ReportListQuery(ListQuery, frozen=True):
    """The query of `GET /reports`."""

    search: Search = ""
    """Part of the URL, case-insensitive."""
    search_by: Literal["url"] = "url"
    """Member to search."""
    project: Search = ""
    """Name or id of a project; an unknown project gives an empty list."""
    result: Rating | UnsetType = UNSET
    """Rating of the report."""
    status: Status | UnsetType = UNSET
    """Status of the report."""
    check: Annotated[Literal[CHECK_IDS], CHECK_ID] | UnsetType = UNSET  # type: ignore[valid-type]  # the type is created from a table
    """Id of a check; use with verdict to list reports by the verdict of their current run."""
    verdict: Verdict | UnsetType = UNSET
    """Verdict on the check; needs check."""
    since: datetime | UnsetType = UNSET
    """Earliest update time of the reports."""
    data: DataText | UnsetType = UNSET
    """Column of uploaded metrics of the project, like clicks: with a range, like clicks:100.., reports of pages whose value is in it. Needs
    project; only the newest 10,000 reports count.
    """
    sort_by: ReportSort = ReportSort.ID
    """id sorts by creation; result orders bad, decent, good, and by score within a rating; data orders by the column in data."""

    def to_query(self) -> ReportQuery:
        """Convert to the query of the service."""
        data, span = data_of(self.data)
        return input_of(ReportQuery, self, data=data, data_span=span, descending=self.sort == "desc")


@operation("GET", "/reports", {200: Listing[Summary]}, reply_headers=("Link",))
def list_reports(call: Call, *, query: ReportListQuery) -> Reply:
    """List reports.

    Filters are combined with AND; reports without a result come last.
    """
    page = reports.find(call.service, call.caller, query.to_query())
    say = call.say
    items = [report_shapes.summary(item, call.at, say) for item in page.items]
    return page_reply(call, page, items)


@operation("GET", "/reports/{id}", {200: Data[Report], 304: None}, **CONDITIONAL_READ)
async def get_report(call: Call, report: int, *, query: ReadQuery) -> Reply | RawReply:
    """Read a report.

    With wait, responds after the running generation.
    """
    pause = waiting(call, query, 0)
    view = await call.service.run(reports.get, call.caller, report)
    if pause.seconds and not view.is_finished:
        await call.service.wait_until_done(view.id, pause.seconds, call.caller.account)
        await call.require_still()
        view = await call.service.run(reports.get, call.caller, report)
    headers = {"ETag": f'"{view.etag}"', **pause.headers}
    if matches(call.headers.get("if-none-match", ""), view.etag):
        return RawReply(b"", 304, headers)
    return Reply(_without_excluded(report_shapes.report(view, call.at, verdict_say=call.say), query), headers=headers)


def _without_excluded(report: Report, query: ReadQuery | RunQuery) -> Report:
    """Return a report without the findings and texts that the query excludes. Raises ValidationFailed for an invalid verdict."""
    results = report.results
    if query.verdict:
        wanted = set(query.verdict.split(","))
        if not wanted <= set(Verdict):
            raise ValidationFailed({"verdict": [f"The selected verdict is invalid; allowed: {', '.join(Verdict)}."]})
        results = tuple(finding for finding in results if finding.verdict in wanted)
    if query.texts == "none":
        results = without_texts(results)
    return report if results is report.results else structs.replace(report, results=results)


def matches(if_none_match: str, etag: str) -> bool:
    """Return whether If-None-Match contains the ETag (weak comparison, RFC 9110 section 8.8.3.2)."""
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return "*" in tags or f'"{etag}"' in tags


def report_reply(call: Call, view: ReportView) -> Reply:
    """Return the reply to a change of a report, with its ETag."""
    return call.write_reply(
        Reply(report_shapes.report(view, call.at, verdict_say=call.say), headers={"ETag": f'"{view.etag}"'}), view.id, view.updated_at
    )


@operation("DELETE", "/reports/{id}", {200: Data[ReportDeleted]}, header_parameters=("If-Match",))
def delete_report(call: Call, report: int) -> Reply:
    """Delete a report."""
    reports.delete(call.service, call.caller, report, call.if_match)
    return Reply(ReportDeleted(id=report, object="report"))


@operation("GET", "/reports/{id}/runs", {200: Items[Run]})
def list_runs(call: Call, report: int) -> Reply:
    """List the runs of a report's URL.

    Newest first, including runs of other reports.
    """
    return Reply([report_shapes.run(item, call.at) for item in reports.runs(call.service, call.caller, report)])


@operation("GET", "/reports/{id}/runs/{run}", {200: Data[Report]})
def get_run(call: Call, report: int, run: int, *, query: RunQuery) -> Reply:
    """Read the report as of a run."""
    return Reply(
        _without_excluded(
            report_shapes.report(reports.get_run(call.service, call.caller, report, run), call.at, verdict_say=call.say), query
        )
    )


@operation("GET", "/reports/{id}/changes", {200: Data[Changes]})
def get_changes(call: Call, report: int, *, query: ChangesQuery) -> Reply:
    """Compare the report with an earlier run."""
    return Reply(report_shapes.changes(reports.changes(call.service, call.caller, report, value_or(query.since)), call.at))
