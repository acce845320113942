"""Signatures of the specification Standard Webhooks (https://www.standardwebhooks.com/): HMAC-SHA-256 over id, timestamp and body."""

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence

from findable.wording import later

PREFIX = "whsec_"
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64
"""Length of a secret (Standard Webhooks, "Signature scheme")."""
INVALID_SECRET = later("The secret must be whsec_ and 24 to 64 bytes in base64.")


def secret_of(random_bytes: bytes) -> str:
    """Return random bytes as a secret in the format of Standard Webhooks (``whsec_…``)."""
    return PREFIX + base64.b64encode(random_bytes).decode()


def is_secret(text: str) -> bool:
    """Return whether a text is a valid secret of Standard Webhooks."""
    try:
        return text.startswith(PREFIX) and MIN_SECRET_BYTES <= len(_key(text)) <= MAX_SECRET_BYTES
    except binascii.Error:
        return False


def signed_headers(uid: str, at: int, body: bytes, secrets: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the headers with id, time and signatures of a message, one signature per secret. ``at``: seconds since 1970."""
    signatures = " ".join(_signature(uid, at, body, secret) for secret in secrets)
    return (("webhook-id", uid), ("webhook-timestamp", str(at)), ("webhook-signature", signatures))


def _signature(uid: str, at: int, body: bytes, secret: str) -> str:
    digest = hmac.new(_key(secret), f"{uid}.{at}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _key(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
