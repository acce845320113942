"""Reasons for which neither an audited page nor a crawled site passes."""

import sys
from collections.abc import Iterable, Iterator

from findable.cli.config import Thresholds
from findable.cli.terminal import clean
from findable.clock import now
from findable.reports.acceptance import Acceptance
from findable.vocabulary import Verdict

RATED_BAD = "rated bad"


def check_reasons(thresholds: Thresholds, findings: Iterable[tuple[str, Verdict, str]]) -> Iterator[str]:
    """Yield a sentence for each finding that a threshold does not allow. ``findings``: check id, verdict and summary of each."""
    for check, verdict, summary in findings:
        stops_at = thresholds.checks.get(check)
        if stops_at == "warned" or (stops_at == "failed" and verdict is Verdict.FAILED):
            yield f"{verdict.value}: {summary} [{check}]"


def warn_of_expired(acceptances: Iterable[Acceptance]) -> None:
    """Print a warning on standard error for each acceptance that has expired."""
    today = now().date().isoformat()
    for one in acceptances:
        if one.until and one.until < today:
            where = "" if one.url == "*" else f" on {one.url}"
            sys.stderr.write(f"findable: {one.check}{clean(where)} was accepted until {one.until}; its findings count again\n")
