"""Change of the score between two runs of a page, split into its causes: page, ruleset and acceptances."""

from msgspec import UNSET
from msgspec.structs import replace

from findable.reports.acceptance import Acceptance
from findable.reports.analysis import can_be_rescored, with_acceptances
from findable.reports.report import Report
from findable.reports.scoring import RULESET
from findable.service.reports.compared_run import RunPair
from findable.service.runtime.service import Service
from findable.service.values.report_values import ScoreChange


def unsplit_change(two: RunPair) -> ScoreChange:
    """Return the change of the score without its causes."""
    return ScoreChange(before=two.old.row.score, after=two.new.row.score, from_page=None, from_ruleset=None)


def score_change(service: Service, two: RunPair) -> ScoreChange:
    """Split the score change into page, ruleset and acceptances."""
    unsplit, old, new = unsplit_change(two), two.old.report, two.new.report
    before, after = unsplit.before, unsplit.after
    alike = _score_accepting(new, old) if old.not_for_search == new.not_for_search else None
    if before is None or after is None or alike is None:
        return unsplit
    unsplit = replace(unsplit, from_accepted=after - alike or UNSET)
    again = before if old.engine.ruleset == new.engine.ruleset else _score_again(service, two)
    return unsplit if again is None else replace(unsplit, from_page=alike - again, from_ruleset=again - before)


def _score_accepting(report: Report, other: Report) -> int | None:
    """Return the score of one report with the acceptances of another; None if that is impossible."""
    mine, theirs = _accepted_keys(report), _accepted_keys(other)
    if mine.keys() == theirs.keys():
        return report.score
    if not can_be_rescored(report):
        return None
    # Acceptances of both runs stay in effect; those of the other run only while the evidence is the same.
    acceptances = [Acceptance(check, "as before", key="" if check in mine else key) for check, key in theirs.items()]
    return with_acceptances(report, acceptances, "").score


def _accepted_keys(report: Report) -> dict[str, str]:
    """Return the accepted keys by check."""
    return {finding.id: finding.key for finding in report.findings if finding.accepted}


def _score_again(service: Service, two: RunPair) -> int | None:
    """Return the score of the old page under the current ruleset; None if that is impossible."""
    old = two.old.report
    if two.new.report.engine.ruleset != RULESET:
        return None
    if two.rescored_report is not None and two.rescored_report.engine.ruleset == RULESET:
        return _score_accepting(two.rescored_report, old)
    if service.analysis is None or two.saved_page is None:
        return None
    try:
        again = service.analysis.rescore(two.saved_page, old.not_for_search)
    except Exception:  # noqa: BLE001 - a page that cannot be rescored lacks one number, which must not fail the response
        return None
    return _score_accepting(again, old)
