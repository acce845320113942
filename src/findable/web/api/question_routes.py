"""Routes of questions in SQL about a crawl or the crawls of a project."""

from collections.abc import Callable
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import RateLimited
from findable.service.crawls import crawl_questions
from findable.store.question_process import MAX_SQL_BYTES, Answer
from findable.values import shape_of
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.validation import value_or


class QuestionAnswer(Struct, frozen=True):
    """Answer to a question about a crawl."""

    object: str
    columns: tuple[str, ...]
    """Names of the columns."""
    rows: tuple[tuple[str | int | float | None, ...], ...]
    """Rows, each with a value for each column."""
    is_cut: bool
    """Whether there are more rows than the limits allow."""


class CrawlQuestion(Struct, frozen=True):
    """Question about a crawl: a statement, or a name."""

    sql: Annotated[str, Meta(max_length=MAX_SQL_BYTES)] = ""
    """SELECT statement over the tables of the crawl."""
    question: Annotated[str, Meta(max_length=100)] = ""
    """Name of a question, instead of sql."""
    params: dict[str, str] | UnsetType = UNSET
    """Values of parameters by name; texts that look like numbers are numbers."""


@operation("POST", "/crawls/{id}/query", {200: Data[QuestionAnswer]}, RateLimited, reads_only=True, example={"question": "statuses"})
async def ask_crawl(call: Call, crawl: int, *, body: CrawlQuestion) -> Reply:
    """Ask a crawl in SQL.

    One read-only statement over the tables of the crawl, with at most 5 seconds, 10,000 rows and 5 MB; or a question by its name. While the
    crawl is running, some tables are not available. Each account has one question at a time.
    """
    return await _answer(call, crawl_questions.ask, crawl, body)


@operation(
    "POST", "/projects/{project}/query", {200: Data[QuestionAnswer]}, RateLimited, reads_only=True, example={"question": "crawls-pages"}
)
async def ask_project(call: Call, project: str, *, body: CrawlQuestion) -> Reply:
    """Ask the crawls of a project in SQL.

    Like POST /crawls/{id}/query, over the newest 10 crawls: the tables have two more columns, `crawl` and `crawled_at`.
    """
    return await _answer(call, crawl_questions.ask_project, project, body)


async def _answer(call: Call, ask: Callable[..., Answer], subject: int | str, body: CrawlQuestion) -> Reply:
    question = crawl_questions.asked(body.sql, body.question, value_or(body.params) or {})
    return Reply(shape_of(QuestionAnswer, await call.service.run(ask, call.caller, subject, question), object="answer"))
