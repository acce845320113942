"""Determine the request order of URLs: near the start page first, sitemap entries after links, few with parameters."""

from findable.crawl.found_by import FoundBy

WITH_PARAMETERS_IN_TEN = 2
"""Number of requests out of ten for URLs with parameters while other URLs are queued."""
_LINKED = int(FoundBy.START | FoundBy.LINK | FoundBy.REDIRECT | FoundBy.LIST)


def priority(depth: int, found_by: int) -> int:
    """Return the priority of a URL in the queue; smaller numbers are requested first.

    ``found_by`` is a plain integer, because each IntFlag operation is a function call.
    """
    return 2 * depth + (0 if found_by & _LINKED else 1)


def shares(count: int) -> tuple[int, int]:
    """Return how many of ``count`` requests are for URLs without parameters, and how many for URLs with them."""
    with_parameters = count * WITH_PARAMETERS_IN_TEN // 10
    return count - with_parameters, with_parameters
