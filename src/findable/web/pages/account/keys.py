"""Pages of API keys: creation, one-time display, revocation."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from starlette.responses import Response

from findable.clock import now
from findable.errors import ValidationFailed
from findable.service.accounts import api_keys
from findable.service.accounts.api_keys import OwnedKey
from findable.service.accounts.permissions import may_make
from findable.service.values.caller import KEY_SCOPES, READ, SCOPES, WRITE
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.wording import later

CHOICES = {READ: frozenset({READ}), "read-write": SCOPES, "agent": KEY_SCOPES}
"""Scopes by form value."""
USUAL_LIFE = timedelta(days=365)


class KeysPage(PersonPage, frozen=True, kw_only=True):
    """Variables of keys.html."""

    confirmations: ClassVar[Mapping[str, str]] = {"revoked": later("The key was revoked and no longer works.")}
    may_write: bool
    """Whether the person may create, change or delete reports, and so may a key."""
    today: str
    """First possible expiry date of a key (ISO 8601)."""
    working: tuple[OwnedKey, ...]
    inactive_keys: tuple[OwnedKey, ...]
    """Revoked and expired keys."""
    shows_holders: bool
    """Whether keys of other people are listed."""


class NewKeyPage(PersonPage, frozen=True, kw_only=True):
    """Variables of new_key.html."""

    token: str
    """Secret of the key, shown once."""
    name: str
    command: str
    """Command to try the key in a terminal."""


@person_page("/account/keys")
def get_keys(request: SignedInRequest) -> KeysPage:
    """Show the API keys, and a form for a new one."""
    found = api_keys.visible_keys(request.service, request.caller)
    today = now().astimezone(request.zone)
    may_write = may_make(request.caller)
    usual = {"scope": "read-write" if may_write else READ, "expires": (today + USUAL_LIFE).date().isoformat()}
    return KeysPage(
        form=request.form_with(usual),
        may_write=may_write,
        today=today.date().isoformat(),
        working=tuple(key for key in found if key.info.state == "works"),
        inactive_keys=tuple(key for key in found if key.info.state != "works"),
        shows_holders=any(not key.is_own for key in found),
    )


@person_form("/account/keys", get_keys)
def post_key(request: SignedInRequest) -> NewKeyPage:
    """Create an API key and show it once. The page is not cached, so that going back does not show the key again."""
    wrong: dict[str, list[str]] = {}
    scopes = CHOICES.get(request.text("scope"), frozenset())
    if not scopes:
        wrong["scope"] = [later("Choose what the key may do.")]
    expires_at = None
    try:
        expires_at = _end_of_day(request)
    except ValueError:
        wrong["expires"] = [later("Enter a date like 2027-01-31.")]
    if wrong:
        raise ValidationFailed(wrong)
    made = api_keys.make(request.service, request.caller, request.text("name"), scopes, expires_at)
    base_url = request.service.settings.base_url
    last = f"-d url=https://example.com/ {base_url}/api/v1/reports" if WRITE in scopes else f"{base_url}/api/v1/reports"
    command = f'curl -H "Authorization: Bearer {made.token}" \\\n  {last}'
    return NewKeyPage(token=made.token, name=made.info.name, command=command, status=201)


def _end_of_day(request: SignedInRequest) -> datetime | None:
    """Return the end of the expiry date in the form, in the person's time zone; None if it is empty. Raises ValueError."""
    text = request.text("expires").strip()
    if not text:
        return None
    return datetime.strptime(text, "%Y-%m-%d").replace(hour=23, minute=59, second=59, tzinfo=request.zone)


@person_form("/account/keys/{prefix}/revoke")
def post_revoke_key(request: SignedInRequest, prefix: str) -> Response:
    """Revoke an API key, which stops working immediately."""
    api_keys.revoke(request.service, request.caller, prefix)
    return see_other("/account/keys?done=revoked")
