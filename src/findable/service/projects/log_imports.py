"""Imports of access logs of a project: stored requests of bots by day, bot, verification, URL and class of status."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date

import msgspec

from findable.artifacts.tables.bot_ranges import Verification
from findable.clock import now
from findable.crawl.hit_document import NoHitDocument, decode_groups
from findable.crawl.hit_packing import STATUSES
from findable.crawl.hit_urls import folded, kind_of
from findable.crawl.url_keys import text_key, url_key
from findable.errors import Conflict, CrawlUnreadable, NotFound, ValidationFailed
from findable.limits import MAX_LOG_URLS
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading, require, writing
from findable.service.alerts import alert_watch, bot_watch
from findable.service.crawls.crawl_access import open_store_of, site_crawl
from findable.service.projects.bot_hits import day_number
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import WRITE, Caller
from findable.service.values.crawl_values import CrawlView
from findable.service.values.log_values import LogImport, LogImportAdded, LogImportCreate
from findable.service.values.views import moment, view_of
from findable.store.crawl_url_data import known_keys
from findable.store.log_statements import LogImportRow, NewHitUrl
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.urls import origin_part, project_name
from findable.wording import Message, later

MAX_BYTES = 16_000_000
"""Size of the file of one part of a log."""
MAX_IMPORTS = 2000
MAX_FOLDED = 1000
"""Different URLs with the same path and names of parameters; further ones that are not in the crawl are counted together."""
OVERLAP_S = 120
"""Time that two logs of one source may have in common (set by Findable)."""
OBJECT_FORMATS = frozenset({"alb", "elb", "cloudfront", "logpush"})
"""Formats of CDNs and load balancers, which write many logs at the same time."""
DAYS_STORED = 396
"""Days for which requests are stored: 13 months."""
_TOO_LARGE = Message(later("The file is larger than %(most)s MB."), most=MAX_BYTES // 1_000_000)
_TOO_MANY = Message(later("A project has at most %(most)s logs. Delete old ones."), most=MAX_IMPORTS)
_OVERLAPS = later(
    "Lines of %(source)s from %(first)s to %(last)s were imported before, from another file. "
    "Name another source if this is another server, or replace them."
)
_MOVED_ON = later("This log was imported in the meantime. Read it again.")


def add(service: Service, caller: Caller, name_or_id: str, part: LogImportCreate) -> LogImportAdded:
    """Store the requests of a part of a log. The same part again changes nothing.

    Raises NotFound, ValidationFailed, and Conflict if lines of the same time were imported from another file of this source.
    """
    require(caller, WRITE)

    def note(session: Session, project: ProjectRow, hits: int) -> None:
        audit_log.record(session, caller, AuditAction.LOG_IMPORTED, project.name, source=part.source, lines=part.lines, hits=hits)

    return add_part(service, caller.account_id, lambda session: owned_project(session, caller, name_or_id), part, note)


def add_part(
    service: Service,
    account_id: int,
    find_project: Callable[[Session], ProjectRow],
    part: LogImportCreate,
    note: Callable[[Session, ProjectRow, int], None] = lambda _session, _project, _hits: None,
) -> LogImportAdded:
    """Store a part of a log in the project that is found then, see `add`. `note` gets the number of new requests."""
    hits = part.hits or b""
    if len(hits) > MAX_BYTES:
        raise ValidationFailed({"hits": [_TOO_LARGE]})
    with service.store.read() as session:
        project = find_project(session)
        crawl = site_crawl(service, session, project)
    groups, other_sites = _own_groups(project, origin_part(crawl.url) if crawl else f"https://{project.name}", hits)
    urls = {url for counts in groups.values() for url, _ in counts}
    crawled = _crawled_keys(service, crawl, urls)
    total = sum(sum(counts.values()) for counts in groups.values())
    with service.store.write() as session:
        project = find_project(session)
        rows = session.logs.imports(project.id)
        row, is_new = _import_row(session, project, rows, part)
        if not is_new:
            return view_of(LogImportAdded, row, is_new=False, hits=0, other_sites=other_sites)
        ids = _stored_urls(session, project, groups, crawled)
        for (day, bot, verification), counts in groups.items():
            stored: Counter[int] = Counter()
            for (url, status), count in counts.items():
                stored[ids[url] * STATUSES + status] += count
            session.logs.add_day(row.id, day, bot, verification, stored)
            session.logs.note_day(project.id, {place // STATUSES for place in stored}, day)
        known_days = {day for one in rows if one.source == row.source for day in _days_of(one)}
        if part.replace or not known_days.issuperset(part.days):  # a followed log is judged once a day
            bot_watch.watch_bots(session, account_id, project, session.moment)
        note(session, project, total)
    return view_of(LogImportAdded, row, is_new=True, hits=total, other_sites=other_sites)


def find(service: Service, caller: Caller, name_or_id: str) -> tuple[LogImport, ...]:
    """Return the imported logs of a project, the earliest first. Raises NotFound."""
    with reading(service, caller) as session:
        return imports_of(session, owned_project(session, caller, name_or_id).id)


def imports_of(session: Session, project_id: int) -> tuple[LogImport, ...]:
    """Return the imported logs of a project, see `find`."""
    return tuple(view_of(LogImport, row) for row in session.logs.imports(project_id))


def remove(service: Service, caller: Caller, name_or_id: str, import_id: int) -> None:
    """Delete a log with its requests. Raises NotFound."""
    with writing(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        if not session.logs.remove_imports(project.id, [import_id]):
            raise NotFound
        _after_deletion(session, caller, project, id=import_id)


def forget(service: Service, caller: Caller, name_or_id: str, source: str = "", before: date | None = None) -> int:
    """Delete the logs of a project, or of one source, with their requests; return how many logs there were. Raises NotFound.

    With ``before``, only requests before that day are deleted: the logs stay known, so that the same files do not bring them back.
    """
    with writing(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        chosen = [row for row in session.logs.imports(project.id) if source in ("", row.source)]
        ids = [row.id for row in chosen]
        if before is None:
            session.logs.remove_imports(project.id, ids)
        else:
            session.logs.forget_days(ids, day_number(before))
            for row in chosen:
                left = [day for day in _days_of(row) if day >= before]
                session.logs.change_import(row._replace(days_json=msgspec.json.encode(left).decode()))
        _after_deletion(session, caller, project, source=source, before=before.isoformat() if before else "")
    return len(chosen)


def _after_deletion(session: Session, caller: Caller, project: ProjectRow, **details: str | int) -> None:
    """Delete what was counted, and the URLs of a project without logs, judge its bots again, and record the deletion."""
    session.logs.remove_results(project.id)
    if not session.logs.imports(project.id):
        session.logs.remove_urls(project.id)
    bot_watch.watch_bots(session, caller.account_id, project, session.moment)
    alert_watch.close_unwatched(session, project.id, session.moment)
    audit_log.record(session, caller, AuditAction.LOG_DELETED, project.name, **details)


def delete_old(service: Service) -> bool:
    """Delete a few requests that are older than 13 months; return whether there may be more."""
    with service.store.write() as session:
        return session.logs.remove_before(day_number(now().date()) - DAYS_STORED, 100) > 0


def _own_groups(project: ProjectRow, origin: str, hits: bytes) -> tuple[dict[tuple[int, str, str], Counter[tuple[str, int]]], int]:
    """Return the requests by group, with absolute URLs, and the number of those of other sites.

    ``origin``: that of URLs without one.
    """
    insecure = f"https{origin[len('http') :]}/" if origin.startswith("http:") else " "
    found: dict[tuple[int, str, str], Counter[tuple[str, int]]] = {}
    other_sites = 0
    own: dict[str, bool] = {}
    try:
        for group in decode_groups(hits):
            counts = found.setdefault((day_number(group.day), group.bot, group.verification.value), Counter())
            for url, status, count in group.hits:
                absolute = f"{origin}{url}" if url.startswith("/") else url
                if absolute.startswith(insecure):  # most logs do not contain the scheme, and the reader assumes https
                    absolute = f"http{absolute[len('https') :]}"
                at = origin_part(absolute)
                if at not in own:
                    own[at] = project_name(f"{at}/") == project.name
                if own[at]:
                    counts[absolute, status] += count
                else:
                    other_sites += count
    except NoHitDocument as error:
        raise ValidationFailed({"hits": [str(error)]}) from error
    return {key: counts for key, counts in found.items() if counts}, other_sites


def _crawled_keys(service: Service, crawl: CrawlView | None, found: Iterable[str]) -> set[int]:
    """Return the keys of the URLs that the last crawl of the site knows."""
    if crawl is not None:
        with suppress(NotFound, CrawlUnreadable), open_store_of(service, crawl) as opened, opened.store.reading() as connection:
            return known_keys(connection, found)
    return set()


def _import_row(session: Session, project: ProjectRow, rows: Sequence[LogImportRow], part: LogImportCreate) -> tuple[LogImportRow, bool]:
    """Store the row of a log, and return it and whether the part is new. Raises Conflict, ValidationFailed."""
    same = next((row for row in rows if (row.head_hash, row.head_bytes) == (part.head_hash, part.head_bytes)), None)
    before = next((row for row in rows if row.id == part.continues), None) if part.continues else same
    if before is not None and not part.replace and (before.offset, before.tail_hash) == (part.offset, part.tail_hash):
        return before, False
    made = LogImportRow(
        id=0,
        days_json=msgspec.json.encode(part.days).decode(),
        imported_at=session.moment,
        **{name: getattr(part, name) for name in LogImportRow._fields if name not in ("id", "days_json", "imported_at")},
    )
    if part.continues:
        if before is None or before.offset != part.from_offset:
            raise Conflict(_MOVED_ON)
        changed = made._replace(
            id=before.id,
            source=before.source,
            days_json=msgspec.json.encode(sorted({*_days_of(before), *part.days})).decode(),
            first_at=min(before.first_at, part.first_at),
            last_at=max(before.last_at, part.last_at),
            lines=before.lines + part.lines,
            unreadable=before.unreadable + part.unreadable,
            without_request=before.without_request + part.without_request,
        )
        session.logs.change_import(changed)
        return changed, True
    overlapping = [row for row in rows if row is same or _overlaps(row, part)]
    if overlapping and not part.replace:
        words = {"source": part.source, "first": _day_of(overlapping[0].first_at), "last": _day_of(overlapping[-1].last_at)}
        raise Conflict(Message(_OVERLAPS, **words))
    session.logs.remove_imports(project.id, [row.id for row in overlapping])
    if len(rows) - len(overlapping) >= MAX_IMPORTS:
        raise ValidationFailed({"source": [_TOO_MANY]})
    return made._replace(id=session.logs.add_import(project.id, made)), True


def _overlaps(row: LogImportRow, part: LogImportCreate) -> bool:
    common_s = min(row.last_at, part.last_at) - max(row.first_at, part.first_at)
    return row.source == part.source and part.format not in OBJECT_FORMATS and common_s > OVERLAP_S


def _day_of(seconds: int) -> str:
    return moment(seconds).date().isoformat()


def _stored_urls(
    session: Session, project: ProjectRow, groups: Mapping[tuple[int, str, str], Counter[tuple[str, int]]], crawled: set[int]
) -> dict[str, int]:
    """Store the URLs that are new, those above a limit folded, and return the id of each.

    A URL that only fakes requested is stored only if it is in the crawl, because a fake may request anything.
    """
    days: dict[str, int] = {}
    is_genuine: set[str] = set()
    for (day, _, verification), counts in groups.items():
        for url, _ in counts:
            days[url] = max(day, days.get(url, 0))
            if verification != Verification.FAKE:
                is_genuine.add(url)
    keys = {url: url_key(url) for url in days}
    known = session.logs.ids_of(project.id, set(keys.values()))
    fresh = [url for url in days if keys[url] not in known]
    patterns = {url: text_key(folded(url)) for url in fresh if "?" in url}
    counts_by_pattern = Counter(session.logs.pattern_counts(project.id, set(patterns.values())))
    counts_by_pattern.update(patterns.values())
    room = MAX_LOG_URLS - session.logs.count_urls(project.id)
    rows_of: dict[str, str] = {}
    for url in sorted(fresh, key=lambda one: (keys[one] not in crawled, one)):
        is_crawled = keys[url] in crawled
        if not is_crawled and url not in is_genuine:
            rows_of[url] = f"{origin_part(url)}/…"
        elif (not is_crawled and url in patterns and counts_by_pattern[patterns[url]] > MAX_FOLDED) or room <= 0:
            rows_of[url] = folded(url) if "?" in url and room > 0 else f"{origin_part(url)}/…"
        else:
            rows_of[url] = url
            room -= 1
    rows = {row: keys[row] if row in keys else text_key(row) for row in rows_of.values()}
    known |= session.logs.ids_of(project.id, {key for row, key in rows.items() if row not in keys})
    newest: dict[str, int] = {}
    for url, row in rows_of.items():
        newest[row] = max(days[url], newest.get(row, 0))
    known |= session.logs.add_urls(
        project.id,
        [
            NewHitUrl(key, row, None if row.endswith("…") else patterns.get(row), kind_of(row).value, newest[row])
            for key, row in {key: row for row, key in rows.items() if key not in known}.items()
        ],
    )
    return {url: known[rows[rows_of[url]] if url in rows_of else keys[url]] for url in days}


def _days_of(row: LogImportRow) -> list[date]:
    return msgspec.json.decode(row.days_json, type=list[date])
