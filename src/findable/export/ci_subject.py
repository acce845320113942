"""Page or crawled site as a pipeline sees it: the input of all formats of CI systems.

`findable audit` and `findable crawl` are exported alike: a format never sees a report.
"""

import hashlib
from collections.abc import Callable, Sequence

from msgspec import Struct

from findable import __version__
from findable.checks.engine import Evidence
from findable.export import first_line
from findable.reports.fixes import fixes_in_order
from findable.reports.page_error_text import sentences_of
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.urls import origin_part
from findable.vocabulary import Rating, Verdict
from findable.wording import ENGLISH, Wording

PLACES_SHOWN = 10
DOCUMENTS = ("robots_txt", "sitemap")
"""Kinds of evidence that stand in a document of their own."""


class Place(Struct, frozen=True):
    """Position of a finding: its page, never what a link of the page leads to."""

    url: str
    line: int | None = None
    column: int | None = None
    snippet: str = ""
    words: str = ""
    """Evidence on one line."""


class FilePosition(Struct, frozen=True):
    """A file of the repository, or what stands for one, and a line in it."""

    path: str
    line: int = 1
    column: int | None = None
    is_file: bool = False
    """Whether it is a file of the repository."""


Locate = Callable[[Place], FilePosition]
"""Returns the file of the repository that a place comes from."""


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
    """Whether an earlier run did not have it; None without one."""

    @property
    def is_failed(self) -> bool:
        """Whether the check failed; else it warned."""
        return self.finding.verdict is Verdict.FAILED


class CiSubject(Struct, frozen=True, kw_only=True):
    """A page or a site with its problems, the most harmful first."""

    url: str
    captured_at: str
    duration_s: float = 0
    goal: str
    """Name of the case that passes if the subject could be judged."""
    score: int | None = None
    result: Rating | None = None
    is_site: bool = False
    error: str = ""
    """Reason why it could not be judged, or not completely."""
    error_code: str = ""
    problems: tuple[Problem, ...] = ()
    quiet: tuple[ReportedFinding, ...] = ()
    """Other findings: passed and unjudged ones."""

    @property
    def failed_count(self) -> int:
        """Number of failed checks."""
        return sum(problem.is_failed for problem in self.problems)

    @property
    def warned_count(self) -> int:
        """Number of warnings."""
        return len(self.problems) - self.failed_count


def fingerprint(subject: CiSubject, problem: Problem) -> str:
    """Return the identity of a problem in later runs, whatever its line: 32 hexadecimal digits."""
    return hashlib.sha256(f"{subject.url} {problem.key}".encode("utf-8", "replace")).hexdigest()[:32]


def without_scheme(place: Place) -> FilePosition:
    """Return the URL without its scheme as the path of a file: ``www.example.com/bread``."""
    return FilePosition(place.url.partition("://")[2] or place.url, place.line or 1, place.column)


def page_subject(report: Report, duration_s: float = 0, say: Wording = ENGLISH) -> CiSubject:
    """Return the page of a report."""
    is_unseen = report.error is not None and not report.was_seen
    url = report.requested_url
    return CiSubject(
        url=url,
        captured_at=report.captured_at,
        duration_s=duration_s,
        goal="page loaded",
        score=report.score,
        result=report.result,
        error=sentences_of(report.error, say) if report.error and is_unseen else "",
        error_code=report.error.code.value if report.error and is_unseen else "",
        problems=tuple(
            Problem(finding, finding.id, finding.summary(say), finding.key, places_on(url, finding.evidence, say))
            for finding in fixes_in_order(report)
        ),
        quiet=tuple(finding for finding in report.findings if not finding.is_against and not finding.accepted),
    )


def places_on(url: str, evidence: Sequence[Evidence], say: Wording = ENGLISH) -> tuple[Place, ...]:
    """Return the places of evidence of a page; the page itself without evidence."""
    return tuple(_place(url, item, say) for item in evidence[:PLACES_SHOWN]) or (Place(url),)


def _place(url: str, item: Evidence, say: Wording) -> Place:
    words = first_line(item, say)
    if item.kind in DOCUMENTS:
        return Place(item.url or f"{origin_part(url)}/robots.txt", item.line, item.column, item.text, words)
    return Place(url, item.line, item.column, item.text if item.line else "", words)


class CiFormat:
    """A document that is written subject by subject, so that it never stands in memory."""

    version = __version__

    def __init__(self, locate: Locate = without_scheme) -> None:
        self.locate = locate

    def add(self, subject: CiSubject) -> bytes:
        """Return the bytes of a subject, which follow those of the one before."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return the rest of the document."""
        raise NotImplementedError


def document(format_: CiFormat, subjects: Sequence[CiSubject]) -> bytes:
    """Return the complete document of some subjects."""
    return b"".join([*(format_.add(subject) for subject in subjects), format_.end()])
