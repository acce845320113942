"""Findings of a report in reading order: lines about indexing, then all findings as a table."""

from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import parse_qsl

from markupsafe import escape
from msgspec import structs

from findable.reports.fixes import Order, fixes_in_order, is_unchecked
from findable.reports.gain_words import cheaper_way_words
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.titles import SEARCH_ROWS, VERDICTS
from findable.reports.totals import gains_in_order
from findable.web.pages.report.detail_tables import detail_query, wanted_rows
from findable.web.pages.result.finding_cards import Card
from findable.web.pages.result.findings_table import FindingRow, finding_row
from findable.wording import Translator

LISTS_OF: Mapping[str, str] = {
    "cookies": "cookies",
    "heading-order": "headings",
    "image-alt": "images",
    "image-dimensions": "images",
    "image-weight": "images?sort=-bytes",
    "images-broken": "images?sort=-status",
    "links-external-broken": "links?kind=external&state=broken",
    "links-internal-broken": "links?kind=internal&state=broken",
    "links-internal-nofollow": "links?kind=internal",
    "links-redirected": "links?kind=internal&redirect_status=any&sort=redirect_status",
}
"""List of the report with all places of a finding, by check: paths that only this page knows."""
_SHORT_CODE_CHARS = 160
_WHOLE_HEAD = escape("</head>")
"""End of the evidence for elements missing from the head."""


IndexingLine = tuple[str, Card, str]
"""Line of the section about indexing: short name, which may be empty, finding and short evidence."""


def row_of(name: str, card: Card) -> IndexingLine:
    """Return the short name of a finding about indexing, its card, and its first piece of evidence if that is short and not empty."""
    text = card.pieces[0].text if card.pieces else ""
    return name, card, (text if len(text) <= _SHORT_CODE_CHARS and not text.endswith(_WHOLE_HEAD) else "")


def search_rows(cards: Mapping[str, Card], say: Translator) -> tuple[IndexingLine, ...]:
    """Return the lines about indexing; ``cards`` are findings by check. A line that would repeat another is omitted."""
    found = [(name, cards[check]) for check, name in SEARCH_ROWS if check in cards]
    facts = [card.fact for _, card in found]
    return tuple(row_of(say(name), card) for place, (name, card) in enumerate(found) if card.fact not in facts[:place])


def finding_rows(
    report: Report, cards: Mapping[str, Card], say: Translator, order: Order = Order.HARM, lists: str = ""
) -> Iterator[FindingRow]:
    """Yield the findings as rows: problems and warnings in the order of their fixes, then the others, worst first.

    ``cards`` contains the visible findings by check; ``lists`` is the path of the report's lists, empty if there are none.
    """
    ordered = [one for one in fixes_in_order(report, order) if one.id in cards]
    gains = _gains(report, ordered, order)
    for one in ordered:
        measure = "" if is_unchecked(report) or report.score is None else _short_gain(one, gains.get(one.id), say)
        row = finding_row(cards[one.id], measure, badge=cheaper_way_words(report, one, say))
        yield structs.replace(row, href=f"{lists}/{LISTS_OF[one.id]}" if lists and _has_places(one, report) else "")
    others = [one for one in report.findings if one.id in cards and not one.has_problem]
    for one in sorted(others, key=lambda one: (one.accepted is None, list(VERDICTS).index(one.verdict))):
        yield finding_row(cards[one.id], "")


def _has_places(finding: ReportedFinding, report: Report) -> bool:
    """Return whether the report has a list with occurrences of the finding."""
    if finding.id not in LISTS_OF:
        return False
    name, _, query = LISTS_OF[finding.id].partition("?")
    return bool(wanted_rows(name, report.facts, detail_query(name, dict(parse_qsl(query)))))


def _short_gain(finding: ReportedFinding, gain: int | None, say: Translator) -> str:
    if gain is None:
        return say.signed(float(finding.lost)) if finding.lost else ""
    return say.signed(gain) if gain or finding.lost else ""


def _gains(report: Report, ordered: Sequence[ReportedFinding], order: Order) -> Mapping[str, int]:
    """Return the points gained by each fix if all are made in this order, by check.

    Gains in order of harm are stored; findings of an older ruleset have none.
    """
    stored = {one.id: one.gain for one in ordered if one.gain is not None}
    if not stored or order is Order.HARM:
        return stored
    return {name: gain for name, (gain, _) in gains_in_order(report, [one.id for one in ordered]).items()} or stored
