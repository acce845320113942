"""Changes since a given time, in one project or in all: pages and sites, alerts, certificates, and pages lost between crawls."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, partial
from typing import Literal

import msgspec
from msgspec import Struct

from findable.checks.engine import all_checks
from findable.clock import now
from findable.errors import ValidationFailed
from findable.monitor.page_alert_conditions import CERTIFICATE_DAYS, PageFacts
from findable.reports.earlier_score import WEEK
from findable.reports.recent_changes import EXPOSED, RETENTION_S, FailedFinding, PeriodChange, checks_of
from findable.reports.scoring import limit_of
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import require
from findable.service.alerts.alerts import alert_view
from findable.service.results.recent_changes import changes_of
from findable.service.runtime.service import Service
from findable.service.values.alert_values import AlertView
from findable.service.values.caller import READ, Caller
from findable.service.values.report_summary import summary_of
from findable.service.values.views import moment
from findable.store.setback_statements import ChangeScope, SetbackRow
from findable.store.store_protocol import Session
from findable.values import DateTime
from findable.vocabulary import Importance, Verdict
from findable.wording import Message, Translator, later

LONGEST = timedelta(seconds=RETENTION_S)
MOST = 300
"""Maximum number of compared pages and sites, the most recently changed ones."""
MAX_ALERTS = 200
MAX_CERTIFICATES = 500
_DAY_S = 86_400
_WRONG_SINCE = Message(later("The since field must be a moment in the last %(days)s days."), days=RETENTION_S // _DAY_S)


class NewFinding(Struct, frozen=True):
    """Finding that is a problem at the end of the period of the overview, and was none before."""

    check: str
    details: FailedFinding | None
    """Sentence and number of pages; None if they were not stored."""


class ChangedMembers(Struct, frozen=True, kw_only=True):
    """Members of a page or site that changed, as in the API."""

    project: str
    url: str
    at: DateTime
    """Time of the last relevant change."""
    score_before: int
    score: int
    fixed: tuple[str, ...]
    """Checks whose problems are fixed."""
    new_count: int
    fixed_count: int
    open_count: int
    """Number of problems that existed before and still exist."""


class ChangedView(ChangedMembers, frozen=True, kw_only=True):
    """Page or site that changed."""

    title: str
    """Title of the page; empty for a site."""
    path: str
    """Path of its report."""
    is_site: bool
    findings: tuple[NewFinding, ...] = ()
    """New failed findings, the most important first."""
    scored_pages: int = 1
    """Number of pages of the project whose report has a score."""
    away_since: datetime | None = None
    """Time since when it cannot be reached; None if it can."""
    is_exposed: bool = False
    """Whether Google can index the site, which is not meant for search, and could not before."""

    @property
    def new(self) -> tuple[str, ...]:
        """Checks with new failed findings, the most important first."""
        return tuple(dict.fromkeys(one.check for one in self.findings))

    @property
    def drop(self) -> int:
        """Points that the score has dropped."""
        return max(0, self.score_before - self.score)

    def words(self, say: Translator, zone: tzinfo | None = None) -> str:
        """Return what became worse as a sentence for emails and feeds."""
        before, score = say.number(self.score_before), say.number(self.score)
        if self.away_since is not None:
            since = say.moment(self.away_since, zone)
            words = later("%(url)s: score %(before)s → %(score)s, away since %(since)s")
            return say(words, url=self.url, score=score, before=before, since=since)
        if self.is_exposed:
            return say(later("%(url)s: not meant for search, but Google can index it"), url=self.url)
        if self.score < self.score_before:
            return say(later("%(url)s: score %(before)s → %(score)s"), url=self.url, score=score, before=before)
        new = say.plural("%(count)s new problem", "%(count)s new problems", self.new_count)
        return say(later("%(url)s: score %(score)s, %(new)s"), url=self.url, score=score, new=new)


class AwayView(Struct, frozen=True):
    """Page or site that returned an error and is available again. It is neither worse nor better."""

    project: str
    url: str
    path: str
    """Path of its report."""
    since: datetime
    until: datetime

    def words(self, say: Translator, zone: tzinfo | None = None) -> str:
        """Return the time for which it was away as a sentence for emails and feeds."""
        since, until = say.moment(self.since, zone), say.moment(self.until, zone)
        return say(later("%(url)s: away from %(since)s to %(until)s"), url=self.url, since=since, until=until)


class ChangedPages(Struct, frozen=True):
    """Pages and sites that changed."""

    worse: tuple[ChangedView, ...]
    """Pages and sites with a new problem or a lower score, largest drop first."""
    better: tuple[ChangedView, ...]
    """Pages and sites with a fixed problem, newest first."""
    is_part: bool
    """Whether more changed than MOST."""
    away: tuple[AwayView, ...] = ()
    """Pages that were away for a time within the period."""


class CertificateShape(Struct, frozen=True, kw_only=True):
    """TLS certificate of a project that expires within 21 days."""

    project: str
    ends_at: DateTime
    days_left: int


class LostView(Struct, frozen=True):
    """Pages that search engines lost between two crawls."""

    project: str
    path: str
    """Path of the comparison."""
    at: datetime
    counts: dict[str, int]
    """Number of pages by the kind of the change."""


class WorkDone(Struct, frozen=True, kw_only=True):
    """Finding that was fixed or accepted."""

    kind: Literal["fixed", "accepted"]
    check: str
    url: str
    """URL of the page or site, or pattern of URLs."""
    pages_count: int
    """Number of pages of the fixed finding; 1 for an acceptance."""
    first_seen: DateTime | None
    """Time of the result that first had the problem; null if it is older than 30 days, and for an acceptance."""
    at: DateTime
    """Time of the result without the problem, or of the acceptance."""
    path: str
    """Path of the page with the result without the problem; empty for an acceptance, and if that result is no longer stored."""
    by: str
    """Person who accepted it; empty for a fixed finding."""
    reason: str
    until: str
    """Last day of the acceptance (ISO 8601); empty for no end."""


class ChangeOverview(Struct, frozen=True):
    """All changes since a given time."""

    since: datetime
    pages: ChangedPages
    opened_alerts: tuple[AlertView, ...]
    closed_alerts: tuple[AlertView, ...]
    still_open: tuple[AlertView, ...]
    certificates: tuple[CertificateShape, ...]
    losses: tuple[LostView, ...]
    work: tuple[WorkDone, ...] = ()
    """Fixed and accepted findings of one project, newest first; empty for all projects."""

    @property
    def is_empty(self) -> bool:
        """Whether there are no changes."""
        alerts = self.opened_alerts or self.closed_alerts or self.still_open
        return not (self.pages.worse or self.pages.better or self.pages.away or alerts or self.certificates or self.losses)


def get(service: Service, caller: Caller, project: str = "", since: datetime | None = None) -> ChangeOverview:
    """Return the changes since a time, by default a week ago. Raises NotFound, ValidationFailed."""
    require(caller, READ)
    present = now()
    since = present - WEEK if since is None else since
    if not present - LONGEST <= since <= present:
        raise ValidationFailed({"since": [_WRONG_SINCE]})
    start, end = int(since.timestamp()), int(present.timestamp())
    with service.store.read() as session:
        project_id = owned_project(session, caller, project).id if project else None
        whose = ChangeScope(caller.account_id, project_id, caller.only_projects_of)
        alerts = tuple(map(alert_view, session.alerts.select(whose, MAX_ALERTS)))
        return ChangeOverview(
            since=since,
            pages=changed_pages(session, whose, start, end),
            opened_alerts=tuple(one for one in alerts if one.opened_at > since),
            closed_alerts=tuple(one for one in alerts if one.opened_at <= since and one.closed_at is not None and one.closed_at > since),
            still_open=tuple(one for one in alerts if one.opened_at <= since and one.closed_at is None),
            certificates=_certificates(session, whose, present),
            losses=lost_views(session, whose, start),
            work=work_done(session, whose, start, end),
        )


def changed_pages(session: Session, scope: ChangeScope, since: int, until: int) -> ChangedPages:
    """Return the pages and sites that changed from ``since`` until ``until``."""
    worse, better = session.setbacks.regressions(scope, since, MOST + 1), session.setbacks.fixes(scope, since, MOST + 1)
    rows = {row.id: row for row in (*worse[:MOST], *better[:MOST])}.values()
    found = [(row, changes_of(row.changes_json).between(since, until)) for row in rows]
    views = [(_changed_view(row, one), one) for row, one in found if one.is_worse or one.is_better]
    by_drop = sorted((view for view, one in views if one.is_worse), key=lambda view: (view.score - view.score_before, -view.at.timestamp()))
    newest = sorted((view for view, one in views if one.is_better), key=lambda view: -view.at.timestamp())
    away = tuple(AwayView(row.project, row.url, _path(row), *map(moment, one.away)) for row, one in found if one.away is not None)
    return ChangedPages(tuple(by_drop), tuple(newest), len(worse) > MOST or len(better) > MOST, away)


def work_done(session: Session, scope: ChangeScope, since: int, until: int) -> tuple[WorkDone, ...]:
    """Return the findings of a project that were fixed or accepted, newest first; nothing for all projects together."""
    if scope.project_id is None:
        return ()
    fixes = session.setbacks.fixes(scope, since, MOST)
    found = [one for row in fixes for one in _fixed_findings(session, scope.project_id, row, since, until)]
    for row, url in session.acceptances.since(scope.project_id, since, MOST):
        found.append(
            WorkDone(
                kind="accepted",
                check=row.check_name,
                url=url or row.pattern,
                pages_count=1,
                first_seen=None,
                at=moment(row.created_at),
                path="",
                by=row.accepted_by,
                reason=row.reason,
                until=row.until,
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.at.timestamp(), one.check, one.url)))


def _fixed_findings(session: Session, project_id: int, row: SetbackRow, since: int, until: int) -> Iterator[WorkDone]:
    path_at = cache(partial(_result_path, session, project_id, row))
    changes = changes_of(row.changes_json)
    for key in changes.between(since, until).findings.fixed:
        check, known = key.partition(":")[0], changes.findings[key]
        gone = max((at for at in known.changes_to(failed=False) if at <= until), default=0)
        if check not in check_ranks() or not gone:
            continue
        seen = max((at for at in known.changes_to(failed=True) if at < gone), default=None)
        yield WorkDone(
            kind="fixed",
            check=check,
            url=row.url,
            pages_count=known.sentence.pages_count if known.sentence else 1,
            first_seen=None if seen is None else moment(seen),
            at=moment(gone),
            path=path_at(gone),
            by="",
            reason="",
            until="",
        )


def _result_path(session: Session, project_id: int, row: SetbackRow, at: int) -> str:
    """Return the path of the page with the result of a page or site of that time; empty if it is no longer stored."""
    if row.is_site:
        found = session.setbacks.crawl_at(project_id, at)
        return f"/s/{found}" if found else ""
    number = session.setbacks.run_at(row.report, at) if row.report else None
    return f"/r/{row.report}?run={number}" if number else ""


def _path(row: SetbackRow) -> str:
    return f"/s/{row.crawl}" if row.is_site else f"/r/{row.report}"


def _changed_view(row: SetbackRow, change: PeriodChange) -> ChangedView:
    return ChangedView(
        project=row.project,
        url=row.url,
        title=summary_of(row.summary_json).title,
        path=_path(row),
        is_site=bool(row.is_site),
        at=moment(change.at),
        score_before=change.score_before,
        score=change.score,
        fixed=_checks(change.findings.fixed),
        new_count=len(checks_of(change.findings.problems)),
        fixed_count=len(checks_of(change.findings.fixed)),
        open_count=change.still_failed,
        findings=_risen_findings(change),
        scored_pages=row.scored_pages,
        away_since=None if change.away_since is None else moment(change.away_since),
        is_exposed=EXPOSED in change.findings.problems,
    )


def _risen_findings(change: PeriodChange) -> tuple[NewFinding, ...]:
    """Return the findings of known checks that are problems now and were none, the most important first."""
    ranks = check_ranks()
    known = [NewFinding(check, change.sentences.get(key)) for key in change.findings.problems if (check := key.partition(":")[0]) in ranks]
    return tuple(sorted(known, key=lambda one: ranks[one.check]))


def _checks(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the checks of these findings, the most important first."""
    ranks = check_ranks()
    return tuple(sorted(checks_of(keys) & ranks.keys(), key=ranks.__getitem__))


@cache
def check_ranks() -> Mapping[str, int]:
    """Return the place of each check: by the limit of the score that its failure causes, then by importance and id."""
    importances = list(Importance)
    in_order = sorted(
        all_checks().values(), key=lambda check: (limit_of(check, Verdict.FAILED), importances.index(check.importance), check.id)
    )
    return {check.id: place for place, check in enumerate(in_order)}


def _certificates(session: Session, scope: ChangeScope, present: datetime) -> tuple[CertificateShape, ...]:
    found: list[CertificateShape] = []
    for row in session.changes.certificates(scope, MAX_CERTIFICATES):
        ends = msgspec.json.decode(row.facts_json, type=PageFacts).certificate_ends
        if not ends:
            continue
        ends_at = datetime.fromisoformat(ends)
        ends_at = ends_at if ends_at.tzinfo else ends_at.replace(tzinfo=UTC)
        left = (ends_at - present).total_seconds()
        if left <= max(CERTIFICATE_DAYS) * _DAY_S:
            found.append(CertificateShape(project=row.project, ends_at=ends_at, days_left=max(0, int(left // _DAY_S))))
    return tuple(sorted(found, key=lambda one: one.ends_at))


def lost_views(session: Session, scope: ChangeScope, since: int, *, only_newest: bool = False) -> tuple[LostView, ...]:
    """Return the crawls since a time that lost pages; ``only_newest``: of each project only its newest crawl."""
    found: dict[str, LostView | None] = {}
    for row in session.changes.crawls(scope, since):
        counts: dict[str, int] = msgspec.json.decode(row.counts_json).get("lost") or {}
        lost = LostView(row.project, f"/s/{row.public_id}/changes", moment(row.finished_at), counts) if any(counts.values()) else None
        found.setdefault(row.project if only_newest else row.public_id, lost)
    return tuple(filter(None, found.values()))
