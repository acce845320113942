"""Rules of robots.txt for this crawler, which links, samples and alternates obey, but never the page itself."""

from functools import lru_cache

from findable.capture.response import Failure, ProbeResponse
from findable.capture.status_classes import is_server_error
from findable.fetch.user_agent import PRODUCT_TOKEN
from findable.formats.robots_txt import Decision, RobotsTxt

MAX_CRAWL_DELAY_S = 10.0


def forbidden_by(robots_txt: ProbeResponse, url: str, tokens: tuple[str, ...] = (PRODUCT_TOKEN,)) -> Decision | None:
    """Return the rule that disallows the URL for these product tokens, none if robots.txt is unreadable; None if nothing disallows it.

    RFC 9309 section 2.3.1: a 4xx allows everything, a server error or missing response disallows everything. If the host is unreachable,
    nothing is disallowed: the request itself will fail.
    """
    failure = robots_txt.failure
    if failure in {Failure.TIMEOUT, Failure.PROTOCOL, Failure.BUDGET, Failure.PAUSED} or is_server_error(robots_txt.status):
        return Decision(allowed=False)
    if failure is not Failure.NONE or not robots_txt.ok:
        return None
    decision = _parse_rules(robots_txt.body).decide(tokens, url)
    return None if decision.allowed else decision


def crawl_delay_s(robots_txt: ProbeResponse, tokens: tuple[str, ...] = (PRODUCT_TOKEN,)) -> float:
    """Return the ``Crawl-delay`` for these product tokens, at most MAX_CRAWL_DELAY_S; 0 if there is none."""
    return min(_parse_rules(robots_txt.body).crawl_delay_s(tokens) or 0.0, MAX_CRAWL_DELAY_S)


@lru_cache(maxsize=64)
def _parse_rules(body: bytes) -> RobotsTxt:
    """Parse robots.txt. The result is cached, because the links of a page need the same few files."""
    return RobotsTxt.parse(body)
