"""Routes of crawls (`/crawls`): create, list, read, stop, resume, rescore and delete."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field, structs

from findable.crawl.settings import Extent, Render, RobotsRules
from findable.errors import Conflict, QuotaExceeded
from findable.limits import MAX_CONNECTIONS, MAX_PAGES, MAX_SECONDS
from findable.service.crawls import crawl_access, crawls
from findable.service.values.caller import WRITE
from findable.service.values.crawl_values import CrawlQuery, CrawlResume, CrawlSort, CrawlStatus, CrawlView, NewCrawl
from findable.urls import MAX_URL_CHARS
from findable.vocabulary import Privacy
from findable.web.api.crawl_shapes import CrawlDeleted, CrawlShape, crawl
from findable.web.api.operation import CONDITIONAL_READ, CONDITIONAL_WRITE, Call, Data, Listing, RawReply, Reply, operation
from findable.web.api.report_creation import RETRY_AFTER_S, idempotency_key, replayed, stored_reply
from findable.web.api.report_routes import matches
from findable.web.api.request_models import CrawlReadQuery, ListQuery, Search, WaitQuery, password_warning
from findable.web.api.shape_parts import page_reply
from findable.web.api.validation import input_of
from findable.web.api.waiting import Waiting, waiting
from findable.web.bodies import MANY

_HOSTS = Meta(description="Further hosts of the same site, like www.example.de. In a form: repeat the field, or one host per line.")
_LIST = Meta(
    description="URLs to request instead of following links. In a form: repeat the field, or one URL per line. "
    "A URL may be followed by its expected redirect target, after a space, tab, comma, semicolon or arrow: a redirect map."
)
_INCLUDED = Meta(
    description="Patterns of URLs to crawl, like /shop/*. Default: all URLs. In a form: repeat the field, or one pattern per line."
)
_EXCLUDED = Meta(description="Patterns of URLs not to crawl. In a form: repeat the field, or one pattern per line.")


class CrawlListQuery(ListQuery, frozen=True):
    """The query of `GET /crawls`."""

    project: Search = ""
    """Name or id of a project; an unknown project gives an empty list."""
    status: CrawlStatus | UnsetType = UNSET
    """Status of the crawl."""
    sort_by: CrawlSort = "id"
    """Ties are broken by id."""

    def to_query(self) -> CrawlQuery:
        """Convert to the query of the service."""
        return input_of(CrawlQuery, self, descending=self.sort == "desc")


class CrawlCreate(Struct, frozen=True):
    """Site to crawl, either as `url` or as `list`, with the limits of the crawl."""

    url: str | UnsetType = UNSET
    """URL where the crawl begins. Without a scheme https is tried first, then http. Default: the first URL of the list."""
    hosts: Annotated[list[str], _HOSTS] = []
    pages: Annotated[int, Meta(ge=1, le=MAX_PAGES)] | UnsetType = UNSET
    """Maximum number of URLs to request; default: 10,000. In a rolling crawl, of all its pages; default: ten times rolling, 10,000 or more.
    """
    rolling: Annotated[int, Meta(ge=1, le=MAX_PAGES)] | UnsetType = UNSET
    """Rolling crawl: number of URLs to request now, those that are important, new or longest unread. All other pages are carried over from
    the last comparable crawl. Default: request all. Ignored with list.
    """
    depth: Annotated[int, Meta(ge=0, le=1000)] | UnsetType = UNSET
    """Maximum number of clicks from the start page."""
    scope: Extent = Extent.ORIGIN
    """origin: scheme, host and port; host: also http and www; domain: all subdomains."""
    list_: Annotated[list[str], _LIST] = field(name="list", default_factory=list)
    include: Annotated[list[str], _INCLUDED] = []
    exclude: Annotated[list[str], _EXCLUDED] = []
    robots: RobotsRules = RobotsRules.FINDABLE
    """Rules of robots.txt to obey: those for Findable, those for Googlebot, or none (for your own sites)."""
    render: Render | UnsetType = UNSET
    """Pages to render in a browser: never; needed: pages built by scripts; sample: three of each template, and all pages of a template that
    scripts change, up to 5 % of the pages; all: up to 5,000 pages. Default: sample where the service has a browser that works, never
    where it has none and where the project is set to use none.
    """
    rate: Annotated[float, Meta(gt=0)] | UnsetType = UNSET
    """Maximum number of requests per second; default: 5."""
    connections: Annotated[int, Meta(ge=1, le=MAX_CONNECTIONS)] | UnsetType = UNSET
    """Maximum number of requests at the same time; default: 2."""
    seconds: Annotated[int, Meta(ge=1, le=MAX_SECONDS)] | UnsetType = UNSET
    """Maximum duration without the pauses between slices. Default: no limit."""
    as_: Annotated[str, Meta(max_length=MAX_URL_CHARS)] = field(name="as", default="")
    """Origin that url is a preview of, like https://www.example.com: its pages are checked as if they were served there."""
    external: Literal[0, 1] = 0
    """1: request the links to other sites too, without following them: up to 2,000, and 100 to one host."""
    uploaded: Literal[0, 1] = 0
    """1: also request URLs with uploaded metrics of the project that no links lead to. Ignored with list."""
    privacy: Privacy | UnsetType = UNSET
    """0 public: anyone with the link. 1 private: you. 2 password: anyone with the link and the password. Default: the setting of the
    project, else of the account, else 0.
    """
    password: str | UnsetType = UNSET
    """Password, required with privacy 2; never returned."""


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
        view = await call.service.run(crawls.get, call.caller, view.id, WRITE)
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


@operation("GET", "/crawls/{id}", {200: Data[CrawlShape], 304: None}, **CONDITIONAL_READ)
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


@operation("POST", "/crawls/{id}/stop", {200: Data[CrawlShape]}, **CONDITIONAL_WRITE)
def stop_crawl(call: Call, crawl_id: int) -> Reply:
    """Stop a crawl.

    It ends a moment later with the pages crawled so far. A finished crawl does not change.
    """
    return _changed_reply(call, crawls.stop(call.service, call.caller, crawl_id, call.if_match))


RESTART = {**CONDITIONAL_WRITE, "reply_headers": ("ETag", "Retry-After")}
"""Headers of operations after which a crawl is worked on again."""


@operation("POST", "/crawls/{id}/resume", {202: Data[CrawlShape]}, Conflict, QuotaExceeded, **RESTART, example={"pages": 20_000})
def resume_crawl(call: Call, crawl_id: int, *, body: CrawlResume) -> Reply:
    """Continue a crawl that was stopped, failed or ended by a limit.

    409 if it is complete. A crawl that reached its maximum number of pages needs a higher maximum.
    """
    view = crawls.resume(call.service, call.caller, crawl_id, body, call.if_match)
    return _changed_reply(call, view, 202, {"Retry-After": str(RETRY_AFTER_S)})


@operation("POST", "/crawls/{id}/judge", {202: Data[CrawlShape]}, Conflict, QuotaExceeded, **RESTART)
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
