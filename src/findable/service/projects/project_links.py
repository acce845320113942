"""Share links of projects."""

from typing import Any

from msgspec import Struct

from findable.errors import NotFound
from findable.service.accounts.callers import require, require_access
from findable.service.projects import project_reports, projects
from findable.service.projects.project_reports import EVERY, ProjectContent
from findable.service.reports import report_links
from findable.service.reports.guest_access import Decision, Shared, UnlockCookie, Viewer, decide, is_expired, unlock_shared
from findable.service.reports.owned_reports import MAX_ID, is_owner
from findable.service.reports.report_links import TermChanges
from findable.service.reports.report_lists import owned_project
from findable.service.runtime.service import Service
from findable.service.values.audit_values import AuditAction
from findable.service.values.caller import READ, SCOPES, WRITE, Caller
from findable.service.values.presentation import PROJECT_SECTIONS, Presentation, presentation_of
from findable.store.link_statements import LinkRow
from findable.store.project_statements import SharedProject
from findable.store.store_protocol import Session
from findable.vocabulary import STRICTNESS, Privacy

NO_PROJECT = 0
"""Number that no project has."""


class ProjectLinks:
    """`report_links.Shareable` of projects."""

    sections = PROJECT_SECTIONS
    shared, changed = AuditAction.PROJECT_SHARED, AuditAction.PROJECT_CHANGED

    def get_owned(self, session: Session, caller: Caller, number: int) -> Shared:
        """Return a project of the caller. Raises NotFound, and Forbidden if they may only read."""
        row = session.projects.for_share_link(number) if 0 < number < MAX_ID else None
        if row is None or row.account_id != caller.account_id:
            raise NotFound
        require_access(caller, row.id, for_update=session.is_writing)
        return row

    def link(self, session: Session, number: int) -> LinkRow | None:
        """Return the link settings of a project."""
        return session.links.of_project(number)

    def etag(self, service: Service, session: Session, caller: Caller, number: int) -> str:
        """Return the ETag of the project's link, which changes with the link."""
        del service
        row = self.get_owned(session, caller, number)
        return f"{row.public_id}.{row.password_version}"

    def change(self, session: Session, number: int, moment: int, **columns: Any) -> None:
        """Set columns of the project's link."""
        del moment
        session.projects.change(number, {"is_listed" if name == "listed" else name: value for name, value in columns.items()})

    def has_run(self, session: Session, number: int, run: int) -> bool:
        """Return False, because a project has no runs."""
        del session, number, run
        return False


PROJECTS = ProjectLinks()


class ProjectAccess(Struct, frozen=True):
    """Report of a project with the access decision for a viewer. `content` is set only if `decision` is ALLOWED."""

    decision: Decision
    content: ProjectContent | None = None
    is_owner: bool = False
    privacy: Privacy = Privacy.PRIVATE
    number: int = NO_PROJECT
    presentation: Presentation = Presentation()
    """Owner's texts and choices for the link, and the project's branding."""


class LinkState(Struct, frozen=True):
    """Link of a project, for members of the project."""

    number: int
    """Id of the project."""
    project: str
    public_id: str
    privacy: Privacy
    has_password: bool
    presentation: Presentation


def state(service: Service, caller: Caller, project: str) -> LinkState:
    """Return the link of a project. Raises NotFound."""
    require(caller, READ)
    with service.store.read() as session:
        return _state(session, owned_project(session, caller, project).id)


def set_access(
    service: Service, caller: Caller, project: str, privacy: Privacy | None, password: str | None, terms: TermChanges
) -> LinkState:
    """Change the access to the link of a project and its terms together; None keeps a value.

    Raises NotFound, Forbidden, ValidationFailed, without changing anything.
    """
    require(caller, WRITE)
    with service.store.read() as session:
        number = owned_project(session, caller, project).id
        wanted = _state(session, number).privacy if privacy is None else privacy
    report_links.set_access(service, caller, number, wanted, password, terms, target=PROJECTS)
    with service.store.read() as session:
        return _state(session, number)


def _state(session: Session, number: int) -> LinkState:
    row, link = session.projects.for_share_link(number), session.links.of_project(number)
    if row is None or link is None:
        raise NotFound
    return LinkState(
        number, row.name, row.public_id, Privacy(row.privacy), row.password_hash is not None, presentation_of(link, PROJECT_SECTIONS)
    )


def view(service: Service, public_id: str, viewer: Viewer) -> ProjectAccess:
    """Return the report behind a project's link, if the viewer may see it; missing, deleted and private ones are all NOT_FOUND.

    Owners see the same as guests: pages whose report is not more private than the link.
    """
    with service.store.read() as session:
        row, link = _find_by_public_id(session, public_id)
        decision = decide(service, row, link, viewer)
    if row is None or link is None or decision is not Decision.ALLOWED:
        return ProjectAccess(decision)
    privacy = Privacy(row.privacy)
    reader = Caller(row.account_id, NO_PROJECT, NO_PROJECT, SCOPES)
    project = projects.get(service, reader, row.name)
    content = project_reports.content_of(service, reader, project, visible_to_guests(privacy))
    return ProjectAccess(decision, content, is_owner(row, viewer.caller), privacy, row.id, presentation_of(link, PROJECT_SECTIONS))


def visible_to_guests(privacy: Privacy) -> tuple[Privacy, ...]:
    """Return the access levels of reports that such a link shows; the owner's private link shows all."""
    return EVERY if privacy is Privacy.PRIVATE else STRICTNESS[: STRICTNESS.index(privacy) + 1]


def _find_by_public_id(session: Session, public_id: str) -> tuple[SharedProject | None, LinkRow | None]:
    """Look up the project with the same queries whether it exists or not, so that timing reveals nothing."""
    row = session.projects.by_public_id(public_id)
    return row, session.links.of_project(row.id if row else NO_PROJECT)


def unlock(service: Service, public_id: str, password: str, address: str) -> UnlockCookie | None:
    """Check a password for a guest, like `guest_access.unlock`. Raises NotFound, RateLimited."""

    def store_hash(session: Session, row: SharedProject, moment: int, password_hash: str) -> None:
        del moment
        session.projects.change(row.id, {"password_hash": password_hash})

    def find_row(session: Session) -> SharedProject | None:
        row, link = _find_by_public_id(session, public_id)
        return None if link is None or is_expired(link) else row

    return unlock_shared(service, find_row, store_hash, "unlock-project", password, address)
