"""Report of a page as Markdown, for issues, pull requests and language models."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from findable.control_characters import INVISIBLE
from findable.export.client_words import NOTHING_WRITTEN, ClientWords
from findable.export.short_texts import first_line, titles_of
from findable.lazy_pattern import lazy_pattern
from findable.reports.fixes import fixes_in_order
from findable.reports.gain_words import gain_words
from findable.reports.page_error_text import message_of
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.search_verdict import SearchVerdict
from findable.vocabulary import Rating, Verdict
from findable.wording import ENGLISH, Translator, later

EVIDENCE_SHOWN = 3
_SPECIAL = lazy_pattern(r"([\\`*_{}\[\]<>()#+\-.!|~&@])")
_MENTION = lazy_pattern(r"(?<!\w)(?:@(?=\w)|#(?=\d))")
"""Mentions and references that issue trackers (GitHub and GitLab) expand in rendered Markdown, with or without backslash."""
_CONTROL = lazy_pattern(f"[\x00-\x1f{INVISIBLE}]")


RATED = {
    Rating.GOOD: later("**Rated good**, %(score)s of 100."),
    Rating.DECENT: later("**Rated decent**, %(score)s of 100."),
    Rating.BAD: later("**Rated bad**, %(score)s of 100."),
}
CHEAPEST = {
    Rating.GOOD: later("The cheapest way to *good*: %(checks)s."),
    Rating.DECENT: later("The cheapest way to *decent*: %(checks)s."),
}


def to_markdown(
    report: Report,
    say: Translator = ENGLISH,
    client: ClientWords = NOTHING_WRITTEN,
    *,
    is_branded: bool = False,
    verdict: SearchVerdict | None = None,
) -> str:
    """Return a report as CommonMark, with all texts of pages escaped or in code spans.

    Args:
        report: report of a page.
        say: language.
        client: the owner's texts.
        is_branded: do not mention Findable.
        verdict: verdict of the page after its newest result; None to say only what the report says.
    """
    return "\n".join(_report(report, say, client, is_branded=is_branded, verdict=verdict)) + "\n"


def engine_line(say: Translator, version: str, ruleset: str, moment: str, *, is_branded: bool) -> str:
    """Return a line with the version (not in a branded report), the ruleset and the time of the checks."""
    if is_branded:
        return say("Ruleset %(ruleset)s, %(moment)s", ruleset=ruleset, moment=moment)
    return say("Findable %(version)s, ruleset %(ruleset)s, %(moment)s", version=version, ruleset=ruleset, moment=moment)


def escape(text: str) -> str:
    """Return text on one line, escaped for Markdown. A zero-width space after ``@`` prevents mentions."""
    plain = _MENTION.sub("\\g<0>\u200b", " ".join(_CONTROL.sub(" ", text).split()))
    return _SPECIAL.sub(r"\\\1", plain)


def code(text: str) -> str:
    """Return text in a Markdown code span that its backticks cannot end."""
    plain = " ".join(_CONTROL.sub(" ", text).split())
    longest = max((len(run) for run in re.findall("`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def _report(report: Report, say: Translator, client: ClientWords, *, is_branded: bool, verdict: SearchVerdict | None) -> Iterator[str]:
    yield say("# SEO report: %(url)s", url=code(report.requested_url))
    yield ""
    yield from preparation_lines(client, say)
    if report.error and not report.was_loaded:
        yield f"**{say('Not rated.')}** {escape(message_of(report.error, say))}"
        yield ""
        return
    yield from _verdict(report, say)
    if verdict is not None and (sentences := verdict.sentences(say)):
        yield escape(" ".join(sentences))
        yield ""
    yield from summary_lines(client, say)
    titles = titles_of(report, say)
    held = fixes_in_order(report)
    if held:
        yield f"## {say('To fix')}"
        yield ""
    for finding in held:
        yield from _finding(report, finding, titles.get(finding.category, finding.category), say, client.notes.get(finding.id, ""))
    yield say("%(passed)s checks passed, %(inapplicable)s do not apply, %(unknown)s could not be measured.", **report.counts)
    yield ""
    engine, at = report.engine, report.captured_at
    yield engine_line(say, engine.version, engine.ruleset, at, is_branded=is_branded)
    yield ""


def preparation_lines(client: ClientWords, say: Translator) -> Iterator[str]:
    """Yield the lines "Prepared for" and "Prepared by" of a report; nothing for empty names."""
    for label, name in ((say("Prepared for"), client.prepared_for), (say("Prepared by"), client.prepared_by)):
        if name:
            yield f"{label}: {escape(name)}"
            yield ""


def summary_lines(client: ClientWords, say: Translator) -> Iterator[str]:
    """Yield the section with the owner's summary of a report; nothing without one."""
    if client.summary:
        yield f"## {say('Summary')}"
        yield ""
        yield from _escaped_lines(client.summary)


def note_lines(note: str, say: Translator) -> Iterator[str]:
    """Yield the lines of the owner's note on a finding; nothing if it is empty."""
    if note:
        yield f"**{say('Our note')}:**"
        yield from _escaped_lines(note)


def _verdict(report: Report, say: Translator) -> Iterator[str]:
    if report.result is None:
        yield f"**{say('Not rated.')}**"
    else:
        yield say(RATED[report.result], score=report.score)
    if way := report.next_rating:
        yield say(CHEAPEST[way.result], checks=", ".join(code(name) for name in way.checks))
    yield ""


def _escaped_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that a person typed, escaped for Markdown and with hard line breaks."""
    lines = [*text.split("\n"), ""]
    for line, following in pairwise(lines):
        yield escape(line) + ("\\" if line.strip() and following.strip() else "")
    yield ""


def _finding(report: Report, finding: ReportedFinding, category: str, say: Translator, note: str) -> Iterator[str]:
    evidence = [code(first_line(item, say)) for item in finding.evidence[:EVIDENCE_SHOWN]]
    hidden = finding.evidence_count - len(evidence)
    if hidden > 0:
        evidence.append(say.plural("and %(count)s more", "and %(count)s more", hidden))
    return finding_lines(finding, finding.summary(say), category, gain_words(report, finding, say), evidence, note, say)


def finding_lines(
    finding: ReportedFinding, sentence: str, category: str, gain: str, evidence: Iterable[str], note: str, say: Translator
) -> Iterator[str]:
    """Yield the Markdown section of a finding. ``evidence``: one Markdown text for each item."""
    mark = "✗" if finding.verdict is Verdict.FAILED else "!"
    yield f"### {mark} {escape(sentence)}"
    yield ""
    yield " · ".join(filter(None, (escape(category), code(finding.id), escape(gain))))
    yield ""
    yield from note_lines(note, say)
    yield from (f"- {line}" for line in evidence)
    if finding.evidence:
        yield ""
    yield finding.how_to_fix(say)
    yield ""
