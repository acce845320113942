"""Questions in SQL about crawls: answered by a separate process from files with only the documented tables that they name."""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct

from findable import sandbox
from findable.clock import monotonic_s, rfc3339
from findable.crawl.exported_table import ExportedTable, in_batches
from findable.crawl.page_selection import PageSelection
from findable.crawl.questions import PROJECT_QUESTIONS, QUESTIONS
from findable.crawl.state import CrawlState
from findable.crawl.tables import TableColumn
from findable.errors import RateLimited, ValidationFailed
from findable.monitor.site_alert_conditions import QuestionCount
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading
from findable.service.crawls import crawls, site_hits
from findable.service.crawls.crawl_access import OpenCrawl, open_crawl
from findable.service.crawls.crawl_views import crawl_view
from findable.service.crawls.uploaded_metrics import data_of
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.runtime.table_files import TableKey
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlQuery, CrawlView
from findable.store.crawl_store import CrawlStore
from findable.store.crawl_url_data import NO_DATA, DataColumns
from findable.store.question_files import QUERY_TABLES, TooManyRows, stack_query_tables, tables_in, write_query_rows, write_query_table
from findable.store.question_process import MAX_TABLES, Answer, Cell, Statement
from findable.store.table_exports import TableExports
from findable.wording import Message, later

_log = logging.getLogger(__name__)
PROCESS = "findable.store.question_process:answer"
MEMORY_BYTES = 1024**3
"""Address space of the process; SQLite itself may use less."""
STARTING_S = 30.0
"""Time for starting the process on a busy machine, in addition to the time of the question, after which it ends itself."""
AT_ONCE = 2
RETRY_S = 5
MAX_CRAWLS = 10
"""Number of crawls of a project whose tables a question reads."""
PARAM = "param."
"""Beginning of the names of parameters in the query of a page or a saved view."""
_FAILURES: Mapping[str, str] = {
    "time": later("The question took longer than %(seconds)s seconds: ask for less, or of fewer rows."),
    "memory": later("The question needs too much memory: select fewer columns, or sort fewer rows."),
    "forbidden": later("A question may read the documented tables only: %(detail)s."),
    "sql": later("SQLite: %(detail)s."),
}
_UNSETTLED = later("The table %(table)s is available after the crawl.")
_NO_CRAWLS = later("The project has no finished crawl.")
_TOO_LARGE = later("The tables of this question are too large here: name fewer tables, or ask one crawl.")
_TOO_MANY_TABLES = Message(later("A question may read at most %(most)s tables."), most=MAX_TABLES)
_TOO_MANY = later("Other questions are being answered.")
_NO_QUESTION = later("There is no question with this name. Available questions: %(names)s.")
_EITHER = later("Send either the sql field or the question field.")
_turns = threading.BoundedSemaphore(AT_ONCE)
_asking: set[int] = set()
"""Accounts with a question that is being answered."""


class SqlQuestion(Struct, frozen=True):
    """Statement with the values of its parameters."""

    sql: str
    params: Mapping[str, Cell] = {}


class QuestionLimits(Struct, frozen=True):
    """Limits of a question."""

    seconds: float = 5.0
    """Time of the statement."""
    tables_s: float = 40.0
    """Time for writing the tables."""
    rows: int = 10_000
    answer_bytes: int = 5_000_000


PROGRAM_LIMITS = QuestionLimits(seconds=60.0, tables_s=600.0, rows=1_000_000, answer_bytes=200_000_000)
"""Limits of `findable query` and `findable.api`."""
LIMITS = QuestionLimits()


class AskedCrawl(Struct, frozen=True):
    """Crawl whose tables a question reads.

    Args:
        crawl: value of the column `crawl` in tables of several crawls: id in a service, or name of the file.
        started_at: value of the column `crawled_at`.
        provide: writes a table, or links its stored file, to a path before a time; called once for each table that the question names.
    """

    crawl: int | str
    started_at: str
    provide: Callable[[str, Path, float], None]


def ask(service: Service, caller: Caller, crawl_id: int, question: SqlQuestion) -> Answer:
    """Return the answer to a question about a crawl of the caller's account.

    Raises NotFound, RateLimited, and ValidationFailed for a wrong question.
    """
    with open_crawl(service, caller, crawl_id) as handle, _turn(caller.account_id):
        _record(service, caller, AuditAction.CRAWL_ASKED, handle.crawl.url, question)
        return _answer_of_service(service, handle, question)


def ask_project(service: Service, caller: Caller, project: str, question: SqlQuestion) -> Answer:
    """Return the answer to a question about the newest crawls of a project, like `ask`.

    Their tables begin with the columns `crawl` and `crawled_at`.
    """
    found = crawls_of(service, caller, project)
    with _turn(caller.account_id), service.table_files.folder() as folder:
        _record(service, caller, AuditAction.PROJECT_ASKED, project, question)
        return answer_of_several([_crawl_of_project(service, caller, crawl) for crawl in found], question, LIMITS, folder)


def answer_of_several(crawls: Sequence[AskedCrawl], question: SqlQuestion, limits: QuestionLimits, folder: Path) -> Answer:
    """Return the answer to a question about several crawls, whose tables are stacked in an empty folder. Raises ValidationFailed.

    The statement is tried on tables without rows first, and all tables together are written within one time limit.
    """
    require_valid(question, is_stacked=True)

    def provide(name: str, path: Path, ends_s: float) -> None:
        files = [(one.crawl, one.started_at, folder / f"{name}-{at}.sqlite") for at, one in enumerate(crawls)]
        for one, (_, _, file) in zip(crawls, files, strict=True):
            one.provide(name, file, ends_s)
        stack_query_tables(path, name, files, ends_s)
        for _, _, file in files:
            file.unlink()

    return _answer(question, limits, folder, provide)


def _crawl_of_project(service: Service, caller: Caller, crawl: CrawlView) -> AskedCrawl:
    def provide(name: str, path: Path, ends_s: float) -> None:
        with open_crawl(service, caller, crawl.id) as handle:
            _provide_table(service, handle, data_of(service, handle), name, path, ends_s)

    return AskedCrawl(crawl.id, rfc3339(crawl.started_at or crawl.created_at), provide)


def _record(service: Service, caller: Caller, action: AuditAction, subject: str, question: SqlQuestion) -> None:
    with service.store.write() as session:
        audit_log.record(session, caller, action, subject, sql=question.sql)


def crawls_of(service: Service, caller: Caller, project: str) -> Sequence[CrawlView]:
    """Return the newest crawls with results of a project. Raises NotFound for an unknown project, ValidationFailed if it has none."""
    with reading(service, caller) as session:
        owned_project(session, caller, project)
    page = crawls.find(service, caller, CrawlQuery(project=project, per_page=50))
    found = [crawl for crawl in page.items if crawl.has_results and crawl.score is not None and not crawl.is_list][:MAX_CRAWLS]
    if not found:
        raise ValidationFailed({"sql": [_NO_CRAWLS]})
    return found


def answer_of(store: CrawlStore, state: CrawlState, question: SqlQuestion, limits: QuestionLimits) -> Answer:
    """Return the answer to a question about the crawl of a file. Raises ValidationFailed."""
    with TemporaryDirectory(prefix="findable-") as folder:
        return _answer(question, limits, Path(folder), partial(write_table, store, state, NO_DATA))


def require_valid(question: SqlQuestion, *, is_stacked: bool) -> None:
    """Raise ValidationFailed for a statement that no crawl could answer, or no stacked crawls; it is tried on tables without rows."""

    def provide(name: str, path: Path, ends_s: float) -> None:
        if is_stacked:
            stack_query_tables(path, name, (), ends_s)
        else:
            write_query_rows(path, name, ())

    with TemporaryDirectory(prefix="findable-") as folder:
        _answer(question, LIMITS, Path(folder), provide)


def _answer(question: SqlQuestion, limits: QuestionLimits, folder: Path, provide: Callable[[str, Path, float], None]) -> Answer:
    """Return the answer from the tables that the question names, which are written to an empty folder. Raises ValidationFailed.

    ``provide`` writes a table, or links its stored file, to a path before a time.
    """
    paths = {name: folder / f"{name}.sqlite" for name in _tables_of(question)}
    ends_s = monotonic_s() + limits.tables_s
    for name, path in paths.items():
        try:
            provide(name, path, ends_s)
        except TooManyRows as error:
            raise ValidationFailed({"sql": [_TOO_LARGE]}) from error
    return _run(question, paths, limits)


def counts_of_watched(service: Service, crawl_id: int, store: CrawlStore, state: CrawlState) -> tuple[QuestionCount, ...]:
    """Return the number of rows of each question about the crawls of its project that a saved view watches."""
    with service.store.read() as session:
        row = session.crawls.by_id(crawl_id)
        views = session.views.watched(row.project_id) if row is not None else []
    if row is None or not views:
        return ()
    handle = OpenCrawl(crawl_view(row, service.crawl_events), store, state)
    return tuple(QuestionCount(view.id, view.name, view.most or 0, _count(service, handle, view.query)) for view in views)


def _count(service: Service, handle: OpenCrawl, query: str) -> int | None:
    """Return the number of rows of a watched question, at most the limit of rows; None if it was not answered."""
    try:
        return len(_answer_of_service(service, handle, question_of(dict(parse_qsl(query)))).rows)
    except ValidationFailed as error:
        _log.warning("a watched question about crawl %d was not answered: %s", handle.crawl.id, error.errors)
        return None


def question_of(query: Mapping[str, str]) -> SqlQuestion:
    """Return the question in the query of a page or a saved view: ``sql`` or ``question``, and ``param.NAME``. Raises ValidationFailed."""
    params = {name.removeprefix(PARAM): text for name, text in query.items() if name.startswith(PARAM)}
    return asked(query.get("sql", ""), query.get("question", ""), params)


def asked(sql: str, name: str, params: Mapping[str, Cell]) -> SqlQuestion:
    """Return a statement, or the question with a name; parameters may have been sent as texts. Raises ValidationFailed."""
    if bool(sql.strip()) == bool(name):
        raise ValidationFailed({"sql": [_EITHER]})
    values = {key: value_of(value) if isinstance(value, str) else value for key, value in params.items()}
    if not name:
        return SqlQuestion(sql, values)
    known = {**QUESTIONS, **PROJECT_QUESTIONS}
    if name not in known:
        raise ValidationFailed({"question": [Message(_NO_QUESTION, names=", ".join(known))]})
    return SqlQuestion(known[name].sql, {**known[name].params, **values})


def answer_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> ExportedTable:
    """Return an answer as a table to write to a file; a column of SQLite may mix numbers and texts, and is text then."""
    kinds = [{type(row[at]) for row in rows} - {type(None)} for at in range(len(columns))]
    types = ["integer" if kind == {int} else "number" if kind and kind <= {int, float} else "text" for kind in kinds]
    names = [name if name not in columns[:at] else f"{name}_{at + 1}" for at, name in enumerate(columns)]
    declared = tuple(TableColumn(name, type_, is_nullable=True, meaning="") for name, type_ in zip(names, types, strict=True))
    cells = (
        tuple(str(cell) if type_ == "text" and cell is not None else cell for cell, type_ in zip(row, types, strict=True)) for row in rows
    )
    return ExportedTable("answer", declared, in_batches(cells))


def value_of(text: str) -> Cell:
    """Return a parameter that was sent as text: a number if it looks like one."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _answer_of_service(service: Service, handle: OpenCrawl, question: SqlQuestion) -> Answer:
    with service.table_files.folder() as folder:
        return _answer(question, LIMITS, folder, partial(_provide_table, service, handle, data_of(service, handle)))


@contextmanager
def _turn(account_id: int) -> Iterator[None]:
    """Wait for nothing: raise RateLimited while the account has a question, or while AT_ONCE questions are being answered."""
    with ExitStack() as stack:
        if account_id in _asking or not _turns.acquire(blocking=False):
            raise RateLimited(_TOO_MANY, retry_after_s=RETRY_S)
        stack.callback(_turns.release)
        _asking.add(account_id)
        stack.callback(_asking.discard, account_id)
        yield


def _tables_of(question: SqlQuestion) -> list[str]:
    names = tables_in(question.sql)
    if len(names) > MAX_TABLES:
        raise ValidationFailed({"sql": [_TOO_MANY_TABLES]})
    return names


def _provide_table(service: Service, handle: OpenCrawl, data: DataColumns, name: str, path: Path, ends_s: float) -> None:
    """Link the file of a table from an earlier question, or write it; uploaded numbers and running crawls change."""
    write = partial(write_table, handle.store, handle.state, data, name, ends_s=ends_s)
    if name == "numbers" or not handle.state.phase.has_results:
        write(path)
    else:
        logs = site_hits.version(service, handle.crawl.project_id) if name == "bot_hits" else ""
        key = TableKey(handle.crawl.project_id, handle.crawl.id, f"{handle.crawl.etag}{logs}", name)
        service.table_files.provide(key, path, write)


def write_table(store: CrawlStore, state: CrawlState, data: DataColumns, name: str, path: Path, ends_s: float) -> None:
    """Write a table of a crawl to a new file. Raises TooManyRows if it is not written in time, ValidationFailed if it needs the end."""
    if QUERY_TABLES[name].needs_end and not state.phase.has_results:
        raise ValidationFailed({"sql": [Message(_UNSETTLED, table=name)]})
    with store.reading() as connection:
        exported = TableExports(connection, state, "", data).table(QUERY_TABLES[name], PageSelection())
        write_query_table(path, exported, name, ends_s)


def _run(question: SqlQuestion, paths: Mapping[str, Path], limits: QuestionLimits) -> Answer:
    files = {name: str(path) for name, path in paths.items()}
    statement = Statement(question.sql, dict(question.params), files, limits.seconds, limits.rows, limits.answer_bytes)
    bounds = sandbox.Limits(limits.seconds + STARTING_S, MEMORY_BYTES, 2 * limits.answer_bytes)
    try:
        found = msgspec.json.decode(sandbox.run(PROCESS, msgspec.json.encode(statement), bounds), type=Answer)
    except (sandbox.Crashed, sandbox.Rejected) as error:
        _log.warning("a question was not answered: %s", error)
        found = Answer(failure="memory")
    if found.failure:
        detail = found.detail.rstrip(".")
        raise ValidationFailed({"sql": [Message(_FAILURES[found.failure], detail=detail, seconds=f"{limits.seconds:g}")]})
    return found
