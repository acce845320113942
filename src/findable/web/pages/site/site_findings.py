"""Findings of a site for its report: the first fixes, and the table with the gain of each fix."""

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from msgspec import Struct, structs

from findable.reports.reported_finding import LIMITING
from findable.reports.site_faults import faults_of
from findable.reports.site_fixes import first_site_fixes
from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.titles import FIXERS
from findable.service.crawls.uploaded_metrics import Weights, by_weight
from findable.vocabulary import Verdict
from findable.web.pages.report.finding_cards import Card, card
from findable.web.pages.report.findings_table import FindingRow, FindingsTable, finding_row, findings_query, findings_table
from findable.web.pages.shared.number_words import weight_words
from findable.web.pages.shared.untrusted_text import isolated, sentence
from findable.web.pages.site.site_visit import SiteVisit
from findable.wording import Translator

MAX_FINDINGS = 150
"""Maximum number of findings on the page; the files contain the rest."""


class FirstFix(Struct, frozen=True):
    """One of the most important fixes of a site."""

    card: Card
    href: str
    where: str
    gain: str
    """Points gained by fixing all causes of the finding, after the fixes before it; empty for none."""
    more: str
    """Number of further causes of the same finding, in words; empty for none."""
    fixer: str
    """Person who usually fixes it, in words."""
    weight: str
    """Uploaded metric of its pages, in words; empty for none."""


def first_fixes(report: SiteReport, weights: Weights | None, say: Translator) -> Iterator[FirstFix]:
    """Yield the most important fixes of a site; if they are equally harmful, by the uploaded metrics of their pages."""
    for fix in first_site_fixes(report, say, _in_order(report, weights)):
        item = fix.finding
        yield FirstFix(
            site_card(report, item, say),
            f"#{quote(item.key)}",
            item.place(say),
            fix.gain,
            fix.more,
            say(FIXERS[item.check.fixer]),
            _weight(item.key, weights, say),
        )


def site_card(report: SiteReport | None, item: SiteFinding, say: Translator, *, names: bool = False, note: str = "") -> Card:
    """Return the card of a site's finding; warnings that limit the score get a separate icon."""
    made = card(item.as_reported, say, names=names, note=note)
    limits = item.verdict is Verdict.WARNED and report is not None and report.is_limiting(item)
    return structs.replace(made, mark=LIMITING) if limits else made


def _in_order(report: SiteReport, weights: Weights | None) -> tuple[SiteFinding, ...]:
    """Return the problems and warnings of a site in order of harm; if they are equally harmful, by the uploaded metrics of their pages."""
    limiting = {item.key for item in report.limiting}

    def harm(item: SiteFinding) -> object:
        return item.key if item.key in limiting else (item.verdict, item.check.importance, item.gain, round(item.worth))

    return by_weight(report.open[:MAX_FINDINGS], weights, lambda item: item.key, harm)


def _weight(key: str, weights: Weights | None, say: Translator) -> str:
    """Return the total of the uploaded metric over the pages of a finding in words; empty without uploads."""
    return "" if weights is None else weight_words(weights.column, weights.totals.get(key, 0), say)


def site_rows(report: SiteReport, visit: SiteVisit, pages: str, badges: Mapping[str, str], weights: Weights | None) -> Iterator[FindingRow]:
    """Yield the faults of a site as rows, the most harmful first, then facts and accepted findings; ``badges`` has labels by key."""
    say = visit.say
    joined = "&" if "?" in pages else "?"

    def row_of(item: SiteFinding) -> FindingRow:
        row = finding_row(_site_card(report, item, visit), _gain(item, say), say, anchor=item.key, badge=badges.get(item.key, ""))
        href = f"{pages}{joined}finding={quote(item.key, safe='')}" if pages else ""
        where = " · ".join(filter(None, (item.place(say), row.where, _weight(item.key, weights, say))))
        return structs.replace(row, where=where, href=href)

    for fault in faults_of((*_in_order(report, weights), *report.notes)):
        rows = tuple(row_of(item) for item in fault.groups)
        if fault.is_single:
            yield rows[0]
            continue
        made = structs.replace(
            card(fault.as_reported, say, names=False), fact=isolated(sentence(fault.headline(say)), ()), mark=rows[0].card.mark
        )
        gain = say.signed(fault.gain) if fault.gain else rows[0].measure
        yield structs.replace(finding_row(made, gain, say, anchor=fault.id), groups=rows)
    yield from (row_of(item) for item in report.findings if item.accepted)


def _site_card(report: SiteReport, item: SiteFinding, visit: SiteVisit) -> Card:
    note = visit.access.presentation.client.notes.get(item.id, "")
    return site_card(report, item, visit.say, names=visit.owner is not None, note=note)


def _gain(item: SiteFinding, say: Translator) -> str:
    return say.signed(item.gain) if item.gain is not None and (item.gain or item.worth) else ""


def site_table(rows: Iterable[FindingRow], visit: SiteVisit) -> FindingsTable:
    """Return the findings table of a site."""
    parameters = {"language": visit.url_language} if visit.url_language else {}
    return findings_table(rows, findings_query(visit.query), visit.path, visit.say, measure=visit.say("Gain"), parameters=parameters)
