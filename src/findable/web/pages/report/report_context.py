"""Values of the report page, ready for the template, in the reader's language."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from findable.checks.engine import all_checks
from findable.errors import PageErrorCode
from findable.reports.browser_notice import browser_notice
from findable.reports.facts import Facts
from findable.reports.facts.browser_facts import MarkFact
from findable.reports.fixes import Order, is_unchecked
from findable.reports.google_listing import GoogleListing, google_listing, unknown_listing
from findable.reports.page_error_text import sentences_of
from findable.reports.plain import cms_of
from findable.reports.previews import Previews, search_and_social_previews
from findable.reports.report import Report
from findable.reports.titles import question_of, readable_url
from findable.service.projects.watched_sites import WatchOffer
from findable.service.values.report_values import ReportView
from findable.vocabulary import Rating, Verdict
from findable.web.pages.report.appendix import Section, sections
from findable.web.pages.report.category_meters import category_meters
from findable.web.pages.report.finding_groups import IndexingLine, finding_rows, search_rows
from findable.web.pages.report.first_fixes import fixes_of, nothing_to_fix
from findable.web.pages.report.missing_rating import MissingRating, missing_rating_of
from findable.web.pages.report.page_verdict import VerdictBox, verdict_box
from findable.web.pages.report.report_visit import ReportVisit
from findable.web.pages.report.run_trend import HistorySummary
from findable.web.pages.result.finding_cards import Card, card
from findable.web.pages.result.findings_table import FindingsTable, findings_table
from findable.web.pages.result.fix_entries import FirstFix
from findable.web.pages.result.presentation import SearchListing, language_links
from findable.web.pages.result.sharing import ResultOwner, ResultPage
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.score_bar import Meter
from findable.web.pages.shared.untrusted_text import visible
from findable.web.pages.shared.verdict_notice import verdict_notice
from findable.web.pages.shared.viewer import bar_of
from findable.web.query_strings import url_with
from findable.wording import Translator, later

ORDERS = {Order.HARM: later("Most harmful first"), Order.QUICK: later("Quick wins first")}

STAGES = {
    "fetch": later("fetching the page"),
    "site": later("requesting robots.txt, sitemaps and other files of the site"),
    "page": later("requesting the resources and links of the page"),
    "checks": later("checking"),
}
_WAITING = later("queued")
_FOR_SPECIALISTS = frozenset({"counted", "facts"})
"""Sections that are not shown in plain words."""


class FirstView(Struct, frozen=True):
    """First view on a phone, with the places of findings."""

    cards: tuple[Card, ...]
    """Findings in order, which is their number."""
    places: tuple[tuple[MarkFact, str, tuple[int, ...]], ...]
    """Places, each with the name of the icon of its first finding, and with the numbers of all."""


class Owner(ResultOwner, frozen=True, kw_only=True):
    """Content of the page for the owner only."""

    done: str
    """Confirmation of the submitted form; empty without one."""
    guests_run: int | None = None
    """Run that guests see, if it is not the newest one."""
    browsers: tuple[Choice, ...] = ()
    """Browser modes of its runs; empty without a browser."""
    offer: WatchOffer | None = None
    """Offer to watch the site, until somebody answers it."""


class ReportPage(ResultPage, frozen=True, kw_only=True):
    """Variables of report.html."""

    name: str
    """Title of the page, or its URL."""
    browser: str
    """Sentence about the browser visit; empty without one."""
    query: str
    """Query of the report's files: run and language of the page; empty if there is none."""
    stage: str
    """Stage of the generation in words; empty if the report is not being generated."""
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
    fixes: tuple[FirstFix, ...]
    nothing_to_fix: str
    """Sentence if there is nothing to fix; empty otherwise."""
    previews: Previews | None
    anchors: frozenset[str]
    """Ids of the findings on the page."""
    has_findings: bool
    """Whether the page contains findings that count in the score."""
    unchecked_count: int
    """Number of checks that do not apply because the content of the page was not checked; otherwise 0."""
    checks_not_run: tuple[tuple[str, str], ...]
    """Ids and questions of checks that did not run."""
    facts: tuple[Section, ...]
    history: HistorySummary | None
    gives_page: bool
    """Whether the reader may download the saved page of the shown run."""
    shows_images: bool
    """Whether icon and preview image, or placeholders, exist."""
    has_screenshots: bool
    first_view: FirstView | None
    """Places of findings on the screenshot of a phone; None without one."""
    owner: Owner | None
    """Content for the owner; None for guests."""


def report_page(
    visit: ReportVisit,
    *,
    history: HistorySummary | None = None,
    owner: Owner | None = None,
    has_screenshots: bool = False,
    has_filmstrip: bool = False,
) -> ReportPage:
    """Return the page of a report, ready for the template; ``owner`` and ``history`` are for the owner."""
    view, say, path, client = visit.report, visit.say, visit.path, visit.presentation.client
    current_run, is_plain = visit.access.current_run, visit.is_plain
    found = view.report
    facts = found.facts if found else Facts()
    notes = client.notes if owner else client.shown_notes
    url = found.url if found else view.url
    findings = found.findings if found else ()
    cms = cms_of(facts, url) if is_plain else None
    cards = {one.id: card(one, say, names=owner is not None, note=notes.get(one.id, ""), cms=cms) for one in findings}
    cards = {name: one for name, one in cards.items() if one.needs_fix or not is_plain}
    name = facts.page_title or readable_url(url)
    is_linked = view.run is not None and view.run in (current_run, visit.access.link_run)
    other_run = view.run if current_run not in (None, view.run) else None

    def shows(section: str) -> bool:
        return (owner is not None or client.shows(section)) and not (is_plain and section in _FOR_SPECIALISTS)

    has_findings, counted = shows("findings"), shows("counted")
    gives_page = owner is not None or client.shows_saved_page
    kept = {"run": str(other_run) if other_run is not None else "", "language": visit.url_language}
    kept = {name: value for name, value in kept.items() if value}
    lists = f"{path}/details" if path.startswith("/r/") and shows("facts") and other_run is None else ""
    film = f"{path}/filmstrip.webp" if has_filmstrip else ""
    is_away = view.verdict is not None and view.verdict.is_away
    fixes = fixes_of(found, cards, say) if found and shows("fixes") and not is_away else ()
    is_checked = found is None or not is_unchecked(found)
    listed = {name: one for name, one in cards.items() if ((counted or is_plain) and is_checked if _is_excluded(one) else has_findings)}
    table = None
    if found and listed:
        table = _findings(found, listed, visit, kept, owner.place if owner else "", lists)
        table = replace(table, rows=tuple(replace(row, measure="", badge="") for row in table.rows)) if is_away else table
    verdict = verdict_box(view, found, say, visit.zone, for_owner=owner is not None) if found else None
    if verdict and history and history.not_compared:
        verdict = replace(verdict, change="")
    notice = verdict_notice(view.verdict, say, visit.zone) if shows("search") else None
    missing = missing_rating_of(view, say, for_owner=owner is not None)
    if notice and missing:  # the cause is in the verdict, and the advice for the cause is below it
        notice, missing = replace(notice, step="" if missing.next_step else notice.step), replace(missing, cause="")
    return ReportPage(
        visit=visit,
        bar=bar_of(visit.caller) if owner else None,
        head=None,
        languages=language_links(say, lambda code: f"{path}?language={code}") if not (owner or visit.presentation.language) else (),
        title=say("%(name)s · SEO report", name=visible(name)),
        preview=say("SEO report: %(name)s", name=visible(name)) if visit.is_public else say("Private report"),
        name=name,
        browser=browser_notice(found, say) if found else "",
        query=url_with("", kept),
        stage="" if view.is_finished else stage_words(view, say),
        last_error=sentences_of(view.last_error, say) if view.last_error and not notice else "",
        other_run=other_run,
        missing_rating=missing,
        google_listing=_google_listing(view, say) if shows("search") and not notice else None,
        notice=notice,
        verdict=verdict,
        categories=category_meters(found, view.not_asked, path if has_findings else "", say)
        if found and is_checked and not is_plain
        else (),
        search_rows=search_rows(cards, say) if shows("search") and is_checked and not is_plain else (),
        fixes=fixes,
        nothing_to_fix=nothing_to_fix(found, say) if found and shows("fixes") and not is_away else "",
        previews=search_and_social_previews(facts, url, say) if shows("outside") else None,
        findings=table,
        anchors=frozenset(listed),
        has_findings=has_findings,
        unchecked_count=0 if found is None or is_checked else found.counts.get(Verdict.INAPPLICABLE, 0),
        checks_not_run=tuple((check, question_of(check, say)) for check in view.not_asked if check in all_checks())
        if counted and is_checked
        else (),
        facts=sections(facts, say, path if path.startswith("/r/") else "", kept, findings, film) if shows("facts") else (),
        history=history,
        gives_page=bool(view.saved_sha256) and gives_page,
        shows_images=view.run is not None and view.run == current_run,
        has_screenshots=has_screenshots,
        first_view=_first_view(facts, table) if has_screenshots and has_findings and table else None,
        files=is_linked,
        owner=owner,
        listing=_listing(visit, verdict) if visit.is_listed else None,
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
    report: Report, cards: Mapping[str, Card], visit: ReportVisit, query_parameters: Mapping[str, str], form_check: str, lists: str
) -> FindingsTable:
    say = visit.say
    rows = [replace(row, is_open=row.anchor == form_check) for row in finding_rows(report, cards, say, visit.order, lists)]
    order = {"fixes": visit.order.value} if visit.order is Order.QUICK else {}
    return findings_table(
        rows,
        visit.filters,
        visit.path,
        say,
        measure=say("Gain"),
        parameters={**query_parameters, **order},
        order=_orders(visit, query_parameters),
    )


def _first_view(facts: Facts, table: FindingsTable) -> FirstView | None:
    marks = facts.browser.marks if facts.browser else ()
    named = {mark.check for mark in marks}
    cards = [row.card for row in table.rows if row.card.needs_fix and row.card.id in named]
    places: dict[MarkFact, list[int]] = {}
    for number, one in enumerate(cards, 1):
        for mark in marks:
            if mark.check == one.id:
                places.setdefault(replace(mark, check=""), []).append(number)
    shown = ((place, cards[numbers[0] - 1].mark, tuple(numbers)) for place, numbers in places.items())
    return FirstView(tuple(cards), tuple(shown)) if cards else None


def _orders(visit: ReportVisit, query_parameters: Mapping[str, str]) -> tuple[Choice, ...]:
    filters = {**query_parameters, **visit.filters.parameters()}
    queries = {one: {**filters, "fixes": "" if one is Order.HARM else one.value} for one in ORDERS}
    return tuple(
        Choice(one.value, visit.say(words), one is visit.order, url_with(visit.path, queries[one], "findings"))
        for one, words in ORDERS.items()
    )


def _listing(visit: ReportVisit, verdict: VerdictBox | None) -> SearchListing:
    say, url = visit.say, readable_url(visit.report.url)
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
    return SearchListing(visit.address, visible(words))


def stage_words(view: ReportView, say: Translator) -> str:
    """Return the current stage of a report's generation in words."""
    return say(STAGES.get(view.progress.stage if view.progress else "", _WAITING))
