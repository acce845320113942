"""Routes of batches, which create reports of many URLs: `/batches`."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from findable.errors import Conflict, PageError, PageErrorCode, ValidationFailed
from findable.reports.page_error_text import sentences_of
from findable.service.reports import batch_sitemaps, batches
from findable.service.reports.batches import MAX_URLS, BatchMembers, BatchView, MemberView, NewBatch
from findable.service.runtime import idempotency
from findable.service.values.paging import PerPage
from findable.service.values.report_values import Existing
from findable.service_urls import ServiceUrls
from findable.store.batch_statements import REFUSED
from findable.urls import MAX_URL_CHARS
from findable.values import shape_of
from findable.vocabulary import BrowserUse, Privacy
from findable.web.api.operation import Call, Data, Items, RawReply, Reply, Trail, operation
from findable.web.api.report_creation import RETRY_AFTER_S, idempotency_key, replayed
from findable.web.api.request_models import password_warning
from findable.web.api.shape_parts import Result, Score, cursor_page_reply
from findable.web.api.validation import value_or
from findable.web.bodies import MANY

_URLS = Meta(description=f"URLs, at most {MAX_URLS:,}. In a form: repeat the field, or one URL per line.")


class BatchListQuery(Struct, frozen=True):
    """The query of `GET /batches`."""

    before: Annotated[int, Meta(ge=1, le=2**62)] | UnsetType = UNSET
    """Lists only batches with smaller numbers."""
    per_page: PerPage = 10
    """Rows per page."""


class BatchCreate(Struct, frozen=True):
    """URLs of the new reports of a batch: either `urls` or `sitemap`."""

    urls: Annotated[list[str], _URLS] | UnsetType = UNSET
    sitemap: Annotated[str, Meta(max_length=MAX_URL_CHARS)] | UnsetType = UNSET
    """URL of a sitemap or of an index of sitemaps, optionally gzipped, instead of urls."""
    privacy: Privacy | UnsetType = UNSET
    """Access to every new report, as for a single report. Default: the strictest default of their projects."""
    password: str | UnsetType = UNSET
    """Password, required with privacy 2; never returned."""
    existing: Existing = Existing.RERUN
    """rerun: the newest report of a URL gets a new run; its link, access, notes and accepted findings stay. new: every URL gets a new
    report."""
    browser: BrowserUse | UnsetType | None = UNSET
    """Browser mode of these reports from now on; null: the setting of the report or its project."""


class MemberFailure(Struct, frozen=True, kw_only=True):
    """URL of a batch without a result, with the reason."""

    url: str
    report: int | None
    code: str
    message: str
    retryable: bool


class BatchLinks(Struct, frozen=True, kw_only=True):
    """URLs of a batch."""

    self: str
    html: str
    reports: str


class BatchSummary(BatchMembers, frozen=True, kw_only=True):
    """Batch in a list, with its counts but without its failed URLs."""

    object: Literal["batch"] = "batch"
    status: Literal["running", "done"]
    sitemap: str | None
    privacy: Literal[0, 1, 2]
    links: BatchLinks


class Batch(BatchSummary, frozen=True, kw_only=True):
    """Batch with its failed URLs."""

    failures: list[MemberFailure]


class MemberLinks(Struct, frozen=True, kw_only=True):
    """Links to the report of a URL in a batch; without members if there is no report."""

    report: str | UnsetType = UNSET
    html: str | UnsetType = UNSET


class Member(Struct, frozen=True, kw_only=True):
    """URL of a batch. `report` is null if the URL is not yet queued or was rejected, or if its report was deleted."""

    object: Literal["member"] = "member"
    url: str
    state: Literal["waiting", "queued", "running", "done", "failed", "refused", "deleted"]
    report: int | None
    result: Result | None
    score: Score | None
    links: MemberLinks


def batch_summary(view: BatchView, urls: ServiceUrls) -> BatchSummary:
    """Return a batch in the shape of lists."""
    own = urls.batch(view.id)
    return shape_of(
        BatchSummary,
        view,
        status="done" if view.is_finished else "running",
        sitemap=view.source or None,
        links=BatchLinks(self=own, html=urls.batch_page(view.id), reports=f"{own}/reports"),
    )


def batch(view: BatchView, urls: ServiceUrls) -> Batch:
    """Return a batch with its failed URLs in the shape of the API."""
    return Batch(**msgspec.structs.asdict(batch_summary(view, urls)), failures=[_failure(member) for member in view.failures])


def _failure(member: MemberView) -> MemberFailure:
    if member.refused:
        return shape_of(MemberFailure, member, code=REFUSED, message=member.refused, retryable=False)
    error = member.error or PageError(PageErrorCode.INTERNAL_ERROR)
    return shape_of(MemberFailure, member, code=error.code.value, message=sentences_of(error), retryable=error.retryable)


def member(view: MemberView, urls: ServiceUrls) -> Member:
    """Return a URL of a batch in the shape of the API."""
    links = MemberLinks()
    if view.report and view.public_id:
        links = MemberLinks(report=urls.report(view.report), html=urls.share_page(view.public_id))
    return shape_of(Member, view, links=links)


@operation(
    "POST",
    "/batches",
    {202: Data[Batch]},
    Conflict,
    bounds=MANY,
    header_parameters=("Idempotency-Key",),
    reply_headers=("Location", "Retry-After", "Idempotent-Replayed"),
    example={"urls": ["https://example.com/", "https://example.com/about"]},
)
async def create_batch(call: Call, *, body: BatchCreate) -> RawReply:
    """Create reports of many URLs.

    A URL with an existing report gets a new run of it, unless existing is new. The body may have 4 MiB. The response is immediate; poll the
    batch after Retry-After. URLs that cannot be analysed are listed among the failures.
    """
    urls, sitemap, password = value_or(body.urls, ()), value_or(body.sitemap), value_or(body.password)
    if urls and sitemap:
        raise ValidationFailed({"sitemap": ["Send either urls or sitemap."]})
    key = idempotency_key(call, purpose="batch")
    created = await call.service.run(batches.find_replay, call.caller, key) if key else None
    if created is None:
        new = NewBatch(urls)
        if sitemap:
            new = await batch_sitemaps.read_sitemap(call.service, call.caller, sitemap)
            await call.require_still()  # the key may have been revoked while the body arrived
        new = replace(new, privacy=value_or(body.privacy), password=password, existing=body.existing, browser=value_or(body.browser))
        created = await call.service.run(batches.create, call.caller, new, key)
    if created.reply is not None:
        return replayed(created.reply)
    call.warnings += password_warning(password, created.batch.privacy)
    headers = {"Location": call.at.batch(created.batch.id), "Retry-After": str(RETRY_AFTER_S)}
    found = call.raw(call.write_reply(Reply(batch(created.batch, call.at), 202, headers), created.batch.id))
    if key is not None:
        await call.service.run(idempotency.store_reply, call.caller, key.key, found)
    return found


@operation("GET", "/batches", {200: Trail[BatchSummary]}, reply_headers=("Link",))
def list_batches(call: Call, *, query: BatchListQuery) -> Reply:
    """List batches.

    Newest first, without their failures.
    """
    place = {"before": before} if (before := value_or(query.before)) is not None else {}
    found = batches.find(call.service, call.caller, limit=query.per_page + 1, **place)
    return cursor_page_reply(call, found, query.per_page, "before", lambda view: batch_summary(view, call.at))


@operation("GET", "/batches/{id}", {200: Data[Batch]})
def get_batch(call: Call, batch_id: int) -> Reply:
    """Read a batch.

    Its counts show its progress.
    """
    return Reply(batch(batches.get(call.service, call.caller, batch_id), call.at))


@operation("GET", "/batches/{id}/reports", {200: Items[Member]})
def list_batch_reports(call: Call, batch_id: int) -> Reply:
    """List the URLs of a batch with their reports.

    All URLs, in the order sent.
    """
    return Reply([member(item, call.at) for item in batches.members(call.service, call.caller, batch_id)])
