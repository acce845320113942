"""Content of the PDF of a site: rating, first fixes, findings by harm, structure in short tables."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from findable import __version__
from findable.export import first_line
from findable.export.pdf_content import BRIEF_CHARS, Sheet, card_of, engine_words, frame_of, score_bar, short_fix, sign_of
from findable.export.pdf_texts import breakable, clean, prose, sentence_of, shorten, snippet_of
from findable.export.site_subject import ended_by
from findable.reports.reported_finding import AGAINST
from findable.reports.scoring import RULESET
from findable.reports.site_gains import PAGES_SHARE
from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.site_structure import PartOfSite
from findable.reports.titles import EFFORTS, FIXERS, RATINGS, points, readable_url
from findable.wording import Wording

FIXES = 5
CARDS = 8
"""Number of findings shown in full."""
BRIEF = 40
"""Number of further findings, shown briefly; the files contain the rest."""
ROWS = 12
"""Maximum number of rows per table."""


def site_sheet_of(report: SiteReport, sheet: Sheet) -> dict[str, Any]:
    """Return JSON-ready data for templates/report.typ."""
    say, summary = sheet.say, report.summary
    at = datetime.fromisoformat(summary.captured_at)
    name = clean(readable_url(summary.start_url).rstrip("/"))
    found = report.open
    rest = found[CARDS + BRIEF :]
    return {
        **frame_of(sheet, say("Site report"), name, summary.start_url, at),
        "looked": [
            say("Crawled %(moment)s", moment=say.moment(at, sheet.zone)),
            clean(say("Ended: %(reason)s", reason=ended_by(report, say))),
        ],
        "verdict": _verdict(report, say),
        "fixes_title": say("Fix first"),
        "fixes": [site_fix(one, say) for one in found[:FIXES]],
        "cards_title": say("Findings by cause"),
        "cards": [{**card_of(one.as_reported, sheet), "about": [*_about(one, say)]} for one in found[:CARDS]],
        "brief_title": say("Also found"),
        "brief": [_brief(one, say) for one in found[CARDS : CARDS + BRIEF]],
        "counted_title": say("What else was found"),
        "counted": [*_count_sentences(report, len(rest), say)],
        "tables_title": say("Structure"),
        "tables": [*_tables(report, sheet)],
        "foot": [
            say("The pages were requested from the public internet, without a browser."),
            say("A score compares a page with the rules of one ruleset; it does not predict a position."),
            engine_words(sheet, __version__, RULESET),
        ],
    }


def _verdict(report: SiteReport, say: Wording) -> dict[str, Any] | None:
    if report.score is None or report.result is None:
        return None
    lines = [report.listing_sentence(say), f"{site_counts(report, say)}."]
    if report.pages_score is not None and report.site_score is not None:
        share = round(100 * PAGES_SHARE)
        parts = say(
            "Pages %(pages)s (weight %(share)s %%), site as a whole %(site)s (weight %(rest)s %%).",
            pages=say.number(report.pages_score, 1),
            site=say.number(report.site_score, 1),
            share=share,
            rest=100 - share,
        )
        lines.append(parts)
    lines += site_limit(report, say)
    if report.provisional:
        lines.append(say("The crawl ended before the whole site was crawled."))
    return {
        **score_bar(report.score, report.result.value, say),
        "rating": say.text(RATINGS[report.result]),
        "lines": [breakable(line) for line in lines],
    }


def site_counts(report: SiteReport, say: Wording) -> str:
    """Return the numbers of problems and warnings in words."""
    failed, warned = (report.counts.get(verdict.value, 0) for verdict in AGAINST)
    return say(
        "%(problems)s and %(warnings)s, by cause",
        problems=say.plural("%(count)s problem", "%(count)s problems", failed),
        warnings=say.plural("%(count)s warning", "%(count)s warnings", warned),
    )


def site_limit(report: SiteReport, say: Wording) -> list[str]:
    """Return the limit of the score in a sentence; empty without one."""
    if report.cap is None:
        return []
    return [report.limited_to(say) + "."]


def site_fix(finding: SiteFinding, say: Wording) -> dict[str, Any]:
    """Return one of the first fixes."""
    about = [points(finding.gain or 0, say), *_about(finding, say), say.text(FIXERS[finding.check.fixer])]
    return {"mark": sign_of(finding.as_reported, say), "text": sentence_of(finding.summary(say)), "about": [part for part in about if part]}


def _about(finding: SiteFinding, say: Wording) -> Iterator[str]:
    yield snippet_of(finding.place(say))
    yield say.text(EFFORTS[finding.check.effort])


def _brief(finding: SiteFinding, say: Wording) -> dict[str, Any]:
    evidence = first_line(finding.evidence[0], say) if finding.evidence else ""
    left = max(0, len(finding.evidence) - 1)
    return {
        "mark": sign_of(finding.as_reported, say),
        "text": sentence_of(finding.summary(say)),
        "about": [*_about(finding, say)],
        "evidence": breakable(shorten(clean(evidence), BRIEF_CHARS)),
        "more": say.plural("%(count)s more of the same kind.", "%(count)s more of the same kind.", left) if left else "",
        "how": short_fix(prose(finding.how_to_fix(say))),
    }


def _count_sentences(report: SiteReport, rest: int, say: Wording) -> Iterator[str]:
    accepted_count = len(report.findings) - len(report.open)
    if rest:
        yield say.plural(
            "%(count)s more finding is in the files of this report.", "%(count)s more findings are in the files of this report.", rest
        )
    if accepted_count:
        yield say.plural("%(count)s finding was accepted.", "%(count)s findings were accepted.", accepted_count)


def _tables(report: SiteReport, sheet: Sheet) -> Iterator[dict[str, Any]]:
    say, structure = sheet.say, report.structure
    chosen = set(sheet.client.sections)
    pages, indexable = say("Pages"), say("Indexable")
    if "structure" in chosen:
        nowhere = say("no path of links")
        depths = [[say.number(depth) if depth >= 0 else nowhere, say.number(count)] for depth, count in report.summary.by_depth]
        yield _table(say("Clicks from the start page"), [say("Clicks"), pages], depths)
        for title, parts in ((say("Folders"), structure.folders), (say("Segments"), structure.segments)):
            if len(parts) > 1:
                yield _table(title, [title, pages, indexable], [_row(part, say) for part in parts])
        if len(structure.templates) > 1:
            parts = tuple(PartOfSite(one.name, one.pages_count, one.indexable_count) for one in structure.templates)
            yield _table(say("Templates"), [say("Templates"), pages, indexable], [_row(part, say) for part in parts])
    if "duplicates" in chosen:
        kinds = (kind for kind in structure.duplicates if kind.kind in ("text", "similar"))
        groups = [[snippet_of(group.text)[:200], say.number(group.pages_count)] for kind in kinds for group in kind.groups]
        if groups:
            yield _table(say("Duplicates"), [say("Page"), pages], groups)


def _row(part: PartOfSite, say: Wording) -> list[str]:
    return [snippet_of(part.name), say.number(part.pages_count), say.number(part.indexable_count)]


def _table(title: str, columns: list[str], rows: list[list[str]]) -> dict[str, Any]:
    return {"title": title, "columns": columns, "rows": rows[:ROWS], "more": ""}
