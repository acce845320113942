"""Who asks, and whether it may."""

from findable.service.app import Service
from findable.service.values import Caller


def authenticate_key(service: Service, token: str) -> Caller:
    """The caller of an API key (the token without ``Bearer``). Raises Unauthenticated."""
    raise NotImplementedError


def authenticate_session(service: Service, token: str) -> Caller | None:
    """The person of a session cookie; None where it is unknown, ended or expired."""
    raise NotImplementedError


def require(caller: Caller, scope: str) -> None:
    """Raises Forbidden where the caller lacks the scope."""
    raise NotImplementedError
