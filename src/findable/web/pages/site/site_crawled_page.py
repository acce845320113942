"""Page of a crawl with its findings and links."""

from collections.abc import Mapping
from itertools import groupby

from msgspec import Struct
from starlette.responses import Response

from findable.artifacts.html.landmarks import Region
from findable.crawl.page_columns import COLUMNS, REASON_WORDS, PageRow
from findable.crawl.tables import LinkRow
from findable.errors import NotFound, RequestError, ValidationFailed
from findable.reports.charts import PairTable, pair_lines
from findable.service.crawls import crawl_lists
from findable.service.crawls.crawl_lists import LinkQuery
from findable.service.reports import reports
from findable.service.values.report_values import Existing, NewReport, ReportView
from findable.vocabulary import PageKind, Privacy
from findable.web.pages.result.finding_cards import Card, card
from findable.web.pages.result.link_pages import LinkPageContext, page_fields
from findable.web.pages.shared.form_fields import problem_of
from findable.web.pages.shared.lines import ScoreWords
from findable.web.pages.shared.number_words import column_words, number_words
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.site.crawled_page_cells import cell, extracted_cell, score_of, status_cell
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response
from findable.web.path_parts import id_of
from findable.wording import Translator, later

LINKS = 50
FACTS = ("canonical", "location", "description", "h1", "depth", "inlinks", "found_by", "words", "ttfb_ms")
"""Columns of lists whose values the page shows."""
LANDMARKS: Mapping[str, str] = {
    Region.NAV: later("navigation"),
    Region.HEADER: later("page header"),
    Region.FOOTER: later("page footer"),
    Region.ASIDE: later("sidebar"),
    Region.MAIN: later("main content"),
    Region.NONE: later("elsewhere"),
}


class LinkSection(Struct, frozen=True):
    """Links to a page, or links from a page."""

    blocks: tuple[tuple[str, str, tuple[LinkRow, ...]], ...]
    """Blocks of links: landmark in words, which may be empty, selector, and links."""
    older: str
    """URL of the next links; empty at the end."""


class CrawledPagePage(LinkPageContext, frozen=True, kw_only=True):
    """Variables of crawled_page.html."""

    page: PageRow
    rated: ScoreWords | None
    """Score of the page in the crawl."""
    checks: str
    """Number of checks of the score, in words."""
    report: ReportView | None
    """Report of the page, for people who may see it."""
    facts: tuple[tuple[str, str], ...]
    """Facts as name and value."""
    requested_as: tuple[tuple[str, str], ...]
    """Other URLs of this page that search bots requested, with their requests in words."""
    cards: tuple[Card, ...]
    places: PairTable | None
    """Links around the page by place; None without links, and before the end of the crawl."""
    inlinks: LinkSection | None
    outlinks: LinkSection | None
    problem: str


@SITES.viewer_page("/pages/{page}")
def get_crawled_page(visit: SiteVisit, page: str) -> Response:
    """Show one page of a crawl with its findings and links."""
    return _page(visit, page)


@SITES.owner_form("/pages/{page}/report")
def post_crawled_page_report(visit: SiteVisit, page: str) -> Response:
    """Create a full report of a crawled page, or run its report again, and redirect to it."""
    with visit.open_crawl() as handle:
        found = crawl_lists.page_of(handle, id_of(page))
    privacy = Privacy.PRIVATE if visit.crawl.privacy is Privacy.PASSWORD else visit.crawl.privacy
    try:
        created = reports.create(
            visit.service, visit.require_owner(), NewReport(found.row.url, privacy, None, Existing.RERUN, is_from_form=True)
        )
    except NotFound:
        raise
    except RequestError as error:
        return _page(visit, page, problem_of(error, visit.say), error.status)
    return see_other(f"/r/{created.report.public_id}")


def _page(visit: SiteVisit, page_id: str, problem: str = "", status: int = 200) -> Response:
    visit.require("pages")
    number, say, view = id_of(page_id), visit.say, visit.crawl
    inlinks: crawl_lists.LinkList | None
    outlinks: crawl_lists.LinkList | None
    with visit.open_crawl() as handle:
        found = crawl_lists.page_with_requests(visit.service, handle, number) if visit.owner else crawl_lists.page_of(handle, number)
        found = crawl_lists.with_links(handle, found)
        try:
            inlinks = crawl_lists.links_of(handle, LinkQuery(target=str(number), per_page=LINKS, cursor=visit.query.get("inlinks", "")))
            outlinks = crawl_lists.links_of(handle, LinkQuery(source=str(number), per_page=LINKS, cursor=visit.query.get("outlinks", "")))
        except ValidationFailed:  # the crawl is running, or the cursor is invalid
            inlinks = outlinks = None
    row = found.row
    facts = (
        (say("Status"), status_cell(row, say)),
        (
            say("Indexable"),
            say("yes") if row.indexable else f"{say('no')}: {say.text(REASON_WORDS.get(row.reason or '', row.reason or ''))}",
        ),
        (say("Kind of page"), "" if row.kind is PageKind.UNKNOWN else say.text(row.kind.words)),
        *((say.text(COLUMNS[name].title), cell(row, COLUMNS[name], say)) for name in FACTS),
        *((extractor.name, extracted_cell(row, extractor, say)) for extractor in view.settings.extractors),
        *((column_words(name, say), number_words(value, say)) for name, value in row.data.items()),
    )
    own = f"/pages/{number}"
    report = reports.of_url(visit.service, visit.owner, row.url) if visit.owner else None
    page = CrawledPagePage(
        **page_fields(visit, own),
        page=row,
        rated=score_of(row, say),
        checks=say.plural("by the %(count)s check of a crawl", "by the %(count)s checks of a crawl", row.checks_asked),
        report=report,
        facts=tuple((name, value) for name, value in facts if value),
        requested_as=tuple((one.url, say.plural("%(count)s request", "%(count)s requests", one.hits_count)) for one in found.requested_as),
        cards=tuple(card(item, say, names=visit.owner is not None) for item in found.findings),
        places=_places(found, say) if view.has_results else None,
        inlinks=_section(inlinks, visit, own, "inlinks") if view.has_results else None,
        outlinks=_section(outlinks, visit, own, "outlinks"),
        problem=problem,
    )
    return visit_response(visit, page, status)


def _places(found: crawl_lists.PageOfCrawl, say: Translator) -> PairTable | None:
    both = found.inlink_places, found.outlink_places
    found_at = [landmark for landmark in LANDMARKS if any(landmark in places for places in both)]
    rows = [(say.text(LANDMARKS[one]), both[0].get(one, 0), both[1].get(one, 0)) for one in found_at]
    heads = say("Pages that link here"), say("Place"), say("Links on this page")
    return PairTable("places", say("Links around this page"), heads, pair_lines(rows, say, one_scale=False)) if rows else None


def _section(found: crawl_lists.LinkList | None, visit: SiteVisit, own: str, kind: str) -> LinkSection | None:
    if found is None or not found.links:
        return None
    blocks = tuple(
        (visit.say.text(LANDMARKS[landmark]) if landmark else "", selector, tuple(links))
        for (landmark, selector), links in groupby(found.links, key=lambda link: (link.landmark, link.selector))
    )
    return LinkSection(blocks, f"{visit.url(own, **{kind: found.next_cursor})}#{kind}" if found.next_cursor else "")
