"""The HTML takes long to arrive.

Why it matters: A browser can only begin to load the rest when it has read the page.

How to fix: Compress the page, make it shorter, and let the server send it while it is being made.

    gzip on;

Sources: The limits are ours; no primary source names any.

Not judged: Images, scripts and stylesheets, which only a browser loads as visitors do; redirects.
"""

from msgspec.structs import replace

from findable.artifacts.page.delivery import Delivery
from findable.checks.engine import Finding, check, failed, passed, quoted, warned
from findable.checks.performance.text_compression import is_compressed
from findable.vocabulary import Effort, Importance, Verdict

GOOD_MS = 2000
POOR_MS = 5000
COMPRESSED_ADVICE = "Make the page shorter, and let the server send it while it is being made."


@check(question="How long does the HTML take?", importance=Importance.LOW, effort=Effort.SERVER)
def load_time(delivery: Delivery) -> Finding:
    response = delivery.response
    timing = response.final.timing
    judge = passed if timing.last_byte_ms <= GOOD_MS else warned if timing.last_byte_ms <= POOR_MS else failed
    line = f"first byte {timing.first_byte_ms:.0f} ms, last byte {timing.last_byte_ms:.0f} ms"
    found = judge(
        "The HTML ({size_bytes} transferred) arrived in {last_byte_ms}",
        size_bytes=response.wire_bytes,
        last_byte_ms=timing.last_byte_ms,
        evidence=quoted(line, url=response.final_url),
    )
    if found.verdict is Verdict.PASSED or not is_compressed(response.content_encoding):
        return found
    return replace(found, advice=COMPRESSED_ADVICE)
