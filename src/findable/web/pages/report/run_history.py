"""Pages of a report's history, for its owner: its runs, and the changes between two of them."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from starlette.responses import Response

from findable.errors import NotFound, ValidationFailed
from findable.reports.titles import readable_url
from findable.service.reports import history
from findable.service.reports.history import RunName
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import ReportView, RunView
from findable.web.pages.report.run_trend import compare_page, has_result, history_page
from findable.web.pages.report.share import Visit, visit_of
from findable.web.pages.shared.local_times import moment_of
from findable.web.pages.shared.page_templates import page_response
from findable.web.pages.shared.run_names import read_name
from findable.web.pages.shared.viewer import bar_of, signed_in
from findable.web.query_strings import Query
from findable.web.routing import Request, get


def owned_visit(service: Service, public_id: str, headers: Mapping[str, str]) -> tuple[Visit, Caller, ReportView]:
    """Return the visit of the signed-in owner (blocking). Raises NotFound for everyone else, including guests with access."""
    visit = visit_of(service, public_id, headers)
    if visit.caller is None or visit.access.report is None or not visit.access.is_owner:
        raise NotFound
    return visit, visit.caller, visit.access.report


def require_still(service: Service, caller: Caller, headers: Mapping[str, str]) -> None:
    """Raise NotFound if the caller's session ended while the request body was read, which may take seconds (blocking).

    The first request after a pause begins a new visit of the person.
    """
    found = signed_in(service, headers)
    if found is None or replace(found, visited_at=caller.visited_at) != caller:
        raise NotFound


@get("/r/{public_id}/history")
def get_history(request: Request, public_id: str) -> Response:
    """List the runs of the report's URL, newest first."""
    visit, caller, report = owned_visit(request.service, public_id, request.headers)
    runs = history.runs(request.service, caller, report.id)
    shown = history_page(report, _name(report), runs, visit.say, visit.zone, bar=bar_of(caller, ""))
    if quiet := history.unchanged_runs(request.service, caller, report.id):
        shown = replace(shown, unchanged=len(quiet), unchanged_at=moment_of(quiet[0], visit.say, visit.zone))
    return page_response(shown, visit.say)


@get("/r/{public_id}/compare")
def get_compare(request: Request, public_id: str) -> Response:
    """Compare two runs: ``?from=1&to=3``. Without both, or if they cannot be compared, list the runs to choose from."""
    visit, caller, report = owned_visit(request.service, public_id, request.headers)
    runs = history.runs(request.service, caller, report.id)
    try:
        old, new = _requested_runs(request.query, report, runs)
        changes = history.changes_between(request.service, caller, report.id, old, new)
        two = (_run(runs, old), _run(runs, new))
    except ValidationFailed:
        problem = visit.say("These two runs cannot be compared: choose an older run and a newer one, both with a result.")
        again = history_page(report, _name(report), runs, visit.say, visit.zone, bar=bar_of(caller, ""), problem=problem)
        return page_response(again, visit.say, status=422)
    shown = compare_page(report, _name(report), two, changes, visit.say, visit.zone, bar=bar_of(caller, ""))
    return page_response(shown, visit.say)


def _name(report: ReportView) -> str:
    return (report.report.facts.page_title if report.report else "") or readable_url(report.url)


def _requested_runs(query: Query, report: ReportView, runs: Sequence[RunView]) -> tuple[RunName, RunName]:
    """Return the two runs in the query, the older one first; without them, the last two with a result. Raises ValidationFailed."""
    names = [RunName(run.report, run.run) for run in runs]
    if "from" not in query and "to" not in query:
        rated = [RunName(run.report, run.run) for run in runs if has_result(run)]
        if len(rated) > 1:
            return rated[1], rated[0]
    two = [_requested_run(query, name, report) for name in ("from", "to")]
    if all(one in names for one in two):
        two.sort(key=names.index, reverse=True)
    return two[0], two[1]


def _requested_run(query: Query, name: str, report: ReportView) -> RunName:
    text = query.get(name, "")
    found = read_name(text, report.id) if isinstance(text, str) else None
    if found is None:
        raise ValidationFailed({name: [f"The {name} must be the number of a run."]})
    return found


def _run(runs: tuple[RunView, ...], name: RunName) -> RunView:
    """Return the run with this name. Raises NotFound for a run older than the listed runs."""
    found = next((run for run in runs if (run.report, run.run) == (name.report, name.run)), None)
    if found is None:
        raise NotFound
    return found
