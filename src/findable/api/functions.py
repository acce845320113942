"""Functions and values of `findable.api`, which are loaded when one of them is first used."""

import logging
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from findable.api.arguments import takes_options
from findable.api.crawling_options import CrawlingOptions
from findable.api.frames import PackageMissing
from findable.api.options import AuditOptions, AuditPace, AuditProgress
from findable.api.results import AuditedPage, AuditFindingRow, Crawl, QueryError, QueryRows, query_crawls
from findable.api.waiting import run_to_end
from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import PageSelection
from findable.crawl.progress import CrawlProgress
from findable.crawl.settings import Extent, Render, RobotsRules
from findable.errors import FindableError, PageError, PageUnavailable, SettingError
from findable.reports.report import Report
from findable.settings import Settings
from findable.vocabulary import Rating, Verdict

__all__ = [
    "AuditFindingRow",
    "AuditProgress",
    "AuditedPage",
    "Crawl",
    "CrawlProgress",
    "Extent",
    "FindableError",
    "PackageMissing",
    "PageError",
    "PageRow",
    "PageSelection",
    "PageUnavailable",
    "QueryError",
    "QueryRows",
    "Rating",
    "Render",
    "Report",
    "RobotsRules",
    "SettingError",
    "Verdict",
    "audit",
    "audit_all",
    "crawl",
    "import_crawl",
    "open_crawl",
    "query_crawls",
]
MAX_TABLE_BYTES = 1_000_000_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class AuditArguments(AuditOptions, AuditPace):
    """Arguments of `findable.api.audit`."""

    progress: Callable[[AuditProgress], None] | None = None
    """Called before each stage of a page."""


@dataclass(frozen=True, kw_only=True)
class SiteCrawlArguments(CrawlingOptions):
    """Arguments of `findable.api.crawl`."""

    progress: Callable[[CrawlProgress], None] | None = None
    """Called about once a second."""


@takes_options(AuditArguments)
def audit(url: str, options: AuditArguments) -> AuditedPage:
    """Audit a page. Raises SettingError for a wrong option, PageUnavailable if the page cannot be loaded."""
    (made,) = _audited([url], options)
    if not made.report.was_loaded and made.error is not None:
        raise PageUnavailable(made.error)
    return made


@takes_options(AuditArguments)
def audit_all(urls: Iterable[str], options: AuditArguments) -> list[AuditedPage]:
    """Audit pages, those of one site with one request for its robots.txt. A page that cannot be loaded has an ``error``."""
    return _audited(urls, options)


def _audited(urls: Iterable[str], options: AuditArguments) -> list[AuditedPage]:
    from findable.api.audits import reports_of
    from findable.api.targets import AuditTarget, http_fallback, typed_url

    pages = [AuditTarget(typed_url(url), http_fallback(url, options)) for url in urls]

    async def make() -> list[AuditedPage]:
        reports = reports_of(pages, options, options, Settings.load(), progress=options.progress)
        return [AuditedPage(made.report, made.duration_s) async for made in reports]

    return run_to_end(make())


@takes_options(SiteCrawlArguments)
def crawl(url: str | Iterable[str], options: SiteCrawlArguments) -> Crawl:
    """Crawl a site, or request a list of URLs, and store the crawl in one file. The same call continues a stopped crawl.

    Raises SettingError for a wrong option, or if the file has another crawl.
    """
    from findable.api.crawls import plan_crawl, run_crawl
    from findable.api.targets import typed_url
    from findable.store.crawl_file import CrawlFile
    from findable.store.crawl_store import CrawlStoreError

    start, listed = (url, []) if isinstance(url, str) else (None, [(typed_url(one),) for one in url])
    plan = plan_crawl(start, listed, options, Settings.load())
    try:
        with closing(CrawlFile(plan.path)) as file:
            plan = plan.continuing(file)
            if plan.lacks_browser:
                _log.warning("no browser is installed here: further pages are checked as sent")
            run_to_end(run_crawl(file, plan, options.progress or (lambda _: None)))
    except CrawlStoreError as error:
        raise SettingError("store", str(error)) from error
    return Crawl(plan.path)


def import_crawl(table: Path | str, store: Path | str) -> Crawl:
    """Import a table of URLs of Screaming Frog or Sitebulb as a crawl to compare with, in a new file.

    Raises SettingError if the table cannot be read, or the file exists.
    """
    from findable.formats.crawler_exports import read_url_table
    from findable.formats.table_text import TableError, decode_table
    from findable.service.crawls.imported_crawls import store_table
    from findable.store.crawl_file import CrawlFile

    path, data = Path(store), _table_bytes(Path(table))
    if path.exists():
        raise SettingError("--store", f"{path} exists; use a new file")
    try:
        read = read_url_table(decode_table(data))
    except TableError as error:
        raise SettingError(str(table), str(error)) from error
    with closing(CrawlFile(path)) as file:
        store_table(file, read)
    return Crawl(path)


def _table_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_TABLE_BYTES:
            raise SettingError(str(path), f"is larger than {MAX_TABLE_BYTES // 1_000_000} MB")
        return path.read_bytes()
    except OSError as error:
        raise SettingError(str(path), f"cannot be read: {error.strerror}") from error


def open_crawl(path: Path | str) -> Crawl:
    """Open the file of a crawl for reading. Raises SettingError if it has none."""
    return Crawl(Path(path))
