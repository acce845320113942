"""Output of `findable crawl` in every format. Modules of a document are loaded when it is written."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from findable.cli.formats import CI_FORMATS, Outlet, Target, ci_format, step_summary
from findable.cli.terminal import Terminal, json_bytes, printed
from findable.crawl.changes import CrawlComparison
from findable.crawl.page_selection import PageSelection
from findable.crawl.redirect_map import RedirectMapRow
from findable.crawl.state import CrawlState
from findable.crawl.tables import CrawlTable
from findable.errors import SettingError
from findable.export.ci_subject import Locate, document
from findable.export.table_files import TableFormat
from findable.reports.site_report import SiteReport
from findable.service.crawls.crawl_exports import TableChoice, exported_file, exported_files
from findable.store.crawl_file import CrawlFile
from findable.store.table_rows import CrawlTables

if TYPE_CHECKING:
    from findable.export.crawl_documents import CrawlDocument

CrawlFormat = Literal[
    "text", "json", "csv", "ndjson", "parquet", "xlsx", "markdown", "sarif", "junit", "gitlab", "html", "github", "comment", "fixes"
]
TABLE_FORMATS = {one.value: one for one in TableFormat}
FOLDER_FORMATS = ("csv", "ndjson", "parquet")
"""Formats of which ``--export`` writes a folder with a file for each table."""


class FinishedCrawl(Struct, frozen=True):
    """Finished crawl with its report, and the comparisons with a baseline and a redirect map."""

    file: CrawlFile
    state: CrawlState
    report: SiteReport
    comparison: CrawlComparison | None
    redirects: tuple[RedirectMapRow, ...]
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
    is_plain: bool = False
    """Whether text is in plain words for owners of a site."""

    def write(self, finished_crawl: FinishedCrawl) -> None:
        """Write all documents of a crawl; standard output comes last, because its reader may have closed the pipe."""
        summaries = [summary for target in self.targets if (summary := step_summary(target.format_))]
        for target in (*summaries, *self.targets[::-1]):
            if target.is_folder:
                write_tables(finished_crawl.file, finished_crawl.state, target)
            else:
                _write(target, self._document(finished_crawl, target.format_), is_appended=target in summaries)

    def _document(self, finished_crawl: FinishedCrawl, format_: str) -> Iterator[bytes]:
        """Yield the report, or the selected table, in a format."""
        report, comparison = finished_crawl.report, finished_crawl.comparison
        if format_ == "text":
            yield printed(self._lines(finished_crawl)).encode(*self.terminal.encoding)
        elif format_ in CI_FORMATS:
            from findable.export.site_subject import site_subject

            yield document(ci_format(format_, self.locate), [site_subject(report, comparison, finished_crawl.duration_s)])
        elif format_ == "markdown":
            from findable.export.site_markdown import site_markdown

            yield site_markdown(report, self.terminal.say, comparison).encode("utf-8", "replace")
        elif format_ == "json":
            yield json_bytes(_json(finished_crawl))
        else:
            default = None if format_ == TableFormat.XLSX else CrawlTable.PAGES
            choice = TableChoice(TABLE_FORMATS[format_], self.table or default)
            yield from exported_file(finished_crawl.file, finished_crawl.state, finished_crawl.file.stem, choice)

    def _lines(self, finished_crawl: FinishedCrawl) -> list[str]:
        from findable.cli.crawl_text import crawl_lines

        file, state = finished_crawl.file, finished_crawl.state
        report, comparison, redirects = finished_crawl.report, finished_crawl.comparison, finished_crawl.redirects
        return crawl_lines(report, state, file.counts(), self.terminal, comparison, redirects, is_plain=self.is_plain)


def _json(finished_crawl: FinishedCrawl) -> "CrawlDocument":
    from findable.export.crawl_documents import crawl_document

    file, state = finished_crawl.file, finished_crawl.state
    with file.reading() as connection:
        pages = tuple(CrawlTables(connection, state).pages(PageSelection()))
    return crawl_document(finished_crawl.report, state, file.counts(), pages, finished_crawl.comparison, finished_crawl.redirects)


def require_packages(targets: Sequence[Target]) -> None:
    """Raise SettingError if a format needs an extra that is not installed."""
    for target in targets:
        if target.format_ in TABLE_FORMATS and not TABLE_FORMATS[target.format_].is_available:
            raise SettingError(target.option, TABLE_FORMATS[target.format_].how_to_install)


def write_tables(file: CrawlFile, state: CrawlState, target: Target) -> None:
    """Write all tables of a crawl: a workbook, or a file for each in a folder."""
    format_, name, path = TABLE_FORMATS[target.format_], file.stem, target.path
    if path is None or not target.is_folder:
        _write(target, exported_file(file, state, name, TableChoice(format_)))
        return
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise SettingError(target.option, f"{path} cannot be written: {error.strerror}") from error
    for part, pieces in exported_files(file, state, name, format_):
        _write(Target(target.format_, path / part, target.option), pieces)


def _write(target: Target, pieces: Iterable[bytes], *, is_appended: bool = False) -> None:
    outlet = Outlet(target, is_appended=is_appended)
    for piece in pieces:
        outlet.write(piece)
    outlet.close()
