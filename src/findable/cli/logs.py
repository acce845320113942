"""`findable logs`: count the requests of bots in access logs."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, date
from ipaddress import IPv4Network, IPv6Network, ip_network
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from zoneinfo import ZoneInfo

from cyclopts import App, Parameter

from findable.artifacts.tables.bot_ranges import FRESH_DAYS, BotRanges, Verification
from findable.artifacts.tables.bots import Bot
from findable.capture.hit_statuses import HitStatus
from findable.cli.bots import Account, RangesFile, load_ranges
from findable.cli.command_settings import load_settings
from findable.cli.exit_codes import NOT_LOADED
from findable.cli.given_files import parsed, readable
from findable.cli.terminal import ProgressLine, Terminal, clean, print_json
from findable.clock import now, rfc3339
from findable.crawl.url_keys import text_key
from findable.errors import SettingError
from findable.formats.access_logs.detection import NAMES, UnknownLogFormat
from findable.formats.access_logs.json_reader import FIELDS
from findable.formats.access_logs.log_blocks import LogBlocks
from findable.log_import import MAX_UNREADABLE_SHARE, PROBLEMS, Confirm, Hits, LogOptions, LogTotals, Put, read_log

if TYPE_CHECKING:
    from findable.cli.log_sending import PartReceiver
    from findable.service.projects.log_parts import PartedLog

app = App(name="logs", help="Count the requests of bots in access logs, and tell genuine bots from fakes.")
MAX_COUNTED_URLS = 200_000
"""Different URLs that are counted; with more, their number is a minimum."""
SHOWN_NETWORKS = 10
FOLLOW_EVERY_S = 10.0
_OLD_LISTS = f"the lists of IP addresses are more than {FRESH_DAYS} days older than the log, so fakes are unverified: findable bots refresh"
_BEHIND_PROXY = (
    "The log contains only IP addresses of a proxy or CDN, so that bots cannot be verified: log X-Forwarded-For too, "
    "and name a proxy of your own with --trusted-proxy."
)
_FIELD_NAMES = {"url": "target", "user_agent": "agent", "ip": "client"}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LogReading:
    """Options of how access logs are read."""

    format_: Annotated[str, Parameter(name="--format", help=f"Format of the log: {', '.join(NAMES)}. Default: recognized.")] = ""
    log_format: str = ""
    """Format string: LogFormat of Apache or log_format of nginx."""
    field: tuple[str, ...] = ()
    """Name of a field of JSON lines, like url=my_url; also ip, status, time, host … May be repeated."""
    host: tuple[str, ...] = ()
    """Count lines of this host only; the first is also the host of lines without one. May be repeated."""
    trusted_proxy: tuple[str, ...] = ()
    """Network of a proxy, like 10.0.0.0/8, whose X-Forwarded-For names the client. May be repeated."""
    timezone: str = "UTC"
    """Time zone of times without one, like Europe/Berlin."""
    since: str | None = None
    """First day, in UTC, like 2026-11-01."""
    until: str | None = None
    """Last day, in UTC."""
    verify: Literal["ranges", "dns", "none"] = "ranges"
    """Verify bots by published IP addresses; dns: also look up at most 500 addresses; none: do not verify."""
    ranges: RangesFile = None

    def options(self, confirm: Confirm | None) -> LogOptions:
        """Return the options for the reader. Raises SettingError if one is invalid."""
        return LogOptions(
            format=self.format_,
            format_string=self.log_format,
            fields=dict(_field(text) for text in self.field),
            zone=UTC if self.timezone.upper() == "UTC" else parsed(ZoneInfo, self.timezone, "--timezone", "a time zone like Europe/Berlin"),
            hosts=tuple(host.lower() for host in self.host),
            trusted_proxies=tuple(parsed(_network, text, "--trusted-proxy", "a network like 10.0.0.0/8") for text in self.trusted_proxy),
            since=_day("--since", self.since) or date.min,
            until=_day("--until", self.until) or date.max,
            verifies=self.verify != "none",
            confirm=confirm,
        )


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LogSending:
    """Options for storing the counts in a project of a service."""

    project: str = ""
    """Store the counts in this project."""
    to: str = ""
    """Service of the project: its URL, like https://findable.example.com. Default: on this machine."""
    key_file: Path | None = None
    """File with an API key of the service that may write."""
    account: str | None = None
    """Email address of an owner of the project on this machine, if there are several."""
    source: str = ""
    """Name of the server or CDN. Default: the name of the file without suffixes."""
    replace: Annotated[bool, Parameter(negative=())] = False
    """Replace what was imported from this source for the same time."""

    @contextmanager
    def receiver(self) -> "Iterator[PartReceiver | None]":
        """Open the project, if there is one. Raises SettingError."""
        if not self.to and self.key_file:
            raise SettingError("--key-file", "needs --to, the URL of the service")
        if not self.to and not self.project:
            yield None
            return
        from findable.cli.log_sending import local_receiver, receiver_of

        here = not self.to
        with (
            local_receiver(self.project, self.account)
            if here
            else receiver_of(self.to, self.project, self.key_file, load_settings()) as found
        ):
            yield found

    def log(self, receiver: "PartReceiver", name: str, *, is_forced: bool) -> "PartedLog":
        """Return the log of a file to send."""
        from findable.service.projects.log_parts import PartedLog, source_of

        source = self.source or ("stdin" if name == "-" else source_of(name))
        return PartedLog(receiver.send, source, receiver.known(), replaces=self.replace, is_forced=is_forced)


@app.command
def forget(
    project: str,
    /,
    *,
    before: str | None = None,
    all_: Annotated[bool, Parameter(name="--all", negative=())] = False,
    source: str = "",
    account: Account = None,
) -> int:
    """Delete the requests of bots that a project stores. With --before the logs stay known, so that their lines are not counted again.

    Args:
        project: Project of the service on this machine.
        before: Delete requests before this day, in UTC, like 2026-11-01.
        all_: Delete all imported logs.
        source: Only those of this server or CDN.
    """
    if (before is None) is not all_:
        raise SettingError("--before", "name the first day that stays, or --all")
    from findable.cli.accounts import open_project
    from findable.service.projects import log_imports

    first_day = _day("--before", before)
    with open_project("logs forget", project, account) as (service, caller):
        count = log_imports.forget(service, caller, project, source, first_day)
    print(f"deleted requests of {count:,} {'log' if count == 1 else 'logs'}")
    return 0


@app.default
def logs(
    *files: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    reading: LogReading | None = None,
    dry_run: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
    sending: LogSending | None = None,
    follow: Annotated[bool, Parameter(negative=())] = False,
    force: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Count the requests of bots in access logs, by bot, status and day; with --project, store the counts in a project.

    IP addresses are compared in memory and never stored or sent. The same log again, grown, renamed or compressed, changes nothing.

    Exits 3 if a file could not be read to its end, or more than a tenth of its lines are unreadable.

    Args:
        files: Access logs, plain or compressed; - for standard input.
        dry_run: Read the files and show unreadable lines, IP addresses masked.
        json: Print JSON.
        follow: Go on reading what is written, also after a rotation, until interrupted.
        force: Count a log although more than a tenth of its lines are unreadable.
    """
    if not files:
        raise SettingError("FILE", "name at least one access log, or - for standard input")
    reading = reading or LogReading()
    counts = LogCounts()
    is_complete = True
    ranges = load_ranges(reading.ranges, load_settings())
    sending = sending or LogSending()
    if follow and (not sending.project or dry_run):
        raise SettingError("--follow", "needs --project, where the counts are stored")
    with dns_lookups(reading.verify) as confirm, sending.receiver() as receiver:
        options = reading.options(confirm)
        for name in _followed(files) if follow else map(str, files):
            sent = sending.log(receiver, name, is_forced=force) if receiver is not None and not dry_run else None
            put = _discard if follow else counts.add
            totals = read_file(name, options, ranges, put, ProgressLine(Terminal.detect()), sent)
            is_complete &= _complain(name, totals, is_forced=force)
            if not follow:
                counts.files.append((name, totals))
            if sent is not None and (sent.hits or not follow):
                from findable.cli.log_sending import words_of

                sys.stderr.write(f"findable: {clean(name)}: {words_of(sent)}\n")
    if json:
        print_json(counts.document())
    else:
        _print_counts(counts, is_dry_run=dry_run)
    if receiver is not None and not dry_run:
        sys.stderr.write(f"findable: shown on {receiver.page}\n")
    if reading.verify != "none" and _has_old_lists(counts.document()["bots"], ranges):
        sys.stderr.write(f"findable: {_OLD_LISTS}\n")
    return 0 if is_complete else NOT_LOADED


def _has_old_lists(bots: Sequence[Mapping[str, Any]], ranges: BotRanges) -> bool:
    """Return whether newer lists of IP addresses would tell more about bots that are not verified."""
    last_days = {
        ranges.names.by_token[bot["bot"]].ranges: max(bot["days"]) for bot in bots if bot["verification"] == Verification.UNVERIFIED
    }
    dates = {one.name: one.readings[-1].last_on for one in ranges.lists}
    return any(name in dates and (date.fromisoformat(day) - dates[name]).days > FRESH_DAYS for name, day in last_days.items())


def _discard(_hits: Hits, _totals: LogTotals) -> None:
    """Keep no sums of a log that is followed for months."""


def _followed(files: Sequence[Path]) -> Iterator[str]:
    """Yield the logs and their rotated files, then every few seconds those that changed."""
    from findable.service.projects.log_folders import LogFiles
    from findable.service.projects.log_parts import source_of

    since = 0
    while True:
        started = int(now().timestamp())
        for file in files:
            with readable(file), closing(LogFiles(file.absolute().parent)) as folder:
                names = folder.changed_since(since, source_of(file.name))
            yield from (str(file.with_name(name)) for name in names)
        since = started
        time.sleep(FOLLOW_EVERY_S)


class LogCounts:
    """Sums over all files. The number of different URLs is bounded by `MAX_COUNTED_URLS`."""

    def __init__(self) -> None:
        self.files: list[tuple[str, LogTotals]] = []
        self._by_status: Counter[tuple[str, str, str]] = Counter()
        self._by_day: Counter[tuple[str, str, str]] = Counter()
        self._urls: dict[str, set[int]] = {}
        self._are_all_urls_counted = True

    def add(self, hits: Hits, _totals: LogTotals) -> None:
        """Add hits of a file."""
        for (day, token, verification), counts in hits.items():
            if verification is not Verification.FAKE:
                known = self._urls.setdefault(token, set())
                new = {text_key(url) for url, _ in counts} - known
                room = MAX_COUNTED_URLS - sum(map(len, self._urls.values()))
                known.update(islice(new, room))
                self._are_all_urls_counted &= room >= len(new)
            self._by_day[token, verification.value, day.isoformat()] += sum(counts.values())
            for (_, status), count in counts.items():
                self._by_status[token, verification.value, HitStatus(status).name.lower()] += count

    def document(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        bots = [
            {
                "bot": token,
                "verification": verification,
                "hits": sum(count for key, count in self._by_status.items() if key[:2] == (token, verification)),
                "statuses": {key[2]: count for key, count in sorted(self._by_status.items()) if key[:2] == (token, verification)},
                "days": {key[2]: count for key, count in sorted(self._by_day.items()) if key[:2] == (token, verification)},
            }
            for token, verification in {key[:2]: None for key in sorted(self._by_status)}
        ]
        return {
            "files": [_file_document(name, totals) for name, totals in self.files],
            "bots": sorted(bots, key=lambda bot: (-int(str(bot["hits"])), str(bot["bot"]))),
            "urls": {token: len(keys) for token, keys in sorted(self._urls.items())},
            "are_all_urls_counted": self._are_all_urls_counted,
        }


def _file_document(name: str, totals: LogTotals) -> dict[str, Any]:
    numbers = ("lines", "visitors", "hits", "unreadable", "without_request", "long_lines", "other_methods", "other_hosts", "outside_period")
    return {
        "file": name,
        "format": totals.format,
        "compression": totals.compression,
        "problem": totals.problem,
        **{number: getattr(totals, number) for number in numbers},
        "first_at": rfc3339(totals.first_at) if totals.first_at else None,
        "last_at": rfc3339(totals.last_at) if totals.last_at else None,
        "days": sorted(day.isoformat() for day in totals.days),
        "proxied": totals.proxied,
    }


def read_file(name: str, options: LogOptions, ranges: BotRanges, put: Put, progress: ProgressLine, sent: "PartedLog | None") -> LogTotals:
    """Read a file, or standard input if its name is ``-``. Raises SettingError if it cannot be read or its format is unknown."""
    try:
        with readable(name), nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb", buffering=0) as file:

            def read(count: int) -> bytes:
                progress.show(f"{name}: {blocks.decoded_bytes / 1e6:,.0f} MB")
                return file.read(count) or b""

            def put_both(hits: Hits, totals: LogTotals) -> None:
                put(hits, totals)
                if sent is not None:
                    sent.put(hits, totals)

            blocks = LogBlocks(read, find_earlier=sent.find_earlier if sent else None, seek=file.seek if file.seekable() else None)
            if sent is not None:
                sent.blocks = blocks
            return read_log(blocks, options, ranges, put_both)
    except UnknownLogFormat as error:
        raise SettingError(name, str(error)) from error
    finally:
        progress.clear()


@contextmanager
def dns_lookups(verify: str) -> Iterator[Confirm | None]:
    """Yield the look-up of IP addresses in DNS if it was requested."""
    if verify != "dns":
        yield None
        return
    from findable.fetch.resolver import Resolver
    from findable.fetch.reverse_dns import belongs_to

    with asyncio.Runner() as runner:
        resolver = Resolver()

        def confirm(bot: Bot, address: str) -> bool | None:
            return runner.run(belongs_to(resolver, address, bot.host_names))

        yield confirm
        runner.run(resolver.close())


def _complain(name: str, totals: LogTotals, *, is_forced: bool) -> bool:
    """Say on standard error what is wrong with a file; return whether it counts as read."""
    notes = []
    if totals.problem:
        notes.append(PROBLEMS[totals.problem])
    if totals.unreadable_share > MAX_UNREADABLE_SHARE and not is_forced:
        notes.append(f"{totals.unreadable_share:.0%} of the lines are unreadable; see --dry-run, or count them anyway with --force")
    for note in notes:
        sys.stderr.write(f"findable: {clean(name)}: {note}\n")
    return not notes


def _print_counts(counts: LogCounts, *, is_dry_run: bool) -> None:
    for name, totals in counts.files:
        _print_file(name, totals)
        for example in totals.examples if is_dry_run else ():
            print(f"  unreadable: {clean(example)}")
    document = counts.document()
    print(f"\n{'bot':<24} {'verification':<12} {'hits':>12}  statuses")
    for bot in document["bots"]:
        statuses = ", ".join(f"{name} {count:,}" for name, count in sorted(bot["statuses"].items(), key=lambda item: -item[1]))
        print(f"{bot['bot']:<24} {bot['verification']:<12} {bot['hits']:>12,}  {statuses}")
    if not document["bots"]:
        print("no requests of known bots")
    for token, count in document["urls"].items():
        print(f"{token}: {'' if document['are_all_urls_counted'] else 'at least '}{count:,} URLs")
    _print_fakes([totals for _, totals in counts.files])


def _print_file(name: str, totals: LogTotals) -> None:
    period = f", {totals.first_at:%Y-%m-%d %H:%M} to {totals.last_at:%Y-%m-%d %H:%M} UTC" if totals.first_at and totals.last_at else ""
    if not totals.lines:
        print(f"{clean(name)}: no new lines")
        return
    print(f"{clean(name)}: {totals.format}{f', {totals.compression}' if totals.compression else ''}{period}")
    print(f"  {totals.lines:,} lines, {totals.visitors:,} of visitors, {totals.hits:,} requests of bots, {totals.unreadable:,} unreadable")
    kinds = {
        "without an HTTP request": totals.without_request,
        "longer than 8 KiB": totals.long_lines,
        "of bots with other methods": totals.other_methods,
        "of bots to other hosts": totals.other_hosts,
        "of bots on other days": totals.outside_period,
    }
    if any(kinds.values()):
        print("  " + ", ".join(f"{count:,} {words}" for words, count in kinds.items() if count))
    if not totals.has_agents:
        print("  The log contains no user agents, so that bots cannot be recognized.")
    if totals.hits and totals.proxied == totals.hits:
        print(f"  {_BEHIND_PROXY}")


def _print_fakes(files: Sequence[LogTotals]) -> None:
    networks: Counter[tuple[str, str]] = Counter()
    for totals in files:
        networks.update(totals.fake_networks)
    if networks:
        print("\nnetworks of fakes (printed only, never stored)")
        for (token, network), count in networks.most_common(SHOWN_NETWORKS):
            print(f"  {count:>10,}  {token:<20} {network}")


def _field(text: str) -> tuple[str, str]:
    role, mark, name = text.partition("=")
    role = _FIELD_NAMES.get(role, role)
    if not mark or not name or role not in FIELDS:
        raise SettingError("--field", f"{text!r} is not like url=NAME; known are {', '.join(sorted({*FIELDS, *_FIELD_NAMES}))}")
    return role, name


def _network(text: str) -> IPv4Network | IPv6Network:
    return ip_network(text, strict=False)


def _day(option: str, text: str | None) -> date | None:
    return parsed(date.fromisoformat, text, option, "a date like 2026-11-01") if text else None
