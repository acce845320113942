"""What an owner does with projects. `name_or_id` is a host in any case, IDN or punycode, or the numeric id."""

from findable.service.app import Service
from findable.service.values import Caller, DeletedProject, Page, ProjectQuery, ProjectView


def find(service: Service, caller: Caller, query: ProjectQuery) -> Page[ProjectView]:
    """A list of projects."""
    raise NotImplementedError


def get(service: Service, caller: Caller, name_or_id: str) -> ProjectView:
    """One project. Raises NotFound."""
    raise NotImplementedError


def delete(service: Service, caller: Caller, name_or_id: str) -> DeletedProject:
    """Deletes the project and its reports at once for every reader; the rows go in the background. Raises NotFound."""
    raise NotImplementedError
