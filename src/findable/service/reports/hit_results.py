"""Results that are counted over all requests of bots in the last days of a project's logs, stored until the logs change."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar, cast

import msgspec

from findable.clock import now
from findable.crawl.hit_packing import DayHits
from findable.errors import Unavailable
from findable.formats.access_logs.log_blocks import short_hash
from findable.service.runtime.recent_values import RecentValues
from findable.service.runtime.service import Service
from findable.store.log_statements import HitResultRow, LogImportRow
from findable.store.packed_values import pack_page, unpack
from findable.store.store_protocol import Session

DAYS = 30
"""Days of requests that are counted, up to the last day of the logs (set by Findable)."""
LARGE = 200_000
"""Entries (URL, class of status, bot, day and log) from which readers get an earlier result while a worker counts again."""
ENTRIES_A_SECOND = 6000
"""Entries for each second of the pause before large results are counted again, a tenth of the speed of counting all of them."""
WAIT_S = 120
"""Time beyond the pause for which readers get an earlier result."""
MAX_RESULTS = 64
"""Results of a project, of its bots and crawls."""
Made = TypeVar("Made")
_cached: RecentValues[object] = RecentValues(32)
"""Results by name and data."""


def version_of(imports: Sequence[LogImportRow]) -> tuple[tuple[int, int, str], ...]:
    """Return what identifies the logs of a project as they are now: ids, offsets and days."""
    return tuple((row.id, row.offset, row.days_json) for row in imports)


def last_day_of(imports: Sequence[LogImportRow]) -> int:
    """Return the last day of logs, in days since 1970."""
    return max(row.last_at for row in imports) // 86_400


def is_resting(row: HitResultRow, more_s: float = 0) -> bool:
    """Return whether a large result was counted so recently that it is not counted again."""
    return row.size >= LARGE and now().timestamp() < row.counted_at + row.size / ENTRIES_A_SECOND + more_s


class HitResults:
    """Results of a project.

    Args:
        service: service.
        session: transaction for reading.
        project_id: project.
        is_worker: whether results are counted now even if readers get earlier ones.
    """

    def __init__(self, service: Service, session: Session, project_id: int, *, is_worker: bool = False) -> None:
        self._service, self._is_worker = service, is_worker
        self.session, self.project_id = session, project_id
        self.imports = session.logs.imports(project_id)

    def get(
        self, name: str, kind: type[Made], make: Callable[[Sequence[DayHits]], Made], about: object = None, bot: str = ""
    ) -> tuple[Made, str]:
        """Return a result and its version: the stored one of these logs, an earlier large one until a worker counted again, or a new one.

        Args:
            name: name of the result.
            kind: its type.
            make: counts it; there must be logs.
            about: what else it depends on.
            bot: the only bot whose requests are counted; empty for all.
        """
        version = short_hash(repr((version_of(self.imports), about)).encode())
        row = self.session.logs.result(self.project_id, name)
        if row is not None and (row.version == version or (not self._is_worker and is_resting(row, WAIT_S))):
            data = row.data
            return cast("Made", _cached.get((name, data), lambda: msgspec.msgpack.decode(unpack(data), type=kind))), row.version
        first_day, started = last_day_of(self.imports) - DAYS + 1, int(now().timestamp())
        days = self.session.logs.hits(self.project_id, first_day, first_day + DAYS - 1, bot)
        made = make(days)
        size = sum(len(one.places) for one in days)
        new = HitResultRow(version, first_day, started, size, pack_page(msgspec.msgpack.encode(made)))
        with suppress(Unavailable), self._service.store.write() as writing:
            if version_of(writing.logs.imports(self.project_id)) == version_of(self.imports):  # a deleted log must not come back
                writing.logs.save_result(self.project_id, name, new, MAX_RESULTS)
        return made, version
