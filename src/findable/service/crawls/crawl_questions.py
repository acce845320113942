"""Questions in SQL about a crawl: answered by a separate process from a temporary file with only the documented tables that they name."""

import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from findable import sandbox
from findable.crawl.questions import QUESTIONS
from findable.crawl.state import CrawlState
from findable.errors import ValidationFailed
from findable.service.crawls.crawl_access import open_crawl
from findable.service.crawls.uploaded_metrics import data_of
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.store.crawl_store import CrawlStore
from findable.store.crawl_tables import CrawlTables
from findable.store.crawl_url_data import NO_DATA, DataColumns
from findable.store.query_process import Answer, Cell, Statement
from findable.store.query_tables import TooManyRows, tables_in, write_query_tables
from findable.wording import Message, later

_log = logging.getLogger(__name__)
PROCESS = "findable.store.query_process:answer"
MEMORY_BYTES = 1024**3
"""Address space of the process; SQLite itself may use less."""
STARTING_S = 30.0
"""Time for starting the process on a busy machine, in addition to the time of the question, after which it ends itself."""
AT_ONCE = 2
_FAILURES: Mapping[str, str] = {
    "time": later("The question took longer than %(seconds)s seconds: ask for less, or of fewer rows."),
    "memory": later("The question needs too much memory: select fewer columns, or sort fewer rows."),
    "forbidden": later("A question may read the documented tables only: %(detail)s."),
    "sql": later("SQLite: %(detail)s."),
}
_UNSETTLED = later("This is available after the crawl.")
_TOO_LARGE = later("The tables of this crawl are too large for a question here.")
_TOO_MANY = later("Other questions are being answered. Try again in a moment.")
_NO_QUESTION = later("There is no question with this name. Available questions: %(names)s.")
_turns = threading.BoundedSemaphore(AT_ONCE)


class QuestionLimits(Struct, frozen=True):
    """Limits of a question."""

    seconds: float = 5.0
    """Time of the statement."""
    tables_s: float = 20.0
    """Time for writing the tables."""
    rows: int = 10_000
    answer_bytes: int = 5_000_000


PROGRAM_LIMITS = QuestionLimits(seconds=60.0, tables_s=600.0, rows=1_000_000, answer_bytes=200_000_000)
"""Limits of `findable query` and `findable.api`."""


def ask(service: Service, caller: Caller, crawl_id: int, sql: str, params: Mapping[str, Cell]) -> Answer:
    """Return the answer to a question about a crawl of the caller's account. Raises NotFound, and ValidationFailed for a wrong question."""
    with open_crawl(service, caller, crawl_id) as handle:
        if not _turns.acquire(blocking=False):
            raise ValidationFailed({"sql": [_TOO_MANY]})
        try:
            return answer_of(handle.store, handle.state, sql, params, QuestionLimits(), data_of(service, handle))
        finally:
            _turns.release()


def ask_text(service: Service, caller: Caller, crawl_id: int, sql: str, question: str, params: Mapping[str, str]) -> Answer:
    """Return the answer to a statement, or to a named question, with parameters as texts, like `ask`."""
    if bool(sql) == bool(question):
        raise ValidationFailed({"sql": [later("Send either the sql field or the question field.")]})
    values = {name: value_of(text) for name, text in params.items()}
    return ask(service, caller, crawl_id, *(named(question, values) if question else (sql, values)))


def answer_of(
    store: CrawlStore, state: CrawlState, sql: str, params: Mapping[str, Cell], limits: QuestionLimits, data: DataColumns = NO_DATA
) -> Answer:
    """Return the answer to a question about a settled crawl. Raises ValidationFailed."""
    if not state.phase.has_results:
        raise ValidationFailed({"sql": [_UNSETTLED]})
    names = tables_in(sql)
    with TemporaryDirectory(prefix="findable-") as folder:
        path = Path(folder) / "tables.sqlite"
        try:
            with store.reading() as connection:
                write_query_tables(path, CrawlTables(connection, state, data), names, limits.tables_s)
        except TooManyRows as error:
            raise ValidationFailed({"sql": [_TOO_LARGE]}) from error
        question = Statement(str(path), sql, dict(params), tuple(names), limits.seconds, limits.rows, limits.answer_bytes)
        found = _run(question)
    if found.failure:
        detail = found.detail.rstrip(".")
        raise ValidationFailed({"sql": [Message(_FAILURES[found.failure], detail=detail, seconds=f"{limits.seconds:g}")]})
    return found


def _run(question: Statement) -> Answer:
    bounds = sandbox.Limits(question.seconds + STARTING_S, MEMORY_BYTES, 2 * question.answer_bytes)
    try:
        return msgspec.json.decode(sandbox.run(PROCESS, msgspec.json.encode(question), bounds), type=Answer)
    except (sandbox.Crashed, sandbox.Rejected) as error:
        _log.warning("a question was not answered: %s", error)
        return Answer(failure="memory")


def value_of(text: str) -> Cell:
    """Return a parameter that was sent as text: a number if it looks like one."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def named(name: str, params: Mapping[str, Cell]) -> tuple[str, dict[str, Cell]]:
    """Return the SQL of a named question, and its parameters. Raises ValidationFailed for another name."""
    if name not in QUESTIONS:
        raise ValidationFailed({"question": [Message(_NO_QUESTION, names=", ".join(QUESTIONS))]})
    return QUESTIONS[name].sql, {**QUESTIONS[name].params, **params}
