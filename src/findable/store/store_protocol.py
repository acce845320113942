"""What every database of ours can do: `sqlite.SqliteStore` and `postgres.PostgresStore`; the statements in between are the same for all.

A use case reads and writes in one transaction and need not think of others: what the methods of a session read in `Store.write` is still
so when the transaction writes. How that holds where many write at once: `findable.store.write_turns`.
"""

from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from sqlalchemy import Connection

from findable.store.acceptance_table import Acceptances
from findable.store.account_table import Accounts
from findable.store.batch_table import Batches
from findable.store.expiring_table import Kept
from findable.store.image_table import Pictures
from findable.store.job_table import Jobs
from findable.store.overview_queries import Overview
from findable.store.project_table import Projects
from findable.store.report_link_table import Links
from findable.store.report_table import Reports
from findable.store.run_table import Runs
from findable.store.site_table import Sites


class Session:
    """One transaction, with the statements by what they are about."""

    def __init__(self, connection: Connection, not_asked: dict[int, tuple[str, ...]]) -> None:
        self.accounts = Accounts(connection)
        self.projects = Projects(connection)
        self.reports = Reports(connection, not_asked)
        self.links = Links(connection)
        self.runs = Runs(connection)
        self.jobs = Jobs(connection)
        self.sites = Sites(connection)
        self.kept = Kept(connection)
        self.acceptances = Acceptances(connection)
        self.pictures = Pictures(connection)
        self.batches = Batches(connection)
        self.overview = Overview(connection)


class TableSize(NamedTuple):
    """How much room a table takes, with its indexes."""

    table: str
    rows: int
    size_bytes: int | None
    """None where the database cannot tell."""


class About(NamedTuple):
    """What a person should know of the database."""

    text: str
    notes: tuple[str, ...] = ()
    """What could be better, and how."""


class Store(Protocol):
    """A database, open. Every method blocks; every method may be called from any thread.

    Raises Unavailable where it is busy for five seconds, full or away.
    """

    def read(self) -> AbstractContextManager[Session]:
        """A transaction that sees one state of the database and changes nothing."""
        ...

    def one_state(self) -> AbstractContextManager[None]:
        """Every `read` of this thread within the block is one transaction and sees one state: for what only reads, and is soon done.

        What is written within the block is not seen in it.
        """
        ...

    def write(self) -> AbstractContextManager[Session]:
        """A transaction that changes something: kept whole where the block ends well, undone where it raises."""
        ...

    @property
    def shared(self) -> bool:
        """Whether several services may work on it at once, from several machines."""
        ...

    def ping(self) -> bool:
        """Whether the database answers and can be written."""
        ...

    def about(self) -> About:
        """What it is, and what could be better."""
        ...

    def problems(self) -> list[str]:
        """What a thorough look finds damaged; it takes long."""
        ...

    def sizes(self) -> list[TableSize]:
        """Rows and bytes of each table; every row is counted."""
        ...

    def size_bytes(self) -> int:
        """Bytes of it all."""
        ...

    def vacuum(self) -> None:
        """Gives all the disk space back that can be, and counts anew what plans are made by. It may take minutes."""
        ...

    def tidy(self) -> None:
        """Gives disk space back and keeps a reserve of it."""
        ...

    def use_reserve(self) -> bool:
        """Gives the reserve of disk space free, so that a full disk can be emptied. False where there was none."""
        ...

    def hang_up(self) -> None:
        """Whoever waits for a database that does not answer is told Unavailable, and so is whoever asks from now on."""
        ...

    def close(self) -> None:
        """Ends all connections and gives the lock back."""
        ...
