"""Findings as JUnit XML for CI systems: a suite per page, a case per check."""

import re
from collections.abc import Iterable, Sequence
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
    return junit_document(_suite(report) for report in reports)


def junit_document(suites: Iterable[str]) -> bytes:
    """Return a document of these suites."""
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Findable">\n' + "".join(suites) + "</testsuites>\n"
    return text.encode()


def _suite(report: Report) -> str:
    name = report.requested_url
    if report.error and not report.was_seen:
        return suite(name, [error_case(name, "page seen", report.error.code, message_of(report.error))], errors=1)
    findings = [finding for finding in report.findings if not finding.accepted]
    return suite_of(name, findings, [case(finding) for finding in findings])


def suite_of(name: str, findings: Sequence[ReportedFinding], cases: Iterable[str], *, errors: int = 0) -> str:
    """Return a suite of the cases of findings, with its counts."""
    failures = sum(finding.verdict is Verdict.FAILED for finding in findings)
    skipped = sum(finding.verdict in _SKIPPED for finding in findings)
    return suite(name, cases, failures=failures, errors=errors, skipped=skipped)


def suite(name: str, cases: Iterable[str], *, failures: int = 0, errors: int = 0, skipped: int = 0) -> str:
    """Return a suite."""
    cases = list(cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="{skipped}"'
    return f"<testsuite name={quoteattr(_clean(name))} {counts}>\n{''.join(cases)}</testsuite>\n"


def error_case(of: str, name: str, code: str, message: str) -> str:
    """Return the case of something that could not be judged."""
    told = f"<error type={quoteattr(code)} message={quoteattr(_clean(message))}/>"
    return f"<testcase classname={quoteattr(_clean(of))} name={quoteattr(name)}>{told}</testcase>\n"


def case(finding: ReportedFinding, name: str = "") -> str:
    """Return the case of a finding; its name is that of the check unless another is given."""
    summary = _clean(finding.summary())
    body = ""
    if finding.verdict is Verdict.FAILED:
        detail = "\n".join([*(first_line(item) for item in finding.evidence), "", finding.how_to_fix()])
        body = f"<failure type={quoteattr(finding.importance)} message={quoteattr(summary)}>{escape(_clean(detail))}</failure>"
    elif finding.verdict in _SKIPPED:
        body = f"<skipped message={quoteattr(summary)}/>"
    elif finding.verdict is Verdict.WARNED:
        body = f"<system-out>{escape('warning: ' + summary)}</system-out>"
    return f"<testcase classname={quoteattr(finding.category)} name={quoteattr(_clean(name or finding.id))}>{body}</testcase>\n"


def _clean(text: str) -> str:
    """Replace characters that are invalid in XML, and those that change what a reader sees."""
    return _UNSAFE.sub("\ufffd", text)
