"""Findings of a project as CSV: a row for each finding of each page."""

from collections.abc import Callable, Iterable, Iterator

from findable.checks.engine import all_checks
from findable.export.csv_rows import csv_head, csv_line
from findable.reports.project_report import ProjectFinding, ProjectPage
from findable.wording import ENGLISH, Translator

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
    findings: Iterable[ProjectFinding], report_url: Callable[[ProjectPage], str], say: Translator = ENGLISH
) -> Iterator[bytes]:
    """Yield the CSV file of a project, one finding of the project per chunk. The verdict of a row is that on the page."""
    yield csv_head(COLUMNS)
    for finding in findings:
        check = all_checks()[finding.check]
        asked = (finding.check, say.text(check.question), say(check.category.words))
        remedy = (check.importance.value, check.effort.name.lower(), check.fixer.value)
        counts = (len(finding.pages), finding.new_on)
        for page, verdict in finding.verdicts:
            score = "" if page.score is None else page.score
            is_new = int(finding.check in page.new)
            yield csv_line((*asked, verdict.value, *remedy, *counts, page.url, score, is_new, report_url(page)))
