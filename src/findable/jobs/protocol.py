"""What a carrier of jobs needs from outside."""

from collections.abc import Collection, Sequence
from typing import Protocol, TypeVar


class Job(Protocol):
    """Work that was claimed."""

    @property
    def id(self) -> int:
        """Its number."""
        ...


JobT = TypeVar("JobT", bound=Job)


class Leases(Protocol[JobT]):
    """The table of leases. Every method blocks and is called in a thread; each may raise Unavailable, and is tried again later."""

    def claim(self, limit: int, spare: int) -> Sequence[JobT]:
        """Takes the next jobs, at most so many, and ``spare`` more of those for whom nobody is at work; none where nothing can be done."""
        ...

    def beat(self, job: JobT) -> bool:
        """Extends the lease. False where the job is somebody else's now, or gone."""
        ...

    def hand_back(self, job: JobT) -> None:
        """Leaves the job to others."""
        ...

    def sweep(self, at_work: Collection[int]) -> None:
        """Takes back jobs of workers that were lost, but for those we are at."""
        ...


WorkT_contra = TypeVar("WorkT_contra", bound=Job, contravariant=True)


class Handler(Protocol[WorkT_contra]):
    """Does one job and keeps its result."""

    async def __call__(self, job: WorkT_contra) -> None:
        """Raises nothing but CancelledError, and does not outlive it by more than moments."""
        ...
