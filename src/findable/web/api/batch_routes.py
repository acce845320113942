"""`/batches`: many addresses at once."""

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.serialization import encode_json
from msgspec.structs import replace

from findable.errors import ValidationFailed
from findable.service.reports import batches
from findable.service.reports.batches import NewBatch
from findable.service.runtime import idempotency
from findable.service.runtime.app import Service
from findable.service.values.use_cases import WRITE, Caller, StoredReply
from findable.web.api import response_shapes
from findable.web.api.api_urls import API, link_header, links_by_place
from findable.web.api.exchange import ApiRequest, Exchange, begin, data, number, raw_reply, reply
from findable.web.api.report_creation import RETRY_AFTER_S, idempotency_key
from findable.web.api.request_models import BatchBody, BatchListQuery, NoQuery, read, unknown_names, unknown_parameters, unused_password
from findable.web.bodies import MANY, Fields

LISTS = frozenset({"urls"})


@post(f"{API}/batches", status_code=202)
async def create_batch(request: ApiRequest) -> Response[bytes]:
    """Accepts a batch. It is answered at once: no waiting slot is taken."""
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    fields = await exchange.fields(LISTS, MANY)
    sent = read(BatchBody, fields)
    if sent.urls and sent.sitemap:
        raise ValidationFailed({"sitemap": ["Send either urls or sitemap."]})
    key = idempotency_key(exchange.headers, fields, of="batch")
    created = await exchange.service.run(batches.replayed, caller, key) if key else None
    if created is None:
        new = NewBatch(sent.urls or ())
        if sent.sitemap:
            new = await batches.read_sitemap(exchange.service, caller, sent.sitemap)
            await exchange.require_still()  # it may have taken a minute
        created = await exchange.service.run(batches.create, caller, replace(new, privacy=sent.privacy, password=sent.password), key)
    if created.reply is not None:
        return raw_reply(created.reply.body, created.reply.status, {**created.reply.headers, "Idempotent-Replayed": "true"})
    answer = _answer(exchange, created.batch, fields, unused_password(sent.password, sent.privacy))
    if key is not None:
        await exchange.service.run(idempotency.keep_reply, caller, key.key, answer)
    return raw_reply(answer.body, answer.status, answer.headers)


def _answer(exchange: Exchange, batch: batches.BatchView, fields: Fields, warnings: list[str]) -> StoredReply:
    headers = {"Location": exchange.at.batch(batch.id), "Retry-After": str(RETRY_AFTER_S)}
    ignored = [*unknown_names(BatchBody, fields), *unknown_parameters(NoQuery, exchange.query), *warnings]
    return StoredReply(202, headers, encode_json(data(response_shapes.batch(batch, exchange.at), ignored)))


@get(f"{API}/batches")
async def list_batches(request: ApiRequest) -> Response[bytes]:
    """The newest batches, without failures."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> dict[str, Any]:
        query = read(BatchListQuery, exchange.query)
        place = {} if query.before is None else {"before": query.before}
        found = batches.find(service, caller, limit=query.per_page + 1, **place)
        shown = found[: query.per_page]
        following = shown[-1].id if len(found) > len(shown) else None
        body = data([response_shapes.batch_summary(item, exchange.at) for item in shown], unknown_names(BatchListQuery, exchange.query))
        return {**body, "links": links_by_place(exchange.path, exchange.query, following)}

    answer = await exchange.asked(work)
    return reply(answer, headers={"Link": link_header(answer["links"])})


@get(f"{API}/batches/{{batch_id:str}}")
async def get_batch(request: ApiRequest, batch_id: FromPath[str]) -> Response[bytes]:
    """How far a batch is."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> response_shapes.Batch:
        return response_shapes.batch(batches.get(service, caller, number(batch_id)), exchange.at)

    return reply(data(await exchange.asked(work), []))


@get(f"{API}/batches/{{batch_id:str}}/reports")
async def list_members(request: ApiRequest, batch_id: FromPath[str]) -> Response[bytes]:
    """The addresses of a batch with their reports."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> list[response_shapes.Member]:
        return [response_shapes.member(item, exchange.at) for item in batches.members(service, caller, number(batch_id))]

    return reply(data(await exchange.asked(work), []))
