"""Objects that can be shared by a link: reports, crawls and projects."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic

from findable.service.reports.owned_reports import MAX_RUN, SharedRows, SharedT_co, list_view, require_owned
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import Caller
from findable.service.values.presentation import SECTIONS
from findable.store.link_statements import LinkRow
from findable.store.report_statements import Reports
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session

NO_ID = 0
"""Id that no report, crawl or project has."""


class Shareable(ABC, Generic[SharedT_co]):
    """Kind of object that can be shared by a link."""

    sections: ClassVar[tuple[str, ...]]
    """Sections of the page that can be hidden from guests."""
    shared: ClassVar[AuditAction]
    """Audit action for changes of the access of guests."""
    changed: ClassVar[AuditAction]
    """Audit action for changes of the content for guests."""
    counter: ClassVar[str]
    """Name of the counter of wrong passwords."""

    def require_valid_summary(self, text: str) -> None:
        """Raise ValidationFailed for a summary with a figure that the object does not have; only projects have figures."""

    @abstractmethod
    def rows(self, session: Session) -> SharedRows[SharedT_co]:
        """Return the SQL statements for the objects."""

    @abstractmethod
    def link(self, session: Session, number: int) -> LinkRow | None:
        """Return the link settings of the object."""

    @abstractmethod
    def etag(self, service: Service, session: Session, row: SharedT_co) -> str:  # type: ignore[misc]  # given rows of its own kind only, so the type may vary
        """Return the ETag of the object, without quotes."""

    def get_owned(self, session: Session, caller: Caller, number: int) -> SharedT_co:
        """Return the caller's object. Raises NotFound, and Forbidden in a writing transaction if they may only read."""
        return require_owned(session, caller, self.rows(session), number)

    def change(self, session: Session, number: int, **columns: Any) -> None:
        """Set columns."""
        self.rows(session).change(number, session.moment, **columns)

    def has_run(self, session: Session, number: int, run: int) -> bool:
        """Return whether a link can show that run; only reports have runs."""
        return False

    def find(self, session: Session, public_id: str) -> tuple[SharedT_co | None, LinkRow | None]:
        """Look up an object and its link with the same queries whether it exists or not, so that timing reveals nothing."""
        row = self.rows(session).by_public_id(public_id)
        return row, self.link(session, row.id if row else NO_ID)


class _Reports(Shareable[ReportRow]):
    sections = SECTIONS
    shared, changed = AuditAction.REPORT_SHARED, AuditAction.REPORT_CHANGED
    counter = "unlock"

    def rows(self, session: Session) -> Reports:
        return session.reports

    def link(self, session: Session, number: int) -> LinkRow | None:
        return session.links.for_report(number)

    def etag(self, service: Service, session: Session, row: ReportRow) -> str:
        return list_view(service, session, row).etag

    def has_run(self, session: Session, number: int, run: int) -> bool:
        found = session.runs.get(number, run) if 0 < run < MAX_RUN else None
        return found is not None and found.engine_json is not None


REPORTS = _Reports()
