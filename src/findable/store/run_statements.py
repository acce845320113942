"""SQL statements for runs: generations of a report, with analysis and saved page. Runs of one page form one history."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import bindparam, delete, exists, func, insert, select, update

from findable.store import dialect
from findable.store.packed_values import pack_analysis, pack_page, unpack
from findable.store.rows import NewRun, ReportRow, RunRow
from findable.store.schema.report_tables import blob, check_name, check_set, check_set_member, report, run
from findable.store.statements import Statements, columns
from findable.urls import subject_key

_ROW = select(*columns(RunRow, run))
_ONE = _ROW.where(run.c.report_id == bindparam("report"), run.c.number == bindparam("number"))
_OF_PROJECT = exists(select(report.c.id).where(report.c.id == run.c.report_id, report.c.project_id == bindparam("project")))
_OF_PAGE = (run.c.account_id == bindparam("account"), run.c.subject == bindparam("subject"), _OF_PROJECT)
_HISTORY = _ROW.where(*_OF_PAGE).order_by(run.c.id.desc()).limit(bindparam("limit"))
_RATED_BEFORE = _HISTORY.where(run.c.result.is_not(None), run.c.id < bindparam("before"))
_ANALYSIS = select(run.c.analysis).where(run.c.id == bindparam("id"))
_SAVED = select(blob.c.data).where(blob.c.hash == bindparam("hash"))
_NUMBER = update(report).where(report.c.id == bindparam("of_id")).values(runs=report.c.runs + 1).returning(report.c.runs)


_RESULTS = ("profile", "started_at", "finished_at", "result", "score", "coverage", "engine_json", "error_json", "failed", "warned")
"""Members of a new run that are columns."""


class _ErrorSource(Struct, frozen=True):
    """Part of a stored error (JSON)."""

    source: str = ""


class AddedRun(Struct, frozen=True):
    """Ids of an inserted run."""

    id: int
    number: int
    check_set_id: int


class Runs(Statements):
    """SQL statements for runs, in one transaction."""

    def add(self, row: ReportRow, url: str, new: NewRun) -> AddedRun:
        """Insert a run of the report under its final URL."""
        number = int(self._connection.execute(_NUMBER, {"of_id": row.id}).scalar_one())
        values = {
            "report_id": row.id,
            "number": number,
            "account_id": row.account_id,
            "url": url,
            "subject": subject_key(url),
            "rescored_from": new.rescored_from,
            **self._results(new),
        }
        run_id = int(self._connection.execute(insert(run).returning(run.c.id), values).scalar_one())
        return AddedRun(run_id, number, self._check_set(new) if new.verdicts else 0)

    def replace(self, run_id: int, new: NewRun) -> int:
        """Replace the results of the run, whose number and URL stay, as does a page saved before; return the id of its set of checks."""
        self._connection.execute(update(run).where(run.c.id == run_id).values(**self._results(new)))
        return self._check_set(new)

    def _results(self, new: NewRun) -> dict[str, Any]:
        saved = {} if new.saved_page is None else {"saved_hash": self._save(new.saved_page, new.finished_at)}
        values = {name.removesuffix("_json"): getattr(new, name) for name in _RESULTS}
        return {**values, "analysis": pack_analysis(new.analysis) if new.analysis is not None else None, **saved}

    def _save(self, page: bytes, now: int) -> bytes:
        digest = hashlib.sha256(page).digest()
        # Lock a stored page, so that it is not removed as unused before the run that refers to it is visible.
        known = self._connection.execute(select(blob.c.hash).where(blob.c.hash == digest).with_for_update()).first()
        if known is None:
            same = {"created_at": blob.c.created_at}  # changes nothing, but locks the row if another account inserted it first
            self._upsert(blob, {"hash": digest}, {"data": pack_page(page), "created_at": now}, same)
        return digest

    def _check_set(self, new: NewRun) -> int:
        """Return the id of the run's set of checks; runs of one version and profile usually share a set."""
        text = json.dumps([sorted(new.verdicts), sorted(new.not_asked)])
        digest = hashlib.sha256(text.encode()).digest()
        known = self._connection.execute(select(check_set.c.id).where(check_set.c.digest == digest)).scalar_one_or_none()
        if known is not None:
            return int(known)
        adding = dialect.insert(self._connection.dialect.name, check_set).on_conflict_do_nothing(index_elements=["digest"])
        values = {"digest": digest, "not_asked": json.dumps(sorted(new.not_asked))}
        set_id = self._connection.execute(adding.returning(check_set.c.id), values).scalar_one_or_none()
        if set_id is None:  # another account inserted it first, including its members
            return int(self._connection.execute(select(check_set.c.id).where(check_set.c.digest == digest)).scalar_one())
        dialect.insert_missing(self._connection, check_name, [{"name": name} for name in sorted(new.verdicts)])
        ids = self._connection.execute(select(check_name.c.id).where(check_name.c.name.in_(list(new.verdicts)))).scalars()
        self._connection.execute(insert(check_set_member), [{"check_id": number, "set_id": set_id} for number in ids])
        return int(set_id)

    def get(self, report_id: int, number: int) -> RunRow | None:
        """Return one run of a report; None if it does not exist."""
        return self._first(RunRow, _ONE, {"report": report_id, "number": number})

    def rescored_run(self, report_id: int, number: int) -> RunRow | None:
        """Return the newest run that rescored the saved page of a run; None if there is none."""
        rescored = _ROW.where(run.c.report_id == report_id, run.c.rescored_from == number)
        return self._first(RunRow, rescored.order_by(run.c.id.desc()).limit(1))

    def history(self, row: ReportRow, limit: int) -> list[RunRow]:
        """Return runs of the report's page (`urls.subject_key`) in all reports of its project, newest first."""
        return self._all(RunRow, _HISTORY, _page_of(row) | {"limit": limit})

    def imported_from(self, account_id: int, after: int) -> Iterator[tuple[int, str]]:
        """Yield (id, URL on the original server) of the imported runs with larger ids than ``after``."""
        imported = run.c.account_id == account_id, run.c.id > after, run.c.error.startswith('{"code":"imported"')
        for run_id, text in self._connection.execute(select(run.c.id, run.c.error).where(*imported).order_by(run.c.id)):
            yield run_id, msgspec.json.decode(text, type=_ErrorSource).source

    def rated_before(self, row: ReportRow, run_id: int, limit: int = 1) -> list[RunRow]:
        """Return rated runs of the history that are older than the run ``run_id``, newest first."""
        return self._all(RunRow, _RATED_BEFORE, _page_of(row) | {"before": run_id, "limit": limit})

    def analysis(self, run_id: int) -> bytes | None:
        """Return the packed analysis of the run; None if it has no result."""
        packed = self._connection.execute(_ANALYSIS, {"id": run_id}).scalar_one_or_none()
        return unpack(packed) if packed is not None else None

    def saved_page(self, saved_hash: bytes | None) -> bytes | None:
        """Return a saved page; None if it was deleted."""
        packed = self._connection.execute(_SAVED, {"hash": saved_hash}).scalar_one_or_none()
        return unpack(packed) if packed is not None else None

    def saved_hashes(self, report_ids: Sequence[int]) -> list[bytes]:
        """Return the hashes of all saved pages of these reports."""
        statement = select(run.c.saved_hash).where(run.c.report_id.in_(report_ids), run.c.saved_hash.is_not(None)).distinct()
        return list(self._connection.execute(statement).scalars())

    def drop_unused(self, hashes: Iterable[bytes]) -> None:
        """Delete those of these saved pages to which no run refers."""
        used = exists(select(run.c.id).where(run.c.saved_hash == blob.c.hash))
        chosen = list(hashes)
        if chosen:
            # Two statements: the second one sees the writes of the transactions for whose locks the first one waited.
            self._connection.execute(select(blob.c.hash).where(blob.c.hash.in_(chosen)).order_by(blob.c.hash).with_for_update()).all()
            self._connection.execute(delete(blob).where(blob.c.hash.in_(chosen), ~used))

    def remove_older_saved(self, row: ReportRow, keep: int) -> None:
        """Remove the saved pages of the report's history, except those of the newest ``keep`` runs."""
        saved = select(run.c.id, run.c.saved_hash).where(*_OF_PAGE, run.c.saved_hash.is_not(None))
        older = self._connection.execute(saved.order_by(run.c.id.desc()).offset(keep), _page_of(row))
        self.remove_saved(dict(older.all()))

    def remove_saved_before(self, moment: int, limit: int) -> int:
        """Remove some saved pages of runs that ended before that time; return their number."""
        chosen = select(run.c.id, run.c.saved_hash).where(run.c.saved_hash.is_not(None), run.c.finished_at < moment)
        # Skip locked rows; the next call handles them.
        older = self._connection.execute(chosen.order_by(run.c.finished_at).limit(limit).with_for_update(skip_locked=True))
        removed: dict[int, bytes] = dict(older.all())
        self.remove_saved(removed)
        return len(removed)

    def saved_bytes(self, account_id: int) -> int:
        """Return the total size of an account's saved pages. Reads all its runs: not for writing transactions."""
        pages = select(run.c.saved_hash).where(run.c.account_id == account_id, run.c.saved_hash.is_not(None)).distinct().subquery()
        statement = select(func.sum(func.length(blob.c.data))).join(pages, pages.c.saved_hash == blob.c.hash)
        return int(self._connection.execute(statement).scalar_one() or 0)

    def remove_saved_of(self, account_id: int, least_bytes: int, limit: int) -> int:
        """Remove the oldest saved pages of an account until ``least_bytes`` are freed, at most ``limit`` pages; return the freed bytes."""
        chosen = (
            select(run.c.id, run.c.saved_hash, func.length(blob.c.data))
            .join(blob, blob.c.hash == run.c.saved_hash)
            .where(run.c.account_id == account_id)
            .order_by(run.c.finished_at, run.c.id)
            .limit(limit)
            .with_for_update(of=run, skip_locked=True)
        )
        oldest, freed_bytes = dict[int, bytes](), 0
        for run_id, saved_hash, size_bytes in self._connection.execute(chosen):
            if freed_bytes >= least_bytes:
                break
            oldest[run_id] = saved_hash
            freed_bytes += size_bytes
        self.remove_saved(oldest)
        return freed_bytes

    def remove_saved(self, saved: Mapping[int, bytes]) -> None:
        """Remove the saved pages of runs; ``saved``: hashes of the pages by the id of the run."""
        if saved:
            self._connection.execute(update(run).where(run.c.id.in_(saved)).values(saved_hash=None))
            self.drop_unused(set(saved.values()))

    def count(self, report_id: int) -> int:
        """Count the runs of a report."""
        return int(self._connection.execute(select(func.count()).where(run.c.report_id == report_id)).scalar_one())


def _page_of(row: ReportRow) -> dict[str, Any]:
    """Return the parameters of `_OF_PAGE`."""
    return {"account": row.account_id, "project": row.project_id, "subject": subject_key(row.url)}
