"""Run the checks of a page that depend on its position in the settled crawl. Nothing is parsed or requested."""

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from findable.artifacts.page.canonical import Difference, differences, known_canonical
from findable.artifacts.page.hreflang import Hreflang, known_alternates
from findable.artifacts.registry import gather
from findable.artifacts.responses.canonical_response import CanonicalTarget
from findable.artifacts.responses.probed_page import REFUSING, Probe, ProbedPage, known_page, unchecked_reason
from findable.artifacts.site.language_versions import LanguageSet, LanguageVersions
from findable.artifacts.site.robots import Robots
from findable.artifacts.site.sitemap import Sitemaps
from findable.capture.crawl import PageInCrawl
from findable.capture.response import Headers, Hop, ProbeResponse, Timing
from findable.capture.saved import load_site
from findable.capture.status_classes import OK
from findable.checks.engine import EVIDENCE_SHOWN, Check, Finding, Result, all_checks, runnable_checks
from findable.checks.indexability.canonical_self import compare_sketches
from findable.checks.runner import run
from findable.crawl.packed_verdicts import pack_verdict_pairs, verdict_at
from findable.crawl.record import MAX_ALTERNATES
from findable.crawl.site.positions import DeclaredUrl, DeclaringPage, Standing
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.store.page_results import PageResults
from findable.store.page_roots import PageRoots
from findable.values import batches_of
from findable.vocabulary import Source, Subject, Verdict

PAGES_AT_ONCE = 1000
_CANONICAL_TARGET = "canonical-target"
Parents = tuple[Verdict | None, ...]


@cache
def position_checks() -> tuple[Check, ...]:
    """Return the checks that only need the position of a page in the crawl."""
    return runnable_checks(frozenset({Source.CRAWL}), Subject.PAGE)


@cache
def _parents() -> tuple[str, ...]:
    return tuple(sorted({parent for check in position_checks() for parent in check.depends_on}))


@cache
def version_checks() -> tuple[Check, ...]:
    """Return the checks of the language versions of a page."""
    return tuple(check for check in all_checks().values() if any(reading.kind is LanguageVersions for reading in check.parameters))


class PositionChecks:
    """Runs the checks of the pages of one crawl.

    Args:
        roots: computes the root artifacts of its pages.
        names: ids of checks in the order of the verdicts of a page.
        site: saved site capture; empty for none.
    """

    def __init__(self, roots: PageRoots, names: tuple[str, ...], site: bytes = b"") -> None:
        self._roots = roots
        self._names = names
        about_site = gather(load_site(site)) if site else gather()
        self._robots = about_site.get_or_none(Robots)
        self._sitemaps = about_site.get_or_none(Sitemaps)
        self._lists_versions = self._sitemaps is not None and self._sitemaps.lists_alternates
        self._known: dict[tuple[Standing, Parents], tuple[bytes, tuple[Check, ...]]] = {}
        parents = all_checks()[_CANONICAL_TARGET].depends_on
        self._canonical_parents = tuple((name, names.index(name)) for name in parents if name in names)
        self._parents = tuple(names.index(parent) if parent in names else len(names) for parent in _parents())

    def results(self) -> Iterator[PageResults]:
        """Yield the findings for each page."""
        for batch in batches_of(self._roots.each(), PAGES_AT_ONCE):
            parents = {placed.number: tuple(verdict_at(placed.verdicts, place) for place in self._parents) for placed in batch}
            shared = {placed.number: self._shared_verdicts(placed.standing, parents[placed.number]) for placed in batch if placed.standing}
            pages = self._roots.pages([placed.number for placed in batch if placed.number not in shared or shared[placed.number][1]])
            for number in (placed.number for placed in batch):
                verdicts, against = shared.get(number, (b"", position_checks()))
                results = _results(pages[number], parents[number], against) if against else []
                yield PageResults(number, verdicts or self._packed_verdicts(results), _problems_in(results))
        for page, target in self._roots.canonical_targets():
            yield self._of_target(page, target)

    def version_results(self) -> Iterator[PageResults]:
        """Yield the findings on whether language versions of each page are valid and link back, from stored responses."""
        checks = version_checks()
        without = gather()
        without.leave_out(unchecked_reason(Probe.LANGUAGE_VERSIONS, None), LanguageVersions)
        unknown = run(without, checks)
        for group in self._roots.language_versions():
            record = group.record
            entries = known_alternates((*record.alternates, *record.faulty_alternates))
            probed = {url: _as_probed_page(url, declared_url) for url, declared_url in group.versions.items() if _is_read(declared_url)}
            for page in group.pages:
                declared_url = LanguageSet(page.url, entries, len(entries), sitemap_open=False)
                others = declared_url.others
                if not others:
                    continue
                pages = tuple(probed[url] for url in others if url in probed)
                artifacts = gather()
                artifacts.put(LanguageVersions(pages, (), 0, None), declared_url, known_canonical(page.url, ""))
                artifacts.put(*((self._sitemaps,) if self._sitemaps is not None else ()))
                # Unread alternates could be worse than the read ones, so only faults are certain.
                is_open = len(pages) < len(others) or len(record.alternates) >= MAX_ALTERNATES or self._lists_versions
                results = run(artifacts, checks)
                if is_open:
                    results = [
                        found if found.finding.verdict is Verdict.FAILED else blank for found, blank in zip(results, unknown, strict=True)
                    ]
                yield PageResults(page.number, self._packed_verdicts(results), _problems_in(results))

    def _of_target(self, page: DeclaringPage, target: DeclaredUrl) -> PageResults:
        """Return the finding on whether the declared canonical page can replace a page, from stored responses."""
        check = all_checks()[_CANONICAL_TARGET]
        url = target.hops[0][0]
        artifacts = gather()
        artifacts.put(known_canonical(page.url, url))
        if _is_read(target):
            artifacts.put(CanonicalTarget(url, _as_probed_page(url, target)))
        else:
            artifacts.leave_out(unchecked_reason(Probe.CANONICAL_URL, None), CanonicalTarget)
        if self._robots is not None:
            artifacts.put(self._robots)
        parents = ((name, verdict_at(page.verdicts, place)) for name, place in self._canonical_parents)
        settled = {name: Finding(verdict, "") for name, verdict in parents if verdict is not None}
        results = run(artifacts, (check,), earlier=settled)
        problems = _problems_in(results)
        if page.unsettled is None:
            return PageResults(page.number, self._packed_verdicts(results), problems)
        found = _settled_finding(page, page.unsettled.finding, target)
        packed = self._packed_verdicts(results, found)
        if found.verdict not in AGAINST:
            return PageResults(page.number, packed, problems, page.score)
        return PageResults(page.number, packed, (found, *problems), page.unsettled.score)

    def _shared_verdicts(self, standing: Standing, parents: Parents) -> tuple[bytes, tuple[Check, ...]]:
        """Return the cached verdicts of a page that has no duplicates, and the checks that failed or warned.

        Such pages differ only in texts and paths, which decide no verdict. Only failed and warned checks run again, for their evidence.
        """
        key = standing, parents
        if key not in self._known:
            results = _results(self._roots.plain_page(standing), parents, position_checks())
            against = tuple(result.check for result in results if result.finding.verdict in AGAINST)
            self._known[key] = self._packed_verdicts(results), against
        return self._known[key]

    def _packed_verdicts(self, results: list[Result], *others: ReportedFinding) -> bytes:
        verdicts = {result.check.id: result.finding.verdict for result in results} | {other.id: other.verdict for other in others}
        return pack_verdict_pairs(verdicts, self._names)


def _settled_finding(page: DeclaringPage, unsettled: ReportedFinding, target: DeclaredUrl) -> ReportedFinding:
    """Return the finding on whether a page declares itself, from the main texts of the page and of the declared one.

    It is as in a report: a copy of the declared page rightly declares it, and an error page, which has no text, changes nothing. It is
    unknown if the texts decide nothing, because a report would compare all words of the pages.
    """
    url, status = target.hops[0][0], target.hops[-1][1]
    compared = compare_sketches(page.sketch, target.end.sketch, url, status) if _is_read(target) else None
    is_home = Difference.HOME_PAGE in differences(page.url, url)
    if compared is None:
        is_certain = is_home or (_is_read(target) and status != OK)
        return unsettled if is_certain else replace(unsettled, verdict=Verdict.UNKNOWN)
    if compared.is_copy and not is_home:
        return replace(unsettled, verdict=Verdict.INFO)
    evidence = (*unsettled.evidence, compared.evidence)[:EVIDENCE_SHOWN]
    fixes = () if compared.is_copy else unsettled.fixes
    return replace(unsettled, evidence=evidence, evidence_count=unsettled.evidence_count + 1, fixes=fixes)


def _is_read(declared_url: DeclaredUrl) -> bool:
    """Return whether the response is known and, for status 200, also the declarations of the page."""
    status = declared_url.hops[-1][1]
    return declared_url.is_known and status not in REFUSING and (status != OK or bool(declared_url.end.verdicts))


def _as_probed_page(url: str, declared_url: DeclaredUrl) -> ProbedPage:
    """Return a crawled page in the form of an extra request for it."""
    hops = tuple(Hop(hop, status, Headers(), "1.1", Timing()) for hop, status in declared_url.hops)
    end, final_url = declared_url.end, hops[-1].url
    entries = known_alternates((*end.alternates, *end.faulty_alternates))
    hreflang = Hreflang(final_url, entries, len(entries)) if hops[-1].status == OK else None
    return known_page(ProbeResponse(url, hops=hops), known_canonical(final_url, end.canonical), noindex=end.noindex, hreflang=hreflang)


def _problems_in(results: list[Result]) -> tuple[ReportedFinding, ...]:
    return tuple(ReportedFinding.from_result(result) for result in results if result.finding.verdict in AGAINST)


def _results(page: PageInCrawl, parents: Parents, checks: tuple[Check, ...]) -> list[Result]:
    settled: Mapping[str, Finding] = {
        name: Finding(verdict, "") for name, verdict in zip(_parents(), parents, strict=True) if verdict is not None
    }
    return run(gather(page), checks, earlier=settled)
