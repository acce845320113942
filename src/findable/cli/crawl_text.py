"""Report of a crawled site as text for a terminal: rating, scope of the crawl, changes, and findings by cause."""

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from findable.capture.crawl import CrawlEnd
from findable.cli.report_text import RATED, plain_problem
from findable.cli.terminal import Terminal, clean
from findable.crawl.changes import CrawlComparison
from findable.crawl.redirect_map import RedirectMapRow, RedirectResult, map_headline, results_of
from findable.crawl.settings import RenderReason
from findable.crawl.state import CrawlState
from findable.crawl.visits import CrawlCounts
from findable.export.site_subject import site_sentence
from findable.reports.gain_words import points, score_sum
from findable.reports.plain import PlainFinding, plain_finding
from findable.reports.reported_finding import in_language
from findable.reports.search_verdict import blocking_line, crawl_end_words
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_report import SiteReport
from findable.vocabulary import Verdict, words_of
from findable.wording import Translator

MAX_LINES = 60
FOOTER_LINES = 3
GROUPS = 3
"""Maximum number of groups of a fault that are listed."""
EXAMPLES = 2
LEFT_OUT_LINES = 6
NOTES = 5
"""Number of listed checks with notes."""
NOTES_HEAD_LINES = 2
MISSED_LINES = 10
MARKS = {Verdict.FAILED: "✗", Verdict.WARNED: "!"}


def crawl_lines(
    report: SiteReport,
    state: CrawlState,
    counts: CrawlCounts,
    terminal: Terminal,
    comparison: CrawlComparison | None = None,
    redirects: Sequence[RedirectMapRow] = (),
    *,
    is_plain: bool = False,
) -> list[str]:
    """Return the report of a crawl in at most MAX_LINES lines, or with all faults in plain words.

    Args:
        report: report of the crawl.
        state: settings, end and counters of the crawl.
        counts: numbers of URLs of the crawl, by state.
        terminal: output device.
        comparison: changes since an earlier crawl; None to show none.
        redirects: rows of a redirect map; empty without one.
        is_plain: whether the faults are in plain words for owners of a site.
    """
    lines = [*_redirects(redirects, terminal), ""] if redirects else []
    lines += _summary(report, state, counts, terminal, is_plain=is_plain)
    if comparison is not None:
        lines += ["", *_changes(comparison, terminal)]
    if is_plain:
        cms, say = report.summary.cms, terminal.say
        found = ((fault, plain_finding(fault.check, cms, say, fault.as_reported.evidence_count)) for fault in faults_of(report.open))
        told = [(fault, plain) for fault, plain in found if plain is not None]
        return [*lines, *(line for number, one in enumerate(told, 1) for line in _plain_fault(number, *one, terminal))]
    if report.open:
        lines += ["", terminal.paint(terminal.say("Fix first"), "bold")]
    faults, shown = faults_of(report.open), 0
    for fault in faults:
        block = list(_fault(shown + 1, fault, terminal))
        if len(lines) + len(block) > MAX_LINES - FOOTER_LINES:
            break
        lines += block
        shown += 1
    left = len(faults) - shown
    if left:
        lines += [
            "",
            terminal.say.plural(
                "%(count)s more finding; use --format json to list all", "%(count)s more findings; use --format json to list all", left
            ),
        ]
    notes = [*_notes(report, terminal)][: MAX_LINES - len(lines)]
    return lines + notes if len(notes) > NOTES_HEAD_LINES else lines


def _notes(report: SiteReport, terminal: Terminal) -> Iterator[str]:
    """Yield the first NOTES notes of the report, one line for each check."""
    first = {note.id: note for note in reversed(report.notes)}
    if first:
        yield from ("", terminal.paint(terminal.say("Notes"), "bold"))
    for note in list(first.values())[::-1][:NOTES]:
        yield terminal.cut(f"    · {clean(note.summary(terminal.say)).removesuffix('.')} – {clean(note.where(terminal.say))}")


def _rendered_lines(state: CrawlState, say: Translator) -> Iterator[str]:
    """Yield how many pages were opened in a browser, or that no browser works here; nothing if browser visits were not wanted."""
    visits, failed = state.rendered.visits, state.rendered.failed
    if visits:
        words = say.plural("%(count)s page opened in a browser", "%(count)s pages opened in a browser", visits)
        yield (
            say("%(pages)s; could not be loaded and checked without rendering: %(failed)s", pages=words, failed=say.number(failed))
            if failed
            else words
        )
    elif state.settings.render_reason is RenderReason.NO_BROWSER:
        yield say("No page was opened in a browser, because none works here (findable doctor shows the reason)")


def _summary(report: SiteReport, state: CrawlState, counts: CrawlCounts, terminal: Terminal, *, is_plain: bool) -> Iterator[str]:
    say = terminal.say
    url = clean(state.settings.start_url)
    if state.settings.preview_origin:
        url = say("%(url)s (requested at %(origin)s)", url=url, origin=clean(state.settings.preview_origin))
    yield terminal.paint(url, "bold")
    if report.result is not None:
        provisional = f" ({say('provisional')})" if report.provisional else ""
        rated = terminal.paint(say.text(RATED[report.result]), report.result)
        score = say("score %(score)s of 100", score=report.score)
        yield f"{rated}: {score}{provisional}"
    elif not report.verdict.needs_words:
        yield say("Not rated")
    yield from _verdict_lines(report, terminal)
    if not is_plain and (words := score_sum(report.score_parts, say)):
        yield from terminal.wrap(words)
    if report.cap is not None:
        yield from terminal.wrap(report.limited_to(say))
    requested = say.plural("%(count)s URL requested", "%(count)s URLs requested", counts.done)
    pages = say.plural("%(count)s page", "%(count)s pages", counts.pages)
    yield ", ".join((requested, pages, say("%(count)s of them indexable", count=say.number(counts.indexable))))
    if state.unchanged_count:
        yield say("%(count)s pages have not changed since the earlier crawl (304)", count=say.number(state.unchanged_count))
    yield from _rendered_lines(state, say)
    ended_by = state.ended_by or CrawlEnd.STOPPED
    start = report.summary.start
    reason = crawl_end_words(ended_by, start, say)
    line = clean(blocking_line(start, say)) if ended_by is CrawlEnd.BLOCKED and start is not None else ""
    yield from terminal.wrap(say("Ended: %(reason)s", reason=f"{reason} ({line})" if line else reason))
    if line:
        yield say("Use --robots ignore to crawl your own site anyway")
    if reading := report.reading(say):
        yield from terminal.wrap(reading)
    elif counts.waiting and ended_by is not CrawlEnd.UNREACHABLE:
        yield say(
            "%(count)s URLs are still queued: run the same command with a higher --pages to continue", count=say.number(counts.waiting)
        )
    for group in report.summary.left_out[:LEFT_OUT_LINES] if ended_by is not CrawlEnd.BLOCKED else ():
        reason = say.text(words_of("refusal", group.name) or group.name)
        line = say("Not requested: %(count)s (%(reason)s)", count=say.number(group.pages_count), reason=reason)
        yield terminal.cut(f"{line}: {clean(group.urls[0])}" if group.urls else line)
    yield from report.cut_off(say)


def _verdict_lines(report: SiteReport, terminal: Terminal) -> Iterator[str]:
    """Yield the verdict, what it means and what to do, unless pages can be indexed."""
    for words in report.verdict.sentences(terminal.say):
        yield from terminal.wrap(clean(words))


def _redirects(rows: Sequence[RedirectMapRow], terminal: Terminal) -> Iterator[str]:
    """Yield how many URLs of a redirect map do not lead to their targets, the counts by result, and the first MISSED_LINES wrong ones."""
    say = terminal.say
    yield terminal.paint(map_headline(rows, say), "bold")
    yield from terminal.wrap(" · ".join(f"{say.number(count)} {say.text(result.words)}" for result, count in results_of(rows).items()))
    wrong = [row for row in rows if row.result.is_fault or row.result is RedirectResult.NOT_REQUESTED]
    for row in wrong[:MISSED_LINES]:
        end = f" → {clean(row.end_url)}" if row.hops_count else ""
        line = f"{clean(row.url)}{end} ({row.statuses}): {row.in_words(say)}" if row.statuses else f"{clean(row.url)}: {row.in_words(say)}"
        yield terminal.cut(line, "  ✗ " if row.result.is_fault else "  ? ")
    if len(wrong) > MISSED_LINES:
        yield "    " + say.plural("and %(count)s more", "and %(count)s more", len(wrong) - MISSED_LINES)


def _changes(comparison: CrawlComparison, terminal: Terminal) -> Iterator[str]:
    """Yield the changes of pages and findings since an earlier crawl, or why the crawls are not compared."""
    say = terminal.say
    yield terminal.paint(say("Changes since %(moment)s", moment=comparison.since), "bold")
    if comparison.not_comparable is not None:
        yield from terminal.wrap(say("Not compared: %(reason)s", reason=say.text(comparison.not_comparable.words)))
        return
    yield from terminal.wrap(say("Pages: %(changes)s", changes=comparison.words(say)))
    if left := sum(comparison.not_compared.values()):
        yield say("%(count)s pages are not compared: they were not requested, or did not respond", count=say.number(left))
    yield comparison.findings.words(say)


def _plain_fault(number: int, fault: SiteFault, plain: PlainFinding, terminal: Terminal) -> Iterator[str]:
    """Yield a fault in plain words, with the pages on which it is."""
    place = fault.plain_place(terminal.say)
    summary = f"{plain.summary} ({clean(place)})" if place else plain.summary
    yield from plain_problem(number, fault.as_reported, replace(plain, summary=summary), terminal)


def _fault(number: int, fault: SiteFault, terminal: Terminal) -> Iterator[str]:
    """Yield a fault with examples, or with its first groups."""
    say = terminal.say
    mark = terminal.paint(MARKS.get(fault.verdict, " "), fault.verdict)
    line = clean(fault.headline(say))
    if fault.gain:
        line += f" · {points(fault.gain, say)}"
    yield from terminal.wrap(line, "     ", f"{number:>3} {mark} ")
    if not fault.is_single:
        told = fault.problem(say)
        for group in fault.counted[:GROUPS]:
            text = group.where(say) if group.summary(say) == told else site_sentence(group, say)
            yield terminal.cut(clean(text), "       ")
        if (more := len(fault.counted) - GROUPS) > 0:
            yield f"       {say.plural('and %(count)s more cause', 'and %(count)s more causes', more)}"
        return
    shown = (in_language(one, say) for one in fault.evidence)
    examples = dict.fromkeys(" – ".join(filter(None, (one.url or one.text, one.note))) for one in shown)
    for text in islice(examples, EXAMPLES):
        yield terminal.cut(clean(text), "       ")
