"""`/reports`: read, list, compare."""

from typing import Any

from litestar import Response, delete, get
from litestar.params import FromPath

from findable.service.reports import reports
from findable.service.runtime.app import Service
from findable.service.values.use_cases import WRITE, Caller, ReportQuery, ReportView
from findable.web.api import response_shapes
from findable.web.api.api_urls import API, link_header, list_links
from findable.web.api.exchange import ApiRequest, Exchange, begin, data, number, reply, waiting
from findable.web.api.request_models import ChangesQuery, ReportListQuery, WaitQuery, read, unknown_names, unknown_parameters


@get(f"{API}/reports")
async def list_reports(request: ApiRequest) -> Response[bytes]:
    """A list of reports."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> dict[str, Any]:
        page = reports.find(service, caller, _query(exchange))
        return {
            "data": [response_shapes.summary(item, exchange.at) for item in page.items],
            "links": list_links(page, exchange.path, exchange.query),
            "meta": response_shapes.list_meta(page, exchange.path, unknown_names(ReportListQuery, exchange.query)),
        }

    found = await exchange.looked_up(work)
    return reply(found, headers={"Link": link_header(found["links"])})


def _query(exchange: Exchange) -> ReportQuery:
    query = read(ReportListQuery, exchange.query)
    return ReportQuery(
        search=query.search,
        project=query.project,
        result=query.result,
        status=query.status,
        check=query.check or "",
        verdict=query.verdict,
        since=query.since,
        sort_by=query.sort_by,
        descending=query.sort == "desc",
        per_page=query.per_page,
        page=query.page,
        cursor=query.cursor,
    )


@get(f"{API}/reports/{{report_id:str}}")
async def get_report(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """One report; with `wait` after the generation that runs."""
    exchange = begin(request)
    wanted = exchange.headers.get("if-none-match", "")

    def work(service: Service, caller: Caller) -> tuple[str, ReportView, Any]:
        view = reports.get(service, caller, number(report_id))
        return caller.account, view, None if matches(wanted, view.etag) else response_shapes.report(view, exchange.at)

    account, view, shape = await exchange.asked(work)
    pause = waiting(exchange, 0)
    if pause.seconds and not view.settled:
        await exchange.service.wait_until_done(view.id, pause.seconds, account)
        _, view, shape = await exchange.asked(work)
    headers = {"ETag": f'"{view.etag}"', **pause.headers}
    if shape is None:
        return Response(b"", status_code=304, media_type="application/json", headers=headers)
    return reply(data(shape, unknown_parameters(WaitQuery, exchange.query)), headers=headers)


def matches(if_none_match: str, etag: str) -> bool:
    """Whether the client has that version already (weak comparison, RFC 9110 section 8.8.3.2)."""
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return "*" in tags or f'"{etag}"' in tags


@delete(f"{API}/reports/{{report_id:str}}", status_code=200)
async def delete_report(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """Deletes a report."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> dict[str, Any]:
        report = number(report_id)
        reports.delete(service, caller, report, exchange.headers.get("if-match") or None)
        return response_shapes.deleted_report(report)

    return reply(data(await exchange.asked(work, WRITE), []))


@get(f"{API}/reports/{{report_id:str}}/runs")
async def list_runs(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """The history of the report's address, newest first."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> list[response_shapes.Run]:
        return [response_shapes.run(item, exchange.at) for item in reports.runs(service, caller, number(report_id))]

    return reply(data(await exchange.asked(work), []))


@get(f"{API}/reports/{{report_id:str}}/runs/{{run:str}}")
async def get_run(request: ApiRequest, report_id: FromPath[str], run: FromPath[str]) -> Response[bytes]:
    """The report as it was in a run."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> response_shapes.Report:
        return response_shapes.report(reports.get_run(service, caller, number(report_id), number(run)), exchange.at)

    return reply(data(await exchange.asked(work), []))


@get(f"{API}/reports/{{report_id:str}}/changes")
async def get_changes(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """What changed since a run."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> response_shapes.ChangesShape:
        report = number(report_id)
        since = read(ChangesQuery, exchange.query).since
        return response_shapes.changes(reports.changes(service, caller, report, since), exchange.at)

    return reply(data(await exchange.asked(work), unknown_parameters(ChangesQuery, exchange.query)))
