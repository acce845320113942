"""Recipients of the monthly report of a project, who may have no account."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from findable.errors import NotFound, ValidationFailed
from findable.service.accounts.account_admin import email_of
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading, require, writing
from findable.service.runtime.service import Service
from findable.service.values.caller import OWNER, WRITE, Caller
from findable.service.values.views import view_of
from findable.store.recipient_statements import RecipientRow
from findable.wording import LANGUAGES, Message, later

MAX_RECIPIENTS = 20
"""Maximum number of recipients per project."""
MAX_KNOWN = 200
"""Maximum number of recipients including unsubscribed ones, who stay stored so that nobody can add them again."""


class Recipient(Struct, frozen=True, kw_only=True):
    """Recipient of a project's monthly report. A recipient who unsubscribed is `stopped` and cannot be added again."""

    id: int
    object: Literal["recipient"] = "recipient"
    email: str
    language: str
    stopped: bool


def find(service: Service, caller: Caller, project: str) -> tuple[Recipient, ...]:
    """Return the recipients of a project. Raises NotFound."""
    with reading(service, caller) as session:
        return tuple(map(_view, session.recipients.of_project(owned_project(session, caller, project, OWNER).id)))


def add(service: Service, caller: Caller, project: str, email: str, language: str = "") -> Recipient:
    """Send the monthly report to an email address. Raises NotFound, ValidationFailed (``email``, ``language``).

    The default language is that of the project, or English.
    """
    require(caller, WRITE)
    if language and language not in LANGUAGES:
        raise ValidationFailed({"language": [later("This language is not available.")]})
    email = email_of(email)
    with service.store.write() as session:
        row = owned_project(session, caller, project, OWNER)
        known = session.recipients.of_project(row.id)
        address, *_ = valid_recipients(known, [email, *(one.email for one in known if one.stopped_at is None)])
        session.recipients.add(row.id, address, language or language_of(row.language), session.moment)
        return next(_view(one) for one in session.recipients.of_project(row.id) if one.email == address)


def valid_recipients(known: Sequence[RecipientRow], emails: Iterable[str]) -> list[str]:
    """Return normalized addresses that a project can have as its only recipients. Raises ValidationFailed (``email``).

    Args:
        known: stored recipients of the project, also those who unsubscribed.
        emails: addresses as typed.
    """
    wanted = list(dict.fromkeys(map(email_of, emails)))
    if any(one.email in wanted and one.stopped_at is not None for one in known):
        raise ValidationFailed({"email": [later("This address has unsubscribed and cannot be added again.")]})
    if len(wanted) > MAX_RECIPIENTS or len({*wanted, *(one.email for one in known)}) > MAX_KNOWN:
        raise ValidationFailed({"email": [Message(later("A project has at most %(most)s recipients."), most=MAX_RECIPIENTS)]})
    return wanted


def language_of(language: str | None) -> str:
    """Return the language of a report for a project with this setting: English for none, and for that of the reader."""
    return language if language and language in LANGUAGES else "en"


def _view(row: RecipientRow) -> Recipient:
    return view_of(Recipient, row, stopped=row.stopped_at is not None)


def remove(service: Service, caller: Caller, project: str, recipient_id: int) -> None:
    """Stop sending the report to a recipient; one who unsubscribed stays listed. Raises NotFound."""
    with writing(service, caller) as session:
        if not session.recipients.remove(owned_project(session, caller, project, OWNER).id, recipient_id):
            raise NotFound
