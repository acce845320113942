"""What is shown to the client of a report: `GET` and `PUT /reports/{id}/client`."""

import re
from collections.abc import Mapping
from typing import Any

from litestar import Response, get, put
from litestar.params import FromPath

from findable.service.reports import report_links
from findable.service.reports.report_links import NewClient
from findable.service.runtime.app import Service
from findable.service.values.presentation import SECTIONS
from findable.service.values.use_cases import WRITE, Caller
from findable.web.api import response_shapes
from findable.web.api.api_urls import API
from findable.web.api.exchange import ApiRequest, begin, data, number, reply
from findable.web.api.request_models import ClientBody, read, unknown_names
from findable.web.bodies import Bounds, Fields

BODY = Bounds(512 * 1024, 400)
"""A note for each check, each as long as it may be."""
LISTS = frozenset({"sections"})


@get(f"{API}/reports/{{report_id:str}}/client")
async def get_client(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """What is written and chosen."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> response_shapes.Client:
        report = number(report_id)
        return response_shapes.client(report, report_links.presentation(service, caller, report).client)

    return reply(data(await exchange.asked(work), []))


@put(f"{API}/reports/{{report_id:str}}/client")
async def put_client(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """Replaces all of it: what is not sent is taken away."""
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    report = number(report_id)
    fields = _with_notes(await exchange.fields(LISTS, BODY))
    sent = read(ClientBody, fields)
    new = NewClient(
        summary=sent.summary,
        notes=sent.notes,
        sections=SECTIONS if sent.sections is None else sent.sections,
        prepared_by=sent.prepared_by,
        prepared_for=sent.prepared_for,
        run=sent.run,
    )
    kept = await exchange.service.run(report_links.write, caller, report, new, exchange.headers.get("if-match") or None)
    return reply(data(response_shapes.client(report, kept), unknown_names(ClientBody, fields)))


def _with_notes(fields: Fields) -> Mapping[str, Any]:
    """``notes[noindex]=…`` of a form as the object that JSON has."""
    notes = {found[1]: value for name, value in fields.items() if (found := re.fullmatch(r"notes\[([^\]]+)\]", name))}
    rest = {name: value for name, value in fields.items() if not name.startswith("notes[")}
    return {**rest, "notes": notes} if notes else rest
