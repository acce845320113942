"""What is being worked on, for the log: it goes along with the work into tasks and threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
job_id: ContextVar[int] = ContextVar("job_id", default=0)


@contextmanager
def working_on_job(number: int) -> Iterator[None]:
    """Whatever is logged in the block belongs to that job."""
    token = job_id.set(number)
    try:
        yield
    finally:
        job_id.reset(token)
