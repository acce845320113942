"""Page or crawled site as the common input of all CI formats.

`findable audit` and `findable crawl` share the CI formats, which receive this subject instead of a report.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct, field

from findable import __version__
from findable.checks.engine import Evidence
from findable.export.short_texts import first_line
from findable.reports.fixes import fixes_in_order
from findable.reports.page_error_text import sentences_of
from findable.reports.reported_finding import ReportedFinding
from findable.urls import origin_part
from findable.vocabulary import Rating, Verdict

if TYPE_CHECKING:
    from findable.reports.report import Report

PLACES_SHOWN = 10
DOCUMENTS = ("robots_txt", "sitemap")
"""Kinds of evidence that are in a document other than the page."""


class Place(Struct, frozen=True):
    """Position of a finding: its page, never the target of one of its links."""

    url: str
    line: int | None = None
    column: int | None = None
    snippet: str = ""
    words: str = ""
    """Evidence on one line."""


class FilePosition(Struct, frozen=True):
    """Line in a file of the repository, or in a placeholder for one."""

    path: str
    line: int = 1
    column: int | None = None
    is_file: bool = False
    """Whether the location is a file of the repository."""
    text: str = ""
    """Text of that file; empty if it is not UTF-8, or too long."""


Locate = Callable[[Place], FilePosition]
"""Function that returns the source file of a place."""


class Problem(Struct, frozen=True):
    """A failed or warned check that is not accepted."""

    finding: ReportedFinding
    name: str
    """Name within the subject."""
    summary: str
    key: str
    """Key that stays the same between runs."""
    places: tuple[Place, ...]
    is_new: bool | None = None
    """Whether the previous run did not have it; None without a previous run."""
    template: str = ""
    """Name of the template whose pages have it; empty for other causes."""

    @property
    def is_failed(self) -> bool:
        """Whether the check failed; else it warned."""
        return self.finding.verdict is Verdict.FAILED


class CiSubject(Struct, frozen=True, kw_only=True):
    """Page or site with its problems, the most harmful first."""

    url: str
    captured_at: str
    duration_s: float = 0
    goal: str
    """Name of the test case that passes if the subject could be checked."""
    score: int | None = None
    result: Rating | None = None
    is_site: bool = False
    error: str = ""
    """Reason why the subject could not be checked completely."""
    error_code: str = ""
    problems: tuple[Problem, ...] = ()
    quiet: tuple[ReportedFinding, ...] = ()
    """Other findings: passed, and not checked."""

    @property
    def failed_count(self) -> int:
        """Number of failed checks."""
        return len({problem.finding.id for problem in self.problems if problem.is_failed})

    @property
    def warned_count(self) -> int:
        """Number of checks that only warned."""
        return len({problem.finding.id for problem in self.problems}) - self.failed_count


def without_scheme(place: Place) -> FilePosition:
    """Return the URL without its scheme as the path of a file: ``www.example.com/bread``."""
    return FilePosition(place.url.partition("://")[2] or place.url, place.line or 1, place.column)


def page_subject(report: "Report", duration_s: float = 0) -> CiSubject:
    """Return the page of a report as a subject."""
    is_not_loaded = report.error is not None and not report.was_loaded
    url = report.requested_url
    return CiSubject(
        url=url,
        captured_at=report.captured_at,
        duration_s=duration_s,
        goal="page loaded",
        score=report.score,
        result=report.result,
        error=sentences_of(report.error) if report.error and is_not_loaded else "",
        error_code=report.error.code.value if report.error and is_not_loaded else "",
        problems=tuple(
            Problem(finding, finding.id, finding.summary(), finding.key, places_on(url, finding.evidence))
            for finding in fixes_in_order(report)
        ),
        quiet=tuple(finding for finding in report.findings if not finding.has_problem and not finding.accepted),
    )


def places_on(url: str, evidence: Sequence[Evidence]) -> tuple[Place, ...]:
    """Return the places of evidence of a page; without evidence, the page itself."""
    return tuple(_place(url, item) for item in evidence[:PLACES_SHOWN]) or (Place(url),)


def _place(url: str, item: Evidence) -> Place:
    words = first_line(item)
    if item.kind in DOCUMENTS:
        return Place(item.url or f"{origin_part(url)}/robots.txt", item.line, item.column, item.text, words)
    return Place(url, item.line, item.column, item.text if item.line else "", words)


class CiFormat(Struct):
    """Document that is written subject by subject, so that it is never completely in memory."""

    version: ClassVar[str] = __version__
    locate: Locate = without_scheme
    _fingerprints: Counter[str] = field(default_factory=Counter)

    def fingerprint(self, subject: CiSubject, problem: Problem) -> tuple[str, int]:
        """Return 32 hexadecimal digits that stay equal in later runs, even on another line, and how often the document has them so far."""
        identity = hashlib.sha256(f"{subject.url} {problem.key}".encode("utf-8", "replace")).hexdigest()[:32]
        self._fingerprints[identity] += 1
        return identity, self._fingerprints[identity]

    def add(self, subject: CiSubject) -> bytes:
        """Return the bytes of a subject, to append to those of the previous one."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return the rest of the document; by default nothing."""
        return b""


def document(format_: CiFormat, subjects: Sequence[CiSubject]) -> bytes:
    """Return the complete document of some subjects."""
    return b"".join([*(format_.add(subject) for subject in subjects), format_.end()])
