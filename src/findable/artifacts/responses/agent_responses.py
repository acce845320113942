"""Responses of the page to other crawlers, if these requests were enabled."""

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.capture.response import NOT_REQUESTED, Failure, ProbeResponse, outcome
from findable.formats.bot_challenges import challenge_marker
from findable.vocabulary import Verdict


class AgentResponses(Struct, frozen=True):
    """Responses of the page to a browser and to crawlers, one request each."""

    browser: ProbeResponse
    crawlers: tuple[tuple[str, ProbeResponse], ...]
    """Responses by crawler: (User-Agent, response); crawlers that were not requested because time or budget ran out are left out."""


@artifact
def make_agent_responses(page: PageCapture) -> AgentResponses | Absent:
    """Return the responses to a browser and to AI crawlers; absent (inapplicable) unless requests as crawlers were enabled."""
    asked = page.probes.agents
    if not asked:
        return Absent("not requested: these requests are only made on demand")
    browser, crawlers = asked[0][1], tuple((agent, response) for agent, response in asked[1:] if response.failure not in NOT_REQUESTED)
    if browser.failure is not Failure.NONE:
        return Absent("the response to a browser is not known: {reason}", Verdict.UNKNOWN, outcome(browser))
    if len(asked) > 1 and not crawlers:
        return Absent("the response to crawlers is not known: {reason}", Verdict.UNKNOWN, outcome(asked[1][1]))
    if not crawlers and browser.ok and not challenge_marker(browser.headers, browser.body):
        return Absent("robots.txt disallows the page for all crawlers that would be used")
    return AgentResponses(browser, crawlers)
