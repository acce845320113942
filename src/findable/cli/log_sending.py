"""Send the requests of bots in an access log to a service, part by part. Only counts leave this machine."""

import asyncio
import re
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from findable.capture.bot_hits import HitStatus
from findable.cli.audit_requests import Access, guard_of, typed_url
from findable.cli.terminal import clean
from findable.crawl.hit_document import HitGroup, encode_groups
from findable.errors import SettingError
from findable.formats.access_logs.log_blocks import HEAD_BYTES, LogBlocks, ReadBefore, short_hash
from findable.log_import import MAX_UNREADABLE_SHARE, Hits, LogTotals
from findable.service.runtime.json_requests import JsonRequest, UnexpectedResponse, read_json, unpaused_fetcher
from findable.service_urls import API
from findable.settings import Settings

DEADLINE_S = 120.0
MAX_RESPONSE_BYTES = 20_000_000
RETRY_S = (1.0, 5.0, 20.0)
"""Pauses before a request is repeated that the service could not serve now."""
_TRANSIENT = frozenset({0, 429, 502, 503, 504})
_ROTATED = re.compile(r"(?:[.-](?:\d{1,8}|gz|zst|old|\d{4}-\d\d-\d\d(?:[-_T]\d+)?))+\Z")
T = TypeVar("T")


class KnownLog(Struct, frozen=True):
    """Log that the service knows."""

    id: int
    head_hash: str
    head_bytes: int
    offset: int
    tail_hash: str


class _Added(Struct, frozen=True):
    id: int
    is_new: bool
    hits: int
    other_sites: int


class _Reply(Struct, frozen=True):
    data: _Added


class _List(Struct, frozen=True):
    data: list[KnownLog]


class _Problem(Struct, frozen=True):
    message: str
    errors: dict[str, list[str]] = {}


class LogReceiver:
    """Project of a service that receives requests of bots.

    Args:
        url: URL of the service, without ``/api/v1``.
        project: name of the project.
        key: API key that may write.
        settings: settings of this machine.
        runner: event loop for the requests.
    """

    def __init__(self, url: str, project: str, key: str, settings: Settings, runner: asyncio.Runner) -> None:
        parsed = typed_url(url)
        self._url = f"{parsed.origin}{parsed.path.rstrip('/').removesuffix(API)}{API}/projects/{quote(project, safe='')}/log-imports"
        self._lines = (("Authorization", f"Bearer {key}"), ("Content-Type", "application/json"))
        self._settings, self._guard, self._runner = settings, guard_of(Access(), settings, [parsed]), runner

    def known(self) -> list[KnownLog]:
        """Return the logs that the service knows. Raises SettingError if it refuses the request."""
        return self._send(None, _List).data

    def send(self, part: dict[str, object]) -> _Added:
        """Send a part of a log. Raises SettingError if the service refuses it."""
        return self._send(msgspec.json.encode(part), _Reply).data

    def _send(self, payload: bytes | None, kind: type[T]) -> T:
        request = JsonRequest(self._url, DEADLINE_S, MAX_RESPONSE_BYTES, self._lines, payload)
        for pause_s in (*RETRY_S, None):
            try:
                return self._runner.run(self._requested(request, kind))
            except UnexpectedResponse as error:
                if error.status not in _TRANSIENT or pause_s is None:
                    raise SettingError("--to", _words(error)) from error
                time.sleep(error.retry_after_s or pause_s)
        raise AssertionError

    async def _requested(self, request: JsonRequest, kind: type[T]) -> T:
        async with unpaused_fetcher(self._settings, self._guard) as fetcher:
            return await read_json(fetcher, request, kind)


def _words(error: UnexpectedResponse) -> str:
    """Return the sentence of the service about an error."""
    try:
        problem = msgspec.json.decode(error.body, type=_Problem)
    except msgspec.DecodeError:
        return str(error)
    return " ".join([problem.message, *(sentence for sentences in problem.errors.values() for sentence in sentences)])


@contextmanager
def receiver_of(url: str, project: str, key_file: Path | None, settings: Settings) -> Iterator[LogReceiver]:
    """Open a receiver. Raises SettingError."""
    if not project or key_file is None:
        raise SettingError("--to", "needs --project and --key-file, a file with an API key that may write")
    try:
        key = key_file.read_text().strip()
    except OSError as error:
        raise SettingError("--key-file", f"{key_file} cannot be read: {error.strerror}") from error
    if not key.isascii() or not key.isprintable() or not key:
        raise SettingError("--key-file", f"{key_file} does not contain an API key")
    with asyncio.Runner() as runner:
        yield LogReceiver(url, project, key, settings, runner)


class SentLog:
    """Log that is sent in parts while it is read.

    Args:
        receiver: where to.
        source: server or CDN.
        known: logs that the service knows.
        replaces: whether earlier imports of the same time are replaced.
        is_forced: whether a log with many unreadable lines is sent, too.
    """

    def __init__(self, receiver: LogReceiver, source: str, known: Sequence[KnownLog], *, replaces: bool, is_forced: bool) -> None:
        self._receiver, self._source, self._known = receiver, source, known
        self._replaces, self._is_forced = replaces, is_forced
        self.blocks: LogBlocks | None = None
        """Blocks of the log, set when it is opened."""
        self._import_id = self._offset = 0
        self._sent_lines = self._sent_unreadable = self._sent_without = 0
        self._sent_days: set[date] = set()
        self.hits = 0
        """Requests of bots that were stored now."""
        self.other_sites = 0
        self.is_known = False
        """Whether an earlier import had read at least a part of the log."""

    def find_earlier(self, head: bytes) -> ReadBefore | None:
        """Return how far the service has read a log that begins like this."""
        for log in self._known:
            if log.head_bytes <= len(head) and short_hash(head[: log.head_bytes]) == log.head_hash and not self._replaces:
                self._import_id, self._offset, self.is_known = log.id, log.offset, True
                return ReadBefore(log.offset, log.tail_hash)
        return None

    def put(self, hits: Hits, totals: LogTotals) -> None:
        """Send a part of the log. Raises SettingError if the service refuses it, or if too many lines are unreadable."""
        blocks = self.blocks
        if totals.unreadable_share > MAX_UNREADABLE_SHARE and not self._is_forced:
            msg = f"{totals.unreadable_share:.0%} of the lines are unreadable; nothing more is sent without --force"
            raise SettingError(self._source, msg)
        if blocks is None or blocks.offset <= self._offset or totals.first_at is None or totals.last_at is None:
            return
        head = blocks.head[:HEAD_BYTES]
        made = self._receiver.send(
            {
                "source": self._source,
                "format": totals.format,
                "head_hash": short_hash(head),
                "head_bytes": len(head),
                "offset": blocks.offset,
                "tail_hash": blocks.tail_hash,
                "first_at": _seconds(totals.first_at),
                "last_at": _seconds(totals.last_at),
                "lines": totals.lines - self._sent_lines,
                "unreadable": totals.unreadable - self._sent_unreadable,
                "without_request": totals.without_request - self._sent_without,
                "days": sorted(totals.days - self._sent_days),
                "hits": b64encode(encode_groups(_groups(hits))).decode(),
                "continues": self._import_id,
                "from_offset": self._offset,
                "replace": self._replaces and not self._import_id,
            }
        )
        self._import_id, self._offset = made.id, blocks.offset
        self._sent_lines, self._sent_unreadable, self._sent_without = totals.lines, totals.unreadable, totals.without_request
        self._sent_days |= totals.days
        self.hits += made.hits
        self.other_sites += made.other_sites

    def words(self) -> str:
        """Return what was stored, as a sentence."""
        known = "continued where an earlier import ended; " if self.is_known else ""
        other = f"; {self.other_sites:,} requests of other sites were not stored" if self.other_sites else ""
        return clean(f"sent as {self._source}: {known}{self.hits:,} requests of bots are new{other}")


def source_of(name: str) -> str:
    """Return the name of a log without the suffixes of rotation and compression: ``access.log`` for ``access.log.2.gz``."""
    return _ROTATED.sub("", Path(name).name)[:100] or "log"


def _groups(hits: Hits) -> Iterator[HitGroup]:
    for (day, bot, verification), counts in hits.items():
        yield HitGroup(day, bot, verification, [(url, HitStatus(status), count) for (url, status), count in counts.items()])


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
