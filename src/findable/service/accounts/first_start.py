"""Set up an empty installation."""

from msgspec import Struct

from findable.errors import ValidationFailed
from findable.service.accounts import account_admin, api_keys, sign_in_links
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller

OWNER_EMAIL = "owner@localhost"
"""Email address of the first account, a placeholder until the owner changes it."""


class FirstStart(Struct, frozen=True):
    """Secrets of a first start, which are shown only once."""

    email: str
    sign_in_url: str
    api_key: str


def first_start(service: Service) -> FirstStart | None:
    """Create the first account with a key and a sign-in link; None if an account exists."""
    if account_admin.has_accounts(service):
        return None
    try:
        account_admin.create_account(service, OWNER_EMAIL)
        account_admin.set_operator(service, OWNER_EMAIL, is_operator=True)
    except ValidationFailed:  # another service that starts on this database created it first
        return None
    key = api_keys.create_key(service, OWNER_EMAIL, name="first key")
    return FirstStart(OWNER_EMAIL, sign_in_links.create(service, OWNER_EMAIL).url, key.token)


def first_owner(service: Service) -> Caller:
    """Return the owner of the first account, creating it if necessary: a command on this machine acts as that person."""
    first_start(service)
    return account_admin.owner_caller(service, OWNER_EMAIL)
