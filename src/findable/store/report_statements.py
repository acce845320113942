"""SQL statements for reports: one row each, with a copy of the run values that lists show."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Select, and_, bindparam, case, delete, exists, func, insert, or_, select, update

from findable.store import search_index_sqlite, write_locks
from findable.store.dialect import read_rows
from findable.store.job_statements import Jobs
from findable.store.project_scores import ProjectScores
from findable.store.report_columns import AGAINST, ONE, VERDICT_PLACE
from findable.store.report_list_queries import (
    GATHERED,
    Plan,
    count_statement,
    has_both,
    has_two_ways,
    ids_statement,
    list_statement,
    list_values,
    needs_plan,
    plan_of,
    rating_keys,
)
from findable.store.rows import NEVER, RESULTS, NewRun, ReportRow, Selection
from findable.store.run_statements import Runs
from findable.store.schema.account_tables import account
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import DUPLICATE, FAILED_LAST, check_name, check_set, finding, report, run
from findable.store.statements import SharedRows
from findable.urls import project_name, subject_key
from findable.vocabulary import Verdict

_COUNT_PROJECT = update(project).where(project.c.id == bindparam("of")).values(reports=project.c.reports + bindparam("by"))
_COUNT_ACCOUNT = update(account).where(account.c.id == bindparam("of")).values(reports=account.c.reports + bindparam("by"))
_BUMP = (
    update(report)
    .where(report.c.id == bindparam("of_id"))
    .values(version=report.c.version + 1, updated_at=bindparam("now"))
    .returning(report.c.version)
)
_OF_ACCOUNT = select(
    account.c.reports,
    account.c.good,
    account.c.decent,
    account.c.bad,
    exists(select(project.c.id).where(project.c.account_id == account.c.id, project.c.deleted_at.is_not(None))).label("deleted"),
).where(account.c.id == bindparam("account"))
_OF_PROJECT = select(project.c.reports, project.c.good, project.c.decent, project.c.bad).where(project.c.id == bindparam("project"))
_PROJECT_OF_PAGE = (
    select(project.c.id)
    .where(project.c.account_id == bindparam("account"), project.c.name == bindparam("name"), project.c.deleted_at.is_(None))
    .scalar_subquery()
)
_OF_PAGE = (
    ONE.where(report.c.project_id == _PROJECT_OF_PAGE, report.c.subject == bindparam("subject"))
    .order_by(case((report.c.url == bindparam("url"), 0), else_=1), report.c.id.desc())
    .limit(1)
)
_UNMARK_PAGE = (
    update(report)
    .where(report.c.project_id == bindparam("of_project"), report.c.subject == bindparam("of_subject"), report.c.is_page == 1)
    .values(is_page=0)
)
_live = report.alias("live")
_MARK_PAGE = (
    update(report)
    .where(
        report.c.id
        == select(func.max(_live.c.id))
        .join(project, project.c.id == _live.c.project_id)
        .where(
            _live.c.project_id == bindparam("of_project"),
            _live.c.subject == bindparam("of_subject"),
            project.c.deleted_at.is_(None),
        )
        .scalar_subquery()
    )
    .values(is_page=1)
)
_UNRATED = {"generated_up": NEVER, "generated_down": 0, **rating_keys(None, None)}
_NO_RUN = dict.fromkeys(("run", "generated_at", "result", "score", "coverage", "check_set", "summary", "cap", "accepted_end"))
_NO_PREVIOUS = {"previous_report": None, "previous_run": None, "previous_result": None, "previous_score": None}


class _Matches(Struct, frozen=True):
    """Number of matches, and their ids if the query returned them."""

    total: int
    ids: str | None = None
    """Ids as a JSON list."""


class _Counters(NamedTuple):
    """Numbers of reports of an account or a project, in total and by rating."""

    reports: int = 0
    good: int = 0
    decent: int = 0
    bad: int = 0
    deleted: int = 0
    """Whether rows of deleted projects still exist; known for an account."""


def _counters(connection: Connection, statement: Select[Any], values: Mapping[str, Any]) -> _Counters:
    return next((_Counters(*row) for row in read_rows(connection, statement, values)), _Counters())


class Reports(SharedRows[ReportRow]):
    """SQL statements for reports, in one transaction."""

    row_type, table, rows = ReportRow, report, ONE.where(project.c.deleted_at.is_(None))

    def __init__(self, connection: Connection, not_asked: dict[int, tuple[str, ...]]) -> None:
        super().__init__(connection)
        self._not_asked = not_asked
        # Counters are read once, because all lists of a transaction use one snapshot.
        self._account: tuple[int, _Counters] | None = None
        self._last: tuple[tuple[Selection, int], _Matches] | None = None

    def add(self, row: dict[str, Any]) -> int:
        """Insert a report without a run and return its id; the keys of ``row`` are column names."""
        write_locks.lock_account(self._connection, row["account_id"])
        subject = subject_key(row["url"])
        self._connection.execute(_UNMARK_PAGE, {"of_project": row["project_id"], "of_subject": subject})
        values = {**_UNRATED, **row, "subject": subject}
        made = int(self._connection.execute(insert(report).returning(report.c.id), values).scalar_one())
        self._connection.execute(_COUNT_PROJECT, {"of": row["project_id"], "by": 1})
        self._connection.execute(_COUNT_ACCOUNT, {"of": row["account_id"], "by": 1})
        return made

    def of_page(self, account_id: int, url: str) -> ReportRow | None:
        """Return the newest report of a page (`urls.subject_key`), preferably with this form of the URL; None if there is none."""
        write_locks.lock_account(self._connection, account_id)
        values = {"account": account_id, "name": project_name(url), "subject": subject_key(url), "url": url}
        return self._first(ReportRow, _OF_PAGE, values)

    def set_page(self, project_id: int, url: str) -> None:
        """Mark the newest report of a page as the one that represents it."""
        for statement in (_UNMARK_PAGE, _MARK_PAGE):
            self._connection.execute(statement, {"of_project": project_id, "of_subject": subject_key(url)})

    def select(self, selection: Selection) -> list[ReportRow]:
        """Return one page of a list of reports."""
        selection = self._without_page_filter(selection)
        backwards = selection.position is not None and selection.position.backwards
        dialect, values = self._connection.dialect.name, self._values(selection)
        plan = Plan.CHOSEN_BY_SQLITE
        if dialect == "postgresql" and selection.search and not self._find_matches(selection, GATHERED + 1).total:
            return []  # the same candidates would be read again
        if needs_plan(dialect, selection):
            found = self._find_matches(selection, GATHERED + 1)
            plan = plan_of(selection, found.total, has_ids=found.ids is not None)
            if plan is Plan.GIVEN:
                values |= {"ids": found.ids}
        statement = list_statement(dialect, selection, is_deleted=self._has_deleted(selection.account_id), plan=plan)
        rows = [ReportRow(*row) for row in read_rows(self._connection, statement, values)]
        return rows[::-1] if backwards else rows

    def _values(self, selection: Selection) -> dict[str, Any]:
        """Return the parameters of the statements for a selection."""
        if not selection.check:
            return list_values(selection)
        found = select(check_name.c.id).where(check_name.c.name == selection.check)
        return list_values(selection, self._connection.execute(found).scalar())

    def count(self, selection: Selection, cap: int) -> int:
        """Count the selected reports: from the counters if possible, else up to ``cap``."""
        return self._find_matches(self._without_page_filter(selection), cap).total

    def _without_page_filter(self, selection: Selection) -> Selection:
        """Return the selection without its filter by page if every report represents its page."""
        if not selection.pages_only or self._duplicates(selection):
            return selection
        return replace(selection, pages_only=False)

    def _duplicates(self, selection: Selection) -> int:
        """Count the reports that do not represent their page, within the selected project and result."""
        statement = select(func.count()).select_from(report).where(report.c.account_id == selection.account_id, DUPLICATE)
        if selection.project_id is not None:
            statement = statement.where(report.c.project_id == selection.project_id)
        elif self._has_deleted(selection.account_id):
            deleted = select(project.c.id).where(project.c.account_id == selection.account_id, project.c.deleted_at.is_not(None))
            statement = statement.where(report.c.project_id.not_in(deleted))
        if selection.result is not None:
            statement = statement.where(report.c.result_up == RESULTS.index(selection.result) + 1)
        return int(self._connection.execute(statement).scalar_one())

    def _find_matches(self, selection: Selection, cap: int) -> _Matches:
        """Return the matches of a selection, found once for both a page of the list and the total."""
        key = (replace(selection, sort="id", descending=True, limit=0, offset=0, position=None), cap)
        if self._last is None or self._last[0] != key:
            self._last = (key, self._run_search(selection, cap))
        return self._last[1]

    def _run_search(self, selection: Selection, cap: int) -> _Matches:
        if selection.uses_counters:
            return _Matches(self._counted_total(selection))
        dialect, values = self._connection.dialect.name, self._values(selection) | {"cap": cap}
        deleted = self._has_deleted(selection.account_id)
        if dialect == "sqlite" and selection.search:  # a search scans all URLs, so ids and total come from one query
            some = self._search_candidates(selection)
            plan = Plan.CHOSEN_BY_SQLITE if some is None else Plan.PARTS
            statement = ids_statement(dialect, selection, is_deleted=deleted, plan=plan)
            return _Matches(*self._connection.execute(statement, values | {"ids": some}).one())
        if has_two_ways(dialect, selection) and self._is_rare(selection):
            statement = ids_statement(dialect, selection, is_deleted=deleted, plan=Plan.FINDINGS)
            return _Matches(*self._connection.execute(statement, values).one())
        return _Matches(int(self._connection.execute(count_statement(dialect, selection, is_deleted=deleted), values).scalar_one()))

    def _search_candidates(self, selection: Selection) -> str | None:
        """Return the candidates of a URL search (ids as a JSON list) if SQLite's search index finds few; else None."""
        parts = search_index_sqlite.parts_of(selection.search)
        if not parts or self._counted_total(replace(selection, result=None)) <= search_index_sqlite.FEW:
            return None
        if not search_index_sqlite.has_search_index(self._connection):
            return None
        return search_index_sqlite.candidates(self._connection, parts)

    def _is_rare(self, selection: Selection) -> bool:
        """Return whether the filter by verdict is at least as selective as the other filters of a selection."""
        most = self._counted_total(selection)
        alone = replace(selection, project_id=None, result=selection.result if has_both(selection) else None, status=None)
        statement = count_statement(self._connection.dialect.name, alone, is_deleted=False)
        return int(self._connection.execute(statement, self._values(alone) | {"cap": most + 1}).scalar_one()) <= most

    def _has_deleted(self, account_id: int) -> bool:
        return bool(self._account_counters(account_id).deleted)

    def _counted_total(self, selection: Selection) -> int:
        if selection.project_id is None:
            counters = self._account_counters(selection.account_id)
        else:
            counters = _counters(self._connection, _OF_PROJECT, {"project": selection.project_id})
        counted = int(getattr(counters, selection.result or "reports"))
        return counted - self._duplicates(selection) if selection.pages_only else counted

    def _account_counters(self, account_id: int) -> "_Counters":
        """Return the numbers of the account's reports; ``deleted`` says whether rows of deleted projects still exist."""
        if self._account is None or self._account[0] != account_id:
            self._account = (account_id, _counters(self._connection, _OF_ACCOUNT, {"account": account_id}))
        return self._account[1]

    def not_asked(self, check_sets: Iterable[int | None]) -> dict[int, tuple[str, ...]]:
        """Return the checks that were not run, by id of the check set."""
        missing = {number for number in check_sets if number is not None} - self._not_asked.keys()
        if missing:
            found = self._connection.execute(select(check_set.c.id, check_set.c.not_asked).where(check_set.c.id.in_(missing)))
            self._not_asked |= {number: tuple(json.loads(names)) for number, names in found}
        return self._not_asked

    def change(self, number: int, now: int, **values: Any) -> int:
        """Set columns of the report, increment its version and return it."""
        return int(self._connection.execute(_BUMP.values(**values), {"of_id": number, "now": now}).scalar_one())

    def show_run(self, row: ReportRow, number: int, new: NewRun, *, check_set_id: int, now: int, **values: Any) -> None:
        """Make the run the current one of the report; ``values`` are further columns (status, url, previous run)."""
        place = RESULTS.index(new.result) + 1 if new.result else 0
        self._change_rating(
            row,
            new.result,
            now,
            run=number,
            generated_at=new.finished_at,
            score=new.score,
            coverage=new.coverage,
            check_set=check_set_id,
            summary=new.summary_json,
            cap=new.cap,
            generated_up=new.finished_at,
            generated_down=new.finished_at,
            accepted_end=new.accepted_end,
            **(rating_keys(new.result, new.score) | _NO_PREVIOUS | values),
        )
        self._save_verdicts(row, new, place or None)

    def rate(self, row: ReportRow, result: str | None, score: int | None, now: int, **values: Any) -> None:
        """Give the report another rating than that of its shown run, or that one again; ``values`` are further columns."""
        self._change_rating(row, result, now, score=score, **(rating_keys(result, score) | values))
        place = RESULTS.index(result) + 1 if result else None
        against = (finding.c.report_id == row.id, finding.c.verdict.in_([VERDICT_PLACE[one] for one in AGAINST]))
        self._connection.execute(update(finding).where(*against).values(result=place))

    def away_since(self, since: int, until: int, codes: Collection[str], limit: int) -> list[int]:
        """Return the ids of some reports that are not rated 0, and whose page cannot be reached since a time in this range.

        ``codes``: codes of errors of pages that cannot be reached.
        """
        is_away = or_(*(report.c.last_error.startswith(f'{{"code":"{code}"', autoescape=True) for code in codes))
        found = select(report.c.id).where(FAILED_LAST, report.c.verdict_since.between(since, until), is_away)
        return list(self._connection.execute(found.order_by(report.c.verdict_since).limit(limit)).scalars())

    def clear_run(self, row: ReportRow, now: int, **values: Any) -> None:
        """Remove the current run from the report, for example after an error; ``values`` are further columns."""
        self._change_rating(row, None, now, **(_NO_RUN | _NO_PREVIOUS | _UNRATED | values))
        self._connection.execute(delete(finding).where(finding.c.report_id == row.id))

    def _change_rating(self, row: ReportRow, result: str | None, now: int, /, **values: Any) -> None:
        """Change columns of the report, with its rating in the totals of its project and account."""
        scores = ProjectScores(self._connection)
        before = scores.of_page(row.project_id, row.url)
        self.change(row.id, now, **(values | {"result": result}))
        self._count_result(row, result)
        scores.update_totals(row.project_id, row.url, before, now)

    def _count_result(self, row: ReportRow, result: str | None) -> None:
        if row.result == result:
            return
        for table, owner in ((project, row.project_id), (account, row.account_id)):
            values = {name: table.c[name] + by for name, by in ((row.result, -1), (result, 1)) if name}
            self._connection.execute(update(table).where(table.c.id == owner).values(**values))

    def _save_verdicts(self, row: ReportRow, new: NewRun, place: int | None) -> None:
        self._connection.execute(delete(finding).where(finding.c.report_id == row.id))
        shown_verdicts = {name: verdict for name, verdict in new.verdicts.items() if verdict is not Verdict.PASSED}
        if not shown_verdicts:
            return
        ids = dict(self._connection.execute(select(check_name.c.name, check_name.c.id)).all())
        owned = {"report_id": row.id, "account_id": row.account_id}
        rows = [
            {
                **owned,
                "check_id": ids[name],
                "verdict": VERDICT_PLACE[verdict],
                "result": place if verdict in AGAINST else None,
                "is_accepted": int(name in new.accepted),
            }
            for name, verdict in shown_verdicts.items()
        ]
        self._connection.execute(insert(finding), rows)

    def delete(self, row: ReportRow, now: int) -> None:
        """Delete the report with its runs, findings and job."""
        scores = ProjectScores(self._connection)
        before = scores.of_page(row.project_id, row.url)
        self._connection.execute(_COUNT_PROJECT, {"of": row.project_id, "by": -1})
        self._connection.execute(_COUNT_ACCOUNT, {"of": row.account_id, "by": -1})
        self._count_result(row, None)
        followers = report.c.project_id == row.project_id, report.c.subject == subject_key(row.url), report.c.previous_report == row.id
        self._connection.execute(update(report).where(*followers).values(**_NO_PREVIOUS, version=report.c.version + 1))
        self.remove([row.id])
        self.set_page(row.project_id, row.url)
        scores.update_totals(row.project_id, row.url, before, now)

    def with_ended_acceptance(self, now: int, limit: int) -> list[int]:
        """Return the ids of some reports whose current run depends on an acceptance that has ended."""
        joined = select(report.c.id).join(project, project.c.id == report.c.project_id)
        ended = joined.where(report.c.accepted_end <= now, project.c.deleted_at.is_(None)).order_by(report.c.accepted_end)
        return list(self._connection.execute(ended.limit(limit)).scalars())

    def shown_runs(self, after: int, limit: int, project_name: str = "") -> list[tuple[int, str]]:
        """Return (id, engine as JSON) of reports with a current run, by id, of all accounts or of the named project."""
        joined = select(report.c.id, run.c.engine).join(project, project.c.id == report.c.project_id)
        joined = joined.join(run, and_(run.c.report_id == report.c.id, run.c.number == report.c.run))
        shown = joined.where(report.c.id > after, project.c.deleted_at.is_(None), run.c.analysis.is_not(None))
        shown = shown.where(project.c.name == project_name) if project_name else shown
        rows = self._connection.execute(shown.order_by(report.c.id).limit(limit))
        return [(int(number), str(engine)) for number, engine in rows]

    def of_project(self, project_id: int, limit: int) -> list[int]:
        """Return the ids of some reports of a project."""
        write_locks.lock_account_of(self._connection, project.c.id, project_id)
        return list(self._connection.execute(select(report.c.id).where(report.c.project_id == project_id).limit(limit)).scalars())

    def urls_of_project(self, project_id: int, limit: int) -> list[str]:
        """Return the URLs of a project's pages, that with the oldest report first."""
        statement = select(report.c.url).where(report.c.project_id == project_id, report.c.is_page == 1).order_by(report.c.id)
        return list(self._connection.execute(statement.limit(limit)).scalars())

    def remove(self, report_ids: Sequence[int]) -> None:
        """Delete reports that are no longer counted, with everything that refers to them."""
        write_locks.lock_accounts_of_reports(self._connection, report_ids)
        Jobs(self._connection).drop(report_ids)
        runs = Runs(self._connection)
        saved = runs.saved_hashes(report_ids)
        self._connection.execute(delete(report).where(report.c.id.in_(report_ids)))
        runs.drop_unused(saved)
