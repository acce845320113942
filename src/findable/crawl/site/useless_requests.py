"""Requests of a crawl for URLs without an indexable page."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from findable.capture.crawl import Reason
from findable.capture.site_urls import RequestShare
from findable.crawl.site.counted import Counted
from findable.crawl.url_parameters import parameter_names
from findable.urls import first_folder

LISTED = 10
_USELESS = (Reason.STATUS, Reason.REDIRECT, Reason.NOINDEX, Reason.CANONICAL)


def useless_requests(pages: Iterable[tuple[str, str]]) -> tuple[int, int, tuple[RequestShare, ...]]:
    """Return the number of requests, the number of unnecessary ones, and the URL patterns with the most unnecessary ones.

    ``pages``: (URL, reason why it is not indexable) of the requested URLs.
    """
    requests_count = 0
    reasons: defaultdict[str, Counter[str]] = defaultdict(Counter)
    urls: defaultdict[str, Counted[str]] = defaultdict(Counted)
    for url, reason in pages:
        requests_count += 1
        if reason in _USELESS:
            pattern = _pattern_of(url)
            reasons[pattern][reason] += 1
            urls[pattern].add(url)
    shares = [RequestShare(name, urls[name].count, found.most_common(1)[0][0], tuple(urls[name].first)) for name, found in reasons.items()]
    shares.sort(key=lambda share: (-share.requests_count, share.pattern))
    return requests_count, sum(share.requests_count for share in shares), tuple(shares[:LISTED])


def _pattern_of(url: str) -> str:
    """Return the pattern of a URL: its parameters, or else the first folder of its path."""
    names = parameter_names(url)
    if names:
        return "?" + "&".join(f"{name}=" for name in names)
    return f"{first_folder(url)}*"
