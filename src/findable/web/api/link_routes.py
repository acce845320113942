"""The link of a report: `GET`, `PUT` and `POST /reports/{id}/link`."""

from litestar import Response, get, post, put
from litestar.params import FromPath

from findable.service.reports import report_links
from findable.service.reports.report_links import LinkView, TermChanges
from findable.service.runtime.app import Service
from findable.service.values.use_cases import UNSET, WRITE, Caller
from findable.web.api import response_shapes
from findable.web.api.api_urls import API
from findable.web.api.exchange import ApiRequest, Exchange, begin, data, number, reply
from findable.web.api.request_models import LinkBody, read, unknown_names

CLEARABLE = frozenset({"until"})
CREATED = 201


@get(f"{API}/reports/{{report_id:str}}/link")
async def get_link(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """The link and its terms."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> LinkView:
        return report_links.link(service, caller, number(report_id))

    return _answer(exchange, await exchange.asked(work), [])


@put(f"{API}/reports/{{report_id:str}}/link")
async def put_link(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """Changes the terms."""
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    report = number(report_id)
    fields = await exchange.fields(clearable=CLEARABLE)
    sent = read(LinkBody, fields)
    terms = TermChanges(
        UNSET if sent.until is None else sent.until or None,
        UNSET if sent.listed is None else bool(sent.listed),
    )
    view = await exchange.service.run(report_links.set_terms, caller, report, terms, _if_match(exchange))
    return _answer(exchange, view, unknown_names(LinkBody, fields))


@post(f"{API}/reports/{{report_id:str}}/link", status_code=CREATED)
async def post_link(request: ApiRequest, report_id: FromPath[str]) -> Response[bytes]:
    """Gives the report a new link; the old one ends at once."""
    exchange = begin(request)
    caller = await exchange.enter(WRITE)
    view = await exchange.service.run(report_links.renew, caller, number(report_id), _if_match(exchange))
    return _answer(exchange, view, [], CREATED)


def _if_match(exchange: Exchange) -> str | None:
    return exchange.headers.get("if-match") or None


def _answer(exchange: Exchange, view: LinkView, warnings: list[str], status: int = 200) -> Response[bytes]:
    headers = {"ETag": f'"{view.etag}"'}
    if status == CREATED:
        headers["Location"] = exchange.at.share_page(view.public_id)
    return reply(data(response_shapes.link(view, exchange.at), warnings), status, headers)
