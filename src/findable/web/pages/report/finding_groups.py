"""Findings of a report in reading order: indexing, first fixes, then all by category."""

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import escape
from msgspec import Struct

from findable.checks.engine import all_checks
from findable.reports.cheapest_fixes import NextRating
from findable.reports.fixes import Order, first_fixes, fixes_in_order
from findable.reports.judgement import gains_in_order
from findable.reports.report import CategoryScore, Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.titles import EFFORTS, SEARCH_ROWS, gain_words, score_span
from findable.vocabulary import Verdict
from findable.web.pages.report.finding_cards import Card
from findable.web.pages.shared.rating_words import RATING_WORDS
from findable.wording import Wording

_SHORT_CODE_CHARS = 160
_WHOLE_HEAD = escape("</head>")
"""End of the evidence for something missing in the head."""
_ORDER = {verdict: index for index, verdict in enumerate((Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO))}


class IndexingLine(Struct, frozen=True):
    """Line about indexing, and of a report on the home page."""

    name: str
    """Name; empty if the finding needs none."""
    card: Card
    code: str
    """Short evidence; empty elsewhere."""


class FirstFix(Struct, frozen=True):
    """One of the first fixes."""

    card: Card
    gain: str
    """Gain of the fix, in words."""
    on_way: bool
    """Whether it is part of the cheapest path to the next rating."""


class Fixes(Struct, frozen=True):
    """First fixes."""

    items: tuple[FirstFix, ...]
    rest: int
    """Number of further fixes below."""
    way: str
    """Cheapest path to the next rating in a sentence; empty if there is none."""
    goal: str
    """Next rating in words, for the middle of a sentence."""
    order: str
    """Order: ``harm`` or ``quick``."""
    together: str
    """Score after the fixes that are shown, in a sentence; empty if none is promised."""


class CategoryGroup(Struct, frozen=True):
    """One category."""

    id: str
    title: str
    score: int | None
    problems: int
    """Number of problems and warnings."""
    against: tuple[Card, ...]
    """Failed and warned, worst first."""
    notes: tuple[Card, ...]
    """Unknown and informative."""
    passed: tuple[Card, ...]


def row_of(name: str, card: Card) -> IndexingLine:
    """Return a line with the first piece of evidence, if that is short and not empty."""
    text = card.pieces[0].text if card.pieces else ""
    return IndexingLine(name, card, text if len(text) <= _SHORT_CODE_CHARS and not text.endswith(_WHOLE_HEAD) else "")


def search_rows(cards: Mapping[str, Card], say: Wording) -> tuple[IndexingLine, ...]:
    """Return the lines about indexing; ``cards`` are findings by check."""
    return tuple(row_of(say(name), cards[check]) for check, name in SEARCH_ROWS if check in cards)


def fixes_of(report: Report, cards: Mapping[str, Card], say: Wording, order: Order = Order.HARM) -> Fixes | None:
    """Return the first fixes, None if there are no problems.

    ``cards`` are its findings by check.
    """
    ordered = fixes_in_order(report, order)
    if not ordered:
        return None
    way = report.next_rating
    shown = first_fixes(report, order)
    gains = _gains(report, ordered, order)
    items = tuple(
        FirstFix(cards[one.id], gain_words(report, one, say, gains.get(one.id)), way is not None and one.id in way.checks) for one in shown
    )
    goal = say(RATING_WORDS[way.result]) if way else ""
    after = (report.score or 0) + sum(gains.get(one.id, 0) for one in shown)
    together = say("Together they lead to a score of %(score)s.", score=after) if gains and after > (report.score or 0) else ""
    return Fixes(items, len(ordered) - len(items), _way(way, goal, say) if way else "", goal, order.value, together)


def _gains(report: Report, ordered: Sequence[ReportedFinding], order: Order) -> Mapping[str, int]:
    """Return the gains of the fixes in that order. Those of harm are stored; an older ruleset promises none."""
    stored = {one.id: one.gain for one in ordered if one.gain is not None}
    if not stored or order is Order.HARM:
        return stored
    return {name: gain for name, (gain, _) in gains_in_order(report, [one.id for one in ordered]).items()} or stored


def _way(way: NextRating, goal: str, say: Wording) -> str:
    """Return a sentence about the cheapest path to the next rating."""
    efforts = [all_checks()[name].effort for name in way.checks if name in all_checks()]
    times = {say(words): efforts.count(effort) for effort, words in EFFORTS.items() if effort in efforts}
    named = (f"{say.number(count)} × {words}" if len(efforts) > 1 else words for words, count in times.items())
    span = score_span(way, say)
    return say.plural(
        "The cheapest way to %(goal)s is %(count)s fix (%(efforts)s), for a score of %(span)s.",
        "The cheapest way to %(goal)s is %(count)s fixes (%(efforts)s), for a score of %(span)s.",
        len(way.checks),
        goal=goal,
        efforts=", ".join(named),
        span=span,
    )


def groups(report: Report, cards: Mapping[str, Card], say: Wording) -> tuple[CategoryGroup, ...]:
    """Return findings by category, worst first, without accepted ones."""
    made = []
    for category in report.categories:
        own = [one for one in report.findings if one.category == category.id and not one.accepted]
        group = _group(category, own, cards, say)
        if group.against or group.notes or group.passed:
            made.append(group)
    return tuple(made)


def _group(category: CategoryScore, own: Sequence[ReportedFinding], cards: Mapping[str, Card], say: Wording) -> CategoryGroup:
    def of(findings: Iterable[ReportedFinding], *verdicts: Verdict) -> tuple[Card, ...]:
        return tuple(cards[one.id] for one in findings if one.verdict in verdicts)

    worst_first = sorted(own, key=lambda one: (_ORDER.get(one.verdict, len(_ORDER)), -one.lost, one.id))
    against = of(worst_first, Verdict.FAILED, Verdict.WARNED)
    return CategoryGroup(
        id=category.id,
        title=say.text(category.title),
        score=category.score,
        problems=len(against),
        against=against,
        notes=of(worst_first, Verdict.UNKNOWN, Verdict.INFO),
        passed=of(own, Verdict.PASSED),
    )
