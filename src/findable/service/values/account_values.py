"""Inputs and outputs of the account use cases: immutable values, no rows."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from msgspec import Struct

from findable.clock import now
from findable.service.values.caller import Caller
from findable.service.values.presentation import BrandView


class KeyInfo(Struct, frozen=True):
    """API key without its secret."""

    id: int
    prefix: str
    name: str
    scopes: frozenset[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None

    @property
    def state(self) -> Literal["works", "revoked", "expired"]:
        """State of the key at present."""
        if self.revoked_at:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now() else "works"


class NewKey(Struct, frozen=True):
    """API key with its secret, which appears only once."""

    token: str
    info: KeyInfo


class AccountView(Struct, frozen=True):
    """Account with its limits and usage."""

    id: int
    name: str
    email: str
    created_at: datetime
    reports_count: int
    projects_count: int
    limits: Mapping[str, int]
    """Limits by name (``requests_per_minute``, ``reports_in_queue``): 0 if there is no limit."""


class SignInLink(Struct, frozen=True):
    """One-time link. `url` contains the secret."""

    url: str
    expires_at: datetime


class Session(Struct, frozen=True):
    """Session of a signed-in person; `token` is the value of the cookie."""

    token: str
    expires_at: datetime
    caller: Caller


class InvitationView(Struct, frozen=True):
    """Invitation to join an account."""

    id: str
    """Identifier within the account, which grants nothing."""
    role: str
    email: str
    """Invited email address; empty if anyone with the link may join."""
    project: str
    """Project that the role is limited to, as people write it; empty for the whole account."""
    project_id: int | None
    brand: BrandView
    """Brand of the project; empty for the whole account."""
    account: str
    invited_by: str
    """Person who sent the invitation; empty if the person was removed."""
    expires_at: datetime


class Identity(Struct, frozen=True):
    """Identity of a person, as stated by a provider or proxy."""

    issuer: str
    subject: str
    email: str
    """Verified email address; empty for none."""
    name: str = ""
    groups: tuple[str, ...] = ()
