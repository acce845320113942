"""The share page of a report: who may see it is decided by the service, what a guest learns before that is nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from litestar import Response, get, post
from litestar.params import FromPath

from findable import __version__
from findable.errors import NotFound, RateLimited
from findable.service import sharing
from findable.service.app import Service
from findable.service.values import Decision, ReportView, Shared, Viewer
from findable.vocabulary import Privacy
from findable.web.api.addresses import Addresses
from findable.web.api.reports import matches
from findable.web.auth import cookies, refuse_cross_site, set_cookie
from findable.web.bodies import parse_fields, read_body
from findable.web.context import header_map
from findable.web.pages.contexts import report_page
from findable.web.pages.rendering import PageRequest, html, page, render, see_other
from findable.web.pages.viewer import address_of, signed_in
from findable.web.problems import error_headers

NOT_LISTED = {"X-Robots-Tag": "noindex"}
NOT_PUBLIC = {**NOT_LISTED, "Referrer-Policy": "no-referrer"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A page that was made in a thread."""

    body: bytes
    status: int
    headers: dict[str, str]


@get("/r/{public_id:str}")
async def get_share(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """The report, a form for its password, or nothing."""
    service: Service = request.app.state.service
    at: Addresses = request.app.state.addresses
    headers = header_map(request.scope["headers"])

    def work(service: Service) -> Answer:
        return _answer(service, public_id, headers, at)

    answer = await service.run(work)
    return html(answer.body, answer.status, answer.headers)


def _answer(service: Service, public_id: str, headers: Mapping[str, str], at: Addresses) -> Answer:
    shared = looked_at(service, public_id, headers)
    if shared.decision is Decision.PASSWORD_NEEDED:
        return Answer(render("unlock.html", problem=""), 200, dict(NOT_PUBLIC))
    report = shared.report
    if report is None:
        raise NotFound
    return answered(shared, report, headers, lambda: render("report.html", **report_page(report, at, is_owner=shared.is_owner)))


def looked_at(service: Service, public_id: str, headers: Mapping[str, str]) -> Shared:
    """What whoever sent these headers gets of a report (blocking). Raises NotFound for a NUL."""
    if "\0" in public_id:
        raise NotFound
    unlock = cookies(headers).get(sharing.cookie_name(service, public_id))
    return sharing.view(service, public_id, Viewer(signed_in(service, headers), unlock))


def answered(
    shared: Shared, report: ReportView, headers: Mapping[str, str], make: Callable[[], bytes], more: Mapping[str, str] | None = None
) -> Answer:
    """A page or file of the report. What is public may be kept and asked for again by its ETag, everything else is for this reader only."""
    is_public = report.privacy is Privacy.PUBLIC
    # An owner's page has forms, which say where they come from only where the browser may tell our own pages of each other.
    reply_headers = {**(NOT_LISTED if is_public or shared.is_owner else NOT_PUBLIC), **(more or {})}
    if is_public and not shared.is_owner:
        tag = f"{report.etag}-{__version__}"  # a new version of ours shows the same report in another way
        reply_headers |= {"Cache-Control": "no-cache", "ETag": f'W/"{tag}"', "Vary": "Cookie"}
        if matches(headers.get("if-none-match", ""), tag):
            return Answer(b"", 304, reply_headers)
    return Answer(make(), 200, reply_headers)


@post("/r/{public_id:str}", status_code=303)
async def post_share(request: PageRequest, public_id: FromPath[str]) -> Response[bytes]:
    """Tries a password."""
    service: Service = request.app.state.service
    headers = header_map(request.scope["headers"])
    refuse_cross_site(headers, service.settings.base_url)
    if "\0" in public_id:
        raise NotFound
    fields = parse_fields(await read_body(headers, request.receive), headers.get("content-type", ""))
    password = str(fields.get("password", ""))
    try:
        unlocked = await service.run(sharing.unlock, public_id, password, address_of(request, service))
    except RateLimited as error:
        return page(
            "unlock.html", status=error.status, headers={**NOT_PUBLIC, **error_headers(error)}, problem="Too many tries. Wait a little."
        )
    if unlocked is None:
        return page("unlock.html", status=403, headers=NOT_PUBLIC, problem="That is not the password.")
    cookie = set_cookie(unlocked.cookie_name, unlocked.token, unlocked.max_age_s, secure=unlocked.secure)
    return see_other(f"/r/{public_id}", [cookie])
