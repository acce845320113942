"""What every database of ours can do. `sqlite.SqliteStore` is one; the statements in between are the same for all."""

from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Connection

from findable.store.acceptances import Acceptances
from findable.store.accounts import Accounts
from findable.store.jobs import Jobs
from findable.store.kept import Kept
from findable.store.projects import Projects
from findable.store.reports import Reports
from findable.store.runs import Runs


class Session:
    """One transaction, with the statements by what they are about."""

    def __init__(self, connection: Connection, not_asked: dict[int, tuple[str, ...]]) -> None:
        self.accounts = Accounts(connection)
        self.projects = Projects(connection)
        self.reports = Reports(connection, not_asked)
        self.runs = Runs(connection)
        self.jobs = Jobs(connection)
        self.kept = Kept(connection)
        self.acceptances = Acceptances(connection)


class Store(Protocol):
    """A database, open. Every method blocks; every method may be called from any thread.

    Raises Unavailable where it is busy for five seconds, full or away.
    """

    def read(self) -> AbstractContextManager[Session]:
        """A transaction that sees one state of the database and changes nothing."""
        ...

    def write(self) -> AbstractContextManager[Session]:
        """A transaction that changes something: kept whole where the block ends well, undone where it raises."""
        ...

    def ping(self) -> bool:
        """Whether the database answers."""
        ...

    def problems(self) -> list[str]:
        """What a thorough look finds damaged; it takes long."""
        ...

    def tidy(self) -> None:
        """Gives disk space back and keeps a reserve of it."""
        ...

    def use_reserve(self) -> bool:
        """Gives the reserve of disk space free, so that a full disk can be emptied. False where there was none."""
        ...

    def close(self) -> None:
        """Ends all connections and gives the lock back."""
        ...
