"""Synchronous calls of asynchronous work, also where an event loop runs already, as in a notebook."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

Made = TypeVar("Made")


def run_to_end(work: Coroutine[Any, Any, Made]) -> Made:
    """Return the result of the work. Where an event loop runs, a thread runs the work; an interrupt cancels it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any] | None]] = Future()

    async def main() -> Made:
        started.set_result((asyncio.get_running_loop(), asyncio.current_task()))
        return await work

    with ThreadPoolExecutor(1) as thread:
        made = thread.submit(asyncio.run, main())
        try:
            return made.result()
        except KeyboardInterrupt:
            loop, task = started.result()
            if task is not None:
                loop.call_soon_threadsafe(task.cancel)
            raise
