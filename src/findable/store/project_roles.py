"""SQL statements for the roles of people in single projects."""

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import ColumnElement, Integer, ScalarSelect, bindparam, delete, func, insert, or_, select, type_coerce

from findable.store.schema.account_tables import person
from findable.store.schema.message_tables import subscription
from findable.store.schema.project_tables import project, project_role
from findable.store.statements import Statements

_OF_PERSON = (
    select(project_role.c.project_id, project_role.c.role)
    .join(project, project.c.id == project_role.c.project_id)
    .where(project_role.c.person_id == bindparam("person"), project.c.deleted_at.is_(None))
)


class RoleRow(NamedTuple):
    """Person with access to a project, with the roles in account and project."""

    person_id: int
    email: str
    name: str
    account_role: str
    project_role: str | None
    """Role granted in the project; None if only the role in the account applies."""


def subscribed_by(person_id: int) -> ScalarSelect[int]:
    """Return a subquery for the ids of the projects whose alerts a person gets."""
    return select(subscription.c.project_id).where(subscription.c.person_id == person_id).scalar_subquery()


def granted_to(person_id: ColumnElement[int]) -> ScalarSelect[int]:
    """Return a subquery for the ids of the projects that were granted to a person; a negative number is that of a single project."""
    granted = select(project_role.c.project_id).where(project_role.c.person_id == person_id)
    return select(project.c.id).where(or_(project.c.id.in_(granted), project.c.id == -type_coerce(person_id, Integer))).scalar_subquery()


class ProjectRoles(Statements):
    """SQL statements for roles in projects, in one transaction."""

    def of_person(self, person_id: int) -> Mapping[int, str]:
        """Return the roles of a person by the id of the project."""
        return {row.project_id: row.role for row in self._connection.execute(_OF_PERSON, {"person": person_id})}

    def of_project(self, account_id: int, project_id: int) -> list[RoleRow]:
        """Return the people who have access to the project."""
        of_project = (project_role.c.person_id == person.c.id) & (project_role.c.project_id == project_id)
        people = select(person.c.id, person.c.email, person.c.name, person.c.role, project_role.c.role).outerjoin(project_role, of_project)
        has_access = (person.c.role != "projects") | project_role.c.role.is_not(None)
        return self._all(RoleRow, people.where(person.c.account_id == account_id, has_access).order_by(person.c.id))

    def count(self, person_id: int) -> int:
        """Count the projects granted to a person."""
        statement = select(func.count()).select_from(project_role).where(project_role.c.person_id == person_id)
        return int(self._connection.execute(statement).scalar_one())

    def grant(self, project_id: int, person_id: int, role: str, now: int) -> None:
        """Give a person that role in the project, replacing another one."""
        self.revoke(project_id, person_id)
        values = {"project_id": project_id, "person_id": person_id, "role": role, "created_at": now}
        self._connection.execute(insert(project_role).values(**values))

    def revoke(self, project_id: int, person_id: int) -> bool:
        """Remove the project role of a person; return whether there was one."""
        here = (project_role.c.project_id == project_id, project_role.c.person_id == person_id)
        return self._connection.execute(delete(project_role).where(*here)).rowcount > 0
