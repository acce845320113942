"""Rights of work that runs later than it was requested: schedules, batches and queued jobs.

Such work runs for the person who requested it, with the roles that the person has when it runs, and only in the project for which it was
requested. Work without a person belongs to its project, for example the run that confirms an alert.
"""

from msgspec.structs import replace

from findable.errors import Forbidden
from findable.service.accounts.callers import caller_of, grants_of
from findable.service.accounts.permissions import may
from findable.service.values.caller import MEMBER, PROJECTS, Caller
from findable.store.store_protocol import Session
from findable.wording import later

NOT_PERMITTED = later("The person who requested this may no longer write here.")


def present_caller(session: Session, account_id: int, person_id: int | None, project_id: int | None = None) -> Caller:
    """Return the person for whom stored work runs, with their present roles.

    Args:
        session: transaction that starts the work.
        account_id: account of the work.
        person_id: person who requested it; None if the person is unknown.
        project_id: project for which it was requested, the only one where the caller has a role; None for work of the whole account.

    Raises Forbidden if the person left the account, is disabled, or may not write there.
    """
    person = session.people.by_id(person_id) if person_id is not None else None
    if person is None or person.account_id != account_id or person.disabled_at is not None:
        raise Forbidden(NOT_PERMITTED)
    caller = caller_of(person, grants_of(session, person))
    if project_id is None:
        return caller
    if not may(caller, MEMBER, project_id):
        raise Forbidden(NOT_PERMITTED)
    return replace(caller, role=PROJECTS, grants={project_id: MEMBER}, is_operator=False)


def may_run(session: Session, account_id: int, person_id: int | None, project_id: int) -> bool:
    """Return whether a queued job may still run in the project; True without a person, because then the work belongs to the project."""
    if person_id is None:
        return True
    try:
        present_caller(session, account_id, person_id, project_id)
    except Forbidden:
        return False
    return True
