"""The report lists the training and user tokens that robots.txt disallows.

In plain words: Some companies are told not to train their AI with this page; that changes nothing in Google.

Why it matters: These tokens decide whether the page may be used for training, not whether it is found. Refusing Google-Extended or
Applebot-Extended does not change search. Fetchers that act for a person are listed separately; several of them do not read robots.txt.

How to fix: Nothing needs fixing; this is your policy.

    User-agent: GPTBot
    User-agent: ClaudeBot
    Disallow: /

Sources: [Google: common crawlers](https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers) (Google-Extended);
[OpenAI: crawlers](https://platform.openai.com/docs/bots); [Anthropic: crawlers](https://support.anthropic.com/en/articles/8896518); [Apple:
Applebot](https://support.apple.com/en-us/119829); [Common Crawl](https://commoncrawl.org/ccbot) (table of November 2026).

Not judged: whether crawlers follow the rules.
"""

from typing import Any

from findable.artifacts.site.robots import Robots
from findable.artifacts.tables.bots import Bot, BotPurpose, with_purpose
from findable.capture.response import Response
from findable.checks.engine import Finding, check, info
from findable.checks.indexing_evidence import decision_evidence
from findable.vocabulary import Effort, Importance


@check("Which AI training tokens are refused?", Importance.INFO, Effort.SERVER)
def ai_training_bots(robots: Robots, response: Response | None) -> Finding:
    """Checks whether robots.txt disallows the page for AI training tokens and user fetchers; for a site, the home page."""
    url = robots.url_of(response)
    training, users = with_purpose(BotPurpose.AI_TRAINING), with_purpose(BotPurpose.AI_USER)
    refused, refused_users = _disallowed_bots(robots, training, url), _disallowed_bots(robots, users, url)
    evidence = [
        decision_evidence(robots, robots.decide(bot.tokens, url), "decides for {agent}", agent=bot.token)
        for bot in (*refused, *refused_users)
    ]
    numbers: dict[str, Any] = {"count": len(training), "users_count": len(refused_users), "users_asked_count": len(users)}
    if not refused:
        message = "None of {count} training tokens is refused; {users_count} of {users_asked_count} user fetchers are"
        return info(message, evidence=evidence, **numbers)
    return info(
        "{refused_count} of {count} training tokens are refused: {names}; {users_count} of {users_asked_count} user fetchers are",
        refused_count=len(refused),
        names=[bot.token for bot in refused],
        evidence=evidence,
        **numbers,
    )


def _disallowed_bots(robots: Robots, bots: list[Bot], url: str) -> list[Bot]:
    return [bot for bot in bots if not robots.decide(bot.tokens, url).allowed]
