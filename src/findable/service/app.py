"""The service: what all use cases share."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from findable.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


class Service:
    """Settings, store, guard, secrets and the news of finished reports, held together."""

    settings: Settings

    @classmethod
    def open(cls, settings: Settings, *, exclusive: bool = False) -> "Service":
        """Opens the store, migrated to the newest schema.

        Args:
            settings: all of them.
            exclusive: for `findable serve`: refuses a second server on the same SQLite file.

        Raises:
            SettingError: a setting is wrong, the data directory cannot be written or the database is damaged or newer than we are.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Ends threads and connections and gives the lock back."""
        raise NotImplementedError

    async def run(self, use_case: "Callable[Concatenate[Service, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs a use case in one of the bounded threads: ``await service.run(reports.get, caller, 7)``."""
        raise NotImplementedError

    async def wait_until_done(self, report_id: int, timeout_s: float) -> bool:
        """Waits until no generation of the report is queued or running. False when the time ended or no waiting slot was free."""
        raise NotImplementedError

    @property
    def draining(self) -> bool:
        """Whether the service is ending: readiness is false, nothing new is accepted."""
        raise NotImplementedError

    def is_ready(self) -> bool:
        """Whether the database answers and the service is not draining (blocking: one statement)."""
        raise NotImplementedError
