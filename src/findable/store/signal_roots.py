"""Signals in pages of a settled crawl, as raw data (roots) for site checks: findings of page checks with a common cause, and noindex."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import Connection, select

from findable.artifacts.page.private_hosts import is_private
from findable.capture.crawl import Group, Reason, Refusal
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_signals import BlockedFiles, CrawledNoindex, CrawledSignals, LeftoverHost, MixedLanguage
from findable.capture.status_classes import OK
from findable.checks.links.links_localhost import STAGING_LABELS
from findable.crawl.found_by import FoundBy
from findable.crawl.site.counted import PagesOfFolder, group_of_pages
from findable.crawl.state import CrawlState
from findable.reports.reported_finding import ReportedFinding
from findable.store.crawl_reading import AT_ONCE, CrawlReading, top_score_threshold
from findable.store.crawl_schema import PAGE, PAGES, RECORD, SETTLED, SETTLED_PAGES, URL, WITH_RECORD
from findable.store.packed_pages import unpacked_record
from findable.store.record_pass import PassedPage
from findable.urls import parse, registrable_domain
from findable.vocabulary import Verdict

LINKED_SHOWN = 50
"""Maximum number of noindex pages whose links are listed."""
SOFT_404, LANGUAGE, FILES, HOSTS = "soft-404", "language-match", "robots-txt-assets", "links-localhost"


class _HostPages:
    """Pages that declare or load URLs of one host."""

    def __init__(self) -> None:
        self.pages = PagesOfFolder()
        self.is_mentioned = True
        self.is_declared = False


class SignalRoots(CrawlReading):
    """Computes `CrawledSignals` and `CrawledNoindex` of one crawl."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._collected = _SignalCollector(self._host)
        self._redirecting: list[tuple[str, tuple[str, ...]]] = []
        self._indexable_count = 0

    # --- findings of page checks

    def add(self, page: PassedPage) -> None:
        """Read the signals of an indexable page, and the routes of one that redirects by a refresh."""
        collected, record = self._collected, page.record
        if page.reason:
            if page.reason == Reason.REDIRECT.value:
                self._redirecting.append((page.url, record.routes))
            return
        self._indexable_count += 1
        collected.add_routes(page.url, record.routes)
        if any(core.id in collected.readers for core in record.findings):
            for finding in page.all_findings()[: len(record.findings)]:
                if finding.id in collected.readers:
                    collected.readers[finding.id](page.url, page.template, finding)

    def signals(self) -> CrawledSignals:
        """Return the signals in records and findings of indexable pages, by cause."""
        collected = self._collected
        for page in self._redirecting:
            collected.add_routes(*page)
        for url, source in self._declared_hosts():
            collected.add_declared(url, source)
        empty = select(URL.c.url).join(PAGE, PAGE.c.id == URL.c.id).where(PAGE.c.reason == Reason.BLANK.value).order_by(URL.c.url)
        blank = group_of_pages(self._connection.execute(empty).yield_per(AT_ONCE).scalars())
        return structs.replace(collected.as_root(self._indexable_count), blank=blank)

    @property
    def _host(self) -> str:
        start = parse(self._state.settings.start_url)
        return start.host if start is not None else ""

    def _declared_hosts(self) -> Iterator[tuple[str, str]]:
        """Yield (URL, page that declares it) of canonical and hreflang links outside the crawl."""
        declared = URL.c.found_by.op("&")(int(FoundBy.CANONICAL | FoundBy.HREFLANG)) != 0
        source = URL.alias()
        chosen = select(URL.c.url, source.c.url.label("page")).join(source, source.c.id == URL.c.source)
        refused = chosen.where(declared, URL.c.refusal.in_((Refusal.SCOPE.value, Refusal.GUARD.value))).order_by(URL.c.id)
        for row in self._connection.execute(refused).yield_per(AT_ONCE):
            yield row.url, row.page

    # --- noindex

    def noindex(self) -> CrawledNoindex:
        """Return the noindex pages that are linked or that robots.txt disallows."""
        is_noindex = (PAGE.c.is_html, PAGE.c.reason == Reason.NOINDEX.value)
        linked = self._linked_noindex(*is_noindex)
        top = top_score_threshold(self._connection, PAGE.c.is_html, PAGE.c.status == OK)
        return CrawledNoindex(
            noindex_count=self.count(*is_noindex),
            linked=tuple(self.target(row.id) for row in linked),
            prominent=tuple(row.url for row in linked if row.link_score >= top),
            unread=self._disallowed_noindex(),
        )

    def _linked_noindex(self, *conditions: Any) -> list[Any]:
        chosen = select(URL.c.id, URL.c.url, SETTLED.c.link_score).select_from(SETTLED_PAGES).where(*conditions, SETTLED.c.linked_from > 0)
        is_other = URL.c.url != self._state.settings.start_url
        return list(self._connection.execute(chosen.where(is_other).order_by(SETTLED.c.linked_from.desc(), URL.c.url).limit(LINKED_SHOWN)))

    def _disallowed_noindex(self) -> Group | None:
        """Return the noindex pages that robots.txt disallows for Googlebot."""
        chosen = select(URL.c.url, RECORD.c.record).select_from(PAGES.join(RECORD, WITH_RECORD))
        blocked = chosen.where(PAGE.c.is_html, PAGE.c.reason == Reason.ROBOTS.value).order_by(URL.c.url)
        rows = self._connection.execute(blocked).yield_per(AT_ONCE)
        return group_of_pages(row.url for row in rows if unpacked_record(row.record, _NoindexRecord).noindex)


class _NoindexRecord(Struct, frozen=True):
    """Part of a record that shows whether the page is noindex."""

    noindex: bool = False


class _SignalCollector:
    """Collects the signals in records of indexable pages, by cause.

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
