"""Hash passwords of reports and people: slowly, with limited concurrency."""

import base64
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from findable.errors import RateLimited
from findable.wording import Message, later

MAX_PASSWORD_BYTES = 1024

if TYPE_CHECKING:
    from argon2 import PasswordHasher

TIME_COST = 2
MEMORY_KIB = 19 * 1024
"""Memory of argon2id with one lane (OWASP Password Storage Cheat Sheet, 2023)."""
AT_ONCE = 2
"""Hashes computed concurrently; each takes 30 ms of a core and 19 MiB."""
MAX_WAITING = 4
"""Maximum number of waiting attempts; more would use up the threads."""

UNKNOWN_PERSON_HASH = "$argon2id$v=19$m=19456,t=2,p=1$Ri0N9AayggQoNYAOgEQqXA$WZxA/+uZi7tPokPHf4tWeT/NWTTzUF0wN8HRLcCRpmY"
"""Hash of 256 random bits. A password for an unknown person is compared with it, which takes the same time."""
MIN_PASSWORD_CHARS = 10
_COMMON = (
    "1234567890 12345678910 0123456789 0987654321 123456789a qwertyuiop qwertzuiop asdfghjkl1 1q2w3e4r5t password123 password1234 "
    "passwort123 passwort1234 findable123 iloveyou123 letmein1234 welcome123 administrator changeme123 princess123"
)
_MIN_DIFFERENT_CHARS = 4


def as_bytes(password: str) -> bytes:
    """Return the bytes to hash: NFC, so that different keyboards give the same password."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def is_too_long(password: str) -> bool:
    """Return whether the password exceeds the limit; it is never truncated."""
    return len(as_bytes(password)) > MAX_PASSWORD_BYTES


def problem_of(password: str, *own: str) -> str:
    """Return the reason why a text is not a valid password, as a sentence; empty if it is valid.

    ``own`` is public information about the person: email address, name.
    """
    lowered = password.lower()
    if len(password) < MIN_PASSWORD_CHARS:
        return Message(later("The password must have at least %(least)s characters."), least=MIN_PASSWORD_CHARS)
    if is_too_long(password):
        return later("The password is too long.")
    if lowered in _COMMON.split() or len(set(lowered)) < _MIN_DIFFERENT_CHARS:
        return later("This password is too common. Choose another one.")
    if lowered in (text.lower() for text in own):
        return later("The password must not be your name or your email address.")
    return ""


class Passwords:
    """Hashes passwords with argon2id, and compares them."""

    def __init__(self) -> None:
        self._hashing = threading.BoundedSemaphore(AT_ONCE)
        self._line = threading.BoundedSemaphore(AT_ONCE + MAX_WAITING)

    @cached_property
    def _hasher(self) -> "PasswordHasher":
        from argon2 import PasswordHasher  # noqa: PLC0415 - a command that creates an account does not need it

        return PasswordHasher(TIME_COST, MEMORY_KIB, parallelism=1)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait until a password may be hashed. Raises RateLimited if too many wait already."""
        if not self._line.acquire(blocking=False):
            raise RateLimited(later("Too many passwords are being tried at once."), retry_after_s=1)
        try:
            with self._hashing:
                yield
        finally:
            self._line.release()

    def hash(self, password: str, salt: bytes | None = None) -> str:
        """Return the hash with its parameters; by default with a new random salt. Equal passwords with one salt have equal hashes."""
        with self._turn():
            return self._hasher.hash(as_bytes(password), salt=salt)

    def is_right(self, password_hash: str | None, password: str) -> bool:
        """Return whether the password is right. Without a hash it returns False after the same time."""
        from argon2.exceptions import VerificationError  # noqa: PLC0415 - a command that creates an account does not need it

        with self._turn():
            try:
                self._hasher.verify(password_hash or UNKNOWN_PERSON_HASH, as_bytes(password))
            except VerificationError:
                return False
        return password_hash is not None

    def is_outdated(self, password_hash: str, salt: bytes | None = None) -> bool:
        """Return whether the hash was created with parameters that are no longer current, or with another salt than this one."""
        has_other_salt = salt is not None and password_hash.split("$")[-2] != base64.b64encode(salt).decode().rstrip("=")
        return has_other_salt or self._hasher.check_needs_rehash(password_hash)
