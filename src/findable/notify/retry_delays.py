"""Delays before a failed delivery is retried."""

DELAYS_S = (5, 300, 1800, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
"""Pause after each failed attempt, more than three days in all (the schedule that Standard Webhooks recommends)."""
SPREAD = 0.2
"""Maximum share by which a pause is shortened or lengthened at random, so that requests are spread after an outage."""
MAX_RETRY_AFTER_S = 24 * 3600
FAILING_S = 3 * 86_400
"""Time without a successful delivery after which a webhook is disabled."""


def next_delay_s(failures: int, chance: float, retry_after_s: int | None = None) -> int | None:
    """Return the seconds from a failed attempt to the next one; None if no attempt follows.

    Args:
        failures: number of failed attempts, at least 1.
        chance: random number from 0 to 1 that selects the delay within its spread.
        retry_after_s: delay that the receiver requested, used if it is longer, up to a day.
    """
    if failures > len(DELAYS_S):
        return None
    delay_s = DELAYS_S[failures - 1] * (1 - SPREAD + 2 * SPREAD * chance)
    return round(max(delay_s, min(retry_after_s or 0, MAX_RETRY_AFTER_S)))
