"""Findings about the responses of links, and their evidence."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from findable.artifacts.responses.link_responses import LinkResponse, LinkResponses
from findable.capture.response import Failure
from findable.checks.engine import Evidence, Finding, element, inapplicable, unknown
from findable.vocabulary import Verdict


def response_evidence(responses: Sequence[LinkResponse]) -> list[Evidence]:
    """Return the first link to each URL, with the response of the URL."""
    return [_response_evidence(item) for item in responses]


def _response_evidence(item: LinkResponse) -> Evidence:
    response = item.response
    if response is not None and response.failure is not Failure.NONE:
        shown = element(item.links[0].element, _FAILURES.get(response.failure, "no conclusive response"))
    elif item.needs_cookie:
        shown = element(item.links[0].element, "redirects in a loop without a cookie")
    elif item.redirects:
        shown = element(item.links[0].element, "redirects to {final_url}", final_url=response.final_url if response else "")
    else:
        shown = element(item.links[0].element, "returned {status}", status=item.status)
    return replace(shown, url=item.url, status=item.status or None)


_FAILURES = {
    Failure.DNS: "the host name does not exist",
    Failure.CONNECT: "no connection",
    Failure.TLS: "no secure connection",
    Failure.TIMEOUT: "no response in time",
    Failure.TOO_MANY_REDIRECTS: "endless redirects",
    Failure.PROTOCOL: "the response could not be read",
}
TAILS = {
    (True, False): ", {unverified_count} could not be verified",
    (False, True): ", {left_count} not requested",
    (True, True): ", {unverified_count} could not be verified, {left_count} not requested",
}
"""Ends of a message if some links are unverified, not requested, or both."""


def failed_requests_message(link_responses: LinkResponses, unverified_count: int) -> tuple[str, dict[str, Any]]:
    """Return the end of a message about requested links as template and values; empty if all had a response."""
    left_count = len(link_responses.responses) - len(link_responses.requested)
    template = TAILS.get((bool(unverified_count), bool(left_count)), "")
    return template, {"unverified_count": unverified_count, "left_count": left_count}


def unrequested_finding(link_responses: LinkResponses, nothing: str) -> Finding | None:
    """Return the finding if no link was requested, else None. ``nothing`` is the message for a page without such links."""
    count = len(link_responses.responses)
    if not count:
        return inapplicable(nothing)
    if link_responses.no_route:
        return unknown("Not known: no route to the internet")
    if link_responses.requested:
        return None
    for failure, (name, message) in _NOT_REQUESTED.items():
        if link_responses.left_count(failure) == count:
            return Finding(Verdict.UNKNOWN, message, {name: count})
    return unknown("not measured: {left_count|link was|links were} not requested within the budget", left_count=count)


_NOT_REQUESTED = {
    Failure.ROBOTS_TXT: ("robots_count", "not measured: robots.txt disallows {robots_count|URL|URLs}"),
    Failure.SKIPPED: ("action_count", "not measured: {action_count|link looks|links look} like an action"),
    Failure.PAUSED: ("paused_count", "not measured: the server requested a pause before {paused_count|link|links}"),
}
"""Name of the number, and message, by the reason why no link was requested."""
