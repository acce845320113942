"""Names of bots in user agents: those of the table, and those of an operator's file."""

import re
from collections.abc import Iterable

import msgspec

from findable.artifacts.tables.bots import ALL_BOTS, Bot, BotTable
from findable.lazy_pattern import lazy_pattern


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
        bots = msgspec.json.decode(document, type=BotTable).bots
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    names = [name for bot in bots for name in (bot.token, *bot.aliases)]
    wrong = next((name for name in names if not re.match(NAME_PATTERN, name) or name.lower() in _OF_BROWSERS), None)
    if wrong is not None or not 0 < len(names) <= MAX_NAMES:
        raise ValueError(
            f"{len(names)} names; at most {MAX_NAMES} are accepted" if wrong is None else f"{wrong[:40]!r} is no name of a bot"
        )
    return bots
