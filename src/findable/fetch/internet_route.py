"""Detect a missing internet connection: if no external host is reachable, nothing is known about any of them."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from findable import urls
from findable.capture.response import Answer, Failure
from findable.capture.site import SiteCapture
from findable.fetch.ip_addresses import is_special, parse_address, readings

MIN_DEAD_HOSTS = 3
"""Number of unreachable external hosts that cannot be a coincidence."""
_NO_RESPONSE = frozenset({Failure.DNS, Failure.CONNECT, Failure.TIMEOUT})
_CONNECTED = frozenset({Failure.TLS, Failure.PROTOCOL})


def is_cut_off(site: SiteCapture, page_url: str, answers: Iterable[Answer]) -> bool:
    """Return whether the missing responses are due to this machine and not to the hosts.

    A page on a public IP address suggests a connection: then MIN_DEAD_HOSTS unreachable hosts are needed. Responses from the local network
    prove nothing.
    """
    outside = [answer for answer in answers if not urls.same_host(answer.url, page_url)]
    if any(_proves_connection(answer) for answer in outside):
        return False
    dead_hosts = {parsed.host for answer in outside if _is_unreached(answer) and (parsed := urls.parse(answer.url))}
    return len(dead_hosts) >= (MIN_DEAD_HOSTS if _is_public(site.robots_txt) else 1)


def mark_unreachable(page_url: str, answers: Sequence[Answer]) -> tuple[Answer, ...]:
    """Return the responses, with unreachable external hosts marked as `Failure.NO_ROUTE`."""
    return tuple(
        replace(answer, failure=Failure.NO_ROUTE, cause=None, detail="")
        if _is_unreached(answer) and not urls.same_host(answer.url, page_url)
        else answer
        for answer in answers
    )


def _is_unreached(answer: Answer) -> bool:
    return answer.failure in _NO_RESPONSE and not answer.hops


def _proves_connection(answer: Answer) -> bool:
    return _is_public(answer) or (answer.failure in _CONNECTED and not answer.hops)


def _is_public(answer: Answer) -> bool:
    address = parse_address(answer.hops[-1].address) if answer.hops else None
    return address is not None and not any(is_special(reading) for reading in readings(address))
