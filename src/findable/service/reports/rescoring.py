"""Rescore old results under the current ruleset: saved pages are checked again without fetching them. Old runs stay in the history."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from findable.analyze import analyse_saved
from findable.compute import Compute
from findable.errors import Unavailable
from findable.reports.report import Engine, Report
from findable.reports.scoring import RULESET
from findable.service.reports import stored_images
from findable.service.reports.compared_run import report_of_run, shown_run
from findable.service.reports.save_run import make_current, new_run, with_acceptances_of_day
from findable.service.runtime.service import Service
from findable.store.rows import RunRow
from findable.urls import parse, project_name

BATCH = 200
STORE_TRIES = 12
STORE_PAUSE_S = 5.0
"""Pause before a result is stored again in a busy database, for up to a minute."""

_log = logging.getLogger(__name__)


class RescoreOutcome(StrEnum):
    """Outcome of rescoring one report."""

    RESCORED = "rescored"
    CURRENT = "current"
    """Report that is already scored under the current ruleset."""
    WITHOUT_PAGE = "without_page"
    """Report whose saved page was deleted."""
    UNRATED = "unrated"
    """Page that cannot be rated under the current ruleset; the shown result stays."""
    FAILED = "failed"
    """Outcome of a page that could not be checked."""


Tally = Counter[RescoreOutcome]
"""Number of reports by outcome."""


class _OldRun(Struct, frozen=True):
    """Run under another ruleset, with the data to rescore it."""

    run: RunRow
    saved_page: bytes
    not_for_search: bool


def project_name_of(text: str) -> str:
    """Return the stored name of a project from typed text (case-insensitive, IDN or Punycode); empty if it is invalid."""
    url = parse(f"https://{text.strip()}/")
    return "" if url is None or url.path != "/" else project_name(url.href)


async def rescore(
    service: Service, compute: Compute, *, project: str = "", at_once: int = 1, on_report: Callable[[Tally], None] = lambda _: None
) -> Tally:
    """Rescore reports of all accounts whose shown run has another ruleset; a second call changes nothing.

    Args:
        service: owner of the reports.
        compute: runs the checks.
        project: limits it to projects with that name (`project_name_of`).
        at_once: number of pages in memory.
        on_report: called after each report.
    """
    tally = Tally()
    turns = asyncio.Semaphore(at_once)

    async def one(report_id: int) -> None:
        async with turns:
            tally[await _rescore(service, compute, report_id)] += 1
        on_report(tally)

    for batch in _batches(service, project):
        old = [report_id for report_id, engine in batch if msgspec.json.decode(engine, type=Engine).ruleset != RULESET]
        tally[RescoreOutcome.CURRENT] += len(batch) - len(old)
        await asyncio.gather(*(one(report_id) for report_id in old))
    return tally


def _batches(service: Service, project: str) -> Iterator[list[tuple[int, str]]]:
    after = 0
    while True:
        with service.store.read() as session:
            batch = session.reports.shown_runs(after, BATCH, project)
        if not batch:
            return
        after = batch[-1][0]
        yield batch


async def _rescore(service: Service, compute: Compute, report_id: int) -> RescoreOutcome:
    found = _old_run(service, report_id)
    if isinstance(found, RescoreOutcome):
        return found
    try:
        report = await compute(analyse_saved, found.saved_page, found.not_for_search)
    except Exception:  # noqa: BLE001 - a page that cannot be checked must not stop the others
        _log.exception("report %d could not be rescored", report_id)
        return RescoreOutcome.FAILED
    for _ in range(STORE_TRIES):
        try:
            return _store(service, found, report)
        except Unavailable:
            await asyncio.sleep(STORE_PAUSE_S)
    _log.error("report %d could not be rescored: the database is not available", report_id)
    return RescoreOutcome.FAILED


def _old_run(service: Service, report_id: int) -> _OldRun | RescoreOutcome:
    with service.store.read() as session:
        row = session.reports.by_id(report_id)
        run = None if row is None else shown_run(session, row)
        report = report_of_run(session, run)
        if run is None or report is None:
            return RescoreOutcome.CURRENT  # the report was regenerated or deleted meanwhile
        page = session.runs.saved_page(run.saved_hash)
    if page is None:
        return RescoreOutcome.WITHOUT_PAGE
    return _OldRun(run, page, report.not_for_search)


def _store(service: Service, old: _OldRun, report: Report) -> RescoreOutcome:
    """Store the new run with the time of the saved page, because nothing was fetched."""
    with service.store.write() as session:
        row = session.reports.by_id(old.run.report_id)
        if row is None or row.run != old.run.number:
            return RescoreOutcome.CURRENT
        report = with_acceptances_of_day(session, row, report, session.day)
        new = new_run(report, started_at=old.run.started_at, finished_at=old.run.finished_at)
        if new.result is None and row.result is not None:
            return RescoreOutcome.UNRATED
        new = replace(new, saved_page=old.saved_page, rescored_from=old.run.number)
        added = session.runs.add(row, old.run.url, new)
        stored_images.carry_over(session, old.run.report_id, old.run.number, added.id)
        make_current(session, row, new, added, old.run.url, now=session.moment, last_error=row.last_error_json)
    return RescoreOutcome.RESCORED
