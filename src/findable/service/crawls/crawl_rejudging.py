"""Judge the pages of a stored crawl again under the present ruleset, without a request."""

import asyncio

from msgspec.structs import replace

from findable.analyze import Compute
from findable.crawl.record import asked_checks
from findable.crawl.state import CrawlState, Phase
from findable.crawler import judge_again
from findable.reports.scoring import RULESET
from findable.service.crawls.crawl_run import settle_crawl
from findable.store.crawl_store import CrawlStore

JUDGED_AT_ONCE = 32


def is_outdated(file: CrawlStore, state: CrawlState) -> bool:
    """Return whether a settled crawl was judged under another ruleset, and has responses that can be judged again."""
    return state.phase is Phase.REPORT and state.ruleset != RULESET and file.has_responses()


async def rejudge_crawl(file: CrawlStore, state: CrawlState, compute: Compute) -> CrawlState:
    """Judge the stored responses again, and settle the crawl; return its state. Pages without a response keep their verdicts.

    Killed in between, the crawl keeps its old ruleset, and is judged again as a whole.
    """
    if state.checks != asked_checks():
        await asyncio.to_thread(file.rename_checks, asked_checks())
    site = file.site()
    for batch in file.stored_responses(JUDGED_AT_ONCE):
        pages = await compute(judge_again, site, tuple((item.url, item.packed) for item in batch))
        await asyncio.to_thread(file.replace_pages, [(item.number, page) for item, page in zip(batch, pages, strict=True)])
    file.save_state(replace(state, checks=asked_checks(), ruleset=RULESET, phase=Phase.SETTLE))
    return await asyncio.to_thread(settle_crawl, file)
