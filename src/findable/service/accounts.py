"""Accounts, their keys, one-time links and sessions."""

from datetime import datetime

from findable.service.app import Service
from findable.service.values import SCOPES, AccountView, Caller, KeyInfo, NewKey, Session, SignInLink


def create_account(service: Service, email: str, name: str = "") -> AccountView:
    """Makes an account and its user. Raises ValidationFailed on ``email`` (not an address, or taken)."""
    raise NotImplementedError


def find_account(service: Service, email: str) -> AccountView | None:
    """The account of that address, None where there is none."""
    raise NotImplementedError


def has_accounts(service: Service) -> bool:
    """Whether this is not the first start."""
    raise NotImplementedError


def info(service: Service, caller: Caller) -> AccountView:
    """The caller's account with limits and usage."""
    raise NotImplementedError


def create_key(
    service: Service, email: str, *, name: str = "", scopes: frozenset[str] = SCOPES, expires_at: datetime | None = None
) -> NewKey:
    """Makes a key. Raises NotFound for an unknown account, ValidationFailed for unknown scopes or an expiry in the past."""
    raise NotImplementedError


def keys(service: Service, email: str) -> tuple[KeyInfo, ...]:
    """The keys of an account, newest first, revoked ones included. Raises NotFound."""
    raise NotImplementedError


def revoke_key(service: Service, email: str, prefix: str) -> KeyInfo:
    """Revokes the key at once. Raises NotFound."""
    raise NotImplementedError


def create_link(service: Service, email: str) -> SignInLink:
    """A one-time sign-in link of 15 minutes: ``BASE_URL/sign-in/TOKEN``. Raises NotFound."""
    raise NotImplementedError


def redeem_link(service: Service, token: str) -> Session | None:
    """Signs in with a link once; None where it is unknown, used or expired."""
    raise NotImplementedError


def end_session(service: Service, token: str) -> None:
    """Signs out, on the server's side."""
    raise NotImplementedError
