"""Interfaces that a job runner needs."""

from collections.abc import Collection, Sequence
from typing import Protocol, TypeVar

LEASE_S = 30
"""Lease of a job; a worker without heartbeat for so long loses its jobs."""


class Job(Protocol):
    """A claimed job."""

    @property
    def id(self) -> int:
        """Number of the job."""
        ...


JobT = TypeVar("JobT", bound=Job)


class Leases(Protocol[JobT]):
    """The lease table. Every method blocks and runs in a thread; each may raise Unavailable and is retried later."""

    def claim(self, limit: int, spare: int) -> Sequence[JobT]:
        """Claim at most ``limit`` jobs, and ``spare`` more of accounts that have none running."""
        ...

    def beat(self, job: JobT) -> bool:
        """Extend the lease. Returns False if another worker has the job, or it is gone."""
        ...

    def hand_back(self, job: JobT) -> None:
        """Release the job for other workers."""
        ...

    def sweep(self, at_work: Collection[int]) -> None:
        """Reclaim jobs of lost workers, except those this process works on."""
        ...


WorkT_contra = TypeVar("WorkT_contra", bound=Job, contravariant=True)


class Handler(Protocol[WorkT_contra]):
    """Processes one job and stores its result."""

    async def __call__(self, job: WorkT_contra) -> None:
        """Raise nothing but CancelledError, and end within moments of it."""
        ...
