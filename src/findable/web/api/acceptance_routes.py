"""Accepted findings: `PUT` and `DELETE /reports/{id}/accepted/{check}`."""

from typing import Any

from litestar import Response, delete, put
from litestar.params import FromPath

from findable.service.reports import acceptances
from findable.service.values.use_cases import WRITE, NewAcceptance, ReportView
from findable.web.api import response_shapes
from findable.web.api.api_urls import API
from findable.web.api.exchange import ApiRequest, Exchange, begin, data, number, reply
from findable.web.api.request_models import AcceptBody, WithdrawQuery, read, unknown_names


@put(f"{API}/reports/{{report_id:str}}/accepted/{{check:str}}")
async def accept_finding(request: ApiRequest, report_id: FromPath[str], check: FromPath[str]) -> Response[bytes]:
    """Accepts a finding."""
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    report = number(report_id)
    fields = await exchange.fields()
    sent = read(AcceptBody, fields)
    new = NewAcceptance(sent.reason, sent.until, sent.scope, sent.pattern)
    view = await exchange.service.run(acceptances.accept, caller, report, check, new, _if_match(exchange))
    return _answer(view, exchange, unknown_names(AcceptBody, fields))


@delete(f"{API}/reports/{{report_id:str}}/accepted/{{check:str}}", status_code=200)
async def withdraw_acceptance(request: ApiRequest, report_id: FromPath[str], check: FromPath[str]) -> Response[bytes]:
    """Accepts a finding no longer."""
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    scope = read(WithdrawQuery, exchange.query).scope
    view = await exchange.service.run(acceptances.withdraw, caller, number(report_id), check, scope, _if_match(exchange))
    return _answer(view, exchange, [])


def _if_match(exchange: Exchange) -> str | None:
    return exchange.headers.get("if-match") or None


def _answer(view: ReportView, exchange: Exchange, warnings: list[str]) -> Response[bytes]:
    shape: Any = response_shapes.report(view, exchange.at)
    return reply(data(shape, warnings), headers={"ETag": f'"{view.etag}"'})
