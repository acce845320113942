"""The server responds to AI crawlers differently than to browsers.

In plain words: Assistants such as ChatGPT are turned away by your server, so they cannot recommend this page.

Why it matters: Content networks offer to block AI crawlers, often by default. Then crawlers are blocked although robots.txt allows them,
and the page cannot be cited.

How to fix: Look for "block AI bots" in the settings of the content network, and allow the search crawlers if you want to be cited.

    OAI-SearchBot: allow
    GPTBot: your choice

Sources: [Google: AI features](https://developers.google.com/search/docs/appearance/ai-features) (2025): make sure that crawling is allowed
in robots.txt and "by any CDN or hosting infrastructure".

Not judged: unless requested (`--ask-as-crawlers`, `FINDABLE_ASK_AS_CRAWLERS`), because it takes one request for a browser and one per AI
search crawler, two seconds apart; crawlers that robots.txt disallows, which are not imitated. The user agent contains the crawler's name
followed by that of this tool, and the requests do not come from the crawler's IP address: a CDN that verifies IP addresses may reject
them and allow the real crawlers. A 429 response or a missing one is inconclusive.
"""

from findable.artifacts.responses.agent_responses import AgentResponses
from findable.capture.response import Failure, ProbeResponse
from findable.checks.engine import Evidence, Finding, check, passed, unknown, url_evidence, warned
from findable.formats.bot_challenges import challenge_marker
from findable.vocabulary import Effort, Importance

TOO_MANY_REQUESTS = 429
REFUSALS = frozenset({401, 403, 406, 451, 503})
SIZE_TOLERANCE = 0.2


@check("Do AI crawlers get the same response as browsers?", Importance.LOW, Effort.SERVER, warned=10)
def ai_edge_access(responses: AgentResponses) -> Finding:
    browser = responses.browser
    if not browser.ok or _is_challenge(browser):
        return unknown("The page returned {status} to a browser's request", status=browser.status)
    if any(response.status == TOO_MANY_REQUESTS for _, response in responses.crawlers):
        return unknown(
            "The server returned 429: too many requests", evidence=[_evidence(agent, response) for agent, response in responses.crawlers]
        )
    refused = [(agent, response) for agent, response in responses.crawlers if response.status in REFUSALS or _is_challenge(response)]
    if refused:
        return warned(
            "{count|crawler is|crawlers are} blocked, although robots.txt allows it",
            evidence=[_evidence(agent, response) for agent, response in refused],
        )
    silent = [(agent, response) for agent, response in responses.crawlers if response.failure is not Failure.NONE]
    if silent:
        return unknown("{count|request|requests} in the name of a crawler got no response", evidence=[_evidence(*pair) for pair in silent])
    other = [
        (agent, response) for agent, response in responses.crawlers if response.status != browser.status or _size_differs(browser, response)
    ]
    if other:
        return warned(
            "{count|crawler gets|crawlers get} another response than a browser",
            evidence=[_evidence(agent, response) for agent, response in other],
        )
    return passed(
        "{count|crawler gets|crawlers get} the same response as a browser",
        count=len(responses.crawlers),
        evidence=[_evidence(*pair) for pair in responses.crawlers],
    )


def _is_challenge(response: ProbeResponse) -> bool:
    return bool(challenge_marker(response.headers, response.body))


def _size_differs(one: ProbeResponse, other: ProbeResponse) -> bool:
    return abs(len(one.body) - len(other.body)) > SIZE_TOLERANCE * max(len(one.body), 1)


def _evidence(agent: str, response: ProbeResponse) -> Evidence:
    return url_evidence(response.url, response.status or None, "{agent}: {size_bytes}", agent=agent, size_bytes=len(response.body))
