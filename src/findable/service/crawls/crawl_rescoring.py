"""Rescore the pages of a stored crawl without requests: under the current ruleset, with other extractors or segments.

The stored responses are checked in slices; each batch is stored in one transaction with its last number, where a killed process continues.
Then the crawl is settled as after its requests.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from findable.clock import monotonic_s
from findable.compute import Compute
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.progress import CrawlProgress, CrawlStage
from findable.crawl.settings import CrawlSettings
from findable.crawl.state import CrawlState, Phase
from findable.crawled_pages import extract_stored, rescore_stored
from findable.crawler import SLICE_S
from findable.reports.scoring import RULESET
from findable.service.crawls.crawl_run import settle_crawl
from findable.store.crawl_store import CrawlStore, StoredResponse

CHECKED_AT_ONCE = 32
Made = TypeVar("Made")
_log = logging.getLogger(__name__)


def begin_rescoring(file: CrawlStore, state: CrawlState, settings: CrawlSettings) -> CrawlState:
    """Prepare a crawl with completed requests for rescoring, if anything has changed; return its state.

    ``settings``: new extractors and segments.
    """
    if state.phase not in (Phase.SETTLE, Phase.REPORT, Phase.JUDGE) or not file.site():
        return state
    wanted = replace(state.settings, extractors=settings.extractors, segments=settings.segments)
    judging = f"{RULESET} {[extractor.rule for extractor in wanted.extractors]}"
    if state.phase is Phase.JUDGE and state.judging == judging and state.settings == wanted:
        return state
    is_current = state.ruleset == RULESET and state.extracted == wanted.extractors and state.settings == wanted
    if state.phase is not Phase.JUDGE and is_current:
        return state
    if state.checks != all_check_ids():
        file.rename_checks(all_check_ids())
    state = replace(state, settings=wanted, checks=all_check_ids(), phase=Phase.JUDGE, judging=judging, judged_to=0)
    file.save_state(state)
    return state


async def rescore_slice(
    file: CrawlStore,
    state: CrawlState,
    compute: Compute,
    *,
    on_progress: Callable[[CrawlProgress], None] = lambda _progress: None,
    is_halted: Callable[[], bool] = lambda: False,
) -> CrawlState:
    """Rescore stored responses for one slice; return the new state, which has phase SETTLE when all are done."""
    began_s, done = monotonic_s(), 0
    extractors, site = state.settings.extractors, await asyncio.to_thread(file.site)
    whole, left = await asyncio.to_thread(file.count_responses), await asyncio.to_thread(file.count_responses, state.judged_to)
    counts = await asyncio.to_thread(file.counts)
    is_same_ruleset = state.ruleset == RULESET
    for batch in file.stored_responses(CHECKED_AT_ONCE, after=state.judged_to) if extractors or not is_same_ruleset else ():
        last = batch[-1].number
        if is_same_ruleset:
            results = await _compute_each(batch, lambda part: compute(extract_stored, tuple(item.data for item in part), extractors))
            await asyncio.to_thread(file.replace_extracted, dict(results), last)
        else:
            pages = await _compute_each(
                batch, lambda part: compute(rescore_stored, site, tuple((item.url, item.data) for item in part), extractors)
            )
            await asyncio.to_thread(file.replace_pages, pages, last)
        done += len(batch)
        rate = done / max(0.001, monotonic_s() - began_s)
        on_progress(
            CrawlProgress(
                counts,
                CrawlStage.RESCORING,
                whole - left + done,
                whole,
                pages_per_second=rate,
                limited_by="analysis",
                eta_s=(left - done) / rate,
            )
        )
        if monotonic_s() - began_s > SLICE_S or is_halted():
            return replace(state, judged_to=last)
    state = replace(state, ruleset=RULESET, extracted=extractors, phase=Phase.SETTLE, judging="", judged_to=0)
    await asyncio.to_thread(file.end_rescoring, state)
    return state


async def _compute_each(
    batch: Sequence[StoredResponse], work: Callable[[Sequence[StoredResponse]], Awaitable[Sequence[Made]]]
) -> list[tuple[int, Made]]:
    """Return the results of a batch by number. A page that crashes the analysis process keeps its previous result."""
    try:
        return [(item.number, made) for item, made in zip(batch, await work(batch), strict=True)]
    except Exception:  # noqa: BLE001 - a process crashed: one page may have caused it
        if len(batch) == 1:
            _log.exception("page_not_judged")
            return []
        return [made for item in batch for made in await _compute_each([item], work)]


async def rescore_crawl(
    file: CrawlStore,
    state: CrawlState,
    settings: CrawlSettings,
    compute: Compute,
    on_progress: Callable[[CrawlProgress], None] = lambda _progress: None,
) -> CrawlState:
    """Rescore a crawl and settle it, if anything has changed; return its state. Pages without a stored response keep their verdicts."""
    state = await asyncio.to_thread(begin_rescoring, file, state, settings)
    while state.phase is Phase.JUDGE:
        state = await rescore_slice(file, state, compute, on_progress=on_progress)
        if state.phase is Phase.SETTLE:
            state = await asyncio.to_thread(settle_crawl, file)
    return state
