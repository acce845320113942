"""Old results under the present ruleset: saved pages are judged again, never fetched. What was stays in the history."""

import asyncio
import json
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from findable.analyze import Compute, analyse_saved
from findable.clock import now
from findable.errors import Unavailable
from findable.reports.model import Analysis
from findable.reports.scoring import RULESET
from findable.service.reports import stored_images
from findable.service.reports.save_run import judged_with, new_run, show
from findable.service.runtime.app import Service
from findable.store.rows import RunRow
from findable.urls import parse, project_name

BATCH = 200
STORE_TRIES = 12
STORE_PAUSE_S = 5.0
"""A result is offered to a busy database for a minute."""


class Outcome(StrEnum):
    """What became of one report."""

    RESCORED = "rescored"
    CURRENT = "current"
    """It is scored under the present ruleset already."""
    WITHOUT_PAGE = "without_page"
    """Its page is not kept any more."""
    UNRATED = "unrated"
    """Under the present ruleset the page cannot be rated: what is shown stays."""
    FAILED = "failed"
    """The page could not be judged."""


class Tally(Struct):
    """How many reports came to which end."""

    rescored: int = 0
    current: int = 0
    without_page: int = 0
    unrated: int = 0
    failed: int = 0

    def count(self, outcome: Outcome) -> None:
        """One more."""
        setattr(self, outcome.value, getattr(self, outcome.value) + 1)

    @property
    def all(self) -> int:
        """Reports that were looked at."""
        return self.rescored + self.current + self.without_page + self.unrated + self.failed


class _Old(NamedTuple):
    """A run under another ruleset and what is needed to judge its page again."""

    run: RunRow
    saved_page: bytes
    not_for_search: bool


def named_project(text: str) -> str:
    """The name of a project as it is stored, from what was typed (any case, IDN or punycode); empty where it is none."""
    url = parse(f"https://{text.strip()}/")
    return "" if url is None or url.path != "/" else project_name(url.href)


async def rescore(
    service: Service, compute: Compute, *, project: str = "", at_once: int = 1, told: Callable[[Tally], None] = lambda _: None
) -> Tally:
    """Scores reports of all accounts again whose shown run has another ruleset; a second call finds nothing left to do.

    Args:
        service: whose reports.
        compute: where pages are judged.
        project: only reports of projects of that name (`named_project`).
        at_once: so many pages are in memory.
        told: called after each report.
    """
    tally = Tally()
    turns = asyncio.Semaphore(at_once)

    async def one(report_id: int) -> None:
        async with turns:
            tally.count(await _rescore(service, compute, report_id))
        told(tally)

    for batch in _batches(service, project):
        old = [report_id for report_id, engine in batch if json.loads(engine)["ruleset"] != RULESET]
        tally.current += len(batch) - len(old)
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


async def _rescore(service: Service, compute: Compute, report_id: int) -> Outcome:
    found = _old(service, report_id)
    if isinstance(found, Outcome):
        return found
    try:
        analysis = Analysis.load(await compute(analyse_saved, found.saved_page, found.not_for_search))
    except Exception:  # noqa: BLE001 - one page that cannot be judged leaves the others to be
        return Outcome.FAILED
    for _ in range(STORE_TRIES):
        try:
            return _keep(service, found, analysis)
        except Unavailable:
            await asyncio.sleep(STORE_PAUSE_S)
    return Outcome.FAILED


def _old(service: Service, report_id: int) -> _Old | Outcome:
    with service.store.read() as session:
        row = session.reports.by_id(report_id)
        run = session.runs.get(row.id, row.run) if row is not None and row.run is not None else None
        stored = session.runs.analysis(run.id) if run is not None else None
        if run is None or stored is None:
            return Outcome.CURRENT  # it was generated again or deleted meanwhile
        page = session.runs.saved_page(run.saved_hash) if run.saved_hash is not None else None
    if page is None:
        return Outcome.WITHOUT_PAGE
    return _Old(run, page, bool(Analysis.load(stored).document.get("not_for_search")))


def _keep(service: Service, old: _Old, analysis: Analysis) -> Outcome:
    """The new run is as old as the page it judges: nothing was seen since."""
    moment = now()
    with service.store.write() as session:
        row = session.reports.by_id(old.run.report_id)
        if row is None or row.run != old.run.number:
            return Outcome.CURRENT
        analysis = judged_with(session, row, analysis, moment.date().isoformat())
        new = new_run(analysis, started_at=old.run.started_at, finished_at=old.run.finished_at)
        if new.result is None and row.result is not None:
            return Outcome.UNRATED
        new = replace(new, saved_page=old.saved_page, rescored_from=old.run.number)
        added = session.runs.add(row, old.run.url, new)
        stored_images.carry_over(session, old.run.report_id, old.run.number, added.id)
        show(session, row, new, added, old.run.url, now=int(moment.timestamp()), last_error=row.last_error_json)
    return Outcome.RESCORED
