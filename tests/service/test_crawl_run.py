"""A crawl while it runs."""

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path

from findable.compute import compute_here
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState
from findable.fetch.egress_guard import Guard
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_run import CrawlRun
from findable.store.crawl_file import CrawlFile

COUNTED = threading.Event()


class SlowFile(CrawlFile):
    """A file whose pages are counted as slowly as those of a large site."""

    counts_count = 0

    def packed_verdicts(self) -> Mapping[bytes, int]:
        self.counts_count += 1
        assert COUNTED.wait(30)
        return super().packed_verdicts()


def test_the_pages_of_a_crawl_are_counted_once_at_a_time(tmp_path: Path) -> None:
    file = SlowFile(tmp_path / "crawl.sqlite")
    settings = CrawlSettings("https://shop.example/")
    file.save_state(CrawlState(settings.start_url, settings, started_at="2026-11-01T12:00:00Z"))

    async def store() -> None:
        async with Fetcher(Guard()) as fetcher:
            run = CrawlRun(file, fetcher, compute_here)
            storing = [asyncio.create_task(run._store_visits([])) for _ in range(3)]
            for done in asyncio.as_completed(storing[1:], timeout=30):
                await done
            COUNTED.set()
            await storing[0]

    asyncio.run(store())

    assert file.counts_count == 1
    file.close()
