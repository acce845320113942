"""Content of a project report's PDF: rating, first fixes, findings, changes, score over time, and pages."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from findable.checks.engine import find_check
from findable.crawl.changes import CrawlComparison
from findable.export.hit_tables import hit_tables
from findable.export.pdf_charts import pair_chart, score_line
from findable.export.pdf_content import brief_entry, card_of, icon_of, rated, ruleset_note, verdict_lines
from findable.export.pdf_frame import frame_of
from findable.export.pdf_sheet import Sheet
from findable.export.pdf_tables import table_of, widest_first
from findable.export.pdf_texts import breakable, clean, sentence_of, snippet_of
from findable.export.site_pdf_content import (
    BRIEF,
    CARDS,
    score_lines,
    site_drawing,
    site_findings,
    site_fixes,
    site_foot,
    site_report_charts,
)
from findable.reports.earlier_score import by_ruleset
from findable.reports.plain import plain_finding
from findable.reports.project_report import ProjectFinding, ProjectReport, TrendPoint, short_url
from findable.reports.reported_finding import ReportedFinding
from findable.reports.score_change_words import last_score, score_before_outage
from findable.reports.scoring import RULESET
from findable.reports.site_charts import site_findings_before_and_now
from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.titles import EFFORTS, FIXERS, question_of, readable_url, summary_of
from findable.vocabulary import ScoreOf
from findable.wording import Translator

FIXES = 5
ROWS = 40
"""Maximum number of rows per table."""
EXAMPLES = 3
"""Number of pages listed as examples of a finding."""
NO_RESULT = datetime(1970, 1, 1, tzinfo=UTC)


def project_template_data(
    report: ProjectReport,
    sheet: Sheet,
    site: SiteReport | None = None,
    since: CrawlComparison | None = None,
    before: SiteReport | None = None,
) -> dict[str, Any]:
    """Return the content of a project's PDF for templates/report.typ.

    Args:
        report: report of the project.
        sheet: options, branding and the owner's texts.
        site: report of the crawl that the score comes from, whose findings are shown; None for those of page reports.
        since: changes of the site since the crawl before; None without one.
        before: report of that crawl; None without one.
    """
    say, chosen = sheet.say, set(sheet.client.sections)
    at = datetime.fromisoformat(site.summary.captured_at) if site else report.at or NO_RESULT
    known = site.summary.start_url if site else report.pages[0].url if report.pages else "https://"
    url = f"{known.partition('://')[0]}://{report.name}/"
    heading = say("Summary") if sheet.is_short else say("Project report")
    found = [finding for finding in report.findings if finding.example is not None]
    cards, brief = [_card(one, report, sheet) for one in found[:CARDS]], [_brief_entry(one, report, say) for one in found[CARDS:][:BRIEF]]
    if site is not None:
        cards, brief, _ = site_findings(site, sheet)
    if "findings" not in chosen:
        cards, brief = [], []
    return {
        **frame_of(sheet, heading, clean(report.title or readable_url(url).rstrip("/")), url, at),
        "looked": [say("Last result %(moment)s", moment=say.moment(at, sheet.zone))] if at != NO_RESULT else [],
        "verdict": _verdict(report, site, sheet),
        "outcome": [*_outcome(report, site, sheet)],
        "picture": site_drawing(site, sheet) if site is not None else None,
        "charts": [*_charts(report, site, before if since and since.not_comparable is None else None, sheet)],
        "fixes": [*_fixes(report, site, sheet)] if "findings" in chosen and not report.is_away else [],
        "cards_title": say("Findings") if site else say("Findings on all pages"),
        "cards": cards,
        "brief": brief,
        "counted_title": say("Changes since the previous crawl") if site else say("New and fixed in the page reports"),
        "counted_is_list": True,
        "counted": [*(_changes_of_site(since, site, sheet) if site else _changes(report, say))] if "progress" in chosen else [],
        "tables": [] if sheet.is_short else [*_tables(report, sheet, chosen)],
        "foot": site_foot(sheet),
    }


def basis_of(report: ProjectReport, say: Translator) -> str:
    """Return what the score of a project is: the site score of a crawl, or the mean of a number of pages."""
    if report.score_of is ScoreOf.SITE:
        return say("site score")
    return say.plural("score of %(count)s page", "mean of %(count)s pages", report.scored_pages)


def _fixes(report: ProjectReport, site: SiteReport | None, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Yield the first fixes of the crawl that the score comes from; without one, those of the page reports.

    If a later verdict decides the score, what it says comes before them.
    """
    if site is not None:
        yield from site_fixes(site, sheet.say, is_plain=sheet.is_plain) if site.score == report.score else ()
    else:
        yield from (_fix_entry(one, report, sheet.say) for one in [one for one in report.first_fixes if one.example is not None][:FIXES])


def _charts(report: ProjectReport, site: SiteReport | None, before: SiteReport | None, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Yield the score over time and, if the score comes from a crawl, its findings before and now, its parts, and its structure."""
    if "trend" in sheet.client.sections and (line := score_line(report.trend, sheet.say, sheet.zone)):
        yield line
    if site is None or sheet.is_short:
        return
    if before is not None and "progress" in sheet.client.sections and (kinds := site_findings_before_and_now(before, site, sheet.say)):
        yield pair_chart(kinds)
    if site.score == report.score:
        yield from site_report_charts(site, sheet)


def _outcome(report: ProjectReport, site: SiteReport | None, sheet: Sheet) -> Iterator[str]:
    """Yield the verdict in search, if it needs words, and the note that the findings are older than it."""
    at = datetime.fromisoformat(site.summary.captured_at) if site is not None else report.at
    if report.verdict is not None:
        yield from verdict_lines(report.verdict, sheet.say)
        if report.verdict.leaves_rating and report.score is not None and at is not None:
            yield score_before_outage(report.score, sheet.say.day(at, sheet.zone), sheet.say)
    if site is not None and at is not None and site.score != report.score:
        yield last_score(site.score, sheet.say.day(at, sheet.zone), sheet.say) + "."


def _verdict(report: ProjectReport, site: SiteReport | None, sheet: Sheet) -> dict[str, Any] | None:
    if report.score is None or report.result is None or (report.verdict is not None and report.verdict.leaves_rating):
        return None
    say, basis = sheet.say, basis_of(report, sheet.say)
    if site is None:
        lines = [
            "" if report.verdict and report.verdict.needs_words else report.listing_sentence(say),
            f"{basis}, {report.counts_text(say)}.",
        ]
    elif site.score != report.score:
        lines = []
    else:
        lines = score_lines(site, f"{basis}, {site.counts_words(say)}", say)
    lines += ruleset_note(sheet, RULESET)
    sentences = (f"{line[:1].upper()}{line[1:]}" for line in lines)
    return rated(report.score, report.result, sentences, say, *(() if site is not None else report.outlook(say)))


def _example(finding: ProjectFinding) -> ReportedFinding:
    if finding.example is None:
        raise ValueError(f"the finding {finding.check} has no example")
    return finding.example


def _text(finding: ProjectFinding, say: Translator) -> Any:
    """Return the summary of a finding if it affects one page, else the general sentence of its check."""
    return sentence_of(_example(finding).summary(say) if len(finding.pages) == 1 else summary_of(finding.check, say))


def _details(finding: ProjectFinding, report: ProjectReport, say: Translator) -> Iterator[str]:
    yield report.where(finding, say)
    check = find_check(finding.check)
    if check is not None:
        yield say.text(EFFORTS[check.effort])


def _fix_entry(finding: ProjectFinding, report: ProjectReport, say: Translator) -> dict[str, Any]:
    check = find_check(finding.check)
    about = [report.gain_words(finding, say), *_details(finding, report, say), say.text(FIXERS[check.fixer]) if check else ""]
    return {"mark": icon_of(_example(finding), say), "text": _text(finding, say), "about": [part for part in about if part]}


def _card(finding: ProjectFinding, report: ProjectReport, sheet: Sheet) -> dict[str, Any]:
    say = sheet.say
    made = card_of(_example(finding), sheet)
    named = [snippet_of(short_url(page.url, report.name)) for page in finding.pages[:EXAMPLES]]
    left = len(finding.pages) - len(named)
    more = [say.plural("and %(count)s more page", "and %(count)s more pages", left)] if left else []
    return {**made, "text": _text(finding, say), "about": [*_details(finding, report, say), *named, *more]}


def _brief_entry(finding: ProjectFinding, report: ProjectReport, say: Translator) -> dict[str, Any]:
    example = _example(finding)
    made = brief_entry(example, icon_of(example, say), _details(finding, report, say), 1, say)
    return {**made, "text": _text(finding, say), "evidence": breakable(snippet_of(short_url(finding.pages[0].url, report.name)))}


def _changes(report: ProjectReport, say: Translator) -> Iterator[str]:
    for finding in report.new:
        pages = say.plural("%(count)s page", "%(count)s pages", finding.new_on)
        yield clean(say("New on %(pages)s: %(finding)s", finding=sentence_of(summary_of(finding.check, say)), pages=pages))
    for one in report.fixed:
        pages = say.plural("%(count)s page", "%(count)s pages", len(one.pages))
        yield clean(say("Fixed on %(pages)s: %(question)s", question=question_of(one.check, say), pages=pages))


def _changes_of_site(since: CrawlComparison | None, site: SiteReport, sheet: Sheet) -> Iterator[str]:
    if since is None or since.not_comparable is not None:
        return
    found, say = since.findings, sheet.say

    def summary(one: SiteFinding) -> str:
        plain = plain_finding(one.check, site.summary.cms, say) if sheet.is_plain else None
        return plain.summary if plain else str(sentence_of(one.summary(say)))

    yield f"{found.plain_words(say) if sheet.is_plain else found.words(say)}."
    for words, items in ((say("New findings"), (*found.new, *found.returned)), (say("Fixed findings"), found.fixed)):
        yield from dict.fromkeys(clean(f"{words}: {summary(one)}") for one in items[:ROWS])


def _tables(report: ProjectReport, sheet: Sheet, sections: set[str]) -> Iterator[dict[str, Any]]:
    say = sheet.say
    if "trend" in sections and len(report.trend) > 1:
        heads = [say("Day"), say("Score"), say("Problems"), say("Warnings"), say("Pages")]
        rows = [*islice(_trend_rows(report.trend, sheet), ROWS)]
        yield table_of(say("Score and findings over time"), heads, rows, shares=widest_first(heads))
    if "page_list" in sections and report.pages:
        rows = [
            [snippet_of(short_url(page.url, report.name)), "–" if page.score is None else say.number(page.score)]
            for page in report.worst_pages[:ROWS]
        ]
        heads = [say("Page"), say("Score")]
        yield table_of(say("Pages, the worst first"), heads, rows, shares=widest_first(heads))
    if sheet.hits is not None:
        yield from hit_tables(sheet.hits, say)


def _trend_rows(points: Sequence[TrendPoint], sheet: Sheet) -> Iterator[list[str]]:
    """Yield the points, newest first; a separate row below the first one under another ruleset names it, because scores differ there."""
    say = sheet.say
    days = [say.day(point.at, sheet.zone) for point in points]
    write = say.day if len({*days}) == len(days) else say.moment
    groups = by_ruleset(points)
    for place, group in reversed([*enumerate(groups)]):
        for point in reversed(group):
            score = "–" if point.score is None else say.number(point.score)
            yield [write(point.at, sheet.zone), score, *(say.number(number) for number in (point.failed, point.warned, point.pages))]
        if place:
            yield [say("Ruleset %(ruleset)s", ruleset=group[0].ruleset), "", "", "", ""]
