"""Results of `findable.api`: the audit of a page, a crawl in its file, and the rows of a question."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from findable.api.frames import SHOWN_ROWS, arrow_table, html_line, html_table, library, pandas_frame
from findable.crawl.exported_table import table_of
from findable.crawl.page_columns import PageRow
from findable.crawl.page_selection import PageSelection
from findable.crawl.tables import CrawlTable
from findable.errors import FindableError, PageError, SettingError, ValidationFailed
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Rating

if TYPE_CHECKING:
    from findable.crawl.changes import CrawlComparison
    from findable.crawl.state import CrawlState
    from findable.reports.site_report import SiteFinding, SiteReport
    from findable.store.crawl_file import CrawlFile
    from findable.store.question_process import Answer, Cell


class AuditedPage(Struct, frozen=True):
    """Audit of a page."""

    report: Report
    """Report with its findings, facts and scores."""
    duration_s: float

    @property
    def url(self) -> str:
        """URL that was requested."""
        return self.report.requested_url

    @property
    def score(self) -> int | None:
        """Score from 0 to 100; None if the page has no rating."""
        return self.report.score

    @property
    def rating(self) -> Rating | None:
        """Rating good, decent or bad; None if the page has none."""
        return self.report.result

    @property
    def error(self) -> PageError | None:
        """Reason why the page has no rating."""
        return self.report.error

    def findings(self) -> tuple[ReportedFinding, ...]:
        """Return the failed and warned findings, in the order in which to fix them."""
        return tuple(finding for finding in self.report.findings if finding.has_problem)

    def rows(self) -> tuple["AuditFindingRow", ...]:
        """Return the results of all checks as rows."""
        return tuple(AuditFindingRow.of(self.url, finding) for finding in self.report.findings)

    def to_pandas(self) -> Any:
        """Return the results of all checks as a pandas data frame. Raises PackageMissing."""
        return pandas_frame(table_of("findings", AuditFindingRow, self.rows()))

    def to_arrow(self) -> Any:
        """Return the results of all checks as a pyarrow table. Raises PackageMissing."""
        return arrow_table(table_of("findings", AuditFindingRow, self.rows()))

    def _repr_html_(self) -> str:
        rated = f"{self.rating.value}, {self.score} of 100" if self.rating else self.error.code.words if self.error else "no rating"
        rows = ((finding.verdict.value, finding.summary(), finding.gain) for finding in self.findings()[:SHOWN_ROWS])
        return html_line(f"{self.url}: {rated}") + html_table(("verdict", "finding", "gain"), rows)


class AuditFindingRow(Struct, frozen=True):
    """Result of a check of an audited page."""

    url: str
    """URL of the page."""
    check_id: str
    """Id of the check."""
    category: str
    """Category of the check."""
    verdict: str
    """Verdict: passed, warned, failed, inapplicable, unknown or info."""
    summary: str
    """Finding in a sentence, in English."""
    gain: int | None
    """Points that the score gains by the fix after those listed before it."""

    @staticmethod
    def of(url: str, finding: ReportedFinding) -> "AuditFindingRow":
        """Return the row of a finding."""
        return AuditFindingRow(url, finding.id, finding.category, finding.verdict.value, finding.summary(), finding.gain)


class QueryError(FindableError):
    """Error for a question that cannot be answered: wrong SQL, a forbidden table, a limit."""


class QueryRows(Struct, frozen=True):
    """Rows that answer a question; iterating yields tuples."""

    columns: tuple[str, ...]
    rows: "tuple[tuple[Cell, ...], ...]"
    is_cut: bool
    """Whether there are more rows than the limits allow."""

    def __iter__(self) -> "Iterator[tuple[Cell, ...]]":
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> Any:
        """Return the rows as a pandas data frame. Raises PackageMissing."""
        return library("pandas").DataFrame(list(self.rows), columns=list(self.columns))

    def to_arrow(self) -> Any:
        """Return the rows as a pyarrow table. Raises PackageMissing."""
        pa = library("pyarrow")
        cells = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.columns)
        return pa.table([pa.array(column) for column in cells], names=list(self.columns))

    def _repr_html_(self) -> str:
        more = f"{len(self):,} rows{', cut at the limit' if self.is_cut else ''}"
        return html_table(self.columns, self.rows[:SHOWN_ROWS]) + html_line(more)


class Crawl:
    """Crawl in its file. Each method opens the file and closes it again.

    Args:
        path: file that `findable crawl` or `api.crawl` has written. Raises SettingError if it has no crawl.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._opened() as (file, state):
            self.url = state.settings.start_url
            self.has_ended = state.phase.has_results
            self.counts = file.counts()
            self.imported = state.settings.imported
            self.started_at = state.started_at
            self.name = file.stem
        self._report: SiteReport | None = None

    @property
    def report(self) -> "SiteReport":
        """Report of the site, with its findings and scores."""
        if self._report is None:
            from findable.service.crawls.crawl_run import report_of_crawl

            with self._opened(needs_end=True) as (file, state):
                self._report = report_of_crawl(file, state)
        return self._report

    @property
    def score(self) -> int | None:
        """Score of the site from 0 to 100; None without a rating."""
        return self.report.score

    @property
    def rating(self) -> Rating | None:
        """Rating good, decent or bad; None without one."""
        return self.report.result

    def findings(self) -> "tuple[SiteFinding, ...]":
        """Return the findings by cause, the most harmful first."""
        return self.report.findings

    def pages(self, selection: PageSelection | None = None) -> Iterator[PageRow]:
        """Yield the requested URLs, all or those that filters select."""
        from findable.store.page_lists import PageLists

        with self._opened() as (file, state), file.reading() as connection:
            yield from PageLists(connection, state).each(selection or PageSelection())

    def table(self, name: str) -> Iterator[Struct]:
        """Yield the rows of a table, named as in the reference: links, redirects, images."""
        from findable.store.table_rows import CrawlTables

        table = _table_of(name)
        with self._opened(needs_end=table.needs_end) as (file, state), file.reading() as connection:
            yield from CrawlTables(connection, state).rows(table, PageSelection())

    def query(self, sql: str, /, **params: "Cell") -> QueryRows:
        """Return the answer to a SELECT statement over the documented tables. Raises QueryError."""
        return query_crawls([self], sql, **params)

    def ask(self, question: str, /, **params: "Cell") -> QueryRows:
        """Return the answer to a named question. Raises QueryError."""
        return query_crawls([self], "", question, **params)

    def changes(self, earlier: "Crawl") -> "CrawlComparison":
        """Return what has changed since an earlier crawl of the site, with up to 200 pages of each kind; this file stores it."""
        from findable.crawl.start_origins import public_origins
        from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls, with_examples

        with earlier._opened(needs_end=True) as before, self._opened(needs_end=True, is_written=True) as after:  # noqa: SLF001 - its own class
            stored = compare_crawls(StoredCrawl(*before), StoredCrawl(*after), public_origins(before[1], after[1]))
            return with_examples(after[0], stored)

    def to_pandas(self, table: str = "pages") -> Any:
        """Return a table as a pandas data frame. Raises PackageMissing."""
        return pandas_frame(table_of(table, _table_of(table).row, self.table(table)))

    def to_arrow(self, table: str = "pages") -> Any:
        """Return a table as a pyarrow table. Raises PackageMissing."""
        return arrow_table(table_of(table, _table_of(table).row, self.table(table)))

    @contextmanager
    def _opened(self, *, needs_end: bool = False, is_written: bool = False) -> "Iterator[tuple[CrawlFile, CrawlState]]":
        from findable.store.crawl_file import CrawlFile
        from findable.store.crawl_store import CrawlStoreError

        try:
            file = CrawlFile(self.path, read_only=not is_written)
        except CrawlStoreError as error:
            raise SettingError("crawl", str(error)) from error
        try:
            state = file.state()
            if state is None or (needs_end and not state.phase.has_results):
                raise SettingError("crawl", f"{self.path} has no {'crawl' if state is None else 'results before the crawl ends'}")
            yield file, state
        finally:
            file.close()

    def _repr_html_(self) -> str:
        if not self.has_ended:
            return html_line(f"{self.url}: the crawl has not ended")
        report = self.report
        rated = f"{report.result.value}, {report.score} of 100" if report.result else "no rating"
        rows = ((item.verdict.value, item.summary(), item.pages_count) for item in report.findings[:SHOWN_ROWS])
        return html_line(f"{self.url}: {rated}, {self.counts.done:,} URLs") + html_table(("verdict", "finding", "pages"), rows)


def query_crawls(crawls: Sequence[Crawl], sql: str = "", question: str = "", /, **params: "Cell") -> QueryRows:
    """Return the answer to a SELECT statement, or to a named question, about crawls. Raises QueryError.

    Tables of several crawls begin with the columns ``crawl``, the name of the file, and ``crawled_at``.
    """
    from findable.service.crawls.crawl_questions import PROGRAM_LIMITS, AskedCrawl, answer_of, answer_of_several, asked, write_table
    from findable.store.crawl_url_data import NO_DATA

    def asked_crawl(crawl: Crawl) -> AskedCrawl:
        def provide(name: str, path: Path, ends_s: float) -> None:
            with crawl._opened() as opened:  # noqa: SLF001 - a class of this module
                write_table(*opened, NO_DATA, name, path, ends_s)

        return AskedCrawl(crawl.name, crawl.started_at, provide)

    try:
        wanted = asked(sql, question, params)
        if len(crawls) == 1:
            with crawls[0]._opened() as opened:  # noqa: SLF001 - a class of this module
                found: Answer = answer_of(*opened, wanted, PROGRAM_LIMITS)
        else:
            with TemporaryDirectory(prefix="findable-") as folder:
                found = answer_of_several(list(map(asked_crawl, crawls)), wanted, PROGRAM_LIMITS, Path(folder))
    except ValidationFailed as error:
        raise QueryError(str(error)) from error
    return QueryRows(found.columns, found.rows, found.is_cut)


def _table_of(name: str) -> CrawlTable:
    """Return a table by its name. Raises SettingError."""
    for table in CrawlTable:
        if table.value == name.replace("_", "-"):
            return table
    raise SettingError("table", f"there is no table {name}; tables: {', '.join(CrawlTable)}")
