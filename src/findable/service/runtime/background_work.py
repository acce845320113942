"""Work on many things in the background: rows in small transactions, lost jobs, and errors that concern one thing only."""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from findable.errors import Unavailable
from findable.jobs.heartbeats import LOST_AFTER_S
from findable.service.runtime.events import EventBus
from findable.service.runtime.service import Service
from findable.store.job_statements import ClaimedT, QueuedJobs
from findable.store.store_protocol import Session

_log = logging.getLogger(__name__)
Row = TypeVar("Row")


def each_row(service: Service, read: Callable[[Session, int], Sequence[Row]], id_of: Callable[[Row], int]) -> Iterator[Row]:
    """Yield rows in the order of their ids. ``read`` returns the first ones with ids above a number, in a transaction for each call."""
    after = 0
    while True:
        with service.store.read() as session:
            rows = read(session, after)
        if not rows:
            return
        yield from rows
        after = id_of(rows[-1])


@contextmanager
def others_continue(failed: str, *values: object) -> Iterator[None]:
    """Log any error of the block, which must not stop the work on other things. Raises Unavailable, which concerns them all."""
    try:
        yield
    except Unavailable:
        raise
    except Exception:  # noqa: BLE001 - any error of one thing, which is logged
        _log.exception(failed, *values)


def sweep_lost(
    service: Service,
    events: EventBus[Any],
    at_work: Collection[int],
    jobs_of: Callable[[Session], QueuedJobs[ClaimedT]],
    record_loss: Callable[[Session, ClaimedT], int | None],
) -> int:
    """Return jobs of lost workers to the queue, except those in ``at_work``, which run in this process; return their number.

    Args:
        service: owner of the jobs.
        events: events of what the jobs are about.
        at_work: ids of the jobs of this process.
        jobs_of: returns the SQL statements for the jobs.
        record_loss: queues a job again, or ends its report or crawl and returns the id of that.
    """
    looked_at = set(at_work)
    while True:
        with service.store.write() as session:  # one transaction per job: transactions that lock several accounts could deadlock
            jobs = jobs_of(session)
            job = next((job for job in jobs.lost(LOST_AFTER_S) if job.id not in looked_at), None)
            if job is None:
                session.messages.delete_lost(jobs.kind, LOST_AFTER_S)
                break
            ended = record_loss(session, job)
        looked_at.add(job.id)
        if ended is not None:
            events.publish_end(ended)
    count = len(looked_at) - len(set(at_work))
    if count:
        service.events.publish_queued()
    return count
