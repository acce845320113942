"""A challenge stands in front of the page.

Why it matters: What a challenge hides cannot be judged here. The same wall may stand before search engines and assistants: those who run
it have to let them pass by name and IP address.

How to fix: Let the analyser through, and look in the wall's log for challenged search engines.

    User agents to allow, by verified IP address: Googlebot, Bingbot, OAI-SearchBot, Claude-SearchBot, PerplexityBot

Sources: [Google: AI features and your website](https://developers.google.com/search/docs/appearance/ai-features) (2025): crawling must be
allowed by any CDN or hosting infrastructure.

Not judged: whether others are challenged; a wall that is met while fetching gives no report at all.
"""

from findable.capture.response import Response
from findable.checks.engine import Finding, check, failed, passed, quoted
from findable.formats.bot_challenge import challenge_marker
from findable.vocabulary import Effort, Importance


@check(question="Was the page loaded, not a bot challenge?", importance=Importance.HIGH, effort=Effort.SERVER)
def bot_wall(response: Response) -> Finding:
    """Looks for marks that only bot challenges have."""
    marker = challenge_marker(response.headers, response.body)
    if marker:
        return failed("A bot challenge was served instead of the page", evidence=quoted(marker))
    return passed("The page was served, not a bot challenge")
