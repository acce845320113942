"""Request the page again with other user agents: as a phone and, if enabled, as a browser and AI search crawlers."""

import asyncio

from findable.artifacts.tables.bots import BotPurpose, with_purpose
from findable.capture.response import Failure, ProbeResponse, Response
from findable.capture.status_classes import is_success
from findable.fetch.extra_request_budget import Budget
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import NOBODY, Identity
from findable.fetch.prober import Prober
from findable.fetch.request_headers import PAGE_ACCEPT
from findable.formats.robots_txt import RobotsTxt
from findable.urls import origin_of

PHONE_AGENT = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
BROWSER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
CRAWLER_AGENTS = {
    "OAI-SearchBot": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)",
    "Claude-SearchBot": "Mozilla/5.0 (compatible; Claude-SearchBot/1.0; +https://support.anthropic.com/en/articles/8896518)",
    "PerplexityBot": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; "
    "+https://perplexity.ai/perplexitybot)",
}
"""User agents by product token in robots.txt. Firewall rules match the token; the real sender is appended (see `add_sender`)."""
BETWEEN_S = 2.0
"""Pause between requests that differ only by user agent: without it rate limits would look like a refusal of the agent."""
SAME_PAGE_CAP_BYTES = 1_000_000
"""Maximum number of bytes of a second copy of the page, as transferred."""
SAME_PAGE_DECODED_BYTES = 2_000_000
"""Maximum number of decoded bytes that are compared with the page. None of 130 saved pages has more than 1.7 MB."""
CRAWLERS_SHARE = {"max_requests": 8, "max_bytes": 2_000_000}
"""Part of a report's budget, reserved by `Budget.reserve`: these requests are sequential, and links may use up the rest meanwhile."""
_TOO_MANY_REQUESTS = 429


def add_sender(agent: str, fetcher: Fetcher) -> str:
    """Return the User-Agent string followed by Findable's own, so that site owners can identify the requests in their logs."""
    return f"{agent} {fetcher.user_agent.partition(' ')[2]}"


def is_comparable(response: Response) -> bool:
    """Return whether a second copy can be compared with the page: a complete 2xx response of moderate size."""
    return is_success(response.status) and response.is_whole and response.wire_bytes <= SAME_PAGE_CAP_BYTES


async def request_as_phone(fetcher: Fetcher, response: Response, budget: Budget, *, identity: Identity = NOBODY) -> ProbeResponse | None:
    """Request the page's URL once as a phone; return None if the page cannot be compared."""
    if not is_comparable(response):
        return None
    prober = Prober(fetcher, budget, identity)
    return await prober.refusal(response.final_url) or await _same_page(prober, response, add_sender(PHONE_AGENT, fetcher))


async def request_as_crawlers(
    fetcher: Fetcher, response: Response, budget: Budget, *, identity: Identity = NOBODY, between_s: float = BETWEEN_S
) -> tuple[tuple[str, ProbeResponse], ...]:
    """Return pairs (user agent, response): first the browser's, then one for each AI search crawler that robots.txt allows.

    Requests are sequential, ``between_s`` apart, and end after a response with 429. If robots.txt disallows all of these crawlers, or
    Findable itself, only the browser's pair is returned.
    """
    if not is_comparable(response):
        return ()
    prober, url = Prober(fetcher, budget, identity), response.final_url
    refusal = await prober.refusal(url)
    if refusal is not None:
        return ((BROWSER_AGENT, refusal),)
    robots_txt = await prober.robots_txt(origin_of(url))
    rules = RobotsTxt.parse(robots_txt.body if robots_txt.ok else b"")
    bots = [bot for bot in with_purpose(BotPurpose.AI_SEARCH) if bot.token in CRAWLER_AGENTS]
    agents = [BROWSER_AGENT, *(CRAWLER_AGENTS[bot.token] for bot in bots if rules.decide(bot.tokens, url).allowed)]
    copies: list[tuple[str, ProbeResponse]] = []
    for agent in agents:
        if copies:
            await asyncio.sleep(between_s)
        page_copy = await _same_page(prober, response, add_sender(agent, fetcher))
        if page_copy.failure is Failure.BUDGET and copies:
            break
        copies.append((agent, page_copy))
        if page_copy.status == _TOO_MANY_REQUESTS:
            break
    return tuple(copies)


async def _same_page(prober: Prober, response: Response, user_agent: str) -> ProbeResponse:
    """Request the page's URL again with the same headers and identity except for the user agent."""
    return await prober.request(
        response.final_url,
        cap_bytes=SAME_PAGE_CAP_BYTES,
        decoded_cap_bytes=SAME_PAGE_DECODED_BYTES,
        accept=PAGE_ACCEPT,
        user_agent=user_agent,
    )
