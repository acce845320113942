"""Tab of a project with its link for the client, and who may see it."""

from typing import ClassVar

from findable.service.projects import project_links
from findable.service.values.caller import MEMBER
from findable.service.values.project_values import ProjectView
from findable.service_urls import ServiceUrls
from findable.web.pages.project.project_context import ProjectPageContext, project_page
from findable.web.pages.result.sharing import LinkForms, link_forms
from findable.web.pages.shared.project_tabs import SHARE
from findable.web.pages.shared.viewer import SignedInRequest


class ProjectSharePage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_share.html."""

    place: ClassVar[str] = SHARE
    share: LinkForms


@project_page("/share", role=MEMBER)
def get_project_share(request: SignedInRequest, view: ProjectView) -> ProjectSharePage:
    """Show the link of a project, with the forms for what guests see."""
    state = project_links.state(request.service, request.caller, view.name)
    address = ServiceUrls(request.service.settings.base_url).shared_project(state.public_id)
    forms = link_forms(state, state.presentation, address, request.say, request.form_with(name="link"))
    return ProjectSharePage(share=forms)
