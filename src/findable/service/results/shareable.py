"""Objects that have results and can be shared by a link: reports, crawls and projects. The only module that checks their owner."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, Literal, TypeVar

from findable.errors import NotFound, PreconditionFailed
from findable.service.accounts.permissions import may, require_access
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import READ, VIEWER, Caller
from findable.store.crawl_row import CrawlRow
from findable.store.rows import MAX_ID, ReportRow
from findable.store.share_link_statements import LinkRow, SharedProject
from findable.store.statements import SharedRows
from findable.store.store_protocol import Session

Shared = ReportRow | CrawlRow | SharedProject
"""Row of an object that may have a share link."""
SharedT_co = TypeVar("SharedT_co", bound=Shared, covariant=True)
NO_ID = 0
"""Id that no report, crawl or project has."""


class Shareable(ABC, Generic[SharedT_co]):
    """Kind of object that can be shared by a link."""

    kind: ClassVar[Literal["report", "crawl", "project"]]
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
        return row, session.links.of(self.kind, row.id if row else NO_ID)


def require_owned(session: Session, caller: Caller, rows: SharedRows[SharedT_co], number: int) -> SharedT_co:
    """Return an object of the caller. Raises NotFound, and Forbidden in a writing transaction if they may only read."""
    row = rows.by_id(number) if 0 < number < MAX_ID else None
    if row is None or row.account_id != caller.account_id:
        raise NotFound
    require_access(caller, row.project_id, for_update=session.is_writing)
    return row


def is_owner(row: Shared, caller: Caller | None) -> bool:
    """Return whether the object belongs to the caller's account, and the caller has read access there."""
    if caller is None or caller.account_id != row.account_id or READ not in caller.scopes:
        return False
    return may(caller, VIEWER, row.project_id)


def require_match(etag: str, if_match: str | None) -> None:
    """Raise PreconditionFailed if ``If-Match`` contains only ETags of other versions of a report, a crawl or a link.

    Tags are compared without the progress, which changes while a report is generated.
    """
    if if_match is None or if_match.strip() == "*":
        return
    sent = (tag.strip().removeprefix("W/").strip('"') for tag in if_match.split(","))
    if all(tag.split(".")[:2] != etag.split(".")[:2] for tag in sent):
        raise PreconditionFailed("It has changed since then.")


def matching_row(
    service: Service, session: Session, caller: Caller, number: int, if_match: str | None, target: Shareable[SharedT_co]
) -> SharedT_co:
    """Return the caller's object. Raises NotFound, and PreconditionFailed if ``If-Match`` contains only other versions."""
    row = target.get_owned(session, caller, number)
    require_match(target.etag(service, session, row), if_match)
    return row
