"""What the report page shows, as values that need no thinking in the template. Words are in the reader's language already."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, ClassVar

from markupsafe import escape

from findable.checks.engine import all_checks
from findable.reports.fixes import first_fixes, fixes_in_order, way_to_next_rating
from findable.reports.model import body
from findable.reports.scoring import DECENT_FROM, GOOD_FROM, PROVISIONAL_BELOW
from findable.reports.titles import EFFORTS, RATINGS, SEARCH_ROWS
from findable.service.presentation import SECTIONS
from findable.service.values import ReportView
from findable.urls import display_host, parse
from findable.vocabulary import Privacy, Verdict
from findable.web.api.addresses import Addresses
from findable.web.pages.appendix import Section, sections
from findable.web.pages.cards import Card, Finding, card, question_of
from findable.web.pages.moments import Moment, moment_of
from findable.web.pages.outside import Outside, outside
from findable.web.pages.presented import (
    Brand,
    LanguageLink,
    Listing,
    Presented,
    Written,
    brand_of,
    language_links,
    written_of,
)
from findable.web.pages.rendering import Shown
from findable.web.pages.runs import RATING_WORDS, RunsShown
from findable.web.pages.seen import visible
from findable.web.pages.viewer import Bar
from findable.wording import ENGLISH, Wording, later

RING_RADIUS = 52
RING_LENGTH = 326.7
"""Circumference of the score ring, 2π · RING_RADIUS."""

PRIVACIES = {
    Privacy.PUBLIC: later("Public: anyone with the link"),
    Privacy.PRIVATE: later("Private: only you"),
    Privacy.PASSWORD: later("Behind a password"),
}
STAGES = {
    "fetch": later("fetching the page"),
    "site": later("asking what belongs to the site"),
    "page": later("asking for what the page loads and links to"),
    "checks": later("checking"),
}

NEXT_STEPS = {
    "login_required": later("Report the page as a visitor sees it without signing in, or give the service a login for this site."),
    "access_denied": later("Allow our user agent and address on the server or its firewall, then generate the report again."),
    "bot_challenge": later("Let our user agent pass the bot protection or consent wall, then generate the report again."),
    "target_rate_limited": later("Wait some minutes, then generate the report again."),
    "needs_browser": later("Serve the content in the HTML itself. Many crawlers see what we saw: an empty page."),
    "dns_failed": later("Check the spelling of the host and its DNS records, then generate the report again."),
    "connect_failed": later("Check that the server runs and that its firewall lets us in, then generate the report again."),
    "tls_failed": later("Check the certificate and the TLS settings of the server."),
    "target_timeout": later("Check how long the server takes to answer, then generate the report again."),
    "too_many_redirects": later("Follow the redirects listed by the server by hand; one of them leads back to an earlier one."),
    "not_html": later("Report the address of an HTML page."),
    "target_refused": later("Report an address on the public internet, or ask the operator of this service to allow this one."),
    "identity_unreadable": later("Enter the sign-in again in the settings of the project, then generate the report again."),
    "worker_crashed": later("Generate the report again. If it happens once more, tell the operator of this service."),
    "internal_error": later("Generate the report again. If it happens once more, tell the operator of this service."),
}
"""What the owner of a page can do where it could not be seen."""

_ORDER = {verdict.value: index for index, verdict in enumerate((Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO))}


@dataclass(frozen=True, slots=True)
class Hop:
    """One answer on the way to the page."""

    status: int
    url: str


@dataclass(frozen=True, slots=True)
class Identity:
    """What was looked at, when and how."""

    name: str
    """The page's own title, its address where it has none."""
    address: str
    """Where the page was reached."""
    asked_for: str
    """The address asked for, where it is another one and no redirects are known."""
    hops: tuple[Hop, ...]
    """Answers on the way, where there was more than one."""
    looked_at: Moment | None
    """None until a run ended."""
    asked_at: Moment
    """When the report was asked for."""
    engine: str
    """Version and ruleset, in words; empty where no run ended."""
    privacy: str
    """Who may see the report, in words."""
    judged_as: str
    """The site whose preview this is; empty for none."""


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses of the report's own pages and files."""

    page: str
    """The share page; the forms of the owner stand below it."""
    absolute: str
    """The same with scheme and host, for copying."""

    query: str = ""
    """What the report's files are asked with: the run and the language of the page; empty for none."""

    def file(self, ending: str) -> str:
        """The report as a file."""
        return f"{self.page}/report.{ending}{self.query}"


@dataclass(frozen=True, slots=True)
class Making:
    """A generation that is under way."""

    again: bool
    """Whether an older result is shown meanwhile."""
    stage: str
    done: int
    of: int
    refresh_s: int
    """How often the page reloads itself where no script follows the generation."""
    events: str
    """Path of the stream that tells of it."""


@dataclass(frozen=True, slots=True)
class Change:
    """How the score moved since the run before."""

    words: str
    direction: str
    """``up``, ``down`` or ``same``; a class of the style sheet."""


@dataclass(frozen=True, slots=True)
class Rated:
    """The rating and how it came about."""

    score: int
    ring: str
    """``stroke-dasharray`` of the ring; empty for a score of 0."""
    rating: str
    """``good``, ``decent`` or ``bad``; a class of the style sheet."""
    words: str
    """The rating in words."""
    counts: str
    held_at: int | None
    """The score that something holds it down to; None where nothing does."""
    held_by: tuple[Card, ...]
    measured: str
    """How much could be measured, where that was too little to be sure; empty elsewhere."""
    change: Change | None
    first: Card | None
    """What to fix first."""
    first_holds: bool
    """Whether that, and nothing else, holds the score down."""
    why: str
    """Where the points went, and where the ratings begin."""


@dataclass(frozen=True, slots=True)
class Plate:
    """Why there is no rating."""

    title: str
    cause: str
    next_step: str
    retryable: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One line of "What search engines may do with this page", and of what the first page shows of a report."""

    name: str
    """Empty where the finding speaks for itself."""
    card: Card
    code: str
    """What says so, where that is short; empty elsewhere."""


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing to fix first."""

    card: Card
    on_way: bool
    """Part of the cheapest way to the next rating."""


@dataclass(frozen=True, slots=True)
class Fixes:
    """What to fix first."""

    items: tuple[Fix, ...]
    rest: int
    """How many more there are below."""
    way: str
    """The cheapest way to the next rating in a sentence; empty where there is none."""
    goal: str
    """The next rating in words, in the middle of a sentence."""


@dataclass(frozen=True, slots=True)
class Group:
    """One category."""

    id: str
    title: str
    score: int | None
    problems: int
    """How many findings are held against the page."""
    against: tuple[Card, ...]
    """Failed and warned, worst first."""
    notes: tuple[Card, ...]
    """Unknown and informative."""
    passed: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A check that was not asked."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """The saved page of the shown run."""

    sha256: str
    """Of the file, hexadecimal."""
    href: str


@dataclass(frozen=True, slots=True)
class Owner:
    """What only the owner finds on the page."""

    privacy: int
    has_password: bool
    problem: str
    """What was wrong with the form that was sent; empty for nothing."""
    accept: "AcceptForm"
    bar: Bar
    """What stands on top of the page."""
    link_notes: tuple[str, ...] = ()
    """What to know of the link, in sentences."""
    guests_run: int | None = None
    """The run that guests are shown, where it is not the newest."""


@dataclass(frozen=True, slots=True)
class AcceptForm:
    """What was sent to accept a finding and could not be taken; empty at first."""

    check: str = ""
    reason: str = ""
    until: str = ""
    scope: str = "report"
    pattern: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ReportPage(Shown):
    """The variables of report.html."""

    template: ClassVar[str] = "report.html"
    title: str
    """Of the document."""
    preview: str
    """What link previews call it; tells nothing of a report that is not public."""
    identity: Identity
    links: Links
    is_public: bool
    sharing: str
    """Who can see page and files, in words."""
    making: Making | None
    last_error: str
    """Why the newest generation failed while an older result is shown; empty where it did not."""
    other_run: int | None
    """The number of the run, where it is not the one that the link shows by itself."""
    plate: Plate | None
    verdict: Rated | None
    search_rows: tuple[Row, ...]
    fixes: Fixes | None
    outside: Outside | None
    groups: tuple[Group, ...]
    accepted: tuple[Card, ...]
    inapplicable: tuple[Card, ...]
    not_asked: tuple[Question, ...]
    facts: tuple[Section, ...]
    history: RunsShown | None
    evidence: Evidence | None
    pictures: bool
    """Whether icon and card of the page are at hand: ours, or what is drawn in their place."""
    files: bool
    """Whether there is a result to export."""
    has_pdf: bool
    """Whether a PDF is among the files."""
    owner: Owner | None
    """None for guests."""
    bar: Bar | None
    """The bar on top; guests have none."""
    client: Written | None
    """What the owner wrote for the client."""
    hidden: frozenset[str]
    """Sections that guests are not shown, for the owner, who is."""
    brand: Brand | None
    languages: tuple[LanguageLink, ...]
    """For guests where they can choose."""
    listing: Listing | None
    """None where search engines may not list the page."""


def report_page(  # noqa: PLR0913 - what a page depends on, each by its name
    view: ReportView,
    at: Addresses,
    *,
    say: Wording = ENGLISH,
    zone: tzinfo | None = None,
    current_run: int | None = None,
    history: RunsShown | None = None,
    owner: Owner | None = None,
    has_pdf: bool = False,
    presented: Presented | None = None,
) -> ReportPage:
    """The page of a report. ``current_run`` is the run that this reader is shown by itself; ``owner`` and ``history`` are for the owner."""
    presented = presented or Presented(link_run=current_run)
    client = presented.client
    found = body(view.analysis, at.check_docs, say) if view.analysis else {"results": [], "facts": {}, "explained": {}}
    facts: Mapping[str, Any] = found["facts"]
    notes = client.notes if owner else client.shown_notes
    address = found.get("url", "")
    cards = {
        str(one["id"]): card(one, say, names=owner is not None, address=address, note=notes.get(one["id"], "")) for one in found["results"]
    }
    identity = _identity(view, found, say, zone)
    is_public = view.privacy is Privacy.PUBLIC
    path = f"/r/{view.public_id}"
    is_linked = view.run is not None and view.run in (current_run, presented.link_run)
    query = _query(view.run if view.run != current_run else None, presented.asked)

    def shown(section: str) -> bool:
        return owner is not None or client.shows(section)

    counted = shown("counted")
    fixes = _fixes(found, cards, say) if shown("fixes") else None
    verdict = _rated(view, found, cards, fixes, say, for_owner=owner is not None) if view.score is not None else None
    return ReportPage(
        title=say("%(name)s · SEO report", name=visible(identity.name)),
        preview=say("SEO report: %(name)s", name=visible(identity.name)) if is_public else say("Private report"),
        identity=identity,
        links=Links(path, at.share_page(view.public_id), query),
        is_public=is_public,
        sharing=say(_SHARING[view.privacy]),
        making=_making(view, say, f"{path}/events{_query(None, presented.asked)}"),
        last_error=say.text(view.last_error.message) if view.last_error else "",
        other_run=view.run if view.run != current_run and current_run is not None else None,
        plate=_plate(view, say),
        verdict=verdict,
        search_rows=tuple(row_of(say(name), cards[check]) for check, name in SEARCH_ROWS if check in cards) if shown("search") else (),
        fixes=fixes,
        outside=outside(facts, found.get("url", view.url), say) if shown("outside") else None,
        groups=groups(found, cards, say) if shown("findings") else (),
        accepted=tuple(one for one in cards.values() if one.accepted) if counted else (),
        inapplicable=tuple(one for one in cards.values() if one.verdict == Verdict.INAPPLICABLE) if counted else (),
        not_asked=tuple(Question(name, question_of(name, say)) for name in view.not_asked if name in all_checks()) if counted else (),
        facts=sections(facts, say) if shown("facts") else (),
        history=history,
        evidence=_evidence(view, path, current_run) if owner is not None or client.gives_saved_page else None,
        pictures=view.run is not None and view.run == current_run,
        files=is_linked,
        has_pdf=has_pdf,
        owner=owner,
        bar=owner.bar if owner else None,
        client=written_of(client),
        hidden=frozenset(name for name in SECTIONS if owner and not client.shows(name)),
        brand=brand_of(presented.presentation.brand, path),
        languages=language_links(presented, path, say) if owner is None else (),
        listing=_listing(view, at, verdict, say) if presented.is_listed else None,
    )


def _query(run: int | None, language: str) -> str:
    parts = [f"run={run}" if run is not None else "", f"language={language}" if language else ""]
    return "".join(f"{'&' if index else '?'}{part}" for index, part in enumerate(filter(None, parts)))


def _listing(view: ReportView, at: Addresses, verdict: Rated | None, say: Wording) -> Listing:
    address = readable_address(view.url)
    if verdict is None:
        words = say("What was seen of %(address)s.", address=address)
    else:
        words = say(
            "%(address)s is rated %(rating)s, %(score)s of 100: %(counts)s.",
            address=address,
            rating=say(RATING_WORDS[verdict.rating]) if verdict.rating else "–",
            score=verdict.score,
            counts=verdict.counts,
        )
    return Listing(at.share_page(view.public_id), visible(words))


_SHARING = {
    Privacy.PUBLIC: later("Whoever has the address of this page can see it and its files."),
    Privacy.PRIVATE: later("Only the owner of this report can see it and its files."),
    Privacy.PASSWORD: later("Page and files are for those who know the password."),
}


def _evidence(view: ReportView, path: str, current_run: int | None) -> Evidence | None:
    return Evidence(view.saved_sha256, f"{path}/evidence{_of_run(view, current_run)}") if view.saved_sha256 else None


def _of_run(view: ReportView, current_run: int | None) -> str:
    return "" if view.run == current_run else f"?run={view.run}"


def _identity(view: ReportView, found: Mapping[str, Any], say: Wording, zone: tzinfo | None) -> Identity:
    facts = found["facts"]
    reached = found.get("url", view.url)
    asked = found.get("requested_url", view.url)
    hops = _hops(facts)
    captured = found.get("captured_at")
    looked_at = datetime.fromisoformat(captured) if captured else view.generated_at
    engine = view.engine
    return Identity(
        name=page_title(facts) or readable_address(view.url),
        address=reached,
        asked_for=asked if asked != reached and not hops else "",
        hops=hops,
        looked_at=moment_of(looked_at, say, zone) if looked_at else None,
        asked_at=moment_of(view.created_at, say, zone),
        engine=say("Findable %(version)s, ruleset %(ruleset)s", version=engine["version"], ruleset=engine["ruleset"]) if engine else "",
        privacy=say(PRIVACIES[view.privacy]),
        judged_as=view.judged_as or "",
    )


def page_title(facts: Mapping[str, Any]) -> str:
    """The title the page gives itself, empty where none is known."""
    found = facts.get("title")
    if isinstance(found, Mapping):
        found = found.get("text")
    return " ".join(found.split()) if isinstance(found, str) else ""


def readable_address(url: str) -> str:
    """An address without its scheme, IDN hosts in their own script."""
    parsed = parse(url)
    if parsed is None:
        return url
    port = f":{parsed.port}" if parsed.origin.count(":") > 1 else ""
    return f"{display_host(parsed.host)}{port}{'' if parsed.path_and_query == '/' else parsed.path_and_query}"


def _hops(facts: Mapping[str, Any]) -> tuple[Hop, ...]:
    timings = facts.get("timings")
    hops = timings.get("hops") if isinstance(timings, Mapping) else None
    found = tuple(Hop(hop["status"], hop["url"]) for hop in hops) if isinstance(hops, list) else ()
    return found if len(found) > 1 else ()


def _making(view: ReportView, say: Wording, events: str) -> Making | None:
    if view.settled:
        return None
    done, of = (view.progress.done, view.progress.of) if view.progress else (0, 1)
    return Making(view.run is not None, stage_words(view, say), done, of, 2 if view.run is None else 10, events)


def stage_words(view: ReportView, say: Wording) -> str:
    """What a generation is at."""
    return say(STAGES.get(view.progress.stage if view.progress else "", _WAITING))


_WAITING = later("waiting for its turn")


def _plate(view: ReportView, say: Wording) -> Plate | None:
    if view.error is None or view.score is not None:
        return None
    code = view.error.code
    title = say("No rating: the page could not be judged") if code == "needs_browser" else say("No rating: the page was not seen")
    return Plate(title, say.text(view.error.message), say.text(NEXT_STEPS.get(code, "")), view.error.retryable)


def row_of(name: str, card: Card) -> Row:
    """A line with the first piece of evidence, where that is short and shows something."""
    text = card.pieces[0].text if card.pieces else ""
    return Row(name, card, text if len(text) <= _SHORT_CODE_CHARS and text != _NOTHING else "")


_SHORT_CODE_CHARS = 160
_NOTHING = escape("<head></head>")
"""What stands as evidence where something is missing from the head."""


def _rated(
    view: ReportView, found: Mapping[str, Any], cards: Mapping[str, Card], fixes: Fixes | None, say: Wording, *, for_owner: bool
) -> Rated:
    score = view.score or 0
    held = found["explained"].get("held_down_by")
    sure = view.coverage is None or view.coverage >= PROVISIONAL_BELOW
    rating = view.result.value if view.result else ""
    return Rated(
        score=score,
        ring=f"{RING_LENGTH * score / 100:.1f} {RING_LENGTH}" if score else "",
        rating=rating,
        words=say.text(RATINGS.get(rating, "")),
        counts=counts_sentence(view.counts, say),
        held_at=held["score"] if held else None,
        held_by=tuple(cards[name] for name in held["checks"] if name in cards) if held else (),
        measured="" if sure else say("Only %(share)s %% of what applies could be measured.", share=round((view.coverage or 0) * 100)),
        change=_change(view, say, for_owner=for_owner),
        first=fixes.items[0].card if fixes else None,
        first_holds=bool(held and fixes and held["checks"] == [fixes.items[0].card.id]),
        why=_why(score, found["explained"], sum(1 for one in cards.values() if one.points), say),
    )


def _why(score: int, explained: Mapping[str, Any], against: int, say: Wording) -> str:
    """In words; ``against`` is the number of findings that cost points."""
    scale = say("Good begins at %(good)s, decent at %(decent)s.", good=GOOD_FROM, decent=DECENT_FROM)
    if explained["held_down_by"]:
        return say("By points alone it would be %(raw)s.", raw=int(explained["raw"])) + f" {scale}"
    if not against:
        return scale
    taken = say.plural(
        "%(count)s finding takes %(points)s of 100 points.",
        "%(count)s findings take %(points)s of 100 points.",
        against,
        points=100 - score,
    )
    return f"{taken} {scale}"


def _change(view: ReportView, say: Wording, *, for_owner: bool) -> Change | None:
    """What another report found is not for whoever has the link of this one: guests are told of runs of this report only."""
    before = view.previous
    if before is None or not (for_owner or before.report == view.id):
        return None
    was = {"score": before.score, "rating": say(RATING_WORDS[before.result.value])}
    if before.change > 0:
        better = say.plural(
            "%(count)s point better than the run before (%(score)s, %(rating)s)",
            "%(count)s points better than the run before (%(score)s, %(rating)s)",
            before.change,
            **was,
        )
        return Change(better, "up")
    if before.change < 0:
        worse = say.plural(
            "%(count)s point worse than the run before (%(score)s, %(rating)s)",
            "%(count)s points worse than the run before (%(score)s, %(rating)s)",
            -before.change,
            **was,
        )
        return Change(worse, "down")
    return Change(say("The same score as the run before"), "same")


def counts_sentence(counts: Mapping[str, int], say: Wording = ENGLISH) -> str:
    """``1 problem, 6 warnings, 88 passed, 20 not applicable, 3 could not be measured``; empty without a finding."""
    parts = (
        say.plural("%(count)s problem", "%(count)s problems", counts.get(Verdict.FAILED, 0)),
        say.plural("%(count)s warning", "%(count)s warnings", counts.get(Verdict.WARNED, 0)),
        say.plural("%(count)s passed", "%(count)s passed", counts.get(Verdict.PASSED, 0)),
        say.plural("%(count)s not applicable", "%(count)s not applicable", counts.get(Verdict.INAPPLICABLE, 0)),
        say.plural("%(count)s could not be measured", "%(count)s could not be measured", counts.get(Verdict.UNKNOWN, 0)),
    )
    verdicts = (Verdict.FAILED, Verdict.WARNED, Verdict.PASSED, Verdict.INAPPLICABLE, Verdict.UNKNOWN)
    return ", ".join(part for part, verdict in zip(parts, verdicts, strict=True) if counts.get(verdict))


def _fixes(found: Mapping[str, Any], cards: Mapping[str, Card], say: Wording) -> Fixes | None:
    """None where nothing is held against the page."""
    ordered = fixes_in_order(found)
    if not ordered:
        return None
    way = way_to_next_rating(found)
    items = tuple(Fix(cards[str(one["id"])], one["id"] in way) for one in first_fixes(found))
    goal = say(RATING_WORDS[found["explained"]["next_rating"]["result"]]) if way else ""
    return Fixes(items, len(ordered) - len(items), _way(found["explained"]["next_rating"], goal, say) if way else "", goal)


def _way(way: Mapping[str, Any], goal: str, say: Wording) -> str:
    efforts = [all_checks()[name].effort for name in way["checks"] if name in all_checks()]
    named = (f"{say.number(efforts.count(effort))} × {say(words)}" for effort, words in EFFORTS.items() if effort in efforts)
    low, high = way["score_from"], way["score_to"]
    span = str(high) if low == high else say("%(low)s to %(high)s", low=low, high=high)
    return say.plural(
        "The cheapest way to %(goal)s is %(count)s fix (%(efforts)s), for a score of %(span)s.",
        "The cheapest way to %(goal)s is %(count)s fixes (%(efforts)s), for a score of %(span)s.",
        len(way["checks"]),
        goal=goal,
        efforts=", ".join(named),
        span=span,
    )


def groups(found: Mapping[str, Any], cards: Mapping[str, Card], say: Wording) -> tuple[Group, ...]:
    """Findings by category, worst first; accepted ones stand elsewhere."""
    made = []
    for category in found.get("categories", ()):
        own = [one for one in found["results"] if one.get("category") == category["id"] and not one["accepted"]]
        group = _group(category, own, cards, say)
        if group.against or group.notes or group.passed:
            made.append(group)
    return tuple(made)


def _group(category: Mapping[str, Any], own: Iterable[Finding], cards: Mapping[str, Card], say: Wording) -> Group:
    def of(findings: Iterable[Finding], *verdicts: Verdict) -> tuple[Card, ...]:
        return tuple(cards[str(one["id"])] for one in findings if one["verdict"] in verdicts)

    own = list(own)
    worst_first = sorted(own, key=lambda one: (_ORDER.get(one["verdict"], len(_ORDER)), -one["lost"], one["id"]))
    against = of(worst_first, Verdict.FAILED, Verdict.WARNED)
    return Group(
        id=category["id"],
        title=say.text(category.get("title", category["id"])),
        score=category.get("score"),
        problems=len(against),
        against=against,
        notes=of(worst_first, Verdict.UNKNOWN, Verdict.INFO),
        passed=of(own, Verdict.PASSED),
    )
