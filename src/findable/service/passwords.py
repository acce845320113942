"""Passwords of reports: hashed slowly, few at a time."""

import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from findable.errors import RateLimited
from findable.service.values import MAX_PASSWORD_BYTES

if TYPE_CHECKING:
    from argon2 import PasswordHasher

AT_ONCE = 2
"""Hashes being computed; each takes 30 ms of a core and 19 MiB."""
IN_LINE = 4
"""Tries that may wait for that; more would take the threads of everybody else."""


def as_bytes(password: str) -> bytes:
    """The bytes that are hashed: NFC, so that one password typed on two keyboards is one."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def is_too_long(password: str) -> bool:
    """Whether it is longer than we take; it is never cut."""
    return len(as_bytes(password)) > MAX_PASSWORD_BYTES


class Passwords:
    """argon2id with t=2, m=19 MiB, p=1 (OWASP Password Storage Cheat Sheet, 2023)."""

    def __init__(self) -> None:
        self._hashing = threading.BoundedSemaphore(AT_ONCE)
        self._line = threading.BoundedSemaphore(AT_ONCE + IN_LINE)

    @cached_property
    def _hasher(self) -> "PasswordHasher":
        from argon2 import PasswordHasher  # noqa: PLC0415 - a command that makes an account needs none

        return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Raises RateLimited where too many wait already."""
        if not self._line.acquire(blocking=False):
            raise RateLimited("Too many passwords are being tried at once.", retry_after_s=1)
        try:
            with self._hashing:
                yield
        finally:
            self._line.release()

    def hash(self, password: str) -> str:
        """The hash with its parameters."""
        with self._turn():
            return self._hasher.hash(as_bytes(password))

    def is_right(self, password_hash: str, password: str) -> bool:
        """Whether it is the password."""
        from argon2.exceptions import VerificationError  # noqa: PLC0415

        with self._turn():
            try:
                return self._hasher.verify(password_hash, as_bytes(password))
            except VerificationError:
                return False

    def is_outdated(self, password_hash: str) -> bool:
        """Whether it was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(password_hash)
