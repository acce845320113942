"""Runs of a page with their reports, and the earlier run that a run is compared with."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

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


def shown_run(session: Session, row: ReportRow) -> RunRow | None:
    """Return the run that a report shows; None if there is none yet."""
    return session.runs.get(row.id, row.run) if row.run is not None else None


def report_of_run(session: Session, run: RunRow | None) -> Report | None:
    """Return the report of a run; None without a run, or if it has no result."""
    stored = session.runs.analysis(run.id) if run is not None else None
    return None if stored is None else Report.from_bytes(stored)


def comparable_before(
    session: Session, row: ReportRow, run_id: int, report: Report, *, across_rulesets: bool = False
) -> ComparedRun | NotComparable:
    """Return the run of the history with which the report of a run is compared; else the reason why the newest one cannot be.

    It is the newest comparable one among the last LOOK_BACK. With ``across_rulesets``, it may be the newest one that only another ruleset
    prevents, because its page can be rescored.
    """
    after = basis_of_report(report)
    first: NotComparable | None = None
    other: ComparedRun | None = None
    for one in session.runs.rated_before(row, run_id, LOOK_BACK):
        reason = comparable(basis_of_run(one), after)
        is_read = reason is None or (reason is NotComparable.OTHER_RULESET and across_rulesets and other is None)
        before = report_of_run(session, one) if is_read else None
        if before is not None:
            actual = comparable(basis_of_report(before), after)
            if actual is None:
                return ComparedRun(one, before)
            other = ComparedRun(one, before) if actual is NotComparable.OTHER_RULESET else other
            reason = reason or actual
        first = first or reason or NotComparable.BEFORE_INCOMPLETE
    return other or first or NotComparable.NO_EARLIER


def basis_of_run(row: RunRow) -> Basis | None:
    """Return the basis of a run as far as its row tells it: not whether the page was away. None for a run without a result."""
    if row.engine_json is None:
        return None
    engine = msgspec.json.decode(row.engine_json, type=Engine)
    return basis_of_page(engine.ruleset, engine.sources, row.score, None)


class RunPair(Struct, frozen=True):
    """Two runs to compare, with the data for the comparison."""

    old: ComparedRun
    new: ComparedRun
    older: Sequence[Report]
    saved_page: bytes | None
    """Saved page of the old run."""
    rescored_report: Report | None
    """Report of the old run's page, rescored."""
