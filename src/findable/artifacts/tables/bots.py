"""Crawlers by product token, from their operators' documentation. Dated data: see AS_OF."""

from enum import StrEnum

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table


class BotPurpose(StrEnum):
    """Purpose for which a crawler fetches pages."""

    SEARCH = "search"
    """Classic search index."""
    AI_SEARCH = "ai_search"
    """Index of an assistant that responds with citations."""
    AI_TRAINING = "ai_training"
    """Training of models."""
    AI_USER = "ai_user"
    """Single fetch requested by a person; several of these ignore robots.txt."""
    USER = "user"
    """Single fetch that a person causes otherwise, such as the preview of a shared link."""
    OTHER = "other"
    """Advertisements, tests, and indexes of tools."""


class Bot(Struct, frozen=True):
    """Crawler, or a product token that is used only in robots.txt."""

    token: str
    """Token as its operator writes it."""
    operator: str
    purpose: BotPurpose
    fallback: tuple[str, ...] = ()
    """Tokens whose groups the bot obeys if robots.txt has no group for its own token, before ``*``."""
    token_only: bool = False
    """Whether the token never fetches and only controls the use of another crawler's pages."""
    verified: bool = True
    """Whether the operator's own documentation confirms purpose and token."""
    only_in_logs: bool = False
    """Whether the bot is only told apart in access logs, and no report says what robots.txt allows it."""
    aliases: tuple[str, ...] = ()
    """Other tokens in its user agents."""
    ranges: str = ""
    """Name of the list of its IP addresses, see `bot_ranges`; empty if its operator publishes none that is known here."""
    host_names: tuple[str, ...] = ()
    """Domains of its host names by reverse DNS, if its operator documents them."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """Product tokens for `RobotsTxt.decide`, in order of precedence."""
        return (self.token, *self.fallback)


class BotTable(Struct, frozen=True):
    """Contents of data/bots.json."""

    as_of: str
    bots: tuple[Bot, ...]


_table = read_table("bots", BotTable)
AS_OF = _table.as_of
"""Month of the table."""
ALL_BOTS = _table.bots
"""All bots of the table."""
BOTS = tuple(bot for bot in ALL_BOTS if not bot.only_in_logs)
"""Crawlers whose rules reports show.

Sources: Google, "Google's common crawlers"; Microsoft, "Which crawlers does Bing use?"; Apple, "About Applebot" (it falls back to the rules
for Googlebot); OpenAI, "Overview of OpenAI crawlers"; Anthropic, support article 8896518; Perplexity, "Perplexity crawlers"; Common Crawl.
"""

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


def with_purpose(*purposes: BotPurpose) -> list[Bot]:
    """Return the crawlers with one of the purposes, in the order of the table."""
    return [bot for bot in BOTS if bot.purpose in purposes]
