"""Interfaces that a job runner needs."""

from collections.abc import Collection, Sequence
from typing import Protocol, TypeVar

LEASE_S = 30
"""Duration of a job's lease; a worker without a heartbeat for that long loses its jobs."""


class Job(Protocol):
    """A claimed job."""

    @property
    def id(self) -> int:
        """Id of the job."""
        ...


JobT = TypeVar("JobT", bound=Job)


class Leases(Protocol[JobT]):
    """Lease table. Every method blocks and runs in a thread; each may raise Unavailable and is then retried later."""

    def claim(self, limit: int, spare: int) -> Sequence[JobT]:
        """Claim at most ``limit`` jobs, and ``spare`` more of accounts without running jobs."""
        ...

    def beat(self, job: JobT) -> bool:
        """Extend the lease. Returns False if another worker has the job, or the job was deleted."""
        ...

    def hand_back(self, job: JobT) -> None:
        """Return the job to the queue for other workers."""
        ...

    def sweep(self, at_work: Collection[int]) -> None:
        """Return jobs of lost workers, except those of this process, to the queue."""
        ...


WorkT_contra = TypeVar("WorkT_contra", bound=Job, contravariant=True)


class Handler(Protocol[WorkT_contra]):
    """Processes one job and stores its result."""

    async def __call__(self, job: WorkT_contra) -> None:
        """Process the job. Raises only CancelledError, and ends soon after it."""
        ...
