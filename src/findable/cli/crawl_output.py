"""Output of `findable crawl` in every format."""

from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from msgspec import Struct

from findable.capture.crawl import CrawlEnd
from findable.cli.crawl_text import crawl_lines
from findable.cli.formats import CI_FORMATS, Outlet, Target, ci_format, step_summary
from findable.cli.terminal import Terminal, json_bytes, printed
from findable.crawl.changes import CrawlComparison, PageChange
from findable.crawl.page_selection import PageSelection
from findable.crawl.redirect_map import RedirectRow
from findable.crawl.state import CrawlState
from findable.crawl.tables import CrawlTable
from findable.export.ci_subject import Locate, document
from findable.export.crawl_documents import crawl_document
from findable.export.crawl_files import pages_csv, table_file, table_ndjson
from findable.export.site_markdown import site_markdown
from findable.export.site_subject import site_subject
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_lists import rows_of
from findable.store.crawl_comparisons import each_change, main_comparison
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_pages import page_rows

CrawlFormat = Literal["text", "json", "csv", "ndjson", "markdown", "sarif", "junit", "gitlab", "html", "github", "comment", "fixes"]


class FinishedCrawl(Struct, frozen=True):
    """Finished crawl with its report, and the comparisons with a baseline and a redirect map."""

    file: CrawlFile
    state: CrawlState
    report: SiteReport
    comparison: CrawlComparison | None
    redirects: tuple[RedirectRow, ...]
    """Rows of the redirect map, if there is one."""

    @property
    def duration_s(self) -> float:
        """Seconds from the start of the crawl to its end."""
        moments = [datetime.fromisoformat(moment) for moment in (self.state.started_at, self.state.ended_at) if moment]
        return (moments[-1] - moments[0]).total_seconds() if moments else 0


class CrawlOutput(Struct, frozen=True):
    """Targets of the output of a crawl, and the table to write."""

    targets: tuple[Target, ...]
    table: CrawlTable | None
    terminal: Terminal
    locate: Locate

    def write(self, finished_crawl: FinishedCrawl) -> None:
        """Write all documents of a crawl; standard output comes last, because its reader may have closed the pipe."""
        summaries = [summary for target in self.targets if (summary := step_summary(target.format_))]
        for target in (*summaries, *self.targets[::-1]):
            outlet = Outlet(target, is_appended=target in summaries)
            for part in self._document(finished_crawl, target.format_):
                outlet.write(part)
            outlet.close()

    def _document(self, finished_crawl: FinishedCrawl, format_: str) -> Iterator[bytes]:
        """Yield the report, or the selected table, in a format."""
        report, comparison = finished_crawl.report, finished_crawl.comparison
        if format_ == "text":
            yield printed(self._lines(finished_crawl)).encode(*self.terminal.encoding)
        elif format_ in CI_FORMATS:
            yield document(ci_format(format_, self.locate), [site_subject(report, comparison, finished_crawl.duration_s)])
        elif format_ == "markdown":
            yield site_markdown(report, self.terminal.say, comparison).encode("utf-8", "replace")
        elif self.table is not None and format_ in ("csv", "ndjson"):
            rows = _changes(finished_crawl) if self.table is CrawlTable.CHANGES else _rows(finished_crawl, self.table)
            yield from table_file(
                self.table, rows, "csv" if format_ == "csv" else "ndjson", extractors=finished_crawl.state.settings.extractors
            )
        else:
            yield from _pages(finished_crawl, format_)

    def _lines(self, finished_crawl: FinishedCrawl) -> list[str]:
        file, state = finished_crawl.file, finished_crawl.state
        detail = file.refusal_of(state.settings.start_url) if state.ended_by is CrawlEnd.BLOCKED else ""
        return crawl_lines(
            finished_crawl.report, state, file.counts(), self.terminal, detail, finished_crawl.comparison, finished_crawl.redirects
        )


def _rows(finished_crawl: FinishedCrawl, table: CrawlTable) -> Iterator[Struct]:
    """Yield the rows of a table other than the changes."""
    return rows_of(finished_crawl.file, finished_crawl.state, table, PageSelection())


def _changes(finished_crawl: FinishedCrawl) -> Iterator[PageChange]:
    """Yield the changes of pages since the baseline; none if the crawls cannot be compared."""
    with finished_crawl.file.reading() as connection:
        stored_comparison = main_comparison(connection)
        if stored_comparison is not None:
            yield from each_change(connection, stored_comparison)


def _pages(finished_crawl: FinishedCrawl, format_: str) -> Iterator[bytes]:
    """Yield the crawl with all its pages as JSON, or its table of pages as CSV or NDJSON."""
    file, state = finished_crawl.file, finished_crawl.state
    with file.reading() as connection:
        rows = page_rows(connection, state)
        if format_ == "json":
            yield json_bytes(
                crawl_document(finished_crawl.report, state, file.counts(), rows, finished_crawl.comparison, finished_crawl.redirects)
            )
        else:
            yield from pages_csv(rows, state.settings.extractors) if format_ == "csv" else table_ndjson(rows)
