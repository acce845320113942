"""Objects that can be shared by a link: reports, crawls and projects."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from findable.service.reports.owned_reports import MAX_RUN, Shared, list_view, owned_report
from findable.service.runtime.service import Service
from findable.service.values.audit_values import AuditAction
from findable.service.values.caller import Caller
from findable.service.values.presentation import SECTIONS
from findable.store.link_statements import LinkRow
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session

SharedT_co = TypeVar("SharedT_co", bound=Shared, covariant=True)
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

    @abstractmethod
    def get_owned(self, session: Session, caller: Caller, number: int) -> SharedT_co:
        """Return the caller's object. Raises NotFound, and Forbidden in a writing transaction if they may only read."""

    @abstractmethod
    def by_public_id(self, session: Session, public_id: str) -> SharedT_co | None:
        """Return the object of a link."""

    @abstractmethod
    def link(self, session: Session, number: int) -> LinkRow | None:
        """Return the link settings of the object."""

    @abstractmethod
    def etag(self, service: Service, session: Session, caller: Caller, number: int) -> str:
        """Return the ETag of the object, without quotes. Raises NotFound, Forbidden."""

    @abstractmethod
    def change(self, session: Session, number: int, moment: int, **columns: Any) -> None:
        """Set columns, under the names of report columns."""

    def has_run(self, session: Session, number: int, run: int) -> bool:
        """Return whether a link can show that run; only reports have runs."""
        return False

    def find(self, session: Session, public_id: str) -> tuple[SharedT_co | None, LinkRow | None]:
        """Look up an object and its link with the same queries whether it exists or not, so that timing reveals nothing."""
        row = self.by_public_id(session, public_id)
        return row, self.link(session, row.id if row else NO_ID)


class _Reports(Shareable[ReportRow]):
    sections = SECTIONS
    shared, changed = AuditAction.REPORT_SHARED, AuditAction.REPORT_CHANGED
    counter = "unlock"

    def get_owned(self, session: Session, caller: Caller, number: int) -> ReportRow:
        return owned_report(session, caller, number)

    def by_public_id(self, session: Session, public_id: str) -> ReportRow | None:
        return session.reports.by_public_id(public_id)

    def link(self, session: Session, number: int) -> LinkRow | None:
        return session.links.for_report(number)

    def etag(self, service: Service, session: Session, caller: Caller, number: int) -> str:
        return list_view(service, session, owned_report(session, caller, number)).etag

    def change(self, session: Session, number: int, moment: int, **columns: Any) -> None:
        session.reports.change(number, moment, **columns)

    def has_run(self, session: Session, number: int, run: int) -> bool:
        found = session.runs.get(number, run) if 0 < run < MAX_RUN else None
        return found is not None and found.engine_json is not None


REPORTS = _Reports()
