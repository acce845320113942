"""Conditions of alerts about a site: robots.txt, sitemaps, crawls and watched questions, compared with those before."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import unified_diff
from http import HTTPStatus

from msgspec import Struct, field

from findable.capture.crawl import CrawlEnd
from findable.capture.status_classes import OK, is_server_error
from findable.checks.engine import find_check
from findable.crawl.changes import LOST, CrawlComparison
from findable.formats.robots_txt import RobotsTxt
from findable.monitor.alert_rules import AlertRule, RuleSignal
from findable.monitor.alert_states import Signal
from findable.reports.difference import NotComparable
from findable.reports.recent_changes import checks_of
from findable.reports.search_verdict import SearchVerdict, VerdictCode
from findable.reports.site_report import SiteReport
from findable.vocabulary import Category, Importance, Verdict

MAX_ROBOTS_BYTES = 20_000
"""Bytes of robots.txt to compare as text."""
MAX_DIFF_LINES, MAX_DIFF_CHARS = 20, 1500
SHARE, MIN_PAGES = 0.05, 3
"""Share of the indexable pages, and number of pages, from which lost pages cause an alert."""
COUNT_SHARE = 0.2
"""Relative change of the number of pages or sitemap URLs that causes an alert."""
MAX_KEYS = 2000
MAX_NAMED = 5
"""Maximum number of new findings listed in a message."""


class SiteFacts(Struct, frozen=True, omit_defaults=True):
    """Facts of a site for comparison between two runs. None means unknown."""

    robots_txt: str | None = None
    """First bytes of the file; empty if there is none."""
    sitemap_urls: int | None = None
    """URLs of its sitemaps; 0 if none can be read."""


def site_facts(robots_status: int, robots_body: bytes, sitemap_urls: int | None) -> SiteFacts:
    """Return the facts of a site; ``robots_status`` is 0 if robots.txt had no response."""
    if robots_status == 0 or is_server_error(robots_status) or robots_status == HTTPStatus.TOO_MANY_REQUESTS:
        return SiteFacts(None, sitemap_urls)
    body = robots_body[:MAX_ROBOTS_BYTES] if robots_status == OK else b""
    return SiteFacts(body.decode("utf-8", "replace"), sitemap_urls)


def signals_of_site(before: SiteFacts | None, after: SiteFacts, start_url: str) -> Iterator[RuleSignal]:
    """Yield the signals of the rules for the files of a site."""
    if before is None:
        return
    if before.robots_txt is not None and after.robots_txt is not None:
        diff = _diff(before.robots_txt, after.robots_txt)
        by = (AlertRule.ROBOTS_BLOCKS_START,)
        yield RuleSignal(AlertRule.ROBOTS_CHANGED, Signal.BAD if diff else Signal.GOOD, values={"diff": diff}, explained_by=by)
    if after.robots_txt is not None:
        yield _start_page(before, after.robots_txt, start_url)
    if before.sitemap_urls is not None and after.sitemap_urls is not None:
        yield from _sitemap(before.sitemap_urls, after.sitemap_urls)


def _start_page(before: SiteFacts, robots_txt: str, start_url: str) -> RuleSignal:
    now = RobotsTxt.parse(robots_txt.encode()).decide(("googlebot",), start_url)
    was = RobotsTxt.parse((before.robots_txt or "").encode()).decide(("googlebot",), start_url)
    if now.allowed:
        return RuleSignal(AlertRule.ROBOTS_BLOCKS_START, Signal.GOOD)
    if not was.allowed:  # not allowed before either
        return RuleSignal(AlertRule.ROBOTS_BLOCKS_START, Signal.INCONCLUSIVE)
    return RuleSignal(
        AlertRule.ROBOTS_BLOCKS_START,
        Signal.BAD,
        values={"line": now.line or 0, "rule": now.rule, "diff": _diff(before.robots_txt or "", robots_txt)},
    )


def _sitemap(before: int, now: int) -> Iterator[RuleSignal]:
    if not before:
        return
    yield RuleSignal(AlertRule.SITEMAP_UNREACHABLE, Signal.GOOD if now else Signal.BAD)
    shrank = 0 < now <= before * (1 - COUNT_SHARE)
    yield RuleSignal(AlertRule.SITEMAP_SHRANK, Signal.BAD if shrank else Signal.GOOD, values={"before": before, "after": now})


def _diff(before: str, after: str) -> str:
    """Return the lines that differ, empty if there are none."""
    if before == after:
        return ""
    lines = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))[2:]
    shown = lines[:MAX_DIFF_LINES] + ([f"… {len(lines) - MAX_DIFF_LINES} more lines"] if len(lines) > MAX_DIFF_LINES else [])
    return "\n".join(shown)[:MAX_DIFF_CHARS]


class CrawlFacts(Struct, frozen=True, omit_defaults=True):
    """Facts of a crawl for comparison with the next one."""

    pages: int = 0
    indexable: int = 0
    ended_by: CrawlEnd | None = None
    findings: tuple[str, ...] = ()
    """Keys of the findings of high importance."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Sentences of these findings in English; not stored."""
    base_at: int = 0
    """End of the first crawl since the site is watched."""


def facts_of_crawl(report: SiteReport, ended_by: CrawlEnd | None) -> CrawlFacts:
    """Return the facts for comparison with the next crawl: counts, and at most MAX_KEYS failed findings of high importance."""
    high = [one for one in report.open if one.verdict is Verdict.FAILED and one.check.importance is Importance.HIGH][:MAX_KEYS]
    summary = report.summary
    names = {one.key: one.summary() for one in high}
    return CrawlFacts(summary.pages_count, summary.indexable_count, ended_by, tuple(names), names)


_REACHED = (VerdictCode.INDEXABLE, VerdictCode.DEINDEXED, VerdictCode.EXPOSED, VerdictCode.NEEDS_BROWSER)
"""Verdicts of sites whose pages returned their content."""


def signals_of_verdict(verdict: SearchVerdict) -> Iterator[RuleSignal]:
    """Yield the signals of the rules for the verdict of a site after a crawl, whatever part of it the crawl covers."""
    if verdict.code is VerdictCode.UNREACHABLE:
        yield RuleSignal(AlertRule.SITE_UNREACHABLE, Signal.BAD, values={"reason": verdict.sentence()})
    elif verdict.code in _REACHED or verdict.values.get("pages"):
        yield RuleSignal(AlertRule.SITE_UNREACHABLE, Signal.GOOD)
    if verdict.code in (VerdictCode.DEINDEXED, VerdictCode.INDEXABLE):
        is_bad = verdict.code is VerdictCode.DEINDEXED
        signal = Signal.BAD if is_bad else Signal.GOOD
        yield RuleSignal(AlertRule.SITE_DEINDEXED, signal, values={"reason": verdict.sentence()} if is_bad else {})
    if verdict.code in (VerdictCode.EXPOSED, VerdictCode.NOT_FOR_SEARCH):
        yield RuleSignal(AlertRule.EXPOSED, Signal.BAD if verdict.code is VerdictCode.EXPOSED else Signal.GOOD)


class QuestionCount(Struct, frozen=True):
    """Number of rows of a watched question about a crawl."""

    view_id: int
    """Id of the saved view, which is the cause of the alert."""
    name: str
    most: int
    """Number of rows above which there is an alert."""
    count: int | None
    """None if the question could not be answered."""


def signals_of_questions(counts: Collection[QuestionCount], open_alerts: Iterable[tuple[AlertRule, str]]) -> Iterator[RuleSignal]:
    """Yield the signals of watched questions; ``open_alerts`` are rule and cause of alerts, perhaps about questions no longer watched."""
    for one in counts:
        values: dict[str, str | int] = {"question": one.name, "most": one.most}
        unanswered = Signal.BAD if one.count is None else Signal.GOOD
        yield RuleSignal(AlertRule.QUESTION_UNANSWERED, unanswered, str(one.view_id), values)
        if one.count is not None:
            signal = Signal.BAD if one.count > one.most else Signal.GOOD
            yield RuleSignal(AlertRule.CRAWL_QUESTION, signal, str(one.view_id), {**values, "rows": one.count})
    watched = {str(one.view_id) for one in counts}
    for rule, cause in open_alerts:
        if rule in (AlertRule.CRAWL_QUESTION, AlertRule.QUESTION_UNANSWERED) and cause not in watched:
            yield RuleSignal(rule, Signal.GOOD, cause)


def signals_of_crawl(before: CrawlFacts | None, after: CrawlFacts, comparison: CrawlComparison | None) -> Iterator[RuleSignal]:
    """Yield the signals of the rules for a finished crawl.

    ``before`` is the crawl to compare with, and ``comparison`` the changes since then; None without a comparison.
    """
    is_blocked = after.ended_by is CrawlEnd.BLOCKED
    blocks = (AlertRule.ROBOTS_BLOCKS_START, AlertRule.SITE_DEINDEXED, AlertRule.SITE_UNREACHABLE)
    yield RuleSignal(AlertRule.CRAWL_BLOCKED, Signal.BAD if is_blocked else Signal.GOOD, explained_by=blocks)
    if before is None or is_blocked or comparison is None:
        return
    lost = sum(comparison.counts.get(kind.value, 0) for kind in LOST)
    is_many = lost >= MIN_PAGES and lost >= SHARE * before.indexable
    values: dict[str, str | int] = {"count": lost, "of": before.indexable}
    yield RuleSignal(
        AlertRule.CRAWL_PAGES_LOST, Signal.BAD if is_many else Signal.GOOD, values=values, explained_by=(AlertRule.SITE_DEINDEXED,)
    )
    reason = comparison.findings.reason
    if reason is NotComparable.OTHER_SOURCES:  # a browser finds other links and findings on the same site
        return
    moved = abs(after.pages - before.pages)
    is_other = moved >= MIN_PAGES and moved >= COUNT_SHARE * before.pages
    numbers: dict[str, str | int] = {"before": before.pages, "after": after.pages}
    by = (AlertRule.CRAWL_PAGES_LOST,) if after.pages < before.pages else ()
    yield RuleSignal(AlertRule.CRAWL_PAGE_COUNT, Signal.BAD if is_other else Signal.GOOD, values=numbers, explained_by=by)
    if reason is None:  # another ruleset reports different findings for the same site
        yield _findings(after, frozenset(comparison.findings.problems))


def _findings(after: CrawlFacts, problems: Collection[str]) -> RuleSignal:
    new = [key for key in after.findings if key in problems]
    checks = [find_check(key.partition(":")[0]) for key in new]
    is_of_lost = all(check is not None and (check.category is Category.INDEXABILITY or check.loses_pages) for check in checks)
    named = "; ".join(after.names.get(key, key) for key in new[:MAX_NAMED])
    values: dict[str, str | int] = {"count": len(checks_of(new)), "findings": named}
    by = (AlertRule.CRAWL_PAGES_LOST, AlertRule.SITE_DEINDEXED) if is_of_lost else ()
    return RuleSignal(AlertRule.CRAWL_FINDING, Signal.BAD if new else Signal.GOOD, values=values, explained_by=by)
