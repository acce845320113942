"""Run pure functions in this process or another one."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

Made = TypeVar("Made")


class Compute(Protocol):
    """Runs a pure function of picklable values, in this or another process."""

    def __call__(self, function: Callable[..., Made], *arguments: Any) -> Awaitable[Made]:
        """Return the result of the function called with the arguments, or raise its exception."""


async def compute_here(function: Callable[..., Made], *arguments: Any) -> Made:
    """Run the function in this thread, which suits a command but would block a service."""
    return function(*arguments)
