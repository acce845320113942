"""SQL statements for the requests of bots that were counted in access logs."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import starmap
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, bindparam, delete, func, insert, select, tuple_, update

from findable.crawl.hit_packing import STATUSES, DayHits, UrlHits, pack_hits, unpack_arrays, unpack_hits
from findable.store.dialect import numbers_in, read_rows
from findable.store.packed_values import pack_page, unpack
from findable.store.schema.log_tables import log_day, log_folder, log_import, log_result, log_url
from findable.store.schema.project_tables import project
from findable.store.statements import Statements, columns
from findable.values import batches_of

AT_ONCE = 10_000
NOTED_DAYS = 31
"""Days for which the newest request of a URL is not noted again, because each note is a write."""


class LogImportRow(NamedTuple):
    """Log that was read, up to an offset."""

    id: int
    source: str
    format: str
    head_hash: str
    head_bytes: int
    offset: int
    tail_hash: str
    first_at: int
    last_at: int
    lines: int
    unreadable: int
    without_request: int
    days_json: str
    imported_at: int


class LogFolderRow(NamedTuple):
    """Folder of the operator that is assigned to a project."""

    project_id: int
    account_id: int
    name: str
    due_at: int
    read_at: int | None
    problems_json: str


class HitUrlRow(NamedTuple):
    """URL that bots requested."""

    id: int
    url_key: int
    url: str
    kind: int


class NewHitUrl(NamedTuple):
    """URL to store."""

    url_key: int
    url: str
    pattern: int | None
    kind: int
    last_day: int


class HitResultRow(NamedTuple):
    """Result of counting over all URLs."""

    version: str
    first_day: int
    counted_at: int
    size: int
    """Number of entries that were counted."""
    data: bytes


class HitDayRow(NamedTuple):
    """Requests of a bot on one day in one log."""

    source: str
    day: int
    bot: str
    verification: str
    statuses_json: str


_URLS = select(*columns(HitUrlRow, log_url)).where(log_url.c.project_id == bindparam("project"))
_URLS_BETWEEN = _URLS.where(log_url.c.id >= bindparam("start"), log_url.c.id < bindparam("end")).order_by(log_url.c.id)


class LogRows(Statements):
    """SQL statements for requests of bots, in one transaction."""

    def imports(self, project_id: int) -> list[LogImportRow]:
        """Return the logs of a project, the earliest first."""
        found = select(*columns(LogImportRow, log_import)).where(log_import.c.project_id == project_id)
        return self._all(LogImportRow, found.order_by(log_import.c.first_at, log_import.c.id))

    def add_import(self, project_id: int, row: LogImportRow) -> int:
        """Store a log, whatever the id of the row, and return its id."""
        made = self._connection.execute(insert(log_import).values(project_id=project_id, **_stored(row)).returning(log_import.c.id))
        return int(made.scalar_one())

    def change_import(self, row: LogImportRow) -> None:
        """Replace the row of a log."""
        self._connection.execute(update(log_import).where(log_import.c.id == row.id).values(**_stored(row)))

    def remove_imports(self, project_id: int, ids: Collection[int]) -> int:
        """Delete logs with their requests, and all results that contain them; return how many logs there were."""
        if not ids:
            return 0
        self.remove_results(project_id)
        here = (log_import.c.project_id == project_id, log_import.c.id.in_(ids))
        return self._connection.execute(delete(log_import).where(*here)).rowcount

    def forget_days(self, ids: Collection[int], before: int) -> None:
        """Delete the requests of logs before a day; the logs stay known, so that their lines are not counted again."""
        self._connection.execute(delete(log_day).where(log_day.c.log_import_id.in_(ids), log_day.c.day < before))

    def remove_urls(self, project_id: int) -> None:
        """Delete all stored URLs of a project without logs."""
        self._connection.execute(delete(log_url).where(log_url.c.project_id == project_id))

    def folders(self, project_id: int | None = None) -> list[LogFolderRow]:
        """Return the folders of a project, or of all."""
        chosen = select(*columns(LogFolderRow, log_folder, account_id=project.c.account_id)).join(project)
        chosen = chosen.where(project.c.deleted_at.is_(None)).order_by(log_folder.c.name, log_folder.c.project_id)
        return self._all(LogFolderRow, chosen if project_id is None else chosen.where(log_folder.c.project_id == project_id))

    def assign_folder(self, project_id: int, name: str) -> None:
        """Assign a folder to a project; its files are read from their beginnings."""
        row = {"due_at": 0, "read_at": None, "problems": "{}"}
        self._upsert(log_folder, {"project_id": project_id, "name": name}, row)

    def change_folder(self, row: LogFolderRow, **values: object) -> bool:
        """Change a folder; return whether it is still assigned and due at the same time."""
        here = (log_folder.c.project_id == row.project_id, log_folder.c.name == row.name, log_folder.c.due_at == row.due_at)
        return self._connection.execute(update(log_folder).where(*here).values(**values)).rowcount > 0

    def remove_folder(self, project_id: int, name: str) -> bool:
        """End an assignment; return whether there was one."""
        here = (log_folder.c.project_id == project_id, log_folder.c.name == name)
        return self._connection.execute(delete(log_folder).where(*here)).rowcount > 0

    def count_urls(self, project_id: int) -> int:
        """Return the number of stored URLs."""
        return int(self._connection.execute(select(func.count()).where(log_url.c.project_id == project_id)).scalar_one())

    def ids_of(self, project_id: int, keys: Iterable[int]) -> dict[int, int]:
        """Return the ids of stored URLs by URL key."""
        chosen = select(log_url.c.url_key, log_url.c.id).where(log_url.c.project_id == project_id)
        return {
            row.url_key: row.id
            for some in self._in_parts(keys)
            for row in self._connection.execute(chosen.where(log_url.c.url_key.in_(some)))
        }

    def pattern_counts(self, project_id: int, patterns: Iterable[int]) -> dict[int, int]:
        """Return the number of stored URLs by the row in which they would be folded."""
        chosen = select(log_url.c.pattern, func.count()).where(log_url.c.project_id == project_id).group_by(log_url.c.pattern)
        found = (row for some in self._in_parts(patterns) for row in self._connection.execute(chosen.where(log_url.c.pattern.in_(some))))
        return {row[0]: row[1] for row in found}

    def add_urls(self, project_id: int, urls: Sequence[NewHitUrl]) -> dict[int, int]:
        """Store URLs that are not stored yet; return their ids by URL key.

        The statement returns rows, so that PostgreSQL gets a thousand URLs at once, not one after the other.
        """
        if not urls:
            return {}
        newest = self._connection.execute(select(func.max(log_url.c.id)).where(log_url.c.project_id == project_id)).scalar() or 0
        rows = [{"project_id": project_id, "id": number, **url._asdict()} for number, url in enumerate(urls, newest + 1)]
        self._connection.execute(insert(log_url).returning(log_url.c.id), rows).all()
        return {url.url_key: number for number, url in enumerate(urls, newest + 1)}

    def note_day(self, project_id: int, ids: Iterable[int], day: int) -> None:
        """Note that URLs were requested on a day, if the noted one is not of the last month."""
        for some in self._in_parts(ids):
            here = (log_url.c.project_id == project_id, log_url.c.id.in_(some), log_url.c.last_day < day - NOTED_DAYS)
            self._connection.execute(update(log_url).where(*here).values(last_day=day))

    def add_day(self, import_id: int, day: int, bot: str, verification: str, hits: UrlHits) -> None:
        """Add requests of a bot on one day to those of the same log."""
        key = {"log_import_id": import_id, "day": day, "bot": bot, "verification": verification}
        before = self._connection.execute(select(log_day.c.data).where(*(log_day.c[name] == value for name, value in key.items()))).scalar()
        total = unpack_hits(unpack(before)) if before is not None else {}
        for place, count in hits.items():
            total[place] = total.get(place, 0) + count
        statuses = [0] * STATUSES
        for place, count in total.items():
            statuses[place % STATUSES] += count
        self._upsert(log_day, key, {"statuses": msgspec.json.encode(statuses).decode(), "data": pack_page(pack_hits(total))})

    def days(self, project_id: int, since: int, until: int) -> list[HitDayRow]:
        """Return the requests by day, bot and verification, one row for each log."""
        found = select(*columns(HitDayRow, log_day, source=log_import.c.source)).join(log_import)
        found = found.where(log_import.c.project_id == project_id, log_day.c.day.between(since, until))
        return self._all(HitDayRow, found.order_by(log_day.c.day, log_day.c.bot, log_day.c.verification))

    def hits(self, project_id: int, since: int, until: int, bot: str = "") -> list[DayHits]:
        """Return the requests of a period by day, of all bots or one: 16 bytes for each URL, class of status, bot, day and log."""
        found = select(log_day.c.day, log_day.c.bot, log_day.c.verification, log_day.c.data).join(log_import)
        found = found.where(log_import.c.project_id == project_id, log_day.c.day.between(since, until))
        rows = self._connection.execute((found.where(log_day.c.bot == bot) if bot else found).order_by(log_day.c.day))
        return [DayHits(day, token, verification, *unpack_arrays(unpack(data))) for day, token, verification, data in rows]

    def urls(self, project_id: int, ids: Iterable[int]) -> dict[int, HitUrlRow]:
        """Return stored URLs by id."""
        chosen = (_URLS.where(log_url.c.id.in_(some)) for some in self._in_parts(ids))
        return {row.id: row for statement in chosen for row in self._all(HitUrlRow, statement, {"project": project_id})}

    def urls_between(self, project_id: int, start: int, end: int) -> list[HitUrlRow]:
        """Return the stored URLs with ids from ``start`` to ``end`` (excluded), in their order."""
        rows = read_rows(self._connection, _URLS_BETWEEN, {"project": project_id, "start": start, "end": end})
        return list(starmap(HitUrlRow, rows))

    def result(self, project_id: int, name: str) -> HitResultRow | None:
        """Return a stored result."""
        chosen = select(*columns(HitResultRow, log_result)).where(log_result.c.project_id == project_id, log_result.c.name == name)
        return self._first(HitResultRow, chosen)

    def result_versions(self, project_id: int) -> list[tuple[str, str]]:
        """Return name and version of all stored results."""
        chosen = select(log_result.c.name, log_result.c.version).where(log_result.c.project_id == project_id).order_by(log_result.c.name)
        return [(row[0], row[1]) for row in self._connection.execute(chosen)]

    def save_result(self, project_id: int, name: str, row: HitResultRow, most: int) -> None:
        """Store a result, in place of an earlier one; delete the oldest of more than ``most``."""
        self._upsert(log_result, {"project_id": project_id, "name": name}, row._asdict())
        here = log_result.c.project_id == project_id
        newest = select(log_result.c.name).where(here).order_by(log_result.c.counted_at.desc(), log_result.c.name)
        old = self._connection.execute(newest.offset(most)).scalars().all()
        self._connection.execute(delete(log_result).where(here, log_result.c.name.in_(old)))

    def changed_since(self, moment: int) -> list[tuple[int, int]]:
        """Return (project, account) of logs that changed since a moment."""
        changed = select(log_import.c.id).where(log_import.c.project_id == project.c.id, log_import.c.imported_at >= moment)
        chosen = select(project.c.id, project.c.account_id).where(project.c.deleted_at.is_(None), changed.exists())
        return [(row[0], row[1]) for row in self._connection.execute(chosen)]

    def claim_result(self, project_id: int, name: str, counted_at: int, moment: int) -> bool:
        """Set when a result was counted last, unless another process did; return whether it was set."""
        here = (log_result.c.project_id == project_id, log_result.c.name == name, log_result.c.counted_at == counted_at)
        return self._connection.execute(update(log_result).where(*here).values(counted_at=moment)).rowcount > 0

    def remove_results(self, project_id: int) -> None:
        """Delete all results of a project, because what they were counted from was deleted."""
        self._connection.execute(delete(log_result).where(log_result.c.project_id == project_id))

    def remove_before(self, day: int, limit: int) -> int:
        """Delete some requests before a day, logs without any left and URLs not requested since; return how many rows."""
        self._connection.execute(delete(log_result).where(log_result.c.first_day < day))
        old = self._connection.execute(
            select(log_day.c.log_import_id, log_day.c.day, log_day.c.bot, log_day.c.verification).where(log_day.c.day < day).limit(limit)
        ).all()
        if old:
            key = tuple_(log_day.c.log_import_id, log_day.c.day, log_day.c.bot, log_day.c.verification)
            self._connection.execute(delete(log_day).where(key.in_([tuple(row) for row in old])))
            return len(old)
        ended = select(log_import.c.id).where(log_import.c.last_at < day * 86_400).limit(limit)
        gone = self._connection.execute(delete(log_import).where(log_import.c.id.in_(ended))).rowcount
        key = tuple_(log_url.c.project_id, log_url.c.id)
        stale = select(log_url.c.project_id, log_url.c.id).where(log_url.c.last_day < day - NOTED_DAYS).limit(limit)
        return gone + self._connection.execute(delete(log_url).where(key.in_(stale))).rowcount

    def _in_parts(self, numbers: Iterable[int]) -> Iterator[Select[Any]]:
        return (numbers_in(self._connection.dialect.name, some) for some in batches_of(numbers, AT_ONCE))


def _stored(row: LogImportRow) -> dict[str, object]:
    return {name.removesuffix("_json"): value for name, value in row._asdict().items() if name != "id"}
