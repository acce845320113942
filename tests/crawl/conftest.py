"""What tests of crawls leave open is closed when their module ends."""

from collections.abc import Iterator
from sqlite3 import Connection

import pytest
from sqlalchemy import Pool, event


@pytest.fixture(autouse=True, scope="module")
def closed_files() -> Iterator[None]:
    """Files of crawls are looked into until the end of a test; Python 3.13 warns of each that nobody closed."""
    opened: list[Connection] = []

    def note(connection: Connection, _record: object) -> None:
        opened.append(connection)

    event.listen(Pool, "connect", note)
    yield
    event.remove(Pool, "connect", note)
    for connection in opened:
        connection.close()
