"""Parts of a log that is being read, in the form in which a project stores them."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path

from findable.capture.hit_statuses import HitStatus
from findable.crawl.hit_document import HitGroup, encode_groups
from findable.errors import SettingError
from findable.formats.access_logs.detection import SAMPLE_LINES
from findable.formats.access_logs.log_blocks import HEAD_BYTES, LogBlocks, ReadBefore, short_hash
from findable.log_import import MAX_UNREADABLE_SHARE, Hits, LogTotals
from findable.service.values.log_values import LogImport, LogImportAdded, LogImportCreate

_ROTATED = re.compile(r"(?:[.-](?:\d{4}-\d\d-\d\d(?:[_T]\d{1,20}|-\d{9,20})|\d{1,8}|gz|zst|old)){1,20}\Z")


Send = Callable[[LogImportCreate], LogImportAdded | None]


class PartedLog:
    """Log whose requests of bots are handed on in parts while it is read.

    Args:
        send: receives a part and returns what was stored; None if another process stores it.
        source: server or CDN.
        known: logs that the service knows.
        replaces: whether earlier imports of the same time are replaced.
        is_forced: whether a log with many unreadable lines is sent, too.
    """

    def __init__(self, send: Send, source: str, known: Sequence[LogImport], *, replaces: bool = False, is_forced: bool = False) -> None:
        self._send, self.source, self._known = send, source, known
        self._replaces, self._is_forced = replaces, is_forced
        self.blocks: LogBlocks | None = None
        """Blocks of the log, set when it is opened."""
        self.import_id = 0
        """Import that has read a part of the log; 0 for none."""
        self._offset = 0
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
                self.import_id, self._offset, self.is_known = log.id, log.offset, True
                return ReadBefore(log.offset, log.tail_hash, log.format)
        return None

    def put(self, hits: Hits, totals: LogTotals) -> None:
        """Send a part of the log. Raises SettingError if the service refuses it, or if too many lines are unreadable."""
        blocks = self.blocks
        if totals.unreadable_share > MAX_UNREADABLE_SHARE and totals.lines >= SAMPLE_LINES and not self._is_forced:
            msg = f"{totals.unreadable_share:.0%} of the lines are unreadable; nothing more is sent without --force"
            raise SettingError(self.source, msg)
        if blocks is None or blocks.offset <= self._offset or totals.first_at is None or totals.last_at is None:
            return
        head = blocks.head[:HEAD_BYTES]
        made = self._send(
            LogImportCreate(
                source=self.source,
                format=totals.format,
                head_hash=short_hash(head),
                head_bytes=len(head),
                offset=blocks.offset,
                tail_hash=blocks.tail_hash,
                first_at=_seconds(totals.first_at),
                last_at=_seconds(totals.last_at),
                lines=totals.lines - self._sent_lines,
                unreadable=totals.unreadable - self._sent_unreadable,
                without_request=totals.without_request - self._sent_without,
                days=sorted(totals.days - self._sent_days),
                hits=encode_groups(_groups(hits)),
                continues=self.import_id,
                from_offset=self._offset,
                replace=self._replaces and not self.import_id,
            )
        )
        self._offset = blocks.offset
        self._sent_lines, self._sent_unreadable, self._sent_without = totals.lines, totals.unreadable, totals.without_request
        self._sent_days |= totals.days
        if made is not None:
            self.import_id = made.id
            self.hits += made.hits
            self.other_sites += made.other_sites


def source_of(name: str) -> str:
    """Return the name of a log without the suffixes of rotation and compression: ``access.log`` for ``access.log.2.gz``."""
    return _ROTATED.sub("", Path(name).name)[:100] or "log"


def _groups(hits: Hits) -> Iterator[HitGroup]:
    for (day, bot, verification), counts in hits.items():
        yield HitGroup(day, bot, verification, [(url, HitStatus(status), count) for (url, status), count in counts.items()])


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
