"""Interfaces between the jobs of one kind and the carriers that run them."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct


class Job(Protocol):
    """Job that a worker has claimed."""

    @property
    def id(self) -> int:
        """Id of the job."""


JobT = TypeVar("JobT", bound=Job)


class Queues(Struct, frozen=True):
    """Queues of the engine for one kind of jobs."""

    normal: str
    spare: str = ""
    """Queue for jobs of accounts without running jobs, for which workers reserve slots; empty without such slots."""


class StoredJobs(Protocol[JobT]):
    """Use cases of one kind of jobs: a module of the service, whose object each function gets first, then perhaps the name of the worker.

    Every function blocks and runs in a thread; each may raise Unavailable and is then retried later.
    """

    def claim_some(self, service: Any, worker: str, limit: int, spare: int, /) -> Sequence[JobT]:
        """Claim at most ``limit`` jobs, and ``spare`` more of accounts without running jobs."""

    def dispatch(self, service: Any, queues: Queues, free: int, spare: int, /) -> int:
        """Claim jobs for all workers and send them to the engine; return their number.

        At most as many as this process has free slots, less those that are already in the queues.
        """

    def load(self, service: Any, worker: str, job_id: int, attempt: int, /) -> JobT | None:
        """Return the job of a message; None if it was deleted or belongs to another attempt."""

    def beat(self, service: Any, job: JobT, /) -> bool:
        """Store the progress. Returns False if another worker has the job, or it was deleted."""

    def hand_back(self, service: Any, job: JobT, /) -> None:
        """Return the job to the queue for other workers."""

    def sweep(self, service: Any, at_work: Collection[int], /) -> object:
        """Return jobs of lost workers to the queue, except those with ids in ``at_work``, which run in this process."""


Handler = Callable[[JobT], Awaitable[None]]
"""Processes one job and stores its result. Raises only CancelledError, and ends soon after it."""
