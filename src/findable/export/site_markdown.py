"""Report of a crawled site as Markdown: a chapter for each cause, with examples."""

from collections.abc import Iterator

from findable import __version__
from findable.crawl.changes import CrawlComparison
from findable.export.client_words import NOTHING_WRITTEN, ClientWords
from findable.export.markdown import RATED, code, engine_line, escape, finding_lines, preparation_lines, summary_lines
from findable.export.short_texts import first_line
from findable.export.site_subject import ended_by, site_sentence
from findable.reports.gain_words import points
from findable.reports.scoring import RULESET
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_report import SiteReport
from findable.wording import ENGLISH, Translator

EXAMPLES_SHOWN = 3
GROUPS_SHOWN = 10


def site_markdown(
    report: SiteReport,
    say: Translator = ENGLISH,
    comparison: CrawlComparison | None = None,
    client: ClientWords = NOTHING_WRITTEN,
    *,
    is_branded: bool = False,
) -> str:
    """Return the report of a crawled site as CommonMark, with all texts of pages escaped or in code spans."""
    return "\n".join(_markdown(report, comparison, say, client, is_branded=is_branded)) + "\n"


def _markdown(
    report: SiteReport, comparison: CrawlComparison | None, say: Translator, client: ClientWords, *, is_branded: bool
) -> Iterator[str]:
    yield say("# Site report: %(url)s", url=code(report.summary.start_url))
    yield ""
    yield from preparation_lines(client, say)
    if report.result is None:
        yield f"**{say('Not rated.')}**"
    else:
        provisional = f" ({say('provisional')})" if report.provisional else ""
        yield say(RATED[report.result], score=report.score) + provisional
        limit = report.limited_to(say)
        listing = "" if report.verdict.needs_words else report.listing_sentence(say)
        yield from map(escape, filter(None, (listing, f"{limit}." if limit else "")))
    yield ""
    if sentences := report.verdict.sentences(say):
        yield escape(" ".join(sentences))
        yield ""
    pages = say.plural("%(count)s page", "%(count)s pages", report.summary.pages_count)
    crawled = say("%(pages)s, indexable: %(indexable)s.", pages=pages, indexable=say.number(report.summary.indexable_count))
    yield f"{crawled} {escape(say('Ended: %(reason)s', reason=ended_by(report, say)))}"
    if reading := report.reading(say):
        yield ""
        yield escape(reading)
    yield ""
    yield from summary_lines(client, say)
    if comparison is not None:
        yield from _changes(comparison, say)
    if report.open:
        yield f"## {say('To fix')}"
        yield ""
    for fault in faults_of(report.open):
        yield from _fault(fault, say, client.notes.get(fault.id, ""))
    captured_at = report.summary.captured_at
    yield engine_line(say, __version__, RULESET, captured_at, is_branded=is_branded)
    yield ""


def _changes(comparison: CrawlComparison, say: Translator) -> Iterator[str]:
    yield f"## {say('Changes since %(moment)s', moment=comparison.since)}"
    yield ""
    if comparison.not_comparable is not None:
        yield escape(say("Not compared: %(reason)s", reason=say.text(comparison.not_comparable.words)))
        yield ""
        return
    yield say("Pages: %(changes)s", changes=comparison.words(say))
    yield ""
    yield comparison.findings.words(say)
    yield ""
    found = comparison.findings
    for words, items in (
        (say("New"), found.new),
        (say("Returned"), found.returned),
        (say("Worse"), found.worse),
        (say("Better"), found.better),
        (say("Fixed"), found.fixed),
    ):
        yield from (f"- {words}: {escape(site_sentence(item, say))}" for item in items)
    yield ""


def _fault(fault: SiteFault, say: Translator, note: str) -> Iterator[str]:
    """Return the lines of a fault: examples of a single group, or the sentence of each group."""
    lines = [(item.url, first_line(item, say)) for item in fault.evidence[:EXAMPLES_SHOWN]]
    evidence = [code(text if not url or url in text else f"{url} {text}") for url, text in lines]
    if not fault.is_single:
        evidence = [escape(site_sentence(one, say)) for one in fault.counted[:GROUPS_SHOWN]]
        if more := len(fault.counted) - GROUPS_SHOWN:
            evidence += [say.plural("%(count)s more group", "%(count)s more groups", more)] if more > 0 else []
    category = say.text(fault.check.category.words)
    return finding_lines(fault.as_reported, fault.headline(say), category, points(fault.gain or 0, say), evidence, note, say)
