"""Pages of a crawl: the list with its filters and columns, and each page with its findings and links."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, Protocol
from urllib.parse import urlencode

from msgspec import Struct, structs
from starlette.responses import Response

from findable.capture.crawl import Reason
from findable.checks.engine import all_checks
from findable.crawl.extractors import Extractor
from findable.crawl.page_row import PageRow
from findable.crawl.page_selection import CanonicalKind, PageSort
from findable.crawl.record import OK
from findable.crawl.table_rows import LinkRow
from findable.errors import BadRequest, NotFound, RequestError, ValidationFailed
from findable.reports.titles import readable_url
from findable.service.accounts.callers import may
from findable.service.accounts.saved_views import ListName
from findable.service.crawls import crawl_lists
from findable.service.crawls.crawl_lists import LinkQuery, PageQuery
from findable.service.crawls.uploaded_numbers import data_of, weight_of
from findable.service.reports import reports
from findable.service.values.caller import MEMBER
from findable.service.values.report_values import NewReport
from findable.store.crawl_url_data import NO_DATA
from findable.vocabulary import Privacy, Verdict
from findable.web.api.crawl_list_models import PageListQuery
from findable.web.api.validation import read
from findable.web.pages.report.finding_cards import Card, card
from findable.web.pages.report.link_visit import LinkFrame, frame_of
from findable.web.pages.shared.form_fields import Choice, problem_of
from findable.web.pages.shared.lines import NO_SUCH_LIST, Pages
from findable.web.pages.shared.number_words import column_words, number_words
from findable.web.pages.shared.page_templates import Bar, PageContext, see_other
from findable.web.pages.shared.view_chips import ViewChips, view_chips
from findable.web.pages.site.site_visit import SITES, SiteVisit, shown
from findable.web.routing import Request, get, post
from findable.wording import Wording, later

LISTED = 50
LINKS = 50
FILTERS = (
    *("status", "type", "check", "verdict", "indexable", "reason", "segment", "folder", "template", "in_sitemap", "found_by"),
    *("canonical", "lang", "depth", "inlinks", "words", "ttfb_ms", "has", "lacks", "value", "data", "search", "finding"),
)
ORDER: tuple[str, ...] = ("sort_by", "sort")
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
TYPED: tuple[tuple[str, str, str], ...] = (
    ("status", later("Status"), "200, 400..499"),
    ("folder", later("Folder"), "/blog/"),
    ("depth", later("Clicks from the start page"), "3.."),
    ("inlinks", later("Inlinks"), "..1"),
    ("words", later("Words"), "..100"),
    ("ttfb_ms", later("First byte in ms"), "1000.."),
    ("lang", later("Language"), "de"),
    ("type", later("Media type"), "text/html"),
)
"""Filters that are typed, with an example."""


class Column(Struct, frozen=True):
    """Column of the list."""

    name: str
    title: str
    sort: PageSort | None = None
    descends: bool = False
    """Whether it is sorted descending first."""


COLUMNS = (
    Column("url", later("Page"), PageSort.URL),
    Column("status", later("Status"), PageSort.STATUS),
    Column("score", later("Score"), PageSort.SCORE),
    Column("problems", later("Findings")),
    Column("depth", later("Depth"), PageSort.DEPTH),
    Column("inlinks", later("Inlinks"), PageSort.INLINKS, descends=True),
    Column("link_score", later("Link score"), PageSort.LINK_SCORE, descends=True),
    Column("words", later("Words"), PageSort.WORDS),
    Column("ttfb_ms", later("First byte"), PageSort.TTFB, descends=True),
    Column("h1", later("Main heading")),
    Column("description", later("Description")),
    Column("canonical", later("Canonical URL")),
    Column("found_by", later("Found by")),
    Column("segment", later("Segment")),
    Column("type", later("Media type")),
    Column("size", later("Transferred")),
)
EXTRACTED = "extracted."
"""Beginning of the names of columns of extractors; their place follows."""
DATA = "data"
"""Filter by a column of uploaded numbers."""
UPLOADED = f"{DATA}."
"""Beginning of the names of columns of uploaded numbers."""
SHOWN_EXTRACTORS = 5
"""Extractors whose columns are shown if none are chosen."""
USUAL = ("status", "score", "problems", "depth", "inlinks", "words", "ttfb_ms")
"""Columns that are shown if none are chosen; that of the URL always is."""
REASON_WORDS: Mapping[str, str] = {
    Reason.STATUS: later("status"),
    Reason.REDIRECT: later("redirect"),
    Reason.FAILURE: later("not loaded"),
    Reason.NOT_HTML: later("not HTML"),
    Reason.CHALLENGE: later("bot challenge or login page"),
    Reason.NOINDEX: later("noindex"),
    Reason.CANONICAL: later("canonical elsewhere"),
    Reason.ROBOTS: later("disallowed by robots.txt"),
}
FOUND_BY: Mapping[str, str] = {
    "start": later("start page"),
    "link": later("link"),
    "nofollow_link": later("nofollow link"),
    "sitemap": later("sitemap"),
    "canonical": later("canonical link"),
    "hreflang": later("hreflang"),
    "redirect": later("redirect"),
    "list": later("list"),
    "earlier": later("earlier crawl"),
    "upload": later("uploaded URL"),
}
CANONICALS: Mapping[str, str] = {
    CanonicalKind.SELF: later("itself"),
    CanonicalKind.OTHER: later("another URL"),
    CanonicalKind.NONE: later("none"),
}
YES_NO: Mapping[str, str] = {"1": later("yes"), "0": later("no")}


class PageLine(Struct, frozen=True):
    """A page in the list."""

    href: str
    address: str
    title: str
    cells: tuple[str, ...]
    """Texts of the columns after the URL."""


class ColumnHead(Struct, frozen=True):
    """Head of a column with the link that sorts by it."""

    name: str
    words: str
    href: str
    order: str
    """Order for screen readers; empty if the list is not sorted by it."""


class FilterField(Struct, frozen=True):
    """Filter in the form: a text, or one of several choices."""

    name: str
    title: str
    value: str
    example: str = ""
    choices: tuple[Choice, ...] = ()


class _To(Protocol):
    """URL of the list with a query."""

    def __call__(self, query: Mapping[str, str]) -> str: ...


class CrawledPagesPage(PageContext, frozen=True):
    """The variables of site_pages.html."""

    template: ClassVar[str] = "site_pages.html"
    frame: LinkFrame
    bar: Bar | None
    action: str
    """Path of the list."""
    chosen: str
    """Filters of the list in words; empty for all."""
    clear: str
    """URL of the list without filters."""
    search: str
    kept: tuple[tuple[str, str], ...]
    """Parameters that the forms keep."""
    quick: tuple[Choice, ...]
    views: ViewChips | None
    """Saved views; None for guests and while the crawl runs."""
    filters: tuple[FilterField, ...]
    columns: tuple[Choice, ...]
    """Columns to choose."""
    heads: tuple[ColumnHead, ...]
    lines: tuple[PageLine, ...]
    pages: Pages
    csv: str
    """URL of the list as CSV; empty while the crawl runs."""
    problem: str
    is_partial: bool
    """Whether only examples of the pages of a finding are known."""


class BlockLink(Struct, frozen=True):
    """Link within a list of links."""

    href: str
    """The other page in this report."""
    address: str
    anchor: str
    status: str
    """Response of the target, if it is not 200."""
    nofollow: bool


class LinkBlock(Struct, frozen=True):
    """List of links of a page, or of pages with the same list."""

    landmark: str
    selector: str
    links: tuple[BlockLink, ...]


class LinkSection(Struct, frozen=True):
    """Links to a page, or from it."""

    blocks: tuple[LinkBlock, ...]
    older: str
    """URL with the next links; empty at the end."""


class CrawledPagePage(PageContext, frozen=True):
    """The variables of site_crawled_page.html."""

    template: ClassVar[str] = "site_crawled_page.html"
    frame: LinkFrame
    bar: Bar | None
    href: str
    """Path of the page, whose sub-paths are its forms."""
    pages: str
    """URL of the list."""
    url: str
    title: str
    address: str
    facts: tuple[tuple[str, str], ...]
    """Facts as name and value."""
    cards: tuple[Card, ...]
    inlinks: LinkSection | None
    outlinks: LinkSection | None
    is_owner: bool
    problem: str


@get("/s/{public_id}/pages")
async def get_crawled_pages(request: Request, public_id: str) -> Response:
    """List the pages of a crawl, with the filters and orders of the API, ``finding`` for those of one finding, ``columns`` for columns."""
    return await SITES.for_viewer(request, public_id, _listed)


@get("/s/{public_id}/pages/{page}")
async def get_crawled_page(request: Request, public_id: str, page: str) -> Response:
    """Show one page of a crawl with its findings and links."""
    return await SITES.for_viewer(request, public_id, lambda visit: _page(visit, page))


@post("/s/{public_id}/pages/{page}/report")
async def post_crawled_page_report(request: Request, public_id: str, page: str) -> Response:
    """Make a full report of a page, and show it."""
    return await SITES.from_owner(request, public_id, lambda visit: _reported(visit, page))


# --- the list


def query_of(query: Mapping[str, str]) -> PageQuery:
    """Return the query of a list. Raises BadRequest for parameters that the list does not have."""
    known = {name: value for name, value in query.items() if value and name in (*FILTERS, *ORDER, "cursor")}
    try:
        wanted = read(PageListQuery, known).wanted()
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    return structs.replace(wanted, per_page=LISTED)


def _listed(visit: SiteVisit) -> Response:
    visit.require("pages")
    say, own = visit.say, f"{visit.path}/pages"
    kept = {name: value for name in (*FILTERS, *ORDER) if (value := visit.query.get(name))}
    problem, status = "", 200
    with visit.opened() as opened:
        data = data_of(visit.service, opened) if visit.owner else NO_DATA
        try:
            found = crawl_lists.pages_of(opened, query_of(visit.query), data)
        except RequestError as error:
            problem, status = problem_of(error, say), 422
            if error.errors:
                problem = " ".join(say.text(sentence) for sentences in error.errors.values() for sentence in sentences)
            found, kept = crawl_lists.pages_of(opened, PageQuery(per_page=LISTED), data), {}
        finding = crawl_lists.finding_of(opened, kept["finding"]) if "finding" in kept else None
        segments = [segment.name for segment in opened.state.settings.segments]
        extractors = opened.state.settings.extractors
    is_settled = visit.crawl.has_results
    extracted = tuple(Column(f"{EXTRACTED}{place}", extractor.name) for place, extractor in enumerate(extractors))
    uploaded = tuple(Column(f"{UPLOADED}{name}", column_words(name, say), PageSort.DATA, descends=True) for name in data.columns)
    columns = (*COLUMNS, *uploaded, *extracted)
    usual = (*USUAL, *(column.name for own in (uploaded, extracted) for column in own[:SHOWN_EXTRACTORS]))
    chosen = _chosen_columns(visit.query, columns) or usual
    filters = {name: value for name, value in kept.items() if name not in ORDER}
    others = {"columns": ",".join(chosen) if chosen != usual else "", "language": visit.asked}
    others = {name: value for name, value in others.items() if value}
    order = {name: kept[name] for name in ORDER if name in kept}

    def to(query: Mapping[str, str]) -> str:
        given = urlencode({**query, **others})
        return f"{own}{'?' if given else ''}{given}#list"

    shown_columns = tuple(column for column in columns if column.name in ("url", *chosen))
    page = CrawledPagesPage(
        frame=(frame := frame_of(visit, "/pages")),
        bar=frame.bar,
        action=own,
        chosen=_words(filters, finding, say),
        clear=to(order),
        search=kept.get("search", ""),
        kept=tuple({**{name: value for name, value in kept.items() if name != "search"}, **others}.items()),
        quick=tuple(_quick(filters, order, _own_filters(segments, extractors, weight_of(data.columns), say), to, say))
        if is_settled
        else (),
        views=_saved(visit, {**kept, **others}) if is_settled else None,
        filters=tuple(_filters(kept, segments, tuple(data.columns), say)) if is_settled else (),
        columns=tuple(Choice(column.name, say(column.title), column.name in chosen) for column in columns[1:]),
        heads=tuple(_heads(shown_columns, filters, kept, to, say, sortable=is_settled)),
        lines=tuple(_line(row, visit, shown_columns, extractors) for row in found.items),
        pages=Pages(
            to({**kept, "cursor": found.prev_cursor}) if found.prev_cursor else "",
            to({**kept, "cursor": found.next_cursor}) if found.next_cursor else "",
            say.plural("%(count)s page", "%(count)s pages", found.total),
        ),
        csv=visit.to("/export", table="pages", **filters) if is_settled else "",
        problem=problem,
        is_partial=finding is not None and finding.listed_count < finding.finding.pages_count,
    )
    return shown(visit, page, status)


def _saved(visit: SiteVisit, query: Mapping[str, str]) -> ViewChips | None:
    def to(saved: Mapping[str, str]) -> str:
        return f"{visit.to('/pages', **saved)}#list"

    return view_chips(visit.service, visit.owner, ListName.PAGES, visit.crawl.public_id, query, to) if visit.owner else None


def _chosen_columns(query: Mapping[str, str], columns: Sequence[Column]) -> tuple[str, ...]:
    """Return the columns of ``columns=status,words``, or of the fields of the form."""
    wanted = {*query.get("columns", "").split(","), *(name.removeprefix("column.") for name in query if name.startswith("column."))}
    return tuple(column.name for column in columns[1:] if column.name in wanted)


def _words(filters: Mapping[str, str], finding: crawl_lists.FindingOfCrawl | None, say: Wording) -> str:
    """Return the filters in words."""
    words = [finding.finding.summary(say)] if finding is not None else []
    titles = {name: title for name, title, _ in TYPED}
    for name, value in filters.items():
        if name == "check" and value in all_checks():
            words.append(say.text(all_checks()[value].question))
        elif name not in ("finding", "search"):
            words.append(f"{say.text(titles.get(name, _TITLES.get(name, name)))}: {_value_words(name, value, say)}")
    return " · ".join(words)


_TITLES: Mapping[str, str] = {
    "indexable": later("Indexable"),
    "reason": later("Not indexable because"),
    "in_sitemap": later("In a sitemap"),
    "found_by": later("Found by"),
    "canonical": later("Canonical URL"),
    "segment": later("Segment"),
    "template": later("Template"),
    "verdict": later("Finding"),
    "check": later("Check"),
    "has": later("With"),
    "lacks": later("Without"),
    "value": later("Contains"),
    "data": later("Uploaded numbers"),
}
_VERDICTS: Mapping[str, str] = {Verdict.FAILED: later("Problem"), Verdict.WARNED: later("Warning")}
_CHOSEN: Mapping[str, Mapping[str, str]] = {
    "indexable": YES_NO,
    "reason": REASON_WORDS,
    "in_sitemap": YES_NO,
    "found_by": FOUND_BY,
    "canonical": CANONICALS,
    "verdict": _VERDICTS,
}
"""Filters with choices."""


def _value_words(name: str, value: str, say: Wording) -> str:
    words = _CHOSEN.get(name, {}).get(value)
    return say.text(words) if words else value


def _filters(kept: Mapping[str, str], segments: Sequence[str], data: Sequence[str], say: Wording) -> Iterator[FilterField]:
    if data:
        yield FilterField(DATA, say.text(_TITLES[DATA]), kept.get(DATA, ""), f"{data[0]}:100..")
    for name, title, example in TYPED:
        yield FilterField(name, say(title), kept.get(name, ""), example)
    choices = {**_CHOSEN, **({"segment": {name: name for name in segments}} if segments else {})}
    choices["check"] = {name: check.question for name, check in sorted(all_checks().items(), key=lambda item: say.text(item[1].question))}
    for name, words in choices.items():
        chosen = kept.get(name, "")
        offered = (Choice("", say("any"), not chosen), *(Choice(value, say.text(text), value == chosen) for value, text in words.items()))
        yield FilterField(name, say(_TITLES[name]), chosen, choices=offered)


def _own_filters(
    segments: Sequence[str], extractors: Sequence[Extractor], weight: str | None, say: Wording
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the filters that the project defines, with their names."""
    if weight is not None:
        yield say("with %(name)s", name=column_words(weight, say)), {"data": f"{weight}:1.."}
    yield from ((name, {"segment": name}) for name in segments)
    for extractor in extractors[:SHOWN_EXTRACTORS]:
        yield say("with %(name)s", name=extractor.name), {"has": extractor.name}
        yield say("without %(name)s", name=extractor.name), {"lacks": extractor.name}


def _quick(
    filters: Mapping[str, str], order: Mapping[str, str], added: Iterable[tuple[str, Mapping[str, str]]], to: _To, say: Wording
) -> Iterator[Choice]:
    for words, wanted in (*((say.text(words), wanted) for words, wanted in QUICK), *added):
        yield Choice("", words, dict(filters) == dict(wanted), to({**wanted, **order}))


def _heads(
    columns: Iterable[Column], filters: Mapping[str, str], kept: Mapping[str, str], to: _To, say: Wording, *, sortable: bool
) -> Iterator[ColumnHead]:
    for column in columns:
        if column.sort is None or not sortable:
            yield ColumnHead(column.name, say(column.title), "", "")
            continue
        own = _filter_of(column, filters)
        is_chosen = kept.get("sort_by") == column.sort.value and own.items() <= filters.items()
        down = kept.get("sort") != "desc" if is_chosen else column.descends
        href = to({**filters, **own, "sort_by": column.sort.value, "sort": "desc" if down else "asc"})
        order = ("descending" if kept.get("sort") == "desc" else "ascending") if is_chosen else ""
        yield ColumnHead(column.name, say(column.title), href, order)


def _filter_of(column: Column, filters: Mapping[str, str]) -> Mapping[str, str]:
    """Return the filter without which a list cannot be sorted by the column: that of an uploaded one names it."""
    if column.sort is not PageSort.DATA:
        return {}
    name, given = column.name.removeprefix(UPLOADED), filters.get("data", "")
    return {"data": given if given.partition(":")[0] == name else name}


def _line(row: PageRow, visit: SiteVisit, columns: Iterable[Column], extractors: Sequence[Extractor]) -> PageLine:
    cells = tuple(
        _extracted(row, extractors[int(column.name.removeprefix(EXTRACTED))], visit.say)
        if column.name.startswith(EXTRACTED)
        else number_words(row.data.get(column.name.removeprefix(UPLOADED)), visit.say)
        if column.name.startswith(UPLOADED)
        else _cell(row, column.name, visit.say)
        for column in columns
        if column.name != "url"
    )
    return PageLine(visit.to(f"/pages/{row.n}"), readable_url(row.url), row.title, cells)


def _extracted(row: PageRow, extractor: Extractor, say: Wording) -> str:
    if extractor.name not in row.extracted:
        return ""
    found = row.extracted[extractor.name]
    if found is None:
        return say("not known")
    return say.number(found.count) if extractor.counts else " | ".join(found.values)


def _cell(row: PageRow, name: str, say: Wording) -> str:  # noqa: PLR0911 - one for each column
    match name:
        case "status":
            return _status(row, say)
        case "score":
            return "" if row.score is None or row.status != OK else str(row.score)
        case "problems":
            return _problems(row, say)
        case "depth":
            return "" if row.depth is None else say.number(row.depth)
        case "inlinks" | "link_score":
            return say.number(getattr(row, name))
        case "words":
            return say.number(row.words) if row.words else ""
        case "ttfb_ms":
            return f"{say.number(round(row.first_byte_ms))} ms"
        case "size":
            return f"{say.number(max(1, round(row.wire_bytes / 1000)))} kB" if row.wire_bytes else ""
        case "found_by":
            return ", ".join(say.text(FOUND_BY.get(way, way)) for way in row.found_by)
        case "segment":
            return ", ".join(row.segment)
        case _:
            return str(getattr(row, name))


def _status(row: PageRow, say: Wording) -> str:
    status = str(row.status) if row.status else say("no response")
    if row.reason and row.reason != Reason.STATUS:
        return f"{status}, {say.text(REASON_WORDS.get(row.reason, row.reason))}"
    return status


def _problems(row: PageRow, say: Wording) -> str:
    failed, warned = len(row.verdicts[Verdict.FAILED]), len(row.verdicts[Verdict.WARNED])
    problems = [say.plural("%(count)s problem", "%(count)s problems", failed)] if failed else []
    problems += [say.plural("%(count)s warning", "%(count)s warnings", warned)] if warned else []
    return ", ".join(problems)


# --- one page


def page_number(text: str) -> int:
    """Return the number of a page in a path. Raises NotFound."""
    if not (text.isascii() and text.isdigit() and 0 < len(text) < _LONGEST and text[0] != "0"):
        raise NotFound
    return int(text)


_LONGEST = 10


def _page(visit: SiteVisit, sent: str, problem: str = "", status: int = 200) -> Response:
    visit.require("pages")
    number, say, view = page_number(sent), visit.say, visit.crawl
    inlinks: crawl_lists.LinkList | None
    outlinks: crawl_lists.LinkList | None
    with visit.opened() as opened:
        found = crawl_lists.page_of(opened, number)
        try:
            inlinks = crawl_lists.links_of(opened, LinkQuery(target=str(number), per_page=LINKS, cursor=visit.query.get("inlinks", "")))
            outlinks = crawl_lists.links_of(opened, LinkQuery(source=str(number), per_page=LINKS, cursor=visit.query.get("outlinks", "")))
        except ValidationFailed:  # the crawl runs, or the cursor is wrong
            inlinks = outlinks = None
    row = found.row
    facts = (
        (say("Status"), _status(row, say)),
        (
            say("Indexable"),
            say("yes") if row.indexable else f"{say('no')}: {say.text(REASON_WORDS.get(row.reason or '', row.reason or ''))}",
        ),
        (say("Score"), _cell(row, "score", say)),
        (say("Canonical URL"), row.canonical),
        (say("Redirects to"), row.location),
        (say("Description"), found.description),
        (say("Main heading"), row.h1),
        (say("Depth"), _cell(row, "depth", say)),
        (say("Inlinks"), say.number(row.inlinks)),
        (say("Found by"), _cell(row, "found_by", say)),
        (say("Words"), _cell(row, "words", say)),
        (say("First byte"), _cell(row, "ttfb_ms", say)),
        *((extractor.name, _extracted(row, extractor, say)) for extractor in view.settings.extractors),
    )
    own = f"/pages/{number}"
    page = CrawledPagePage(
        frame=(frame := frame_of(visit, own)),
        bar=frame.bar,
        href=f"{visit.path}{own}",
        pages=visit.to("/pages"),
        url=row.url,
        title=row.title,
        address=readable_url(row.url),
        facts=tuple((name, value) for name, value in facts if value),
        cards=tuple(card(item, say, names=visit.owner is not None) for item in found.findings),
        inlinks=_section(inlinks, visit, own, "inlinks") if view.has_results else None,
        outlinks=_section(outlinks, visit, own, "outlinks"),
        is_owner=visit.owner is not None and may(visit.owner, MEMBER, visit.crawl.project_id),
        problem=problem,
    )
    return shown(visit, page, status)


def _section(found: crawl_lists.LinkList | None, visit: SiteVisit, own: str, kind: str) -> LinkSection | None:
    if found is None or not found.links:
        return None
    blocks = tuple(
        LinkBlock(landmark, selector, tuple(_link(link, visit, is_source=kind == "inlinks") for link in links))
        for (landmark, selector), links in groupby(found.links, key=lambda link: (link.landmark, link.selector))
    )
    return LinkSection(blocks, f"{visit.to(own, **{kind: found.next_cursor})}#{kind}" if found.next_cursor else "")


def _link(link: LinkRow, visit: SiteVisit, *, is_source: bool) -> BlockLink:
    if is_source:
        return BlockLink(visit.to(f"/pages/{link.source}"), readable_url(link.source_url), link.anchor_text, "", link.nofollow)
    is_known = link.target_status is not None
    status = "" if link.target_status in (OK, None) else str(link.target_status or visit.say("no response"))
    return BlockLink(
        visit.to(f"/pages/{link.target}") if is_known else "", readable_url(link.target_url), link.anchor_text, status, link.nofollow
    )


def _reported(visit: SiteVisit, sent: str) -> Response:
    if visit.owner is None:
        raise NotFound
    with visit.opened() as opened:
        found = crawl_lists.page_of(opened, page_number(sent))
    privacy = Privacy.PRIVATE if visit.crawl.privacy is Privacy.PASSWORD else visit.crawl.privacy
    try:
        created = reports.create(visit.service, visit.owner, NewReport(found.row.url, privacy, None))
    except NotFound:
        raise
    except RequestError as error:
        return _page(visit, sent, problem_of(error, visit.say), error.status)
    return see_other(f"/r/{created.report.public_id}")
