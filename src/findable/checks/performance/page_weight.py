"""The page is heavy.

In plain words: Visitors on phones wait, and use up their data, because the page is very large.

Why it matters: Bytes cost time and, on many contracts, money.

How to fix: Reduce the largest items first: images in the right size and format, fewer fonts, less script.

    <img src="widget-800.avif" width="800" height="600" alt="Blue widget" loading="lazy">

Sources: [Lighthouse: total byte weight](https://developer.chrome.com/docs/lighthouse/performance/total-byte-weight): 2,667 KiB is the tenth
percentile of pages, 4,000 KiB the median.

Not judged: What scripts load, fonts that stylesheets name, videos beyond their first URL and lazy resources are not counted without a
browser; the true weight is higher.
"""

from collections.abc import Iterator
from typing import Any

from findable.artifacts.browser.browser_requests import BrowserRequests
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, failed, passed, unknown, url_evidence, warned
from findable.vocabulary import Effort, Importance

GOOD_BYTES = 2667 * 1024
POOR_BYTES = 4000 * 1024
MEASURED_SHARE = 0.9
"""Minimum share of measured requests for a passed finding (set by Findable)."""
SHOWN = 10
NOT_MEASURED = frozenset({ResourceKind.FRAME, ResourceKind.MEDIA, ResourceKind.PRELOAD})
"""Kinds that are not fetched for a report."""


@check("How heavy is the page?", Importance.MEDIUM, Effort.CONTENT, failed=8, warned=5)
def page_weight(response: Response, resources: Resources, assets: Assets, browser_requests: BrowserRequests | None) -> Finding:
    if resources.built_by_script and browser_requests is not None:
        return _browser_finding(browser_requests)
    urls = [url for url, item in resources.requests.items() if item.kind not in NOT_MEASURED and not assets.is_broken(url)]
    known = [(asset, asset.size_bytes) for asset in assets.loaded_assets(urls) if asset.size_bytes is not None]
    total = response.wire_bytes + sum(size for _, size in known)
    values: dict[str, Any] = {"total_bytes": total, "known_count": len(known), "count": len(urls)}
    largest = list(_largest(response, known))
    if total > GOOD_BYTES:
        heavy = "{total_bytes} with {known_count} of {count|request|requests} measured; up to {good_bytes} is good"
        return (failed if total > POOR_BYTES else warned)(heavy, evidence=largest, good_bytes=GOOD_BYTES, **values)
    if resources.built_by_script:
        return unknown("At least {total_bytes}: scripts load the rest of this page", total_bytes=total)
    if len(known) < len(urls) * MEASURED_SHARE:
        return unknown(
            "At least {total_bytes}, {known_count} of {count|request|requests} measured: {reason}", **assets.unknown_reason(urls), **values
        )
    if not urls:
        return passed("{total_bytes}, nothing else is loaded", total_bytes=total, evidence=largest)
    return passed("{total_bytes} with {known_count} of {count|request|requests} measured", evidence=largest, **values)


def _browser_finding(browser_requests: BrowserRequests) -> Finding:
    """Return the finding for the bytes that a browser received before scrolling."""
    requests = browser_requests.at_once.values()
    total = sum(request.transferred_bytes for request in requests)
    largest = [
        url_evidence(request.url, request.status, "{size_bytes}", size_bytes=request.transferred_bytes)
        for request in sorted(requests, key=lambda item: item.transferred_bytes, reverse=True)[:SHOWN]
    ]
    values: dict[str, Any] = {"total_bytes": total, "count": len(requests), "good_bytes": GOOD_BYTES}
    judge = passed if total <= GOOD_BYTES else failed if total > POOR_BYTES else warned
    return judge("{total_bytes} with {count|request|requests} in a browser; up to {good_bytes} is good", evidence=largest, **values)


def _largest(response: Response, known: list[tuple[Asset, int]]) -> Iterator[Evidence]:
    items = [
        (response.final_url, response.status, response.wire_bytes),
        *((asset.url, asset.response.status, size) for asset, size in known),
    ]
    for url, status, size in sorted(items, key=lambda item: item[2], reverse=True)[:SHOWN]:
        yield url_evidence(url, status, "{size_bytes}", size_bytes=size)
