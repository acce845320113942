"""Conditions under which `findable audit` exits with 1."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from findable.cli.audit_requests import read_text
from findable.cli.stored_reports import EarlierReport, as_earlier, reports_in
from findable.errors import SettingError
from findable.reports.comparison import compare
from findable.reports.report import Report
from findable.vocabulary import Rating, Verdict

RATED_BAD = "rated bad"


class Gate(Struct, frozen=True):
    """Conditions for reports; ``baseline`` maps URLs to earlier reports."""

    fail_under: float | None
    fail_on: str | None
    baseline: Mapping[str, EarlierReport]

    def stops(self, report: Report) -> bool:
        """Return whether this report does not pass. Pages that could not be loaded are not judged here."""
        return bool(self.reasons(report))

    def reasons(self, report: Report) -> Sequence[str]:
        """Return why this report does not pass, one line per reason; empty if it passes."""
        if report.result is None or report.score is None:
            return ()
        low = self.fail_under is not None and report.score < self.fail_under
        found = [f"score {report.score} is below {self.fail_under:g}"] if low else []
        earlier = self.baseline.get(report.requested_url) if self.fail_on else None
        if earlier is not None:
            return [*found, *self._worse(earlier, report)]
        if report.result is Rating.BAD and self.fail_under is None:
            found.append(f"{RATED_BAD}; the baseline has no report of this URL" if self.fail_on else RATED_BAD)
        return found

    def is_new(self, report: Report) -> bool:
        """Return whether the baseline lacks this page, and nothing else stops it."""
        return (
            self.fail_on is not None and report.result is not None and report.requested_url not in self.baseline and not self.stops(report)
        )

    def _worse(self, earlier: EarlierReport, report: Report) -> Iterator[str]:
        if self.fail_on == "score":
            if earlier.score is not None and report.score is not None and report.score < earlier.score:
                yield f"score {report.score}, {earlier.score:g} in the baseline"
            return
        for finding in compare(earlier.findings, as_earlier(report).findings).got_worse:
            if finding.verdict is Verdict.FAILED or self.fail_on == "new":
                yield f"new since the baseline: {finding.summary} [{finding.id}]"


def read_baseline(path: Path) -> dict[str, EarlierReport]:
    """Return reports of loaded pages by URL, from the output of `findable audit --format json`. Raises SettingError."""
    text = read_text(path, "--baseline")
    try:
        return {report.url: report for report in reports_in(text) if report.was_seen}
    except (ValueError, RecursionError) as error:
        raise SettingError("--baseline", f"{path} is not a report written by --format json") from error
