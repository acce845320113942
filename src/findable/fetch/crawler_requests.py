"""The page asked for once more as somebody else: as a phone, and, where that is wanted, as a browser and as AI search crawlers."""

import asyncio

from findable.artifacts.tables.bots import BotPurpose, of_purpose
from findable.capture.response import Answer, Failure, Response
from findable.fetch.budget import Budget
from findable.fetch.client import PAGE_ACCEPT, Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.prober import Prober
from findable.fetch.robots_cache import origin_of
from findable.formats.robots_txt import RobotsTxt

PHONE_AGENT = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
BROWSER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
CRAWLER_AGENTS = {
    "OAI-SearchBot": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)",
    "Claude-SearchBot": "Mozilla/5.0 (compatible; Claude-SearchBot/1.0; +https://support.anthropic.com/en/articles/8896518)",
    "PerplexityBot": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
}
"""By the token that robots.txt knows. What rules at the edge look for is the token; who asks stands behind it (see `introduced`)."""
BETWEEN_S = 2.0
"""Between two requests that differ by their agent alone: quick ones trip limits that then look like a refusal of the agent."""
SAME_PAGE_CAP_BYTES = 1_000_000
"""Of a second copy of the page, as transferred."""
SAME_PAGE_DECODED_BYTES = 2_000_000
"""Read side by side with the page. None of 130 saved pages has more than 1.7 MB."""
CRAWLERS_SHARE = {"max_requests": 8, "max_bytes": 2_000_000}
"""Of a report's budget, as `Budget.held_back` takes it: the requests come one by one, when links may have used up the rest."""
_TOO_MANY_REQUESTS = 429


def introduced(agent: str, fetcher: Fetcher) -> str:
    """The agent, and behind it who really asks: a site owner who reads a log is not lied to."""
    return f"{agent} {fetcher.user_agent.partition(' ')[2]}"


def is_comparable(response: Response) -> bool:
    """Whether the page is one that a second copy can be compared with: an answer of success that came whole and is not too large."""
    return 200 <= response.status < 300 and response.is_whole and response.wire_bytes <= SAME_PAGE_CAP_BYTES  # noqa: PLR2004 - success


async def ask_as_phone(fetcher: Fetcher, response: Response, budget: Budget, *, identity: Identity = NOBODY) -> Answer | None:
    """The page's address as a phone gets it, one request; None where the page is none to compare it with."""
    if not is_comparable(response):
        return None
    prober = Prober(fetcher, budget, identity)
    return await prober.hindrance(response.final_url) or await _same_page(prober, response, introduced(PHONE_AGENT, fetcher))


async def ask_as_crawlers(
    fetcher: Fetcher, response: Response, budget: Budget, *, identity: Identity = NOBODY, between_s: float = BETWEEN_S
) -> tuple[tuple[str, Answer], ...]:
    """(agent, answer of the page): a browser's first, then those of the AI search crawlers that robots.txt lets fetch it.

    One request after the other, ``between_s`` apart, until one is answered 429. The browser's stands alone where robots.txt keeps
    all crawlers out, or us.
    """
    if not is_comparable(response):
        return ()
    prober, url = Prober(fetcher, budget, identity), response.final_url
    hindrance = await prober.hindrance(url)
    if hindrance is not None:
        return ((BROWSER_AGENT, hindrance),)
    robots_txt = await prober.robots_txt(origin_of(url))
    rules = RobotsTxt.parse(robots_txt.body if robots_txt.ok else b"")
    bots = [bot for bot in of_purpose(BotPurpose.AI_SEARCH) if bot.token in CRAWLER_AGENTS]
    agents = [BROWSER_AGENT, *(CRAWLER_AGENTS[bot.token] for bot in bots if rules.decide(bot.tokens, url).allowed)]
    answers: list[tuple[str, Answer]] = []
    for agent in agents:
        if answers:
            await asyncio.sleep(between_s)
        answer = await _same_page(prober, response, introduced(agent, fetcher))
        if answer.failure is Failure.BUDGET and answers:
            break
        answers.append((agent, answer))
        if answer.status == _TOO_MANY_REQUESTS:
            break
    return tuple(answers)


async def _same_page(prober: Prober, response: Response, user_agent: str) -> Answer:
    """The page's address once more, with what goes along to its origin and all that the page itself was asked with but the agent."""
    return await prober.ask(
        response.final_url,
        cap_bytes=SAME_PAGE_CAP_BYTES,
        decoded_cap_bytes=SAME_PAGE_DECODED_BYTES,
        accept=PAGE_ACCEPT,
        user_agent=user_agent,
    )
