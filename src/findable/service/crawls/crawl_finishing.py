"""Last steps of a crawl in a service after its requests: settle, check and compare it. Needs no network."""

import logging
from contextlib import closing

from findable.crawl.start_origins import public_origins
from findable.crawl.state import CrawlState, Phase
from findable.errors import Unavailable
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls
from findable.service.crawls.crawl_run import report_of_crawl, settle_crawl
from findable.store.crawl_homes import CrawlHome, crawl_home
from findable.store.crawl_store import CrawlTakenOver

_log = logging.getLogger(__name__)


def finish_crawl(database_url: str, crawl_id: int, attempt: int, earlier: int | None) -> tuple[CrawlState, SiteReport]:
    """Settle a crawl, compare it with an earlier one, and return its state and its report.

    Runs in a separate process.

    After a crash, every step resumes.
    """
    with closing(crawl_home(database_url)) as home, closing(home.make(crawl_id, attempt)) as store:
        state = store.state()
        if state is None or state.phase is not Phase.REPORT:
            state = settle_crawl(store)
        report = report_of_crawl(store, state)
        if earlier is not None and report.score is not None:
            _compare(home, earlier, StoredCrawl(store, state, crawl_id))
        return state, report


def _compare(home: CrawlHome, earlier: int, after: StoredCrawl) -> None:
    try:
        with closing(home.open(earlier)) as before:
            state = before.state()
            if state is not None:
                compare_crawls(StoredCrawl(before, state, earlier), after, public_origins(state, after.state))
    except (CrawlTakenOver, Unavailable):
        raise
    except Exception as error:  # noqa: BLE001 - the store of another crawl may be missing or damaged, which must not fail this crawl
        _log.warning("crawl %s could not be compared with crawl %d: %s", after.number, earlier, error)
