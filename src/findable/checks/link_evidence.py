"""Evidence for links; snippets and selectors are only created for shown ones."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from findable.artifacts.html.document import Element
from findable.artifacts.page.links import Link
from findable.artifacts.responses.link_responses import LinkResponse, LinkResponses
from findable.capture.response import Failure
from findable.checks.engine import EVIDENCE_SHOWN, Evidence, element


def link_evidence(links: Sequence[Link], note: Callable[[Link], str] | str = "") -> list[Evidence | Element]:
    """Return each link with its URL; ``note`` describes the fault."""
    shown: list[Evidence | Element] = [
        replace(element(link.element, note if isinstance(note, str) else note(link)), url=link.url) for link in links[:EVIDENCE_SHOWN]
    ]
    return shown + [link.element for link in links[EVIDENCE_SHOWN:]]


def response_evidence(responses: Sequence[LinkResponse]) -> list[Evidence | Element]:
    """Return the first link to each URL, with the response of the URL."""
    shown: list[Evidence | Element] = [_response_evidence(item) for item in responses[:EVIDENCE_SHOWN]]
    return shown + [item.links[0].element for item in responses[EVIDENCE_SHOWN:]]


def _response_evidence(item: LinkResponse) -> Evidence:
    response = item.response
    if response is not None and response.failure is not Failure.NONE:
        shown = element(item.links[0].element, _FAILURES.get(response.failure, "no conclusive response"))
    elif item.redirects:
        shown = element(item.links[0].element, "leads on to {final_url}", final_url=response.final_url if response else "")
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


def no_request_message(link_responses: LinkResponses) -> tuple[str, dict[str, Any]]:
    """Return the message for the case that no link was requested."""
    robots_count = link_responses.left_count(Failure.ROBOTS_TXT)
    action_count = link_responses.left_count(Failure.SKIPPED)
    paused_count = link_responses.left_count(Failure.PAUSED)
    if robots_count == len(link_responses.responses):
        return "not measured: robots.txt disallows {robots_count|URL|URLs}", {"robots_count": robots_count}
    if action_count == len(link_responses.responses):
        return "not measured: {action_count|link looks|links look} like an action", {"action_count": action_count}
    if paused_count == len(link_responses.responses):
        return "not measured: the server requested a pause before {paused_count|link|links}", {"paused_count": paused_count}
    return "not measured: {left_count|link was|links were} not requested within the budget", {"left_count": len(link_responses.responses)}
