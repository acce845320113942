"""SQL statements for retention: old runs, crawls, saved pages and screenshots of projects, and their sizes."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import and_, delete, exists, func, or_, select, union, update

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
_HAS_SCREENSHOTS = func.coalesce(run.c.phone, run.c.desktop, run.c.filmstrip).is_not(None)


class RetentionRows(Statements):
    """SQL statements for retention, in one transaction."""

    def due(self, before: int) -> tuple[int, str | None] | None:
        """Return (id, retention settings as JSON) of a project that was not measured since that time; None if there is none."""
        found = select(project.c.id, project.c.retention).where(project.c.measured_at < before, project.c.deleted_at.is_(None))
        row = self._connection.execute(found.order_by(project.c.measured_at, project.c.id).limit(1)).first()
        return (int(row[0]), row[1]) if row else None

    def reports(self, project_id: int, after: int, before: int, limit: int) -> list[int]:
        """Return the ids of some reports of a project, larger than ``after``, in order.

        Reports are left out that have nothing from before that time except their newest run without saved page and screenshots.
        """
        is_removable = or_(run.c.number < report.c.runs, run.c.saved_hash.is_not(None), _HAS_SCREENSHOTS)
        old = exists().where(run.c.report_id == report.c.id, run.c.finished_at < before, is_removable)
        unchanged = exists().where(unchanged_run.c.report_id == report.c.id, unchanged_run.c.at < before)
        found = select(report.c.id).where(report.c.project_id == project_id, report.c.id > after, or_(old, unchanged))
        return list(self._connection.execute(found.order_by(report.c.id).limit(limit)).scalars())

    def shown_runs(self, report_id: int) -> ShownRuns | None:
        """Return the run that a report shows, and the runs that refer to it; None if the report was deleted. The account is locked."""
        write_locks.lock_account_of(self._connection, report.c.id, report_id)
        found = select(report.c.run, report.c.runs, report.c.client, report.c.account_id).where(report.c.id == report_id)
        return self._first(ShownRuns, found)

    def runs(self, report_id: int, before: int) -> list[StoredRun]:
        """Return the first runs of a report that ended before that time, in order."""
        found = select(*columns(StoredRun, run, has_screenshots=_HAS_SCREENSHOTS))
        found = found.where(run.c.report_id == report_id, run.c.finished_at < before)
        return self._all(StoredRun, found.order_by(run.c.number).limit(READ))

    def unchanged_times(self, report_id: int, before: int) -> list[int]:
        """Return the times before that time at which the page was found unchanged, in order."""
        found = select(unchanged_run.c.at).where(unchanged_run.c.report_id == report_id, unchanged_run.c.at < before)
        return list(self._connection.execute(found.order_by(unchanged_run.c.at).limit(READ)).scalars())

    def compared_runs(self, report_id: int, account_id: int) -> set[int]:
        """Return the numbers of the runs that the report is compared with."""
        subjects = select(run.c.subject).where(run.c.report_id == report_id).distinct()
        other = run.alias()
        same_page = select(other.c.report_id).where(other.c.account_id == account_id, other.c.subject.in_(subjects))
        compared = select(report.c.previous_run).where(report.c.id.in_(same_page), report.c.previous_report == report_id)
        return {int(number) for number in self._connection.execute(compared).scalars() if number is not None}

    def rescored_runs(self, report_id: int) -> set[int]:
        """Return the numbers of the runs of a report whose saved page another run rescored."""
        rescored = select(run.c.rescored_from).where(run.c.report_id == report_id, run.c.rescored_from.is_not(None))
        return {int(number) for number in self._connection.execute(rescored.distinct()).scalars()}

    def remove_runs(self, runs: Sequence[StoredRun]) -> None:
        """Delete runs, and saved pages that no other run uses."""
        self._connection.execute(delete(run).where(run.c.id.in_([one.id for one in runs])))
        Runs(self._connection).drop_unused({one.saved_hash for one in runs if one.saved_hash is not None})

    def remove_unchanged(self, report_id: int, times: Collection[int]) -> None:
        """Delete the records of runs of a report that found the page unchanged."""
        self._connection.execute(delete(unchanged_run).where(unchanged_run.c.report_id == report_id, unchanged_run.c.at.in_(times)))

    def remove_screenshots(self, run_ids: Collection[int]) -> None:
        """Remove the screenshots and filmstrips of runs; images that no run uses are deleted later."""
        self._connection.execute(update(run).where(run.c.id.in_(run_ids)).values(phone=None, desktop=None, filmstrip=None))

    def crawls(self, project_id: int) -> list[StoredCrawl]:
        """Return the crawls of a project in order of their ids. The account is locked."""
        write_locks.lock_account_of(self._connection, project.c.id, project_id)
        found = select(*columns(StoredCrawl, crawl, is_list=crawl.c.listed.is_not(None)))
        found = found.where(crawl.c.project_id == project_id, crawl.c.deleted_at.is_(None))
        return self._all(StoredCrawl, found.order_by(crawl.c.id))

    def needed_crawls(self, project_id: int) -> set[int]:
        """Return the ids of crawls that are needed: for the site's score, for comparison by alerts, and by schedules as their last run."""
        needed = (
            select(func.max(crawl.c.id)).where(crawl.c.project_id == project_id, SITE_SCORE),
            select(site_watch.c.crawl_id).where(site_watch.c.project_id == project_id),
            select(schedule.c.last_crawl).where(schedule.c.project_id == project_id),
        )
        found = (number for one in needed for number in self._connection.execute(one).scalars())
        return {int(number) for number in found if number is not None}

    def resize_crawl(self, crawl_id: int, size_bytes: int) -> None:
        """Record the new size of a crawl's store."""
        self._connection.execute(update(crawl).where(crawl.c.id == crawl_id).values(size_bytes=size_bytes))

    def measured_bytes(self, project_id: int) -> int:
        """Return the size of a project's reports: runs, saved pages and images. Reads all its runs: not for writing transactions."""
        of_project = and_(report.c.id == run.c.report_id, report.c.project_id == project_id)
        texts_size = func.length(run.c.url) + func.length(run.c.subject) + func.length(run.c.profile)
        runs = select(func.sum(func.coalesce(func.length(run.c.analysis), 0) + texts_size)).join(report, of_project)
        saved = select(run.c.saved_hash).join(report, of_project).where(run.c.saved_hash.is_not(None))
        images = union(*(select(image).join(report, of_project).where(image.is_not(None)) for image in IMAGES))
        pages = select(func.sum(func.length(blob.c.data))).where(blob.c.hash.in_(saved))
        pictures = select(func.sum(func.length(picture.c.data))).where(picture.c.hash.in_(images))
        return sum(int(self._connection.execute(size).scalar_one() or 0) for size in (runs, pages, pictures))

    def save_measurement(self, project_id: int, size_bytes: int | None, at: int) -> None:
        """Store the measured size of a project; None if unknown."""
        values = {"measured_at": at} | ({} if size_bytes is None else {"reports_bytes": size_bytes})
        self._connection.execute(update(project).where(project.c.id == project_id).values(**values))
