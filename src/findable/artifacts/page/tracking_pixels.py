"""Recognize tracking pixels by their URLs."""

import re
from functools import lru_cache

from findable.lazy_pattern import lazy_pattern

_COUNTER = lazy_pattern(
    r"//(?:[\w-]+\.){0,4}(?:scorecardresearch|quantserve|doubleclick|google-analytics|imrworldwide|chartbeat|omtrdc|2o7|webtrends|demdex"
    r"|effectivemeasure|ivwbox|ioam|xiti|gemius|bluekai|krxd)\.[a-z]{2,3}(?:/|$)"
    r"|/(?:[a-z0-9]|pixel|beacon|track(?:er|ing)?|collect|impression|counter|count|clear|blank|spacer|1x1)(?:\.(?:gif|png|php|aspx?|ashx|fcgi))?\?"
    r"|facebook\.com/tr\b|bat\.bing\.com/|mc\.yandex\.ru/watch",
    re.IGNORECASE,
)
"""Analytics services, and file names of tracking pixels whose query contains the measured values."""


@lru_cache(maxsize=1024)
def is_tracking_pixel(url: str) -> bool:
    """Return whether the URL is a tracking pixel. The result is cached, because every check of images needs it."""
    return _COUNTER.search(url) is not None
