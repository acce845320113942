"""Report of a crawled site: progress while it is running, then rating, fixes and structure; sharing, stop, resume, delete for the owner."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import structs
from starlette.responses import Response

from findable.capture.crawl import Reason, Refusal
from findable.crawl.changes import LOST
from findable.crawl.page_columns import REASON_WORDS
from findable.crawl.standouts import lost_by_folder, section_notes
from findable.crawl.tables import CrawlTable
from findable.errors import CrawlUnreadable, NotFound
from findable.export.table_files import TableFormat
from findable.reports.search_verdict import crawl_end_words
from findable.reports.site_picture import SitePicture, site_picture
from findable.reports.site_report import SiteReport
from findable.reports.titles import readable_url
from findable.service.crawls import crawl_access, crawl_lists
from findable.service.crawls.crawls import is_resumable
from findable.service.crawls.site_colours import OF_FINDING, Colouring, colourings
from findable.service.crawls.uploaded_metrics import weights_of
from findable.service.values.crawl_values import CrawlFailure, CrawlView
from findable.urls import origin_part
from findable.web.pages.result.changes import not_compared
from findable.web.pages.result.fix_entries import FirstFix
from findable.web.pages.result.link_pages import page_fields
from findable.web.pages.result.presentation import SearchListing
from findable.web.pages.result.sharing import NO_FORM, ResultOwner, ResultPage, owner_fields
from findable.web.pages.result.verdict import ResultVerdict
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.local_times import day_of
from findable.web.pages.shared.project_tabs import FINDINGS, STRUCTURE
from findable.web.pages.shared.untrusted_text import visible
from findable.web.pages.shared.verdict_notice import verdict_notice
from findable.web.pages.site.filtered_list_urls import PagesLinks
from findable.web.pages.site.redirect_map import RedirectMapView, redirect_map
from findable.web.pages.site.site_changes import ComparedCrawls, change_badges, comparison_of
from findable.web.pages.site.site_findings import MAX_FINDINGS, first_fixes, site_rows, site_table
from findable.web.pages.site.site_parts import SiteParts, site_parts
from findable.web.pages.site.site_verdict import site_verdict
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response
from findable.web.pages.site.standout_lines import StandoutLine, sound_words, standout_lines
from findable.wording import Translator

MAX_GROWING = 20_000
"""Number of URLs up to which the picture of a running crawl is drawn at each reload: it takes up to 10 µs a URL."""
ELSEWHERE = frozenset({CrawlTable.CHANGES, CrawlTable.FINDINGS, CrawlTable.REDIRECT_MAP, CrawlTable.SITEMAP_XML})
"""Tables that the report offers in other places."""
BY_HITS = "hits"
"""Value of the parameter ``picture`` for colours by the requests of search bots."""


class SitePage(ResultPage, frozen=True, kw_only=True):
    """Variables of site.html."""

    report: SiteReport | None
    """Report of the crawl; None before it has one."""
    name: str
    """Address of the site as people write it."""
    end: str
    """Reason why the crawl ended, in words; empty while it is running, or if it failed."""
    kind: str
    """Kind of report: of a site, or of a list of URLs."""
    verdict: ResultVerdict | None
    fixes: tuple[FirstFix, ...]
    more_findings: int
    """Number of findings that are only in the files."""
    standouts: tuple[StandoutLine, ...]
    """Sentences about what stands out, the most harmful first: since the previous crawl if the viewer may see changes, and sections."""
    sound: str
    """Sentence for a site of which nothing stands out; empty if that is not known."""
    lost: str
    """Number of pages that were indexable in the previous crawl and are no longer, in words; empty for none, or if changes are hidden."""
    picture: SitePicture | None
    """Tree map of the folders, which grows while the crawl is running; None if it is hidden, or if there is nothing to divide."""
    colours: tuple[Choice, ...]
    """Colours of the picture to choose from; the value of each is a URL."""
    notice_href: str = ""
    """URL of the crawl that the notice is about; empty if it is this one."""
    parts: SiteParts | None
    redirect_map: RedirectMapView | None
    """Redirect map of a list of URLs; None without one, or if pages are hidden."""
    since: ComparedCrawls | None
    """Changes since the previous crawl; None if there is none, or the viewer may not see it."""
    skipped_urls: Mapping[str, int]
    """Numbers of URLs that were not requested by the reason, most frequent first."""
    quick: tuple[tuple[str, int, str], ...]
    """Links to lists of pages: words, number of pages and URL."""
    links: PagesLinks
    """Links to the list of pages, with filters."""
    not_compared: str
    """Reason why the crawl is not compared with an earlier one, for its owner, in a sentence; empty if it is, or for the first crawl."""
    other_scheme: str
    """http or https, to crawl a site over it that cannot be reached over the scheme of its URL; empty otherwise."""
    tables: tuple[str, ...] = tuple(table.value for table in CrawlTable if table not in ELSEWHERE)
    """Downloadable tables of the crawl."""
    table_files: tuple[TableFormat, ...]
    """Formats of a file with all tables."""
    can_resume: bool
    owner: ResultOwner | None


@SITES.viewer_page("", is_first=True)
def get_site(visit: SiteVisit) -> Response:
    """Show the report of a site, the password form, or a "not found" page. The page reloads itself while the crawl is running."""
    return visit_response(visit, site_page(visit))


def site_page(visit: SiteVisit, form: FormView = NO_FORM, place: str = "") -> SitePage:
    """Return the page of a site report.

    ``form`` contains the errors of the owner's form at that place: `PRIVACY`, the key of a finding, or empty for another form.
    """
    view, say = visit.crawl, visit.say
    report, is_plain = visit.report(), visit.is_plain and visit.tab != STRUCTURE
    was_read = report is None or bool(report.summary.by_status)  # otherwise not even the start page was requested
    has_pages = was_read and bool(view.counts.get("pages") or (view.has_results and view.counts.get("urls"))) and visit.shows("pages")
    pages = visit.url("/pages") if has_pages else ""
    name = _name(view, say)
    kind = say("List of URLs") if view.is_list else say("Site report")
    since = comparison_of(visit) if report else None
    weights = weights_of(visit.service, view, report.open[:MAX_FINDINGS]) if report and visit.owner else None
    badges = change_badges(since.comparison, say, is_plain=is_plain) if since else {}
    rows = tuple(site_rows(report, visit, pages, badges, weights)) if report else ()
    shown = report.open if report else ()
    pictured = ((item.key, item.summary(say)) for item in shown if f"{OF_FINDING}{item.key}" == visit.query.get("picture"))
    offered = colourings(next(pictured, None), weights.column if weights else None, has_changes=since is not None)
    findings_href = f"{project_url(view.project)}/{FINDINGS}" if visit.tab is not None else ""
    refused: Mapping[str, int] = view.counts.get("refused", {})
    links, day = PagesLinks(pages), _day_of(since, visit)
    return SitePage(
        **page_fields(visit),
        report=report,
        title=f"{name} · {kind}",
        name=name,
        preview=f"{kind}: {name}" if visit.is_public else say("Private report"),
        listing=_listing(visit, report) if visit.is_listed else None,
        end=crawl_end_words(view.ended_by, report.summary.start if report else None, say) if view.is_finished and view.ended_by else "",
        kind=kind,
        notice=verdict_notice(view.verdict, say, visit.zone) if view.has_results else None,
        verdict=_verdict(visit, report, since) if report and view.result is not None else None,
        fixes=tuple(structs.replace(one, href=f"{findings_href}{one.href}") for one in first_fixes(report, weights, say, is_plain=is_plain))
        if report
        else (),
        findings=site_table(rows, visit) if rows else None,
        more_findings=len({item.id for item in report.open} - {item.id for item in report.open[:MAX_FINDINGS]}) if report else 0,
        standouts=standout_lines(report, since.comparison if since else None, day, findings_href, links, say) if report else (),
        sound=sound_words(report, day, say) if report else "",
        lost=_lost_words(since, say),
        picture=_picture(visit, report, links, since, next((one for one in offered if one.name == visit.query.get("picture")), None)),
        colours=tuple(_colours(visit, report, offered)) if report else (),
        redirect_map=redirect_map(visit) if pages and view.is_list and view.has_results else None,
        parts=site_parts(report.structure, links, say, with_tables=not is_plain) if report and was_read else None,
        since=since,
        skipped_urls={name: count for name, count in sorted(refused.items(), key=lambda item: -item[1]) if name in set(Refusal)},
        quick=tuple(_quick_links(report, links, say)) if report and pages and not is_plain else (),
        links=links,
        not_compared="" if since else not_compared(crawl_access.incomparable_before(visit.service, visit.access), say),
        other_scheme=_other_scheme(view),
        files=report is not None,
        table_files=tuple(one for one in reversed(TableFormat) if one.is_available),
        can_resume=is_resumable(view),
        owner=ResultOwner(**owner_fields(visit, form, place)) if visit.is_member else None,
    )


def _name(view: CrawlView, say: Translator) -> str:
    """Return the display name of a crawl: the URL of the site, or the number of URLs in a list and their host."""
    if not view.is_list:
        return visible(readable_url(view.url))
    host = visible(readable_url(origin_part(view.url)))
    return say.plural("%(count)s URL of %(project)s", "%(count)s URLs of %(project)s", view.settings.pages, project=host)


def _verdict(visit: SiteVisit, report: SiteReport, since: ComparedCrawls | None) -> ResultVerdict | None:
    """Return the rating of the site, with the score change since the crawl of the comparison; None without a score."""
    earlier = crawl_access.scored_before(visit.service, visit.crawl, visit.access) if since else ()
    base = next((one for one in earlier if since and one.id == since.earlier.id), None)
    moved = crawl_access.last_score_change(visit.crawl, earlier)
    return site_verdict(report, visit.crawl, base, visit.say, visit.zone, moved)


def _day_of(since: ComparedCrawls | None, visit: SiteVisit) -> str:
    """Return the day of the crawl of the comparison; empty without one."""
    return day_of(since.earlier.ended, visit.say, visit.zone, visit.crawl.ended).words if since else ""


def _lost_words(since: ComparedCrawls | None, say: Translator) -> str:
    count = sum(since.comparison.counts.get(kind.value, 0) for kind in LOST) if since else 0
    return say.plural("%(count)s page is no longer indexable", "%(count)s pages are no longer indexable", count) if count else ""


def _picture(
    visit: SiteVisit, report: SiteReport | None, links: PagesLinks, since: ComparedCrawls | None, chosen: Colouring | None
) -> SitePicture | None:
    if not visit.shows("structure"):
        return None
    lost = lost_by_folder(since.comparison.lost) if since else {}
    areas, words = report.structure.areas if report else (), None
    with suppress(NotFound, CrawlUnreadable):
        if not visit.crawl.has_results and 0 < visit.crawl.counts.get("urls", 0) <= MAX_GROWING:
            with visit.open_crawl() as handle:
                areas = crawl_lists.areas_of(handle)
        elif report and chosen and chosen.name in report.structure.areas_by_colour:
            areas, words, lost = report.structure.areas_by_colour[chosen.name], chosen.words, {}
        elif report and chosen:
            with visit.open_crawl() as handle:
                areas, words, lost = crawl_lists.coloured_areas(visit.service, handle, areas, chosen), chosen.words, {}
        elif report and visit.query.get("picture") == BY_HITS and report.structure.areas_by_hits:
            areas, lost = report.structure.areas_by_hits, {}
    templates, notes = (report.structure.templates, section_notes(report, visit.say)) if report else ((), {})
    return site_picture(
        areas, templates, visit.say, href_of=lambda folder: links.url(folder=folder), lost=lost, notes=notes, state_words=words
    )


def _colours(visit: SiteVisit, report: SiteReport, offered: Sequence[Colouring]) -> Iterator[Choice]:
    """Yield what the picture can be coloured by. The value of a choice is its URL."""
    names = {"": visit.say("Search engines")} | {one.name: visit.say.text(one.title) for one in offered}
    if report.structure.areas_by_hits:
        names[BY_HITS] = visit.say("Requests of search bots")
    chosen = visit.query.get("picture", "")
    for name, words in names.items():
        is_chosen = name == (chosen if chosen in names else "")
        yield Choice(f"{visit.here}{visit.url(picture=name).removeprefix(visit.path)}#picture", words, is_chosen)


def _other_scheme(view: CrawlView) -> str:
    """Return the scheme that was not tried for a site that cannot be reached."""
    if view.failure is not CrawlFailure.SITE_UNREACHABLE or view.scheme_guessed or view.settings.preview_origin:
        return ""
    return "http" if view.url.startswith("https:") else "https"


def _listing(visit: SiteVisit, report: SiteReport | None) -> SearchListing:
    say, url = visit.say, readable_url(visit.crawl.url)
    words = say("SEO report on %(url)s.", url=url)
    if report is not None and report.score is not None and report.result is not None:
        words = say("%(url)s: score %(score)s of 100. %(listed)s", url=url, score=report.score, listed=report.listing_sentence(say))
    return SearchListing(visit.at.site_page(visit.crawl.public_id), visible(words))


def _quick_links(report: SiteReport, links: PagesLinks, say: Translator) -> Iterator[tuple[str, int, str]]:
    classes: dict[int, int] = {}
    for status, count in report.summary.by_status:
        classes[status // 100] = classes.get(status // 100, 0) + count
    for number, words in ((3, say("Redirects")), (4, say("Client errors")), (5, say("Server errors"))):
        if classes.get(number):
            yield words, classes[number], links.url(status=f"{number}00..{number}99")
    for group in report.summary.not_indexable:
        reason = say("error") if group.name == Reason.STATUS else say.text(REASON_WORDS.get(group.name, group.name))
        yield say("not indexable: %(reason)s", reason=reason), group.pages_count, links.url(reason=group.name, type="text/html")
