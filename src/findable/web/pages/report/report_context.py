"""Values of the report page, ready for the template, in the reader's language."""

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import ClassVar
from urllib.parse import urlencode

from msgspec import Struct, field
from msgspec.structs import replace

from findable.checks.engine import all_checks
from findable.errors import PageErrorCode
from findable.reports.browser_notice import browser_notice
from findable.reports.facts import Facts
from findable.reports.fixes import Order, is_unchecked
from findable.reports.google_listing import GoogleListing, google_listing, unknown_listing
from findable.reports.page_error_text import sentences_of
from findable.reports.previews import Previews, search_and_social_previews
from findable.reports.report import Engine, Report
from findable.reports.titles import readable_url
from findable.service.values.presentation import SECTIONS, ClientView, Presentation
from findable.service.values.report_values import ReportView
from findable.service_urls import ServiceUrls
from findable.vocabulary import Privacy, Rating, Verdict
from findable.web.pages.report.appendix import Section, sections
from findable.web.pages.report.finding_groups import Fixes, IndexingLine, finding_rows, fixes_of, nothing_to_fix, search_rows
from findable.web.pages.report.run_trend import HistorySummary
from findable.web.pages.report.verdict import MissingRating, VerdictBox, category_meters, missing_rating_of, not_run_words, verdict_box
from findable.web.pages.result.finding_cards import Card, card, question_of
from findable.web.pages.result.findings_table import FindingsQuery, FindingsTable, findings_table
from findable.web.pages.result.presentation import (
    Brand,
    LanguageLink,
    SearchListing,
    brand_of,
    texts_of,
)
from findable.web.pages.result.sharing import ResultOwner, ResultPage
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import Bar
from findable.web.pages.shared.score_bar import Meter
from findable.web.pages.shared.untrusted_text import visible
from findable.web.pages.shared.verdict_notice import verdict_notice
from findable.wording import ENGLISH, LANGUAGES, Translator, later

ORDERS = {Order.HARM: later("Most harmful first"), Order.QUICK: later("Quick wins first")}

STAGES = {
    "fetch": later("fetching the page"),
    "site": later("requesting robots.txt, sitemaps and other files of the site"),
    "page": later("requesting the resources and links of the page"),
    "checks": later("checking"),
}
_SHARING = {
    Privacy.PUBLIC: later("Anyone with the link can see this page and its files."),
    Privacy.PRIVATE: later("Only the owner of this report can see it and its files."),
    Privacy.PASSWORD: later("Page and files are for those who know the password."),
}
_WAITING = later("queued")


class HopLine(Struct, frozen=True):
    """One response of a redirect chain."""

    status: int
    url: str


class ReportIdentity(Struct, frozen=True):
    """Heading of the report: its page, time and engine."""

    name: str
    """Title of the page, or its URL."""
    has_title: bool
    address: str
    """Final URL of the page."""
    requested_url: str
    """Requested URL, if it differs and no redirects are known."""
    hops: tuple[HopLine, ...]
    """Redirects before the page."""
    checked_at: Moment | None
    """Time of the run; None until a run has ended."""
    requested_at: Moment
    """Time of the request."""
    engine: str
    """Version and ruleset, in words; empty until a run has ended."""
    preview_of: str
    """Site of which the page is a preview; empty for none."""
    browser: str
    """Sentence about the browser visit; empty without one."""


class PageLinks(Struct, frozen=True):
    """URLs of the report's pages and files."""

    page: str
    """Path of the share page, whose sub-paths are the owner's forms."""
    absolute: str
    """URL of the share page, to copy."""

    query: str = ""
    """Query of the report's files: run and language of the page; empty if there is none."""

    def file(self, ending: str) -> str:
        """Return the URL of the report's file with this extension."""
        return f"{self.page}/report.{ending}{self.query}"

    @property
    def fixes(self) -> str:
        """URL of the list of fixes as Markdown."""
        return f"{self.page}/fixes.md{self.query}"


class GenerationProgress(Struct, frozen=True):
    """Progress of the generation of a report."""

    again: bool
    """Whether an older result is shown meanwhile."""
    stage: str
    done_count: int
    total_count: int
    refresh_s: int
    """Interval at which the page reloads itself without a script."""
    events: str
    """Path of the event stream."""


class Question(Struct, frozen=True):
    """Question of a check that did not run."""

    id: str
    text: str


class SavedPageLink(Struct, frozen=True):
    """Link to the saved page of the shown run."""

    sha256: str
    """Hexadecimal digest of the file."""
    href: str


class Owner(ResultOwner, frozen=True, kw_only=True):
    """Content of the page for the owner only."""

    done: str
    """Confirmation of the submitted form; empty without one."""
    bar: Bar
    """Navigation bar of the page."""
    guests_run: int | None = None
    """Run that guests see, if it is not the newest one."""
    browsers: tuple[Choice, ...] = ()
    """Browser modes of its runs; empty without a browser."""


class OwnerPresentation(Struct, frozen=True):
    """Presentation settings for rendering a page."""

    presentation: Presentation = field(default_factory=Presentation)
    link_run: int | None = None
    """Run that guests see."""
    url_language: str = ""
    """Language in the URL; empty if it has none."""
    is_listed: bool = False
    """Whether search engines may index this page."""
    order: Order = Order.HARM
    """Order of the findings."""
    query: FindingsQuery = FindingsQuery()
    """Filters of the findings."""

    @property
    def client(self) -> ClientView:
        """Owner's texts for the client."""
        return self.presentation.client


class ReportPage(ResultPage, frozen=True, kw_only=True):
    """Variables of report.html."""

    template: ClassVar[str] = "report.html"
    identity: ReportIdentity
    links: PageLinks
    sharing: str
    """Access to page and files, in words."""
    progress: GenerationProgress | None
    last_error: str
    """Reason why the newest generation failed while an older result is shown; empty if it did not."""
    other_run: int | None
    """Number of the run, if it is not the default run of the link."""
    missing_rating: MissingRating | None
    google_listing: GoogleListing | None
    """Whether Google can index the page; None without a result, or for readers who do not see that section."""
    verdict: VerdictBox | None
    categories: tuple[Meter, ...]
    """Scores of the categories."""
    search_rows: tuple[IndexingLine, ...]
    fixes: Fixes | None
    nothing_to_fix: str
    """Sentence if there is nothing to fix; empty otherwise."""
    previews: Previews | None
    anchors: frozenset[str]
    """Ids of the findings on the page."""
    has_findings: bool
    """Whether the page contains findings that count in the score."""
    unchecked_count: int
    """Number of checks that do not apply because the content of the page was not checked; otherwise 0."""
    checks_not_run: tuple[Question, ...]
    not_run: str
    """Number of checks that did not run and what they need, in words."""
    facts: tuple[Section, ...]
    history: HistorySummary | None
    evidence: SavedPageLink | None
    shows_images: bool
    """Whether icon and preview image, or placeholders, exist."""
    has_screenshots: bool
    owner: Owner | None
    """Content for the owner; None for guests."""
    brand: Brand | None
    languages: tuple[LanguageLink, ...]
    """Language links, for guests who can choose."""


def language_links(presentation: OwnerPresentation, page: str, say: Translator) -> tuple[LanguageLink, ...]:
    """Return the links to the report in each language; empty if the project sets the language."""
    if presentation.presentation.language:
        return ()
    return tuple(LanguageLink(one.code, one.name, f"{page}?language={one.code}", one.code == say.code) for one in LANGUAGES.values())


def report_page(  # noqa: PLR0913 - the dependencies of the page are named arguments
    view: ReportView,
    urls: ServiceUrls,
    *,
    say: Translator = ENGLISH,
    zone: tzinfo | None = None,
    current_run: int | None = None,
    history: HistorySummary | None = None,
    owner: Owner | None = None,
    has_pdf: bool = False,
    has_screenshots: bool = False,
    has_filmstrip: bool = False,
    presentation: OwnerPresentation | None = None,
    path: str = "",
) -> ReportPage:
    """Return the page of a report, ready for the template.

    ``current_run`` is the default run for this reader; ``owner`` and ``history`` are for the owner. ``path`` is the path of the page, if it
    differs from the report's path.
    """
    presentation = presentation or OwnerPresentation(link_run=current_run)
    client = presentation.client
    found = view.report
    facts = found.facts if found else Facts()
    notes = client.notes if owner else client.shown_notes
    url = found.url if found else view.url
    findings = found.findings if found else ()
    cards = {one.id: card(one, say, names=owner is not None, note=notes.get(one.id, "")) for one in findings}
    is_branded = owner is None and presentation.presentation.brand.has_sender
    identity = _identity(view, say, zone, is_branded=is_branded)
    is_public = view.privacy is Privacy.PUBLIC
    path = path or f"/r/{view.public_id}"
    is_linked = view.run is not None and view.run in (current_run, presentation.link_run)
    other_run = view.run if current_run not in (None, view.run) else None

    def shows(section: str) -> bool:
        return owner is not None or client.shows(section)

    has_findings, counted = shows("findings"), shows("counted")
    gives_page = owner is not None or client.shows_saved_page
    given = {"run": str(other_run) if other_run is not None else "", "language": presentation.url_language}
    kept = {name: value for name, value in given.items() if value}
    lists = f"{path}/details" if path.startswith("/r/") and shows("facts") and other_run is None else ""
    links = PageLinks(path, urls.share_page(view.public_id), _query(other_run, presentation.url_language))
    film = f"{path}/filmstrip.webp" if has_filmstrip else ""
    is_away = view.verdict is not None and view.verdict.is_away
    fixes = fixes_of(found, cards, say) if found and shows("fixes") and not is_away else None
    is_checked = found is None or not is_unchecked(found)
    listed = {name: one for name, one in cards.items() if (counted and is_checked if _is_excluded(one) else has_findings)}
    table = None
    if found and listed:
        table = _findings(found, listed, links, presentation, kept, owner.place if owner else "", lists, say)
        table = replace(table, rows=tuple(replace(row, measure="", badge="") for row in table.rows)) if is_away else table
    verdict = verdict_box(view, found, say, for_owner=owner is not None) if found else None
    if verdict and history and history.not_compared:
        verdict = replace(verdict, change=None)
    notice = verdict_notice(view.verdict, say, zone) if shows("search") else None
    missing = missing_rating_of(view, say, for_owner=owner is not None)
    if notice and missing:  # the cause is in the verdict, and the advice for the cause is below it
        notice, missing = replace(notice, step="" if missing.next_step else notice.step), replace(missing, cause="")
    return ReportPage(
        title=say("%(name)s · SEO report", name=visible(identity.name)),
        preview=say("SEO report: %(name)s", name=visible(identity.name)) if is_public else say("Private report"),
        identity=identity,
        links=links,
        is_public=is_public,
        sharing=say(_SHARING[view.privacy]),
        progress=_generation_progress(view, say, f"{path}/events{_query(language=presentation.url_language)}"),
        last_error=sentences_of(view.last_error, say) if view.last_error and not notice else "",
        other_run=other_run,
        missing_rating=missing,
        google_listing=_google_listing(view, say) if shows("search") and not notice else None,
        notice=notice,
        verdict=verdict,
        categories=category_meters(found, view.not_asked, path if has_findings else "", say) if found and is_checked else (),
        search_rows=search_rows(cards, say) if shows("search") and is_checked else (),
        fixes=fixes,
        nothing_to_fix=nothing_to_fix(found, say) if found and shows("fixes") and not is_away else "",
        previews=search_and_social_previews(facts, url, say) if shows("outside") else None,
        findings=table,
        anchors=frozenset(listed),
        has_findings=has_findings,
        unchecked_count=0 if found is None or is_checked else found.counts.get(Verdict.INAPPLICABLE, 0),
        checks_not_run=tuple(Question(name, question_of(name, say)) for name in view.not_asked if name in all_checks())
        if counted and is_checked
        else (),
        not_run=not_run_words(found, len(view.not_asked), say) if found else "",
        facts=sections(facts, say, path if path.startswith("/r/") else "", kept, findings, film) if shows("facts") else (),
        history=history,
        evidence=SavedPageLink(view.saved_sha256, f"{path}/evidence{_query(other_run)}") if view.saved_sha256 and gives_page else None,
        shows_images=view.run is not None and view.run == current_run,
        has_screenshots=has_screenshots,
        files=is_linked,
        has_pdf=has_pdf,
        owner=owner,
        bar=owner.bar if owner else None,
        client=texts_of(client),
        hidden=frozenset(name for name in SECTIONS if owner and not client.shows(name)),
        brand=brand_of(presentation.presentation.brand, path),
        languages=language_links(presentation, path, say) if owner is None else (),
        listing=_listing(view, urls, verdict, say) if presentation.is_listed else None,
    )


def _google_listing(view: ReportView, say: Translator) -> GoogleListing | None:
    if view.report is not None:
        return google_listing(view.report, say)
    is_not_loaded = view.error is not None and view.error.code is not PageErrorCode.IMPORTED
    return unknown_listing(say) if is_not_loaded else None


def _is_excluded(card: Card) -> bool:
    """Return whether the score excludes a finding: it is accepted or does not apply."""
    return card.accepted is not None or card.verdict == Verdict.INAPPLICABLE


def _findings(
    report: Report,
    cards: Mapping[str, Card],
    links: PageLinks,
    presentation: OwnerPresentation,
    query_parameters: Mapping[str, str],
    form_check: str,
    lists: str,
    say: Translator,
) -> FindingsTable:
    rows = [replace(row, is_open=row.anchor == form_check) for row in finding_rows(report, cards, say, presentation.order, lists)]
    order = {"fixes": presentation.order.value} if presentation.order is Order.QUICK else {}
    return findings_table(
        rows,
        presentation.query,
        links.page,
        say,
        measure=say("Gain"),
        parameters={**query_parameters, **order},
        order=_orders(links.page, query_parameters, presentation, say),
    )


def _orders(page: str, query_parameters: Mapping[str, str], presentation: OwnerPresentation, say: Translator) -> tuple[Choice, ...]:
    filters = {**query_parameters, **presentation.query.parameters()}
    queries = {one: urlencode(filters if one is Order.HARM else {**filters, "fixes": one.value}) for one in ORDERS}
    return tuple(
        Choice(one.value, say(words), one is presentation.order, f"{page}{'?' if queries[one] else ''}{queries[one]}#findings")
        for one, words in ORDERS.items()
    )


def _query(run: int | None = None, language: str = "") -> str:
    parts = [f"run={run}" if run is not None else "", f"language={language}" if language else ""]
    return "".join(f"{'&' if index else '?'}{part}" for index, part in enumerate(filter(None, parts)))


def _listing(view: ReportView, urls: ServiceUrls, verdict: VerdictBox | None, say: Translator) -> SearchListing:
    url = readable_url(view.url)
    if verdict is None:
        words = say("SEO report on %(url)s.", url=url)
    else:
        words = say(
            "%(url)s is rated %(rating)s, %(score)s of 100: %(counts)s.",
            url=url,
            rating=say(Rating(verdict.rating).words) if verdict.rating else "–",
            score=verdict.score,
            counts=verdict.counts,
        )
    return SearchListing(urls.share_page(view.public_id), visible(words))


def _identity(view: ReportView, say: Translator, zone: tzinfo | None, *, is_branded: bool) -> ReportIdentity:
    found = view.report
    reached, asked = (found.url, found.requested_url) if found else (view.url, view.url)
    hops = _hops(found.facts) if found else ()
    looked_at = datetime.fromisoformat(found.captured_at) if found else view.generated_at
    return ReportIdentity(
        name=(title := found.facts.page_title if found else "") or readable_url(reached),
        has_title=bool(title),
        address=reached,
        requested_url=asked if asked != reached and not hops else "",
        hops=hops,
        checked_at=moment_of(looked_at, say, zone) if looked_at else None,
        requested_at=moment_of(view.created_at, say, zone),
        engine=_engine(found.engine, say, is_branded=is_branded) if found else "",
        preview_of=(found.judged_as if found else None) or "",
        browser=browser_notice(found, say) if found else "",
    )


def _engine(engine: Engine, say: Translator, *, is_branded: bool) -> str:
    if is_branded:
        return say("Ruleset %(ruleset)s", ruleset=engine.ruleset)
    return say("Findable %(version)s, ruleset %(ruleset)s", version=engine.version, ruleset=engine.ruleset)


def _hops(facts: Facts) -> tuple[HopLine, ...]:
    found = tuple(HopLine(hop.status, hop.url) for hop in facts.timings.hops) if facts.timings else ()
    return found[:-1]


def _generation_progress(view: ReportView, say: Translator, events: str) -> GenerationProgress | None:
    if view.is_finished:
        return None
    done, of = (view.progress.done, view.progress.of) if view.progress else (0, 1)
    return GenerationProgress(view.run is not None, stage_words(view, say), done, of, 2 if view.run is None else 10, events)


def stage_words(view: ReportView, say: Translator) -> str:
    """Return the current stage of a report's generation in words."""
    return say(STAGES.get(view.progress.stage if view.progress else "", _WAITING))
