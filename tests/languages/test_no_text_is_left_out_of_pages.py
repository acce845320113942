"""Nothing of ours is shown in the browser that was not looked up."""

import threading
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from zoneinfo import available_timezones

import pytest

from findable.checks.engine import all_checks
from findable.reports.analysis import analyse
from findable.service.accounts import own_account, sign_in_links
from findable.service.accounts.sessions import UNKNOWN_CLIENT
from findable.web.problems import EXPLAINED
from tests.checks.harness import capture, page
from tests.languages.pages import said, spoken
from tests.languages.pseudo import PSEUDO, untranslated
from tests.reports import report_json
from tests.web.live import BAD_PAGE, Client, Live, run_live
from tests.web.reports import PAGES as HTML
from tests.web.reports import made
from tests.web.test_people import PASSWORD, SAME, link_in
from tests.worker.processes import until

NAMES = (
    "Findable Markdown PDF JSON CSV SHA UTC API HTTP Retry After DNS TLS",
    "English Deutsch user example com/page staging good decent bad links arabic hostile times out https http localhost",
    " ".join(available_timezones()),
    "Zorb Quux",
)
"""The same in every language: our name, formats, the languages themselves, addresses, made-up words of people and pages."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with spoken(PSEUDO):
        yield from run_live(tmp_path_factory.mktemp("service"))


@pytest.fixture(scope="module")
def email(live: Live) -> str:
    email = live.email()
    session = sign_in_links.redeem(live.service, sign_in_links.create(live.service, email).url.rpartition("/")[2])
    assert session is not None
    own_account.welcome(live.service, session.caller, session.token, UNKNOWN_CLIENT, name="", email=email, password=PASSWORD)
    return email


@pytest.fixture(scope="module")
def reports(live: Live, email: str) -> Mapping[str, str]:
    return made(live, email)


@pytest.fixture
def owner(live: Live, email: str) -> Client:
    return live.signed_in(email)


@pytest.fixture
def guest(live: Live) -> Client:
    return Client(live.port, prefix="")


def leaves(value: Any) -> Iterator[str]:
    """The values of a document of the interface, without what it says in sentences."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name not in {"note", "summary", "name", "fix", "why", "question", "message"}:
                yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif value is not None:
        yield str(value)


@cache
def quoted(html: str, host: str) -> str:
    """What a report quotes of that page."""
    return " ".join([html, *leaves(report_json(analyse(capture(html, url=f"https://{host}/"))))])


def words_left(reply: Any, *known: str) -> list[str]:
    return untranslated(said(reply.text), *NAMES, *known)


@pytest.mark.parametrize("host", [*HTML, "times-out.example"])
@pytest.mark.parametrize("viewer", ["owner", "guest"])
def test_reports(host: str, viewer: str, reports: Mapping[str, str], owner: Client, guest: Client) -> None:
    reply = {"owner": owner, "guest": guest}[viewer].get(reports[host])

    assert reply.status == 200
    assert words_left(reply, quoted(HTML.get(host, page()), host), quoted(page(), host)) == []  # another test may have made it before


@pytest.mark.parametrize("viewer", ["owner", "guest"])
def test_a_report_with_findings_accepted_a_second_run_and_words_for_the_client(live: Live, viewer: str) -> None:
    email = live.email()
    live.analyser.pages["falls.example"] = HTML["decent.example"]
    key, browser = live.client(email=email), live.signed_in(email)
    made = key.report("https://falls.example/")
    path = f"/r/{made['public_id']}"
    live.analyser.pages["falls.example"] = BAD_PAGE
    key.put(f"/reports/{made['id']}", {"results": 1}, wait=60)
    key.put(f"/reports/{made['id']}/accepted/noindex", {"reason": "quux", "until": "2027-01-31"})
    client = {"owner": browser, "guest": browser_of_a_guest(live)}[viewer]
    known = ["quux falls", quoted(HTML["decent.example"], "falls.example"), quoted(BAD_PAGE, "falls.example")]
    pages = [
        "",
        "/details/links",
        "/details/crawlers",
        *(["/history", "/compare", "/compare?from=1&to=2", "?run=1"] if viewer == "owner" else []),
    ]

    assert {name: left for name in pages if (left := words_left(client.get(path + name), *known))} == {}


def browser_of_a_guest(live: Live) -> Client:
    return Client(live.port, prefix="")


def test_a_report_that_is_being_made(live: Live) -> None:
    email = live.email()
    live.analyser.held["slow.example"] = threading.Event()
    made = live.client(email=email).post("/reports", {"url": "https://slow.example/"}, wait=0)
    path = f"/r/{made.json['data']['public_id']}"

    assert words_left(live.signed_in(email).get(path), "slow") == []
    live.analyser.held.pop("slow.example").set()


def test_a_report_behind_a_password_and_one_that_is_not_there(live: Live, email: str, guest: Client) -> None:
    path = f"/r/{live.client(email=email).report(privacy=2, password='quux')['public_id']}"

    assert words_left(guest.get(path)) == []
    assert words_left(guest.post(path, {"password": "zorb"}, SAME)) == []
    assert words_left(guest.get("/r/nothing")) == []


def test_the_first_page(live: Live, reports: Mapping[str, str], owner: Client, guest: Client) -> None:
    titles = " ".join(HTML.values()) + " www Blue widgets"

    assert words_left(guest.get("/")) == []
    assert words_left(live.signed_in(live.email()).get("/"), "site") == []
    assert words_left(owner.get("/"), titles) == []
    assert words_left(owner.post("/reports", {"url": "ftp://quux"}, SAME), "ftp quux", titles) == []
    assert words_left(owner.post("/reports", {"url": ""}, SAME), titles) == []


def test_many_pages_at_once(live: Live, owner: Client, email: str) -> None:
    reply = owner.post("/reports", {"url": "https://quux.example/\nftp://quux.example\nhttps://times-out.example/"}, SAME)
    assert reply.status == 303
    client = live.client(email=email)
    until(lambda: all(batch["status"] == "done" for batch in client.get("/batches").json["data"]))

    assert words_left(owner.get(reply.headers["Location"]), "quux ftp", quoted(page(), "quux.example")) == []


def test_what_is_wrong_with_a_form(live: Live, owner: Client, email: str) -> None:
    path = f"/r/{live.client(email=email).report('https://bad.example/')['public_id']}"
    known = ["ftp quux", quoted(BAD_PAGE, "bad.example"), *HTML.values()]
    wrong: list[tuple[str, Mapping[str, str]]] = [
        ("/reports", {"url": ""}),
        ("/reports", {"url": "ftp://quux.example/"}),
        ("/reports", {"url": "quux://user:word@example.com"}),
        ("/reports", {"url": f"https://quux.example/{'q' * 3000}"}),
        ("/reports", {"url": "ftp://quux.example/\nftp://quux.example/2"}),
        ("/reports", {"url": "\n".join(f"https://quux.example/{number}" for number in range(1001))}),
        ("/reports", {"url": "http://127.0.0.1:1/sitemap.xml"}),
        ("/reports", {"url": "https://quux.example/", "privacy": "2"}),
        ("/reports", {"url": "https://quux.example/", "privacy": "2", "password": "q" * 2000}),
        (f"{path}/privacy", {"privacy": "2"}),
        (f"{path}/accepted/noindex", {"reason": "", "scope": "report"}),
        (f"{path}/accepted/noindex", {"reason": "q" * 5000, "scope": "project", "pattern": "quux", "until": "2001-01-01"}),
        (f"{path}/accepted/noindex", {"reason": "quux", "scope": "project", "pattern": "/quux", "until": ""}),
        (f"{path}/accepted/noindex", {"reason": "quux", "scope": "project", "until": "quux"}),
        (f"{path}/accepted/https", {"reason": "quux", "scope": "report"}),
    ]
    for form, fields in wrong:
        reply = owner.post(form, fields, SAME)
        assert reply.status == 422, (form, fields)
        assert words_left(reply, *known, " ".join(fields.values())) == [], (form, fields)


def test_projects_and_what_stands_around_a_report(reports: Mapping[str, str], owner: Client) -> None:
    path = reports["bad.example"]
    known = [
        quoted(BAD_PAGE, "bad.example"),
        *HTML.values(),
        "X-Preview preview thanks analytics counter quux PNG JPEG WebP GitHub GitLab Jira",
        path,
    ]
    around = ("/projects", "/projects/bad.example", "/projects/bad.example/settings", f"{path}/client", f"{path}/link")
    replies = {name: owner.get(name) for name in around}

    assert {name: reply.status for name, reply in replies.items() if reply.status != 200} == {}
    assert {name: left for name, reply in replies.items() if (left := words_left(reply, *known))} == {}


def test_which_pages_fail_a_check(reports: Mapping[str, str], owner: Client) -> None:
    for path in ("/findings", "/findings?verdict=warned", "/findings?check=noindex", "/findings?check=noindex&verdict=warned"):
        assert words_left(owner.get(path), " ".join(HTML.values())) == [], path


def test_the_account(live: Live, owner: Client, email: str) -> None:
    live.client(email=email)
    for path in ("/account", "/account/sessions", "/account/keys", "/account/people", "/account/delete"):
        reply = owner.get(path)
        assert reply.status == 200
        assert words_left(reply, email, "YOU EXAMPLE COM fnd") == [], path
    wrong: Mapping[str, Mapping[str, str]] = {
        "/account/profile": {"name": "quux" * 100, "language": "xx", "time_zone": "Nowhere"},
        "/account/email": {"email": "quux", "password": "wrong"},
        "/account/password": {"present": "wrong", "password": "short"},
        "/account/delete": {"password": "wrong", "email": "quux"},
        "/account/keys": {"name": "quux" * 100, "scope": "quux", "expires": "2001-01-01"},
        "/account/people/invite": {"email": "quux", "role": "quux"},
    }
    for path, fields in wrong.items():
        reply = owner.post(path, fields, SAME)
        assert reply.status in {400, 422}, path
        assert words_left(reply, email, "quux") == [], path
    made = owner.post("/account/keys", {"name": "quux", "scope": "read"}, SAME)
    assert made.status in {200, 201}
    assert words_left(made, "quux") == []


def test_people(live: Live, owner: Client, guest: Client) -> None:
    made = owner.post("/account/people/invite", {"role": "member"}, SAME)
    path = link_in(made)

    assert words_left(made, link_in(made)) == []
    assert words_left(guest.get(path)) == []
    assert words_left(guest.post(path, {"name": "", "email": "quux", "password": "short"}, SAME), "quux") == []
    joined = guest.post(path, {"name": "Quux", "email": "quux@example.com", "password": PASSWORD}, SAME)
    assert joined.status == 303
    shown = owner.get("/account/people")
    assert words_left(shown, "quux") == []
    assert words_left(guest.get("/invitation/gone")) == []


def test_signing_in(live: Live, guest: Client) -> None:
    link = sign_in_links.create(live.service, live.email()).url.partition(f":{live.port}")[2]
    for path in ("/sign-in", link, "/sign-in/gone"):
        assert words_left(guest.get(path), "findable accounts link YOU EXAMPLE COM") == [], path
    assert words_left(guest.post("/sign-in", {"email": "quux@example.com", "password": "wrong"}, SAME), "quux") == []
    newcomer = live.signed_in(live.email())
    assert words_left(newcomer.get("/welcome")) == []
    assert words_left(newcomer.post("/welcome", {"name": "", "email": "quux", "password": "short"}, SAME), "quux") == []


@pytest.mark.full
def test_what_is_checked(guest: Client) -> None:
    assert words_left(guest.get("/docs/checks")) == []
    for name in all_checks():
        assert words_left(guest.get(f"/docs/checks/{name}"), name) == [], name


def test_errors(live: Live, guest: Client) -> None:
    owner = live.signed_in(live.email())  # home shows the form again, without reports of other tests
    for error in EXPLAINED:
        assert words_left(guest.get(f"/errors/{error.slug}"), error.slug) == [], error.slug
    replies = [
        guest.get("/nothing"),
        guest.request("PATCH", "/"),
        owner.post("/reports", {"url": "https://quux.example/", "privacy": "9"}, SAME),
        owner.post("/reports", {}, {"Origin": "https://elsewhere.example"}),
        owner.post("/reports", b"{", {"Content-Type": "application/json", **SAME}),
        owner.get("/findings?verdict=quux"),
    ]

    assert [(reply.status, left) for reply in replies if (left := words_left(reply, "quux GET HEAD OPTIONS"))] == []
