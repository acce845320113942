"""Routes of requests of bots, counted in access logs: `/projects/{project}/log-imports` and `/projects/{project}/bot-hits`."""

from datetime import date
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from findable.crawl.hit_document import MAX_COUNT
from findable.errors import Conflict
from findable.export.report_json import DateTime
from findable.service.projects import log_imports
from findable.service.projects.log_imports import DayHits, LogImportView, LogPart, UrlHits
from findable.values import shape_of
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.shape_parts import Deleted
from findable.web.api.validation import value_or
from findable.web.bodies import Bounds

PATH = "/projects/{project}/log-imports"
BODY = Bounds(log_imports.MAX_BYTES * 14 // 10, 24)
"""Limits of the body: a file of maximum size, encoded in base64."""
_Number = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
_Hash = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
_Day = date


class LogImportCreate(Struct, frozen=True):
    """Part of an access log that was read, with the requests of bots in it, as `findable logs --to` sends it."""

    source: Annotated[str, Meta(min_length=1, max_length=100)]
    """Server or CDN."""
    format: Annotated[str, Meta(max_length=40)]
    """Format of the log."""
    head_hash: _Hash
    """BLAKE2b hash (16 bytes) of the first `head_bytes` decoded bytes, which identifies the log."""
    head_bytes: Annotated[int, Meta(ge=1, le=1 << 16)]
    """Number of these bytes, at most 65,536."""
    offset: _Number
    """Decoded bytes that are read now."""
    tail_hash: _Hash
    """BLAKE2b hash of the last 4,096 bytes before `offset`."""
    first_at: _Number
    """Time of the first line, in seconds since 1970."""
    last_at: _Number
    """Time of the last line, in seconds since 1970."""
    lines: _Number
    """Number of lines."""
    days: Annotated[list[_Day], Meta(max_length=5000)]
    """Days in UTC with lines."""
    hits: bytes | UnsetType = UNSET
    """Requests of bots: lines of JSON, compressed with Zstandard; base64 unless the body is multipart."""
    unreadable: _Number = 0
    """Number of unreadable lines."""
    without_request: _Number = 0
    """Number of lines without an HTTP request."""
    continues: _Number = 0
    """Id of the import that this part continues."""
    from_offset: _Number = 0
    """Decoded bytes that this import had read."""
    replace: bool = False
    """Whether imports of the same source and time are deleted."""


class LogImport(Struct, frozen=True, kw_only=True):
    """Access log that was imported, up to `offset` decoded bytes."""

    id: int
    object: Literal["log_import"]
    source: str
    format: str
    head_hash: str
    head_bytes: int
    offset: int
    tail_hash: str
    first_at: DateTime
    last_at: DateTime
    lines: int
    unreadable: int
    without_request: int
    days: list[_Day]
    imported_at: DateTime


class LogImportAdded(LogImport, frozen=True, kw_only=True):
    """Result of an import. `is_new` is false if the part was imported before; `other_sites` counts requests of URLs of other sites."""

    is_new: bool
    hits: int
    other_sites: int


class LogImportDeleted(Deleted[Literal["log_import"]], frozen=True, kw_only=True):
    """Deleted import with its requests."""


class BotHits(Struct, frozen=True, kw_only=True):
    """Requests of a bot on one day. `verification` is verified, fake or unverified; `statuses` counts them by class of status."""

    object: Literal["bot_hits"]
    day: _Day
    bot: str
    verification: Literal["verified", "fake", "unverified"]
    hits: int
    statuses: dict[str, int]


class BotHitUrl(Struct, frozen=True, kw_only=True):
    """Requests of a URL by bots, without fakes."""

    object: Literal["bot_hit_url"]
    url: str
    hits: int
    bots: dict[str, int]
    statuses: dict[str, int]
    last_day: _Day


class HitsQuery(Struct, frozen=True):
    """Period and bot of requests."""

    since: _Day | UnsetType = UNSET
    """First day. Default: 30 days before the last one."""
    until: _Day | UnsetType = UNSET
    """Last day. Default: the last day of the logs."""


class UrlHitsQuery(HitsQuery, frozen=True):
    """Period and bot of requests."""

    bot: Annotated[str, Meta(max_length=40)] = ""
    """Product token of a bot, such as Googlebot. Default: all."""


@operation("GET", PATH, {200: Items[LogImport]})
def list_log_imports(call: Call, project: str) -> Reply:
    """List the imported access logs of a project."""
    return Reply([_log(view) for view in log_imports.find(call.service, call.caller, project)])


_EXAMPLE = {"source": "access.log", "format": "combined", "head_hash": "9f2c4a71d0be0000" * 2, "head_bytes": 65536, "offset": 177_000_000}
_EXAMPLE |= {"tail_hash": "71d0be9f2c4a0000" * 2, "first_at": 1_793_491_200, "last_at": 1_795_305_599, "lines": 1_000_000}


@operation(
    "POST",
    PATH,
    {200: Data[LogImportAdded], 201: Data[LogImportAdded]},
    Conflict,
    bounds=BODY,
    example={**_EXAMPLE, "days": ["2026-11-01", "2026-11-02"]},
)
def add_log_import(call: Call, project: str, *, body: LogImportCreate) -> Reply:
    """Store the requests of bots in a part of an access log.

    `findable logs FILE --project NAME --to URL` reads the log where it is and sends only these counts. The same part again changes nothing
    (200). If lines of the same source and time were imported from another file, nothing is stored (409).
    """
    given = structs.asdict(body)
    hits, replaces = value_or(given.pop("hits"), b""), given.pop("replace")
    part = LogPart(**{**given, "days": tuple(body.days)})
    made = log_imports.add(call.service, call.caller, project, part, hits, replaces=replaces)
    shape = LogImportAdded(**structs.asdict(_log(made.log)), is_new=made.is_new, hits=made.hits, other_sites=made.other_sites)
    return call.write_reply(Reply(shape, 201 if made.is_new else 200), 0)


@operation("DELETE", f"{PATH}/{{import_id}}", {200: Data[LogImportDeleted]})
def delete_log_import(call: Call, project: str, import_id: int) -> Reply:
    """Delete an imported access log with its requests."""
    log_imports.remove(call.service, call.caller, project, import_id)
    return call.write_reply(Reply(LogImportDeleted(id=import_id, object="log_import", deleted=True)), 0)


@operation("GET", "/projects/{project}/bot-hits", {200: Items[BotHits]})
def list_bot_hits(call: Call, project: str, *, query: HitsQuery) -> Reply:
    """List the requests of bots by day, bot and verification."""
    found = log_imports.days(call.service, call.caller, project, value_or(query.since), value_or(query.until))
    return Reply([_day(one) for one in found])


@operation("GET", "/projects/{project}/bot-hits/urls", {200: Items[BotHitUrl]})
def list_bot_hit_urls(call: Call, project: str, *, query: UrlHitsQuery) -> Reply:
    """List the URLs that bots requested most, at most 1,000."""
    found = log_imports.urls(call.service, call.caller, project, value_or(query.since), value_or(query.until), query.bot)
    return Reply([_url(one) for one in found])


def _log(view: LogImportView) -> LogImport:
    return shape_of(LogImport, view, object="log_import", days=list(view.days))


def _day(hits: DayHits) -> BotHits:
    return shape_of(BotHits, hits, object="bot_hits", statuses=dict(hits.statuses))


def _url(hits: UrlHits) -> BotHitUrl:
    return shape_of(BotHitUrl, hits, object="bot_hit_url", bots=dict(hits.bots), statuses=dict(hits.statuses))
