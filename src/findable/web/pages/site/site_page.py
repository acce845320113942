"""Report of a crawled site: progress while it is running, then rating, fixes and structure; sharing, stop, resume, delete for the owner."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar

from msgspec import Struct
from starlette.responses import Response

from findable.capture.crawl import CrawlEnd, Reason
from findable.crawl.changes import LOST, ChangeKind
from findable.crawl.page_row import REASON_WORDS
from findable.crawl.tables import CrawlTable
from findable.errors import CrawlUnreadable, NotFound
from findable.export.pdf import is_available
from findable.export.table_files import TableFormat
from findable.reports.search_verdict import crawl_end_words
from findable.reports.site_picture import SitePicture, site_picture
from findable.reports.site_report import SiteReport
from findable.reports.titles import readable_url
from findable.service.accounts.callers import may
from findable.service.crawls import crawl_access, crawl_changes, crawl_lists, site_colours
from findable.service.crawls.crawls import is_resumable
from findable.service.crawls.site_colours import OF_FINDING, Colouring, colourings
from findable.service.crawls.uploaded_metrics import weights_of
from findable.service.values.caller import MEMBER
from findable.service.values.crawl_values import CrawlFailure, CrawlStatus, CrawlView
from findable.service.values.presentation import SITE_SECTIONS
from findable.urls import origin_part
from findable.vocabulary import Privacy
from findable.web.pages.report.run_trend import not_compared
from findable.web.pages.result.presentation import SearchListing, texts_of
from findable.web.pages.result.sharing import NO_FORM, ResultOwner, ResultPage, owner_fields
from findable.web.pages.result.visits import LinkFrame, frame_of
from findable.web.pages.shared.durations import duration
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.untrusted_text import visible
from findable.web.pages.shared.verdict_notice import verdict_notice
from findable.web.pages.site.pages_links import PagesLinks
from findable.web.pages.site.site_changes import ComparedCrawls, change_badges, comparison_of
from findable.web.pages.site.site_findings import MAX_FINDINGS, FirstFix, first_fixes, site_rows, site_table
from findable.web.pages.site.site_parts import FactLine, SiteParts, SkippedUrls, site_parts, skipped_urls
from findable.web.pages.site.site_settings import settings_of_crawl
from findable.web.pages.site.site_verdict import SiteVerdict, missing_score, site_verdict
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response
from findable.wording import Translator, later

REFRESH_S = 3
MORE_PAGES = 10
"""Factor for the maximum number of pages when a crawl that reached it is resumed."""
MAX_GROWING = 20_000
"""Number of URLs up to which the picture of a running crawl is drawn at each reload: it takes up to 10 µs a URL."""
_LIMITS: Mapping[str, str] = {
    "politeness": later("limited by politeness"),
    "site": later("as fast as the site responds"),
}
BY_HITS = "hits"
"""Value of the parameter ``picture`` for colours by the requests of search bots."""


class CrawlProgressView(Struct, frozen=True):
    """Progress of a running crawl in words."""

    done_count: int
    total_count: int
    words: str
    """Progress in a sentence: ``950 of 1,200 URLs requested``."""
    notes: tuple[str, ...]
    """Notes about the rate, its limiting factor and the remaining time."""


class ChangesSummary(Struct, frozen=True):
    """Summary of the changes since the previous crawl."""

    words: str
    """Numbers of findings by kind of change, in a sentence; or the reason why the crawls cannot be compared."""
    counts: tuple[FactLine, ...]
    """Changed pages by kind."""


class SiteOwner(ResultOwner, frozen=True, kw_only=True):
    """Content of the page for the owner only."""

    can_stop: bool
    is_stopping: bool
    can_rescore: bool
    """Whether the crawl can be rescored from its stored responses."""
    can_resume: bool
    next_pages: int
    """Maximum number of pages for resuming the crawl; 0 if it does not change."""


class SitePage(ResultPage, frozen=True, kw_only=True):
    """Variables of site.html."""

    template: ClassVar[str] = "site.html"
    frame: LinkFrame
    page: str
    """Path of the page, whose sub-paths are its forms."""
    absolute: str
    """URL of the page, to copy."""
    name: str
    """Address of the site as people write it."""
    when: Moment
    status: str
    """Status in a sentence."""
    is_running: bool
    refresh_s: int
    progress: CrawlProgressView | None
    kind: str
    """Kind of report: of a site, or of a list of URLs."""
    listing_sentence: str
    """Sentence about the pages that search engines can list; empty while the crawl is running."""
    missing_score: str
    """Reason why there is no score; empty with a score, or while the crawl is running."""
    verdict: SiteVerdict | None
    has_pages: bool
    """Whether the crawl read a page, without which nothing was checked."""
    fixes: tuple[FirstFix, ...]
    counts: tuple[FactLine, ...]
    more_findings: int
    """Number of findings that are only in the files."""
    lost: str
    """Number of pages that were indexable in the previous crawl and are no longer, in words; empty for none, or if changes are hidden."""
    picture: SitePicture | None
    """Tree map of the folders, which grows while the crawl is running; None if it is hidden, or if there is nothing to divide."""
    colours: tuple[Choice, ...]
    """Colours of the picture to choose from; the value of each is a URL."""
    parts: SiteParts | None
    visible_sections: frozenset[str]
    """Sections visible to the viewer."""
    changes: ChangesSummary | None
    """Changes since the previous crawl; None if there is none, or the viewer may not see it."""
    skipped_urls: tuple[SkippedUrls, ...]
    quick: tuple[FactLine, ...]
    """Links to lists of pages."""
    pages_href: str
    """URL of the list of pages; empty if the list is hidden from the viewer."""
    not_compared: str
    """Reason why the crawl is not compared with an earlier one, for its owner, in a sentence; empty if it is, or for the first crawl."""
    other_scheme: str
    """http or https, to crawl a site over it that cannot be reached over the scheme of its URL; empty otherwise."""
    changes_href: str
    """URL of the changes since the previous crawl; empty if there is none, or the viewer may not see it."""
    query: str
    """Query of the files: the language of the page; empty if there is none."""
    tables: tuple[str, ...]
    """Downloadable tables of the crawl."""
    table_files: tuple[TableFormat, ...]
    """Formats of a file with all tables."""
    settings: tuple[FactLine, ...]
    """Settings of the crawl, for its owner."""
    owner: SiteOwner | None


@SITES.viewer_page("", is_first=True)
def get_site(visit: SiteVisit) -> Response:
    """Show the report of a site, the password form, or a "not found" page. The page reloads itself while the crawl is running."""
    return visit_response(visit, site_page(visit))


def site_page(visit: SiteVisit, form: FormView = NO_FORM, place: str = "") -> SitePage:
    """Return the page of a site report.

    ``form`` contains the errors of the owner's form at that place: `PRIVACY`, the key of a finding, or empty for another form.
    """
    view, say = visit.crawl, visit.say
    report = visit.report()
    was_read = report is None or bool(report.summary.by_status)  # otherwise not even the start page was requested
    has_pages = was_read and bool(view.counts.get("pages") or (view.has_results and view.counts.get("urls"))) and visit.shows("pages")
    pages = visit.url("/pages") if has_pages else ""
    client = visit.access.presentation.client
    frame = frame_of(visit)
    is_public = view.privacy is Privacy.PUBLIC
    name = _name(view, say)
    kind = say("List of URLs") if view.is_list else say("Site report")
    since = comparison_of(visit) if report else None
    has_lost = since is not None and any(since.comparison.counts.get(kind.value) for kind in LOST)
    lost = crawl_changes.lost_urls(visit.service, view) if has_lost else ()
    weights = weights_of(visit.service, view, report.open[:MAX_FINDINGS]) if report and visit.owner else None
    rows = tuple(site_rows(report, visit, pages, change_badges(since.comparison, say) if since else {}, weights)) if report else ()
    offered = colourings(_pictured_finding(visit, report), weights.column if weights else None, has_changes=since is not None)
    error_form: Mapping[str, int] = view.counts.get("refused", {})
    return SitePage(
        frame=frame,
        bar=frame.bar,
        page=visit.path,
        absolute=visit.at.site_page(view.public_id),
        title=f"{name} · {kind}",
        name=name,
        preview=f"{kind}: {name}" if is_public else say("Private report"),
        is_public=is_public,
        listing=_listing(visit, report) if visit.is_listed else None,
        when=moment_of(view.finished_at or view.created_at, say, visit.zone),
        status=" ".join(filter(None, (_status(view, report, say), _browser_failure(view, say)))),
        is_running=not view.is_finished,
        refresh_s=REFRESH_S,
        progress=_progress(view, say),
        client=texts_of(client),
        kind=kind,
        listing_sentence=report.listing_sentence(say) if report else "",
        missing_score=missing_score(report, view.counts.get("urls", 0), say) if report else "",
        notice=verdict_notice(view.verdict, say, visit.zone) if view.has_results else None,
        verdict=_verdict(visit, report, with_change=since is not None) if report and view.result is not None else None,
        has_pages=bool(report and report.summary.pages_count),
        fixes=tuple(first_fixes(report, weights, say)) if report else (),
        counts=tuple(_counts(view, pages, say)),
        findings=site_table(rows, visit) if rows else None,
        more_findings=len({item.id for item in report.open} - {item.id for item in report.open[:MAX_FINDINGS]}) if report else 0,
        lost=say.plural("%(count)s page is no longer indexable", "%(count)s pages are no longer indexable", len(lost)) if lost else "",
        picture=_picture(visit, report, pages, lost, next((one for one in offered if one.name == visit.query.get("picture")), None)),
        colours=tuple(_colours(visit, report, offered)) if report else (),
        parts=site_parts(report.summary, report.structure, pages, say) if report and was_read else None,
        visible_sections=frozenset(filter(visit.shows, SITE_SECTIONS)),
        hidden=frozenset(name for name in SITE_SECTIONS if visit.owner and not client.shows(name)),
        changes=_changes(since, say) if since else None,
        skipped_urls=skipped_urls(report.summary.left_out if report else (), error_form, say),
        quick=tuple(_quick_links(report, pages, say)) if report and pages else (),
        pages_href=pages,
        not_compared="" if since else _not_compared(visit),
        other_scheme=_other_scheme(view),
        changes_href=visit.url("/changes") if since else "",
        files=report is not None,
        query=f"?language={visit.url_language}" if visit.url_language else "",
        tables=tuple(table.value for table in CrawlTable if table not in (CrawlTable.CHANGES, CrawlTable.FINDINGS, CrawlTable.SITEMAP_XML)),
        table_files=tuple(one for one in reversed(TableFormat) if one.is_available),
        has_pdf=is_available(),
        settings=tuple(settings_of_crawl(view, say)) if visit.owner else (),
        owner=_owner(visit, form, place) if visit.owner and may(visit.owner, MEMBER, visit.crawl.project_id) else None,
    )


def _name(view: CrawlView, say: Translator) -> str:
    """Return the display name of a crawl: the URL of the site, or the number of URLs in a list and their host."""
    if not view.is_list:
        return visible(readable_url(view.url))
    host = visible(readable_url(origin_part(view.url)))
    return say.plural("%(count)s URL of %(project)s", "%(count)s URLs of %(project)s", view.settings.pages, project=host)


def _verdict(visit: SiteVisit, report: SiteReport, *, with_change: bool) -> SiteVerdict | None:
    """Return the rating of the site, with the score change if ``with_change``; None without a score."""
    earlier = crawl_access.scored_before(visit.service, visit.crawl, visit.access) if with_change else ()
    base, moved = crawl_access.score_base_of(visit.crawl, earlier), crawl_access.last_score_change(visit.crawl, earlier)
    return site_verdict(report, visit.crawl, base, visit.say, visit.zone, moved)


def _picture(visit: SiteVisit, report: SiteReport | None, pages: str, lost: Sequence[str], chosen: Colouring | None) -> SitePicture | None:
    if not visit.shows("structure"):
        return None
    areas, words = report.structure.areas if report else (), None
    with suppress(NotFound, CrawlUnreadable):
        if not visit.crawl.has_results and 0 < visit.crawl.counts.get("urls", 0) <= MAX_GROWING:
            with visit.open_crawl() as handle:
                areas = crawl_lists.areas_of(handle)
        elif report and chosen:
            with visit.open_crawl() as handle:
                areas, words, lost = site_colours.areas_by_colour(visit.service, handle, chosen), chosen.words, ()
        elif report and visit.query.get("picture") == BY_HITS and report.structure.areas_by_hits:
            areas, lost = report.structure.areas_by_hits, ()
    templates, links = report.structure.templates if report else (), PagesLinks(pages)
    return site_picture(areas, templates, visit.say, href_of=lambda folder: links.url(folder=folder), lost=lost, state_words=words)


def _pictured_finding(visit: SiteVisit, report: SiteReport | None) -> tuple[str, str] | None:
    """Return the key and the title of the finding by which the picture is coloured."""
    found = [item for item in report.open if f"{OF_FINDING}{item.key}" == visit.query.get("picture")] if report else []
    return (found[0].key, found[0].summary(visit.say)) if found else None


def _colours(visit: SiteVisit, report: SiteReport, offered: Sequence[Colouring]) -> Iterator[Choice]:
    """Yield what the picture can be coloured by. The value of a choice is its URL."""
    names = {"": visit.say("What search engines may do")} | {one.name: visit.say.text(one.title) for one in offered}
    if report.structure.areas_by_hits:
        names[BY_HITS] = visit.say("Requests of search bots")
    chosen = visit.query.get("picture", "")
    for name, words in names.items():
        is_chosen = name == (chosen if chosen in names else "")
        yield Choice(f"{visit.url(picture=name) if name else visit.url()}#picture", words, is_chosen)


def _changes(since: ComparedCrawls, say: Translator) -> ChangesSummary:
    found = since.comparison
    if found.not_comparable is not None:
        reason = say.text(found.not_comparable.words)
        return ChangesSummary(say("Not compared: %(reason)s", reason=reason), ())
    counts = (FactLine(say.text(ChangeKind(kind).words), say.number(count)) for kind, count in found.counts.items())
    return ChangesSummary(found.findings.words(say), tuple(counts))


def _not_compared(visit: SiteVisit) -> str:
    reason = crawl_access.incomparable_before(visit.service, visit.access)
    return not_compared(reason, visit.say)


def _other_scheme(view: CrawlView) -> str:
    """Return the scheme that was not tried for a site that cannot be reached."""
    if view.failure is not CrawlFailure.SITE_UNREACHABLE or view.scheme_guessed or view.settings.preview_origin:
        return ""
    return "http" if view.url.startswith("https:") else "https"


def _owner(visit: SiteVisit, form: FormView, place: str) -> SiteOwner:
    view = visit.crawl
    return SiteOwner(
        can_stop=not view.has_results,
        can_rescore=view.is_finished and bool(view.counts.get("pages")),
        is_stopping=view.is_stopping,
        can_resume=is_resumable(view),
        next_pages=MORE_PAGES * view.settings.pages if view.ended_by is CrawlEnd.PAGES else 0,
        **owner_fields(visit, form, place),
    )


def _listing(visit: SiteVisit, report: SiteReport | None) -> SearchListing:
    say, url = visit.say, readable_url(visit.crawl.url)
    words = say("SEO report on %(url)s.", url=url)
    if report is not None and report.score is not None and report.result is not None:
        words = say("%(url)s: score %(score)s of 100. %(listed)s", url=url, score=report.score, listed=report.listing_sentence(say))
    return SearchListing(visit.at.site_page(visit.crawl.public_id), visible(words))


_RUNNING_WORDS = {
    CrawlStatus.QUEUED: later("The crawl is queued."),
    CrawlStatus.RUNNING: later("Pages are being requested."),
    CrawlStatus.SETTLING: later("All requests are done. The findings are being computed."),
}


def _status(view: CrawlView, report: SiteReport | None, say: Translator) -> str:
    if not view.is_finished:
        if view.is_stopping:
            return say("The crawl is being stopped.")
        if view.waits_for is not None:
            return say("The crawl is paused: %(reason)s.", reason=say.text(view.waits_for.words))
        return say("The crawl is being rescored from its stored responses.") if view.is_rescoring else say(_RUNNING_WORDS[view.status])
    if view.failure is not None:
        return say("The crawl failed: %(reason)s.", reason=say.text(view.failure.words))
    if view.ended_by is None:
        return say("The crawl has ended.")
    if view.is_list and view.ended_by is CrawlEnd.COMPLETE:
        return say("The crawl ended: every URL of the list was crawled.")
    return say("The crawl ended: %(reason)s.", reason=crawl_end_words(view.ended_by, report.summary.start if report else None, say))


def _browser_failure(view: CrawlView, say: Translator) -> str:
    """Return a sentence if every page that was opened in a browser failed to load; else empty."""
    visits = view.counts.get("rendered", 0)
    if not view.has_results or not visits or view.counts.get("rendered_failed", 0) < visits:
        return ""
    return say.plural(
        "The browser could not load the %(count)s page that it opened: its HTML as sent was checked.",
        "The browser could not load any of the %(count)s pages that it opened: their HTML as sent was checked.",
        visits,
    )


def _progress(view: CrawlView, say: Translator) -> CrawlProgressView | None:
    if view.is_finished or view.progress is None:
        return None
    progress = view.progress
    done = progress.done
    notes = []
    if view.status is CrawlStatus.RUNNING and progress.pages_per_second:
        notes = [
            say("%(rate)s requests per second", rate=say.number(progress.pages_per_second, 1)),
            say(_LIMITS[progress.limited_by]),
            say("about %(time)s left", time=duration(progress.eta_s, say)),
        ]
    numbers = {"done": say.number(done), "of": say.number(progress.of)}
    words = say("%(done)s of %(of)s URLs requested", **numbers)
    if progress.judged is not None:
        words = say("%(done)s of %(of)s stored pages rescored", **numbers)
    return CrawlProgressView(done, max(progress.of, done, 1), words, tuple(notes))


def _counts(view: CrawlView, pages: str, say: Translator) -> Iterator[FactLine]:
    counts, joined = view.counts, "&" if "?" in pages else "?"
    has_filters = view.has_results and pages
    lines = (
        (counts.get("urls"), say("URLs found"), ""),
        (counts.get("pages"), say("pages"), "status=200&type=text/html"),
        (counts.get("indexable"), say("indexable"), "indexable=1"),
        (_non_pages_count(counts), say("redirects, errors, files and blocked URLs"), ""),
        (counts.get("waiting"), say("not requested yet"), ""),
    )
    for number, words, query in lines:
        if number:
            yield FactLine(words, say.number(number), f"{pages}{joined}{query}" if query and has_filters else "")
    if view.has_results and view.coverage is not None and view.coverage < 1:
        yield FactLine(say("of the URLs found were requested"), f"{round(100 * view.coverage)} %")


def _non_pages_count(counts: Mapping[str, int]) -> int:
    """Return the number of requested URLs that returned no page, such as redirects, errors and files."""
    known = counts.get("pages", 0) + counts.get("waiting", 0)
    return max(0, counts.get("urls", 0) - known) if known else 0


def _quick_links(report: SiteReport, pages: str, say: Translator) -> Iterator[FactLine]:
    joined = "&" if "?" in pages else "?"
    classes: dict[int, int] = {}
    for status, count in report.summary.by_status:
        classes[status // 100] = classes.get(status // 100, 0) + count
    for number, words in ((3, say("Redirects")), (4, say("Client errors")), (5, say("Server errors"))):
        if classes.get(number):
            yield FactLine(words, say.number(classes[number]), f"{pages}{joined}status={number}00..{number}99")
    for group in report.summary.not_indexable:
        reason = say("error") if group.name == Reason.STATUS else say.text(REASON_WORDS.get(group.name, group.name))
        yield FactLine(
            say("not indexable: %(reason)s", reason=reason),
            say.number(group.pages_count),
            f"{pages}{joined}reason={group.name}&type=text/html",
        )
