"""IP addresses that operators publish for their bots, and CDNs. Dated data: each reading of a list says on which day it was read.

The lists of bots in the package come from the public repository Canonry/canonry (``packages/integration-traffic``), whose maintainers read
them on the day of each reading; those of CDNs from public repositories that agreed with each other on that day. ``url`` is where the
operator publishes the list.
"""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from functools import cached_property
from html import unescape
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, collapse_addresses, ip_address, ip_network
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from findable.artifacts.tables.bot_names import KNOWN_NAMES, BotNames
from findable.artifacts.tables.bots import ALL_BOTS, Bot, BotPurpose
from findable.artifacts.tables.table_file import read_table
from findable.lazy_pattern import lazy_pattern

FRESH_DAYS = 30
"""Days before and after the reading of a list for which an IP address outside it is proof of a fake (set by Findable)."""
CDNS = frozenset({"cloudflare", "cloudfront", "fastly"})
"""Lists of the addresses of CDNs: a request from there comes from the client that the CDN names, and is never called fake."""
MAX_PREFIXES = 10_000
SHORTEST_PREFIXES = {4: 12, 6: 24}
MIN_KEPT_SHARE = 0.5
"""Share of the IP addresses before, below which a new list is refused (set by Findable)."""
MAX_READINGS = 60
"""Number of readings that are kept of a list."""


class Verification(StrEnum):
    """Whether a request came from the bot that its user agent names."""

    VERIFIED = "verified"
    FAKE = "fake"
    UNVERIFIED = "unverified"


class RangesRefused(ValueError):
    """List of IP addresses that is not accepted; the message says why."""


class Reading(Struct, frozen=True):
    """A list that was the same from one day to another."""

    first_on: date
    last_on: date
    prefixes: tuple[str, ...]

    def distance_days(self, day: date) -> int:
        """Return the number of days between a day and the nearest day on which the list was read; 0 in between."""
        return max(0, (self.first_on - day).days, (day - self.last_on).days)


class RangeList(Struct, frozen=True):
    """Published list, with its readings, oldest first."""

    name: str
    url: str
    readings: tuple[Reading, ...]

    def with_reading(self, day: date, prefixes: tuple[str, ...]) -> "RangeList":
        """Return the list as read on a later day. Raises RangesRefused if it lost more than half of its IP addresses."""
        before = self.readings[-1]
        old, new = _size(before.prefixes), _size(prefixes)
        if new < MIN_KEPT_SHARE * old:
            raise RangesRefused(f"{self.name}: the new list has {new:,} IP addresses, less than half of the {old:,} before")
        if set(before.prefixes) == set(prefixes):
            return replace(self, readings=(*self.readings[:-1], replace(before, last_on=max(day, before.last_on))))
        return replace(self, readings=(*self.readings, Reading(day, day, prefixes))[-MAX_READINGS:])


class BotRanges(Struct, frozen=True, dict=True):
    """All lists, as in data/bot_ranges.json and in the file of an operator."""

    lists: tuple[RangeList, ...]
    bots: tuple[Bot, ...] = ()
    """Bots that the operator named besides those of the package, or in their place."""

    @cached_property
    def names(self) -> BotNames:
        """All bots by the tokens in user agents."""
        return BotNames((*ALL_BOTS, *self.bots)) if self.bots else KNOWN_NAMES

    @cached_property
    def _spans(self) -> dict[str, tuple["_Spans", ...]]:
        return {one.name: tuple(_Spans(reading) for reading in one.readings) for one in self.lists}

    def readings_near(self, bot: Bot, day: date) -> tuple[int, ...]:
        """Return the numbers of the two readings of the bot's list that are nearest to a day, the nearest first; none without a list."""
        readings = self._spans.get(bot.ranges, ())
        return tuple(sorted(range(len(readings)), key=lambda at: readings[at].reading.distance_days(day))[:2])

    def readings_with(self, bot: Bot, address: IPv4Address | IPv6Address) -> frozenset[int]:
        """Return the numbers of the readings of the bot's list that contain an IP address."""
        return frozenset(at for at, one in enumerate(self._spans.get(bot.ranges, ())) if address in one)

    def is_cdn(self, address: IPv4Address | IPv6Address) -> bool:
        """Return whether an IP address belongs to a known CDN."""
        return any(address in one for name in CDNS for one in self._spans.get(name, ()))

    def proves_fakes(self, bot: Bot, day: date) -> bool:
        """Return whether an IP address outside the bot's list is proof of a fake on a day: the list was read within `FRESH_DAYS`.

        Requests of a person's agent may come from the person's own device, and are never called fake.
        """
        near = self.readings_near(bot, day)
        is_fresh = bool(near) and self._spans[bot.ranges][near[0]].reading.distance_days(day) <= FRESH_DAYS
        return is_fresh and bot.purpose not in (BotPurpose.AI_USER, BotPurpose.USER)

    def replaced(self, changed: RangeList) -> "BotRanges":
        """Return the lists with one replaced."""
        return replace(self, lists=tuple(changed if one.name == changed.name else one for one in self.lists))


class _Spans:
    """Networks of a reading as sorted numbers."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._spans: dict[int, list[tuple[int, int]]] = {}
        for version in (4, 6):
            networks: Any = [network for network in map(ip_network, reading.prefixes) if network.version == version]
            self._spans[version] = sorted((int(one[0]), int(one[-1])) for one in collapse_addresses(networks))

    def __contains__(self, address: IPv4Address | IPv6Address) -> bool:
        spans, number = self._spans[address.version], int(address)
        at = bisect_right(spans, (number, 1 << 128)) - 1
        return at >= 0 and spans[at][0] <= number <= spans[at][1]


def _size(prefixes: Sequence[str]) -> int:
    """Return the number of IPv4 addresses and of IPv6 networks of 64 bits, so that neither hides a loss of the other."""
    networks = list(map(ip_network, prefixes))
    return sum(one.num_addresses if one.version == 4 else max(1, one.num_addresses >> 64) for one in networks)  # noqa: PLR2004 - IP version


def packaged_ranges() -> BotRanges:
    """Return the lists of the package."""
    return read_table("bot_ranges", BotRanges)


def ranges_from(document: bytes) -> BotRanges:
    """Return the lists in a file that `findable bots refresh` wrote, and those of CDNs that it lacks. Raises RangesRefused."""
    try:
        found = msgspec.json.decode(document, type=BotRanges)
    except msgspec.DecodeError as error:
        raise RangesRefused(f"not lists of IP addresses of bots: {error}") from error
    missing = CDNS.difference(one.name for one in found.lists)
    return replace(found, lists=(*found.lists, *(one for one in packaged_ranges().lists if one.name in missing)))


_IN_HTML = lazy_pattern(r'\{[^{}]*"prefixes"\s*:\s*\[[^\]]*\]\s*\}')


def read_published(document: bytes) -> tuple[str, ...]:
    """Return the prefixes of an operator's list: ``{"prefixes": [{"ipv4Prefix": …}, {"ipv6Prefix": …}]}``. Raises RangesRefused.

    Amazon publishes it inside an HTML page, with ``ip_prefix``; CDNs publish plain lists of networks, Cloudflare inside ``result``.
    A list is refused as a whole if it contains a private or reserved network, or one that is implausibly large.
    """
    try:
        inside = _IN_HTML.search(unescape(document.decode())) if document.lstrip().startswith(b"<") else None
        found = msgspec.json.decode(inside[0] if inside else document)
        if "prefixes" in found:
            written = [row.get("ipv4Prefix") or row.get("ipv6Prefix") or row["ip_prefix"] for row in found["prefixes"]]
        else:
            written = [text for value in found.get("result", found).values() if isinstance(value, list) for text in value]
        networks: list[IPv4Network | IPv6Network] = [ip_network(text) for text in written]
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise RangesRefused('not a list like {"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}') from error
    if not 0 < len(networks) <= MAX_PREFIXES:
        raise RangesRefused(f"{len(networks)} networks; at least 1 and at most {MAX_PREFIXES:,} are accepted")
    for one in networks:
        if not one.is_global or one.is_multicast or one.prefixlen < SHORTEST_PREFIXES[one.version]:
            raise RangesRefused(f"{one} is not public, or too large for a list of bots")
    return tuple(str(one) for version in (4, 6) for one in sorted(one for one in networks if one.version == version))


def public_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return a public IP address, IPv4 in IPv6 as IPv4; None for others, such as those of a proxy in the same network."""
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return None
    inner = getattr(address, "ipv4_mapped", None) or address
    return inner if inner.is_global and not inner.is_multicast else None
