"""Classes of HTTP status codes (RFC 9110, section 15)."""

OK, REDIRECTS, ERRORS, SERVER_ERRORS = 200, 300, 400, 500
"""First status of each class."""
GONE = frozenset({404, 410})
"""Statuses of a page that does not exist."""
REFUSALS = frozenset({401, 403, 407, 429, 451})
"""Statuses with which a server may refuse this crawler only."""


def is_success(status: int) -> bool:
    """Return whether the request was successful: 2xx."""
    return OK <= status < REDIRECTS


def is_redirect(status: int) -> bool:
    """Return whether the status is a redirect: 3xx."""
    return REDIRECTS <= status < ERRORS


def is_error(status: int) -> bool:
    """Return whether the client or the server failed: 4xx or 5xx."""
    return status >= ERRORS


def is_server_error(status: int) -> bool:
    """Return whether the server failed: 5xx."""
    return status >= SERVER_ERRORS
