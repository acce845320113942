"""Earlier run that a run of a page is compared with."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from findable.reports.difference import NotComparable, basis_of_page, basis_of_report, comparable
from findable.reports.report import Engine, Report
from findable.store.rows import RunRow
from findable.store.store_protocol import Session


class ComparedRun(NamedTuple):
    """Run with its report."""

    row: RunRow
    report: Report


def last_comparable(session: Session, older: Iterable[RunRow], report: Report) -> ComparedRun | NotComparable:
    """Return the newest run with which a report can be compared; else the reason why the newest one cannot.

    Args:
        session: transaction.
        older: older runs with a rating, newest first.
        report: the report to compare.
    """
    first = NotComparable.NO_EARLIER
    for row in older:
        found = _comparable_run(session, row, report)
        if isinstance(found, ComparedRun):
            return found
        if first is NotComparable.NO_EARLIER:
            first = found
    return first


def _comparable_run(session: Session, row: RunRow, report: Report) -> ComparedRun | NotComparable:
    after = basis_of_report(report)
    engine = msgspec.json.decode(row.engine_json, type=Engine) if row.engine_json is not None else None
    reason = comparable(None if engine is None else basis_of_page(engine.ruleset, engine.sources, row.score, None), after)
    if reason is not None:
        return reason
    stored = session.runs.analysis(row.id)
    if stored is None:
        return NotComparable.BEFORE_INCOMPLETE
    before = Report.from_bytes(stored)
    return comparable(basis_of_report(before), after) or ComparedRun(row, before)
