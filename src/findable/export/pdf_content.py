"""Content of a page report's PDF as texts in one language; the template only sets their position and style.

Texts of the page remain data; control characters and marks that change the text direction are removed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from findable.checks.engine import Evidence
from findable.errors import PageErrorCode
from findable.export.browser_tables import browser_tables, more_words
from findable.export.pdf_charts import bar_chart, pair_chart
from findable.export.pdf_frame import foot_of, frame_of
from findable.export.pdf_sheet import Sheet
from findable.export.pdf_tables import table_of
from findable.export.pdf_texts import (
    TITLE_CHARS,
    address_of,
    breakable,
    clean,
    link_to,
    paragraphs,
    parts_of,
    prose,
    sentence_of,
    shorten,
    snippet_of,
    text_of,
)
from findable.export.short_texts import first_line, titles_of
from findable.reports.browser_notice import browser_notice
from findable.reports.browser_visit_words import visit_sentences
from findable.reports.category_lines import category_lines
from findable.reports.charts import score_waterfall
from findable.reports.facts import Facts
from findable.reports.fixes import checks_to_next_rating, first_fixes, fixes_in_order, is_unchecked
from findable.reports.gain_words import cheaper_way_words, outlook, points, short_gain
from findable.reports.google_listing import google_listing
from findable.reports.page_charts import weight_pairs
from findable.reports.page_error_text import message_of
from findable.reports.plain import PlainFinding, cms_of, plain_finding
from findable.reports.previews import search_and_social_previews
from findable.reports.projection import ScorePart
from findable.reports.report import Report
from findable.reports.reported_finding import AGAINST, ReportedFinding, in_language
from findable.reports.score_change_words import new_ruleset, score_before_outage
from findable.reports.scoring import DECENT_FROM, GOOD_FROM, PROVISIONAL_BELOW
from findable.reports.search_verdict import SearchVerdict
from findable.reports.titles import EFFORTS, FIXERS, HALF_MEASURED, RATINGS, SEARCH_ROWS, VERDICTS, measured_sentence
from findable.vocabulary import Rating, Source, Verdict
from findable.wording import Translator, later

EVIDENCE_SHOWN = 3
CARDS = 8
"""Number of findings shown in full, unless there are more first fixes and owner's notes; other findings are brief."""
SNIPPET_CHARS = 240
"""Maximum length of evidence."""
BRIEF_CHARS = 110
"""Maximum length of evidence and fix in brief findings."""
TABLE_ROWS = 100
TABLES: Sequence[tuple[str, str, Sequence[tuple[str, str]]]] = (
    ("links", later("Links"), (("url", later("URL")), ("anchor_text", later("Text")), ("status", later("Response")))),
    ("images", later("Images"), (("url", later("URL")), ("alt", later("Alternative text")), ("status", later("Response")))),
    ("headers", later("Response headers"), (("name", later("Name")), ("value", later("Value")))),
)
"""Long tables of the facts, with the columns that fit on a page."""


def template_data(report: Report, sheet: Sheet) -> dict[str, Any]:
    """Return the content of a page report's PDF as JSON-ready data for templates/report.typ.

    Args:
        report: report of the page.
        sheet: options and language.
    """
    say, client = sheet.say, sheet.client
    at = datetime.fromisoformat(report.captured_at)
    name = clean(report.facts.page_title, TITLE_CHARS) or address_of(report.requested_url)
    chosen = set(client.sections)
    judged = report.was_loaded
    outcome = [] if sheet.verdict is None else verdict_lines(sheet.verdict, say)
    is_before = sheet.verdict is not None and sheet.verdict.leaves_rating
    if is_before and report.score is not None:
        outcome.append(score_before_outage(report.score, say.day(at, sheet.zone), say))
    whole = _full_findings(report, client.notes) if "findings" in chosen and judged else []
    cms = cms_of(report.facts, report.url) if sheet.is_plain else None
    if sheet.is_plain:
        chosen -= {"search", "counted"}
        whole = fixes_in_order(report) if whole else []
    return {
        **frame_of(sheet, say("SEO report"), name, report.requested_url, at),
        "looked": [*_check_details(report, sheet, at)],
        "listing": _listing(report, say) if "search" in chosen and not outcome else None,
        "outcome": outcome,
        "verdict": None if is_before else _verdict(report, sheet),
        "plate": _unrated_reason(report, say),
        "search_title": say("What search engines may do with this page"),
        "search": [*_search(report, say)] if "search" in chosen else [],
        "fixes": [*_fixes(report, say, cms)] if "fixes" in chosen and sheet.score_before is None else [],
        "charts": [*_charts(report, sheet)] if "findings" in chosen and judged and sheet.score_before is None else [],
        "cards": [card_of(finding, sheet, cms) for finding in whole],
        "brief": [_brief_entry(finding, report, say) for finding in _brief_findings(report, whole)] if "findings" in chosen else [],
        "categories_title": say("Scores by category"),
        "categories_note": say("Grey: fewer than 3 in 4 checks were measured, or no points lost."),
        "categories": [*_categories(report, say)] if "findings" in chosen and judged and not sheet.is_plain else [],
        "previews_title": say("Search and social previews"),
        "previews": [*_previews(report, say)] if "outside" in chosen and judged else [],
        "counted_title": say("What else was checked"),
        "counted": [*_count_sentences(report, say)] if "counted" in chosen and judged else [],
        "tables": [*browser_tables(report.facts, say, is_complete=sheet.tables), *_tables(report.facts, sheet)]
        if judged and not sheet.is_plain
        else [],
        "foot": [*_foot(report, sheet)],
    }


def _check_details(report: Report, sheet: Sheet, at: datetime) -> Iterator[str]:
    say = sheet.say
    yield say("Last checked %(moment)s", moment=say.moment(at, sheet.zone))
    if report.judged_as:
        yield say("A preview of %(origin)s", origin=clean(report.judged_as))
    if notice := browser_notice(report, say):
        yield clean(notice)
    if report.facts.browser:
        yield from map(clean, visit_sentences(report.facts.browser, say))


def _listing(report: Report, say: Translator) -> dict[str, Any] | None:
    """Return the sentence whether Google can index the page, with its sign; None if it is unknown."""
    found = google_listing(report, say)
    return None if found is None else {"mark": {"kind": found.mark, "word": say.text(VERDICTS[Verdict(found.mark)])}, "text": found.words}


def verdict_lines(verdict: SearchVerdict, say: Translator) -> list[str]:
    """Return the verdict, what it means and what to do; an empty list if pages can be indexed."""
    return [breakable(clean(words)) for words in verdict.sentences(say)]


def ruleset_note(sheet: Sheet, ruleset: str) -> list[str]:
    """Return the note that this is the first result under its ruleset as a list; an empty list if it is not."""
    return [new_ruleset(sheet.ruleset_before, ruleset, sheet.say)] if sheet.ruleset_before else []


def _verdict(report: Report, sheet: Sheet) -> dict[str, Any] | None:
    say = sheet.say
    if report.score is None:
        return None
    if sheet.score_before is not None:
        lines = [say("The findings are those of the last result, with score %(score)s.", score=sheet.score_before)]
        return rated(report.score, report.result, lines, say)
    counts = report.counts
    lines = [
        ", ".join(
            (
                say.plural("%(count)s problem", "%(count)s problems", counts[Verdict.FAILED]),
                say.plural("%(count)s warning", "%(count)s warnings", counts[Verdict.WARNED]),
                say.plural("%(count)s check passed", "%(count)s checks passed", counts[Verdict.PASSED]),
            )
        )
        + "."
    ]
    if held := report.effective_cap:
        causes = "; ".join(clean(finding.summary(say)) for name in held.checks if (finding := report.finding(name)))
        lines.append(say("Limited to %(score)s by: %(causes)s.", score=held.score, causes=causes.rstrip(".")))
    if (report.coverage or 0) < PROVISIONAL_BELOW:
        share = round(100 * (report.coverage or 0))
        lines.append(say("Provisional: only %(share)s %% of the applicable checks (by weight) could be measured.", share=share))
    lines += ruleset_note(sheet, report.engine.ruleset)
    return rated(report.score, report.result, lines, say, *outlook(report, say))


def waterfall_chart(parts: Sequence[ScorePart], score: int | None, result: Rating | None, say: Translator) -> list[dict[str, Any]]:
    """Return how a score is made up as a list with a chart; an empty list if nothing costs points."""
    table = score_waterfall(parts, score, result.value, say) if score is not None and result is not None else None
    return [] if table is None else [bar_chart(table)]


def _charts(report: Report, sheet: Sheet) -> Iterator[dict[str, Any]]:
    yield from waterfall_chart(report.score_parts, report.score, report.result, sheet.say)
    if report.facts.resources and not sheet.is_plain:
        yield pair_chart(weight_pairs(report.facts.resources, sheet.say))


def _unrated_reason(report: Report, say: Translator) -> dict[str, str] | None:
    """Return the title and texts that explain a missing rating; None if the page has a score."""
    error = report.error
    if report.score is not None:
        return None
    if not error:
        return {"title": say.text(HALF_MEASURED), "text": measured_sentence(report.coverage or 0.0, say), "after": ""}
    title = (
        say("No rating: the page could not be judged")
        if error.code is PageErrorCode.NEEDS_BROWSER
        else say("No rating: the page could not be loaded")
    )
    return {
        "title": title,
        "text": sentence_of(message_of(error, say)),
        "after": say("Only the request of this service is known to have failed; search engines may see the page."),
    }


def icon_of(finding: ReportedFinding, say: Translator) -> dict[str, str]:
    """Return the icon of a finding and its text alternative."""
    return {"kind": finding.mark, "word": say.text(VERDICTS[finding.verdict])}


def _search(report: Report, say: Translator) -> Iterator[dict[str, Any]]:
    for name, label in SEARCH_ROWS:
        finding = report.finding(name)
        if finding and not (is_unchecked(report) and finding.verdict is Verdict.INAPPLICABLE):
            yield {"mark": icon_of(finding, say), "label": say(label), "text": sentence_of(finding.summary(say))}


def _fixes(report: Report, say: Translator, cms: str | None) -> Iterator[dict[str, Any]]:
    way = checks_to_next_rating(report)
    ordered = first_fixes(report)
    for finding in ordered:
        if not finding.lost and not finding.gain and finding.id not in way and not is_unchecked(report):
            continue
        gain = say("then the content can be checked") if is_unchecked(report) else short_gain(finding, say)
        about = [gain, _effort(finding, say), say.text(FIXERS[finding.check.fixer]) if finding.check else ""]
        about.append(cheaper_way_words(report, finding, say))
        text = sentence_of(finding.summary(say))
        if cms is not None and (plain := plain_finding(finding.check, cms, say, finding.evidence_count)):
            text, about = plain.summary, [gain, plain.time, plain.fixer]
        yield {"mark": icon_of(finding, say), "text": text, "about": [part for part in about if part]}


def _effort(finding: ReportedFinding, say: Translator) -> str:
    return say.text(EFFORTS[finding.effort]) if finding.effort else ""


def _full_findings(report: Report, notes: Mapping[str, str]) -> list[ReportedFinding]:
    """Return the findings to show in full: the first fixes, findings with notes, and the next ones up to CARDS, in the order of fixes."""
    noted = [finding for finding in report.findings if notes.get(finding.id, "").strip() and not finding.accepted]
    chosen = {finding.id for finding in (*first_fixes(report), *noted)}
    held = fixes_in_order(report)
    others = [finding for finding in held if finding.id not in chosen]
    chosen.update(finding.id for finding in others[: max(0, CARDS - len(chosen))])
    return [finding for finding in (*held, *(one for one in noted if one.verdict not in AGAINST)) if finding.id in chosen]


def _brief_findings(report: Report, whole: Iterable[ReportedFinding]) -> list[ReportedFinding]:
    named = {finding.id for finding in whole}
    return [finding for finding in fixes_in_order(report) if finding.id not in named]


def _brief_entry(finding: ReportedFinding, report: Report, say: Translator) -> dict[str, Any]:
    about = [clean(titles_of(report, say).get(finding.category, "")), *_cost_and_effort(finding, say)]
    return brief_entry(finding, icon_of(finding, say), about, finding.evidence_count, say)


def brief_entry(
    finding: ReportedFinding, sign: Mapping[str, str], about: Iterable[str], evidence_count: int, say: Translator
) -> dict[str, Any]:
    """Return a finding in short form: the first line of its evidence and the first words of its fix."""
    evidence = first_line(finding.evidence[0], say) if finding.evidence else ""
    return {
        "mark": sign,
        "text": sentence_of(finding.summary(say)),
        "about": [part for part in about if part],
        "evidence": breakable(shorten(clean(evidence), BRIEF_CHARS)),
        "more": _more_words(evidence_count - 1, say),
        "how": short_fix(prose(finding.how_to_fix(say))),
    }


def _more_words(count: int, say: Translator) -> str:
    return say.plural("and %(count)s more", "and %(count)s more", count) if count > 0 else ""


def _cost_and_effort(finding: ReportedFinding, say: Translator) -> tuple[str, str]:
    """Return the points that a finding costs and the effort of its fix, as texts; each may be empty."""
    return (points(-finding.lost, say), _effort(finding, say))


def short_fix(blocks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the first paragraph of a fix, and its code if that is one short line."""
    words: list[dict[str, Any]] = next((block["parts"] for block in blocks if block["kind"] == "words"), [])
    code = next((block["text"] for block in blocks if block["kind"] == "code"), "")
    is_short = code and "\n" not in code and len(code) <= BRIEF_CHARS
    return [*words, *([{"code": False, "text": " ", "href": ""}, {"code": True, "text": breakable(code), "href": ""}] if is_short else [])]


def _categories(report: Report, say: Translator) -> Iterator[dict[str, Any]]:
    """Yield the score of each category, with its numbers of passed and measured checks."""
    for line in category_lines(report, report.not_asked):
        yield {
            "title": clean(say.text(line.title)),
            "score": line.score or 0,
            "value": "–" if line.score is None else say.number(line.score),
            "kind": line.colour,
            "passed": say("%(done)s of %(all)s in order", done=line.passed_count, all=line.checked_count),
            "checked": say("%(done)s of %(all)s checked", done=line.checked_count, all=line.checks_count),
        }


def _previews(report: Report, say: Translator) -> Iterator[dict[str, Any]]:
    """Yield the previews of the page as a desktop search result and as a shared link without its image."""
    shown = search_and_social_previews(report.facts, report.url, say)
    if shown is None:
        return
    desktop, card = shown.results[0], shown.cards[0]
    for kind, caption, where, title, description, notes in (
        ("search", desktop.caption, shown.crumbs, desktop.title, desktop.description, desktop.measured),
        ("card", say("Shared link (%(network)s)", network=card.network), card.host, card.title, card.description, ()),
    ):
        yield {
            "kind": kind,
            "caption": caption,
            "where": snippet_of(where),
            "title": text_of(clean(title, TITLE_CHARS)),
            "description": text_of(shorten(clean(description), SNIPPET_CHARS)),
            "notes": list(notes),
        }


def rated(
    score: int, result: Rating | None, lines: Iterable[str], say: Translator, after: int = 0, after_words: str = ""
) -> dict[str, Any]:
    """Return a score with its bar, its rating and lines about it. ``after``: score after the fixes; ``after_words``: its label."""
    legend = [say("%(score)s now", score=score)]
    if after > score:
        legend.append(after_words)
    if score < DECENT_FROM:
        legend.append(say("decent from %(decent)s", decent=DECENT_FROM))
    return {
        "score": score,
        "after": max(score, after),
        "marks": [DECENT_FROM, GOOD_FROM] if score < DECENT_FROM else [GOOD_FROM],
        "of": say("of 100"),
        "kind": result or "unrated",
        "alt": say("Score %(score)s of 100", score=score),
        "legend": [*legend, say("good from %(good)s", good=GOOD_FROM)],
        "rating": say.text(RATINGS[result]) if result else say("Not rated"),
        "lines": [breakable(line) for line in lines if line],
    }


def card_of(finding: ReportedFinding, sheet: Sheet, cms: str | None = None) -> dict[str, Any]:
    """Return a finding in full: evidence, fix, reason, source and note.

    ``cms``: content management system, empty if unknown, for a finding in plain words; None for one with all details.
    """
    say = sheet.say
    shown = finding.evidence[:EVIDENCE_SHOWN]
    about = [clean(finding.question(say)), *_cost_and_effort(finding, say)]
    against = finding.verdict in AGAINST
    made = {
        "mark": icon_of(finding, say),
        "text": sentence_of(finding.summary(say)),
        "about": [part for part in about if part],
        "evidence": [_evidence(item, say) for item in shown],
        "more": _more_words(finding.evidence_count - len(shown), say),
        "how": prose(finding.how_to_fix(say)) if against else [],
        "example": say("For this page") if finding.fixes else say("For example"),
        "why": prose(finding.why_it_matters(say)) if against else [],
        "source": parts_of(finding.source(say)) if against else [],
        "note": paragraphs(sheet.client.notes.get(finding.id, "")),
    }
    plain = None if cms is None else plain_finding(finding.check, cms, say, finding.evidence_count)
    return made | _in_plain_words(plain, say) if plain else made


def _in_plain_words(plain: PlainFinding, say: Translator) -> dict[str, Any]:
    """Return what is different in plain words: who fixes it, how long it takes, the clicks, and technical words explained."""
    clicks = [f"{plain.cms}: {plain.clicks}"] if plain.clicks else []
    words = [f"{word}: {explanation}" for word, explanation in plain.words.items()]
    return {
        "text": plain.summary,
        "about": [say("Who fixes it: %(who)s; %(time)s", who=plain.fixer, time=plain.time)],
        "how": prose("\n\n".join([plain.step, *clicks, *words])),
        "example": "",
        "why": [],
        "source": [],
    }


def _evidence(item: Evidence, say: Translator) -> dict[str, Any]:
    item = in_language(item, say)
    text, url = clean(item.text), item.url
    where = []
    if item.line:
        where.append(say("Line %(line)s", line=item.line))
    if item.status and str(item.status) not in item.note:
        where.append(say("returns %(status)s", status=item.status))
    if item.note:
        where.append(snippet_of(item.note))
    shown = breakable(shorten(text, SNIPPET_CHARS))
    return {"text": shown, "url": link_to(url) if url and clean(url) not in text else None, "where": where}


def _count_sentences(report: Report, say: Translator) -> Iterator[str]:
    counts = report.counts
    accepted_count = sum(finding.accepted is not None for finding in report.findings)
    yield say.plural("%(count)s check passed.", "%(count)s checks passed.", counts[Verdict.PASSED])
    if accepted_count:
        yield say.plural(
            "%(count)s finding was accepted and is not counted.", "%(count)s findings were accepted and are not counted.", accepted_count
        )
    if counts[Verdict.INAPPLICABLE]:
        yield say.plural(
            "%(count)s check does not apply to this page.", "%(count)s checks do not apply to this page.", counts[Verdict.INAPPLICABLE]
        )
    if counts[Verdict.UNKNOWN]:
        yield say.plural("%(count)s check could not be measured.", "%(count)s checks could not be measured.", counts[Verdict.UNKNOWN])
    if report.not_asked and Source.BROWSER in report.engine.sources:
        yield say.plural(
            "%(count)s check was not run: a crawl is needed.", "%(count)s checks were not run: a crawl is needed.", len(report.not_asked)
        )
    elif report.not_asked:
        yield say.plural(
            "%(count)s check was not run: a browser or a crawl is needed.",
            "%(count)s checks were not run: a browser or a crawl is needed.",
            len(report.not_asked),
        )


def _tables(facts: Facts, sheet: Sheet) -> Iterator[dict[str, Any]]:
    say = sheet.say
    counts = {"links": len(facts.links or ()) + (facts.links_left_count or 0), "images": facts.images_count, "headers": facts.headers_count}
    for name, title, columns in TABLES if sheet.tables else ():
        rows = getattr(facts, name)
        if not rows:
            continue
        left = max(counts[name] or 0, len(rows)) - min(len(rows), TABLE_ROWS)
        cells = [[snippet_of(getattr(row, key))[:300] for key, _ in columns] for row in rows[:TABLE_ROWS]]
        yield table_of(say(title), [say(label) for _, label in columns], cells, more_words(left, say))


def _foot(report: Report, sheet: Sheet) -> Iterator[str]:
    say = sheet.say
    if Source.BROWSER not in report.engine.sources:
        yield say(
            "The page was loaded once, without a browser: what only scripts show and how fast it feels to visitors were not measured."
        )
    yield from foot_of(sheet, report.engine.ruleset, report.engine.version)
