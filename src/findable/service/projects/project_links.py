"""Share links of projects."""

from msgspec import Struct
from msgspec.structs import replace

from findable.errors import NotFound
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading
from findable.service.accounts.time_zones import zone_of
from findable.service.projects import project_reports, project_summary, projects
from findable.service.projects.project_reports import ProjectContent
from findable.service.projects.project_summary import SummaryView
from findable.service.results import client_texts, share_links
from findable.service.results.guest_access import Decision, LinkAccess, Viewer, decide
from findable.service.results.share_links import TermChanges
from findable.service.results.shareable import NO_ID, Shareable, is_owner
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import read_signed_number, signed_number
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import SCOPES, WRITE, Caller
from findable.service.values.presentation import PROJECT_SECTIONS, BrandView, Presentation, brand_of, presentation_of
from findable.store.share_link_statements import LinkRow, SharedProject, SharedProjects
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy
from findable.wording import Translator


class _Projects(Shareable[SharedProject]):
    kind = "project"
    sections = PROJECT_SECTIONS
    shared, changed = AuditAction.PROJECT_SHARED, AuditAction.PROJECT_CHANGED
    counter = "unlock-project"

    def require_valid_summary(self, text: str) -> None:
        project_summary.require_known(text)

    def rows(self, session: Session) -> SharedProjects:
        return session.shared_projects

    def etag(self, service: Service, session: Session, row: SharedProject) -> str:
        return _etag(row)


PROJECTS = _Projects()


class LinkState(Struct, frozen=True):
    """Link of a project."""

    id: int
    """Id of the project."""
    project: str
    public_id: str
    privacy: Privacy
    has_password: bool
    etag: str
    presentation: Presentation
    """Owner's texts and choices for the link, and the project's branding."""

    @property
    def project_id(self) -> int:
        """Id of the project."""
        return self.id


class ProjectAccess(LinkAccess, frozen=True):
    """Report of a project with the access decision for a viewer. `content` and `link` are set only if `decision` is ALLOWED."""

    content: ProjectContent | None = None
    link: LinkState | None = None


def state(service: Service, caller: Caller, project: str) -> LinkState:
    """Return the link of a project. Raises NotFound."""
    with reading(service, caller) as session:
        return _state(session, owned_project(session, caller, project).id)


def set_access(
    service: Service, caller: Caller, project: str, privacy: Privacy | None, password: str | None, terms: TermChanges
) -> LinkState:
    """Change the access to the link of a project and its terms together; None leaves a value unchanged.

    Raises NotFound, Forbidden, ValidationFailed, without changing anything.
    """
    with reading(service, caller, scope=WRITE) as session:
        number = owned_project(session, caller, project).id
        wanted = _state(session, number).privacy if privacy is None else privacy
    share_links.set_access(service, caller, PROJECTS, number, wanted, password, terms)
    with service.store.read() as session:
        return _state(session, number)


def _state(session: Session, number: int) -> LinkState:
    row, link = session.shared_projects.by_id(number), session.links.of("project", number)
    if row is None or link is None:
        raise NotFound
    return _link_state(row, link)


def _link_state(row: SharedProject, link: LinkRow) -> LinkState:
    has_password = row.password_hash is not None
    presentation = presentation_of(link, PROJECT_SECTIONS)
    return LinkState(row.id, row.name, row.public_id, Privacy(row.privacy), has_password, _etag(row), presentation)


def _etag(row: SharedProject) -> str:
    return f"{row.public_id}.{row.password_version}"


def summary(service: Service, caller: Caller, project: str, say: Translator) -> SummaryView:
    """Return the summary of a project with the figures that people of the account see. Raises NotFound."""
    content = project_reports.get(service, caller, project)
    figures = project_summary.figures_of(content, say, zone_of(caller.time_zone))
    text = state(service, caller, project).presentation.client.summary or project_summary.suggested_template(figures, say)
    return SummaryView(text=text, filled=project_summary.filled(text, figures, say), figures=dict(figures))


def write_summary(service: Service, caller: Caller, project: str, text: str) -> int:
    """Replace the summary of a project, and return its id; an empty one stands for the suggested sentences.

    Raises NotFound, ValidationFailed.
    """
    with reading(service, caller, scope=WRITE) as session:
        current = _state(session, owned_project(session, caller, project).id)
    client_texts.write(service, caller, PROJECTS, current.id, replace(current.presentation.client, summary=text))
    return current.id


def brand_token(service: Service, project_id: int) -> str:
    """Return a token by which the sign-in page knows the brand of a project that invited the person; it grants nothing."""
    return signed_number(service.secret, project_id, "brand")


def brand_behind(service: Service, token: str) -> BrandView:
    """Return the brand behind a token of `brand_token`; an empty one if it is invalid or the project is gone."""
    project_id = read_signed_number(service.secret, token, "brand")
    with service.store.read() as session:
        link = session.links.of("project", project_id) if project_id is not None else None
    return brand_of(link)


def view(service: Service, public_id: str, viewer: Viewer) -> ProjectAccess:
    """Return the report behind a project's link, if the viewer may see it; missing, deleted and private ones are all NOT_FOUND.

    Members see the same as guests, also before it is shared. It opens no link of a result.
    """
    with service.store.read() as session:
        row, link = PROJECTS.find(session, public_id)
        decision = decide(service, row, link, viewer)
    if row is None or link is None or decision is not Decision.ALLOWED:
        return ProjectAccess(decision)
    reader = Caller(row.account_id, NO_ID, NO_ID, SCOPES)
    project = projects.get(service, reader, row.name)
    content = project_reports.content_of(service, reader, project, is_for_guests=True)
    state_of_link = _link_state(row, link)
    return ProjectAccess(decision, is_owner(row, viewer.caller), state_of_link.presentation, content, state_of_link)
