"""Routes to create and update reports: `POST /reports`, and `PUT`, `PATCH` and `POST /reports/{id}`."""

import hashlib
import json
import re
from collections.abc import Awaitable
from typing import Annotated, Any, Literal

from msgspec import UNSET, Struct, UnsetType, structs

from findable.errors import BadRequest, Conflict, ValidationFailed
from findable.service.reports import reports
from findable.service.runtime import idempotency
from findable.service.runtime.idempotency import IdempotencyKey, StoredReply
from findable.service.sites.url_input import read_url
from findable.service.values.caller import READ
from findable.service.values.report_values import NewReport, ReportChanges, ReportView
from findable.values import NEEDED
from findable.vocabulary import BrowserUse, Privacy
from findable.web.api import report_shapes
from findable.web.api.operation import Call, Data, RawReply, Reply, operation
from findable.web.api.report_routes import report_reply
from findable.web.api.report_shapes import Report, Summary
from findable.web.api.request_models import WaitQuery, password_warning
from findable.web.api.validation import errors_of, input_of, read, value_or
from findable.web.api.waiting import DEFAULT_WAIT_S, Waiting, waiting

RETRY_AFTER_S = 2
"""Interval after which a client should poll."""


CREATION: dict[str, Any] = {
    "header_parameters": ("Prefer", "Idempotency-Key"),
    "reply_headers": ("Location", "ETag", "Preference-Applied", "Idempotent-Replayed", "Retry-After"),
}
"""Request headers of operations that create a report."""


class ReportCreate(Struct, frozen=True):
    """Page of a new report, and access to the report."""

    url: Annotated[str, NEEDED] | UnsetType = UNSET
    """URL of the page. Without a scheme https is tried first, then http. At most 2,048 characters."""
    privacy: Privacy | UnsetType = UNSET
    """0 public: anyone with the link. 1 private: you. 2 password: anyone with the link and the password. Default: the setting of the
    project, else of the account, else 0.
    """
    password: str | UnsetType = UNSET
    """Password, required with privacy 2; never returned."""
    browser: BrowserUse | UnsetType | None = UNSET
    """Browser mode of its runs: view loads the page once in the Chromium of the service, as visitors see it. Absent or null: the project's
    setting.
    """


class ReportUpdate(Struct, frozen=True):
    """Changes of a report. Only fields that are sent change."""

    privacy: Privacy | UnsetType = UNSET
    """Access, as for a new report. Anything but 2 erases the stored password."""
    password: str | UnsetType = UNSET
    """Password for privacy 2, sent or stored."""
    results: Literal[0, 1] = 0
    """1: regenerate the results."""
    browser: BrowserUse | UnsetType | None = UNSET
    """Browser mode from the next run on; null: the project's setting."""


@operation(
    "POST",
    "/reports",
    {201: Data[Report], 202: Data[Summary]},
    Conflict,
    body=ReportCreate,
    **CREATION,
    example={"url": "https://example.com/", "privacy": 2, "password": "correct horse"},
)
async def create_report(call: Call, *, query: WaitQuery) -> RawReply:
    """Create a report.

    201 with the finished report, or 202 if that takes longer: then poll it after Retry-After. A page that could not be loaded gives a
    report with status failed and an error with the reason. A key without the scope read gets id, object and updated_at only.
    """
    return await create_with(call, query, _new_report(call))


async def create_with(call: Call, query: WaitQuery, new: NewReport, *, purpose: str = "") -> RawReply:
    """Create a report, wait for its result, and return the response. ``purpose``: distinguishes routes with the same fields."""
    pause = waiting(call, query, DEFAULT_WAIT_S)
    key = idempotency_key(call, purpose=purpose)
    created = await call.service.run(reports.create, call.caller, new, key)
    if created.reply is not None:
        return replayed(created.reply)
    call.warnings += password_warning(new.password, created.report.privacy)
    return await stored_reply(call, key, _created_reply(call, created.report.id, pause))


async def stored_reply(call: Call, key: IdempotencyKey | None, reply: Awaitable[RawReply]) -> RawReply:
    """Return the reply, and store it for repeated requests with the same Idempotency-Key. After an error the key can be used again."""
    if key is None:
        return await reply
    try:
        found = await reply
        await call.service.run(idempotency.store_reply, call.caller, key.key, found)
    except BaseException:
        await call.service.run(idempotency.release, call.caller, key.key)
        raise
    return found


def _new_report(call: Call) -> NewReport:
    """Return the fields of a new report. Raises ValidationFailed with the errors of all fields, including an invalid URL."""
    wrong = errors_of(ReportCreate, call.fields)
    if not wrong:
        body = read(ReportCreate, call.fields)
        return input_of(NewReport, body, url=value_or(body.url), unset_privacy=Privacy.PUBLIC)
    if "url" not in wrong:
        address = read_url(call.fields.get("url"), call.service.guard)
        wrong |= {"url": [address]} if isinstance(address, str) else {}
    raise ValidationFailed(wrong)


def idempotency_key(call: Call, *, purpose: str = "") -> IdempotencyKey | None:
    """Return the Idempotency-Key of a request with a digest of its fields and ``purpose``; None without one. Raises BadRequest."""
    key = call.headers.get("idempotency-key", "").strip()
    if not key:
        return None
    if not re.fullmatch(r"[ -~]{1,255}", key):
        raise BadRequest("The Idempotency-Key must have 1 to 255 visible ASCII characters.")
    payload = purpose.encode() + json.dumps(call.fields, sort_keys=True, default=str).encode()
    return IdempotencyKey(key, hashlib.sha256(payload).hexdigest())


def replayed(reply: StoredReply) -> RawReply:
    """Return the stored reply to the first request with an Idempotency-Key as a response to a repeated one."""
    return RawReply(reply.body, reply.status, {**reply.headers, "Idempotent-Replayed": "true"})


async def _created_reply(call: Call, report_id: int, pause: Waiting) -> RawReply:
    view = await _view_after(call, report_id, pause)
    headers = {"Location": call.at.report(view.id), "ETag": f'"{view.etag}"', **pause.headers}
    if view.is_finished:
        reply = Reply(report_shapes.report(view, call.at, verdict_say=call.say), 201, headers)
    else:
        reply = Reply(report_shapes.summary(view, call.at, call.say), 202, {**headers, "Retry-After": str(RETRY_AFTER_S)})
    return call.raw(call.write_reply(reply, view.id, view.updated_at))


async def _view_after(call: Call, report_id: int, pause: Waiting) -> ReportView:
    """Return a report when it is generated, or its state after the time to wait; the API key needs no read access.

    Raises Unauthenticated if the API key was revoked meanwhile, NotFound if the person may no longer see the report.
    """
    if pause.seconds:
        await call.service.wait_until_done(report_id, pause.seconds, call.caller.account)
        await call.require_still()
    return await call.service.run(reports.get, structs.replace(call.caller, scopes=call.caller.scopes | {READ}), report_id)


@operation(
    "PUT",
    "/reports/{id}",
    {200: Data[Report], 202: Data[Summary]},
    Conflict,
    is_partial=True,
    aliases={
        "PATCH": "Change a report, like PUT",
        "POST": "Change a report, like PUT, for older clients that send POST instead",
    },
    header_parameters=("Prefer", "If-Match"),
    reply_headers=("ETag", "Preference-Applied", "Location", "Retry-After"),
    example={"privacy": 2, "password": "correct horse"},
)
async def update_report(call: Call, report: int, *, body: ReportUpdate, query: WaitQuery) -> Reply:
    """Change a report, or generate its results again.

    Only fields that are sent change. 202 if the results take longer than the request waits.
    """
    asked = waiting(call, query, DEFAULT_WAIT_S)
    pause = asked if body.results else Waiting(0)
    changes = input_of(ReportChanges, body, results=bool(body.results))
    await call.service.run(reports.update, call.caller, report, changes, call.if_match)
    view = await _view_after(call, report, pause)
    call.warnings += password_warning(value_or(body.password), view.privacy)
    headers = {"ETag": f'"{view.etag}"', **pause.headers}
    if not body.results or view.is_finished:
        return structs.replace(report_reply(call, view), headers=headers)
    headers |= {"Location": call.at.report(view.id), "Retry-After": str(RETRY_AFTER_S)}
    return call.write_reply(Reply(report_shapes.summary(view, call.at, call.say), 202, headers), view.id, view.updated_at)
