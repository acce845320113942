"""Durations in words."""

from findable.wording import Translator

MINUTE_S, HOUR_S = 60, 3600


def duration(seconds: float, say: Translator) -> str:
    """Return a duration in words, rounded to seconds, minutes or hours."""
    if seconds < MINUTE_S:
        return say.plural("%(count)s second", "%(count)s seconds", max(1, round(seconds)))
    if seconds < HOUR_S:
        return say.plural("%(count)s minute", "%(count)s minutes", round(seconds / MINUTE_S))
    return say.plural("%(count)s hour", "%(count)s hours", round(seconds / HOUR_S))
