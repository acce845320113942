"""An account with people, keys and reports, somebody of another account, and everybody's way to ask: for tests of who may do what."""

import base64
import json
import re
import sqlite3
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.hit_statuses import HitStatus
from findable.clock import now
from findable.crawl.hit_document import HitGroup, encode_groups
from findable.monitor.alert_rules import AlertRule, RuleSignal
from findable.monitor.alert_states import Signal
from findable.service.accounts import account_admin, api_keys, invitations, sessions, sign_in_links
from findable.service.alerts import alert_watch
from findable.service.delivery.unsubscribe_links import DIGEST, EmailSeries, unsubscribe_url
from findable.service.projects import recipients
from findable.service.projects.project_links import PROJECTS
from findable.service.results import share_links
from findable.service.values.account_values import Session
from findable.service.values.caller import Caller
from findable.service.values.presentation import SECTIONS
from findable.vocabulary import Privacy
from tests.web.live import Client, Live
from tests.worked_crawls import end_crawl, fill_crawl

PASSWORD = "correct horse battery"
SAME = {"Sec-Fetch-Site": "same-origin"}
LOG_PART = {"source": "access.log", "format": "combined", "head_hash": "a" * 32, "head_bytes": 9, "offset": 9, "tail_hash": "c" * 32}
LOG_PART |= {"first_at": 1_793_836_800, "last_at": 1_793_840_400, "lines": 1, "days": "2026-11-05"}
"""A part of an access log without any requests of bots."""
HOST, TITLE = "nobody-knows.example", "Nobody knows this title"
"""Of every report here: what must not be told."""
LOGO = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC")
"""One black pixel."""
CALLERS = ("nobody", "stranger", "member", "reader", "writer", "revoked", "owner")
"""Nobody; an owner of another account; a member of this one; keys that may read, that may write, that no longer work; an owner.

Pages are asked with a session, the interface with a key; people have both. Keys are nobody to a page."""
BY_KEY = frozenset({"reader", "writer", "revoked"})
VOLATILE = {"api_key": {"last_used_at"}, "session": {"last_seen_at"}, "feed": {"last_used_at"}, "person": {"seen_at", "visited_at"}}
VOLATILE |= {"log_folder": {"due_at", "read_at", "problems"}}
"""Columns that say when something was last used or read, once a minute."""
NOT_COMPARED = frozenset({"rate_bucket", "alembic_version", "log_result"})
"""Tables of what is counted: requests, and what the counts of logs come to, which the first reader stores."""
QUIET_S = 120
SHOWN_ROWS = 5
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

    def _member(self, owner: Person, role: str = "member") -> Person:
        email = f"{role}-{len(self.people)}-of-{owner.email}"
        row = {"account_id": owner.caller.account_id, "email": email, "name": "", "role": role, "created_at": int(now().timestamp())}
        with self.live.service.store.write() as transaction:
            transaction.people.add(row)
        return self._person(email)

    def _person(self, email: str) -> Person:
        service = self.live.service
        session = sign_in_links.redeem(service, sign_in_links.create(service, email).url.rpartition("/")[2])
        assert session is not None
        with service.store.write() as transaction:
            transaction.people.change(session.caller.user_id, password_hash=service.passwords.hash(PASSWORD))
        return Person(email, session, api_keys.create_key(service, email).token)

    # --- who asks

    def key(self, name: str) -> str:
        """The key of a caller; empty for nobody."""
        if name == "nobody":
            return ""
        return self.people[name].key if name in self.people else self.keys[name]

    @cached_property
    def keys(self) -> dict[str, str]:
        service, email = self.live.service, self.people["owner"].email
        reader, writer = (api_keys.create_key(service, email, scopes=frozenset({scope})).token for scope in ("read", "write"))
        revoked = api_keys.create_key(service, email)
        api_keys.revoke_key(service, email, revoked.info.prefix)
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
    def schedule(self) -> int:
        assert self.private  # whose project it is
        made = self.api.post("/schedules", {"project": HOST})
        assert made.status == 201, made.text
        number: int = made.json["data"]["id"]
        return number

    @cached_property
    def numbers(self) -> bool:
        """Whether there are uploaded numbers, of a URL that no crawl knows."""
        assert self.private  # whose project it is
        sent = {"csv": f"url,clicks\nhttps://{HOST}/unknown,5\n", "source": "search-console"}
        assert self.api.post(f"/projects/{HOST}/url-data", sent).status == 201
        return True

    @cached_property
    def access_log(self) -> int:
        """An imported log."""
        assert self.private  # whose project it is
        made = self.api.post(f"/projects/{HOST}/log-imports", {**LOG_PART, "head_hash": "b" * 32, "source": "web2"})
        assert made.status == 201, made.text
        number: int = made.json["data"]["id"]
        return number

    @cached_property
    def unlinked(self) -> bool:
        """Whether bots requested a page that the crawl of the site did not find."""
        assert self.private_site
        hits = encode_groups([HitGroup(now().date(), "Googlebot", Verification.VERIFIED, [("/unlinked", HitStatus.OK, 3)])])
        at = int(now().timestamp())
        sent = {**LOG_PART, "head_hash": "d" * 32, "source": "web3", "first_at": at, "last_at": at, "days": now().date().isoformat()}
        made = self.api.post(f"/projects/{HOST}/log-imports", {**sent, "hits": base64.b64encode(hits).decode()})
        return made.status == 201

    @cached_property
    def operated(self) -> bool:
        """Whether the owner of the project's account is an operator."""
        assert self.private  # whose project it is
        account_admin.set_operator(self.live.service, self.people["owner"].email, is_operator=True)
        return True

    def assign_folder(self) -> None:
        """Assigns the folder with access logs."""
        assert self.operated
        assert self.api.put(f"/projects/{HOST}/log-folders/web1").status == 200

    @cached_property
    def granted(self) -> bool:
        """Whether the colleague has a role in the project."""
        self.grant("colleague", HOST, "viewer")
        return True

    def grant(self, name: str, project: str, role: str) -> None:
        """Gives somebody a role in a project, which is made if it is missing."""
        assert self.api.post("/projects", {"project": project}).status in (200, 201)
        number = self.people[name].caller.user_id
        assert self.api.put(f"/projects/{project}/roles/{number}", {"role": role}).status == 200

    def with_single_project(self, name: str, project: str, role: str = "viewer") -> None:
        """Adds a person who has that role in that project, and none in the account."""
        self.people[name] = self._member(self.people["owner"], role="projects")
        self.grant(name, project, role)

    @cached_property
    def alert(self) -> int:
        """An open alert about the site."""
        assert self.schedule
        with self.live.service.store.write() as session:
            project_id = session.projects.ensure(self.people["owner"].caller.account_id, HOST, 0)
            signal = RuleSignal(AlertRule.UNREACHABLE, Signal.BAD)
            at = int(now().timestamp())
            alert_id = alert_watch.open_alert_id(session, self.people["owner"].caller.account_id, project_id, signal, at)
            alert_watch.open_subject(session, alert_id, 0, at)
        return alert_id

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

    @cached_property
    def private_project(self) -> Any:
        assert self.private
        return self.project(Privacy.PRIVATE)

    @cached_property
    def locked_project(self) -> Any:
        assert self.private
        return self.project(Privacy.PASSWORD)

    @cached_property
    def public_project(self) -> Any:
        assert self.public
        return self.project(Privacy.PUBLIC)

    def project(self, privacy: Privacy) -> Any:
        """The link of the project."""
        caller = self.people["owner"].caller
        number = self.api.get(f"/projects/{HOST}").json["data"]["id"]
        link = share_links.set_access(self.live.service, caller, PROJECTS, number, privacy, PASSWORD)
        return {"public_id": link.public_id, "id": number, "url": f"https://{HOST}/"}

    def site(self, **fields: Any) -> Any:
        """The crawl of a site that has ended, after an earlier one; ``key`` is that of a finding."""
        url, html = f"https://{HOST}/", f"<title>{TITLE}</title>"
        earlier, made = (self.api.post("/crawls", {"url": url, "pages": 1, **fields}).json["data"] for _ in range(2))
        end_crawl(self.live.service, earlier["id"], url, html)
        return {**made, "key": end_crawl(self.live.service, made["id"], url, html, earlier["id"])}

    @property
    def unsubscribe(self) -> str:
        """The token that ends the owner's digest."""
        series = EmailSeries(DIGEST, self.people["owner"].caller.user_id, 0)
        return unsubscribe_url(self.live.service, series).rpartition("/")[2]

    @cached_property
    def recipient(self) -> int:
        """Number of a recipient of the monthly report."""
        service, owner, host = self.live.service, self.people["owner"].caller, self.private["project"]
        recipients.add(service, owner, host, "somebody@client.example", "en")
        return recipients.find(service, owner, host)[0].id

    @cached_property
    def feed(self) -> tuple[int, str]:
        """Number and token of a feed of the owner, which was read before."""
        made = self.api.post("/feeds", {"name": "Alerts"})
        assert made.status == 201, made.text
        token = made.json["data"]["url"].rpartition("/")[2]
        assert Client(self.live.port, prefix="").get(f"/feeds/{token}").status == 200
        return made.json["data"]["id"], token

    @cached_property
    def view(self) -> int:
        """A saved view."""
        made = self.api.post("/views", {"list": "pages", "name": "Slow pages", "query": "ttfb_ms=1000.."})
        assert made.status == 201, made.text
        number: int = made.json["data"]["id"]
        return number

    @cached_property
    def webhook(self) -> int:
        """A webhook whose receiver nobody reaches."""
        made = self.api.post("/webhooks", {"url": f"https://{HOST}/hook", "name": "Hook"})
        assert made.status == 201, made.text
        number: int = made.json["data"]["id"]
        return number

    @cached_property
    def delivery(self) -> int:
        """A test message that nobody sends."""
        sent = self.api.post(f"/webhooks/{self.webhook}/test", {})
        assert sent.status == 202, sent.text
        number: int = sent.json["data"]["id"]
        return number

    def end_crawl(self) -> None:
        end_crawl(self.live.service, self.crawl, f"https://{HOST}/", f"<title>{TITLE}</title>")

    def stop_crawl(self) -> None:
        reply = self.api.post(f"/crawls/{self.crawl}/stop", {})
        assert reply.status == 200, reply.text

    @cached_property
    def link(self) -> str:
        """The token of a sign-in link of the owner."""
        return sign_in_links.create(self.live.service, self.people["owner"].email).url.rpartition("/")[2]

    @cached_property
    def invitation(self) -> tuple[str, str]:
        """Token and id of an open invitation."""
        made = invitations.invite(self.live.service, self.people["owner"].caller, role="member", email="")
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
            self.private = self.api.put(f"/reports/{self.private['id']}", {"results": 1}, wait=60).json["data"]
            assert self.private["run"] > 1

    def with_logo(self, report: Any) -> None:
        """Gives the project of that report a logo and the icon of its site."""
        assert report["project"] == HOST
        connection = sqlite3.connect(self.live.service.settings.data_dir / "findable.db")
        with closing(connection), connection:
            connection.execute("INSERT OR IGNORE INTO picture VALUES (?, ?, 1, 1, 0)", (b"l" * 32, LOGO))
            connection.execute(
                "UPDATE project SET brand_logo = ?1, icon = ?1 WHERE account_id = ?2", (b"l" * 32, self.people["owner"].caller.account_id)
            )

    def with_saved_page(self, report: Any) -> None:
        """Shows guests of that report everything, the saved page too."""
        body = json.dumps({"sections": list(SECTIONS)})
        assert self.api.put(f"/reports/{report['id']}/client", body, {"Content-Type": "application/json"}).status == 200

    def with_account_logo(self) -> None:
        """Gives the account a logo."""
        connection = sqlite3.connect(self.live.service.settings.data_dir / "findable.db")
        with closing(connection), connection:
            connection.execute("INSERT OR IGNORE INTO picture VALUES (?, ?, 1, 1, 0)", (b"l" * 32, LOGO))
            connection.execute("UPDATE account SET brand_logo = ? WHERE id = ?", (b"l" * 32, self.people["owner"].caller.account_id))

    def with_screenshots(self, report: Any) -> None:
        """Gives the runs of that report screenshots."""
        connection = sqlite3.connect(self.live.service.settings.data_dir / "findable.db")
        with closing(connection), connection:
            connection.execute("INSERT OR IGNORE INTO picture VALUES (?, ?, 1, 1, 0)", (b"s" * 32, LOGO))
            connection.execute(
                "UPDATE run SET phone = ?, desktop = ?, filmstrip = ? WHERE report_id = ?", (b"s" * 32,) * 3 + (report["id"],)
            )

    # --- what is stored

    @cached_property
    def _database(self) -> sqlite3.Connection:
        path = self.live.service.settings.data_dir / "findable.db"
        connection = sqlite3.connect(path, check_same_thread=False)  # closed in whichever thread collects this world
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


def changed(before: Mapping[str, Sequence[tuple[Any, ...]]], after: Mapping[str, Sequence[tuple[Any, ...]]]) -> Mapping[str, Any]:
    """The tables that differ, with the rows that went and those that came: short enough to read."""
    tables = [table for table in {**before, **after} if before.get(table) != after.get(table)]
    return {
        table: (
            [row for row in before.get(table, ()) if row not in after.get(table, ())][:SHOWN_ROWS],
            [row for row in after.get(table, ()) if row not in before.get(table, ())][:SHOWN_ROWS],
        )
        for table in tables
    }


def _rows(connection: sqlite3.Connection, table: str) -> Sequence[tuple[Any, ...]]:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    kept = ", ".join(f'"{column}"' for column in columns if column not in VOLATILE.get(table, ()))
    asked = (
        "WHERE action NOT IN ('crawl.asked', 'project.asked')" if table == "audit_entry" else ""
    )  # a question is recorded, and changes nothing
    return connection.execute(f"SELECT {kept} FROM {table} NOT INDEXED {asked}").fetchall()  # in the order of the table
