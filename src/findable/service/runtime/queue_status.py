"""Status of the queue: for `findable queue` and `/metrics`."""

import json
from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from findable.service.runtime.service import Service

RATE_OVER_S = 300
FAILURES_OVER_S = 3600
PRIORITIES = ("short", "long", "batch")
"""Priorities in the order in which an account's jobs are claimed: short queue, long queue, batch."""


class QueueStatus(Struct, frozen=True):
    """Snapshot of the queue for all accounts and workers."""

    waiting: int
    running: int
    oldest_waiting_s: int
    """Age of the oldest queued report; 0 without one."""
    oldest_running_s: int
    """Age of the oldest running report; 0 without one."""
    waiting_by_priority: Mapping[str, int]
    """Queued reports by priority, for all PRIORITIES."""
    waiting_again: Mapping[str, int]
    """Reports queued again because their worker or process was lost, by reason."""
    crawls: Mapping[str, int]
    """Crawls by state of their job: ready, running."""
    crawls_waiting_for: Mapping[str, int]
    """Started crawls that are paused, by reason."""
    ended_per_minute: float
    """Reports per minute over the last five minutes."""
    running_by_worker: Mapping[str, int]
    running_by_host: Mapping[str, int]
    """Running reports by host, without hosts that the operator allowed by name."""
    paused_hosts: Mapping[str, int]
    """Remaining pause of each host in seconds."""
    failures: Mapping[str, int]
    """Failures of the last hour by error code, most first; including unrated pages."""


def queue_status_of(service: Service) -> QueueStatus:
    """Return the current status of the queue. Raises Unavailable if the database does not respond."""
    workers: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    with service.store.read() as session:
        moment = session.moment
        depths = session.jobs.depths()
        priorities = session.jobs.waiting_by_priority()
        again = session.jobs.waiting_again()
        for worker, host, count in session.jobs.running_by():
            if worker:  # otherwise its message waits for a worker
                workers[worker] += count
            hosts[host] += count
        crawls, crawls_waiting_for = session.crawl_jobs.depths(), session.crawl_jobs.waiting_again()
        ended = session.jobs.ended_since(moment - RATE_OVER_S)
        errors = session.jobs.errors_since(moment - FAILURES_OVER_S)
        paused = {host or origin: until - moment for origin, host, until in session.jobs.pauses(moment)}
    del hosts[""]
    waiting, oldest_waiting = depths.get("ready", (0, moment))
    running, oldest_running = depths.get("running", (0, moment))
    return QueueStatus(
        waiting=waiting,
        running=running,
        oldest_waiting_s=max(0, moment - oldest_waiting),
        oldest_running_s=max(0, moment - oldest_running),
        waiting_by_priority={name: priorities.get(number, 0) for number, name in enumerate(PRIORITIES)},
        waiting_again=again,
        crawls={state: crawls.get(state, (0, 0))[0] for state in ("ready", "running")},
        crawls_waiting_for=crawls_waiting_for,
        ended_per_minute=round(60 * ended / RATE_OVER_S, 1),
        running_by_worker=dict(workers.most_common()),
        running_by_host=dict(hosts.most_common()),
        paused_hosts=paused,
        failures=dict(Counter(str(json.loads(error).get("code", "")) for error in errors).most_common()),
    )
