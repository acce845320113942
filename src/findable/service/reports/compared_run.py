"""Earlier run that a run of a page is compared with."""

from typing import NamedTuple

import msgspec

from findable.reports.difference import Basis, NotComparable, basis_of_page, basis_of_report, comparable
from findable.reports.report import Engine, Report
from findable.store.rows import ReportRow, RunRow
from findable.store.store_protocol import Session

LOOK_BACK = 20
"""Number of older runs searched for returned findings and for a comparable run."""


class ComparedRun(NamedTuple):
    """Run with its report."""

    row: RunRow
    report: Report


def comparable_before(session: Session, row: ReportRow, run_id: int, report: Report) -> ComparedRun | NotComparable:
    """Return the run of the history with which the report of a run is compared; else the reason why the newest one cannot be.

    It is the newest comparable one among the last LOOK_BACK.
    """
    first = NotComparable.NO_EARLIER
    for one in session.runs.rated_before(row, run_id, LOOK_BACK):
        found = _comparable_run(session, one, report)
        if isinstance(found, ComparedRun):
            return found
        if first is NotComparable.NO_EARLIER:
            first = found
    return first


def run_of_other_ruleset(session: Session, row: ReportRow, run_id: int, report: Report) -> ComparedRun | None:
    """Return the newest run that would be comparable if the ruleset had not changed; None if there is none.

    Its page can be rescored under the newer ruleset.
    """
    after = basis_of_report(report)
    for one in session.runs.rated_before(row, run_id, LOOK_BACK):
        basis = basis_of_run(one)
        stored = session.runs.analysis(one.id) if basis is not None and basis.ruleset != after.ruleset else None
        before = None if stored is None else Report.from_bytes(stored)
        if before is not None and comparable(basis_of_report(before), after) is NotComparable.OTHER_RULESET:
            return ComparedRun(one, before)
    return None


def basis_of_run(row: RunRow) -> Basis | None:
    """Return the basis of a run as far as its row tells it: not whether the page was away. None for a run without a result."""
    if row.engine_json is None:
        return None
    engine = msgspec.json.decode(row.engine_json, type=Engine)
    return basis_of_page(engine.ruleset, engine.sources, row.score, None)


def _comparable_run(session: Session, row: RunRow, report: Report) -> ComparedRun | NotComparable:
    after = basis_of_report(report)
    reason = comparable(basis_of_run(row), after)
    if reason is not None:
        return reason
    stored = session.runs.analysis(row.id)
    if stored is None:
        return NotComparable.BEFORE_INCOMPLETE
    before = Report.from_bytes(stored)
    return comparable(basis_of_report(before), after) or ComparedRun(row, before)
