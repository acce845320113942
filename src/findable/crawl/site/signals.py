"""Signals of a crawled site: findings of page checks that have one cause on many pages, routes, and leftover hosts."""

from collections import defaultdict
from collections.abc import Callable, Mapping

from findable.artifacts.page.private_hosts import is_private
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_signals import BlockedFiles, CrawledSignals, LeftoverHost, MixedLanguage
from findable.checks.links.links_localhost import STAGING_LABELS
from findable.crawl.site.counted import PagesOfFolder
from findable.reports.reported_finding import ReportedFinding
from findable.urls import parse, registrable_domain
from findable.vocabulary import Verdict

SOFT_404, LANGUAGE, FILES, HOSTS = "soft-404", "language-match", "robots-txt-assets", "links-localhost"


class _HostPages:
    """Pages that declare or load URLs of one host."""

    def __init__(self) -> None:
        self.pages = PagesOfFolder()
        self.is_mentioned = True
        self.is_declared = False


class SignalCollector:
    """Collects the signals in the findings and links of pages, by cause.

    Args:
        host: host of the site.
    """

    def __init__(self, host: str) -> None:
        self._host = host
        self._domain = registrable_domain(host)
        self._soft: defaultdict[tuple[Verdict, int], PagesOfFolder] = defaultdict(PagesOfFolder)
        self._languages: defaultdict[tuple[str, str], PagesOfFolder] = defaultdict(PagesOfFolder)
        self._rules: defaultdict[tuple[str, bool], tuple[dict[str, None], PagesOfFolder]] = defaultdict(lambda: ({}, PagesOfFolder()))
        self._hosts: defaultdict[str, _HostPages] = defaultdict(_HostPages)
        self._routes: set[str] = set()
        self._routes_pages = PagesOfFolder()
        self.readers: Mapping[str, Callable[[str, int, ReportedFinding], None]] = {
            SOFT_404: self._read_soft,
            LANGUAGE: self._read_language,
            FILES: self._read_files,
            HOSTS: self._read_hosts,
        }

    def add_routes(self, url: str, routes: tuple[str, ...]) -> None:
        """Add the links of a page that differ only in a fragment that scripts read."""
        if routes:
            self._routes_pages.add(url)
            if len(self._routes) < LIST_LIMIT:
                self._routes.update(routes)

    def add_declared(self, url: str, page: str) -> None:
        """Add a canonical or hreflang link to another host."""
        parsed = parse(url)
        if parsed is not None and self._is_leftover(parsed.host):
            host_pages = self._hosts[parsed.host]
            host_pages.pages.add(page)
            host_pages.is_mentioned, host_pages.is_declared = False, True

    def _is_leftover(self, host: str) -> bool:
        if is_private(self._host):
            return False
        is_own = host != self._host and registrable_domain(host) == self._domain
        is_staging = host.partition(".")[0] in STAGING_LABELS and self._host.partition(".")[0] not in STAGING_LABELS
        return is_private(host) or (is_own and is_staging)

    def _read_soft(self, url: str, template: int, finding: ReportedFinding) -> None:
        self._soft[finding.verdict, template].add(url)

    def _read_language(self, url: str, _: int, finding: ReportedFinding) -> None:
        self._languages[str(finding.params.get("declared", "")), str(finding.params.get("detected", ""))].add(url)

    def _read_files(self, url: str, _: int, finding: ReportedFinding) -> None:
        is_critical = finding.verdict is Verdict.FAILED
        for rule in dict.fromkeys(item.text for item in finding.evidence if "address" in item.params):
            files, pages = self._rules[rule, is_critical]
            pages.add(url)
            for item in finding.evidence:
                if item.text == rule and len(files) < URL_LIMIT:
                    files[str(item.params["address"])] = None

    def _read_hosts(self, url: str, _: int, finding: ReportedFinding) -> None:
        for host in dict.fromkeys(str(item.params["host"]) for item in finding.evidence if "host" in item.params):
            host_pages = self._hosts[host]
            host_pages.pages.add(url)
            host_pages.is_mentioned = host_pages.is_mentioned and finding.verdict is not Verdict.FAILED and is_private(host)

    def as_root(self, count: int) -> CrawledSignals:
        """Return the signals, those on the most pages first; ``count`` is the number of pages read."""
        soft = sorted(self._soft.items(), key=lambda item: (-item[1].count, item[0][1]))
        languages = sorted(self._languages.items(), key=lambda item: (-item[1].count, item[0]))
        rules = sorted(self._rules.items(), key=lambda item: (-item[1][1].count, item[0]))
        hosts = sorted(self._hosts.items(), key=lambda item: (-item[1].pages.count, item[0]))
        return CrawledSignals(
            indexable_count=count,
            soft_errors=tuple(pages.as_group() for (verdict, _), pages in soft if verdict is Verdict.FAILED)[:LIST_LIMIT],
            soft_doubts=tuple(pages.as_group() for (verdict, _), pages in soft if verdict is Verdict.WARNED)[:LIST_LIMIT],
            blocked_files=tuple(BlockedFiles(*rule, tuple(files), pages.as_group()) for rule, (files, pages) in rules[:LIST_LIMIT]),
            leftover_hosts=tuple(
                LeftoverHost(host, is_private(host), about.is_mentioned, about.is_declared, about.pages.as_group())
                for host, about in hosts[:LIST_LIMIT]
            ),
            mixed_languages=tuple(MixedLanguage(*pair, pages.as_group()) for pair, pages in languages[:LIST_LIMIT]),
            routes=tuple(sorted(self._routes)[:URL_LIMIT]),
            routes_count=len(self._routes),
            routes_pages=self._routes_pages.as_group() if self._routes_pages.count else None,
        )
