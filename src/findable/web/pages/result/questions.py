"""Form of questions in SQL about one crawl or the crawls of a project, with their answers."""

import re
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable.capture.status_classes import OK
from findable.crawl.questions import PARAMETER_TITLES, NamedQuestion
from findable.errors import NotFound, RateLimited, RequestError
from findable.export.table_files import TableFormat, table_file
from findable.service.accounts import saved_views
from findable.service.accounts.permissions import may
from findable.service.accounts.saved_views import MAX_NAME_CHARS, MAX_QUERY_CHARS, ListName
from findable.service.crawls.crawl_questions import PARAM, SqlQuestion, answer_table, question_of
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.store.question_files import QUERY_TABLES, query_columns
from findable.store.question_process import Answer, Cell
from findable.web.api.view_routes import OVER, filters_of
from findable.web.pages.shared.attachments import SANDBOX, attachment
from findable.web.pages.shared.form_fields import Choice, problem_of
from findable.web.pages.shared.number_words import number_words
from findable.web.pages.shared.problem_words import all_errors
from findable.wording import Translator

SHOWN = 200
"""Number of rows on a page; files contain all rows of the answer."""
_PARAMETER = re.compile(r"(?<![\w:]):([A-Za-z_]\w*)")
_NUMBERS_OF_THINGS = frozenset({"n", "source", "target", "crawl", "group"})
"""Columns whose numbers identify something and are not formatted."""
_URLS = frozenset({"url", "source_url", "target_url", "page", "end_url", "canonical"})


class AnswerCell(Struct, frozen=True):
    """Cell of an answer."""

    text: str
    href: str = ""
    """URL of the page in the list of crawled pages; empty without one."""


class QuestionForm(Struct, frozen=True, kw_only=True):
    """Questions with names, the asked question, and its answer."""

    action: str
    choices: tuple[Choice, ...]
    """Named questions, the most wanted first."""
    views: tuple[Choice, ...]
    """Saved questions of the project."""
    title: str
    """Words of the asked named question; empty for a statement."""
    name: str
    fields: tuple[tuple[str, str, str], ...]
    """Parameters of the statement: name and title of the field, and value."""
    sql: str
    longest: int = MAX_QUERY_CHARS - 100
    problem: str
    """Reason why there is no answer; empty otherwise."""
    is_asked: bool
    columns: tuple[str, ...] = ()
    lines: tuple[tuple[AnswerCell, ...], ...] = ()
    total: str = ""
    """Number of rows in words."""
    files: tuple[Choice, ...] = ()
    save: Mapping[str, str] | None = None
    """Fields of the form that saves the question; None for people who cannot save it, and for a saved one."""
    longest_name: int = MAX_NAME_CHARS
    tables: tuple[tuple[str, str], ...]
    """Tables that a statement may read, with their columns."""


class QuestionPlace(Struct, frozen=True):
    """Page on which questions are asked.

    Args:
        service: the service.
        caller: person who asks.
        project: name of the project.
        path: path of the page.
        public_id: public id of the crawl; empty for the crawls of the project.
        known: named questions.
        ask: answers a question. Raises ValidationFailed, RateLimited.
    """

    service: Service
    caller: Caller
    project: str
    path: str
    public_id: str
    known: Mapping[str, NamedQuestion]
    ask: Callable[[SqlQuestion], Answer]

    @property
    def query(self) -> Mapping[str, str]:
        """Parameters of the queries of saved views for this page."""
        return {} if self.public_id else {OVER: "crawls"}


def question_form(place: QuestionPlace, query: Mapping[str, str], say: Translator) -> tuple[QuestionForm, int]:
    """Return the form with the answer to the question of the query, and the status of the page."""
    given = {name: value for name, value in filters_of(ListName.QUESTIONS, query).items() if name != OVER}
    name, problem, status, answer = given.get("question", ""), "", OK, None
    known = place.known.get(name)
    sql = known.sql if known else given.get("sql", "")
    if "sql" in given or "question" in given:
        try:
            answer = place.ask(question_of(given))
        except RequestError as error:
            problem, status = problem_of(error, say) if isinstance(error, RateLimited) else all_errors(error, say), error.status
    values = {**(known.params if known else dict.fromkeys(_PARAMETER.findall(sql), "")), **_params(given)}
    saved_query = {**given, **place.query}
    views = tuple(_saved(place, saved_query))
    can_save = answer is not None and may(place.caller, MEMBER) and not any(one.is_chosen for one in views)
    more = () if place.public_id else ("crawl", "crawled_at")
    form = QuestionForm(
        action=place.path,
        choices=tuple(
            Choice(key, say(one.title), key == name, f"{place.path}?{urlencode({'question': key})}#answer")
            for key, one in place.known.items()
        ),
        views=views,
        title=say(known.title) if known else "",
        name=name if known else "",
        fields=tuple((f"{PARAM}{key}", say(PARAMETER_TITLES.get(key, key)), str(value)) for key, value in values.items()),
        sql=sql,
        problem=problem,
        is_asked=answer is not None,
        save={"query": urlencode(saved_query), "project": place.project, "at": place.public_id} if can_save else None,
        tables=tuple((table, ", ".join((*more, *(one.name for one in query_columns(of))))) for table, of in QUERY_TABLES.items()),
    )
    return form if answer is None else _answered(form, answer, place, given, say), status


def answer_file(place: QuestionPlace, query: Mapping[str, str], file_name: str) -> Response:
    """Return the answer to the question of the query as a file; ``format`` as in exports. Raises the errors of `QuestionPlace.ask`."""
    format_ = next((one for one in TableFormat if one == query.get("format", "csv") and one.is_available), None)
    if format_ is None:
        raise NotFound
    answer = place.ask(question_of(filters_of(ListName.QUESTIONS, query)))
    headers = {**attachment(f"{file_name}.{format_}"), "Content-Security-Policy": SANDBOX, "Cache-Control": "private, no-store"}
    pieces = table_file(answer_table(answer.columns, answer.rows), format_)
    return Response(b"".join(pieces), media_type=format_.media_type, headers=headers)


def _params(given: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(PARAM): value for name, value in given.items() if name.startswith(PARAM)}


def _saved(place: QuestionPlace, now: Mapping[str, str]) -> list[Choice]:
    """Return the saved questions of the project for this page."""
    found = []
    for view in saved_views.find(place.service, place.caller, ListName.QUESTIONS):
        saved = dict(parse_qsl(view.query))
        if view.project == place.project and (OVER in saved) == bool(place.query):
            found.append(Choice(str(view.id), view.name, saved == now, f"{place.path}?{view.query}#answer"))
    return found


def _answered(form: QuestionForm, answer: Answer, place: QuestionPlace, given: Mapping[str, str], say: Translator) -> QuestionForm:
    count = len(answer.rows)
    total = say.plural("%(count)s row", "%(count)s rows", count)
    if answer.is_cut:
        total = say("the first %(rows)s, and there are more", rows=total)
    if count > SHOWN:
        total = say("%(rows)s; the first %(shown)s are shown, files contain all", rows=total, shown=say.number(SHOWN))
    files = (
        Choice(one.value, one.label, is_chosen=False, href=f"{place.path}/export?{urlencode({**given, 'format': one.value})}")
        for one in TableFormat
        if one.is_available
    )
    lines = (tuple(_cell(name, cell, place, say) for name, cell in zip(answer.columns, row, strict=True)) for row in answer.rows[:SHOWN])
    return replace(form, columns=answer.columns, lines=tuple(lines), total=total, files=tuple(files))


def _cell(name: str, cell: Cell, place: QuestionPlace, say: Translator) -> AnswerCell:
    if isinstance(cell, int | float):
        return AnswerCell(str(cell) if name in _NUMBERS_OF_THINGS else number_words(cell, say))
    if cell and name in _URLS and place.public_id and cell.startswith(("http://", "https://")):
        return AnswerCell(cell, f"/s/{place.public_id}/pages?{urlencode({'search': cell})}#list")
    return AnswerCell(cell or "")
