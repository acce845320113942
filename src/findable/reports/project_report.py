"""Report of a project on all its pages: each check once, with its cost on all of them, and findings over time.

Only this module converts rows of (page, finding) to one row per check.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import floor

from msgspec import Struct

from findable.checks.engine import all_checks
from findable.reports.fixes import FixGain, score_after_fixes
from findable.reports.gain_words import gain_shown, gained, outlook_words, short_gain
from findable.reports.google_listing import Listing, listing_of_pages
from findable.reports.project_gains import MeanScore, PageGain, is_projected, page_gains
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.scoring import DECENT_FROM, UNFOUND, limit_of, row_of
from findable.reports.search_verdict import SearchVerdict
from findable.reports.site_scoring import ScoredPages
from findable.reports.titles import counts_sentence, readable_url
from findable.values import once
from findable.vocabulary import Importance, Rating, ScoreOf, Verdict
from findable.wording import Translator


class ProjectPage(Struct, frozen=True):
    """Page of a project with its newest result."""

    report: int
    public_id: str
    url: str
    score: int | None
    generated_at: datetime
    new: tuple[str, ...] = ()
    """Checks with a problem or warning that the previous run did not have."""
    fixed: tuple[str, ...] = ()
    """Checks that pass now and did not in the previous run."""
    compare: str = ""
    """Names of the previous run and this one, as `from` and `to` of their comparison; empty if there is none."""
    compared_at: datetime | None = None
    """Time of the previous run; None if there is none."""
    listing: Listing = Listing.UNKNOWN
    """Whether Google can index it."""
    scored: ScoredPages | None = None
    """Problems and warnings with their weights; None without a score, and for a score of an older ruleset."""


class PageFinding(Struct, frozen=True):
    """Problem or warning of a page."""

    page: ProjectPage
    check: str
    verdict: Verdict


class ProjectFinding(Struct, frozen=True):
    """Problem or warning of a project: a check with a problem on some of its pages."""

    check: str
    verdict: Verdict
    """Worst verdict on any page."""
    worst_count: int
    """Number of pages with the worst verdict."""
    pages: tuple[ProjectPage, ...]
    """Affected pages: failed ones first, then by score, worst first."""
    harm: float
    """Sum of its harm on all pages: limits of their scores, and lost points."""
    new_on: int = 0
    """Number of pages on which it is new since their previous run."""
    example: ReportedFinding | None = None
    """Finding of one of the pages; None if it is no longer stored."""
    example_page: ProjectPage | None = None
    """Page of the example; None without an example."""

    @property
    def verdicts(self) -> Iterator[tuple[ProjectPage, Verdict]]:
        """Each page with the verdict on it."""
        for count, page in enumerate(self.pages):
            yield page, self.verdict if count < self.worst_count else Verdict.WARNED

    def split(self, say: Translator) -> str:
        """Return a phrase with the numbers of pages with a problem and with a warning; empty if all pages have the same verdict."""
        warned = len(self.pages) - self.worst_count
        return counts_sentence({Verdict.FAILED: self.worst_count, Verdict.WARNED: warned}, say) if warned else ""


class FixedFinding(Struct, frozen=True):
    """Check that was fixed since the previous run of some pages."""

    check: str
    pages: tuple[ProjectPage, ...]


class TrendPoint(Struct, frozen=True):
    """Findings of all pages at the end of a day, or of a crawl."""

    at: datetime
    failed: int
    warned: int
    pages: int
    score: int | None = None
    ruleset: str = ""
    """Ruleset of the score; empty if it is not known."""


class PlotMarker(Struct, frozen=True):
    """Event in the plots: a deployment, or the first run with another ruleset."""

    at: datetime
    label: str = ""
    """Label typed by a person; empty for a change of ruleset."""
    ruleset: str = ""


class ProjectReport(Struct, frozen=True, dict=True):
    """Report of a project."""

    name: str
    """Host of the project; empty for pages of several projects."""
    pages: tuple[ProjectPage, ...]
    findings: tuple[ProjectFinding, ...]
    """Problems and warnings: those that make a page bad first, then the most costly."""
    title: str = ""
    """Display name of the project; empty for the host."""
    fixed: tuple[FixedFinding, ...] = ()
    trend: tuple[TrendPoint, ...] = ()
    """Score and findings over time, oldest first."""
    markers: tuple[PlotMarker, ...] = ()
    """Events of the same period, oldest first."""
    score: int | None = None
    result: Rating | None = None
    verdict: SearchVerdict | None = None
    """Verdict of the site in search; None if it is not known, or for pages of several projects."""
    score_of: ScoreOf | None = None
    """Source of the score; None without one."""
    scored_pages: int = 0
    """Number of pages included in the score."""
    is_part: bool = False
    """Whether the project has more pages than are counted."""
    start: int | None = None
    """Report of the start page, which limits the mean score of the pages; None for a batch."""
    start_limit: int | None = None
    """Limit of the start page."""

    @property
    def listings(self) -> Mapping[Listing, int]:
        """Number of pages by whether Google can index them."""
        return Counter(page.listing for page in self.pages)

    def listing_sentence(self, say: Translator) -> str:
        """Return a sentence with the number of pages that Google can index; empty without pages."""
        failing = next((one.example for one in self.findings if one.check == "http-status"), None)
        status = failing.params.get("status") if failing and len(self.pages) == 1 else None
        return listing_of_pages(self.listings, say, status)

    @property
    def unlisted_pages(self) -> list[ProjectPage]:
        """Pages that Google cannot index, the worst first."""
        return [page for page in self.worst_pages if page.listing not in (Listing.CAN, Listing.UNKNOWN)]

    @once
    def _mean(self) -> MeanScore:
        """Mean score of the pages."""
        projected = [page.scored for page in self.pages if page.scored is not None and is_projected(page.scored)]
        others = [page.score for page in self.pages if page.score is not None and not (page.scored and is_projected(page.scored))]
        start = next((page.scored for page in self.pages if page.report == self.start), None)
        if start is None or not is_projected(start):
            return MeanScore(projected, others, None, self.start_limit)
        return MeanScore(projected, others, start)

    @property
    def is_limited_by_start(self) -> bool:
        """Whether the start page limits the mean score of the pages."""
        return self.score_of is ScoreOf.PAGES and self._mean.is_limited_by_start

    @property
    def is_away(self) -> bool:
        """Whether the score is 0 because the start page cannot be reached: then no fix of an earlier result gains anything."""
        return self.verdict is not None and self.verdict.is_away and not self.score

    @once
    def first_fixes(self) -> Sequence[ProjectFinding]:
        """Findings in the order of the gains of the score: those that limit it at the start page come first."""
        limiting = self._mean.limiting
        return sorted(self.findings, key=lambda finding: finding.check not in limiting)

    @once
    def gains(self) -> Sequence[FixGain | None]:
        """Points that the mean score of the pages gains by each of `first_fixes` after those before it; None if it is not known."""
        found = self._mean.in_order([finding.check for finding in self.first_fixes])
        return [found.get(finding.check) for finding in self.first_fixes]

    def gain_words(self, finding: ProjectFinding, say: Translator) -> str:
        """Return the gain of a fix as text, as in the report of a page; empty for none."""
        if _limit_of(finding.check) == UNFOUND:
            return say("then the content can be checked")
        gain = self.gains[self.first_fixes.index(finding)]
        return "" if gain is None else short_gain(gain, say)

    @once
    def _gains_on_pages(self) -> Mapping[ScoredPages, Mapping[str, PageGain]]:
        """Gains of the fixes of each page, as in its report."""
        return {page: page_gains(page) for page in {page.scored for page in self.pages if page.scored is not None}}

    def gains_on_pages(self, finding: ProjectFinding, verdict: Verdict) -> Sequence[PageGain]:
        """Return the gains of the fix in the reports of the pages with the verdict; none for pages where it is not known."""
        of_pages = (self._gains_on_pages.get(page.scored, {}) for page, found in finding.verdicts if found is verdict and page.scored)
        return [gains[finding.check] for gains in of_pages if finding.check in gains]

    def gain_on_page(self, finding: ProjectFinding, verdict: Verdict, say: Translator) -> str:
        """Return the mean of the points that the reports of the pages with the verdict give the fix, as text; empty if it is not known."""
        if _limit_of(finding.check) == UNFOUND:
            return say("then the content can be checked")
        gains = self.gains_on_pages(finding, verdict)
        if not any(one.lost for one in gains):
            return ""
        gain, lost = (sum(values) / len(gains) for values in ([one.gain for one in gains], [one.lost for one in gains]))
        words = gained(gain_shown(floor(gain + 0.5), lost), say)
        return say("%(points)s per page", points=words) if len(gains) > 1 else words

    def total_harm(self, finding: ProjectFinding, verdict: Verdict) -> tuple[bool, int, float]:
        """Return a value that sorts findings by harm: whether the pages return no content, the points of all pages, the lost points."""
        gains = self.gains_on_pages(finding, verdict)
        stops = _limit_of(finding.check) == UNFOUND
        return stops, sum(one.gain for one in gains), sum(one.lost for one in gains)

    @once
    def after_first(self) -> tuple[int, int]:
        """Score after the first fixes, and their number; both are 0 if nothing is gained, and for a score that is not that of the pages."""
        if self.score is None or self.score_of is ScoreOf.SITE:
            return 0, 0
        limiting = self._mean.limiting
        of_limit = sum(finding.check in limiting for finding in self.first_fixes)
        return score_after_fixes(self.score, [one.gain if one else 0 for one in self.gains], of_limit)

    def outlook(self, say: Translator) -> tuple[int, str]:
        """Return the score after the first fixes, as a number and as text; 0 and an empty text for none."""
        return outlook_words(self.result, *self.after_first, say)

    @property
    def worst_pages(self) -> list[ProjectPage]:
        """Pages by score, the worst first; those without a score come last, equal ones in the order of `pages`."""
        return sorted(self.pages, key=lambda page: (page.score is None, page.score or 0))

    @property
    def at(self) -> datetime | None:
        """Time of the newest result."""
        return max((page.generated_at for page in self.pages), default=None)

    @property
    def new(self) -> tuple[ProjectFinding, ...]:
        """Return the findings that are new on some page."""
        return tuple(finding for finding in self.findings if finding.new_on)

    def count(self, verdict: Verdict) -> int:
        """Return the number of checks with this worst verdict."""
        return sum(finding.verdict is verdict for finding in self.findings)

    def counts_text(self, say: Translator) -> str:
        """Return a phrase with the numbers of failed checks, of checks that warn, and of pages."""
        failed, warned = (self.count(verdict) for verdict in AGAINST)
        return say(
            "%(failed)s, %(warned)s, in the %(reports)s",
            failed=say.plural("%(count)s check fails", "%(count)s checks fail", failed),
            warned=say.plural("%(count)s warns", "%(count)s warn", warned),
            reports=say.plural("report of %(count)s page", "reports of %(count)s pages", len(self.pages)),
        )

    def where(self, finding: ProjectFinding, say: Translator) -> str:
        """Return a phrase for the number of pages that have the finding."""
        found = say.number(len(finding.pages))
        words = say.plural("%(found)s of %(count)s page", "%(found)s of %(count)s pages", len(self.pages), found=found)
        split = finding.split(say)
        return f"{words} ({split})" if split else words


def short_url(url: str, project: str) -> str:
    """Return a URL for display: only the path if the host is that of the project."""
    shown = readable_url(url)
    for host in (readable_url(f"https://{project}/"), readable_url(f"https://www.{project}/")):
        path = shown.removeprefix(host.rstrip("/"))
        if path != shown and path.startswith("/") and path != "/":
            return path
    return shown


def aggregate_findings(rows: Iterable[PageFinding]) -> tuple[ProjectFinding, ...]:
    """Return one finding per check: those that make a page bad come first, then by their total harm on all pages.

    The order of the findings of a single page is that of its report. Removed checks are excluded.
    """
    by_check: dict[str, list[PageFinding]] = defaultdict(list)
    harm_of_page: dict[int, Mapping[str, float]] = {}
    for row in rows:
        by_check[row.check].append(row)
        if row.page.scored is not None and row.page.report not in harm_of_page:
            harm_of_page[row.page.report] = {one.id: one.harm for one in row.page.scored.rows}
    checks = all_checks()
    found = [_finding(check, of_check, harm_of_page) for check, of_check in by_check.items() if check in checks]
    importances = list(Importance)
    has_several_pages = len({page.url for one in found for page in one.pages}) > 1

    def key(one: ProjectFinding) -> tuple[object, ...]:
        check = checks[one.check]
        ties = (importances.index(check.importance), -len(one.pages), check.effort, one.check)
        return (has_several_pages and not _makes_bad(one), -one.harm, *ties)

    return tuple(sorted(found, key=key))


def _makes_bad(finding: ProjectFinding) -> bool:
    """Return whether the finding alone limits the score of a page to bad."""
    return finding.verdict is Verdict.FAILED and _limit_of(finding.check) < DECENT_FROM


def _finding(check: str, rows: Sequence[PageFinding], harm_of_page: Mapping[int, Mapping[str, float]]) -> ProjectFinding:
    ordered = sorted(rows, key=lambda row: (row.verdict is not Verdict.FAILED, row.page.score or 0, row.page.url))
    harm = sum(harm_of_page.get(row.page.report, {}).get(check, 0.0) or _estimated_harm(row) for row in rows)
    new_on = sum(check in row.page.new for row in rows)
    worst = ordered[0].verdict
    worst_count = sum(row.verdict is worst for row in rows)
    return ProjectFinding(check, worst, worst_count, tuple(row.page for row in ordered), round(harm, 1), new_on)


def _estimated_harm(row: PageFinding) -> float:
    return 0.0 if row.page.scored is not None else estimated_points(row.check, row.verdict)


def estimated_points(check: str, verdict: Verdict) -> float:
    """Return the estimated points that a problem or warning costs its page."""
    return row_of(all_checks()[check], verdict).harm


def _limit_of(check: str) -> int:
    """Return the highest score of a page that fails a check."""
    return limit_of(all_checks()[check], Verdict.FAILED)


def fixed(pages: Iterable[ProjectPage]) -> tuple[FixedFinding, ...]:
    """Return the checks that were fixed on some pages and fail on none of them, most pages first."""
    by_check: dict[str, list[ProjectPage]] = defaultdict(list)
    for page in pages:
        for check in page.fixed:
            if check in all_checks():
                by_check[check].append(page)
    found = [FixedFinding(check, tuple(of_check)) for check, of_check in by_check.items()]
    return tuple(sorted(found, key=lambda one: (-len(one.pages), one.check)))


class RunCounts(Struct, frozen=True):
    """Run of a page with its number of problems and warnings."""

    url: str
    at: datetime
    failed: int
    warned: int


def by_day(runs: Iterable[RunCounts], scores: Mapping[datetime, int], rulesets: Mapping[datetime, str]) -> tuple[TrendPoint, ...]:
    """Return the findings of all pages at the end of each day with a run, from runs sorted oldest first.

    ``scores`` contains the project's scores by day (midnight, UTC), ``rulesets`` their rulesets. A page counts from its first run.
    """
    now: dict[str, RunCounts] = {}
    failed = warned = 0
    ruleset = ""
    found: dict[datetime, TrendPoint] = {}
    for run in runs:
        before = now.get(run.url)
        failed += run.failed - (before.failed if before else 0)
        warned += run.warned - (before.warned if before else 0)
        now[run.url] = run
        day = datetime(run.at.year, run.at.month, run.at.day, tzinfo=UTC)
        ruleset = rulesets.get(day, ruleset)
        found[day] = TrendPoint(day, failed, warned, len(now), scores.get(day), ruleset)
    return tuple(found.values())


def ruleset_changes(runs: Iterable[tuple[datetime, str]]) -> tuple[PlotMarker, ...]:
    """Return the first run with each newer ruleset, from runs sorted oldest first; earlier scores are not comparable."""
    found: list[PlotMarker] = []
    newest = ""
    for at, ruleset in runs:
        if newest and ruleset > newest:
            found.append(PlotMarker(at, ruleset=ruleset))
        newest = max(newest, ruleset)
    return tuple(found)
