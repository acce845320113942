"""Report of a page as text for a terminal: a summary, then the first fixes."""

from collections.abc import Iterator

from findable.checks.engine import all_checks
from findable.cli.terminal import Terminal, clean
from findable.errors import PageError, PageErrorCode
from findable.export.short_texts import first_line
from findable.reports.browser_notice import browser_notice
from findable.reports.browser_visit_words import visit_sentences
from findable.reports.fixes import first_fixes, fixes_in_order, fixes_to_next_rating
from findable.reports.gain_words import gain_words, score_sum
from findable.reports.page_error_text import detail_of, message_of
from findable.reports.plain import PlainFinding, cms_of, plain_finding
from findable.reports.prose import unwrap_lines
from findable.reports.report import Report
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.scoring import rating_of
from findable.reports.titles import parts_of_check
from findable.vocabulary import Effort, PageKind, Rating, Stage, Verdict
from findable.wording import Translator, later

MAX_LINES = 40
EVIDENCE_LINES = 2
FOOTER_LINES = 3
EFFORT = {Effort.HEAD: later("one line in the page"), Effort.SERVER: later("a server setting"), Effort.CONTENT: later("work on pages")}
RATED = {Rating.GOOD: later("Rated good"), Rating.DECENT: later("Rated decent"), Rating.BAD: later("Rated bad")}
NEXT = {
    Rating.GOOD: later("Next rating: good (%(span)s) with %(fixes)s"),
    Rating.DECENT: later("Next rating: decent (%(span)s) with %(fixes)s"),
}
MARKS = {Verdict.FAILED: "✗", Verdict.WARNED: "!", Verdict.UNKNOWN: "?", Verdict.INFO: "i", Verdict.PASSED: "✓", Verdict.INAPPLICABLE: "–"}


def report_lines(
    report: Report, terminal: Terminal, *, verbose: bool = False, fixes_count: int | None = None, is_plain: bool = False
) -> list[str]:
    """Return the report of a page in at most MAX_LINES lines, or with all findings if ``verbose``.

    ``fixes_count``: maximum number of fixes if the report is one of several; it then has no footer. ``is_plain``: whether all
    problems are in plain words for owners of a site.
    """
    if not report.was_loaded:
        return _not_loaded(report, terminal)
    problems = fixes_in_order(report)
    lines = _summary(report, terminal)
    if is_plain:
        cms = cms_of(report.facts, report.url)
        found = ((number, one, plain_finding(one.check, cms, terminal.say, one.evidence_count)) for number, one in enumerate(problems, 1))
        problems_in_words = (plain_problem(number, one, plain, terminal) for number, one, plain in found if plain)
        return [*lines[:1], *(line for block in problems_in_words for line in block)]
    if verbose:
        return [*lines, "", *_full_report(report, terminal)]
    shown = 0
    if problems:
        lines += ["", terminal.paint(terminal.say("Fix first"), "bold")]
        for number, finding in enumerate(first_fixes(report)[:fixes_count], 1):
            block = list(_problem(number, finding, report, terminal))
            if len(lines) + len(block) > MAX_LINES - FOOTER_LINES:
                break
            lines += block
            shown = number
    if fixes_count is not None:
        left = len(problems) - shown
        return [*lines, *([f"     {terminal.say.plural('and %(count)s more', 'and %(count)s more', left)}"] if left else [])]
    return [*lines, "", *_footer(report, len(problems) - shown, terminal)]


def _summary(report: Report, terminal: Terminal) -> list[str]:
    """Return the first lines of a report: URL, browser visit, rating, score, its reason, and the fixes to the next rating."""
    say = terminal.say
    rating = report.result
    url = clean(report.requested_url)
    if report.judged_as:
        url = say("%(url)s (preview of %(origin)s)", url=url, origin=clean(report.judged_as))
    word = terminal.paint(say.text(RATED[rating]), rating) if rating else say("Not rated")
    provisional = f" ({say('provisional')})" if report.explained and report.explained.provisional else ""
    measured = say.number(round((report.coverage or 0) * 100))
    score = "–" if report.score is None else say("%(score)s of 100", score=report.score)
    notice = browser_notice(report, say)
    return [
        terminal.cut(url),
        *([terminal.cut(notice)] if notice else []),
        *(terminal.cut(sentence) for sentence in (visit_sentences(report.facts.browser, say) if report.facts.browser else ())),
        word + provisional,
        terminal.cut(say("Score %(score)s, %(percent)s %% of the check weight measured", score=score, percent=measured)),
        *(
            [terminal.cut(say("Kind of page: %(kind)s", kind=say.text(report.kind.words)))]
            if report.kind not in (None, PageKind.UNKNOWN)
            else []
        ),
        terminal.cut(_why(report, say)),
        *([terminal.cut(words)] if (words := score_sum(report.score_parts, say, 3)) else []),
        terminal.cut(_next(report, say)),
    ]


def _why(report: Report, say: Translator) -> str:
    held, counts = report.effective_cap, report.counts
    if report.error:
        return clean(message_of(report.error, say))
    if report.score is None:
        return say("Less than half of the applicable checks (by weight) could be measured")
    if held:
        causes = [finding for finding in report.findings if finding.id in held.checks]
        line = say("Limited to %(score)s by: %(cause)s", score=held.score, cause=clean(causes[0].summary(say)))
        more = len(causes) - 1
        return f"{line} {say.plural('(and %(count)s more)', '(and %(count)s more)', more)}" if more else line
    if not counts[Verdict.FAILED] + counts[Verdict.WARNED]:
        return say("No problem found; %(count)s checks passed", count=counts[Verdict.PASSED])
    return say("%(failed)s failed, %(warned)s warned, %(passed)s passed, %(unknown)s unknown", **counts)


def _next(report: Report, say: Translator) -> str:
    count = fixes_to_next_rating(report)
    if report.result is Rating.GOOD:
        return say("Next rating: none, this is the best one")
    if not count:
        return say("Next rating: not reachable with these fixes")
    score = (report.score or 0) + sum(finding.gain or 0 for finding in fixes_in_order(report)[:count])
    fixes = say.plural("the first fix", "the first %(count)s fixes", count)
    return say(NEXT[rating_of(score)], span=say.number(score), fixes=fixes)


def plain_problem(number: int, finding: ReportedFinding, plain: PlainFinding, terminal: Terminal) -> Iterator[str]:
    """Yield a finding in plain words: what is missed, who fixes it, how long it takes, the clicks, and explanations of technical words."""
    say, first = terminal.say, f"{number:>3}. {MARKS[finding.verdict]} "
    indent = " " * len(first)
    yield ""
    yield from terminal.wrap(plain.summary, indent, first)
    yield from terminal.wrap(say("What to do: %(step)s", step=plain.step), indent, indent)
    yield from terminal.wrap(say("Who fixes it: %(who)s; %(time)s", who=plain.fixer, time=plain.time), indent, indent)
    if plain.clicks:
        yield from terminal.wrap(f"{plain.cms}: {plain.clicks}", indent, indent)
    for word, explanation in plain.words.items():
        yield from terminal.wrap(f"({word}: {explanation})", indent, indent)
    for item in finding.evidence[:EVIDENCE_LINES]:
        yield terminal.cut(clean(first_line(item, say)), indent)


def _problem(number: int, finding: ReportedFinding, report: Report, terminal: Terminal) -> Iterator[str]:
    first = f"{number:>3}. {MARKS[finding.verdict]} "
    yield from terminal.wrap(clean(finding.summary(terminal.say)), " " * len(first), first)[:2]
    say = terminal.say
    for item in finding.evidence[:EVIDENCE_LINES]:
        yield terminal.cut(clean(first_line(item, say)), "       ")
    effort = say.text(EFFORT[finding.effort or Effort.CONTENT])
    gain = gain_words(report, finding, say)
    if gain:
        yield terminal.cut(say("%(gain)s; to fix: %(effort)s", gain=gain, effort=effort), "       ")
    else:
        yield terminal.cut(say("costs no points; to fix: %(effort)s", effort=effort), "       ")


def _footer(report: Report, rest: int, terminal: Terminal) -> list[str]:
    say, counts = terminal.say, report.counts
    accepted = sum(finding.accepted is not None for finding in report.findings)
    parts = [
        say.plural("%(count)s more to fix", "%(count)s more to fix", rest) if rest else "",
        say("%(passed)s passed, %(unknown)s unknown, %(inapplicable)s not applicable", **counts),
        say.plural("%(count)s accepted", "%(count)s accepted", accepted) if accepted else "",
    ]
    return terminal.wrap(say("%(what)s (--all shows them)", what=", ".join(filter(None, parts))))


def _full_report(report: Report, terminal: Terminal) -> Iterator[str]:
    for category in report.categories:
        is_open = category.score is None and category.counts.get(Verdict.UNKNOWN)
        score = "  –" if is_open else "" if category.score is None else f"  {category.score}"
        yield terminal.paint(f"{terminal.say.text(category.title)}{score}", "bold")
        for verdict in MARKS:
            for finding in report.findings:
                if finding.category == category.id and finding.verdict is verdict and not finding.accepted:
                    yield from _entry(finding, terminal)
        yield ""
    yield from _accepted_lines(report, terminal)
    names = ", ".join(report.not_asked)
    if names:
        yield from terminal.wrap(terminal.say("Not run in this profile: %(names)s", names=names), "  ", "")


def _accepted_lines(report: Report, terminal: Terminal) -> Iterator[str]:
    """Yield a section with the accepted findings and their reasons; nothing without any."""
    accepted = [(finding, finding.accepted) for finding in report.findings if finding.accepted]
    if not accepted:
        return
    yield terminal.paint(terminal.say("Accepted, not in the score"), "bold")
    for finding, terms in accepted:
        yield from terminal.wrap(f"{clean(finding.summary(terminal.say))} [{finding.id}]", "    ", f"  {MARKS[finding.verdict]} ")
        reason = clean(terms.reason)
        if terms.until:
            yield from terminal.wrap(terminal.say("Because: %(reason)s (until %(day)s)", reason=reason, day=terms.until), "      ")
        else:
            yield from terminal.wrap(terminal.say("Because: %(reason)s", reason=reason), "      ")
    yield ""


def _entry(finding: ReportedFinding, terminal: Terminal) -> Iterator[str]:
    yield from terminal.wrap(f"{clean(finding.summary(terminal.say))} [{finding.id}]", "    ", f"  {MARKS[finding.verdict]} ")
    if finding.verdict in AGAINST:
        for item in finding.evidence:
            yield terminal.cut(clean(first_line(item, terminal.say)), "      ")
        hidden = finding.evidence_count - len(finding.evidence)
        if hidden > 0:
            yield "      " + terminal.say.plural("and %(count)s more", "and %(count)s more", hidden)
        fix = finding.how_to_fix(terminal.say).split("\n\n")[0]
        yield from terminal.wrap(terminal.say("Fix: %(how)s", how=clean(fix)), "      ")


def _not_loaded(report: Report, terminal: Terminal) -> list[str]:
    error, say = report.error or PageError(PageErrorCode.INTERNAL_ERROR), terminal.say
    retry = say("Another audit may succeed.") if error.retryable else say("Another audit will fail in the same way until this is fixed.")
    detail = clean(detail_of(error, say))
    lines = [
        terminal.cut(clean(report.requested_url)),
        say("Not rated: the page could not be loaded"),
        *terminal.wrap(clean(message_of(error, say))),
    ]
    if detail:
        lines += terminal.wrap(detail)
    if error.code is PageErrorCode.TARGET_REFUSED:
        lines += terminal.wrap(say("A private host is requested only if its URL is on the command line or --allow-target allows it."))
    return [*lines, f"{retry} [{error.code}]"]


def check_lines(check_id: str, terminal: Terminal) -> list[str]:
    """Return the documentation of a check as lines for the terminal."""
    check = all_checks()[check_id]
    say, text = terminal.say, check.documentation
    lines = [
        terminal.paint(f"{check.id}: {say.text(check.question)}", "bold"),
        say(
            "%(category)s, importance %(importance)s, effort: %(effort)s",
            category=check.category.value,
            importance=say.text(check.importance.value),
            effort=say.text(EFFORT[check.effort]),
        ),
        *((say("preview: shown and not scored"),) if check.stage is Stage.PREVIEW else ()),
        "",
        *_paragraphs(say.text(text.summary), terminal),
    ]
    for title, part in parts_of_check(text):
        lines += ["", terminal.paint(say(title), "bold"), *_paragraphs(say.text(part), terminal)]
    return lines


def _paragraphs(text: str, terminal: Terminal) -> Iterator[str]:
    """Yield the lines of a documentation text, wrapped; indented examples stay unchanged."""
    for index, paragraph in enumerate(unwrap_lines(text).split("\n\n")):
        if index:
            yield ""
        if all(line.startswith("    ") for line in paragraph.splitlines()):
            yield from (terminal.cut(line) for line in paragraph.splitlines())
        else:
            yield from terminal.wrap(" ".join(paragraph.split()), "  ")
