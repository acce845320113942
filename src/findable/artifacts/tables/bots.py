"""Crawlers by product token, as their operators describe them. Dated data: see AS_OF."""

from enum import StrEnum

from msgspec import Struct

AS_OF = "2026-11"
"""Month of the table."""


class BotPurpose(StrEnum):
    """Purpose of fetching pages."""

    SEARCH = "search"
    """Classic search index."""
    AI_SEARCH = "ai_search"
    """Index from which an assistant responds with citations."""
    AI_TRAINING = "ai_training"
    """Training of models."""
    AI_USER = "ai_user"
    """Single fetch on request of a person; several of them ignore robots.txt."""


class Bot(Struct, frozen=True):
    """One crawler, or a token that exists only in robots.txt."""

    token: str
    """Token as its operator writes it."""
    operator: str
    purpose: BotPurpose
    fallback: tuple[str, ...] = ()
    """Tokens whose groups it obeys if robots.txt has no group for it, before ``*``."""
    token_only: bool = False
    """Whether it never fetches: the token controls the use of another crawler's pages."""
    verified: bool = True
    """Whether the operator's own documentation confirms purpose and token."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """Tokens for `RobotsTxt.decide`."""
        return (self.token, *self.fallback)


_SEARCH, _AI_SEARCH, _TRAINING, _USER = BotPurpose.SEARCH, BotPurpose.AI_SEARCH, BotPurpose.AI_TRAINING, BotPurpose.AI_USER

BOTS = (
    Bot("Googlebot", "Google", _SEARCH),
    Bot("Googlebot-Image", "Google", _SEARCH, ("Googlebot",)),
    Bot("Googlebot-News", "Google", _SEARCH, ("Googlebot",)),
    Bot("Googlebot-Video", "Google", _SEARCH, ("Googlebot",)),
    Bot("Bingbot", "Microsoft", _SEARCH),
    Bot("DuckDuckBot", "DuckDuckGo", _SEARCH),
    Bot("YandexBot", "Yandex", _SEARCH, ("Yandex",)),
    Bot("Baiduspider", "Baidu", _SEARCH),
    Bot("Applebot", "Apple", _SEARCH, ("Googlebot",)),
    Bot("OAI-SearchBot", "OpenAI", _AI_SEARCH),
    Bot("Claude-SearchBot", "Anthropic", _AI_SEARCH),
    Bot("PerplexityBot", "Perplexity", _AI_SEARCH),
    Bot("Amzn-SearchBot", "Amazon", _AI_SEARCH, verified=False),
    Bot("DuckAssistBot", "DuckDuckGo", _AI_SEARCH, verified=False),
    Bot("GPTBot", "OpenAI", _TRAINING),
    Bot("ClaudeBot", "Anthropic", _TRAINING),
    Bot("Google-Extended", "Google", _TRAINING, token_only=True),
    Bot("Applebot-Extended", "Apple", _TRAINING, token_only=True),
    Bot("CCBot", "Common Crawl", _TRAINING),
    Bot("Bytespider", "ByteDance", _TRAINING, verified=False),
    Bot("Meta-ExternalAgent", "Meta", _TRAINING, verified=False),
    Bot("ChatGPT-User", "OpenAI", _USER),
    Bot("Claude-User", "Anthropic", _USER),
    Bot("Perplexity-User", "Perplexity", _USER),
)
"""Sources: Google, "Google's common crawlers"; Microsoft, "Which crawlers does Bing use?"; Apple, "About Applebot" (it falls
back to the rules for Googlebot); OpenAI, "Overview of OpenAI crawlers"; Anthropic, support article 8896518;
Perplexity, "Perplexity crawlers"; Common Crawl."""

META_AGENTS = frozenset(
    {
        *(bot.token.lower() for bot in BOTS),
        "msnbot",
        "slurp",
        "yandex",
        "duckduckgo",
        "naverbot",
        "yeti",
        "seznambot",
        "otherbot",
        "google-inspectiontool",
        "adsbot-google",
    }
)
"""Names of metas with robots rules for one crawler."""


def of_purpose(*purposes: BotPurpose) -> list[Bot]:
    """Return the crawlers for those purposes, in the order of the table."""
    return [bot for bot in BOTS if bot.purpose in purposes]
