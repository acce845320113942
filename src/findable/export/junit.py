"""Findings as JUnit XML for CI systems: a suite per page, a case per check."""

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from findable.export import first_line
from findable.formats.control_characters import INVISIBLE
from findable.reports.page_error_text import message_of
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Verdict

_UNSAFE = re.compile(f"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[{INVISIBLE}]")
_SKIPPED = (Verdict.INAPPLICABLE, Verdict.UNKNOWN, Verdict.INFO)


def to_junit(reports: Iterable[Report]) -> bytes:
    """Return failed checks as failures, warnings as passed with output, unjudged ones as skipped, and unloaded pages as errors."""
    suites = [_suite(report) for report in reports]
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Findable">\n' + "".join(suites) + "</testsuites>\n"
    return text.encode()


def _suite(report: Report) -> str:
    name = quoteattr(_clean(report.requested_url))
    if report.error and not report.was_seen:
        told = f"<error type={quoteattr(report.error.code)} message={quoteattr(_clean(message_of(report.error)))}/>"
        case = f'<testcase classname={name} name="page seen">{told}</testcase>'
        return f'<testsuite name={name} tests="1" failures="0" errors="1" skipped="0">{case}</testsuite>\n'
    findings = [finding for finding in report.findings if not finding.accepted]
    failures = sum(finding.verdict is Verdict.FAILED for finding in findings)
    skipped = sum(finding.verdict in _SKIPPED for finding in findings)
    cases = "".join(_case(finding) for finding in findings)
    return f'<testsuite name={name} tests="{len(findings)}" failures="{failures}" errors="0" skipped="{skipped}">\n{cases}</testsuite>\n'


def _case(finding: ReportedFinding) -> str:
    summary = _clean(finding.summary())
    body = ""
    if finding.verdict is Verdict.FAILED:
        detail = "\n".join([*(first_line(item) for item in finding.evidence), "", finding.how_to_fix()])
        body = f"<failure type={quoteattr(finding.importance)} message={quoteattr(summary)}>{escape(_clean(detail))}</failure>"
    elif finding.verdict in _SKIPPED:
        body = f"<skipped message={quoteattr(summary)}/>"
    elif finding.verdict is Verdict.WARNED:
        body = f"<system-out>{escape('warning: ' + summary)}</system-out>"
    return f"<testcase classname={quoteattr(finding.category)} name={quoteattr(finding.id)}>{body}</testcase>\n"


def _clean(text: str) -> str:
    """Replace characters that are invalid in XML, and those that change what a reader sees."""
    return _UNSAFE.sub("\ufffd", text)
