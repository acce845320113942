"""Comparison of two stored crawls of a site. The newer crawl stores the result."""

from collections.abc import Mapping

from msgspec import Struct, structs

from findable.crawl.changes import ChangeCounter, ChangeKind, CrawlComparison, PageChange
from findable.crawl.comparable_crawls import basis_of, comparable_crawls, compared_kinds, incomparable_reason
from findable.crawl.render_sampling import RAW_VS_RENDERED
from findable.crawl.start_origins import public_origins
from findable.crawl.state import CrawlState
from findable.reports.difference import NotComparable
from findable.reports.site_difference import Judging, SiteDifference, site_difference
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_run import compute_report
from findable.store.compared_pages import compared_urls
from findable.store.crawl_findings import stored_report
from findable.store.crawl_store import CrawlStore, CrawlStoreError
from findable.store.finding_overlap import FindingOverlap
from findable.store.stored_comparisons import (
    StoredComparison,
    begin_comparison,
    listed_changes,
    main_comparison,
    named_comparison,
    save_changes,
)
from findable.values import batches_of

SLICE_URLS = 10_000
"""Number of URLs compared per transaction, which a killed process may have to repeat."""
EXAMPLES = 200
"""Number of changes per kind that are included in a comparison."""


class StoredCrawl(Struct, frozen=True):
    """Finished crawl with its file."""

    file: CrawlStore
    state: CrawlState
    number: int | None = None
    """Number in a service."""

    def report(self) -> SiteReport:
        """Return the stored report of the crawl, of any ruleset; compute the report if there is none."""
        with self.file.reading() as connection:
            report = stored_report(connection, ruleset=None)
        return compute_report(self.file, self.state) if report is None else report


def compare_crawls(before: StoredCrawl, after: StoredCrawl, origins: Mapping[str, str], *, is_main: bool = True) -> StoredComparison:
    """Return the comparison of two crawls; unless it exists, create it and store it with the newer crawl.

    Args:
        before: the earlier crawl.
        after: the newer crawl, whose store is written.
        origins: origins of the newer crawl by equivalent origin of the earlier one.
        is_main: whether later crawls use this comparison to recognize findings that were fixed before.
    """
    found = known_comparison(before, after, origins)
    if found is None:
        with after.file.writing() as connection:
            found = begin_comparison(connection, _name_of(before, origins), _empty(before, origins), is_main=is_main)
    return found if found.is_done else _continue_comparison(found, before, after)


def known_comparison(before: StoredCrawl, after: StoredCrawl, origins: Mapping[str, str]) -> StoredComparison | None:
    """Return the stored comparison of two crawls, which may be unfinished, or an empty one if they are not comparable.

    None if none is stored.
    """
    reason = incomparable_reason(basis_of(before.state), basis_of(after.state), origins)
    if reason is not None:
        return StoredComparison(structs.replace(_empty(before, origins), not_comparable=reason), is_done=True)
    with after.file.reading() as connection:
        return named_comparison(connection, _name_of(before, origins))


def _empty(before: StoredCrawl, origins: Mapping[str, str]) -> CrawlComparison:
    return CrawlComparison(since=before.state.ended_at, earlier=before.number, origins=origins)


def _name_of(before: StoredCrawl, origins: Mapping[str, str]) -> str:
    """Return the name of a comparison, which depends on the earlier crawl and the origins."""
    state, mapped = before.state, (f"{origin}={public}" for origin, public in origins.items())
    number = () if before.number is None else (f"crawl {before.number}",)  # two short crawls may have the same times
    return " ".join((state.typed_url, *number, state.started_at, state.ended_at, state.ruleset, *mapped))


def _continue_comparison(stored: StoredComparison, before: StoredCrawl, after: StoredCrawl) -> StoredComparison:
    """Continue a comparison slice by slice until it is complete."""
    stored = _compare_pages(stored, before, after)
    findings = _compare_findings(stored.comparison.origins, before, after)
    stored = structs.replace(stored, is_done=True, comparison=structs.replace(stored.comparison, findings=findings))
    _save(after, stored, [])
    return stored


def _compare_pages(stored: StoredComparison, before: StoredCrawl, after: StoredCrawl) -> StoredComparison:
    """Compare the pages after the last compared URL, and store each slice of them."""
    counter, last_url = ChangeCounter(stored.comparison), stored.last_url
    kinds = compared_kinds(basis_of(before.state), basis_of(after.state))
    with before.file.reading() as old, after.file.reading() as new:
        urls = (item for item in compared_urls(old, new, stored.comparison.origins, kinds) if item[0] > last_url)
        for batch in batches_of(urls, SLICE_URLS):
            found = [change for _, changes in batch for change in changes]
            for change in found:
                counter.add(change)
            pages = [change for change in found if isinstance(change, PageChange)]
            count = stored.changes_count + len(pages)
            stored = structs.replace(stored, last_url=batch[-1][0], changes_count=count, comparison=counter.comparison())
            _save(after, stored, pages)
    return stored


def _compare_findings(origins: Mapping[str, str], before: StoredCrawl, after: StoredCrawl) -> SiteDifference:
    bases, report = (basis_of(before.state), basis_of(after.state)), before.report()
    here = {public: origin for origin, public in origins.items()}
    with before.file.reading() as old, after.file.reading() as new:
        former = main_comparison(old)
        judging = Judging(
            page_checks=(_compared_checks(before.state), _compared_checks(after.state)),
            elsewhere=(FindingOverlap(old, new, after.state, here), FindingOverlap(new, old, before.state, origins)),
            reason=comparable_crawls(*bases, origins),
            is_limited=any(basis.is_limited for basis in bases),
            is_away_before=not report.summary.pages_count,
        )
        findings = site_difference(report, after.report(), judging, former.comparison.findings.gone if former else ())
    if before.state.ruleset != after.state.ruleset and judging.reason is not NotComparable.IMPORTED:
        return structs.replace(findings, ruleset_before=before.state.ruleset)
    return findings


def compared_once(before: StoredCrawl, after: StoredCrawl) -> CrawlComparison:
    """Return the changes of pages between two crawls, with the first ones of each kind; nothing is stored, findings are not compared."""
    bases, origins = (basis_of(before.state), basis_of(after.state)), public_origins(before.state, after.state)
    counter = ChangeCounter(_empty(before, origins))
    kept: dict[ChangeKind, list[PageChange]] = {kind: [] for kind in ChangeKind}
    with before.file.reading() as old, after.file.reading() as new:
        for _, found in compared_urls(old, new, origins, compared_kinds(*bases)):
            for change in found:
                counter.add(change)
                if isinstance(change, PageChange) and len(kept[change.kind]) < EXAMPLES:
                    kept[change.kind].append(change)
    pages = tuple(change for changes in kept.values() for change in changes)
    findings = SiteDifference(reason=comparable_crawls(*bases, origins))
    return structs.replace(counter.comparison(), pages=pages, findings=findings, not_comparable=incomparable_reason(*bases, origins))


def _compared_checks(state: CrawlState) -> tuple[str, ...]:
    """Return the page checks with results; raw-vs-rendered only if a browser loaded pages."""
    if state.rendered.visits > state.rendered.failed:
        return state.checks
    return tuple(check for check in state.checks if check != RAW_VS_RENDERED)


def _save(after: StoredCrawl, stored_comparison: StoredComparison, changes: list[PageChange]) -> None:
    with after.file.writing() as connection:
        if not save_changes(connection, stored_comparison, changes):
            raise CrawlStoreError(f"{after.file.name}: the comparison was deleted meanwhile")


def with_examples(file: CrawlStore, stored_comparison: StoredComparison) -> CrawlComparison:
    """Return a comparison with the first changes of each kind."""
    with file.reading() as connection:
        pages = tuple(item.change for kind in ChangeKind for item in listed_changes(connection, stored_comparison, kind, limit=EXAMPLES))
    return structs.replace(stored_comparison.comparison, pages=pages)
