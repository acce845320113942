"""Report of a crawled site: findings by cause, the most harmful first, and the score."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field, structs

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.capture.site_graph import CrawledTemplates, Template
from findable.capture.status_classes import is_error, is_server_error
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Check, Evidence, Result, all_checks, url_evidence
from findable.checks.page_fix import Fix
from findable.reports.google_listing import errors_sentence
from findable.reports.messages import render
from findable.reports.reported_finding import AGAINST, AcceptanceTerms, ReportedFinding
from findable.reports.scoring import HALVES, rating_of
from findable.reports.search_verdict import DEINDEXED_SCORE, SearchVerdict, crawl_alone, is_deindexed
from findable.reports.site_gains import (
    PAGES_SHARE,
    CauseFix,
    ScoredPages,
    SiteGains,
    SiteScoring,
    is_in_force,
    packed_scoring,
    site_score,
    unpacked_scoring,
)
from findable.reports.site_scoring import LOST_SHARES, SiteCap, SiteFacts, SitePart, is_lost_share, lost_pages, site_caps, weights_of
from findable.reports.site_structure import SiteStructure
from findable.reports.titles import readable_url
from findable.urls import origin_part
from findable.vocabulary import Category, Importance, Rating, Verdict
from findable.wording import ENGLISH, Translator, later

ALL_PAGES_FROM = 0.9
"""Share of the checked pages from which the cause is the site, not its templates."""
ALL_PAGES_SHARE = 0.5
"""Share of the indexable pages from which a message says "all pages", if all checked pages have the same result (set by Findable)."""
TEMPLATE_SHARE = 0.5
"""Share of the pages of a template from which the template is the cause (set by Findable)."""
MANY_PAGES = 10
"""Number of pages of a template from which the template is the cause, regardless of their share (set by Findable)."""
EXAMPLES = 10
MAX_SCORE = 100
SITE_TWINS = {
    "canonical-target": ("site-canonical-target",),
    "click-depth": ("site-depth",),
    "content-duplicate": ("site-text-duplicate", "site-text-near"),
    "description-unique": ("site-description-duplicate",),
    "hreflang-return": ("site-hreflang-return",),
    "hreflang-targets": ("site-hreflang-target",),
    "language-match": ("site-language-mix",),
    "links-localhost": ("site-staging-links",),
    "orphan-page": ("site-orphans",),
    "robots-txt-assets": ("site-robots-resources",),
    "sitemap-lists-page": ("site-sitemap-missing",),
    "soft-404": ("site-soft-404",),
    "title-unique": ("site-title-duplicate",),
}
"""Page checks whose question a site check covers for all pages: shown on the page, counted in the site."""
SITE_CAUSES = {"content-length": "site-thin", "links-crawlable": "site-fragment-routes"}
"""Page checks whose findings adopt the cause of a site check, if there is one."""
LOSING_CHECKS = frozenset({"site-server-errors", "site-sitemap-blocked", "site-sitemap-noindex", "site-sitemap-status"})
"""Checks whose findings keep pages out of search results that should be found: they are linked or in a sitemap."""
START_CHECK = "site-start-page"
"""Check whose failure means that the start page cannot be listed."""
ALL_PAGES = later("all pages")
ALL_CONCERNED = later("all pages that it concerns")
OTHER_PAGES = later("pages of different templates")
OF_TEMPLATE = later("template {pattern}")
ONE_PAGE = later("one page")
THE_SITE = later("the site")
SITE = "site"
"""Key of the cause "whole site"."""


class FindingGroup(Struct, frozen=True):
    """One finding on the pages of one template."""

    check: str
    template: int
    finding: ReportedFinding
    """Finding of the first of these pages."""
    pages_count: int
    urls: tuple[str, ...]
    """URLs of the pages with the highest link score."""
    is_uniform: bool = True
    """Whether the finding is the same on all of these pages."""
    failed_count: int | None = None
    """Pages that failed the check; None for all or none, depending on the verdict."""
    joined: tuple[int, ...] = ()
    """Templates of the joined groups."""

    @property
    def common_finding(self) -> ReportedFinding:
        """Return the finding without values that differ between the pages."""
        check = self.finding.check
        if self.is_uniform or check is None:
            return self.finding
        is_warned = self.finding.verdict is Verdict.WARNED and not self.failed_count
        summary = (is_warned and check.warned_summary) or check.documentation.summary
        return structs.replace(self.finding, message=summary, params={})


class PageFindings(Struct, frozen=True):
    """Findings of all pages of a crawl."""

    groups: tuple[FindingGroup, ...] = ()
    asked: Mapping[str, int] = field(default_factory=dict)
    """Number of pages with a result, by check."""
    score: float | None = None
    """Mean score of the indexable pages, weighted by link score."""
    scored: Mapping[ScoredPages, float] = field(default_factory=dict)
    """Weight of pages with identical results in the mean score."""
    start_is_indexable: bool = True


class SiteFinding(Struct, frozen=True):
    """One cause of one check, with its pages."""

    id: str
    """Id of the check of the finding."""
    key: str
    """Key that stays the same between crawls."""
    verdict: Verdict
    message: str
    cause: Cause
    pages_count: int
    share: float
    """Share of the pages of the crawl."""
    params: Mapping[str, Any] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    failed_count: int | None = None
    """Number of pages that failed the check, if others only warned; else None."""
    advice: str = ""
    """Template of the instruction for this finding; empty if the text of the documentation applies."""
    fixes: tuple[Fix, ...] = ()
    """Code for the page, if the cause is a single page."""
    templates: tuple[int, ...] = ()
    """Templates of the pages with the finding, 0 for pages without template; empty for findings of site checks."""
    worth: float = 0.0
    """Points of the score that it costs by itself, before the caps of the site; one decimal."""
    gain: int | None = None
    """Points that the score gains by this fix after those listed before it; None without a score."""
    limits: bool = False
    """Whether the finding must be fixed to lift a cap of the score."""
    accepted: AcceptanceTerms | None = None
    """Terms under which the owner accepted it; set when the report is loaded."""

    @property
    def lost_count(self) -> int:
        """Number of pages that a sitemap lists and that this cause keeps out of search results."""
        return lost_pages(self.id, self.cause.key, self.pages_count)

    @property
    def check(self) -> Check:
        """Check of the finding."""
        return all_checks()[self.id]

    def how_to_fix(self, say: Translator = ENGLISH) -> str:
        """Instructions for the fix of this finding, with code if it concerns a single page."""
        return self.as_reported.how_to_fix(say)

    def summary(self, say: Translator = ENGLISH) -> str:
        """Return the finding in one sentence."""
        return render(self.message, self.params, say)

    def cause_name(self, say: Translator = ENGLISH) -> str:
        """Return the cause in words, such as a template or a folder."""
        return render(self.cause.name, self.cause.params, say)

    def where(self, say: Translator = ENGLISH) -> str:
        """Return the number of pages and the cause; only the cause if it is a single page or the site."""
        cause = self.cause_name(say)
        is_template = self.cause.name == OF_TEMPLATE
        if self.cause.kind in (CauseKind.PAGE, CauseKind.HOST) and (self.pages_count == 1 or self.cause.key == SITE):
            return cause
        pages = say.plural("%(count)s page", "%(count)s pages", self.pages_count)
        if self.failed_count is not None:
            pages += f" ({say.plural('%(count)s failed', '%(count)s failed', self.failed_count)})"
        if is_template:
            return say("%(pages)s like %(pattern)s", pages=pages, pattern=self.cause.params["pattern"])
        return pages if self.cause.kind is CauseKind.PAGE and self.params.get("target") == self.cause.key else f"{pages}, {cause}"

    @property
    def has_page_count(self) -> bool:
        """Whether the sentence contains the number of pages."""
        return any(f"{{{name}|" in self.message and self.params.get(name) == self.pages_count for name in ("found_count", "group_count"))

    def place(self, say: Translator = ENGLISH) -> str:
        """Return the number of pages and the cause, or the URL of a single page, unless the sentence says them."""
        if self.cause.kind is CauseKind.PAGE and self.pages_count == 1 and self.cause.name == ONE_PAGE:
            return readable_url(self.cause.key)
        if not self.has_page_count:
            return self.where(say)
        says_cause = any(f"{{{name}}}" in self.message and self.params.get(name) == self.cause.key for name in ("target", "text"))
        if not says_cause and self.cause.name == OF_TEMPLATE:
            return say("pages like %(pattern)s", pattern=self.cause.params["pattern"])
        return "" if says_cause else self.cause_name(say)

    @property
    def _places_count(self) -> int:
        """Number of places; all pages, if the stored examples are the first ones of them."""
        shown = len(self.evidence)
        is_of_pages = shown >= EVIDENCE_SHOWN and len({item.url for item in self.evidence}) == shown
        return max(shown, self.pages_count) if is_of_pages else shown

    @property
    def as_reported(self) -> ReportedFinding:
        """Finding in the form of a page report."""
        return ReportedFinding(
            id=self.id,
            verdict=self.verdict,
            message=self.message,
            params=self.params,
            evidence=self.evidence,
            evidence_count=self._places_count,
            advice=self.advice,
            fixes=self.fixes,
            accepted=self.accepted,
        )


class SiteReport(Struct, frozen=True):
    """Report of a crawled site."""

    summary: CrawlSummary
    findings: tuple[SiteFinding, ...]
    """Findings, the most harmful first: findings of the lowest cap, then by cost, in which pages that cannot be found count with all their
    points; effort breaks ties."""
    score: int | None
    pages_score: float | None
    site_score: float | None
    result: Rating | None
    provisional: bool
    counts: Mapping[str, int]
    """Number of findings by verdict."""
    asked: tuple[str, ...] = ()
    """Ids of the checks that ran for the site."""
    unknown: tuple[str, ...] = ()
    """Ids of checks whose result is unknown."""
    cap: SiteCap | None = None
    """Lowest cap of the score, with the checks of all caps that lower it; None if the score is not capped."""
    uncapped: int | None = None
    """Score without the cap."""
    notes: tuple[SiteFinding, ...] = ()
    """Findings of checks of category ``site`` that are not faults, those on most pages first."""
    structure: SiteStructure = SiteStructure()
    scoring: bytes = b""
    """Packed `SiteScoring`; empty without a score, and in reports of earlier versions."""

    @property
    def open(self) -> tuple[SiteFinding, ...]:
        """Findings that are not accepted."""
        return tuple(item for item in self.findings if item.accepted is None)

    @property
    def verdict(self) -> SearchVerdict:
        """Verdict of the crawl about the site in search, without regard to other crawls."""
        return crawl_alone(self.summary)

    @property
    def limiting(self) -> tuple[SiteFinding, ...]:
        """First open findings, up to the last one that must be fixed to lift the cap of the score; empty without a cap that fixes lift."""
        return self.open[: max((number for number, item in enumerate(self.open, 1) if self.is_limiting(item)), default=0)]

    def is_limiting(self, item: SiteFinding) -> bool:
        """Return whether a finding must be fixed to lift the cap of the score."""
        if self.cap is None or item.accepted is not None:
            return False
        return item.limits or (item.id in self.cap.checks and not any(one.limits for one in self.findings))

    def limited_to(self, say: Translator = ENGLISH) -> str:
        """Return the cap of the score with its reason; empty without a cap."""
        if self.cap is None:
            return ""
        score, lost_count = self.cap.at_most, sum(item.lost_count for item in self.open)
        share = LOST_SHARES.get(self.cap.reason)
        if share is None or not lost_count:
            return say("Limited to %(score)s: %(reason)s", score=score, reason=say.text(self.cap.reason))
        indexable_count = self.summary.indexable_count
        return say(
            "Limited to %(score)s: the sitemap lists %(count)s pages that cannot be indexed, %(share)s %% of these and the %(indexable)s "
            "indexable pages (limit from %(limit)s %%)",
            score=score,
            limit=round(100 * share),
            count=say.number(lost_count),
            indexable=say.number(indexable_count),
            share=math.floor(100 * lost_count / (lost_count + indexable_count)),
        )

    def listing_sentence(self, say: Translator = ENGLISH) -> str:
        """Return a sentence with the number of pages that search engines can list, and of URLs with errors; empty without pages."""
        errors = sum(count for status, count in self.summary.by_status if is_error(status))
        return " ".join(filter(None, (self._listing_of_pages(say), errors_sentence(errors, say)))) if self.summary.pages_count else ""

    def _listing_of_pages(self, say: Translator) -> str:
        pages, indexable = self.summary.pages_count, self.summary.indexable_count
        if not indexable:
            return say("Google cannot index any page of this site.")
        if indexable == pages:
            return say.plural("Google can index the only page of this site.", "Google can index all %(count)s pages of this site.", pages)
        numbers = {"indexable": say.number(indexable), "pages": say.number(pages)}
        if any(item.id == START_CHECK and item.verdict is Verdict.FAILED for item in self.findings):
            return say("Google can index %(indexable)s of %(pages)s pages, but not the start page.", **numbers)
        return say("Google can index %(indexable)s of %(pages)s pages.", **numbers)

    def with_accepted(self, terms: Mapping[str, AcceptanceTerms]) -> "SiteReport":
        """Return the report with accepted findings, which are excluded from its numbers and its score. ``terms`` are given by key."""
        found = tuple(structs.replace(item, accepted=terms.get(item.key)) for item in self.findings)
        marked = structs.replace(self, findings=found, counts=_counts(item for item in found if item.accepted is None))
        return _with_new_score(marked) if self.scoring and len(marked.open) < len(found) else marked


def _with_new_score(report: SiteReport) -> SiteReport:
    """Return a report with a recomputed score that excludes accepted findings."""
    scoring = unpacked_scoring(report.scoring)
    accepted = [item for item in report.findings if item.accepted is not None]
    part = SitePart(scoring.answers)
    gone, left = {item.id for item in accepted}, Counter(item.id for item in report.open)
    lost_count, indexable_count = sum(item.lost_count for item in report.open), report.summary.indexable_count
    caps = [cap for cap in scoring.caps if gone.isdisjoint(cap.checks) or is_in_force(cap, left, lost_count, indexable_count)]
    gains = SiteGains(dict(scoring.pages), part, caps)
    for item in accepted:
        gains.accept(_fix_of(item))
    pages_score, own = gains.pages_score, part.score
    rating = _capped_score(site_score(pages_score, own), caps)
    ordered = _in_order(report.open, gains, rating.caps, indexable_count, is_rated=True)
    return structs.replace(
        report,
        findings=(*ordered, *(structs.replace(item, gain=None) for item in accepted)),
        pages_score=round(pages_score, 1),
        site_score=None if own is None else round(own, 1),
        score=rating.score,
        result=rating_of(rating.score),
        cap=rating.cap,
        uncapped=rating.uncapped,
    )


def _counts(findings: Iterable[SiteFinding]) -> Mapping[str, int]:
    counted = Counter(item.verdict for item in findings)
    return {verdict.value: counted[verdict] for verdict in AGAINST}


def site_report(
    summary: CrawlSummary,
    templates: CrawledTemplates,
    pages: PageFindings,
    results: Sequence[Result],
    facts: SiteFacts | None = None,
    structure: SiteStructure | None = None,
) -> SiteReport:
    """Return the report of a site.

    Args:
        summary: summary of the crawled site.
        templates: templates of the site.
        pages: findings of the pages.
        results: findings of site checks.
        facts: facts that the caps of the score depend on.
        structure: counted parts of the site.
    """
    by_number = {template.number: template for template in templates.items}
    unknown = {result.check.id for result in results if result.finding.verdict is Verdict.UNKNOWN}
    against = {result.check.id for result in results if result.finding.verdict in AGAINST}
    groups = tuple(group for group in pages.groups if group.check not in SITE_TWINS or not unknown.isdisjoint(SITE_TWINS[group.check]))
    groups = tuple(group for group in groups if SITE_CAUSES.get(group.check) not in against)
    found = [*_findings_of_pages(structs.replace(pages, groups=groups), by_number, summary), *_findings_of_site_checks(results, summary)]
    answers = weights_of(results, summary.indexable_count)
    part = SitePart(answers)
    own = part.score
    facts = structs.replace(facts or SiteFacts(), start_is_indexable=pages.start_is_indexable)
    is_unread = summary.ended_by is CrawlEnd.NEEDS_BROWSER  # a rating would describe pages without their content
    caps = tuple(site_caps(facts, summary))
    rating = None if is_unread or pages.score is None else _capped_score(site_score(pages.score, own), caps)
    gains = SiteGains(pages.scored, part, caps)
    found = _in_order(found, gains, rating.caps if rating else (), summary.indexable_count, is_rated=rating is not None)
    is_bad = is_deindexed(summary)
    if is_bad:  # no fix of a single finding changes the score
        found = [structs.replace(item, worth=0.0) for item in found]
    return SiteReport(
        summary=summary,
        findings=tuple(found),
        score=DEINDEXED_SCORE if is_bad else rating.score if rating else None,
        pages_score=None if pages.score is None else round(pages.score, 1),
        site_score=None if own is None else round(own, 1),
        cap=rating.cap if rating and not is_bad else None,
        uncapped=rating.uncapped if rating and not is_bad else None,
        result=Rating.BAD if is_bad else rating_of(rating.score) if rating else None,
        provisional=not is_bad and (not summary.is_finished or summary.hides_pages),
        counts=_counts(found),
        asked=tuple(sorted(result.check.id for result in results)),
        unknown=tuple(sorted(unknown)),
        notes=tuple(sorted(_notes(results, summary), key=lambda item: (-item.pages_count, item.id, item.key))),
        structure=structure or SiteStructure(),
        scoring=packed_scoring(SiteScoring(tuple(pages.scored.items()), answers, caps)) if rating and not is_bad else b"",
    )


class _CappedScore(Struct, frozen=True):
    """Score of a site with its caps."""

    uncapped: int
    caps: tuple[SiteCap, ...]
    """Caps that lower the score."""

    @property
    def score(self) -> int:
        return min([self.uncapped, *(cap.at_most for cap in self.caps)])

    @property
    def cap(self) -> SiteCap | None:
        """Lowest cap, with the checks of all caps."""
        lowest = min(self.caps, key=lambda cap: cap.at_most, default=None)
        return lowest and structs.replace(lowest, checks=tuple(check for cap in self.caps for check in cap.checks))


def _capped_score(uncapped: int, caps: Iterable[SiteCap]) -> _CappedScore:
    return _CappedScore(uncapped, tuple(cap for cap in caps if cap.at_most < uncapped))


def _fix_of(item: SiteFinding) -> CauseFix:
    return CauseFix(item.id, item.verdict, item.pages_count, item.templates, item.lost_count)


def _in_order(
    findings: Sequence[SiteFinding], gains: SiteGains, caps: Sequence[SiteCap], indexable_count: int, *, is_rated: bool
) -> list[SiteFinding]:
    """Return the findings in order of harm, with the cost and gain of each."""
    fixes = {item.key: _fix_of(item) for item in findings}
    worths = {key: gains.worth(fix) for key, fix in fixes.items()}
    limits = _limits(findings, caps, indexable_count)

    def place(item: SiteFinding) -> tuple[Any, ...]:
        harm = max(worths[item.key], _missing_points(item, indexable_count))
        importance = list(Importance).index(item.check.importance)
        cap = limits.get(item.key, MAX_SCORE)
        return (cap, -round(harm, 3), importance, -item.share, int(item.check.effort), item.verdict, item.id, item.key)

    listed = sorted(findings, key=place)
    gained = gains.in_order([fixes[item.key] for item in listed]) if is_rated else [None] * len(listed)
    return [
        structs.replace(item, worth=round(worths[item.key], 1), gain=gain, limits=item.key in limits)
        for item, gain in zip(listed, gained, strict=True)
    ]


def _limits(findings: Sequence[SiteFinding], caps: Iterable[SiteCap], indexable_count: int) -> Mapping[str, int]:
    """Return the lowest cap behind the findings that must be fixed to lift the caps, by key. Lost pages count from the largest cause."""
    limits: dict[str, int] = {}
    lost_count = sum(item.lost_count for item in findings)
    lost = sorted((item for item in findings if item.lost_count), key=lambda item: (-item.lost_count, item.key))
    for cap in sorted(caps, key=lambda cap: cap.at_most):
        if cap.reason not in LOST_SHARES:
            limits |= {item.key: cap.at_most for item in findings if item.id in cap.checks and item.key not in limits}
            continue
        while lost and is_lost_share(lost_count, indexable_count, LOST_SHARES[cap.reason]):
            item = lost.pop(0)
            lost_count -= item.lost_count
            limits[item.key] = cap.at_most
    return limits


def _missing_points(item: SiteFinding, indexable_count: int) -> float:
    """Return the points of the score that pages could earn if this finding did not keep them out of search results."""
    count = item.pages_count if item.id in LOSING_CHECKS and not _is_of_missing_pages(item) else 0
    return MAX_SCORE * PAGES_SHARE * count / (count + indexable_count) if count else 0.0


def _is_of_missing_pages(item: SiteFinding) -> bool:
    """Return whether a finding is about URLs that are no pages any more: redirects, and missing pages in the sitemap."""
    return item.id == "site-sitemap-status" and not is_server_error(int(item.cause.key))


def _findings_of_pages(pages: PageFindings, templates: Mapping[int, Template], summary: CrawlSummary) -> Iterator[SiteFinding]:
    """Yield the findings of page checks: one for all pages, or one per template, regardless of differing messages and verdicts."""
    by_check: defaultdict[str, list[FindingGroup]] = defaultdict(list)
    for group in pages.groups:
        by_check[group.check].append(group)
    for check, groups in by_check.items():
        count = sum(group.pages_count for group in groups)
        is_most = count >= ALL_PAGES_SHARE * summary.indexable_count
        if count > 1 and count >= ALL_PAGES_FROM * pages.asked.get(check, 0) and (is_most or count >= MANY_PAGES):
            yield _site_finding(_join(groups), Cause(CauseKind.HOST, "all", ALL_PAGES if is_most else ALL_CONCERNED), summary)
        else:
            for name, of_cause in _by_template(groups, templates).items():
                joined = _sort_by_folder(_join(of_cause), name)
                yield _site_finding(joined, _cause_of(name, joined), summary)


def _by_template(groups: Iterable[FindingGroup], templates: Mapping[int, Template]) -> Mapping[str, list[FindingGroup]]:
    """Return the groups of one check by the name of the template that causes them; by an empty name without such a template."""
    of_template: defaultdict[int, list[FindingGroup]] = defaultdict(list)
    for group in groups:
        of_template[group.template].append(group)
    found: defaultdict[str, list[FindingGroup]] = defaultdict(list)
    others: list[FindingGroup] = []
    for number, own in of_template.items():
        template = templates.get(number) if number else None
        count = sum(group.pages_count for group in own)
        if template is not None and (count >= MANY_PAGES or 1 < count >= TEMPLATE_SHARE * template.indexable_count):
            found[template.name] += own
        else:
            others += own
    names = {templates[group.template].name if group.template in templates and group.template else "" for group in others}
    if others:
        found[names.pop() if len(names) == 1 else ""] += others
    return found


def _join(groups: Sequence[FindingGroup]) -> FindingGroup:
    """Join groups of one check: the worst finding, with the URLs of the groups in turn, beginning with its group."""
    ordered = sorted(groups, key=lambda group: (HALVES.get(group.finding.verdict, 2), -group.pages_count))
    first = ordered[0]
    told = (first.finding.message, first.finding.params)
    pages_count = sum(group.pages_count for group in ordered)
    failed_count = sum(group.pages_count for group in ordered if group.finding.verdict is Verdict.FAILED)
    return structs.replace(
        first,
        pages_count=pages_count,
        failed_count=failed_count if 0 < failed_count < pages_count else None,
        joined=tuple(sorted({group.template for group in ordered})),
        urls=tuple(url for group in ordered for url in group.urls)[:EXAMPLES],
        is_uniform=all(group.is_uniform and (group.finding.message, group.finding.params) == told for group in ordered),
    )


def _sort_by_folder(group: FindingGroup, name: str) -> FindingGroup:
    """Return the group with the URLs in its folder first."""
    folder = name.removesuffix("*")
    return structs.replace(group, urls=tuple(sorted(group.urls, key=lambda url: not url[len(origin_part(url)) :].startswith(folder))))


def _cause_of(name: str, group: FindingGroup) -> Cause:
    if group.pages_count == 1:
        return Cause(CauseKind.PAGE, group.urls[0], ONE_PAGE)
    return Cause(CauseKind.TEMPLATE, name, OF_TEMPLATE, {"pattern": name}) if name else Cause(CauseKind.GROUP, "others", OTHER_PAGES)


def _site_finding(group: FindingGroup, cause: Cause, summary: CrawlSummary) -> SiteFinding:
    finding, count = group.common_finding, group.pages_count
    evidence = tuple(url_evidence(url) for url in group.urls)
    if count == 1:
        on_page = _on_page(finding.evidence, group.urls[0])
        evidence = on_page if any(one.url == group.urls[0] for one in on_page) else (*evidence, *on_page)[:EXAMPLES]
    caused_finding = CausedFinding(cause, finding.verdict, finding.message, count, evidence, finding.params)
    found = _cause_finding(finding.id, caused_finding, summary)
    advice, fixes = finding.advice if group.is_uniform else "", finding.fixes if count == 1 else ()
    return structs.replace(found, failed_count=group.failed_count, advice=advice, fixes=fixes, templates=group.joined)


def _on_page(evidence: Iterable[Evidence], url: str) -> tuple[Evidence, ...]:
    """Return evidence with the URL of the page that contains the elements."""
    return tuple(one if one.url else structs.replace(one, url=url) for one in evidence)[:EXAMPLES]


def _findings_of_site_checks(results: Iterable[Result], summary: CrawlSummary) -> Iterator[SiteFinding]:
    """Yield the findings of site checks, one for each cause."""
    for result in results:
        finding = result.finding
        if finding.verdict not in AGAINST:
            continue
        if finding.causes:
            yield from (_cause_finding(result.check.id, cause, summary) for cause in finding.causes if cause.verdict in AGAINST)
        else:
            cause = Cause(CauseKind.HOST, SITE, THE_SITE)
            evidence = _on_page(finding.evidence, summary.start_url)
            caused_finding = CausedFinding(cause, finding.verdict, finding.message, summary.pages_count, evidence, finding.params)
            yield structs.replace(_cause_finding(result.check.id, caused_finding, summary), key=result.key)


def _notes(results: Iterable[Result], summary: CrawlSummary) -> Iterator[SiteFinding]:
    """Yield the findings of checks of category ``site`` that are not faults."""
    for result in results:
        if result.check.category is Category.SITE:
            yield from (_cause_finding(result.check.id, cause, summary) for cause in result.finding.causes if cause.verdict is Verdict.INFO)


def _cause_finding(check: str, caused_finding: CausedFinding, summary: CrawlSummary) -> SiteFinding:
    return SiteFinding(
        id=check,
        key=caused_finding.key(check),
        verdict=caused_finding.verdict,
        message=caused_finding.message,
        cause=caused_finding.cause,
        pages_count=caused_finding.pages_count,
        share=min(1.0, round(caused_finding.pages_count / max(1, summary.pages_count), 4)),
        params=caused_finding.params,
        evidence=caused_finding.evidence,
        advice=caused_finding.advice,
    )
