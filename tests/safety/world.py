"""An account with people, keys and reports, somebody of another account, and everybody's way to ask: for tests of who may do what."""

import base64
import re
import sqlite3
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from findable.clock import now
from findable.service.accounts import account_admin, people, sessions
from findable.service.values.account_values import Session
from findable.service.values.caller import Caller
from tests.web.live import Client, Live
from tests.worked_crawls import end_crawl, fill_crawl

PASSWORD = "correct horse battery"
SAME = {"Sec-Fetch-Site": "same-origin"}
HOST, TITLE = "nobody-knows.example", "Nobody knows this title"
"""Of every report here: what must not be told."""
LOGO = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC")
"""One black pixel."""
CALLERS = ("nobody", "stranger", "member", "reader", "writer", "revoked", "owner")
"""Nobody; an owner of another account; a member of this one; keys that may read, that may write, that no longer work; an owner.

Pages are asked with a session, the interface with a key; people have both. Keys are nobody to a page."""
BY_KEY = frozenset({"reader", "writer", "revoked"})
VOLATILE = {"api_key": {"last_used_at"}, "session": {"last_seen_at"}}
"""Columns that say when something was last used, once a minute."""
NOT_COMPARED = frozenset({"rate_bucket", "alembic_version"})
QUIET_S = 20
BUSY = (
    "SELECT (SELECT count(*) FROM report WHERE status IN ('queued', 'running')) + (SELECT count(*) FROM job WHERE report_id IS NOT NULL)"
    " + (SELECT count(*) FROM batch WHERE fed < members) + (SELECT count(*) FROM project WHERE deleted_at IS NOT NULL)"
    " + (SELECT count(*) FROM crawl WHERE deleted_at IS NOT NULL AND status != 'deleted')"
)
TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'"


@dataclass
class Person:
    """Somebody with a password, a session and a key."""

    email: str
    session: Session
    key: str

    @property
    def caller(self) -> Caller:
        return self.session.caller


@dataclass
class World:
    """One owner's account. Everything is made when it is first asked for, except the people."""

    live: Live
    people: dict[str, Person] = field(default_factory=dict)
    _read: Mapping[int, Mapping[str, Sequence[tuple[Any, ...]]]] = field(default_factory=dict)
    """The database by its `data_version`."""

    def __post_init__(self) -> None:
        self.people["owner"] = owner = self._person(self.live.email())
        self.people["stranger"] = self._person(self.live.email())
        self.people["member"] = self._member(owner)
        self.people["colleague"] = self._member(owner)

    def _member(self, owner: Person) -> Person:
        email = f"member-{len(self.people)}-of-{owner.email}"
        row = {"account_id": owner.caller.account_id, "email": email, "name": "", "role": "member", "created_at": int(now().timestamp())}
        with self.live.service.store.write() as transaction:
            transaction.accounts.add_person(row)
        return self._person(email)

    def _person(self, email: str) -> Person:
        service = self.live.service
        session = account_admin.redeem_link(service, account_admin.create_link(service, email).url.rpartition("/")[2])
        assert session is not None
        with service.store.write() as transaction:
            transaction.accounts.change_person(session.caller.user_id, password_hash=service.passwords.hash(PASSWORD))
        return Person(email, session, account_admin.create_key(service, email).token)

    # --- who asks

    def key(self, name: str) -> str:
        """The key of a caller; empty for nobody."""
        if name == "nobody":
            return ""
        return self.people[name].key if name in self.people else self.keys[name]

    @cached_property
    def keys(self) -> dict[str, str]:
        service, email = self.live.service, self.people["owner"].email
        reader, writer = (account_admin.create_key(service, email, scopes=frozenset({scope})).token for scope in ("read", "write"))
        revoked = account_admin.create_key(service, email)
        account_admin.revoke_key(service, email, revoked.info.prefix)
        return {"reader": reader, "writer": writer, "revoked": revoked.token}

    def program(self, name: str) -> Client:
        """A client of the interface; its paths are whole."""
        return Client(self.live.port, self.key(name), prefix="")

    def browser(self, name: str) -> Client:
        """A browser, or a program that sends its key to pages."""
        if name in self.people:
            return Client(self.live.port, cookies={"findable": self.people[name].session.token}, prefix="")
        return Client(self.live.port, self.key(name), prefix="")

    def caller(self, name: str, path: str) -> Client:
        return self.program(name) if path.startswith("/api/") else self.browser(name)

    @property
    def api(self) -> Client:
        """The owner's, below /api/v1."""
        return Client(self.live.port, self.people["owner"].key)

    # --- what there is

    def report(self, **fields: Any) -> Any:
        """A new report of a page with problems, with a title and a host that nobody may learn."""
        return self.api.report(f"https://{HOST}/", **fields)

    @cached_property
    def private(self) -> Any:
        return self.report(privacy=1)

    @cached_property
    def locked(self) -> Any:
        return self.report(privacy=2, password=PASSWORD)

    @cached_property
    def public(self) -> Any:
        return self.report()

    @cached_property
    def batch(self) -> int:
        made = self.api.post("/batches", {"urls": f"https://{HOST}/"})
        assert made.status == 202, made.text
        number: int = made.json["data"]["id"]
        return number

    @cached_property
    def crawl(self) -> int:
        """A crawl that nobody works on."""
        made = self.api.post("/crawls", {"url": f"https://{HOST}/", "privacy": 1, "pages": 1})
        assert made.status == 202, made.text
        number: int = made.json["data"]["id"]
        return number

    @cached_property
    def crawled(self) -> str:
        """Key of a finding of the crawl, which is settled then; it has one page."""
        fill_crawl(self.live.service, self.crawl, f"https://{HOST}/", f"<title>{TITLE}</title>")
        found = self.api.get(f"/crawls/{self.crawl}/findings")
        assert found.status == 200, found.text
        key: str = found.json["data"][0]["key"]
        return key

    @cached_property
    def running_site(self) -> Any:
        return self.api.get(f"/crawls/{self.crawl}").json["data"]

    @cached_property
    def private_site(self) -> Any:
        return self.site(privacy=1)

    @cached_property
    def locked_site(self) -> Any:
        return self.site(privacy=2, password=PASSWORD)

    @cached_property
    def public_site(self) -> Any:
        return self.site(privacy=0)

    def site(self, **fields: Any) -> Any:
        """The crawl of a site that has ended, after an earlier one; ``key`` is that of a finding."""
        url, html = f"https://{HOST}/", f"<title>{TITLE}</title>"
        earlier, made = (self.api.post("/crawls", {"url": url, "pages": 1, **fields}).json["data"] for _ in range(2))
        end_crawl(self.live.service, earlier["id"], url, html)
        return {**made, "key": end_crawl(self.live.service, made["id"], url, html, earlier["id"])}

    def end_crawl(self) -> None:
        end_crawl(self.live.service, self.crawl, f"https://{HOST}/", f"<title>{TITLE}</title>")

    def stop_crawl(self) -> None:
        reply = self.api.post(f"/crawls/{self.crawl}/stop", {})
        assert reply.status == 200, reply.text

    @cached_property
    def link(self) -> str:
        """The token of a sign-in link of the owner."""
        return account_admin.create_link(self.live.service, self.people["owner"].email).url.rpartition("/")[2]

    @cached_property
    def invitation(self) -> tuple[str, str]:
        """Token and id of an open invitation."""
        made = people.invite(self.live.service, self.people["owner"].caller, role="member", email="")
        return made.url.rpartition("/")[2], made.invitation.id

    def prefix(self) -> str:
        """The prefix of the owner's reading key."""
        found = re.match(r"fnd_[0-9a-f]+", self.keys["reader"])
        assert found is not None
        return found[0]

    @property
    def session(self) -> str:
        """Id of the owner's session."""
        owner = self.people["owner"]
        return sessions.of_caller(self.live.service, owner.caller, owner.session.token)[0].id

    def again(self) -> None:
        """Gives the private report a second run."""
        if self.private["run"] == 1:
            self.private = self.api.put(f"/reports/{self.private['id']}", {"results": 1}, wait=20).json["data"]
            assert self.private["run"] == 2

    def with_logo(self, report: Any) -> None:
        """Gives the project of that report a logo."""
        assert report["project"] == HOST
        connection = sqlite3.connect(self.live.service.settings.data_dir / "findable.db")
        with closing(connection), connection:
            connection.execute("INSERT OR IGNORE INTO picture VALUES (?, ?, 1, 1, 0)", (b"l" * 32, LOGO))
            connection.execute(
                "UPDATE project SET brand_logo = ? WHERE account_id = ?", (b"l" * 32, self.people["owner"].caller.account_id)
            )

    # --- what is stored

    @cached_property
    def _database(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.live.service.settings.data_dir / "findable.db")
        weakref.finalize(self, connection.close)
        return connection

    def stored(self) -> Mapping[str, Sequence[tuple[Any, ...]]]:
        """Everything in the database but when it was last used, once nothing is being made."""
        ends_s = time.monotonic() + QUIET_S
        while self._database.execute(BUSY).fetchone()[0]:
            assert time.monotonic() < ends_s, "nothing comes to rest"
            time.sleep(0.02)
        (version,) = self._database.execute("PRAGMA data_version").fetchone()
        if version not in self._read:  # else nobody has written since
            tables = [table for (table,) in self._database.execute(TABLES).fetchall() if table not in NOT_COMPARED]
            self._read = {version: {table: _rows(self._database, table) for table in tables}}
        return self._read[version]


def _rows(connection: sqlite3.Connection, table: str) -> Sequence[tuple[Any, ...]]:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    kept = ", ".join(f'"{column}"' for column in columns if column not in VOLATILE.get(table, ()))
    return connection.execute(f"SELECT {kept} FROM {table} NOT INDEXED").fetchall()  # in the order of the table
