"""File that is sent in pieces while it is written."""

import io
from typing import Any


class Pieces(io.RawIOBase):
    """File that is written from the beginning to the end, so that what is written can be taken at once."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Keep data until it is taken."""
        self._written += data
        return len(data)

    def take(self) -> bytes:
        """Return what was written since the last time."""
        data = bytes(self._written)
        self._written.clear()
        return data
