"""Conditions under which `findable audit` exits with 1."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from findable.cli.config import Budget, Thresholds
from findable.cli.exit_codes import NOT_LOADED, NOT_PASSED, PASSED
from findable.cli.gate_reasons import RATED_BAD, check_reasons
from findable.cli.given_files import read_text
from findable.cli.stored_reports import EarlierReport, ReportChange, as_earlier, change_of, reports_in, values_of
from findable.cli.terminal import clean
from findable.errors import SettingError
from findable.reports.difference import NotComparable
from findable.reports.report import Report
from findable.reports.url_patterns import any_matches
from findable.vocabulary import Rating, Verdict


class Gate(Struct, frozen=True):
    """Conditions that the report of a page must meet; ``baseline`` contains earlier reports by URL."""

    fail_under: float | None
    fail_on: str | None
    baseline: Mapping[str, EarlierReport]
    thresholds: Thresholds = Thresholds()
    budgets: tuple[Budget, ...] = ()

    def reasons(self, report: Report) -> Sequence[str]:
        """Return the reasons why a report does not pass, one line each; empty if it passes or has no rating."""
        if report.result is None or report.score is None:
            return ()
        low = self.fail_under is not None and report.score < self.fail_under
        found = [f"score {report.score} is below {self.fail_under:g}"] if low else []
        found += _category_reasons(self.thresholds, report)
        against = (finding for finding in report.findings if finding.has_problem)
        found += check_reasons(self.thresholds, ((finding.id, finding.verdict, finding.summary()) for finding in against))
        change = self.change(report)
        is_compared = change is not None and change.reason is None
        found += _budget_reasons(self.budgets, report, self.baseline[report.requested_url].values if is_compared else {})
        if change is not None and change.reason is None:
            return [*found, *self._worse_reasons(change, report)]
        if report.result is Rating.BAD and self.fail_under is None:
            found.append(f"{RATED_BAD}; the baseline has no report of this URL" if self.fail_on and change is None else RATED_BAD)
        return found

    def change(self, report: Report) -> ReportChange | None:
        """Return the changes since the report of a rated page in the baseline; None if it has none, or is not asked for."""
        earlier = self.baseline.get(report.requested_url) if self.fail_on and report.result is not None else None
        return None if earlier is None else change_of(earlier, as_earlier(report))

    def _worse_reasons(self, change: ReportChange, report: Report) -> Iterator[str]:
        earlier = self.baseline[report.requested_url]
        if self.fail_on == "score":
            if earlier.score is not None and report.score is not None and report.score < earlier.score:
                yield f"score {report.score}, {earlier.score:g} in the baseline"
            return
        for finding in change.risen:
            if finding.verdict is Verdict.FAILED or self.fail_on == "new":
                yield f"new since the baseline: {finding.summary} [{finding.id}]"


def _category_reasons(thresholds: Thresholds, report: Report) -> Iterator[str]:
    for category in report.categories:
        least = thresholds.categories.get(category.id)
        if least is not None and category.score is not None and category.score < least:
            yield f"score {category.score} of {category.id.value} is below {least}"


def _budget_reasons(budgets: Sequence[Budget], report: Report, before: Mapping[str, float]) -> Iterator[str]:
    """Yield a sentence for each limit that a page exceeds. ``before``: values in the baseline, by name.

    A limit of lab values is not met where they were not measured, or on a busy machine: then that is the sentence.
    """
    budgets = [budget for budget in budgets if any_matches(budget.urls, report.requested_url)]
    values = values_of(report) if budgets else {}
    for budget in budgets:
        group = ", ".join(budget.urls)
        for name, most in budget.given.items():
            if name not in values:
                yield from _unmeasured(name, group)
            elif values[name] > most:
                yield f"{_with_unit(name, values[name])}, the budget of {group} is {most:,g}"
        for name, most in budget.growth.given.items():
            if name in values and name in before and values[name] - before[name] > most:
                yield f"{_with_unit(name, values[name])}, {before[name]:,g} in the baseline, the growth budget of {group} is {most:,g}"


def _with_unit(name: str, value: float) -> str:
    return f"{value:,.0f} {name}" if name in ("bytes", "requests") else f"{_LAB_NAMES[name]} {value:,g}"


def _unmeasured(name: str, group: str) -> Iterator[str]:
    if name in _LAB_NAMES:
        yield f"{_LAB_NAMES[name]} was not measured, and {group} has a budget for it: use --browser lab"


_LAB_NAMES = {"lcp_ms": "LCP in ms", "fcp_ms": "FCP in ms", "tbt_ms": "TBT in ms", "cls": "CLS"}


class AuditVerdicts:
    """Exit code of an audit of several pages, and the reasons for it."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._lines: list[str] = []
        self._is_stopped = False
        self._is_unknown = False

    def add(self, report: Report) -> None:
        """Check the conditions for the report of the next page."""
        url, reasons = clean(report.requested_url), self._gate.reasons(report)
        self._lines += [f"{url}: {clean(reason)}" for reason in reasons if reason != RATED_BAD]
        change = self._gate.change(report)
        if self._gate.fail_on and report.result is not None and change is None and not reasons:
            self._lines.append(f"{url}: not in the baseline; only a rating of bad or --fail-under stops it")
        reason = change.reason if change else None
        if reason is NotComparable.OTHER_RULESET:
            earlier = self._gate.baseline[report.requested_url]
            self._lines.append(f"{url}: not compared: ruleset {clean(earlier.ruleset or '–')}, this is {report.engine.ruleset}")
        elif reason is not None:
            self._lines.append(f"{url}: not compared with the baseline: {reason.words}")
        self._is_stopped = self._is_stopped or bool(reasons)
        self._is_unknown = self._is_unknown or report.result is None or reason not in (None, NotComparable.OTHER_RULESET)

    def print_reasons(self) -> None:
        """Print the reasons why pages do not pass on standard error, except a bad rating, which the report shows."""
        for line in self._lines:
            sys.stderr.write(f"findable: {line}\n")

    @property
    def exit_code(self) -> int:
        """1 if a page did not pass the gate, else 3 if a page could not be loaded or compared, else 0.

        A changed ruleset alone is no failure.
        """
        return NOT_PASSED if self._is_stopped else NOT_LOADED if self._is_unknown else PASSED


def read_baseline(path: Path) -> dict[str, EarlierReport]:
    """Return the reports in a file of `findable audit --format json` by URL, without failed ones. Raises SettingError."""
    text = read_text(path, "--baseline")
    try:
        return {report.url: report for report in reports_in(text) if report.was_loaded}
    except (ValueError, RecursionError) as error:
        raise SettingError("--baseline", f"{path} is not output of findable audit --format json") from error
