"""Pages of a report's history, for its owner: its runs, and the changes between two of them."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from starlette.responses import Response

from findable.errors import NotFound, ValidationFailed
from findable.service.reports import history
from findable.service.reports.history import RunName
from findable.service.values.report_values import ReportView, RunView
from findable.web.pages.report.report_visit import REPORT_PAGES, ReportVisit
from findable.web.pages.report.run_trend import compare_page, has_result, history_page
from findable.web.pages.shared.page_templates import page_response
from findable.web.pages.shared.run_names import read_name


@REPORT_PAGES.owner_page("/history")
def get_history(visit: ReportVisit) -> Response:
    """List the runs of the report's URL, newest first."""
    service, owner, report = visit.service, visit.require_owner(), visit.report
    shown = history_page(visit, history.runs(service, owner, report.id))
    return page_response(replace(shown, unchanged=history.unchanged_runs(service, owner, report.id)), visit.say)


@REPORT_PAGES.owner_page("/compare")
def get_compare(visit: ReportVisit) -> Response:
    """Compare two runs: ``?from=1&to=3``. Without both, or if they cannot be compared, list the runs to choose from."""
    service, owner, report = visit.service, visit.require_owner(), visit.report
    runs = history.runs(service, owner, report.id)
    try:
        old, new = _requested_runs(visit.query, report, runs)
        changes = history.changes_between(service, owner, report.id, old, new)
        two = (_run(runs, old), _run(runs, new))
    except ValidationFailed:
        problem = visit.say("These two runs cannot be compared: choose an older run and a newer one, both with a result.")
        return page_response(history_page(visit, runs, problem), visit.say, status=422)
    return page_response(compare_page(visit, two, changes), visit.say)


def _requested_runs(query: Mapping[str, str], report: ReportView, runs: Sequence[RunView]) -> tuple[RunName, RunName]:
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


def _requested_run(query: Mapping[str, str], name: str, report: ReportView) -> RunName:
    found = read_name(query.get(name, ""), report.id)
    if found is None:
        raise ValidationFailed({name: [f"The {name} must be the number of a run."]})
    return found


def _run(runs: tuple[RunView, ...], name: RunName) -> RunView:
    """Return the run with this name. Raises NotFound for a run older than the listed runs."""
    found = next((run for run in runs if (run.report, run.run) == (name.report, name.run)), None)
    if found is None:
        raise NotFound
    return found
