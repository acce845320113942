"""Routes of batches, which create reports of many URLs: `/batches`."""

from msgspec.structs import replace

from findable.errors import Conflict, ValidationFailed
from findable.service.reports import batches
from findable.service.reports.batches import NewBatch
from findable.service.runtime import idempotency
from findable.service.runtime.idempotency import StoredReply
from findable.web.api import batch_shapes
from findable.web.api.batch_shapes import Batch, BatchSummary, Member
from findable.web.api.operation import Call, Data, Items, RawReply, Reply, Trail, operation
from findable.web.api.report_creation import RETRY_AFTER_S, idempotency_key, replayed
from findable.web.api.request_models import BatchCreate, BatchListQuery, password_warning
from findable.web.api.shape_parts import trail
from findable.web.api.validation import value_or
from findable.web.bodies import MANY


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
            new = await batches.read_sitemap(call.service, call.caller, sitemap)
            await call.require_still()  # reading the body may have taken a minute
        new = replace(new, privacy=value_or(body.privacy), password=password, existing=body.existing, browser=value_or(body.browser))
        created = await call.service.run(batches.create, call.caller, new, key)
    if created.reply is not None:
        return replayed(created.reply)
    call.warnings += password_warning(password, created.batch.privacy)
    headers = {"Location": call.at.batch(created.batch.id), "Retry-After": str(RETRY_AFTER_S)}
    found = call.raw(call.write_reply(Reply(batch_shapes.batch(created.batch, call.at), 202, headers), created.batch.id))
    if key is not None:
        await call.service.run(idempotency.keep_reply, call.caller, key.key, StoredReply(found.status, found.headers, found.body))
    return found


@operation("GET", "/batches", {200: Trail[BatchSummary]}, reply_headers=("Link",))
def list_batches(call: Call, *, query: BatchListQuery) -> Reply:
    """List batches.

    Newest first, without their failures.
    """
    place = {"before": before} if (before := value_or(query.before)) is not None else {}
    found = batches.find(call.service, call.caller, limit=query.per_page + 1, **place)
    return trail(call, found, query.per_page, "before", lambda view: batch_shapes.batch_summary(view, call.at))


@operation("GET", "/batches/{id}", {200: Data[Batch]})
def get_batch(call: Call, batch: int) -> Reply:
    """Read a batch.

    Its counts show its progress.
    """
    return Reply(batch_shapes.batch(batches.get(call.service, call.caller, batch), call.at))


@operation("GET", "/batches/{id}/reports", {200: Items[Member]})
def list_batch_reports(call: Call, batch: int) -> Reply:
    """List the URLs of a batch with their reports.

    All URLs, in the order sent.
    """
    return Reply([batch_shapes.member(item, call.at) for item in batches.members(call.service, call.caller, batch)])
