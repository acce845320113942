"""The server responds slowly.

In plain words: Visitors wait, because your server is slow to respond.

Why it matters: Nothing can be shown before the first byte; every other loading time starts after it.

How to fix: Cache whole pages, put a content delivery network in front, and find out what the application waits for.

    Cache-Control: public, max-age=0, s-maxage=600, stale-while-revalidate=60

Sources: [web.dev: Time to First Byte (TTFB)](https://web.dev/articles/ttfb) (2025): good up to 0.8 s, poor above 1.8 s.

Not judged: The times of visitors elsewhere; the check measures from this machine, on new connections, without redirects. Times vary, so the
median of several attempts counts.
"""

from findable.artifacts.page.delivery import Delivery
from findable.capture.response import Response
from findable.checks.engine import Finding, check, failed, passed, quoted, warned
from findable.values import median
from findable.vocabulary import Effort, Importance

GOOD_MS = 800
POOR_MS = 1800
COOKIE_ADVICE = (
    "Find the slow part of the application. The response sets a cookie: send pages that are the same for everyone without it, so that"
    " shared caches can store them."
)


@check("Does the server respond quickly?", Importance.MEDIUM, Effort.SERVER, failed=10, warned=5)
def ttfb(delivery: Delivery) -> Finding:
    response = delivery.response
    samples = _samples(response)
    median_ms = first_byte_ms(response)
    judge = passed if median_ms <= GOOD_MS else warned if median_ms <= POOR_MS else failed
    sets_cookie = response.headers.first("set-cookie") is not None
    return judge(
        "First byte after {first_byte_ms}, one try; up to {good_ms} is good"
        if len(samples) == 1
        else "First byte after {first_byte_ms}, median of {tries_count} tries; up to {good_ms} is good",
        first_byte_ms=median_ms,
        good_ms=GOOD_MS,
        tries_count=len(samples),
        advice=COOKIE_ADVICE if judge is not passed and sets_cookie else "",
        evidence=quoted(_split(response), "the first try", url=response.final_url),
    )


def first_byte_ms(response: Response) -> float:
    """Return the median time to first byte of all attempts, in milliseconds."""
    return median(_samples(response))


def _samples(response: Response) -> tuple[float, ...]:
    return response.wait_samples_ms or (response.final.timing.first_byte_ms,)


def _split(response: Response) -> str:
    timing = response.final.timing
    return (
        f"DNS {timing.dns_ms:.0f} ms, connect {timing.connect_ms:.0f} ms, TLS {timing.tls_ms:.0f} ms, "
        f"server {timing.wait_ms:.0f} ms, first byte {timing.first_byte_ms:.0f} ms"
    )
