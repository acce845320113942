"""SQL statements for retention: old runs, crawls, saved pages and screenshots of projects, and their sizes."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, delete, func, select, union, update

from findable.store import write_locks
from findable.store.image_statements import IMAGES
from findable.store.run_statements import Runs
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import blob, picture, report, run
from findable.store.schema.site_tables import SITE_SCORE, crawl, schedule, site_watch, unchanged_run
from findable.store.statements import Statements, columns


class ShownRuns(NamedTuple):
    """Run that a report shows, and the other runs it refers to, by number."""

    run: int | None
    """Run that the report shows."""
    newest: int
    client_json: str | None
    account_id: int


class StoredRun(NamedTuple):
    """Finished run of a report, with its parts that can be deleted."""

    id: int
    number: int
    finished_at: int
    result: str | None
    rescored_from: int | None
    saved_hash: bytes | None
    has_screenshots: bool


class StoredCrawl(NamedTuple):
    """Crawl of a project, as far as retention rules need it."""

    id: int
    url: str
    is_list: bool
    finished_at: int | None
    status: str
    score: int | None
    provisional: int
    privacy: int
    link_expires_at: int | None

    @property
    def is_whole(self) -> bool:
        """Whether the crawl is complete and has a score."""
        return self.score is not None and not self.provisional


READ = 2000
"""Maximum number of a report's oldest runs to read at once."""
_DUE = (
    select(project.c.id, project.c.retention)
    .where(project.c.measured_at < bindparam("before"), project.c.deleted_at.is_(None))
    .order_by(project.c.measured_at, project.c.id)
    .limit(1)
)
_REPORTS = (
    select(report.c.id)
    .where(report.c.project_id == bindparam("project"), report.c.id > bindparam("after"))
    .order_by(report.c.id)
    .limit(bindparam("limit"))
)
_SHOWN = select(report.c.run, report.c.runs, report.c.client, report.c.account_id).where(report.c.id == bindparam("report"))
_SCREENSHOTS = func.coalesce(run.c.phone, run.c.desktop, run.c.filmstrip)
_RUNS = (
    select(*columns(StoredRun, run, has_screenshots=_SCREENSHOTS.is_not(None)))
    .where(run.c.report_id == bindparam("report"), run.c.finished_at < bindparam("before"))
    .order_by(run.c.number)
    .limit(READ)
)
_UNCHANGED = (
    select(unchanged_run.c.at)
    .where(unchanged_run.c.report_id == bindparam("report"), unchanged_run.c.at < bindparam("before"))
    .order_by(unchanged_run.c.at)
    .limit(READ)
)
_SUBJECTS = select(run.c.subject).where(run.c.report_id == bindparam("report")).distinct()
_SAME_PAGE = select(run.c.report_id).where(run.c.account_id == bindparam("account"), run.c.subject.in_(_SUBJECTS))
_COMPARED = select(report.c.previous_run).where(report.c.id.in_(_SAME_PAGE), report.c.previous_report == bindparam("report"))
_RESCORED = select(run.c.rescored_from).where(run.c.report_id == bindparam("report"), run.c.rescored_from.is_not(None)).distinct()
_CRAWLS = (
    select(*columns(StoredCrawl, crawl, is_list=crawl.c.listed.is_not(None)))
    .where(crawl.c.project_id == bindparam("project"), crawl.c.deleted_at.is_(None))
    .order_by(crawl.c.id)
)
_SITE = select(func.max(crawl.c.id)).where(crawl.c.project_id == bindparam("project"), SITE_SCORE)
_WATCHED = select(site_watch.c.crawl_id).where(site_watch.c.project_id == bindparam("project"))
_SCHEDULED = select(schedule.c.last_crawl).where(schedule.c.project_id == bindparam("project"))
_OF_PROJECT = and_(report.c.id == run.c.report_id, report.c.project_id == bindparam("project"))
_OF_RUNS = select(
    func.coalesce(
        func.sum(
            func.coalesce(func.length(run.c.analysis), 0) + func.length(run.c.url) + func.length(run.c.subject) + func.length(run.c.profile)
        ),
        0,
    )
).join(report, _OF_PROJECT)
_SAVED = select(func.coalesce(func.sum(func.length(blob.c.data)), 0)).where(
    blob.c.hash.in_(select(run.c.saved_hash).join(report, _OF_PROJECT).where(run.c.saved_hash.is_not(None)))
)
_PICTURES = select(func.coalesce(func.sum(func.length(picture.c.data)), 0)).where(
    picture.c.hash.in_(union(*(select(image).join(report, _OF_PROJECT).where(image.is_not(None)) for image in IMAGES)))
)


class RetentionRows(Statements):
    """SQL statements for retention, in one transaction."""

    def due(self, before: int) -> tuple[int, str | None] | None:
        """Return (id, retention settings as JSON) of a project that was not measured since that time; None if there is none."""
        row = self._connection.execute(_DUE, {"before": before}).first()
        return (int(row[0]), row[1]) if row else None

    def reports(self, project_id: int, after: int, limit: int) -> list[int]:
        """Return the ids of some reports of a project, larger than ``after``, in order."""
        return list(self._connection.execute(_REPORTS, {"project": project_id, "after": after, "limit": limit}).scalars())

    def shown_runs(self, report_id: int) -> ShownRuns | None:
        """Return the run that a report shows, and the runs that refer to it; None if the report was deleted. The account is locked."""
        write_locks.lock_account_of_report(self._connection, report_id)
        return self._first(ShownRuns, _SHOWN, {"report": report_id})

    def runs(self, report_id: int, before: int) -> list[StoredRun]:
        """Return the first runs of a report that ended before that time, in order."""
        return self._all(StoredRun, _RUNS, {"report": report_id, "before": before})

    def unchanged_times(self, report_id: int, before: int) -> list[int]:
        """Return the times before that time at which the page was found unchanged, in order."""
        return list(self._connection.execute(_UNCHANGED, {"report": report_id, "before": before}).scalars())

    def compared_runs(self, report_id: int, account_id: int) -> set[int]:
        """Return the numbers of the runs that the report is compared with."""
        values = {"report": report_id, "account": account_id}
        return {int(number) for number in self._connection.execute(_COMPARED, values).scalars() if number is not None}

    def rescored_runs(self, report_id: int) -> set[int]:
        """Return the numbers of the runs of a report whose saved page another run rescored."""
        return {int(number) for number in self._connection.execute(_RESCORED, {"report": report_id}).scalars()}

    def remove_runs(self, runs: Sequence[StoredRun]) -> None:
        """Delete runs, and saved pages that no other run uses."""
        self._connection.execute(delete(run).where(run.c.id.in_([one.id for one in runs])))
        Runs(self._connection).drop_unused({one.saved_hash for one in runs if one.saved_hash is not None})

    def remove_unchanged(self, report_id: int, times: Collection[int]) -> None:
        """Delete the records of runs of a report that found the page unchanged."""
        self._connection.execute(delete(unchanged_run).where(unchanged_run.c.report_id == report_id, unchanged_run.c.at.in_(times)))

    def remove_saved(self, run_ids: Collection[int], hashes: Collection[bytes]) -> None:
        """Remove the saved pages of runs."""
        self._connection.execute(update(run).where(run.c.id.in_(run_ids)).values(saved_hash=None))
        Runs(self._connection).drop_unused(hashes)

    def remove_screenshots(self, run_ids: Collection[int]) -> None:
        """Remove the screenshots and filmstrips of runs; images that no run uses are deleted later."""
        self._connection.execute(update(run).where(run.c.id.in_(run_ids)).values(phone=None, desktop=None, filmstrip=None))

    def crawls(self, project_id: int) -> list[StoredCrawl]:
        """Return the crawls of a project in order of their ids. The account is locked."""
        write_locks.lock_account_of_project(self._connection, project_id)
        return self._all(StoredCrawl, _CRAWLS, {"project": project_id})

    def needed_crawls(self, project_id: int) -> set[int]:
        """Return the ids of crawls that are needed: for the site's score, for comparison by alerts, and by schedules as their last run."""
        found = (self._connection.execute(one, {"project": project_id}).scalars() for one in (_SITE, _WATCHED, _SCHEDULED))
        return {int(number) for numbers in found for number in numbers if number is not None}

    def resize_crawl(self, crawl_id: int, size_bytes: int) -> None:
        """Record the new size of a crawl's store."""
        self._connection.execute(update(crawl).where(crawl.c.id == crawl_id).values(size_bytes=size_bytes))

    def measured_bytes(self, project_id: int) -> int:
        """Return the size of a project's reports: runs, saved pages and images. Reads all its runs: not for writing transactions."""
        values = {"project": project_id}
        return sum(int(self._connection.execute(statement, values).scalar_one()) for statement in (_OF_RUNS, _SAVED, _PICTURES))

    def save_measurement(self, project_id: int, size_bytes: int | None, at: int) -> None:
        """Store the measured size of a project; None if unknown."""
        values = {"measured_at": at} | ({} if size_bytes is None else {"reports_bytes": size_bytes})
        self._connection.execute(update(project).where(project.c.id == project_id).values(**values))
