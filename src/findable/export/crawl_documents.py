"""JSON documents of a crawl, with the same members in the API, the command line and shared files."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from findable.capture.crawl import Requested
from findable.capture.site_hits import HitUrl
from findable.checks.causes import CauseKind
from findable.crawl.changes import ChangeKind, CrawlComparison
from findable.crawl.page_columns import PageRow
from findable.crawl.redirect_map import RedirectMapRow
from findable.crawl.state import CrawlState
from findable.crawl.visits import CrawlCounts
from findable.export.fix_bundle import shell_word
from findable.export.report_json import FindingJson, FixJson, fixes_json
from findable.reports.difference import NotComparable
from findable.reports.plain import PlainFinding, plain_finding
from findable.reports.projection import ScorePart
from findable.reports.reported_finding import AGAINST, AcceptanceTerms, in_language
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_report import SiteFinding, SiteReport
from findable.reports.site_scoring import SiteCap
from findable.reports.site_structure import SiteStructure
from findable.values import shape_of
from findable.vocabulary import Verdict
from findable.wording import ENGLISH, Translator


class CauseJson(Struct, frozen=True):
    """Cause of a finding."""

    kind: CauseKind
    name: str
    selector: str


class ExampleJson(Struct, frozen=True):
    """Example of a finding: the URL and the position or text where it is visible."""

    url: str
    line: int | None
    text: str
    """Snippet as sent; if there is none, the fault at that place."""


class SiteGroupJson(Struct, frozen=True, kw_only=True):
    """Group of pages with one fault: a cause, which can be accepted alone."""

    key: str
    """Key that stays the same between crawls, for acceptances, lists of pages and comparisons."""
    verdict: Verdict
    summary: str
    cause: CauseJson
    pages_count: int
    share: float
    gain: int | None
    """Points that the score gains by this fix, after the fixes listed before it; null without a score."""
    accepted: AcceptanceTerms | UnsetType | None = UNSET
    """Terms under which the owner accepted it, for the owner only; null for a group that counts."""


class SiteFindingJson(SiteGroupJson, frozen=True, kw_only=True):
    """Fault of a crawled site, with its groups and examples.

    With several groups, the numbers are those of all groups that are not accepted, `key` and `cause` those of the most harmful one.
    """

    id: str
    importance: str
    examples: tuple[ExampleJson, ...]
    worth: float
    """Points of the score that the finding costs by itself."""
    plain: PlainFinding | UnsetType = UNSET
    """Fault in plain words; omitted in lists of changes."""
    how_to_fix: str
    docs: str
    fix: tuple[FixJson, ...] | UnsetType = UNSET
    """Code for a finding of a single page, to paste together; omitted without code."""
    verify: str | UnsetType = UNSET
    """Call or command that checks the site again."""
    groups: tuple[SiteGroupJson, ...] = ()
    """Causes of the fault, the most harmful first; a single one in lists of changes."""


class PageOfCrawlJson(PageRow, frozen=True):
    """Page of a crawl with its failed and warned findings."""

    findings: tuple[FindingJson, ...] = ()
    requested_as: tuple[HitUrl, ...] = ()
    """Other URLs with requests of search bots that are the same page."""
    inlink_places: Mapping[str, int] = {}
    """Pages that link here by landmark of the link (nav, header, main, aside, footer), empty for none; only after the crawl."""
    outlink_places: Mapping[str, int] = {}
    """Links on the page by landmark."""


class RatedSite(Struct, frozen=True, kw_only=True):
    """Score of a crawled site with its parts."""

    url: str
    result: str | None
    score: int | None
    pages_score: float | None
    site_score: float | None
    score_parts: tuple[ScorePart, ...]
    """Points that each finding costs, from 100 to the score; empty without a score."""
    cap: SiteCap | None
    """Limit of the score; null if the score would not be higher without it."""
    provisional: bool


class CrawlJson(RatedSite, frozen=True, kw_only=True):
    """Crawl with its rating, counts and settings, as the API returns it."""

    object: str
    status: str
    ended_by: str | None
    counts: Mapping[str, Any]
    findings: Mapping[str, int]
    started_at: str
    finished_at: str
    settings: Mapping[str, Any]


class PageChangeJson(Struct, frozen=True):
    """Change of a page between two crawls."""

    kind: ChangeKind
    url: str
    before: str
    after: str


class ChangesJson(Struct, frozen=True):
    """Changes since an earlier crawl."""

    since: str | None
    """Time at which the earlier crawl ended; null without an earlier crawl to compare with."""
    crawl: int | None
    """Id of the earlier crawl in a service."""
    not_comparable: NotComparable | None
    """Reason why the two crawls cannot be compared; the lists of changes are then empty."""
    counts: Mapping[str, int]
    """Number of pages by kind of change."""
    not_compared: Mapping[str, int]
    """Number of pages that were not compared, by reason: not requested in one of the crawls, or without a usable response."""
    pages: tuple[PageChangeJson, ...]
    """Changes by kind, those of pages with the highest link score first: in the API, one page of the list; elsewhere the first 200 of each
    kind.
    """
    findings: Mapping[str, tuple[SiteFindingJson, ...]]
    """Findings by state: new, fixed, returned (fixed earlier and present again), worse, better, or not_judged in one of the crawls."""
    still_count: int
    """Number of findings that both crawls have."""
    ruleset_before: str | None
    """Ruleset of the earlier crawl if it differs: then no finding is compared."""
    comparable: bool
    """Whether the findings of the two crawls can be compared."""
    reason: NotComparable | None
    """Reason why not."""


class CrawlDocument(Struct, frozen=True):
    """Crawl with its findings, pages, changes and redirects, as `findable crawl --format json` prints it."""

    crawl: CrawlJson
    findings: tuple[SiteFindingJson, ...]
    pages: tuple[PageRow, ...]
    notes: tuple[SiteFindingJson, ...] = ()
    """Notes, which are not faults."""
    changes: ChangesJson | UnsetType = UNSET
    """Changes since a baseline, if there is one."""
    redirects: tuple[RedirectMapRow, ...] | UnsetType = UNSET
    """Rows of a redirect map, if there is one."""


def crawl_document(
    report: SiteReport,
    state: CrawlState,
    counts: CrawlCounts,
    pages: Iterable[PageRow],
    comparison: CrawlComparison | None = None,
    redirects: tuple[RedirectMapRow, ...] = (),
) -> CrawlDocument:
    """Return the JSON document of a crawl with all its pages."""
    refused = {group.name: group.pages_count for group in report.summary.left_out}
    numbers = {**counts.numbers, "refused": refused, **resource_counts(report)}
    crawl = shape_of(
        CrawlJson,
        report,
        object="crawl",
        url=state.typed_url,
        status="done",
        ended_by=state.ended_by.value if state.ended_by else None,
        counts=numbers,
        findings=report.counts,
        started_at=state.started_at,
        finished_at=state.ended_at,
        settings=msgspec.to_builtins(state.settings),
    )
    return CrawlDocument(
        crawl,
        tuple(
            site_fault_json(fault, verify=f"findable crawl {shell_word(report.summary.start_url)}", cms=report.summary.cms)
            for fault in faults_of(report.open)
        ),
        tuple(pages),
        tuple(site_fault_json(fault) for fault in faults_of(report.notes)),
        UNSET if comparison is None else changes_json(comparison),
        redirects or UNSET,
    )


class SiteDocument(RatedSite, frozen=True, kw_only=True):
    """Report of a crawled site without its pages, for the shared JSON file."""

    captured_at: str
    ended_by: str
    pages: int
    indexable: int
    counts: Mapping[str, int]
    """Findings by verdict, without accepted ones."""
    findings: tuple[SiteFindingJson, ...]
    accepted: tuple[SiteFindingJson, ...]
    notes: tuple[SiteFindingJson, ...]
    """Notes, which are not faults."""
    structure: SiteStructure


def site_document(report: SiteReport, docs_url: str, say: Translator) -> SiteDocument:
    """Return the JSON document of a site report."""

    def as_json(items: Iterable[SiteFinding]) -> tuple[SiteFindingJson, ...]:
        return tuple(site_fault_json(fault, docs_url, say, cms=report.summary.cms) for fault in faults_of(items))

    summary = report.summary
    return shape_of(
        SiteDocument,
        report,
        url=summary.start_url,
        captured_at=summary.captured_at,
        ended_by=summary.ended_by.value,
        pages=summary.pages_count,
        indexable=summary.indexable_count,
        findings=as_json(report.open),
        accepted=as_json(item for item in report.findings if item.accepted),
        notes=as_json(report.notes),
    )


def resource_counts(report: SiteReport) -> dict[str, Requested | None]:
    """Return the numbers of found and checked resources and external links, by their names in the counts of a crawl."""
    return {"resources": report.summary.resources, "external": report.summary.external}


def changes_json(comparison: CrawlComparison, docs_url: str = "") -> ChangesJson:
    """Return the JSON of a comparison with an earlier crawl."""
    found = comparison.findings
    lists = found.lists(lambda item: site_fault_json(SiteFault((item,)), docs_url))
    return shape_of(
        ChangesJson,
        comparison,
        since=comparison.since or None,
        crawl=comparison.earlier,
        pages=tuple(shape_of(PageChangeJson, item) for item in comparison.pages),
        findings={name: items for name, items in lists.items() if name != "still"},
        still_count=found.still_count,
        ruleset_before=found.ruleset_before or None,
        comparable=(reason := comparison.not_comparable or found.reason) is None,
        reason=reason,
    )


def site_fault_json(
    fault: SiteFault, docs_url: str = "", say: Translator = ENGLISH, verify: str = "", *, for_owner: bool = False, cms: str | None = None
) -> SiteFindingJson:
    """Return the JSON of a fault of a site, with its texts in the language of ``say``.

    ``verify``: call or command that checks the site again; ``for_owner``: whether acceptances are included; ``cms``: content management
    system of the site, empty if its clicks are not known, for the fault in plain words.
    """
    item, shown = fault.first, fault.as_reported
    return shape_of(
        SiteFindingJson,
        fault,
        key=item.key,
        importance=fault.check.importance.value,
        summary=fault.headline(say),
        cause=_cause_json(item, say),
        examples=tuple(ExampleJson(one.url, one.line, one.text or one.note) for one in (in_language(one, say) for one in fault.evidence)),
        plain=(None if cms is None or item.verdict not in AGAINST else plain_finding(fault.check, cms, say, shown.evidence_count)) or UNSET,
        how_to_fix=shown.how_to_fix(say),
        docs=shown.docs(docs_url),
        fix=fixes_json(shown.fixes) or UNSET,
        verify=verify or UNSET,
        accepted=item.accepted if for_owner else UNSET,
        groups=tuple(
            shape_of(
                SiteGroupJson, one, summary=one.summary(say), cause=_cause_json(one, say), accepted=one.accepted if for_owner else UNSET
            )
            for one in fault.groups
        ),
    )


def _cause_json(item: SiteFinding, say: Translator) -> CauseJson:
    return CauseJson(item.cause.kind, item.cause_name(say), item.cause.selector)
