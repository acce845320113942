"""Findings as JUnit XML for CI systems: a suite per page or site, a case per check or cause.

Valid by the schema of Jenkins (xunit-plugin, junit-10.xsd) and by the stricter one of Ant (windyroad/JUnit-Schema).
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from findable.control_characters import INVISIBLE
from findable.export.ci_subject import CiFormat, CiSubject, Problem
from findable.vocabulary import Verdict

_UNSAFE = re.compile(f"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[{INVISIBLE}]")
_SKIPPED = (Verdict.INAPPLICABLE, Verdict.UNKNOWN, Verdict.INFO)


class JUnit(CiFormat):
    """JUnit report: a failed check is a failure, a check without a result skipped, a page that could not be loaded an error."""

    _suites_count: int = 0

    def add(self, subject: CiSubject) -> bytes:
        """Return the test suite of a page or site."""
        cases = list(_cases(subject))
        skipped = sum(finding.verdict in _SKIPPED for finding in subject.quiet)
        warnings = (f"warning: {problem.summary} [{problem.finding.id}]\n" for problem in subject.problems if not problem.is_failed)
        attributes = {
            "name": subject.url,
            "package": "findable",
            "id": self._suites_count,
            "timestamp": datetime.fromisoformat(subject.captured_at).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S"),
            "hostname": "localhost",
            "tests": len(cases),
            "failures": sum(problem.is_failed for problem in subject.problems),
            "errors": int(bool(subject.error)),
            "skipped": skipped,
            "time": f"{subject.duration_s:.3f}",
        }
        head = "" if self._suites_count else '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
        self._suites_count += 1
        written = " ".join(f"{name}={quoteattr(_clean(str(value)))}" for name, value in attributes.items())
        output = f"<system-out>{escape(_clean(''.join(warnings)))}</system-out>\n<system-err></system-err>"
        return f"{head}<testsuite {written}>\n<properties/>\n{''.join(cases)}{output}\n</testsuite>\n".encode()

    def end(self) -> bytes:
        """Return the end of the XML document."""
        return b"</testsuites>\n" if self._suites_count else b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites/>\n'


def _cases(subject: CiSubject) -> Iterator[str]:
    """Yield the test cases of a page or site; the first case has its whole duration."""
    error = f"<error type={quoteattr(subject.error_code)} message={quoteattr(_clean(subject.error))}/>" if subject.error else ""
    yield _case(subject, subject.goal, error, subject.duration_s)
    for problem in subject.problems:
        yield _case(subject, problem.name, _failure(problem) if problem.is_failed else "")
    for finding in subject.quiet:
        is_skipped = finding.verdict in _SKIPPED
        yield _case(subject, finding.id, f"<skipped message={quoteattr(_clean(finding.summary()))}/>" if is_skipped else "")


def _failure(problem: Problem) -> str:
    finding = problem.finding
    detail = "\n".join([*(place.words or place.url for place in problem.places), "", finding.how_to_fix()])
    return f"<failure type={quoteattr(finding.importance)} message={quoteattr(_clean(problem.summary))}>{escape(_clean(detail))}</failure>"


def _case(subject: CiSubject, name: str, body: str, time_s: float = 0) -> str:
    attributes = f'classname={quoteattr(_clean(subject.url))} name={quoteattr(_clean(name))} time="{time_s:.3f}"'
    return f"<testcase {attributes}>{body}</testcase>\n"


def _clean(text: str) -> str:
    """Replace characters that are invalid in XML, and invisible characters that can mislead readers."""
    return _UNSAFE.sub("\ufffd", text)
