"""Secret that signs cookies, and signatures created with it."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from findable.errors import SettingError
from findable.settings import MIN_SECRET_CHARS, SECRET_NAME, Settings

SALT_BYTES = 16
"""Size of a salt (RFC 9106, section 3.1)."""
_MAX_DIGITS = 18
"""Maximum number of digits of a signed number; Python cannot parse numbers with thousands of digits."""


def stored_secret(settings: Settings) -> bytes:
    """Return the secret of the settings, else of the data directory; empty if there is none. Raises SettingError."""
    if settings.secret_key:
        return settings.secret_key.encode()
    path = settings.data_dir / SECRET_NAME
    try:
        if not path.exists():
            return b""
        secret = path.read_bytes().strip()
    except OSError as error:
        raise SettingError(settings.name_of("data_dir"), f"{path} cannot be read: {error.strerror}") from error
    if len(secret) < MIN_SECRET_CHARS:  # a short secret can be guessed, and cookies forged
        raise SettingError(
            settings.name_of("data_dir"),
            f"{path} has {len(secret)} bytes, fewer than {MIN_SECRET_CHARS}: replace it with your copy, or remove it to have a "
            f"new one created, which signs everybody out and loses the stored logins of sites",
        )
    return secret


def make_secret(settings: Settings) -> bytes:
    """Create a secret in the data directory, and return it or the one that another process created first. Raises SettingError."""
    path = settings.data_dir / SECRET_NAME
    try:
        return _make(path)
    except OSError as error:
        raise SettingError(settings.name_of("data_dir"), f"{path} cannot be created: {error.strerror}") from error


def _make(path: Path) -> bytes:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = secrets.token_urlsafe(48).encode()
    beside = path.with_name(f"{SECRET_NAME}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, made + b"\n")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(beside, path)  # if two processes start at the same time, the first one wins
    except FileExistsError:
        made = path.read_bytes().strip()
    beside.unlink()
    return made


def sign(secret: bytes, purpose: str, *parts: object) -> bytes:
    """Return an HMAC-SHA-256 over a purpose and its values."""
    text = "\x1f".join((purpose, *map(str, parts)))
    return hmac.new(secret, text.encode(), hashlib.sha256).digest()


def signed_number(secret: bytes, number: int, purpose: str, *parts: object) -> str:
    """Return a number with its signature, for a link or cookie."""
    return f"{number}.{sign(secret, purpose, *parts, number).hex()}"


def read_signed_number(secret: bytes, token: str, purpose: str, *parts: object) -> int | None:
    """Return the number of a token of `signed_number`; None if it was not signed for these values."""
    digits = token.partition(".")[0]
    if not (token.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS):
        return None
    number = int(digits)
    return number if hmac.compare_digest(token, signed_number(secret, number, purpose, *parts)) else None


def link_salt(secret: bytes, account_id: int) -> bytes:
    """Return the salt for the passwords of an account's links. Links with equal hashes have one password, so their guests are the same."""
    return sign(secret, "link-salt", account_id)[:SALT_BYTES]


def token_hash(token: str) -> bytes:
    """Return the stored form of an API key. It has 256 random bits, so a slow hash is not needed."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
