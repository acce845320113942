"""Making reports and making them again: `POST /reports`, `PUT /reports/{id}` and its two other names."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from litestar import Response, patch, post, put
from litestar.params import FromPath
from litestar.serialization import encode_json
from msgspec.structs import replace

from findable.errors import BadRequest, ValidationFailed
from findable.service.reports import reports
from findable.service.runtime import idempotency
from findable.service.sites.url_input import read_address
from findable.service.values.use_cases import READ, UNSET, WRITE, Caller, IdempotencyKey, NewReport, ReportChanges, ReportView, StoredReply
from findable.vocabulary import Privacy
from findable.web.api import response_shapes
from findable.web.api.api_urls import API
from findable.web.api.exchange import DEFAULT_WAIT_S, ApiRequest, Exchange, Waiting, begin, data, number, raw_reply, reply, waiting
from findable.web.api.request_models import (
    CreateBody,
    Parameters,
    UpdateBody,
    WaitQuery,
    errors_of,
    read,
    unknown_names,
    unknown_parameters,
    unused_password,
)
from findable.web.bodies import Fields

RETRY_AFTER_S = 2
"""When a client that was not kept waiting should ask again."""


@post(f"{API}/reports")
async def create_report(request: ApiRequest) -> Response[bytes]:
    """Makes a report."""
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    fields = await exchange.fields()
    pause = waiting(exchange, DEFAULT_WAIT_S)
    key = idempotency_key(exchange.headers, fields)
    new = _new_report(exchange, fields)
    created = await exchange.service.run(reports.create, caller, new, key)
    if created.reply is not None:
        return raw_reply(created.reply.body, created.reply.status, {**created.reply.headers, "Idempotent-Replayed": "true"})
    warnings = [*_ignored(exchange, CreateBody, fields), *unused_password(new.password, new.privacy)]
    if key is None:
        return _as_response(await _created(exchange, caller, created.report.id, pause, warnings))
    try:
        stored = await _created(exchange, caller, created.report.id, pause, warnings)
        await exchange.service.run(idempotency.keep_reply, caller, key.key, stored)
    except BaseException:
        await exchange.service.run(idempotency.release, caller, key.key)
        raise
    return _as_response(stored)


def _new_report(exchange: Exchange, fields: Fields) -> NewReport:
    """What is asked for. Where a field has the wrong type the address is looked at all the same, so that all errors come at once."""
    wrong = errors_of(CreateBody, fields)
    if not wrong:
        sent = read(CreateBody, fields)
        return NewReport(sent.url, sent.privacy, sent.password)
    if "url" not in wrong:
        address = read_address(fields.get("url"), exchange.service.guard)
        wrong |= {"url": [address]} if isinstance(address, str) else {}
    raise ValidationFailed(wrong)


def idempotency_key(headers: Mapping[str, str], fields: Fields, *, of: str = "") -> IdempotencyKey | None:
    """The key of a request, None without one; ``of`` tells requests apart that have the same fields. Raises BadRequest."""
    key = headers.get("idempotency-key", "").strip()
    if not key:
        return None
    if not re.fullmatch(r"[ -~]{1,255}", key):
        raise BadRequest("An Idempotency-Key has 1 to 255 visible ASCII characters.")
    payload = of.encode() + json.dumps(fields, sort_keys=True, default=str).encode()
    return IdempotencyKey(key, hashlib.sha256(payload).hexdigest())


async def _created(exchange: Exchange, caller: Caller, report_id: int, pause: Waiting, warnings: list[str]) -> StoredReply:
    report = await _after(exchange, caller, report_id, pause)
    headers = {"Location": exchange.at.report(report.id), "ETag": f'"{report.etag}"', **pause.headers}
    if report.settled:
        return StoredReply(201, headers, _bytes(response_shapes.report(report, exchange.at), warnings))
    headers["Retry-After"] = str(RETRY_AFTER_S)
    return StoredReply(202, headers, _bytes(response_shapes.summary(report, exchange.at), warnings))


async def _after(exchange: Exchange, caller: Caller, report_id: int, pause: Waiting) -> ReportView:
    """The report once it is made, or as it is when the time has passed. Who may write it may read the reply to that.

    Raises Unauthenticated where the key was revoked meanwhile.
    """
    reader = replace(caller, scopes=caller.scopes | {READ})
    if pause.seconds:
        await exchange.service.wait_until_done(report_id, pause.seconds, caller.account)
        await exchange.require_still()
    return await exchange.service.run(reports.get, reader, report_id)


def _ignored(exchange: Exchange, model: type[Parameters], fields: Fields) -> list[str]:
    """Sentences about what was sent and read by nobody."""
    return [*unknown_names(model, fields), *unknown_parameters(WaitQuery, exchange.query)]


def _bytes(shape: Any, warnings: list[str]) -> bytes:
    return encode_json(data(shape, warnings))


def _as_response(stored: StoredReply) -> Response[bytes]:
    return raw_reply(stored.body, stored.status, stored.headers)


@put(f"{API}/reports/{{report_id:str}}")
async def update_report(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """Changes a report, or generates its results again."""
    return await _update(request, report_id)


@patch(f"{API}/reports/{{report_id:str}}")
async def patch_report(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """The same as PUT."""
    return await _update(request, report_id)


@post(f"{API}/reports/{{report_id:str}}", status_code=200)
async def post_report(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """The same as PUT, for older clients whose PUT arrives as POST."""
    return await _update(request, report_id)


async def _update(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    report = number(report_id)
    fields = await exchange.fields()
    sent = read(UpdateBody, fields)
    asked = waiting(exchange, DEFAULT_WAIT_S)
    pause = asked if sent.results else Waiting(0)
    changes = ReportChanges(
        UNSET if sent.privacy is None else Privacy(sent.privacy),
        UNSET if sent.password is None else sent.password,
        bool(sent.results),
    )
    await exchange.service.run(reports.update, caller, report, changes, exchange.headers.get("if-match") or None)
    view = await _after(exchange, caller, report, pause)
    warnings = [*_ignored(exchange, UpdateBody, fields), *unused_password(sent.password, view.privacy)]
    headers = {"ETag": f'"{view.etag}"', **pause.headers}
    if sent.results and not view.settled:
        headers |= {"Location": exchange.at.report(view.id), "Retry-After": str(RETRY_AFTER_S)}
        return reply(data(response_shapes.summary(view, exchange.at), warnings), 202, headers)
    return reply(data(response_shapes.report(view, exchange.at), warnings), 200, headers)
