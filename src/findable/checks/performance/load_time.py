"""The HTML takes a long time to load.

In plain words: Visitors wait too long until the page has arrived.

Why it matters: A browser can load the rest only after it has read the page.

How to fix: Compress the page, make it shorter, and let the server send it while it generates the rest.

    gzip on;

Sources: The limits are set by this report; no primary source has any.

Not judged: Images, scripts and stylesheets, which only a browser loads as visitors do; redirects; a slow first byte with a quick rest (see
``ttfb``).
"""

from msgspec.structs import replace

from findable.artifacts.page.delivery import Delivery
from findable.checks.engine import Finding, check, covered_by, failed, passed, quoted, warned
from findable.checks.performance import ttfb
from findable.checks.performance.text_compression import compression_advice, is_compressed
from findable.vocabulary import Effort, Importance, Verdict

GOOD_MS = 2000
POOR_MS = 5000
SMALL_BYTES = 100_000
"""Transferred size that is too small to explain seconds: 100 kB take 0.5 s at 1.6 Mbit/s, Lighthouse's slow 4G."""
COMPRESSED_ADVICE = "Make the page shorter, and let the server send it while it generates the rest."
SMALL_ADVICE = (
    "The length of the page is not the cause. Find out why the server takes {transfer_ms} from the first byte to the last: a program that"
    " writes it in pieces, a limited bandwidth, a long way without a content delivery network."
)


@check("How long does the HTML take?", Importance.LOW, Effort.SERVER, failed=4, warned=3)
def load_time(delivery: Delivery) -> Finding:
    response = delivery.response
    timing = response.final.timing
    transfer_ms = timing.last_byte_ms - timing.first_byte_ms
    judge = passed if timing.last_byte_ms <= GOOD_MS else warned if timing.last_byte_ms <= POOR_MS else failed
    if judge is not passed and transfer_ms <= GOOD_MS - ttfb.GOOD_MS and ttfb.first_byte_ms(response) > ttfb.GOOD_MS:
        return covered_by("ttfb")
    line = f"first byte {timing.first_byte_ms:.0f} ms, last byte {timing.last_byte_ms:.0f} ms"
    found = judge(
        "The HTML ({size_bytes} transferred) arrived in {last_byte_ms}; up to {good_ms} is good",
        size_bytes=response.wire_bytes,
        last_byte_ms=timing.last_byte_ms,
        good_ms=GOOD_MS,
        transfer_ms=transfer_ms,
        evidence=quoted(line, url=response.final_url),
    )
    if found.verdict is Verdict.PASSED:
        return found
    if response.wire_bytes <= SMALL_BYTES:
        return replace(found, advice=SMALL_ADVICE)
    return replace(found, advice=COMPRESSED_ADVICE if is_compressed(response.content_encoding) else compression_advice(response))
