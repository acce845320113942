"""Conditions under which `findable crawl` exits with 1."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from findable.cli.config import Thresholds
from findable.cli.gate_reasons import RATED_BAD, check_reasons
from findable.crawl.changes import ChangeKind, CrawlComparison, PageChange, examples, moved_to_other_host
from findable.crawl.comparable_crawls import basis_of
from findable.crawl.redirect_map import RedirectMapRow, results_of
from findable.crawl.start_origins import public_origins
from findable.crawl.state import CrawlState, Phase
from findable.errors import SettingError
from findable.reports.acceptance import Acceptance, acceptance_of
from findable.reports.reported_finding import AcceptanceTerms
from findable.reports.site_report import SiteFinding, SiteReport
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_findings import stored_report
from findable.store.crawl_store import CrawlStoreError
from findable.vocabulary import Rating, Verdict

URLS_NAMED = 3
_LOSSES = {
    ChangeKind.GONE: ("{} page is gone", "{} pages are gone"),
    ChangeKind.BECAME_NON_INDEXABLE: ("{} page is no longer indexable", "{} pages are no longer indexable"),
}


class CrawlGate(Struct, frozen=True):
    """Conditions that a crawl must meet, with the accepted findings."""

    fail_under: float | None
    baseline: CrawlFile | None
    """Earlier crawl of the site."""
    thresholds: Thresholds = Thresholds()
    acceptances: tuple[Acceptance, ...] = ()
    fail_on: str | None = None
    """``new``: fail on each finding that is new or worse since the baseline; ``failed``: only on problems."""

    def with_accepted(self, report: SiteReport) -> SiteReport:
        """Return the report, with a finding marked as accepted if acceptances cover all its affected pages."""
        day = report.summary.captured_at[:10]
        terms = {item.key: found for item in report.findings if (found := _terms(self.acceptances, item, report, day))}
        return report.with_accepted(terms) if terms else report

    def comparison(self, file: CrawlFile, state: CrawlState) -> CrawlComparison | None:
        """Return the changes between the baseline and a crawl; None without a baseline."""
        earlier = self.baseline.state() if self.baseline is not None else None
        if self.baseline is None or earlier is None:
            return None
        from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls, with_examples

        before, after = StoredCrawl(self.baseline, earlier), StoredCrawl(file, state)
        return with_examples(file, compare_crawls(before, after, public_origins(earlier, state)))

    @property
    def is_baseline_limited(self) -> bool:
        """Whether the baseline ended before it had requested the whole site."""
        state = self.baseline.state() if self.baseline is not None else None
        return state is not None and basis_of(state).is_limited

    def reasons(self, report: SiteReport, comparison: CrawlComparison | None, redirects: Sequence[RedirectMapRow] = ()) -> list[str]:
        """Return the reasons why a crawled site does not pass, one line each; empty if it passes."""
        found = []
        if report.score is not None and self.fail_under is not None and report.score < self.fail_under:
            found.append(f"score {report.score} is below {self.fail_under:g}")
        elif self.fail_under is None and report.result is Rating.BAD and not redirects:
            found.append(RATED_BAD)
        found += _wrong_redirects(redirects)
        found += check_reasons(self.thresholds, ((item.id, item.verdict, item.summary()) for item in report.open))
        if comparison is None or comparison.not_comparable is not None:
            return found
        return [*found, *_losses(comparison), *self._new_reasons(comparison), *self._growth_reasons(report, comparison)]

    def _new_reasons(self, comparison: CrawlComparison) -> Iterator[str]:
        """Yield a sentence for each finding that is new or worse since the baseline, as far as ``fail_on`` says so."""
        for item in comparison.findings.risen if self.fail_on else ():
            if item.accepted is None and (item.verdict is Verdict.FAILED or self.fail_on == "new"):
                yield f"new since the baseline: {item.summary()} [{item.id}]"

    def _growth_reasons(self, report: SiteReport, comparison: CrawlComparison) -> Iterator[str]:
        """Yield a sentence for each check whose findings are on more pages than in the baseline, beyond its limit."""
        if self.baseline is None or not self.thresholds.growth or comparison.findings.ruleset_before:
            return
        with self.baseline.reading() as connection:
            earlier = stored_report(connection, ruleset=None)
        for check, most in self.thresholds.growth.items() if earlier is not None else ():
            before, after = (_pages_with(check, one) for one in (earlier, report))
            if after - before > most:
                yield f"{check}: {after:,} pages, {before:,} in the baseline, the growth budget is {most:,}"


def _pages_with(check: str, report: SiteReport | None) -> int:
    """Return the number of pages with open findings of a check."""
    return sum(item.pages_count for item in report.open if item.id == check) if report is not None else 0


def _terms(acceptances: Sequence[Acceptance], item: SiteFinding, report: SiteReport, day: str) -> AcceptanceTerms | None:
    urls = [one.url for one in item.evidence if one.url] or [report.summary.start_url]
    found = [acceptance_of(acceptances, item.as_reported, url, day, item.key) for url in urls]
    held = [one for one in found if one is not None]
    return AcceptanceTerms(held[0].reason, held[0].until or None) if len(held) == len(urls) else None


def _wrong_redirects(redirects: Sequence[RedirectMapRow]) -> Iterator[str]:
    """Yield a sentence for each kind of URL in a redirect map that is wrong."""
    for result, count in results_of(redirects).items():
        if result.is_fault:
            rows = [row for row in redirects if row.result is result][:URLS_NAMED]
            shown = ", ".join(f"{row.url} → {row.end_url} ({row.status})" for row in rows)
            more = f" and {count - URLS_NAMED:,} more" if count > URLS_NAMED else ""
            yield f"{count:,} of the redirect map: {result.words}: {shown}{more}"


def _losses(comparison: CrawlComparison) -> Iterator[str]:
    """Yield a sentence for each kind of loss since the baseline: pages, indexable pages, canonical links, titles."""
    for kind, words in _LOSSES.items():
        if count := comparison.counts.get(kind.value, 0):
            yield _loss(words, count, examples(comparison, kind))
    if count := comparison.foreign_canonicals_count:
        foreign = [change for change in examples(comparison, ChangeKind.CANONICAL) if moved_to_other_host(change)]
        yield _loss(("{} canonical link leads to another host", "{} canonical links lead to another host"), count, foreign)
    if count := comparison.lost_titles_count:
        lost = [change for change in examples(comparison, ChangeKind.TITLE) if not change.after]
        yield _loss(("{} page lost its title", "{} pages lost their titles"), count, lost)


def _loss(words: tuple[str, str], count: int, changes: Sequence[PageChange]) -> str:
    sentence = words[0 if count == 1 else 1].format(f"{count:,}")
    shown = [f"{change.url} ({change.after})" if change.kind in _WITH_VALUE else change.url for change in changes[:URLS_NAMED]]
    more = f" and {count - len(shown):,} more" if count > len(shown) else ""
    return f"{sentence} since the baseline: {', '.join(shown)}{more}"


_WITH_VALUE = frozenset({ChangeKind.GONE, ChangeKind.BECAME_NON_INDEXABLE, ChangeKind.CANONICAL})


def open_baseline(path: Path | None) -> CrawlFile | None:
    """Open the file of an earlier crawl; None without a path. Raises SettingError if the file contains no finished crawl."""
    if path is None:
        return None
    if not path.is_file():
        raise SettingError("--baseline", f"{path} does not exist")
    try:
        file = CrawlFile(path)
        state = file.state()
    except CrawlStoreError as error:
        raise SettingError("--baseline", str(error)) from error
    if state is None or state.phase is not Phase.REPORT:
        file.close()
        raise SettingError("--baseline", f"{path} contains no finished crawl")
    return file
