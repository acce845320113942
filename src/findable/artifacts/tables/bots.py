"""Crawlers by product token, from their operators' documentation. Dated data: see AS_OF."""

import re
from collections.abc import Iterable
from enum import StrEnum

import msgspec
from msgspec import Struct

from findable.artifacts.tables.table_file import read_table
from findable.lazy_pattern import lazy_pattern


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


class _Table(Struct, frozen=True):
    """Contents of data/bots.json."""

    as_of: str
    bots: tuple[Bot, ...]


_table = read_table("bots", _Table)
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


class BotNames:
    """Bots by the tokens in user agents. Of two bots with one token, the last one counts.

    A token is matched as a whole, but not in a URL or an email address: ``Claude-User`` is not ClaudeBot, ``Googlebot-Image`` not
    Googlebot.
    """

    def __init__(self, bots: Iterable[Bot]) -> None:
        self.by_token = {bot.token: bot for bot in bots}
        fetching = (bot for bot in self.by_token.values() if not bot.token_only)
        self._by_name = {name.lower().encode(): bot for bot in fetching for name in (bot.token, *bot.aliases)}
        names = b"|".join(map(re.escape, sorted(self._by_name, key=len, reverse=True)))
        self._pattern = lazy_pattern(rb"(?<![\w./@-])(?:" + names + rb")(?![\w@-])")

    def in_agent(self, agent: bytes) -> Bot | None:
        """Return the bot that a user agent claims to be; None for visitors and unknown bots."""
        found = self._pattern.search(agent.lower())
        return self._by_name[found[0]] if found else None


KNOWN_NAMES = BotNames(ALL_BOTS)
BOTS_BY_TOKEN = KNOWN_NAMES.by_token
NAME_PATTERN = r"^[A-Za-z][A-Za-z0-9 ._-]{2,39}$"
"""Pattern of a token of a bot."""
MAX_NAMES = 500
_OF_BROWSERS = frozenset(
    {"mozilla", "applewebkit", "chrome", "safari", "firefox", "gecko", "mobile", "version", "android", "linux", "windows"}
)


def read_names(document: bytes) -> tuple[Bot, ...]:
    """Return the bots of a file like data/bots.json. Raises ValueError for other files, and for names that visitors have."""
    try:
        bots = msgspec.json.decode(document, type=_Table).bots
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    names = [name for bot in bots for name in (bot.token, *bot.aliases)]
    wrong = next((name for name in names if not re.match(NAME_PATTERN, name) or name.lower() in _OF_BROWSERS), None)
    if wrong is not None or not 0 < len(names) <= MAX_NAMES:
        raise ValueError(
            f"{len(names)} names; at most {MAX_NAMES} are accepted" if wrong is None else f"{wrong[:40]!r} is no name of a bot"
        )
    return bots
