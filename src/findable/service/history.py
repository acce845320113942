"""Runs of an address, and what changed between two of them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from findable.errors import NotFound, ValidationFailed
from findable.reports.model import Analysis
from findable.reports.scoring import RULESET
from findable.service.access import owned, viewed
from findable.service.app import Service
from findable.service.callers import require
from findable.service.values import READ, Caller, ChangedFinding, Changes, ReportView, RunView
from findable.service.views import as_of_run, run_view
from findable.store.protocol import Session
from findable.store.rows import ReportRow, RunRow
from findable.vocabulary import Profile, Verdict

MAX_RUNS = 100
LOOK_BACK = 20
"""Older runs that are looked through to know whether a finding returned."""
_FAULTS = {Verdict.FAILED, Verdict.WARNED}


def runs(service: Service, caller: Caller, report_id: int) -> tuple[RunView, ...]:
    """The history of the report's address: the runs of this report and of others of the account and profile, newest first, at most 100."""
    require(caller, READ)
    with service.store.read() as session:
        row = owned(session, caller, report_id)
        return tuple(run_view(run) for run in session.runs.history(row.account_id, row.url, Profile.STATIC, MAX_RUNS))


def get_run(service: Service, caller: Caller, report_id: int, run: int) -> ReportView:
    """The report as it was in that run, with its analysis."""
    require(caller, READ)
    with service.store.read() as session:
        row = owned(session, caller, report_id)
        found = _run(session, row, run)
        before = session.runs.rated_before(row.account_id, found.url, found.profile, found.id)
        return as_of_run(viewed(service, session, row), found, session.runs.analysis(found.id), before[0] if before else None)


def saved_page(service: Service, caller: Caller, report_id: int, run: int | None = None) -> bytes:
    """The saved page (JSON) of a run, the current one where None. Raises NotFound where it was not kept."""
    require(caller, READ)
    with service.store.read() as session:
        row = owned(session, caller, report_id)
        number = row.run if run is None else run
        found = _run(session, row, number) if number is not None else None
        page = session.runs.saved_page(found.saved_hash) if found and found.saved_hash is not None else None
    if page is None:
        raise NotFound("The saved page of this run is not kept.")
    return page


def _run(session: Session, row: ReportRow, number: int) -> RunRow:
    found = session.runs.get(row.id, number) if 0 < number < 2**31 else None
    if found is None:
        raise NotFound
    return found


class _Two(NamedTuple):
    """Two runs to compare, and what is needed for it."""

    old: RunRow
    new: RunRow
    before: Analysis
    after: Analysis
    older: Sequence[Analysis]
    saved: bytes | None
    """The saved page of the old run."""


def changes(service: Service, caller: Caller, report_id: int, since: int | None = None) -> Changes:
    """What changed since run number `since` of this report (the run before the current one where None). Raises ValidationFailed on it."""
    require(caller, READ)
    with service.store.read() as session:
        two = _two(session, owned(session, caller, report_id), since)
    if two is None:
        return Changes(0, 0, None, None, None, None, (), (), (), ())
    from_page, from_ruleset = _split(service, two)
    found = _compare(two)
    return Changes(
        since=two.old.number,
        run=two.new.number,
        before=two.old.score,
        after=two.new.score,
        from_page=from_page,
        from_ruleset=from_ruleset,
        new=tuple(found["new"]),
        fixed=tuple(found["fixed"]),
        returned=tuple(found["returned"]),
        still=tuple(found["still"]),
    )


def _two(session: Session, row: ReportRow, since: int | None) -> _Two | None:
    """None where there is no run before the current one."""
    new = session.runs.get(row.id, row.run) if row.run is not None else None
    if new is None:
        raise ValidationFailed({"since": ["The report has no result yet."]})
    if since is None:
        before = session.runs.rated_before(row.account_id, new.url, new.profile, new.id)
        old = before[0] if before else None
    else:
        old = session.runs.get(row.id, since) if 0 < since < 2**31 else None
        if old is None or old.number >= new.number:
            raise ValidationFailed({"since": ["The since must be the number of an older run of this report."]})
    if old is None:
        return None
    stored_old, stored_new = session.runs.analysis(old.id), session.runs.analysis(new.id)
    if stored_old is None or stored_new is None:
        raise ValidationFailed({"since": ["That run has no result to compare with."]})
    older = session.runs.rated_before(row.account_id, new.url, new.profile, old.id, LOOK_BACK)
    analyses = [Analysis.load(stored) for run in older if (stored := session.runs.analysis(run.id)) is not None]
    saved = session.runs.saved_page(old.saved_hash) if old.saved_hash is not None else None
    return _Two(old, new, Analysis.load(stored_old), Analysis.load(stored_new), analyses, saved)


def _split(service: Service, two: _Two) -> tuple[int | None, int | None]:
    """How much of the change of score the page made, and how much the ruleset."""
    if two.old.score is None or two.new.score is None:
        return None, None
    change = two.new.score - two.old.score
    rulesets = [analysis.document["engine"]["ruleset"] for analysis in (two.before, two.after)]
    if rulesets[0] == rulesets[1]:
        return change, 0
    again = _score_again(service, two) if rulesets[1] == RULESET else None
    return (None, None) if again is None else (two.new.score - again, again - two.old.score)


def _score_again(service: Service, two: _Two) -> int | None:
    """The score of the old page under the present ruleset, None where that cannot be told."""
    if service.rescore is None or two.saved is None:
        return None
    try:
        score = Analysis.load(service.rescore(two.saved, Profile(two.old.profile))).document["score"]
    except Exception:  # noqa: BLE001 - a page that cannot be judged again takes away one number, not the answer
        return None
    return None if score is None else int(score)


def _compare(two: _Two) -> Mapping[str, list[ChangedFinding]]:
    """By check: a check makes one finding. What became unknown is still there as far as we know."""
    before, after = _by_check(two.before), _by_check(two.after)
    seen = {check for analysis in two.older for check, kept in _by_check(analysis).items() if Verdict(kept["verdict"]) in _FAULTS}
    found: dict[str, list[ChangedFinding]] = {"new": [], "fixed": [], "returned": [], "still": []}
    for check in [*after, *(check for check in before if check not in after)]:
        old, new = _verdict(before, check), _verdict(after, check)
        if new in _FAULTS:
            kind = "still" if old in _FAULTS else "returned" if check in seen else "new"
            found[kind].append(ChangedFinding(after[check], old, new))
        elif old in _FAULTS and new is Verdict.UNKNOWN:
            found["still"].append(ChangedFinding(before[check], old, new))
        elif old in _FAULTS:
            found["fixed"].append(ChangedFinding(before[check], old, new))
    return found


def _by_check(analysis: Analysis) -> dict[str, Mapping[str, Any]]:
    return {str(kept["id"]): kept for kept in analysis.document["findings"]}


def _verdict(findings: Mapping[str, Mapping[str, Any]], check: str) -> Verdict | None:
    return Verdict(findings[check]["verdict"]) if check in findings else None
