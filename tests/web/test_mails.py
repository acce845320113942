"""Emails in the browser: choices, the test, unsubscribing by a link, and lost passwords."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from findable.service.accounts import sign_in_links
from findable.service.delivery.unsubscribe_links import ALERTS, DIGEST, EmailSeries, unsubscribe_url
from tests.mail_server import Inbox, mail_server
from tests.sites.server import AUTHORITY
from tests.web.live import Client, Live, run_live
from tests.web.test_people import SAME, browser, with_password
from tests.worker.processes import until


@pytest.fixture(scope="module")
def inbox() -> Iterator[Inbox]:
    with mail_server() as server:
        yield server


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, inbox: Inbox) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), smtp_url=inbox.url, mail_from="Findable <f@service.example>", ca_file=AUTHORITY)


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def test_choices_are_kept_and_the_server_s_words_are_shown(live: Live, inbox: Inbox) -> None:
    email = with_password(live)
    owner = browser(live, email)
    assert owner.post("/projects", {"project": "chosen.example"}, SAME).status == 303
    assert owner.post("/account/mails/digest", {"digest": "daily"}, SAME).status == 303
    assert owner.post("/account/mails/digest", {"digest": "hourly"}, SAME).status == 422
    assert owner.post("/account/mails/alerts", {"project": "unknown.example"}, SAME).status == 422
    assert owner.post("/account/mails/alerts", {"project": "chosen.example"}, SAME).status == 303
    page = owner.get("/account/mails").text
    assert 'value="daily" checked' in page
    assert "chosen.example" in page
    sent = owner.post("/account/mails/test", {}, SAME)
    assert "250 2.0.0 Ok: queued as ABC123" in sent.text
    inbox.refusals[email] = ["550 5.1.1 <b>No</b> such user"]
    refused = owner.post("/account/mails/test", {}, SAME)
    assert refused.status == 502
    assert "550 5.1.1 &lt;b&gt;No&lt;/b&gt; such user" in refused.text


def test_a_link_unsubscribes_by_one_click_and_opening_it_changes_nothing(live: Live) -> None:
    email = with_password(live)
    owner = browser(live, email)
    owner.post("/projects", {"project": "chosen.example"}, SAME)
    owner.post("/account/mails/alerts", {"project": "chosen.example"}, SAME)
    with live.service.store.read() as session:
        person = session.people.by_email(email)
        assert person is not None
        ((project, _),) = session.mails.subscriptions(person.id)
    program = Client(live.port, prefix="")
    for series, before, after in (
        (EmailSeries(ALERTS, person.id, project), ">chosen.example<", "You get no alerts by email."),
        (EmailSeries(DIGEST, person.id, 0), 'value="weekly" checked', 'value="none" checked'),
    ):
        path = path_of(unsubscribe_url(live.service, series))
        shown = program.get(path)
        assert shown.status == 200
        assert email in shown.text
        assert before in owner.get("/account/mails").text
        # as a mail program sends it, from nowhere and without a session
        assert program.post(path, "List-Unsubscribe=One-Click", {"Content-Type": "application/x-www-form-urlencoded"}).status == 200
        assert after in owner.get("/account/mails").text
        for wrong in (
            f"{path[:-1]}{'A' if path[-1] != 'A' else 'B'}",
            path.replace(f"-{person.id}-", f"-{person.id + 1}-"),
            f"{path}%00",
            "/unsubscribe/x",
        ):
            assert program.post(wrong, {}).status == 404


def test_a_forgotten_password_is_answered_alike_for_everybody(live: Live, inbox: Inbox) -> None:
    email, unknown = with_password(live), "nobody-of-this-name@example.com"
    guest = Client(live.port, prefix="")
    assert "/forgot" in guest.get("/sign-in").text
    replies = {address: guest.post("/forgot", {"email": address}, SAME) for address in (email, unknown)}
    first, second = (reply.text.replace(address, "X") for address, reply in replies.items())
    assert first == second
    assert {reply.status for reply in replies.values()} == {200}
    assert guest.post("/forgot", {"email": "x"}, SAME).status == 422
    assert guest.post("/forgot", {"email": email}, {"Sec-Fetch-Site": "cross-site"}).status == 403
    blocked = {address: [guest.post("/forgot", {"email": address}, SAME).status for _ in range(4)] for address in (email, unknown)}
    assert blocked[email] == blocked[unknown]
    assert blocked[email][-1] == 429

    def queued() -> int:
        with live.service.store.read() as session:
            statement = "SELECT count(*) FROM delivery JOIN person ON person.id = delivery.person_id WHERE person.email = ?"
            return int(session.outbox._connection.exec_driver_sql(statement, (email,)).scalar_one())

    until(lambda: queued() == 3, 30)  # those before the limit, sent after their responses


def test_a_link_of_a_mail_works_once(live: Live) -> None:
    email = with_password(live)
    url = sign_in_links.create(live.service, email).url
    path = re.sub(r"^https?://[^/]+", "", url)
    guest = Client(live.port, prefix="")
    assert guest.post(path, {}, SAME).status == 303
    assert guest.post(path, {}, SAME).status == 410


def test_without_a_mail_server_there_is_no_form(tmp_path_factory: pytest.TempPathFactory) -> None:
    for other in run_live(tmp_path_factory.mktemp("other")):
        guest = Client(other.port, prefix="")
        assert guest.get("/forgot").status == 404
        assert guest.post("/forgot", {"email": "a@b.example"}, SAME).status == 404
        assert "/forgot" not in guest.get("/sign-in").text
        owner = browser(other, with_password(other))
        assert "This service sends no emails" in owner.get("/account/mails").text
        assert owner.post("/account/mails/test", {}, SAME).status == 404


def test_without_a_mail_server_no_form_promises_mails(tmp_path: Path) -> None:
    for live in run_live(tmp_path):
        owner = live.signed_in(live.email())
        assert owner.post("/projects", {"project": "quiet.example"}, SAME).status == 303
        of_project = "/projects/quiet.example"
        pages = {"/account/mails": "/account/mails/", f"{of_project}/recipients": "/recipients", f"{of_project}/watching": "/subscription"}
        for path, form in pages.items():
            text = owner.get(path).text
            assert "This service sends no emails." in text
            assert "can set up a mail server" in text
            assert not re.search(rf'action="[^"]*{form}', text), path
        assert "You send its link yourself" in owner.get(f"{of_project}/people").text
