"""robots.txt blocks AI search crawlers on this page.

In plain words: Assistants such as ChatGPT are told not to read this page, so they do not mention it in their answers.

Why it matters: Assistants cite pages that their search crawlers may fetch. Pages that are not fetched are not cited. This may be intended:
it is a choice, not a fault.

How to fix: Allow the search tokens if you want to be cited; training tokens are separate.

    User-agent: OAI-SearchBot
    User-agent: Claude-SearchBot
    User-agent: PerplexityBot
    Allow: /

Sources: [OpenAI: crawlers](https://platform.openai.com/docs/bots); [Anthropic:
crawlers](https://support.anthropic.com/en/articles/8896518); [Perplexity:
crawlers](https://docs.perplexity.ai/docs/resources/perplexity-crawlers); Microsoft; Apple; Amazon; DuckDuckGo (table of November 2026).

Not judged: blocks outside robots.txt, such as a firewall.
"""

from findable.artifacts.site.robots import Robots
from findable.artifacts.tables.bots import BotPurpose, with_purpose
from findable.capture.response import Response
from findable.checks.engine import Finding, check, passed, warned
from findable.checks.indexing_evidence import decision_evidence
from findable.checks.robots_txt_fix import robots_txt_fixes
from findable.vocabulary import Effort, Importance

ALSO = ("Bingbot", "Applebot")
"""Classic crawlers whose index also feeds assistants (Copilot, ChatGPT; Siri)."""


@check(
    "May AI search engines fetch this page?",
    Importance.MEDIUM,
    Effort.SERVER,
    failed=30,
    warned=15,
    depends_on=("robots-txt-allows", "noindex"),
    indexing_only=True,
)
def ai_search_bots(robots: Robots, response: Response | None) -> Finding:
    """Checks whether robots.txt allows AI search crawlers to fetch the page; for a site, the home page."""
    url = robots.url_of(response)
    asked = [*(bot for bot in with_purpose(BotPurpose.SEARCH) if bot.token in ALSO), *with_purpose(BotPurpose.AI_SEARCH)]
    decisions = [(bot, robots.decide(bot.tokens, url)) for bot in asked]
    refused = [(bot, decision) for bot, decision in decisions if not decision.allowed]
    if refused:
        return warned(
            "robots.txt blocks {count} of {asked_count} AI search crawlers on this page: {names}",
            asked_count=len(asked),
            names=[bot.token for bot, _ in refused],
            evidence=[
                decision_evidence(robots, decision, "decides for {agent} ({operator})", agent=bot.token, operator=bot.operator)
                for bot, decision in refused
            ],
            fixes=robots_txt_fixes((decision.agent for _, decision in refused), url),
        )
    return passed(
        "All {asked_count} AI search crawlers may fetch this page",
        asked_count=len(asked),
        evidence=[decision_evidence(robots, decision, "decides for {agent}", agent=bot.token) for bot, decision in decisions],
    )
