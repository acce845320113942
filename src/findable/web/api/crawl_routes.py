"""Routes of crawls (`/crawls`): create, list, read, stop, resume, rescore and delete."""

from msgspec import structs

from findable.errors import Conflict, QuotaExceeded
from findable.service.crawls import crawl_access, crawls
from findable.service.values.crawl_values import CrawlResume, CrawlView, NewCrawl
from findable.web.api.crawl_shapes import CrawlDeleted, CrawlShape, crawl
from findable.web.api.operation import Call, Data, Listing, RawReply, Reply, operation
from findable.web.api.report_creation import RETRY_AFTER_S, idempotency_key, replayed, stored_reply
from findable.web.api.report_routes import matches
from findable.web.api.request_models import CrawlCreate, CrawlListQuery, CrawlReadQuery, WaitQuery, password_warning
from findable.web.api.shape_parts import page_reply
from findable.web.api.validation import input_of
from findable.web.api.waiting import Waiting, waiting
from findable.web.bodies import MANY


@operation(
    "POST",
    "/crawls",
    {202: Data[CrawlShape], 201: Data[CrawlShape]},
    Conflict,
    QuotaExceeded,
    bounds=MANY,
    header_parameters=("Prefer", "Idempotency-Key"),
    reply_headers=("Location", "ETag", "Preference-Applied", "Retry-After", "Idempotent-Replayed"),
    example={"url": "https://example.com/", "pages": 500},
)
async def create_crawl(call: Call, *, body: CrawlCreate, query: WaitQuery) -> RawReply:
    """Crawl a site.

    The response is immediate and contains upper limits of time and space; poll the crawl after Retry-After. With wait, 201 if the crawl
    ends within that time. The body may have 4 MiB.
    """
    pause = waiting(call, query, 0)
    key = idempotency_key(call, purpose="crawl")
    new = new_crawl(body)
    created = await call.service.run(crawls.create, call.caller, new, key)
    if created.reply is not None:
        return replayed(created.reply)
    call.warnings += password_warning(new.password, created.crawl.privacy)
    return await stored_reply(call, key, _created_reply(call, created.crawl, pause))


def new_crawl(body: CrawlCreate) -> NewCrawl:
    """Return the crawl that a request or a form describes."""
    return input_of(
        NewCrawl,
        body,
        hosts=tuple(body.hosts),
        listed_urls=tuple(body.list_),
        include=tuple(body.include),
        exclude=tuple(body.exclude),
        judged_as=body.as_,
        external=bool(body.external),
        uploaded=bool(body.uploaded),
    )


async def _created_reply(call: Call, view: CrawlView, pause: Waiting) -> RawReply:
    if pause.seconds:
        await call.service.wait_until_crawled(view.id, pause.seconds, call.caller.account)
        await call.require_still()
        view = await call.service.run(crawls.current, call.caller, view.id)
    headers = {"Location": call.at.crawl(view.id), "ETag": f'"{view.etag}"', **pause.headers}
    if not view.is_finished:
        headers["Retry-After"] = str(RETRY_AFTER_S)
    reply = Reply(crawl(view, call.at, call.say), 201 if view.is_finished else 202, headers)
    return call.raw(call.write_reply(reply, view.id, view.updated_at))


@operation("GET", "/crawls", {200: Listing[CrawlShape]}, reply_headers=("Link",))
def list_crawls(call: Call, *, query: CrawlListQuery) -> Reply:
    """List crawls.

    Filters are combined with AND; crawls without a value for the sort key come first in ascending order.
    """
    page = crawls.find(call.service, call.caller, query.to_query())
    items = [crawl(item, call.at, call.say) for item in page.items]
    return page_reply(call, page, items)


@operation(
    "GET",
    "/crawls/{id}",
    {200: Data[CrawlShape], 304: None},
    header_parameters=("Prefer", "If-None-Match"),
    reply_headers=("ETag", "Preference-Applied"),
)
async def get_crawl(call: Call, crawl_id: int, *, query: CrawlReadQuery) -> Reply | RawReply:
    """Read a crawl.

    Includes its progress while it is running; with wait, responds after its end.
    """
    pause = waiting(call, query, 0)
    view = await call.service.run(crawls.get, call.caller, crawl_id)
    if pause.seconds and not view.is_finished:
        await call.service.wait_until_crawled(view.id, pause.seconds, call.caller.account)
        await call.require_still()
        view = await call.service.run(crawls.get, call.caller, crawl_id)
    headers = {"ETag": f'"{view.etag}"', **pause.headers}
    if matches(call.headers.get("if-none-match", ""), view.etag):
        return RawReply(b"", 304, headers)
    shape = crawl(view, call.at, call.say)
    if view.score is not None:
        report = await call.service.run(crawl_access.report, view)
        shape = structs.replace(shape, score_parts=report.score_parts if report is not None else ())
    return Reply(shape, headers=headers)


@operation("POST", "/crawls/{id}/stop", {200: Data[CrawlShape]}, header_parameters=("If-Match",), reply_headers=("ETag",))
def stop_crawl(call: Call, crawl_id: int) -> Reply:
    """Stop a crawl.

    It ends a moment later with the pages crawled so far. A finished crawl does not change.
    """
    return _changed_reply(call, crawls.stop(call.service, call.caller, crawl_id, call.if_match))


@operation(
    "POST",
    "/crawls/{id}/resume",
    {202: Data[CrawlShape]},
    Conflict,
    QuotaExceeded,
    header_parameters=("If-Match",),
    reply_headers=("ETag", "Retry-After"),
    example={"pages": 20_000},
)
def resume_crawl(call: Call, crawl_id: int, *, body: CrawlResume) -> Reply:
    """Continue a crawl that was stopped, failed or ended by a limit.

    409 if it is complete. A crawl that reached its maximum number of pages needs a higher maximum.
    """
    view = crawls.resume(call.service, call.caller, crawl_id, body, call.if_match)
    return _changed_reply(call, view, 202, {"Retry-After": str(RETRY_AFTER_S)})


@operation(
    "POST",
    "/crawls/{id}/judge",
    {202: Data[CrawlShape]},
    Conflict,
    QuotaExceeded,
    header_parameters=("If-Match",),
    reply_headers=("ETag", "Retry-After"),
)
def judge_crawl(call: Call, crawl_id: int) -> Reply:
    """Rescore a crawl from its stored responses.

    Uses the current ruleset, and the current segments and extractors of its project. Nothing is requested, and the earlier results can be
    read meanwhile; status is settling. Pages whose response is not stored keep their verdicts; their values of new extractors are null. 409
    while the crawl is running.
    """
    view = crawls.rescore(call.service, call.caller, crawl_id, call.if_match)
    return _changed_reply(call, view, 202, {"Retry-After": str(RETRY_AFTER_S)})


def _changed_reply(call: Call, view: CrawlView, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    reply = Reply(crawl(view, call.at, call.say), status, {"ETag": f'"{view.etag}"', **(headers or {})})
    return call.write_reply(reply, view.id, view.updated_at)


@operation("DELETE", "/crawls/{id}", {200: Data[CrawlDeleted]}, header_parameters=("If-Match",))
def delete_crawl(call: Call, crawl_id: int) -> Reply:
    """Delete a crawl with its pages."""
    crawls.delete(call.service, call.caller, crawl_id, call.if_match)
    return Reply(CrawlDeleted(id=crawl_id, object="crawl"))
