"""Detect a missing internet connection: if no external host is reachable, no statement about external hosts is possible."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from findable import urls
from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture
from findable.fetch.ip_addresses import is_special, parse_address, readings

MIN_DEAD_HOSTS = 3
"""Number of unreachable external hosts that cannot be a coincidence."""
_NO_RESPONSE = frozenset({Failure.DNS, Failure.CONNECT, Failure.TIMEOUT})
_CONNECTED = frozenset({Failure.TLS, Failure.PROTOCOL})


def is_cut_off(site: SiteCapture, page_url: str, responses: Iterable[ProbeResponse]) -> bool:
    """Return whether the missing responses are due to this machine and not to the hosts.

    A page on a public IP address suggests a connection: then MIN_DEAD_HOSTS unreachable hosts are needed. Responses from the local network
    prove nothing.
    """
    outside = [response for response in responses if not urls.same_host(response.url, page_url)]
    if any(_is_public(response) or (response.failure in _CONNECTED and not response.hops) for response in outside):
        return False
    dead_hosts = {parsed.host for response in outside if _is_unreached(response) and (parsed := urls.parse(response.url))}
    return len(dead_hosts) >= (MIN_DEAD_HOSTS if _is_public(site.robots_txt) else 1)


def mark_unreachable(page_url: str, responses: Sequence[ProbeResponse]) -> tuple[ProbeResponse, ...]:
    """Return the responses, with unreachable external hosts marked as `Failure.NO_ROUTE`."""
    return tuple(
        replace(response, failure=Failure.NO_ROUTE, cause=None, detail="")
        if _is_unreached(response) and not urls.same_host(response.url, page_url)
        else response
        for response in responses
    )


def _is_unreached(response: ProbeResponse) -> bool:
    return response.failure in _NO_RESPONSE and not response.hops


def _is_public(response: ProbeResponse) -> bool:
    address = parse_address(response.hops[-1].address) if response.hops else None
    return address is not None and not any(is_special(reading) for reading in readings(address))
