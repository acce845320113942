"""Findings of a project as CSV: a row for each page with a finding."""

from collections.abc import Callable, Iterable, Iterator

from findable.checks.engine import all_checks
from findable.export.csv import csv_line
from findable.reports.judgement import CATEGORY_TITLES
from findable.reports.project_report import ProjectFinding, ProjectPage
from findable.wording import ENGLISH, Wording

COLUMNS = (
    "check",
    "question",
    "category",
    "verdict",
    "importance",
    "effort",
    "fixer",
    "pages_count",
    "new_on",
    "url",
    "score",
    "is_new",
    "report",
)


def project_findings_csv(
    findings: Iterable[ProjectFinding], report_url: Callable[[ProjectPage], str], say: Wording = ENGLISH
) -> Iterator[bytes]:
    """Yield the file, one finding at a time. The verdict is the worst on a page."""
    yield "\ufeff".encode() + csv_line(COLUMNS)
    for finding in findings:
        check = all_checks()[finding.check]
        about = (
            finding.check,
            say.text(check.question),
            say(CATEGORY_TITLES[check.category]),
            finding.verdict.value,
            check.importance.value,
            check.effort.name.lower(),
            check.fixer.value,
            len(finding.pages),
            finding.new_on,
        )
        yield b"".join(
            csv_line((*about, page.url, "" if page.score is None else page.score, int(finding.check in page.new), report_url(page)))
            for page in finding.pages
        )
