"""Interfaces between the jobs of one kind and the carriers that run them."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

LOST_AFTER_S = 30
"""Time without a heartbeat after which a worker is lost and its jobs are queued again."""


class Job(Protocol):
    """A claimed job."""

    @property
    def id(self) -> int:
        """Id of the job."""
        ...


JobT = TypeVar("JobT", bound=Job)
JobT_co = TypeVar("JobT_co", bound=Job, covariant=True)
WorkT_contra = TypeVar("WorkT_contra", bound=Job, contravariant=True)


class Queues(Struct, frozen=True):
    """Queues of the engine for one kind of jobs."""

    normal: str
    spare: str = ""
    """Queue for jobs of accounts without running jobs, for which workers reserve hands; empty without such hands."""


class RunningJobs(Protocol[WorkT_contra]):
    """Jobs that workers run. Every method blocks and runs in a thread; each may raise Unavailable and is then retried later."""

    def beat(self, job: WorkT_contra) -> bool:
        """Store the progress. Returns False if another worker has the job, or it was deleted."""
        ...

    def hand_back(self, job: WorkT_contra) -> None:
        """Return the job to the queue for other workers."""
        ...

    def sweep(self, at_work: Collection[int]) -> None:
        """Return jobs of lost workers to the queue, but not those with these ids, which run in this process."""
        ...


class OwnJobs(RunningJobs[JobT], Protocol[JobT]):
    """Jobs of a database that only this process uses: it claims those that it runs."""

    def claim(self, limit: int, spare: int) -> Sequence[JobT]:
        """Claim at most ``limit`` jobs, and ``spare`` more of accounts without running jobs."""
        ...


class Dispatched(RunningJobs[JobT], Protocol[JobT]):
    """Jobs that are claimed for all workers and sent to them by the engine."""

    def dispatch(self, queues: Queues, free: int, spare: int) -> int:
        """Send as many jobs as this process has free hands, less those that wait in the queues already; return their number."""
        ...

    def load(self, job_id: int, attempt: int) -> JobT | None:
        """Return the job of a message; None if it was deleted or belongs to another attempt."""
        ...


class Handler(Protocol[WorkT_contra]):
    """Processes one job and stores its result."""

    async def __call__(self, job: WorkT_contra) -> None:
        """Process the job. Raises only CancelledError, and ends soon after it."""
        ...


class Carrier(Protocol[JobT_co]):
    """Brings jobs of one kind to their handler, a limited number at a time. ``EmbeddedCarrier`` and ``EngineCarrier`` do."""

    @property
    def at_work(self) -> tuple[int, ...]:
        """Ids of the running jobs of this process."""
        ...

    def wake(self) -> None:
        """Signal that there may be jobs. Thread-safe."""
        ...

    def recheck(self, concerns: Callable[[JobT_co], bool]) -> None:
        """Check at once, not at the next heartbeat, whether the running jobs that ``concerns`` selects still belong to this process."""
        ...

    async def run(self) -> None:
        """Process jobs until `drain` is called. Cancellation returns all jobs to the queue immediately."""
        ...

    async def drain(self, timeout_s: float) -> None:
        """Begin no more jobs, give running ones this much time, and return the others to the queue. A second call may shorten the time."""
        ...
