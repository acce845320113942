"""Report of a crawled site: findings by cause, the most harmful first, and the score."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field, structs

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.capture.site_graph import CrawledTemplates, Template
from findable.capture.status_classes import is_error
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Check, Evidence, Result, all_checks, find_check, site_twins, url_evidence
from findable.checks.page_fix import Fix
from findable.reports.google_listing import errors_sentence
from findable.reports.messages import render
from findable.reports.projection import Projection, ScorePart, score_parts
from findable.reports.reported_finding import AGAINST, AcceptanceTerms, ReportedFinding
from findable.reports.scoring import MAX_SCORE, TENTHS, WHOLE, Costs, Row, rating_of
from findable.reports.search_verdict import DEINDEXED_SCORE, SearchVerdict, crawl_alone, is_deindexed
from findable.reports.site_areas import SiteArea
from findable.reports.site_scoring import PageFaults, ScoredPages, SiteCap, cap_of, packed_rows, site_row, unpacked_rows
from findable.reports.site_structure import SiteStructure
from findable.reports.titles import readable_url
from findable.urls import origin_part
from findable.values import shape_of
from findable.vocabulary import Category, Importance, Rating, Verdict
from findable.wording import ENGLISH, Translator, later

ALL_PAGES_FROM = 0.9
"""Share of the checked pages from which the cause is the site, not its templates."""
ALL_PAGES_SHARE = 0.5
"""Share of the indexable pages from which few pages have one cause too, if all checked pages have the same result (set by Findable)."""
TEMPLATE_SHARE = 0.5
"""Share of the pages of a template from which the template is the cause (set by Findable)."""
MANY_PAGES = 10
"""Number of pages of a template from which the template is the cause, regardless of their share (set by Findable)."""
EXAMPLES = 10
START_CHECK = "site-start-page"
"""Check whose failure means that the start page cannot be listed."""
ALL_PAGES = later("all pages")
ALL_CONCERNED = later("all pages that it concerns")
OTHER_PAGES = later("pages of different templates")
OF_TEMPLATE = later("template {pattern}")
ONE_PAGE = later("one page")
THE_SITE = later("the site")
_RESOURCES_LEFT = later("Stylesheets, scripts and images: %(known)s of %(found)s checked")
_EXTERNAL_LEFT = later("Links to other sites: %(known)s of %(found)s checked")
_RESPONSES_LEFT = later("Responses of pages: %(known)s of %(found)s stored, the others cannot be rescored")
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
    scored: Mapping[ScoredPages, float] = field(default_factory=dict)
    """Weight of pages with the same faults."""


class SiteFinding(CausedFinding, frozen=True, kw_only=True):
    """One cause of one check, with its pages."""

    id: str
    """Id of the check of the finding."""
    key: str
    """Key that stays the same between crawls."""
    share: float
    """Share of the pages of the crawl."""
    failed_count: int | None = None
    """Number of pages that failed the check, if others only warned; else None."""
    fixes: tuple[Fix, ...] = ()
    """Code for the page, if the cause is a single page."""
    sum_message: str = ""
    """Template of a sentence about all causes of the check together; empty if there is none."""
    sum_params: Mapping[str, Any] = field(default_factory=dict)
    templates: tuple[int, ...] = ()
    """Templates of the pages with the finding, 0 for pages without template; empty for findings of site checks."""
    worth: float = 0.0
    """Points of the score that it costs by itself, one decimal."""
    gain: int | None = None
    """Points that the score gains by this fix after those listed before it; None without a score."""
    accepted: AcceptanceTerms | None = None
    """Terms under which the owner accepted it; set when the report is loaded."""

    @property
    def check(self) -> Check:
        """Check of the finding."""
        return all_checks()[self.id]

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
        is_all = self.cause.name == ALL_PAGES and self.pages_count > 1
        pages = say.plural("%(count)s page", "%(count)s pages", self.pages_count)
        if is_all:
            pages = say("all %(count)s pages", count=say.number(self.pages_count))
        if self.failed_count is not None:
            pages += f" ({say.plural('%(count)s failed', '%(count)s failed', self.failed_count)})"
        if is_all:
            return pages
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
    """Findings, the most harmful first; effort breaks ties."""
    score: int | None
    pages_score: float | None
    site_score: float | None
    result: Rating | None
    provisional: bool
    counts: Mapping[str, int]
    """Number of faults by verdict: the causes of one check are one fault, with the worst of their verdicts."""
    asked: tuple[str, ...] = ()
    """Ids of the checks that ran for the site."""
    unknown: tuple[str, ...] = ()
    """Ids of checks whose result is unknown."""
    cap: SiteCap | None = None
    """Limit of the score with the checks that cause it; None if none lowers the score."""
    notes: tuple[SiteFinding, ...] = ()
    """Findings of checks of category ``site`` that are not faults, those on most pages first."""
    structure: SiteStructure = SiteStructure()
    scoring: bytes = b""
    """Packed rows of the score; empty without a score."""
    known_verdict: SearchVerdict | None = None
    """Verdict of the crawl among the results of its project; set when the report is loaded. None for that of the crawl alone."""

    @property
    def open(self) -> tuple[SiteFinding, ...]:
        """Findings that are not accepted."""
        return tuple(item for item in self.findings if item.accepted is None)

    @property
    def verdict(self) -> SearchVerdict:
        """Verdict of the crawl about the site in search; without regard to other crawls unless `known_verdict` is set."""
        return self.known_verdict or crawl_alone(self.summary)

    @property
    def limiting(self) -> tuple[SiteFinding, ...]:
        """First open findings, up to the last one that must be fixed to lift the cap of the score; empty without a cap that fixes lift."""
        return self.open[: max((number for number, item in enumerate(self.open, 1) if self.is_limiting(item)), default=0)]

    def is_limiting(self, item: SiteFinding) -> bool:
        """Return whether a finding must be fixed to lift the cap of the score."""
        return self.cap is not None and item.accepted is None and item.id in self.cap.checks

    def limited_to(self, say: Translator = ENGLISH) -> str:
        """Return the limit of the score with its reason; empty without a limit."""
        return say("Limited to %(score)s: %(reason)s", score=self.cap.at_most, reason=say.text(self.cap.reason)) if self.cap else ""

    def counts_words(self, say: Translator) -> str:
        """Return the numbers of problems and warnings as a phrase, or that there are none because no page was read."""
        if not self.summary.pages_count and not self.findings:
            return say("No page was read")
        failed, warned = (self.counts.get(verdict.value, 0) for verdict in AGAINST)
        return say(
            "%(problems)s and %(warnings)s",
            problems=say.plural("%(count)s problem", "%(count)s problems", failed),
            warnings=say.plural("%(count)s warning", "%(count)s warnings", warned),
        )

    def cut_off(self, say: Translator = ENGLISH) -> tuple[str, ...]:
        """Return what the crawl left out besides pages, most of it because of a limit (`findable.limits`)."""
        summary, stored = self.summary, self.summary.stored_count
        parts = (
            (_RESOURCES_LEFT, summary.resources.known_count, summary.resources.found_count),
            (_EXTERNAL_LEFT, summary.external.known_count, summary.external.found_count) if summary.external else (_EXTERNAL_LEFT, 0, 0),
            (_RESPONSES_LEFT, stored or 0, 0 if stored is None else summary.pages_count),
        )
        return tuple(say(words, known=say.number(known), found=say.number(found)) for words, known, found in parts if known < found)

    def reading(self, say: Translator = ENGLISH) -> str:
        """Return which requests a rolling crawl is made of, in sentences; empty for other crawls."""
        read = self.summary.readings
        if read is None:
            return ""
        known = say.plural(
            "%(count)s URL is known", "%(count)s URLs are known", read.requested_count + read.carried_count + read.unread_count
        )
        parts = [say.plural("%(count)s requested in this crawl", "%(count)s requested in this crawl", read.requested_count)]
        if read.carried_count:
            oldest = say.day(datetime.fromtimestamp(read.oldest_at, UTC))
            parts.append(
                say("%(count)s carried over from earlier crawls, the oldest of %(day)s", count=say.number(read.carried_count), day=oldest)
            )
        if read.unread_count:
            parts.append(say("%(count)s not requested yet: the next crawl continues", count=say.number(read.unread_count)))
        if read.failed_count:
            parts.append(say("%(count)s not loaded this time, and left as they were", count=say.number(read.failed_count)))
        return f"{known}: {'; '.join(parts)}."

    @property
    def rows(self) -> tuple[Row, ...]:
        """Rows of the score, without accepted findings; none without a score, and for one of an older ruleset."""
        accepted = {item.key for item in self.findings if item.accepted is not None}
        return tuple(row for row in unpacked_rows(self.scoring) if row.key not in accepted)

    @property
    def score_parts(self) -> tuple[ScorePart, ...]:
        """Parts of the difference between 100 and the score, by finding; none without a score."""
        return score_parts((item.id, item.key, item.gain) for item in self.open)

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

    def with_verdict(self, known: SearchVerdict) -> "SiteReport":
        """Return the report with the score and rating of a verdict. If the verdict decides them, no single fix gains points.

        What keeps pages out of search is no fault of a site that is not meant for search.
        """
        score = known.score(self.score)
        report = structs.replace(self, known_verdict=known, score=score, result=known.rating(self.result))
        if known.is_not_for_search:
            meant = tuple(item for item in self.findings if known.is_of_interest(item.check))
            report = structs.replace(report, findings=meant, counts=_counts(meant))
        if score == self.score and not known.is_bad:
            return report
        found = tuple(structs.replace(item, worth=0.0, gain=None) for item in report.findings)
        return structs.replace(report, findings=found, pages_score=None, site_score=None, cap=None, provisional=False, scoring=b"")

    def with_accepted(self, terms: Mapping[str, AcceptanceTerms]) -> "SiteReport":
        """Return the report with accepted findings, which are excluded from its numbers and its score. ``terms`` are given by key."""
        found = tuple(structs.replace(item, accepted=terms.get(item.key)) for item in self.findings)
        marked = structs.replace(self, findings=found, counts=_counts(found))
        has_changed = [item.accepted is None for item in found] != [item.accepted is None for item in self.findings]
        return _with_score(marked, marked.rows) if has_changed and unpacked_rows(self.scoring) else marked

    def with_hits(self, results: Sequence[Result], areas: tuple[SiteArea, ...], terms: Mapping[str, AcceptanceTerms]) -> "SiteReport":
        """Return the report with the findings about requests of bots, which do not change the score, and the areas by requests."""
        more = (structs.replace(item, accepted=terms.get(item.key)) for item in _findings_of_site_checks(results, self.summary))
        found = (*self.findings, *more)
        return structs.replace(
            self,
            findings=found,
            counts=_counts(found),
            asked=tuple(sorted({*self.asked, *(result.check.id for result in results)})),
            notes=(*_notes(results, self.summary), *self.notes),
            structure=structs.replace(self.structure, areas_by_hits=areas),
        )


def _with_score(report: SiteReport, rows: Sequence[Row]) -> SiteReport:
    """Return a report with its score, and with the order and the gains of its findings; ``rows`` are those of open findings."""
    projection = Projection(rows)
    found = {item.key: item for item in report.open}
    order = projection.in_order(lambda key: _place(found[key]))
    gained = dict(projection.gains_in_order(order))
    costs = {row.key: _points_alone(row) for row in rows}
    ordered = (structs.replace(found[key], worth=costs[key], gain=gained[key]) for key in order)
    accepted = (structs.replace(item, gain=None) for item in report.findings if item.accepted is not None)
    score = Costs(rows).score
    own = frozenset(item.key for item in found.values() if not item.templates)
    return structs.replace(
        report,
        findings=(*ordered, *accepted),
        pages_score=float(Costs(row for row in rows if row.key not in own).score),
        site_score=float(Costs(row for row in rows if row.key in own).score),
        score=score,
        result=rating_of(score),
        cap=cap_of(rows),
    )


def _points_alone(row: Row) -> float:
    """Return the points that a finding costs by itself, one decimal."""
    costs = Costs([row])
    score = costs.score
    return float(MAX_SCORE - score) if score == row.limit else round(costs.total / (TENTHS * WHOLE), 1)


def faults_by_verdict(findings: Iterable[SiteFinding]) -> Counter[Verdict]:
    """Return the number of faults by verdict: the findings of one check are one fault, with the worst of their verdicts."""
    worst: dict[str, Verdict] = {}
    for item in findings:
        if worst.get(item.id) is not Verdict.FAILED:
            worst[item.id] = item.verdict
    return Counter(worst.values())


def _counts(findings: Iterable[SiteFinding]) -> Mapping[str, int]:
    """Return the number of faults by verdict, without accepted findings."""
    counted = faults_by_verdict(item for item in findings if item.accepted is None)
    return {verdict.value: counted[verdict] for verdict in AGAINST}


def site_report(
    summary: CrawlSummary,
    templates: CrawledTemplates,
    pages: PageFindings,
    results: Sequence[Result],
    structure: SiteStructure | None = None,
) -> SiteReport:
    """Return the report of a site.

    Args:
        summary: summary of the crawled site.
        templates: templates of the site.
        pages: findings of the pages.
        results: findings of site checks.
        structure: counted parts of the site.
    """
    by_number = {template.number: template for template in templates.items}
    unknown = {result.check.id for result in results if result.finding.verdict is Verdict.UNKNOWN}
    groups = tuple(group for group in pages.groups if not (twins := site_twins(group.check)) or not unknown.isdisjoint(twins))
    groups = tuple(group for group in groups if not _is_covered(group.check, pages.groups, results))
    found = [*_findings_of_pages(structs.replace(pages, groups=groups), by_number, summary), *_findings_of_site_checks(results, summary)]
    is_unread = summary.ended_by is CrawlEnd.NEEDS_BROWSER  # a rating would describe pages without their content
    is_bad = is_deindexed(summary)
    report = SiteReport(
        summary=summary,
        findings=tuple(sorted(found, key=_place)),
        score=DEINDEXED_SCORE if is_bad else None,
        pages_score=None,
        site_score=None,
        result=Rating.BAD if is_bad else None,
        provisional=not is_bad and (not summary.is_finished or summary.hides_pages),
        counts=_counts(found),
        asked=tuple(sorted(result.check.id for result in results)),
        unknown=tuple(sorted(unknown)),
        notes=tuple(sorted(_notes(results, summary), key=lambda item: (-item.pages_count, item.id, item.key))),
        structure=structure or SiteStructure(),
    )
    if is_bad or is_unread or not pages.scored:  # no fix of a single finding changes the score
        return report
    faults = PageFaults(pages.scored)
    rows = [_row(item, faults, summary.indexable_count) for item in found]
    return structs.replace(_with_score(report, rows), scoring=packed_rows(rows))


def _is_covered(check: str, groups: Sequence[FindingGroup], results: Iterable[Result]) -> bool:
    """Return whether a site check finds the cause of a page check on all pages that have it."""
    covered = find_check(check)
    adopted = covered.site_cause if covered else ""
    causes = [cause for result in results if result.check.id == adopted for cause in result.finding.causes]
    found = sum(cause.pages_count for cause in causes if cause.verdict in AGAINST)
    return found > 0 and found >= sum(group.pages_count for group in groups if group.check == check)


def _row(item: SiteFinding, faults: PageFaults, indexable_count: int) -> Row:
    if item.templates:
        return faults.row(item.check, item.verdict, item.templates, item.key)
    count = indexable_count if item.cause.key == SITE or item.id == START_CHECK else item.pages_count
    return site_row(item.check, item.verdict, count, indexable_count, item.key)


def _place(item: SiteFinding) -> tuple[Any, ...]:
    """Return the place of a finding among those of a site whose fixes gain equal points, or that has no score."""
    importance = list(Importance).index(item.check.importance)
    return (item.verdict is not Verdict.FAILED, importance, -item.share, int(item.check.effort), item.id, item.key)


def _findings_of_pages(pages: PageFindings, templates: Mapping[int, Template], summary: CrawlSummary) -> Iterator[SiteFinding]:
    """Yield the findings of page checks: one for all pages, or one per template, regardless of differing messages and verdicts."""
    by_check: defaultdict[str, list[FindingGroup]] = defaultdict(list)
    for group in pages.groups:
        by_check[group.check].append(group)
    for check, groups in by_check.items():
        count = sum(group.pages_count for group in groups)
        is_most = count >= ALL_PAGES_SHARE * summary.indexable_count
        if count > 1 and count >= ALL_PAGES_FROM * pages.asked.get(check, 0) and (is_most or count >= MANY_PAGES):
            is_all = count >= ALL_PAGES_FROM * summary.indexable_count
            yield _site_finding(_join(groups), Cause(CauseKind.HOST, "all", ALL_PAGES if is_all else ALL_CONCERNED), summary)
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
    ordered = sorted(groups, key=lambda group: (group.finding.verdict is not Verdict.FAILED, -group.pages_count))
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
            found = (_cause_finding(result.check.id, cause, summary) for cause in finding.causes if cause.verdict in AGAINST)
            sums = {"sum_message": finding.message, "sum_params": finding.params} if finding.sums_up else {}
            yield from (structs.replace(item, **sums) for item in found)
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
    share = min(1.0, round(caused_finding.pages_count / max(1, summary.pages_count), 4))
    return shape_of(SiteFinding, caused_finding, id=check, key=caused_finding.key_of(check), share=share)
