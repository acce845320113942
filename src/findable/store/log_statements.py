"""SQL statements for the requests of bots that were counted in access logs."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import Text, bindparam, delete, func, insert, or_, select, tuple_, update

from findable.crawl.hit_packing import STATUSES, UrlHits, pack_hits, unpack_hits
from findable.store.crawl_frontier import parts
from findable.store.packed_values import pack_page, unpack
from findable.store.schema.log_tables import log_day, log_folder, log_import, log_url
from findable.store.schema.project_tables import project
from findable.store.statements import Statements, columns

AT_ONCE = 2000


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


class HitDayRow(NamedTuple):
    """Requests of a bot on one day in one log."""

    source: str
    day: int
    bot: str
    verification: str
    statuses_json: str


_IMPORTS = (
    select(*columns(LogImportRow, log_import))
    .where(log_import.c.project_id == bindparam("project"))
    .order_by(log_import.c.first_at, log_import.c.id)
)
_WITHIN = (
    log_import.c.project_id == bindparam("project"),
    log_day.c.day >= bindparam("since"),
    log_day.c.day <= bindparam("until"),
)
_DAYS = (
    select(*columns(HitDayRow, log_day, source=log_import.c.source))
    .join(log_import, log_import.c.id == log_day.c.log_import_id)
    .where(*_WITHIN)
    .order_by(log_day.c.day, log_day.c.bot, log_day.c.verification)
)
_BOT = bindparam("of_bot", type_=Text)
_PACKED = (
    select(log_day.c.day, log_day.c.bot, log_day.c.verification, log_day.c.data)
    .join(log_import)
    .where(*_WITHIN, or_(_BOT == "", log_day.c.bot == _BOT), log_day.c.verification != bindparam("except_verification"))
    .order_by(log_day.c.day)
)
_DAY = log_day.c.log_import_id == bindparam("log_import"), log_day.c.day == bindparam("at_day"), log_day.c.bot == bindparam("of_bot")
_DATA = select(log_day.c.data).where(*_DAY, log_day.c.verification == bindparam("of_verification"))


class LogRows(Statements):
    """SQL statements for requests of bots, in one transaction."""

    def imports(self, project_id: int) -> list[LogImportRow]:
        """Return the logs of a project, the earliest first."""
        return self._all(LogImportRow, _IMPORTS, {"project": project_id})

    def add_import(self, project_id: int, row: LogImportRow) -> int:
        """Store a log, whatever the id of the row, and return its id."""
        made = self._connection.execute(insert(log_import).values(project_id=project_id, **_stored(row)).returning(log_import.c.id))
        return int(made.scalar_one())

    def change_import(self, row: LogImportRow) -> None:
        """Replace the row of a log."""
        self._connection.execute(update(log_import).where(log_import.c.id == row.id).values(**_stored(row)))

    def remove_imports(self, project_id: int, ids: Collection[int]) -> int:
        """Delete logs with their requests; return how many there were."""
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
        found: dict[int, int] = {}
        for some in parts(list(keys)):
            here = select(log_url.c.url_key, log_url.c.id).where(log_url.c.project_id == project_id, log_url.c.url_key.in_(some))
            found.update((key, number) for key, number in self._connection.execute(here))
        return found

    def pattern_counts(self, project_id: int, patterns: Iterable[int]) -> dict[int, int]:
        """Return the number of stored URLs by the row in which they would be folded."""
        found: dict[int, int] = {}
        for some in parts(list(patterns)):
            here = (log_url.c.project_id == project_id, log_url.c.pattern.in_(some))
            rows = self._connection.execute(select(log_url.c.pattern, func.count()).where(*here).group_by(log_url.c.pattern))
            found.update((pattern, count) for pattern, count in rows)
        return found

    def add_urls(self, project_id: int, urls: Sequence[NewHitUrl]) -> dict[int, int]:
        """Store URLs that are not stored yet; return their ids by URL key.

        The statement returns rows, so that PostgreSQL gets a thousand URLs at once, not one after the other.
        """
        if not urls:
            return {}
        rows = [{"project_id": project_id, **url._asdict()} for url in urls]
        made = self._connection.execute(insert(log_url).returning(log_url.c.url_key, log_url.c.id), rows)
        return dict(made.all())

    def note_day(self, project_id: int, ids: Iterable[int], day: int) -> None:
        """Note that URLs were requested on a day."""
        for some in parts(list(ids)):
            here = (log_url.c.project_id == project_id, log_url.c.id.in_(some), log_url.c.last_day < day)
            self._connection.execute(update(log_url).where(*here).values(last_day=day))

    def add_day(self, import_id: int, day: int, bot: str, verification: str, hits: UrlHits) -> None:
        """Add requests of a bot on one day to those of the same log."""
        key = {"log_import_id": import_id, "day": day, "bot": bot, "verification": verification}
        names = {"log_import": import_id, "at_day": day, "of_bot": bot, "of_verification": verification}
        before = self._connection.execute(_DATA, names).scalar()
        total = unpack_hits(unpack(before)) if before is not None else {}
        for place, count in hits.items():
            total[place] = total.get(place, 0) + count
        statuses = [0] * STATUSES
        for place, count in total.items():
            statuses[place % STATUSES] += count
        self._upsert(log_day, key, {"statuses": msgspec.json.encode(statuses).decode(), "data": pack_page(pack_hits(total))})

    def days(self, project_id: int, since: int, until: int) -> list[HitDayRow]:
        """Return the requests by day, bot and verification, one row for each log."""
        return self._all(HitDayRow, _DAYS, {"project": project_id, "since": since, "until": until})

    def hits(
        self, project_id: int, since: int, until: int, bot: str = "", except_verification: str = ""
    ) -> Iterator[tuple[int, str, str, UrlHits]]:
        """Yield (day, bot, verification, hits) of a period by day, one by one, because all together may need much memory.

        Without a bot those of all bots.
        """
        names = {"project": project_id, "since": since, "until": until, "of_bot": bot, "except_verification": except_verification}
        for day, token, verification, data in self._connection.execute(_PACKED, names):
            yield day, token, verification, unpack_hits(unpack(data))

    def urls(self, project_id: int, ids: Iterable[int]) -> dict[int, HitUrlRow]:
        """Return stored URLs by id."""
        found: dict[int, HitUrlRow] = {}
        for some in parts(list(ids)):
            here = (log_url.c.project_id == project_id, log_url.c.id.in_(some))
            found |= {row.id: row for row in self._all(HitUrlRow, select(*columns(HitUrlRow, log_url)).where(*here))}
        return found

    def keys(self, project_id: int) -> Iterator[tuple[int, int]]:
        """Return (id, URL key) of all stored URLs, one by one."""
        chosen = select(log_url.c.id, log_url.c.url_key).where(log_url.c.project_id == project_id)
        rows = self._connection.execute(chosen, execution_options={"yield_per": AT_ONCE})
        return ((number, key) for number, key in rows)

    def each_url(self, project_id: int) -> Iterator[HitUrlRow]:
        """Yield all stored URLs."""
        chosen = select(*columns(HitUrlRow, log_url)).where(log_url.c.project_id == project_id)
        for row in self._connection.execute(chosen, execution_options={"yield_per": AT_ONCE}):
            yield HitUrlRow(*row)

    def remove_before(self, day: int, limit: int) -> int:
        """Delete some requests before a day, logs without any left and URLs not requested since; return how many rows."""
        old = self._connection.execute(
            select(log_day.c.log_import_id, log_day.c.day, log_day.c.bot, log_day.c.verification).where(log_day.c.day < day).limit(limit)
        ).all()
        if old:
            key = tuple_(log_day.c.log_import_id, log_day.c.day, log_day.c.bot, log_day.c.verification)
            self._connection.execute(delete(log_day).where(key.in_([tuple(row) for row in old])))
            return len(old)
        ended = select(log_import.c.id).where(log_import.c.last_at < day * 86_400).limit(limit)
        gone = self._connection.execute(delete(log_import).where(log_import.c.id.in_(ended))).rowcount
        stale = select(log_url.c.id).where(log_url.c.last_day < day).limit(limit)
        return gone + self._connection.execute(delete(log_url).where(log_url.c.id.in_(stale))).rowcount


def _stored(row: LogImportRow) -> dict[str, object]:
    return {name.removesuffix("_json"): value for name, value in row._asdict().items() if name != "id"}
