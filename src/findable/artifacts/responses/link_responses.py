"""Responses of the page's links and their meaning: broken, unverified, or unknown."""

from collections.abc import Container, Mapping
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.page.links import Link, Links
from findable.artifacts.registry import artifact
from findable.capture.page import PageCapture
from findable.capture.response import NOT_REQUESTED, Failure, ProbeResponse, cookie_loop
from findable.capture.site import SiteCapture
from findable.capture.status_classes import GONE
from findable.urls import without_fragment
from findable.values import once

SERVER_ERRORS = range(500, 600)
REFUSING_STATUSES = frozenset({401, 403, 405, 406, 407, 408, 409, 421, 423, 425, 426, 429, 451, 503, 999})
"""Statuses with which servers reject unknown clients; visitors may receive the page."""
REDIRECTS = range(300, 400)


class LinkState(StrEnum):
    """State of a link for people who follow it."""

    WORKS = "works"
    BROKEN = "broken"
    """Status 404 or 410, or a repeated server error; for other hosts also a name that does not exist."""
    LOOP = "loop"
    """Redirect loop."""
    UNVERIFIED = "unverified"
    """Rejected, throttled, timed out or failed once for this client."""
    UNKNOWN = "unknown"
    """URL that was not requested."""


class LinkResponse(Struct, frozen=True):
    """Linked URL with its state, its response and the links to it."""

    url: str
    """Absolute URL without fragment."""
    state: LinkState
    response: ProbeResponse | None
    """Response, None if it was not requested."""
    links: tuple[Link, ...]

    @property
    def status(self) -> int:
        """Final status of the linked URL, 0 without a response."""
        return self.response.status if self.response else 0

    @property
    def redirects(self) -> bool:
        """Whether the linked URL redirects."""
        return self.response is not None and len(self.response.hops) > 1

    @property
    def needs_cookie(self) -> bool:
        """Whether the linked URL redirects in a loop until a cookie is sent."""
        return self.response is not None and bool(cookie_loop(self.response.hops))

    @property
    def is_permanent(self) -> bool:
        """Whether the first redirect is permanent (301 or 308)."""
        return self.response is not None and len(self.response.hops) > 1 and self.response.hops[0].status in (301, 308)


class LinkResponses(Struct, frozen=True, dict=True):
    """Internal or external links of the page by URL, in document order, with their responses."""

    responses: tuple[LinkResponse, ...]
    no_route: bool
    """Whether no external host was reachable, so that nothing is known."""

    def in_states(self, *states: LinkState) -> tuple[LinkResponse, ...]:
        """Return the linked URLs in one of these states."""
        return tuple(item for item in self.responses if item.state in states)

    @once
    def requested(self) -> tuple[LinkResponse, ...]:
        """Linked URLs that were requested."""
        unknown = LinkState.UNKNOWN
        return tuple(item for item in self.responses if item.state is not unknown)

    def left_count(self, failure: Failure) -> int:
        """Return the number of linked URLs that were not requested for this reason."""
        return sum(1 for item in self.responses if item.state is LinkState.UNKNOWN and _reason(item) is failure)


class PageLinkResponses(Struct, frozen=True):
    """Responses of the page's own links."""

    internal: LinkResponses
    external: LinkResponses

    def by_url(self) -> Mapping[str, LinkResponse]:
        """Return the linked URLs, internal and external, by URL."""
        return {item.url: item for item in (*self.internal.responses, *self.external.responses)}


def _reason(item: LinkResponse) -> Failure:
    return item.response.failure if item.response else Failure.BUDGET


_NO_FAILURE, _WORKS = Failure.NONE, LinkState.WORKS


def state_of_link(response: ProbeResponse) -> LinkState:
    """Return the state of a link. 404 and 410 count only for a GET, server errors only if repeated."""
    if response.failure is _NO_FAILURE and response.ok:
        return _WORKS  # the common case
    if response.failure in NOT_REQUESTED:
        return LinkState.UNKNOWN
    if response.failure is Failure.TOO_MANY_REDIRECTS:
        return LinkState.LOOP
    if response.failure is Failure.DNS:
        return LinkState.BROKEN
    status = response.status
    if response.failure is not Failure.NONE or status in REFUSING_STATUSES or not response.hops:
        return LinkState.UNVERIFIED
    if status in GONE:
        return LinkState.BROKEN if response.method == "GET" or _was_tried(response, GONE) else LinkState.UNVERIFIED
    if status in SERVER_ERRORS:
        return LinkState.BROKEN if _was_tried(response, SERVER_ERRORS) else LinkState.UNVERIFIED
    return LinkState.WORKS if status in REDIRECTS else LinkState.UNVERIFIED


def _was_tried(response: ProbeResponse, statuses: Container[int]) -> bool:
    """Return whether an earlier attempt had one of these statuses."""
    found = (line.rpartition(" ")[2] for line in response.tries)
    return any(status.isdigit() and int(status) in statuses for status in found)


@artifact
def make_link_responses(page: PageCapture, site: SiteCapture | None, links: Links) -> PageLinkResponses:
    """Join the links of the page with the responses of their URLs."""
    known: dict[str, ProbeResponse] = {}
    for response in (*page.probes.links, *(site.links if site else ())):
        url = without_fragment(response.url)
        before = known.get(url)
        if before is None or (before.failure in NOT_REQUESTED and response.failure not in NOT_REQUESTED):
            known[url] = response
    return PageLinkResponses(_link_responses(links.internal, known), _link_responses(links.external, known))


def _link_responses(links: tuple[Link, ...], known: Mapping[str, ProbeResponse]) -> LinkResponses:
    by_url: dict[str, list[Link]] = {}
    for link in links:
        by_url.setdefault(link.address, []).append(link)
    responses = [_join(url, known.get(url), tuple(found)) for url, found in by_url.items()]
    reached = any(item.response is not None and item.response.hops for item in responses)
    if not reached:  # If no host responded, an unresolved name proves nothing about the link.
        responses = [
            LinkResponse(i.url, LinkState.UNVERIFIED, i.response, i.links) if i.state is LinkState.BROKEN else i for i in responses
        ]
    no_route = not reached and any(item.response is not None and item.response.failure is Failure.NO_ROUTE for item in responses)
    return LinkResponses(tuple(responses), no_route)


def _join(url: str, response: ProbeResponse | None, links: tuple[Link, ...]) -> LinkResponse:
    return LinkResponse(url, LinkState.UNKNOWN if response is None else state_of_link(response), response, links)
