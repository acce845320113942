"""Findings of a site for its report: the first fixes, and the table with the gain of each fix."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from msgspec import structs

from findable.reports.gain_words import gain_shown, gained
from findable.reports.reported_finding import LIMITING
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_fixes import first_site_fixes
from findable.reports.site_report import SiteFinding, SiteReport
from findable.service.crawls.uploaded_metrics import Weights, by_weight
from findable.vocabulary import Verdict
from findable.web.pages.result.finding_cards import Card, card, in_plain_words
from findable.web.pages.result.findings_table import FindingRow, FindingsTable, finding_row, findings_query, findings_table
from findable.web.pages.result.fix_entries import FirstFix
from findable.web.pages.result.link_pages import LinkVisit
from findable.web.pages.shared.number_words import weight_words
from findable.web.pages.shared.untrusted_text import isolated, sentence
from findable.wording import Translator

MAX_FINDINGS = 150
"""Maximum number of findings on the page; the files contain the rest."""


def first_fixes(report: SiteReport, weights: Weights | None, say: Translator, *, is_plain: bool = False) -> Iterator[FirstFix]:
    """Yield the most important fixes of a site; if they are equally harmful, by the uploaded metrics of their pages."""
    cms = report.summary.cms if is_plain else None
    for fix in first_site_fixes(report, say, _in_order(report, weights)):
        fault = fix.fault
        weight = _weight(fault.counted if fault.is_disjoint else [fault.first], weights, say)
        made = in_plain_words(say, cms, site_card(report, fault, say))
        yield FirstFix(
            card=made,
            gain=fix.gain,
            href=fault_href(fault),
            where=fault.plain_place(say) if made.plain else fault.place(say),
            weight=weight,
        )


def fix_of(report: SiteReport, fault: SiteFault, say: Translator) -> FirstFix:
    """Return the fix of a fault with its gain in the report, whatever is fixed first."""
    gain = gained(gain_shown(fault.gain, fault.worth), say) if fault.gain else ""
    return FirstFix(card=site_card(report, fault, say), gain=gain, href=fault_href(fault), where=fault.place(say))


def fault_href(fault: SiteFault) -> str:
    """Return the place of a fault on the page of the findings."""
    return f"#{quote(fault.first.key if fault.is_single else fault.id)}"


def site_card(report: SiteReport | None, item: SiteFinding | SiteFault, say: Translator, *, names: bool = False, note: str = "") -> Card:
    """Return the card of a site's finding, or of a fault with its headline; warnings that limit the score get a separate icon."""
    made, groups = card(item.as_reported, say, names=names, note=note), item.counted if isinstance(item, SiteFault) else (item,)
    if item.verdict is Verdict.WARNED and report is not None and any(map(report.is_limiting, groups)):
        made = structs.replace(made, mark=LIMITING)
    if isinstance(item, SiteFinding):
        return made
    values = (value for value in item.as_reported.params.values() if isinstance(value, str))
    return structs.replace(made, fact=isolated(sentence(item.headline(say)), values))


def _in_order(report: SiteReport, weights: Weights | None) -> tuple[SiteFinding, ...]:
    """Return the problems and warnings of a site in order of harm; if they are equally harmful, by the uploaded metrics of their pages."""
    limiting = {item.key for item in report.limiting}

    def harm(item: SiteFinding) -> object:
        return item.key if item.key in limiting else (item.verdict, item.check.importance, item.gain, round(item.worth))

    return by_weight(report.open[:MAX_FINDINGS], weights, lambda item: item.key, harm)


def _weight(items: Iterable[SiteFinding], weights: Weights | None, say: Translator) -> str:
    """Return the total of the uploaded metric over the pages of findings in words; empty without uploads."""
    return "" if weights is None else weight_words(weights.column, sum(weights.totals.get(item.key, 0) for item in items), say)


def site_rows(
    report: SiteReport, visit: LinkVisit[Any], pages: str, badges: Mapping[str, str], weights: Weights | None
) -> Iterator[FindingRow]:
    """Yield the faults of a site as rows, the most harmful first, then facts and accepted findings; ``badges`` has labels by key."""
    say = visit.say
    joined = "&" if "?" in pages else "?"

    def row_of(item: SiteFinding, shown: Card, place: str) -> FindingRow:
        row = finding_row(shown, _gain(item, say), anchor=item.key, badge=badges.get(item.key, ""))
        href = f"{pages}{joined}finding={quote(item.key, safe='')}" if pages else ""
        where = " · ".join(filter(None, (place, row.where, _weight([item], weights, say))))
        return structs.replace(row, where=where, href=href)

    def card_of(item: SiteFinding | SiteFault) -> Card:
        return site_card(report, item, say, names=visit.owner is not None, note=visit.presentation.client.notes.get(item.id, ""))

    def group_row(item: SiteFinding) -> FindingRow:
        return row_of(item, card_of(item), item.place(say))

    is_plain = visit.is_plain
    for fault in faults_of((*_in_order(report, weights), *(() if is_plain else report.notes))):
        made = in_plain_words(say, report.summary.cms if is_plain else None, card_of(fault))
        if fault.is_single:
            yield row_of(fault.first, made, fault.plain_place(say) if made.plain else fault.place(say))
            continue
        gain = say.signed(gain_shown(fault.gain, fault.worth)) if fault.gain else _gain(fault.first, say)
        where = fault.plain_place(say) if made.plain else ""
        row = finding_row(made, gain, anchor=fault.id)
        yield structs.replace(row, where=where, groups=tuple(group_row(item) for item in fault.groups))
    yield from (group_row(item) for item in report.findings if item.accepted)


def _gain(item: SiteFinding, say: Translator) -> str:
    return say.signed(gain_shown(item.gain, item.worth)) if item.gain is not None and (item.gain or item.worth) else ""


def site_table(rows: Iterable[FindingRow], visit: LinkVisit[Any]) -> FindingsTable:
    """Return the findings table of a site."""
    parameters = {"language": visit.url_language} if visit.url_language else {}
    return findings_table(rows, findings_query(visit.query), visit.here, visit.say, measure=visit.say("Gain"), parameters=parameters)
