"""The findings of a report as they are read: what search engines may do, what to fix first, then all of them by category."""

from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import escape
from msgspec import Struct

from findable.checks.engine import all_checks
from findable.reports.fixes import first_fixes, fixes_in_order, way_to_next_rating
from findable.reports.titles import EFFORTS, SEARCH_ROWS, score_span
from findable.vocabulary import Verdict
from findable.web.pages.report.finding_cards import Card, Finding
from findable.web.pages.report.run_trend import RATING_WORDS
from findable.wording import Wording

_SHORT_CODE_CHARS = 160
_NOTHING = escape("<head></head>")
"""What stands as evidence where something is missing from the head."""
_ORDER = {verdict.value: index for index, verdict in enumerate((Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO))}


class Row(Struct, frozen=True):
    """One line of "What search engines may do with this page", and of what the first page shows of a report."""

    name: str
    """Empty where the finding speaks for itself."""
    card: Card
    code: str
    """What says so, where that is short; empty elsewhere."""


class Fix(Struct, frozen=True):
    """One thing to fix first."""

    card: Card
    on_way: bool
    """Part of the cheapest way to the next rating."""


class Fixes(Struct, frozen=True):
    """What to fix first."""

    items: tuple[Fix, ...]
    rest: int
    """How many more there are below."""
    way: str
    """The cheapest way to the next rating in a sentence; empty where there is none."""
    goal: str
    """The next rating in words, in the middle of a sentence."""


class Group(Struct, frozen=True):
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


def row_of(name: str, card: Card) -> Row:
    """A line with the first piece of evidence, where that is short and shows something."""
    text = card.pieces[0].text if card.pieces else ""
    return Row(name, card, text if len(text) <= _SHORT_CODE_CHARS and text != _NOTHING else "")


def search_rows(cards: Mapping[str, Card], say: Wording) -> tuple[Row, ...]:
    """What search engines may do with the page; ``cards`` are findings by check."""
    return tuple(row_of(say(name), cards[check]) for check, name in SEARCH_ROWS if check in cards)


def fixes_of(found: Mapping[str, Any], cards: Mapping[str, Card], say: Wording) -> Fixes | None:
    """None where nothing is held against the page.

    ``found`` is the report as `reports.model.body` makes it, ``cards`` its findings by check.
    """
    ordered = fixes_in_order(found)
    if not ordered:
        return None
    way = way_to_next_rating(found)
    items = tuple(Fix(cards[str(one["id"])], one["id"] in way) for one in first_fixes(found))
    goal = say(RATING_WORDS[found["explained"]["next_rating"]["result"]]) if way else ""
    return Fixes(items, len(ordered) - len(items), _way(found["explained"]["next_rating"], goal, say) if way else "", goal)


def _way(way: Mapping[str, Any], goal: str, say: Wording) -> str:
    """The cheapest way to the next rating, in a sentence."""
    efforts = [all_checks()[name].effort for name in way["checks"] if name in all_checks()]
    times = {say(words): efforts.count(effort) for effort, words in EFFORTS.items() if effort in efforts}
    named = (f"{say.number(count)} × {words}" if len(efforts) > 1 else words for words, count in times.items())
    span = score_span(way, say)
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
