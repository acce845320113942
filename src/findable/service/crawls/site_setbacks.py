"""Recent changes of sites, stored when a crawl ends: by the comparison with an earlier crawl, or by the verdict."""

from collections.abc import Iterator

from msgspec import Struct, structs

from findable.clock import now
from findable.crawl.changes import CrawlComparison
from findable.crawl.comparable_crawls import CrawlBasis, have_comparable_scores
from findable.reports.difference import Difference, Judged, difference
from findable.reports.recent_changes import AVAILABLE, EXPOSED, UNAVAILABLE, FailedFinding, Outcome
from findable.reports.reported_finding import FindingText
from findable.reports.search_verdict import (
    DEINDEXED_SCORE,
    SearchVerdict,
    VerdictCode,
    for_intent,
    is_for_search,
    over_time,
)
from findable.reports.site_difference import SiteDifference, judged_site
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_access import basis_of_row
from findable.service.crawls.crawl_reports import decode_report
from findable.service.results.recent_changes import changes_of, outage_span, record_incomparable_result, record_result
from findable.service.values.stored_settings import patterns_of
from findable.service.values.views import moment
from findable.store.crawl_row import CrawlRow
from findable.store.setback_statements import SetbackKey
from findable.store.store_protocol import Session
from findable.vocabulary import Verdict

_EXPOSED = {EXPOSED: Judged(Verdict.FAILED)}


class VerdictAt(Struct, frozen=True):
    """Verdict of a crawl."""

    found: SearchVerdict
    since: int
    """Time of the first crawl in a row with this verdict."""
    at: int
    """End of the crawl."""


def note_crawl(
    session: Session, row: CrawlRow, basis: CrawlBasis, report: SiteReport, comparison: CrawlComparison | None, verdict: VerdictAt
) -> None:
    """Store the changes of the site since the crawl that this one was compared with, as the comparison of the two found them.

    A site that is bad because of its verdict alone is worse, even if no page could be compared. One that is not meant for search is not
    worse if Google can no longer index it, but if Google can: then it has a new problem and no comparable score.
    """
    earlier = None if comparison is None or comparison.earlier is None else session.crawls.by_id(comparison.earlier)
    stored = None if earlier is None else session.crawls.report(earlier.id)
    if report.score is None or (stored is None and verdict.found.code is not VerdictCode.INDEXABLE):
        _note_verdict(session, row, verdict)
        return
    key = SetbackKey(row.account_id, row.project_id, row.url, None, row.id)
    sentences = {
        finding.key: FailedFinding(FindingText(finding.message, finding.params), finding.pages_count)
        for finding in report.findings
        if finding.verdict is Verdict.FAILED
    }
    is_wanted = is_for_search(patterns_of(row.not_for_search_json))
    is_exposed = for_intent(verdict.found, is_for_search=is_wanted).code is VerdictCode.EXPOSED
    found = SiteDifference() if comparison is None else comparison.findings
    after = Outcome(report.score, {**judged_site(report.findings, found.keys.fixed), **AVAILABLE}, sentences, found.moved)
    if earlier is None or stored is None or found.ruleset_before or not is_wanted:
        after = structs.replace(after, score=DEINDEXED_SCORE, judged={**after.judged, **_EXPOSED}) if is_exposed else after
        record_incomparable_result(session, key, after, verdict.at)
        if is_exposed and session.crawls.last_of_site(row, is_scored=False) is not None:
            hidden = Outcome(DEINDEXED_SCORE, AVAILABLE)
            record_result(session, key, hidden, after, difference(hidden.judged, {**AVAILABLE, **_EXPOSED}), verdict.since)
        return
    before = decode_report(stored)
    if before.score is not None and have_comparable_scores(basis_of_row(session, earlier), basis):
        came = (*found.keys.new, *found.keys.returned)
        was = Outcome(before.score, {**judged_site(before.findings, came), **AVAILABLE})
        meanwhile = dict.fromkeys(_only_meanwhile(session, key, earlier.finished_at or 0, report), Judged(Verdict.PASSED))
        record_result(session, key, was, structs.replace(after, judged={**meanwhile, **after.judged}), found.keys, verdict.at)


def _only_meanwhile(session: Session, key: SetbackKey, since: int, report: SiteReport) -> Iterator[str]:
    """Yield the keys of findings that only crawls after ``since`` had, with which the newest one could not be compared."""
    for finding, changes in changes_of(session.setbacks.recent_changes(key)).findings.items():
        if changes.at > since and changes.state_at(since) is Verdict.PASSED and finding.partition(":")[0] not in report.unknown:
            yield finding


def _note_verdict(session: Session, row: CrawlRow, verdict: VerdictAt) -> None:
    """Record that the site is bad because of its verdict, although the last crawl that counted is not, or that it no longer is."""
    found = over_time(verdict.found, moment(verdict.since), moment(verdict.at), now())
    found = for_intent(found, is_for_search=is_for_search(patterns_of(row.not_for_search_json)))
    counted = session.crawls.last_of_site(row, is_scored=True)
    if counted is None or not counted.score:
        return
    key = SetbackKey(row.account_id, row.project_id, counted.url, None, row.id)
    rated, bad = Outcome(counted.score, AVAILABLE), Outcome(DEINDEXED_SCORE, UNAVAILABLE if found.is_away else AVAILABLE)
    if found.is_bad:
        record_result(session, key, rated, bad, difference(rated.judged, bad.judged), verdict.since)
    elif found.code in (VerdictCode.BLOCKED_FOR_US, VerdictCode.NOT_FOR_SEARCH) and session.setbacks.recent_changes(key) is not None:
        record_result(session, key, rated, rated, Difference(), verdict.at)


def note_away_sites(session: Session, limit: int) -> int:
    """Record some sites that could not be reached for `BAD_AFTER`, although nobody tried again; return their number."""
    found = session.crawls.away_since(*outage_span(session), limit)
    for row in found:
        _note_verdict(session, row, VerdictAt(SearchVerdict(VerdictCode.UNREACHABLE), row.verdict_since or 0, row.finished_at or 0))
    return len(found)
