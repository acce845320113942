"""Pages about crawled pages: the list with its filters, one page with its findings, and the list as a file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar
from urllib.parse import urlencode

from msgspec import Struct, structs
from starlette.responses import Response, StreamingResponse

from findable.checks.engine import all_checks
from findable.crawl.page_row import PageRow
from findable.crawl.page_selection import PageSelection, PageSort
from findable.crawl.record import OK
from findable.crawl.table_rows import LinkRow
from findable.errors import BadRequest, NotFound, RequestError, ValidationFailed
from findable.export.crawl_files import pages_csv
from findable.reports.titles import readable_url
from findable.service.crawls import crawl_access, crawl_lists
from findable.service.crawls.crawl_lists import CrawlTable, LinkQuery, PageQuery
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewReport
from findable.vocabulary import Privacy, Verdict
from findable.web.api.crawl_list_models import PageListQuery
from findable.web.api.validation import read
from findable.web.pages.project.crawl_overview import REASON_WORDS, crawl_number
from findable.web.pages.project.projects import NO_SUCH_LIST, Pages
from findable.web.pages.report.downloads import SANDBOX
from findable.web.pages.report.finding_cards import Card, card
from findable.web.pages.shared.form_fields import Choice, problem_of
from findable.web.pages.shared.lines import ScoreWords, scored
from findable.web.pages.shared.page_templates import PageContext, see_other, shown_page
from findable.web.pages.shared.viewer import Bar, SignedInRequest, bar_of, for_person, from_person, signed_in
from findable.web.routing import Request, get, post
from findable.wording import Wording, later

LISTED = 50
INLINKS = 25
FILTERS = (
    "status",
    "type",
    "check",
    "verdict",
    "indexable",
    "reason",
    "segment",
    "folder",
    "template",
    "in_sitemap",
    "found_by",
    "canonical",
)
MORE_FILTERS = ("lang", "depth", "inlinks", "words", "ttfb_ms", "search", "finding")
QUICK: tuple[tuple[str, Mapping[str, str]], ...] = (
    (later("All"), {}),
    (later("Indexable"), {"indexable": "1"}),
    (later("Not indexable"), {"indexable": "0"}),
    (later("Redirects"), {"status": "300..399"}),
    (later("Client errors"), {"status": "400..499"}),
    (later("Server errors"), {"status": "500..599"}),
    (later("With problems"), {"verdict": "failed"}),
    (later("Canonical elsewhere"), {"canonical": "other"}),
    (later("Not in the sitemap"), {"in_sitemap": "0", "indexable": "1"}),
)
"""Filters as links."""
COLUMNS: tuple[tuple[PageSort, bool, str], ...] = (
    (PageSort.URL, False, later("Page")),
    (PageSort.STATUS, False, later("Status")),
    (PageSort.SCORE, False, later("Score")),
    (PageSort.DEPTH, False, later("Depth")),
    (PageSort.INLINKS, True, later("Inlinks")),
    (PageSort.WORDS, False, later("Words")),
    (PageSort.TTFB, True, later("First byte")),
)
"""Columns, and whether they are sorted descending first."""


class PageLine(Struct, frozen=True):
    """A page in the list."""

    href: str
    address: str
    title: str
    status: str
    reason: str
    """Reason why it is not indexable; empty if it is."""
    score: ScoreWords | None
    problems: str
    depth: str
    inlinks: str
    words: str
    first_byte: str


class CrawledPagesPage(PageContext, frozen=True):
    """The variables of crawl_pages.html."""

    template: ClassVar[str] = "crawl_pages.html"
    bar: Bar
    href: str
    crawl_href: str
    url: str
    chosen: str
    """Filters of the list in words; empty for all."""
    search: str
    hidden: tuple[tuple[str, str], ...]
    quick: tuple[Choice, ...]
    columns: tuple[Choice, ...]
    lines: tuple[PageLine, ...]
    pages: Pages
    csv: str
    """URL of the list as CSV; empty while the crawl runs."""
    problem: str
    is_partial: bool
    """Whether only examples of the pages of a finding are known."""


class InlinkLine(Struct, frozen=True):
    """Link to a page."""

    href: str
    """The page with the link."""
    address: str
    anchor: str
    where: str
    """Place of the list of links, as a selector."""


class CrawledPagePage(PageContext, frozen=True):
    """The variables of crawl_page.html."""

    template: ClassVar[str] = "crawl_page.html"
    bar: Bar
    crawl_href: str
    crawl_url: str
    href: str
    url: str
    title: str
    line: PageLine
    facts: tuple[tuple[str, str], ...]
    """Facts as name and value."""
    cards: tuple[Card, ...]
    inlinks: tuple[InlinkLine, ...]
    """First links to the page; none while the crawl runs."""
    more_inlinks: bool
    problem: str


@get("/crawls/{crawl_id}/pages")
async def get_crawled_pages(request: Request, crawl_id: str) -> Response:
    """List the pages of a crawl, with the filters and orders of the API, and ``finding`` for those of one finding."""
    return await for_person(request, lambda asked: _listed(asked, crawl_number(crawl_id)))


@get("/crawls/{crawl_id}/pages/{page}")
async def get_crawled_page(request: Request, crawl_id: str, page: str) -> Response:
    """Show one page of a crawl with its findings."""
    return await for_person(request, lambda asked: _shown(asked, crawl_number(crawl_id), crawl_number(page)))


@post("/crawls/{crawl_id}/pages/{page}/report")
async def post_crawled_page_report(request: Request, crawl_id: str, page: str) -> Response:
    """Make a full report of a page, and show it."""
    return await from_person(request, lambda asked: _reported(asked, crawl_number(crawl_id), crawl_number(page)))


@get("/crawls/{crawl_id}/pages.csv")
async def get_crawled_pages_csv(request: Request, crawl_id: str) -> Response:
    """Return the list of pages as CSV, with its filters."""
    service = request.service
    caller = await service.run(signed_in, request.headers)
    if caller is None:
        return see_other("/sign-in")
    query = {name: value for name, value in request.query.items() if isinstance(value, str)}
    number = crawl_number(crawl_id)
    selection = _query_of(query).selection
    await service.run(_require_file, caller, number, selection)
    headers = {"Content-Disposition": f'attachment; filename="findable-crawl-{number}.csv"', "Content-Security-Policy": SANDBOX}
    return StreamingResponse(_csv(service, caller, number, selection), media_type="text/csv", headers=headers)


def _require_file(service: Service, caller: Caller, number: int, selection: PageSelection) -> None:
    with crawl_access.open_crawl(service, caller, number) as opened:
        crawl_lists.require_table(opened, CrawlTable.PAGES, selection)


def _csv(service: Service, caller: Caller, number: int, selection: PageSelection) -> Iterator[bytes]:
    with crawl_access.open_crawl(service, caller, number) as opened:
        yield from pages_csv(crawl_lists.rows_of(opened, CrawlTable.PAGES, selection))  # type: ignore[arg-type] # rows of that table


def _query_of(query: Mapping[str, str]) -> PageQuery:
    """Return the query of a list. Raises BadRequest for parameters that the list does not have."""
    try:
        wanted = read(
            PageListQuery, {name: value for name, value in query.items() if name not in ("fields", "per_page") and value}
        ).wanted()
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    selection = structs.replace(wanted.selection, finding=query.get("finding") or None)
    return structs.replace(wanted, selection=selection, per_page=LISTED)


def _listed(asked: SignedInRequest, number: int) -> Response:
    say, own = asked.say, f"/crawls/{number}/pages"
    kept = {name: value for name in (*FILTERS, *MORE_FILTERS, "sort_by", "sort") if (value := asked.query.get(name))}
    problem, status = "", 200
    with crawl_access.open_crawl(asked.service, asked.caller, number) as opened:
        try:
            found = crawl_lists.pages_of(opened, _query_of(asked.query))
        except RequestError as error:
            problem, status = problem_of(error, say), 422
            if error.errors:
                problem = " ".join(say.text(sentence) for sentences in error.errors.values() for sentence in sentences)
            found, kept = crawl_lists.pages_of(opened, PageQuery(per_page=LISTED)), {}
        finding = crawl_lists.finding_of(opened, kept["finding"]) if "finding" in kept else None
        is_settled = opened.crawl.settled
        segments = [segment.name for segment in opened.state.settings.segments]
    filters = {name: value for name, value in kept.items() if name not in ("sort_by", "sort")}
    total = say.plural("%(count)s page", "%(count)s pages", found.total)

    def to(cursor: str | None) -> str:
        return f"{own}?{urlencode({**kept, 'cursor': cursor})}#list" if cursor else ""

    shown = CrawledPagesPage(
        bar=bar_of(asked.caller, "projects"),
        href=own,
        crawl_href=f"/crawls/{number}",
        url=opened.crawl.url,
        chosen=_chosen(filters, finding, say),
        search=kept.get("search", ""),
        hidden=tuple((name, value) for name, value in kept.items() if name != "search"),
        quick=tuple(_quick(own, filters, kept, segments, say)) if is_settled else (),
        columns=tuple(_columns(own, filters, kept, say, sortable=is_settled)),
        lines=tuple(_line(row, number, say) for row in found.items),
        pages=Pages(to(found.prev_cursor), to(found.next_cursor), total),
        csv=f"/crawls/{number}/pages.csv?{urlencode(filters)}" if is_settled else "",
        problem=problem,
        is_partial=finding is not None and finding.listed_count < finding.finding.pages_count,
    )
    return shown_page(shown, say, status=status)


def _chosen(filters: Mapping[str, str], finding: crawl_lists.FindingOfCrawl | None, say: Wording) -> str:
    """Return the filters in words."""
    words = [finding.finding.summary(say)] if finding is not None else []
    for name, value in filters.items():
        if name == "check" and value in all_checks():
            words.append(say.text(all_checks()[value].question))
        elif name not in ("finding", "search"):
            words.append(f"{name} = {value}")
    return " · ".join(words)


def _quick(own: str, filters: Mapping[str, str], kept: Mapping[str, str], segments: Sequence[str], say: Wording) -> Iterator[Choice]:
    order = {name: kept[name] for name in ("sort_by", "sort") if name in kept}
    for words, wanted in (*QUICK, *((name, {"segment": name}) for name in segments)):
        query = urlencode({**wanted, **order})
        yield Choice("", say.text(words), dict(filters) == dict(wanted), f"{own}?{query}#list" if query else f"{own}#list")


def _columns(own: str, filters: Mapping[str, str], kept: Mapping[str, str], say: Wording, *, sortable: bool) -> Iterator[Choice]:
    for sort, descending, words in COLUMNS:
        is_chosen = kept.get("sort_by") == sort.value
        down = kept.get("sort") != "desc" if is_chosen else descending
        query = urlencode({**filters, "sort_by": sort.value, "sort": "desc" if down else "asc"})
        value = ("descending" if kept.get("sort") == "desc" else "ascending") if is_chosen else ""
        yield Choice(value, say.text(words), is_chosen, f"{own}?{query}#list" if sortable else "")


def _line(row: PageRow, crawl: int, say: Wording) -> PageLine:
    failed, warned = len(row.verdicts[Verdict.FAILED]), len(row.verdicts[Verdict.WARNED])
    problems = [say.plural("%(count)s problem", "%(count)s problems", failed)] if failed else []
    problems += [say.plural("%(count)s warning", "%(count)s warnings", warned)] if warned else []
    return PageLine(
        href=f"/crawls/{crawl}/pages/{row.n}",
        address=readable_url(row.url),
        title=row.title,
        status=str(row.status) if row.status else say("no response"),
        reason=say.text(REASON_WORDS.get(row.reason, row.reason)) if row.reason else "",
        score=None if row.score is None or row.status != OK else scored(row.score, "", say),
        problems=", ".join(problems),
        depth="" if row.depth is None else say.number(row.depth),
        inlinks=say.number(row.inlinks),
        words=say.number(row.words) if row.words else "",
        first_byte=f"{say.number(round(row.first_byte_ms))} ms",
    )


def _shown(asked: SignedInRequest, crawl: int, number: int, problem: str = "", status: int = 200) -> Response:
    view = crawl_access.get(asked.service, asked.caller, crawl)
    found = crawl_lists.page(asked.service, asked.caller, crawl, number)
    say, row = asked.say, found.row
    line = _line(row, crawl, say)
    links = crawl_lists.links(asked.service, asked.caller, crawl, LinkQuery(target=str(number), per_page=INLINKS)) if view.settled else None
    facts = (
        (say("Status"), line.status),
        (say("Indexable"), say("yes") if row.indexable else f"{say('no')}: {line.reason}"),
        (say("Canonical"), row.canonical),
        (say("Redirects to"), row.location),
        (say("Description"), found.description),
        (say("Depth"), line.depth),
        (say("Inlinks"), line.inlinks),
        (say("Words"), line.words),
        (say("First byte"), line.first_byte),
    )
    shown = CrawledPagePage(
        bar=bar_of(asked.caller, "projects"),
        crawl_href=f"/crawls/{crawl}",
        crawl_url=view.url,
        href=line.href,
        url=row.url,
        title=row.title,
        line=line,
        facts=tuple((name, value) for name, value in facts if value),
        cards=tuple(card(item, say, names=True) for item in found.findings),
        inlinks=tuple(_inlink(item, crawl) for item in links.links) if links else (),
        more_inlinks=links is not None and links.next_cursor is not None,
        problem=problem,
    )
    return shown_page(shown, say, status=status)


def _inlink(link: LinkRow, crawl: int) -> InlinkLine:
    return InlinkLine(f"/crawls/{crawl}/pages/{link.source}", readable_url(link.source_url), link.anchor_text, link.selector)


def _reported(asked: SignedInRequest, crawl: int, number: int) -> Response:
    view = crawl_access.get(asked.service, asked.caller, crawl)
    found = crawl_lists.page(asked.service, asked.caller, crawl, number)
    privacy = Privacy.PRIVATE if view.privacy is Privacy.PASSWORD else view.privacy
    try:
        created = reports.create(asked.service, asked.caller, NewReport(found.row.url, privacy, None))
    except NotFound:
        raise
    except RequestError as error:
        problem = problem_of(error, asked.say)
        return _shown(asked, crawl, number, problem, error.status)
    return see_other(f"/r/{created.report.public_id}")
