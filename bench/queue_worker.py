"""Worker whose analyser fetches nothing, to measure the cost of queueing a job and storing its result. Started by bench_queue.py.

    python bench/queue_worker.py DATABASE_URL DATA_DIR CONCURRENCY SECONDS

Prints "ready", begins when a line arrives on standard input, and ends when that is closed. ``SECONDS`` is the time that a report
takes.
"""

import asyncio
import sys
from pathlib import Path

from bench_analysis import capture_of
from msgspec.structs import replace

from findable.demo import demo_site
from findable.reports.analysis import analyse
from findable.service.reports.report_jobs import AnalysedPage, ReportJob
from findable.service.runtime.service import Service
from findable.settings import Settings
from findable.worker.report_task import Progress
from findable.worker.worker_loop import Worker

SAVED_BYTES = 60_000
"""Size of a saved page before it is packed."""


def sample() -> AnalysedPage:
    """Return a real analysis with a page of typical size."""
    path = next(path for path in (Path(demo_site.__file__).parent / "pages").rglob("*.html"))
    text = path.read_bytes() * (SAVED_BYTES // path.stat().st_size + 1)
    return AnalysedPage(text[:SAVED_BYTES], analyse(capture_of(path.read_bytes(), "page")))


async def main(url: str, data_dir: Path, concurrency: int, seconds: float) -> None:
    settings = Settings(data_dir=data_dir, secret_key="k" * 40, database_url=url, report_concurrency=concurrency, host_concurrency=1000)
    service = Service.open(settings, exclusive=True)
    seen = sample()

    async def analyser(job: ReportJob, progress: Progress) -> AnalysedPage:
        del progress
        if seconds:
            await asyncio.sleep(seconds)
        return replace(seen, saved_page=b"%d %s" % (job.report_id, seen.saved_page))

    worker = Worker(service, analyser)
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)
    await worker.start()
    await loop.run_in_executor(None, sys.stdin.read)
    await worker.stop()
    service.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))
