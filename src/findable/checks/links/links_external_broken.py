"""Links to other sites lead to an error.

In plain words: Visitors who click on a link to another site get an error message.

Why it matters: Dead links disappoint readers, and a page full of them looks abandoned. Search engines do not penalise it.

How to fix: Update the link, point it at an archived copy, or remove it.

    <a href="https://www.example.org/new-address">The study</a>

Sources: [RFC 9110, section 15.5.5](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5) (404 Not Found) and [RFC 9110, section
15.5.11](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.11) (410 Gone). No search engine requires it: readers benefit.

Not judged: URLs that refuse this crawler (401, 403, 405, 406, 429, 451, 503, 999), return a server error or do not respond in time are
unverified, never broken: many sites respond like this to all clients except browsers. If no other host could be reached, the result is
unknown.
"""

from findable.artifacts.responses.link_responses import LinkState, PageLinkResponses
from findable.capture.response import Failure
from findable.checks.engine import Finding, check, passed, unknown, warned
from findable.checks.link_responses import failed_requests_message, response_evidence, unrequested_finding
from findable.vocabulary import EditPlace, Effort, Importance


@check("Do outgoing links work?", Importance.LOW, Effort.CONTENT, place=EditPlace.LINKS, warned=10, site_twins=("site-external-broken",))
def links_external_broken(responses: PageLinkResponses) -> Finding:
    """Checks the responses of links to other hosts; an unknown host counts, a server error does not."""
    links = responses.external
    if (finding := unrequested_finding(links, "The page links to no other site")) is not None:
        return finding
    asked_count = len(links.requested)
    broken = [
        item
        for item in links.in_states(LinkState.BROKEN)
        if item.status in (404, 410) or (item.response and item.response.failure is Failure.DNS)
    ]
    unverified = [item for item in links.requested if item.state is not LinkState.WORKS and item not in broken]
    rest, numbers = failed_requests_message(links, len(unverified))
    numbers |= {"asked_count": asked_count, "broken_count": len(broken)}
    if broken:
        return warned(
            "{broken_count} of {asked_count|requested outgoing link is|requested outgoing links are} broken" + rest,
            evidence=response_evidence(broken),
            **numbers,
        )
    if len(unverified) == asked_count:
        return unknown(
            "Not known: {asked_count|outgoing link|outgoing links} requested, no response is conclusive",
            evidence=response_evidence(unverified),
            **numbers,
        )
    return passed(
        "{asked_count|outgoing link|outgoing links} requested, none is broken" + rest, evidence=response_evidence(unverified), **numbers
    )
