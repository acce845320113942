"""Encryption of values that are used later but never shown (decision 0008). The keys are derived from the secret of the service."""

from nacl.exceptions import CryptoError
from nacl.secret import Aead

from findable.service.runtime.signing_secret import sign

FORMAT = b"\x01"


class Unreadable(Exception):
    """Error for a value that is damaged, or was encrypted with another secret or for another owner."""


def of_account(account_id: int) -> bytes:
    """Return the owner of sealed values that belong to an account."""
    return b"findable account %d" % account_id


def seal(secret: bytes, purpose: str, owner: bytes, plain: bytes) -> bytes:
    """Encrypt a value. ``owner`` is authenticated, so that the bytes are useless elsewhere."""
    return FORMAT + bytes(Aead(sign(secret, purpose)).encrypt(plain, owner))


def unseal(secret: bytes, purpose: str, owner: bytes, sealed_value: bytes) -> bytes:
    """Decrypt a value of `seal`. Raises Unreadable."""
    if not sealed_value.startswith(FORMAT):
        raise Unreadable
    try:
        return bytes(Aead(sign(secret, purpose)).decrypt(bytes(sealed_value[len(FORMAT) :]), owner))
    except (CryptoError, ValueError, TypeError) as error:
        raise Unreadable from error
