"""Link of a project for its owners and members."""

from msgspec import Struct

from findable.service.projects.project_links import LinkState
from findable.service_urls import ServiceUrls
from findable.web.pages.report.owner_presentation import link_notes
from findable.web.pages.report.report_context import PRIVACIES
from findable.wording import Translator


class ProjectShare(Struct, frozen=True):
    """Link of a project."""

    page: str
    """Path of the shared page, whose sub-paths are its forms."""
    absolute: str
    """URL of the shared page, to copy."""
    privacy: int
    privacy_words: str
    has_password: bool
    notes: tuple[str, ...]
    """Notes about the link, in sentences."""


def project_share(state: LinkState, urls: ServiceUrls, say: Translator) -> ProjectShare:
    """Return the link of a project."""
    return ProjectShare(
        page=f"/p/{state.public_id}",
        absolute=urls.shared_project(state.public_id),
        privacy=state.privacy.value,
        privacy_words=say(PRIVACIES[state.privacy]),
        has_password=state.has_password,
        notes=link_notes(state.presentation, say),
    )
