"""Report of a crawled site as SARIF, JUnit and Markdown: a result for each cause, with its examples as locations."""

from collections.abc import Iterator

from findable import __version__
from findable.crawl.changes import NOT_COMPARED_WORDS, CrawlComparison
from findable.export import first_line
from findable.export.junit import case, error_case, junit_document, suite_of
from findable.export.markdown import RATED, code, escape
from findable.export.sarif import LEVELS, SarifObject, location_of, locations_of, rule, sarif_document
from findable.reports.judgement import CATEGORY_TITLES
from findable.reports.scoring import RULESET
from findable.reports.site_report import SiteFinding, SiteReport
from findable.vocabulary import Verdict, words_of
from findable.wording import ENGLISH, Wording

EXAMPLES_SHOWN = 3
NOT_COMPLETE = "crawl_not_complete"


def site_sarif(report: SiteReport, comparison: CrawlComparison | None = None) -> bytes:
    """Return one run: a rule per check with a result, a result per cause. A crawl that is not complete is a notification.

    With a comparison, results say whether they are new.
    """
    rules = {finding.id: rule(finding.reported) for finding in report.findings}
    order = {name: index for index, name in enumerate(rules)}
    url = report.summary.start_url
    results = [_result(url, finding, order[finding.id]) for finding in report.findings]
    if comparison is not None and comparison.not_comparable is None:
        appeared = {finding.key for finding in (*comparison.findings.new, *comparison.findings.returned)}
        for result, finding in zip(results, report.findings, strict=True):
            result["baselineState"] = "new" if finding.key in appeared else "unchanged"
    told: SarifObject = {"level": "error", "message": {"text": not_complete(report)}, "locations": [location_of(url)]}
    return sarif_document(__version__, list(rules.values()), results, [] if report.summary.is_finished else [told])


def _result(url: str, finding: SiteFinding, index: int) -> SarifObject:
    return {
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": LEVELS[finding.verdict],
        "message": {"text": _sentence(finding)},
        "locations": locations_of(url, finding.evidence),
        "partialFingerprints": {"findable/v1": finding.key},
    }


def site_junit(report: SiteReport) -> bytes:
    """Return one suite: a case for the crawl, which passes if it is complete, and one per cause."""
    url = report.summary.start_url
    findings = [finding.reported for finding in report.findings]
    cases = [case(finding, f"{of.id}: {of.cause_name()}") for finding, of in zip(findings, report.findings, strict=True)]
    if report.summary.is_finished:
        return junit_document([suite_of(url, findings, [_passed(), *cases])])
    crawl = error_case("crawl", "crawl complete", NOT_COMPLETE, not_complete(report))
    return junit_document([suite_of(url, findings, [crawl, *cases], errors=1)])


def _passed() -> str:
    return '<testcase classname="crawl" name="crawl complete"></testcase>\n'


def not_complete(report: SiteReport, say: Wording = ENGLISH) -> str:
    """Return why a crawl is not complete."""
    return say("The crawl is not complete: %(reason)s", reason=ended_by(report, say))


def ended_by(report: SiteReport, say: Wording = ENGLISH) -> str:
    """Return the reason why a crawl ended, as text."""
    value = report.summary.ended_by.value
    return say.text(words_of("ended_by", value) or value)


def _sentence(finding: SiteFinding, say: Wording = ENGLISH) -> str:
    return f"{finding.summary(say).removesuffix('.')} – {finding.where(say)}"


def site_markdown(report: SiteReport, say: Wording = ENGLISH, comparison: CrawlComparison | None = None) -> str:
    """Return CommonMark. All texts of pages are escaped or in code spans."""
    return "\n".join(_markdown(report, comparison, say)) + "\n"


def _markdown(report: SiteReport, comparison: CrawlComparison | None, say: Wording) -> Iterator[str]:
    yield say("# Site report: %(address)s", address=code(report.summary.start_url))
    yield ""
    if report.result is None:
        yield f"**{say('Not rated.')}**"
    else:
        provisional = f" ({say('provisional')})" if report.provisional else ""
        yield say(RATED[report.result], score=report.score) + provisional
    yield ""
    pages, indexable = say.number(report.summary.pages_count), say.number(report.summary.indexable_count)
    crawled = say("%(pages)s pages, %(indexable)s of them indexable.", pages=pages, indexable=indexable)
    yield f"{crawled} {escape(say('Ended: %(reason)s', reason=ended_by(report, say)))}"
    yield ""
    if comparison is not None:
        yield from _changes(comparison, say)
    if report.findings:
        yield f"## {say('To fix')}"
        yield ""
    for finding in report.findings:
        yield from _finding(finding, say)
    captured_at = report.summary.captured_at
    yield say("Findable %(version)s, ruleset %(ruleset)s, %(moment)s", version=__version__, ruleset=RULESET, moment=captured_at)
    yield ""


def _changes(comparison: CrawlComparison, say: Wording) -> Iterator[str]:
    yield f"## {say('Changes since %(moment)s', moment=comparison.since)}"
    yield ""
    if comparison.not_comparable is not None:
        yield escape(say("Not compared: %(reason)s", reason=say.text(NOT_COMPARED_WORDS[comparison.not_comparable])))
        yield ""
        return
    yield say("Pages: %(changes)s", changes=comparison.words(say))
    yield ""
    yield comparison.findings.words(say)
    yield ""
    found = comparison.findings
    for words, items in ((say("New"), found.new), (say("Returned"), found.returned), (say("Fixed"), found.fixed)):
        yield from (f"- {words}: {escape(_sentence(item, say))}" for item in items)
    yield ""


def _finding(finding: SiteFinding, say: Wording) -> Iterator[str]:
    mark = "✗" if finding.verdict is Verdict.FAILED else "!"
    yield f"### {mark} {escape(_sentence(finding, say))}"
    yield ""
    yield f"{escape(say.text(CATEGORY_TITLES[finding.check.category]))} · {code(finding.id)}"
    yield ""
    for item in finding.evidence[:EXAMPLES_SHOWN]:
        text = first_line(item, say)
        yield f"- {code(text if not item.url or item.url in text else f'{item.url} {text}')}"
    if finding.evidence:
        yield ""
    yield finding.reported.how_to_fix(say)
    yield ""
