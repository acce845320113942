"""Emails for signing in: invitations, and links for lost passwords."""

from findable.errors import NotFound
from findable.notify.email_blocks import Action, Letter, Paragraph
from findable.service.accounts import sign_in_links
from findable.service.accounts.account_admin import email_of
from findable.service.accounts.time_zones import zone_of
from findable.service.runtime.attempt_limits import count_try, network_of
from findable.service.runtime.outbox import branded, queue_email, with_brand
from findable.service.runtime.service import Service
from findable.service.values.account_values import InvitationView
from findable.service.values.caller import Caller
from findable.service_urls import ServiceUrls
from findable.store.rows import PersonRow, ProjectRow
from findable.store.store_protocol import Session as Transaction
from findable.urls import project_words
from findable.wording import Translator, later, wording

REQUESTS_OF_ADDRESS, REQUESTS_OF_NETWORK = 3, 20
"""Links that may be requested for one email address, and from one network, before rate limiting starts."""
INVITATIONS_OF_ACCOUNT = 30
"""Invitations that an account may send by email before rate limiting starts."""


def count_request(service: Service, email: str, network_address: str) -> str:
    """Count a request for a sign-in link by email, whether or not a person has that address.

    Return the normalized address.

    Raises ValidationFailed for an invalid address, RateLimited, and NotFound if this service sends no emails, or nobody signs in by
    password.
    """
    if not service.settings.smtp_url or not service.settings.sign_in_password:
        raise NotFound
    address = email_of(email)
    limits = {f"forgot:{address}": REQUESTS_OF_ADDRESS, f"forgot:network:{network_of(network_address)}": REQUESTS_OF_NETWORK}
    with service.store.write() as session:
        count_try(session, limits, later("Too many links were requested."))
    return address


def send_link(service: Service, address: str) -> None:
    """Queue an email with a one-time link for the person with that address, if there is one."""
    with service.store.write() as session:
        person = session.people.by_email(address)
        if person is None or person.disabled_at is not None:
            return
        link = sign_in_links.add(service, session, person, sign_in_links.MAILED_LINK_LIFE)
        letter = _link_email(person.email, link.url, wording(person.language or "en"))
        queue_email(service, session, person.account_id, letter, person.id)
    service.events.publish_queued()


def _link_email(to: str, url: str, say: Translator) -> Letter:
    blocks = (
        Paragraph(say(later("With this link you sign in once and choose a new password. It works for one hour."))),
        Action(say(later("Sign in")), url),
        Paragraph(say(later("If you did not request it, do nothing: your password does not change."))),
    )
    return Letter(to, say.code, say(later("Sign in to Findable")), blocks)


def queue_invitation_email(service: Service, session: Transaction, caller: Caller, invitation: InvitationView, url: str) -> bool:
    """Queue the email of an invitation. Returns False if this service sends no emails; raises RateLimited."""
    if not service.settings.smtp_url:
        return False
    limits = {f"invitation:{caller.account_id}": INVITATIONS_OF_ACCOUNT}
    count_try(session, limits, later("Too many invitations were sent by email."))
    say = wording(caller.language or "en")
    until = say.moment(invitation.expires_at, zone_of(caller.time_zone))
    ends = say(later("The link works once, until %(until)s."), until=until)
    subject, invited = _invitation_words(invitation, say)
    blocks = (Paragraph(invited), Action(say(later("Accept the invitation")), url), Paragraph(ends))
    letter = with_brand(session, Letter(invitation.email, say.code, subject, blocks), invitation.brand)
    return queue_email(service, session, caller.account_id, letter)


def _invitation_words(invitation: InvitationView, say: Translator) -> tuple[str, str]:
    """Return the subject of an invitation, and who invites the reader to what."""
    sender, name, project = invitation.brand.name or invitation.account, invitation.invited_by, invitation.project
    if not project:
        subject = say(later("Invitation to %(account)s"), account=sender)
        return subject, say(later("%(name)s invites you to the account %(account)s of Findable."), name=name, account=sender)
    subject = say(later("%(sender)s invites you to %(project)s"), sender=sender, project=project)
    if name in ("", sender):
        return subject, say(later("%(sender)s invites you to the project %(project)s."), sender=sender, project=project)
    return subject, say(later("%(name)s (%(sender)s) invites you to the project %(project)s."), name=name, sender=sender, project=project)


def queue_access_email(service: Service, session: Transaction, caller: Caller, person: PersonRow, project: ProjectRow) -> None:
    """Queue the email to a person of the account who got access to a project, unless this service sends no emails."""
    say, name = wording(person.language or "en"), project_words(project.name, project.title)
    given = say(later("You now have access to the project %(project)s."), project=name)
    blocks = (Paragraph(given), Action(say(later("Open the project")), ServiceUrls(service.settings.base_url).project_page(project.name)))
    letter = Letter(person.email, say.code, say(later("Access to %(project)s"), project=name), blocks)
    queue_email(service, session, caller.account_id, branded(session, letter, project.id), person.id)
