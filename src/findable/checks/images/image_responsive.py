"""Images are sent larger than they are shown.

In plain words: Visitors on phones wait for images that are larger than their screen can show.

Why it matters: A phone that loads a desktop image wastes most of its bytes.

How to fix: Offer several widths and declare the displayed width.

    <img src="widget-800.jpg" srcset="widget-400.jpg 400w, widget-800.jpg 800w" sizes="(max-width: 600px) 100vw, 50vw" alt="Blue widget">

Sources: [Lighthouse: image-delivery insight](https://developer.chrome.com/docs/performance/insights/image-delivery): savings from 12 KiB an
image; [HTML Standard: Images](https://html.spec.whatwg.org/multipage/images.html).

Not judged: Without a browser the displayed size is unknown; drawings, placeholders and images of one or two pixels are excluded.
"""

from findable.artifacts.browser.browser_requests import BrowserRequests
from findable.checks.engine import Finding, check, failed, passed, url_evidence, warned
from findable.vocabulary import Effort, Fixer, Importance

WORTH_BYTES = 12 * 1024
"""Minimum wasted bytes worth reporting (Lighthouse, trace_engine ImageDelivery, BYTE_SAVINGS_THRESHOLD_RESPONSIVE_BREAKPOINTS)."""
FAILED_ABOVE_BYTES = 500 * 1024
"""Number of wasted bytes from which the check fails (set by Findable)."""


@check("Are images sent in the size they are shown?", Importance.LOW, Effort.CONTENT, failed=3, warned=3, fixer=Fixer.DEVELOPER)
def image_responsive(browser_requests: BrowserRequests) -> Finding:
    wasteful = [(url, waste) for url, waste in browser_requests.oversized_images if waste >= WORTH_BYTES]
    if not wasteful:
        return passed("No image wastes {limit_bytes} or more", limit_bytes=WORTH_BYTES)
    total = sum(waste for _, waste in wasteful)
    judge = failed if total > FAILED_ABOVE_BYTES else warned
    return judge(
        "{count|image|images} larger than shown, {waste_bytes} wasted",
        waste_bytes=total,
        evidence=[url_evidence(url, None, "{waste_bytes} wasted", waste_bytes=waste) for url, waste in wasteful],
    )
