"""Page of a crawl: progress while it runs, then rating, findings by cause and coverage; stop, resume, delete."""

from collections.abc import Callable, Mapping
from typing import ClassVar
from urllib.parse import quote

from msgspec import Struct, structs
from starlette.responses import Response

from findable.capture.crawl import CrawlEnd, Refusal
from findable.errors import NotFound, RequestError
from findable.reports.site_report import PAGES_SHARE, SiteFinding, SiteReport
from findable.reports.titles import RATINGS
from findable.service.crawls import crawl_access, crawl_changes, crawls
from findable.service.crawls.crawls import is_resumable
from findable.service.values.crawl_values import CrawlLimits, CrawlStatus, CrawlView
from findable.vocabulary import words_of
from findable.web.pages.project.changed_pages import CrawlChanges, change_badges, changes_of
from findable.web.pages.project.crawl_overview import NUMBER, crawl_number, duration
from findable.web.pages.report.finding_cards import Card, card
from findable.web.pages.report.verdict import ring_of
from findable.web.pages.shared.form_fields import FormView, refused
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import PageContext, see_other, shown_page
from findable.web.pages.shared.viewer import Bar, SignedInRequest, bar_of, for_person, from_person
from findable.web.routing import Request, get, post
from findable.wording import Wording, later

REFRESH_S = 3
OPEN_FINDINGS = 3
"""Findings that are shown with their evidence at once."""
MORE_PAGES = 10
"""Factor by which the maximum of pages grows when a crawl that ended by it is resumed."""
_LIMITS: Mapping[str, str] = {
    "politeness": later("limited by politeness"),
    "site": later("as fast as the site responds"),
}


class CrawlProgressView(Struct, frozen=True):
    """Progress of a crawl as text."""

    done: int
    of: int
    words: str
    """Progress in a sentence: ``950 of 1,200 URLs requested``."""
    notes: tuple[str, ...]
    """Notes about rate, its limit and the remaining time."""


class CrawlVerdict(Struct, frozen=True):
    """Rating of a site."""

    rating: str
    words: str
    score: int
    ring: str
    counts: str
    why: str
    cap: str
    """Cap of the score with its reason; empty for none."""
    is_provisional: bool


class CountLine(Struct, frozen=True):
    """Number of URLs with something in common."""

    number: str
    words: str
    href: str
    """URL of their list; empty if there is none."""


class CauseCard(Struct, frozen=True):
    """One finding with its cause and its pages."""

    card: Card
    anchor: str
    where: str
    """Pages and cause, in words."""
    href: str
    """URL of the list of its pages; empty if they are not stored."""
    is_open: bool
    change: str = ""
    """``new`` or ``returned`` since the earlier crawl, in words; empty for neither."""


class CrawlPage(PageContext, frozen=True):
    """The variables of crawl.html."""

    template: ClassVar[str] = "crawl.html"
    bar: Bar
    href: str
    url: str
    project: str
    project_href: str
    when: Moment
    status: str
    """Status in a sentence."""
    is_running: bool
    refresh_s: int
    progress: CrawlProgressView | None
    verdict: CrawlVerdict | None
    counts: tuple[CountLine, ...]
    left_out: tuple[CountLine, ...]
    changes: CrawlChanges | None
    """Changes since an earlier crawl; None if there is none to compare with."""
    findings: tuple[CauseCard, ...]
    notes: tuple[CauseCard, ...]
    """Findings that are no fault."""
    has_pages: bool
    can_stop: bool
    is_stopping: bool
    can_resume: bool
    next_pages: int
    """Maximum of pages with which the crawl can be resumed; 0 if the maximum stays."""
    form: FormView


@get("/crawls/{crawl_id}")
async def get_crawl_page(request: Request, crawl_id: str) -> Response:
    """Show a crawl. The page reloads itself while it runs."""
    return await for_person(request, lambda asked: shown_crawl(asked, crawl_id))


@post("/crawls/{crawl_id}/stop")
async def post_crawl_stop(request: Request, crawl_id: str) -> Response:
    """End the crawl with the pages it has."""
    return await from_person(
        request, lambda asked: _changed(asked, crawl_id, lambda number: crawls.stop(asked.service, asked.caller, number))
    )


@post("/crawls/{crawl_id}/resume")
async def post_crawl_resume(request: Request, crawl_id: str) -> Response:
    """Continue the crawl, with a higher maximum of pages if it ended by that."""

    def work(asked: SignedInRequest) -> Response:
        sent = asked.text("pages")
        pages = int(sent) if NUMBER.fullmatch(sent) else None
        return _changed(asked, crawl_id, lambda number: crawls.resume(asked.service, asked.caller, number, CrawlLimits(pages)))

    return await from_person(request, work)


@post("/crawls/{crawl_id}/delete")
async def post_crawl_delete(request: Request, crawl_id: str) -> Response:
    """Delete the crawl with its pages."""

    def work(asked: SignedInRequest) -> Response:
        view = crawls.get(asked.service, asked.caller, crawl_number(crawl_id))
        crawls.delete(asked.service, asked.caller, view.id)
        return see_other(f"/projects/{quote(view.project, safe='')}/crawls")

    return await from_person(request, work)


def _changed(asked: SignedInRequest, crawl_id: str, change: Callable[[int], CrawlView]) -> Response:
    try:
        change(crawl_number(crawl_id))
    except NotFound:
        raise
    except RequestError as error:
        return shown_crawl(asked, crawl_id, refused({}, error, asked.say), error.status)
    return see_other(f"/crawls/{crawl_id}")


def shown_crawl(asked: SignedInRequest, crawl_id: str, form: FormView | None = None, status: int = 200) -> Response:
    """Return the page of a crawl."""
    view = crawls.get(asked.service, asked.caller, crawl_number(crawl_id))
    report = crawl_access.report(asked.service, view) if view.settled else None
    comparison = crawl_changes.summary(asked.service, view) if view.settled else None
    say = asked.say
    badges = change_badges(comparison, say)
    own = f"/crawls/{view.id}"
    shown = CrawlPage(
        bar=bar_of(asked.caller, "projects"),
        href=own,
        url=view.url,
        project=view.project,
        project_href=f"/projects/{quote(view.project, safe='')}",
        when=moment_of(view.finished_at or view.created_at, say, asked.zone),
        status=_status(view, say),
        is_running=not view.settled,
        refresh_s=REFRESH_S,
        progress=_progress(view, say),
        verdict=_verdict(report, say) if report is not None else None,
        counts=_counts(view, own, say),
        left_out=_left_out(view, say),
        changes=changes_of(comparison, own, asked) if comparison is not None else None,
        findings=tuple(
            _cause(item, place, own, badges.get(item.key, ""), say) for place, item in enumerate(report.findings if report else ())
        ),
        notes=tuple(
            structs.replace(_cause(item, place, own, "", say), anchor=f"note-{place + 1}", is_open=False)
            for place, item in enumerate(report.notes if report else ())
        ),
        has_pages=bool(view.counts.get("pages")),
        can_stop=not view.settled,
        is_stopping=view.is_stopping,
        can_resume=is_resumable(view),
        next_pages=MORE_PAGES * view.settings.pages if view.ended_by is CrawlEnd.PAGES else 0,
        form=form or FormView(),
    )
    return shown_page(shown, say, status=status)


_RUNNING_WORDS = {
    CrawlStatus.QUEUED: later("It is queued."),
    CrawlStatus.RUNNING: later("Pages are being requested."),
    CrawlStatus.SETTLING: later("All requests are done. The findings are being made."),
}


def _status(view: CrawlView, say: Wording) -> str:
    if not view.settled:
        if view.is_stopping:
            return say("It is being stopped.")
        if view.waits_for is not None:
            return say("It waits: %(reason)s.", reason=say.text(view.waits_for.words))
        return say(_RUNNING_WORDS[view.status])
    if view.failure is not None:
        return say("The crawl failed: %(reason)s.", reason=say.text(view.failure.words))
    if view.ended_by is None:
        return say("The crawl has ended.")
    return say("The crawl ended: %(reason)s.", reason=say.text(words_of("ended_by", view.ended_by.value) or view.ended_by.value))


def _progress(view: CrawlView, say: Wording) -> CrawlProgressView | None:
    if view.settled or view.progress is None:
        return None
    told = view.progress
    done = told.counts.done + told.counts.doubtful
    notes = []
    if view.status is CrawlStatus.RUNNING and told.pages_per_second:
        notes = [
            say("%(rate)s requests per second", rate=say.number(told.pages_per_second, 1)),
            say(_LIMITS[told.limited_by]),
            say("about %(time)s left", time=duration(told.eta_s, say)),
        ]
    words = say("%(done)s of %(of)s URLs requested", done=say.number(done), of=say.number(told.of))
    return CrawlProgressView(done, max(told.of, done, 1), words, tuple(notes))


def _verdict(report: SiteReport, say: Wording) -> CrawlVerdict | None:
    if report.score is None or report.result is None:
        return None
    failed, warned = report.counts.get("failed", 0), report.counts.get("warned", 0)
    counts = say(
        "%(problems)s and %(warnings)s, by cause",
        problems=say.plural("%(count)s problem", "%(count)s problems", failed),
        warnings=say.plural("%(count)s warning", "%(count)s warnings", warned),
    )
    why = ""
    if report.pages_score is not None and report.site_score is not None:
        share = round(100 * PAGES_SHARE)
        why = say(
            "Pages %(pages)s (weight %(share)s %%), site as a whole %(site)s (weight %(rest)s %%).",
            pages=say.number(report.pages_score, 1),
            site=say.number(report.site_score, 1),
            share=share,
            rest=100 - share,
        )
    cap = say("Limited to %(score)s: %(reason)s", score=report.cap.at_most, reason=say.text(report.cap.reason)) if report.cap else ""
    words = say(RATINGS[report.result])
    return CrawlVerdict(report.result.value, words, report.score, ring_of(report.score), counts, why, cap, report.provisional)


def _counts(view: CrawlView, own: str, say: Wording) -> tuple[CountLine, ...]:
    counts = view.counts
    filters = view.settled
    lines = [
        (counts.get("urls"), say("URLs found"), ""),
        (counts.get("pages"), say("pages"), "?status=200&type=text/html"),
        (counts.get("indexable"), say("indexable"), "?indexable=1"),
        (counts.get("waiting"), say("not requested yet"), ""),
    ]
    return tuple(
        CountLine(say.number(number), words, f"{own}/pages{query}" if query and filters else "") for number, words, query in lines if number
    )


def _left_out(view: CrawlView, say: Wording) -> tuple[CountLine, ...]:
    refused_counts: Mapping[str, int] = view.counts.get("refused", {})
    return tuple(
        CountLine(say.number(count), say.text(words_of("refusal", name) or name), "")
        for name, count in sorted(refused_counts.items(), key=lambda item: -item[1])
        if name in set(Refusal)
    )


def _cause(item: SiteFinding, place: int, own: str, change: str, say: Wording) -> CauseCard:
    return CauseCard(
        card=card(item.reported, say, names=True),
        anchor=f"finding-{place + 1}",
        where=item.where(say),
        href=f"{own}/pages?finding={quote(item.key, safe='')}",
        is_open=place < OPEN_FINDINGS,
        change=change,
    )
