"""Count the requests of bots in an access log. Nothing of a visitor and no IP address leaves this module.

The user agent decides first: a line of a visitor ends after one look-up. Only lines that claim to be of a bot are read as a whole.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from itertools import compress, pairwise, repeat
from typing import NamedTuple

from msgspec import Struct, field

from findable.artifacts.tables.bot_ranges import BotRanges, Verification, public_address
from findable.artifacts.tables.bots import Bot
from findable.capture.hit_statuses import STATUSES
from findable.crawl.hit_urls import hit_url
from findable.formats.access_logs.detection import NAMES, SAMPLE_LINES, detect
from findable.formats.access_logs.log_blocks import LogBlocks
from findable.formats.access_logs.log_line import COMMENT, LineReader, LogLine
from findable.lazy_pattern import lazy_pattern
from findable.wording import later

FLUSH_ENTRIES = 100_000
"""Different (URL, status) of all groups that are held before they are handed on."""
MAX_AGENTS = 65_536
"""Known user agents, after which all are looked up again."""
MAX_CLIENTS = 65_536
"""Pairs of a bot and an IP address on a day whose verdict is held in memory."""
MAX_DAYS = 5000
MAX_FAKE_NETWORKS = 1000
MAX_DNS_ADDRESSES = 500
"""IP addresses that are looked up in DNS for one log (set by Findable)."""
EXAMPLES = 5
MAX_UNREADABLE_SHARE = 0.1
"""Share of unreadable lines from which a log is not counted (set by Findable)."""
PROBLEMS: Mapping[str, str] = {
    "truncated": later("the archive is truncated; what could be read was counted"),
    "damaged": later("the archive is damaged; what could be read before the damage was counted"),
    "ratio": later("the archive expands to more than 200 times its size; reading stopped"),
    "changed": later("the log begins like one that was imported, but its lines changed; replace it to count it again"),
    "size": later("the log is larger than 1 TB; reading stopped"),
}
"""Sentences for `LogTotals.problem`."""
HIT_METHODS = ("GET", "HEAD")

Group = tuple[date, str, Verification]
"""Day in UTC, token of the bot, and whether it was the bot."""
Hits = dict[Group, dict[tuple[str, int], int]]
"""Number of requests by group, URL and class of status (`HitStatus` as a number, which is hashed three times as fast)."""
Confirm = Callable[[Bot, str], bool | None]
"""Look-up of an IP address in DNS: whether it belongs to the bot; None if that is unknown."""


Put = Callable[[Hits, "LogTotals"], None]
"""Receiver of a part of the hits between two blocks, with the totals so far."""


class LogOptions(Struct, frozen=True, kw_only=True):
    """What the reader of a log cannot know from it."""

    format: str = ""
    """Format, one of `detection.NAMES`; empty to recognize it."""
    format_string: str = ""
    """Format string of the server."""
    fields: Mapping[str, str] = {}
    """Names of fields of JSON lines that are not known."""
    zone: tzinfo = UTC
    """Zone of times without an offset."""
    hosts: tuple[str, ...] = ()
    """Hosts whose lines are counted; all if empty. The first is the host of lines without one."""
    scheme: str = "https"
    """Scheme of lines without one."""
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = ()
    """Networks of proxies whose X-Forwarded-For is read."""
    since: date = date.min
    until: date = date.max
    verifies: bool = True
    """Whether IP addresses are compared with published lists."""
    confirm: Confirm | None = None
    """Look-up in DNS; None: no look-ups."""


class LogTotals(Struct):
    """What a log contains."""

    format: str = ""
    compression: str = ""
    problem: str = ""
    """Reason why the file was not read to its end, see `LogBlocks`."""
    lines: int = 0
    unreadable: int = 0
    without_request: int = 0
    """Lines without an HTTP request, such as those of a failed TLS handshake."""
    long_lines: int = 0
    visitors: int = 0
    """Lines of visitors and unknown programs."""
    other_methods: int = 0
    """Requests of bots with other methods than GET and HEAD."""
    other_hosts: int = 0
    """Requests of bots to other hosts."""
    outside_period: int = 0
    """Requests of bots before or after the chosen days."""
    hits: int = 0
    proxied: int = 0
    """Requests of bots from an IP address that is not public: the log contains the address of a proxy, so that bots cannot be verified."""
    first_at: datetime | None = None
    last_at: datetime | None = None
    days: set[date] = field(default_factory=set)
    """Days in UTC with at least one line."""
    has_agents: bool = True
    examples: list[str] = field(default_factory=list)
    """Unreadable lines with masked IP addresses, at most `EXAMPLES`."""
    fake_networks: dict[tuple[str, str], int] = field(default_factory=dict)
    """Number of requests by token and network of fakes, to be printed and not stored."""

    @property
    def unreadable_share(self) -> float:
        """Share of unreadable lines."""
        return self.unreadable / self.lines if self.lines else 0.0


_SCHEMES = ("http", "https")
_UNSEEN, _EMPTY, _COMMENT, _UNREADABLE = object(), object(), object(), object()
_EMPTY_AGENTS = (b"-", b"")


def read_log(blocks: LogBlocks, options: LogOptions, ranges: BotRanges, put: Put) -> LogTotals:
    """Read a log to its end, hand on the hits in parts, and return the totals. Raises UnknownLogFormat."""
    return _LogCount(options, ranges, put).read(blocks)


class _Counts(NamedTuple):
    """Where requests of a bot from an IP address on a day are counted."""

    hits: dict[tuple[str, int], int]
    is_fake: bool


class _LogCount:
    def __init__(self, options: LogOptions, ranges: BotRanges, put: Put) -> None:
        self._options, self._ranges, self._put, self._names = options, ranges, put, ranges.names
        self._totals = LogTotals()
        self._hits: Hits = {}
        self._entries = 0
        self._confirmed: dict[tuple[str, str], bool | None] = {}
        self._counts: dict[tuple[str, str | None, date], _Counts] = {}
        self._near = lru_cache(maxsize=4096)(self._readings_near)
        self._within = lru_cache(maxsize=65_536)(self._readings_with)
        self._client = lru_cache(maxsize=65_536)(self._client_of)
        self._origin = f"{options.scheme}://{options.hosts[0]}" if options.hosts else ""
        self._hosts = frozenset(host.lower() for host in options.hosts)

    def read(self, blocks: LogBlocks) -> LogTotals:
        totals = self._totals
        waiting = iter(blocks)
        first = _first_lines(waiting)
        options = self._options
        sample = [line for lines in first for line in lines][:SAMPLE_LINES]
        if sample:
            name = options.format or (blocks.known_format if blocks.known_format in NAMES and len(sample) < SAMPLE_LINES else "")
            reader = detect(
                sample,
                name=name,
                format_string=options.format_string,
                fields=options.fields,
                zone=options.zone,
                continues=bool(blocks.known_format),
            )
            totals.format, totals.has_agents = reader.name, reader.has_agents
            known: dict[bytes | None, object] = {COMMENT: _COMMENT}
            for lines in _chained(first, waiting):
                for part in _parts(lines) if reader.name == "w3c" else (lines,):
                    known = self._count_block(reader, part, known)
                if self._entries >= FLUSH_ENTRIES:
                    self._flush()
            totals.visitors = totals.lines - totals.unreadable - totals.without_request - totals.hits
            totals.visitors -= totals.other_methods + totals.other_hosts + totals.outside_period
        totals.compression, totals.problem, totals.long_lines = blocks.compression, blocks.problem, blocks.long_lines
        self._flush()
        return totals

    def _count_block(self, reader: LineReader, lines: list[bytes], known: dict[bytes | None, object]) -> dict[bytes | None, object]:
        totals = self._totals
        skipped = 0
        keys = reader.keys(lines)
        kinds = list(map(known.get, keys, repeat(_UNSEEN)))
        for line, key, found in compress(zip(lines, keys, kinds, strict=True), kinds):  # without lines of known visitors
            kind = found
            if kind is _UNSEEN:
                kind = known.get(key, _UNSEEN)  # an earlier line of this block
            if kind is _UNSEEN:
                if len(known) > MAX_AGENTS:
                    known = {COMMENT: _COMMENT}
                kind = self._look_up(reader, line, key, known)
            if kind is None:  # a visitor
                continue
            if isinstance(kind, Bot):
                self._count_line(line, reader.read(line), kind)
            elif kind is _COMMENT or (kind is _UNREADABLE and not line.strip()):
                skipped += 1
            elif kind is _UNREADABLE:
                self._count_unreadable(line)
            else:
                self._count_line(line, reader.read(line), None)
        totals.lines += len(lines) - skipped
        self._note_days(reader, lines)
        return known

    def _look_up(self, reader: LineReader, line: bytes, key: bytes | None, known: dict[bytes | None, object]) -> object:
        """Return what kind of client a line is of, and note it for lines with the same key."""
        agent = reader.agent(line)
        if agent is None:
            return _UNREADABLE
        kind = _COMMENT if agent == COMMENT else _EMPTY if agent in _EMPTY_AGENTS else self._names.in_agent(reader.plain_agent(agent))
        if key == reader.key_of(agent):
            known[key] = kind
        return kind

    def _count_unreadable(self, line: bytes) -> None:
        self._totals.unreadable += 1
        if len(self._totals.examples) < EXAMPLES:
            self._totals.examples.append(masked_line(line))

    def _count_line(self, line: bytes, read: LogLine | None, bot: Bot | None) -> None:
        totals = self._totals
        if read is None or (read.day is None and bot is not None):
            self._count_unreadable(line)
        elif not read.target:
            totals.without_request += 1
        elif bot is not None and read.day is not None:
            self._count_hit(read, read.day, bot)

    def _count_hit(self, line: LogLine, day: date, bot: Bot) -> None:
        totals, options = self._totals, self._options
        host = _host_name(line.host) if line.host else ""
        if host and self._hosts and host not in self._hosts:
            totals.other_hosts += 1
        elif not options.since <= day <= options.until:
            totals.outside_period += 1
        elif line.method not in HIT_METHODS:
            totals.other_methods += 1
        else:
            url = hit_url(
                self._origin if not host else f"{line.scheme if line.scheme in _SCHEMES else options.scheme}://{host}", line.target
            )
            if not url:
                totals.without_request += 1
                return
            totals.hits += 1
            client = self._client(line.client, line.forwarded)
            if client is None:
                totals.proxied += 1
            counts = self._counts.get((bot.token, client, day)) or self._counts_of(bot, client, day)
            if counts.is_fake:
                self._note_fake(bot, client)
            key = (url, STATUSES[line.status])
            before = counts.hits.get(key, 0)
            counts.hits[key] = before + 1
            self._entries += not before

    def _counts_of(self, bot: Bot, client: str | None, day: date) -> "_Counts":
        if len(self._counts) >= MAX_CLIENTS:
            self._counts.clear()
        verdict = self._verdict(bot, client, day)
        hits = self._hits.setdefault((day, bot.token, verdict), {})
        counts = self._counts[bot.token, client, day] = _Counts(hits, verdict is Verification.FAKE)
        return counts

    def _flush(self) -> None:
        self._put(self._hits, self._totals)
        self._hits, self._entries = {}, 0
        self._counts.clear()

    def _client_of(self, client: str, forwarded: str) -> str | None:
        """Return the public IP address of the client; None if the log does not contain it.

        It is the right-most address that is not of a trusted proxy or known CDN: those to the left of it are written by the client.
        """
        trusted = self._options.trusted_proxies
        for text in (client, *reversed(forwarded.split(","))):
            address = text.strip().strip('"')
            try:
                number = ip_address(address.strip("[]"))
            except ValueError:
                return None
            number = getattr(number, "ipv4_mapped", None) or number
            if not any(number in network for network in trusted if network.version == number.version) and not self._ranges.is_cdn(number):
                public = public_address(address)
                return str(public) if public else None
        return None

    def _verdict(self, bot: Bot, client: str | None, day: date) -> Verification:
        if client is None or not self._options.verifies:
            return Verification.UNVERIFIED
        near, outside = self._near(bot.token, day)
        if not self._within(bot.token, client).isdisjoint(near):
            return Verification.VERIFIED
        if self._options.confirm is not None and bot.host_names:
            belongs = self._belongs(bot, client)
            if belongs is not None:
                return Verification.VERIFIED if belongs else Verification.FAKE
        return outside

    def _readings_near(self, token: str, day: date) -> tuple[tuple[int, ...], Verification]:
        """Return the numbers of the readings of a bot's list near a day, and the verdict on IP addresses outside them."""
        bot = self._names.by_token[token]
        is_proof = self._ranges.proves_fakes(bot, day)
        return self._ranges.readings_near(bot, day), Verification.FAKE if is_proof else Verification.UNVERIFIED

    def _readings_with(self, token: str, client: str) -> frozenset[int]:
        return self._ranges.readings_with(self._names.by_token[token], ip_address(client))

    def _belongs(self, bot: Bot, client: str) -> bool | None:
        key = (bot.token, client)
        if key not in self._confirmed:
            confirm = self._options.confirm if len(self._confirmed) < MAX_DNS_ADDRESSES else None
            self._confirmed[key] = confirm(bot, client) if confirm else None
        return self._confirmed[key]

    def _note_fake(self, bot: Bot, client: str | None) -> None:
        network = str(ip_network(f"{client}/{48 if ':' in str(client) else 24}", strict=False))
        counts = self._totals.fake_networks
        if (bot.token, network) in counts or len(counts) < MAX_FAKE_NETWORKS:
            counts[bot.token, network] = counts.get((bot.token, network), 0) + 1

    def _note_days(self, reader: LineReader, lines: list[bytes]) -> None:
        """Note the days of a block: of its first and last line, and of all lines if these differ."""
        edges = [time for line in (lines[0], lines[-1]) if (time := reader.time(line))]
        if len(edges) < 2 or edges[0].date() != edges[1].date():  # noqa: PLR2004 - first and last
            edges = [time for line in lines if (time := reader.time(line))]
        if edges:
            totals = self._totals
            first, last = min(edges), max(edges)
            totals.first_at = min(totals.first_at or first, first)
            totals.last_at = max(totals.last_at or last, last)
            if len(totals.days) < MAX_DAYS:
                totals.days.update(time.date() for time in edges)


def _first_lines(blocks: Iterator[list[bytes]]) -> list[list[bytes]]:
    first: list[list[bytes]] = []
    for lines in blocks:
        first.append(lines)
        if sum(map(len, first)) >= SAMPLE_LINES:
            break
    return first


def _chained(first: list[list[bytes]], rest: Iterator[list[bytes]]) -> Iterator[list[bytes]]:
    while first:
        yield first.pop(0)
    yield from rest


def _parts(lines: list[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines in parts that begin with a directive, because one may change the columns."""
    starts = [0, *(at for at, line in enumerate(lines) if at and line.startswith(b"#")), len(lines)]
    return (lines[start:end] for start, end in pairwise(starts))


def _host_name(written: str) -> str:
    host = written.lower()
    return host if host.endswith("]") else host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and ":" in host else host


_ADDRESS = lazy_pattern(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])", re.ASCII)


def masked_line(line: bytes) -> str:
    """Return the beginning of a line without IP addresses."""
    return _ADDRESS.sub("[IP address]", line.decode("utf-8", "replace"))[:300]
