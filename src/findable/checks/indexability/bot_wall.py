"""The page is behind a bot challenge.

In plain words: A check for robots stands in front of this page, and may keep Google out as well.

Why it matters: Content behind a challenge cannot be checked. Search engines and assistants may get the same challenge: the operator has to
allow them by name and IP address.

How to fix: Allow the analyser, and look for challenged search engines in the log of the bot protection.

    User agents to allow, by verified IP address: Googlebot, Bingbot, OAI-SearchBot, Claude-SearchBot, PerplexityBot

Sources: [Google: AI features and your website](https://developers.google.com/search/docs/appearance/ai-features) (2025): crawling must be
allowed by any CDN or hosting infrastructure.

Not judged: whether others are challenged; a challenge during fetching, which prevents a report.
"""

from findable.capture.response import Response
from findable.checks.engine import Finding, check, failed, passed, quoted
from findable.formats.bot_challenges import challenge_marker
from findable.vocabulary import Effort, Importance, Verdict


@check("Was the page loaded, not a bot challenge?", Importance.HIGH, Effort.SERVER, failed=850, limits={Verdict.FAILED: 15})
def bot_wall(response: Response) -> Finding:
    """Looks for markers that identify bot challenges."""
    marker = challenge_marker(response.headers, response.body)
    if marker:
        return failed("A bot challenge was served instead of the page", evidence=quoted(marker))
    return passed("The page was served, not a bot challenge")
