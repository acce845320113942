"""Content of a site report's PDF: rating, first fixes, findings by cause, and tables of the site's structure."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from findable.capture.site_graph import Template
from findable.crawl.standouts import section_notes
from findable.export.hit_tables import hit_tables
from findable.export.pdf_charts import site_charts
from findable.export.pdf_content import brief_entry, card_of, icon_of, rated, ruleset_note, verdict_lines, waterfall_chart
from findable.export.pdf_frame import foot_of, frame_of
from findable.export.pdf_sheet import Sheet
from findable.export.pdf_tables import table_of
from findable.export.pdf_texts import breakable, clean, sentence_of, snippet_of
from findable.export.site_subject import ended_by
from findable.reports.plain import plain_finding
from findable.reports.reported_finding import LIMITING
from findable.reports.scoring import RULESET
from findable.reports.site_areas import SiteArea
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_fixes import first_site_fixes
from findable.reports.site_picture import site_picture
from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.site_structure import SiteSection
from findable.reports.titles import EFFORTS, FIXERS, readable_url
from findable.reports.tree_map import Box
from findable.vocabulary import Verdict
from findable.wording import Translator

GROUPS_SHOWN = 5
"""Maximum number of groups of a fault that are listed."""
PICTURE, SHORT_PICTURE = Box(0, 0, 480, 190), Box(0, 0, 480, 130)
"""Sizes of the tree map in points, also in a summary; the width adapts to the page."""
CARDS = 8
"""Number of findings shown in full, besides those with an owner's note."""
BRIEF = 40
"""Number of further findings, shown briefly; the files contain the rest."""
ROWS = 12
"""Maximum number of rows per table."""


def site_template_data(report: SiteReport, sheet: Sheet) -> dict[str, Any]:
    """Return the content of a site report's PDF as JSON-ready data for templates/report.typ."""
    say, summary = sheet.say, report.summary
    at = datetime.fromisoformat(summary.captured_at)
    name = clean(readable_url(summary.start_url).rstrip("/"))
    cards, brief, rest_count = site_findings(report, sheet)
    return {
        **frame_of(sheet, say("Site report"), name, summary.start_url, at),
        "looked": [
            say("Crawled %(moment)s", moment=say.moment(at, sheet.zone)),
            clean(say("Ended: %(reason)s", reason=ended_by(report, say))),
            *filter(None, [report.reading(say)]),
        ],
        "verdict": _verdict(report, sheet),
        "outcome": verdict_lines(report.verdict, say),
        "fixes": [*site_fixes(report, say, is_plain=sheet.is_plain)],
        "picture": site_drawing(report, sheet),
        "charts": [*site_report_charts(report, sheet)],
        "cards": cards,
        "brief": brief,
        "counted_title": say("What else was found"),
        "counted": [*_count_sentences(report, rest_count, say)],
        "tables_title": say("Structure"),
        "tables": [*(() if sheet.is_plain else _tables(report, sheet)), *(hit_tables(sheet.hits, say) if sheet.hits is not None else ())],
        "foot": site_foot(sheet),
    }


def site_findings(report: SiteReport, sheet: Sheet) -> tuple[list[dict[str, Any]], list[dict[str, Any]], int]:
    """Return the faults of a site in full, in plain words all of them, then those shown briefly, and the number of the rest."""
    found, notes = faults_of(report.open), sheet.client.notes
    first = {one.id for one in found[:CARDS]} | {one.id for one in found if notes.get(one.id, "").strip()}
    cards, others = ([one for one in found if (one.id in first) is is_first] for is_first in (True, False))
    if sheet.is_plain:
        cards, others = [*cards, *others], []
    brief = [_brief_entry(report, one, sheet.say) for one in others[:BRIEF]]
    return [_card(report, one, sheet) for one in cards], brief, max(0, len(others) - BRIEF)


def site_foot(sheet: Sheet) -> list[str]:
    """Return the closing sentences in the PDF of a site or project."""
    return [
        sheet.say("The pages were requested from the public internet, without a browser."),
        *foot_of(sheet, RULESET),
    ]


def site_report_charts(report: SiteReport, sheet: Sheet) -> Iterator[dict[str, Any]]:
    """Yield how the score of a site is made up and, unless they are hidden, the charts of its structure."""
    yield from waterfall_chart(report.score_parts, report.score, report.result, sheet.say)
    if "structure" in sheet.client.sections:
        yield from site_charts(report.structure, sheet.say)


def site_drawing(report: SiteReport, sheet: Sheet) -> dict[str, Any] | None:
    """Return the tree map of the site; None if its structure is hidden, or if there is nothing to divide."""
    structure = report.structure
    size, notes = SHORT_PICTURE if sheet.is_short else PICTURE, section_notes(report, sheet.say)
    picture = site_picture(structure.areas, structure.templates, sheet.say, sizes=(size,), notes=notes)
    if picture is None or "structure" not in sheet.client.sections:
        return None
    return {
        "title": sheet.say("The site as a picture"),
        "legend": [{"state": str(line.state), "text": f"{line.count} {line.words}"} for line in picture.legend],
        "height": picture.layouts[0].height,
        "tiles": [
            {
                **{name: getattr(tile, name) for name in ("x", "y", "width", "height")},
                "text": " ".join(filter(None, (snippet_of(tile.name), tile.count, tile.note))),
                "bands": [{"state": str(band.state), "x": band.x, "width": band.width} for band in tile.bands],
            }
            for tile in picture.layouts[0].tiles
        ],
    }


def _card(report: SiteReport, fault: SiteFault, sheet: Sheet) -> dict[str, Any]:
    """Return a fault in full; if it has several groups, their sentences stand in place of examples."""
    say = sheet.say
    if sheet.is_plain:
        shown_in = card_of(fault.as_reported, sheet, report.summary.cms)
        return {
            **shown_in,
            "mark": _sign(report, fault.first, say),
            "about": [*filter(None, (snippet_of(fault.plain_place(say)),)), *shown_in["about"]],
        }
    made = {**card_of(fault.as_reported, sheet), **_summary(report, fault, say)}
    if fault.is_single:
        return made
    shown = fault.counted[:GROUPS_SHOWN]
    groups = [{"text": breakable(clean(one.summary(say))), "url": None, "where": [snippet_of(one.place(say))]} for one in shown]
    left = len(fault.counted) - len(shown)
    more = say.plural("%(count)s more group", "%(count)s more groups", left) if left else ""
    return {**made, "evidence": groups, "more": more}


def _summary(report: SiteReport, fault: SiteFault, say: Translator) -> dict[str, Any]:
    """Return the sign of a fault, its headline, and where and how it is fixed."""
    about = [part for part in _details(fault, say) if part]
    return {"mark": _sign(report, fault.first, say), "text": sentence_of(fault.headline(say)), "about": about}


def _verdict(report: SiteReport, sheet: Sheet) -> dict[str, Any] | None:
    say = sheet.say
    if report.score is None or report.result is None:
        return None
    lines = score_lines(report, report.counts_words(say), say)
    if report.provisional:
        lines.append(say("The crawl ended before the whole site was crawled."))
    lines += ruleset_note(sheet, RULESET)
    return rated(report.score, report.result, lines, say)


def score_lines(report: SiteReport, counts: str, say: Translator) -> list[str]:
    """Return what stands below a site's score, maybe empty: the pages that Google can index, the counts, and the limit of the score."""
    listing = "" if report.verdict.needs_words else report.listing_sentence(say)
    return [listing, f"{counts}.", f"{report.limited_to(say)}." if report.cap else ""]


def site_fixes(report: SiteReport, say: Translator, *, is_plain: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the first fixes of a site, the same as on its web page."""
    for fix in first_site_fixes(report, say):
        fault = fix.fault
        about = [fix.gain, *_details(fault, say), say.text(FIXERS[fault.check.fixer])]
        made = _summary(report, fault, say)
        if is_plain and (plain := plain_finding(fault.check, report.summary.cms, say, fault.as_reported.evidence_count)):
            made["text"], about = plain.summary, [fix.gain, snippet_of(fault.plain_place(say)), plain.time, plain.fixer]
        yield {**made, "about": [part for part in about if part]}


def _sign(report: SiteReport, finding: SiteFinding, say: Translator) -> dict[str, str]:
    """Return the sign of a finding of a site; a warning that limits the score has another sign than other warnings."""
    sign = icon_of(finding.as_reported, say)
    return {**sign, "kind": LIMITING} if finding.verdict is Verdict.WARNED and report.is_limiting(finding) else sign


def _details(fault: SiteFault, say: Translator) -> Iterator[str]:
    yield snippet_of(fault.place(say))
    yield say.text(EFFORTS[fault.check.effort])


def _brief_entry(report: SiteReport, fault: SiteFault, say: Translator) -> dict[str, Any]:
    summary = _summary(report, fault, say)
    return {**brief_entry(fault.as_reported, summary["mark"], (), fault.as_reported.evidence_count, say), **summary}


def _count_sentences(report: SiteReport, rest: int, say: Translator) -> Iterator[str]:
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
        if len(structure.areas) > 1:
            yield table_of(say("Folders"), [say("Folder"), say("URLs"), indexable], [_area(area, say) for area in structure.areas[:ROWS]])
        for title, parts in ((say("Segments"), structure.segments), (say("Templates"), structure.templates)):
            if len(parts) > 1:
                yield table_of(title, [title, pages, indexable], [_row(part, say) for part in parts[:ROWS]])
    if "duplicates" in chosen:
        kinds = (kind for kind in structure.duplicates if kind.kind in ("text", "similar"))
        groups = [[snippet_of(group.text)[:200], say.number(group.pages_count)] for kind in kinds for group in kind.groups]
        if groups:
            yield table_of(say("Duplicates"), [say("Page"), pages], groups[:ROWS])


def _area(area: SiteArea, say: Translator) -> list[str]:
    name = area.name or say.plural("%(count)s smaller folder", "%(count)s smaller folders", area.merged_count)
    return [snippet_of(name), say.number(area.urls_count), say.number(area.indexable_count)]


def _row(part: SiteSection | Template, say: Translator) -> list[str]:
    return [snippet_of(part.name), say.number(part.pages_count), say.number(part.indexable_count)]
