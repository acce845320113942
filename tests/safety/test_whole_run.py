"""A whole run of `findable serve`: no secret that went through it comes out again, and no page of a stranger ends its work. S24, S26, S81."""

import base64
import html
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from findable.store.packed_values import unpack
from tests.checks.harness import page
from tests.safety.test_bodies import gzip_bomb
from tests.safety.world import SAME
from tests.sites.server import Page, Request, Site, drip, dynamic, endless
from tests.web.live import Client, Reply
from tests.web.served import ROOT, Served, environment_of, served_by

ENDS_S = 240
"""By then every report has ended; what drips is given up after 30 s."""
USER, PASSWORD = "anna", "staging-s3cret-0815"
BASIC = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
PLANTED = {
    "password of a staging site": PASSWORD,
    "the same as it is sent": BASIC,
    "header of a staging site": "t0ken-value-4711",
    "cookie of a staging site": "c00kie-value-4712",
    "secret key": "the-secret-key-of-this-service-4713",
    "token of the metrics": "who-watches-4714",
    "password of a client's link": "for-the-client-4715",
    "wrong password of a client's link": "guessed-by-a-client-4716",
    "password of a person": "a-persons-own-4717",
    "wrong password of a person": "nearly-a-persons-own-4718",
    "unknown key": "fnd_01234567_" + "u" * 43,
}
IDENTITY = {
    "user": USER,
    "password": PASSWORD,
    "headers": {"X-Token": PLANTED["header of a staging site"]},
    "cookies": {"pass": PLANTED["cookie of a staging site"]},
}
JSON = {"Content-Type": "application/json"}
FILES = ("json", "csv", "md", "pdf")


def shows_what_it_is_sent(request: Request) -> Page:
    """A staging site as they are: closed, and careless with those whom it lets in."""
    if request.headers.get("authorization") != f"Basic {BASIC}":
        return Page(b"<!doctype html><title>No</title>", 401, [("WWW-Authenticate", 'Basic realm="staging"')])
    if request.path == "/leaks":
        return Page(b"", 302, [("Location", f"/leaks?was={PASSWORD}")])
    shown = "".join(f"<li>{html.escape(f'{name}: {value}')}</li>" for name, value in request.headers.items())
    return Page(page(f"<h1>Next release</h1><ul>{shown}</ul>", head=f"<title>Next {PASSWORD}</title>").encode())


def ended(client: Client, report_id: int) -> dict[str, Any]:
    """The report once it is done or failed."""
    until_s = time.monotonic() + ENDS_S
    while True:
        reply = client.get(f"/reports/{report_id}")
        assert reply.status == 200, reply.text
        report: dict[str, Any] = reply.json["data"]
        if report["status"] in ("done", "failed"):
            return report
        assert time.monotonic() < until_s, report
        time.sleep(0.5)  # reads are limited to some hundred a minute


def begun(client: Client, url: str, **fields: object) -> int:
    """The number of a new report."""
    reply = client.post("/reports", {"url": url, **fields}, wait=0)
    assert reply.status in (201, 202), reply.text
    number: int = reply.json["data"]["id"]
    return number


def ran(served: Served, *arguments: str, **settings: object) -> str:
    """What a command beside the service prints."""
    folder = served.log.parent
    command = [sys.executable, "-m", "findable", *arguments]
    done = subprocess.run(
        command, env=environment_of(folder, **settings), cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cookie_of(reply: Reply) -> tuple[str, str]:
    name, _, value = reply.headers["Set-Cookie"].partition(";")[0].partition("=")
    return name, value


def command_lines(pid: int) -> Iterator[str]:
    """Of the process and of those below it, with what they were given as variables by us."""
    yield Path(f"/proc/{pid}/cmdline").read_text()
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from command_lines(int(child))


def cells_of(database: Path) -> Iterator[bytes]:
    """Everything in a database, as it is and unpacked."""
    yield database.read_bytes()
    with closing(sqlite3.connect(database)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'").fetchall()
        for (table,) in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                for value in row:
                    data = value if isinstance(value, bytes) else str(value).encode()
                    yield data
                    with suppress(ValueError):
                        yield unpack(data)


@pytest.mark.full
def test_s81_what_is_secret_stands_in_no_log_no_answer_no_pdf_and_no_backup(tmp_path: Path, make_site: Callable[..., Site]) -> None:
    staging = make_site()
    staging.fallback(dynamic(shows_what_it_is_sent))
    settings: dict[str, Any] = {
        "secret_key": PLANTED["secret key"],
        "metrics_token": PLANTED["token of the metrics"],
        "allow_targets": "127.0.0.1",
    }
    replies: list[Reply] = []

    def kept(reply: Reply, *statuses: int) -> Reply:
        assert reply.status in statuses, reply.text
        replies.append(reply)
        return reply

    with served_by(tmp_path, **settings) as served:
        secrets = {**PLANTED, "key": served.key}
        api, guest = served.client, served.client.guest()
        project = f"/projects/127.0.0.1:{staging.port}"

        # Reports: one that is refused, one with what the site wants, one that a redirect quotes a secret in.
        refused = begun(api, staging.url("/"))
        assert ended(api, refused)["error"]["code"] == "login_required"
        project = f"/projects/{api.get(f'/reports/{refused}').json['data']['project']}"
        kept(api.put(project, json.dumps({"identity": IDENTITY}), JSON), 200)
        kept(api.put(project, json.dumps({"identity": {**IDENTITY, "headers": {"Host": PASSWORD}}}), JSON), 422)
        one = begun(api, staging.url("/"), privacy=2, password=PLANTED["password of a client's link"])
        done = ended(api, one)
        assert done["status"] == "done", done
        assert ended(api, begun(api, staging.url("/leaks")))["status"] == "failed"
        kept(api.get("/reports"), 200)
        kept(api.get(f"/reports/{one}"), 200)
        kept(Client(served.port, PLANTED["unknown key"]).get("/reports"), 401)
        kept(api.post("/reports", {"url": f"http://{USER}:{PASSWORD}@127.0.0.1:{staging.port}/"}), 422)

        # A client, by the link.
        path = "/r/" + done["links"]["html"].rpartition("/r/")[2]
        kept(guest.post(path, {"password": PLANTED["wrong password of a client's link"]}, SAME), 403)
        unlocked = kept(guest.post(path, {"password": PLANTED["password of a client's link"]}, SAME), 303)
        client = Client(served.port, cookies=dict([cookie_of(unlocked)]), prefix="")
        secrets["cookie of a client's link"] = cookie_of(unlocked)[1]
        kept(client.get(path), 200)
        for ending in FILES:
            kept(client.get(f"{path}/report.{ending}"), 200)

        # A person, by a link of the operator and by password.
        link = ran(served, "accounts", "link", "a@example.com", **settings).strip()
        secrets["link to sign in"] = link.rpartition("/")[2]
        by_link = kept(guest.post(f"/sign-in/{secrets['link to sign in']}", {}, SAME), 303)
        kept(guest.post(f"/sign-in/{secrets['link to sign in']}", {}, SAME), 410)
        browser = Client(served.port, cookies=dict([cookie_of(by_link)]), prefix="")
        person = {"name": "Ann", "email": "a@example.com", "password": PLANTED["password of a person"]}
        kept(browser.post("/welcome", person, SAME), 303)
        kept(guest.post("/sign-in", {**person, "password": PLANTED["wrong password of a person"]}, SAME), 403)
        signed_in = kept(guest.post("/sign-in", person, SAME), 303)
        secrets |= {"session": cookie_of(signed_in)[1], "session by link": cookie_of(by_link)[1]}
        browser = Client(served.port, cookies=dict([cookie_of(signed_in)]), prefix="")
        for address in ("/", "/account", "/account/keys", project, f"{project}/settings", path):
            kept(browser.get(address), 200)

        # Who watches, and a backup.
        kept(guest.get("/metrics"), 401, 403, 404)
        kept(guest.get("/metrics", {"Authorization": f"Bearer {PLANTED['token of the metrics']}"}), 200)
        backup, restored = tmp_path / "backup", tmp_path / "restored" / "findable.db"
        ran(served, "backup", str(backup), **settings)
        restored.parent.mkdir()
        ran(served, "restore", str(backup), "--to", f"sqlite:///{restored}", **settings)
        lines = list(command_lines(served.process.pid))

        # The database loses a table: bugs of ours that are told with their traceback.
        with closing(sqlite3.connect(tmp_path / "data" / "findable.db", timeout=30)) as connection:
            connection.execute("ALTER TABLE rate_bucket RENAME TO lost")
            connection.execute("ALTER TABLE report RENAME TO lost_too")
            connection.commit()
        kept(api.get(f"/reports/{one}"), 500, 503)
        kept(guest.post("/sign-in", person, SAME), 500, 503)
        kept(guest.post(path, {"password": PLANTED["password of a client's link"]}, SAME), 500, 503)
        assert served.end() == 0

    log = served.log.read_text()
    assert "Traceback" in log
    assert [line for line in log.splitlines() if "findable.access" in line]
    pdf = next(reply.body for reply in replies if reply.body.startswith(b"%PDF"))
    told = subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout
    assert b"Next" in told
    answers = b"\n".join(reply.body for reply in replies)
    cells = b"\n".join(cells_of(restored))
    assert b"Next release" in cells, "the saved page"
    places = {
        "log": log.encode(),
        "answers": answers,
        "PDF": told,
        "backup": cells + backup.read_bytes(),
        "processes": "".join(lines).encode(),
    }
    found = [(name, place) for name, secret in secrets.items() for place, data in places.items() if secret.encode() in data]
    assert found == []


def hostile(site: Site) -> dict[str, str]:
    """Pages made to end the worker, by what they are."""
    packed = [("Content-Encoding", "gzip")]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    nested = "<script type=application/ld+json>" + '{"@graph":[' * 50_000 + "</script>"
    site.page("/bomb", gzip_bomb(256 << 20), headers=packed)
    site.handler("/endless", endless(head + b"\r\n", b"<p>again" * 4096))
    site.handler("/endless-head", endless(head, b"X-A: 1\r\n" * 100))
    site.handler("/drip", drip(b"<p>" * 1000, pause_s=0.5))
    site.page("/deep", b"<div>" * 1_000_000)
    site.page("/zeros", b"<p>" + b"\0" * 5_000_000)
    site.page("/utf-16", "<!doctype html><p>".encode("utf-16") + b"\x00\xd8<\x00" * 500_000, content_type="text/html; charset=utf-16")
    site.page("/json-ld", page(head=f"<title>Deep</title>{nested}"))
    site.page("/one-text", b"<p>" + b"word " * 3_000_000)
    return {
        path: site.url(path)
        for path in ("/bomb", "/endless", "/endless-head", "/drip", "/deep", "/zeros", "/utf-16", "/json-ld", "/one-text")
    }


@pytest.mark.full
def test_s24_s26_every_hostile_page_ends_and_the_service_goes_on(tmp_path: Path, make_site: Callable[..., Site]) -> None:
    site = make_site()
    urls = hostile(site)
    good = site.page("/good", page())
    with served_by(tmp_path, allow_targets="127.0.0.1", report_concurrency=10) as served:
        api = served.client
        numbers = {path: begun(api, url) for path, url in urls.items()}
        reports = {path: ended(api, number) for path, number in numbers.items()}
        assert {path: report["status"] for path, report in reports.items()} == {
            path: "failed" if path in ("/drip", "/endless-head") else "done" for path in urls
        }
        assert reports["/drip"]["error"]["code"] == "target_timeout"
        assert served.healthy
        after = ended(api, begun(api, good))
        assert (after["status"], after["run"]) == ("done", 1)
        assert after["score"] is not None
        assert served.end() == 0
    assert "Traceback" not in served.log.read_text()
