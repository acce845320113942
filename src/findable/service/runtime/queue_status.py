"""How the queue stands: for `findable queue` and `/metrics`."""

import json
from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from findable.clock import now
from findable.service.runtime.app import Service

RATE_OVER_S = 300
FAILURES_OVER_S = 3600
PRIORITIES = ("short", "long", "batch")
"""Of a short queue, of a long one, of a batch: the order in which an account's jobs are taken."""


class QueueNumbers(Struct, frozen=True):
    """One moment of the queue, over all accounts and workers."""

    waiting: int
    running: int
    oldest_waiting_s: int
    """Since the oldest report that waits was asked for; 0 where none waits."""
    oldest_running_s: int
    """The same of those that are being made."""
    waiting_by_priority: Mapping[str, int]
    """All of PRIORITIES."""
    waiting_again: Mapping[str, int]
    """Reports whose worker or process was lost, by reason."""
    ended_per_minute: float
    """Over the last five minutes."""
    running_by_worker: Mapping[str, int]
    running_by_host: Mapping[str, int]
    """Without hosts that an operator allowed by name."""
    paused_hosts: Mapping[str, int]
    """Seconds until each may be asked again."""
    failures: Mapping[str, int]
    """Of the last hour, by error code, most first; a page that was seen and could not be rated counts too."""


def queue_numbers(service: Service) -> QueueNumbers:
    """The numbers now. Raises Unavailable where the database does not answer."""
    moment = int(now().timestamp())
    workers: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    with service.store.read() as session:
        depths = session.jobs.depths()
        priorities = session.jobs.waiting_by_priority()
        again = session.jobs.waiting_again()
        for worker, host, count in session.jobs.running_by():
            workers[worker] += count
            hosts[host] += count
        ended = session.jobs.ended_since(moment - RATE_OVER_S)
        errors = session.jobs.errors_since(moment - FAILURES_OVER_S)
        paused = {host or origin: until - moment for origin, host, until in session.jobs.paused(moment)}
    del hosts[""]
    waiting, oldest_waiting = depths.get("ready", (0, moment))
    running, oldest_running = depths.get("running", (0, moment))
    return QueueNumbers(
        waiting=waiting,
        running=running,
        oldest_waiting_s=max(0, moment - oldest_waiting),
        oldest_running_s=max(0, moment - oldest_running),
        waiting_by_priority={name: priorities.get(number, 0) for number, name in enumerate(PRIORITIES)},
        waiting_again=again,
        ended_per_minute=round(60 * ended / RATE_OVER_S, 1),
        running_by_worker=dict(workers.most_common()),
        running_by_host=dict(hosts.most_common()),
        paused_hosts=paused,
        failures=dict(Counter(str(json.loads(error).get("code", "")) for error in errors).most_common()),
    )
