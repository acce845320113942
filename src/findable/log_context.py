"""Current request and job for log records, inherited by tasks and threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
job_id: ContextVar[int] = ContextVar("job_id", default=0)


@contextmanager
def working_on_job(number: int) -> Iterator[None]:
    """Attach the job number to all log records in the ``with`` block."""
    token = job_id.set(number)
    try:
        yield
    finally:
        job_id.reset(token)
