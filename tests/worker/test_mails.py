"""Emails of a service to a real mail server on loopback: encrypted, well-formed, never doubled by a repetition."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from msgspec import structs

from findable.clock import now
from findable.errors import RateLimited, ValidationFailed
from findable.monitor.alert_states import GATHER_S
from findable.notify import retry_delays
from findable.notify.chat_messages import WebhookKind
from findable.notify.email_blocks import Action, Entries, Entry, Heading, Letter, Paragraph
from findable.notify.email_mime import message_of
from findable.notify.outgoing_event import AlertData, Event, EventType
from findable.notify.smtp_client import MailRefused, MailServer, send
from findable.service import future_times
from findable.service.accounts import invitations, own_account, sign_in_emails
from findable.service.accounts.account_admin import create_account, owner_caller
from findable.service.accounts.sessions import SignInClient
from findable.service.alerts import alert_notifications
from findable.service.delivery import deliveries, digests, email_preferences, feeds, monthly_reports, unsubscribe_links, webhook_settings
from findable.service.delivery.deliveries import DeliveryOutcome
from findable.service.delivery.webhook_settings import WebhookCreate
from findable.service.projects import log_imports, projects, recipients, role_grants, schedules
from findable.service.runtime.outbox import write_event
from findable.service.runtime.service import Service
from findable.service.values.caller import PROJECTS, VIEWER, Caller
from findable.service.values.project_values import ProjectChanges
from findable.service.values.schedule_values import ScheduleCreate
from findable.settings import Settings
from findable.store import project_scores, store_protocol
from findable.store.schema.message_tables import delivery
from findable.store.schema.site_tables import alert
from findable.store.setback_statements import ChangeScope, SetbackKey
from findable.wording import wording
from tests.mail_server import Inbox, mail_server
from tests.service import samples
from tests.service.test_log_imports import month
from tests.service.test_outbox import subscribe, types
from tests.service.test_project_settings import picture
from tests.service.test_site_verdicts import Shop
from tests.simulated_clock import simulated_clock
from tests.sites.server import AUTHORITY, Site
from tests.worker.processes import eventually, stub_service, until
from tests.worker.test_deliveries import delivering

HOSTILE = 'Title"\r\nBcc: evil@example.com\r\n\r\n<script>alert(1)</script> <img src=x>\u202e'
CLIENT = SignInClient("", "127.0.0.1")
FROM = "Findable <findable@service.example>"


@pytest.fixture(scope="module")
def server() -> Iterator[Inbox]:
    with mail_server() as inbox:
        yield inbox


@pytest.fixture
def inbox(server: Inbox) -> Inbox:
    server.mails.clear()
    server.raw.clear()
    server.refusals.clear()
    server.quit_reply = "221 Bye"
    server.hold_s = 0.0
    return server


@pytest.fixture
def service(tmp_path: Path, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(retry_delays, "DELAYS_S", (0,) * 9)
    opened = Service.open(settings_of(tmp_path, inbox.url))
    yield opened
    opened.close()


def settings_of(folder: Path, url: str) -> Settings:
    return samples.settings(folder, smtp_url=url, mail_from=FROM, ca_file=AUTHORITY)


@pytest.fixture
def caller(service: Service) -> Caller:
    return signed_in(service)


def signed_in(service: Service, email: str = "owner@example.com") -> Caller:
    """A person with a session, as pages have."""
    key = samples.owner(service, email)
    return Caller(key.account_id, key.user_id, None, key.scopes)


def letter(**more: Any) -> Letter:
    given: dict[str, Any] = {
        "to": "reader@example.com",
        "language": "en",
        "subject": HOSTILE,
        "blocks": (
            Heading(HOSTILE),
            Paragraph(HOSTILE),
            Entries((Entry(HOSTILE), Entry("Own", "https://s.example/x?a=1&b=2"))),
            Action("Open", "https://s.example/"),
        ),
        "why": HOSTILE,
        "unsubscribe_url": "https://s.example/unsubscribe/x",
        "sender_name": HOSTILE,
    }
    return Letter(**(given | more))


def message(**more: Any) -> EmailMessage:
    return message_of(letter(**more), FROM, "1@service.example", now(), wording("en"))


def sent_until(service: Service, inbox: Inbox, count: int) -> list[EmailMessage]:
    async def work() -> None:
        async with delivering(service):
            await eventually(lambda: len(inbox.mails) >= count and not queued(service), 30)

    asyncio.run(work())
    return inbox.mails


def queued(service: Service) -> int:
    with service.store.read() as session:
        found = session.outbox._connection.execute(delivery.select().where(delivery.c.state.in_(("ready", "running"))))
        return len(found.all())


def html_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    content = part.get_content()
    assert isinstance(content, str)
    return content


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    content = part.get_content()
    assert isinstance(content, str)
    return content


def test_s85_texts_of_others_add_no_header_and_no_markup_to_a_mail(inbox: Inbox) -> None:
    words = send(MailServer.from_url(inbox.url, (AUTHORITY,)), message())
    assert words == "250 2.0.0 Ok: queued as ABC123"
    (mail,) = inbox.mails
    assert mail["Bcc"] is None
    assert str(mail["Subject"]).startswith('Title" Bcc: evil@example.com')
    assert mail["From"].addresses[0].addr_spec == "findable@service.example"
    assert mail["List-Unsubscribe"] == "<https://s.example/unsubscribe/x>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    page = html_of(mail)
    assert "<script" not in page
    assert "<img" not in page
    assert "src=x" in page.replace("&lt;img src=x&gt;", "src=x")
    assert "https://s.example/x?a=1&amp;b=2" in page
    assert "\u202e" not in page + text_of(mail) + str(mail["Subject"])
    assert "https://s.example/unsubscribe/x" in text_of(mail)


@pytest.mark.parametrize("ending", ["=0d=0aBcc:_evil@example.com=0d=0aX-Injected:_1", "=0d=0a=0d=0a<h1>Own_text</h1>"])
def test_s85_encoded_words_of_others_add_no_header_and_end_no_head(inbox: Inbox, ending: str) -> None:
    words = f"Anna =?utf-8?q?{ending}?= =\0?utf-8?q?{ending}?="
    usual = message(subject="x", sender_name="x").keys()
    send(MailServer.from_url(inbox.url, (AUTHORITY,)), message(subject=words, sender_name=words))
    head = inbox.raw[0].partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0].decode() for line in head.split(b"\r\n") if not line.startswith((b" ", b"\t"))]
    assert names == list(usual)
    (mail,) = inbox.mails
    assert mail["Bcc"] is None
    assert str(mail["Subject"]).replace("\u200b", "") == f"Anna =?utf-8?q?{ending}?= =?utf-8?q?{ending}?="
    assert text_of(mail).startswith("Title")


def test_s85_an_invitation_in_a_name_with_encoded_words_has_the_usual_headers(service: Service, inbox: Inbox) -> None:
    create_account(service, "anna@example.com", "Anna =?utf-8?q?=0d=0aBcc:_evil@example.com?=")
    key = owner_caller(service, "anna@example.com")
    anna = Caller(key.account_id, key.user_id, None, key.scopes)
    assert invitations.invite(service, anna, role="member", email="guest@example.com").is_mailed
    (mail,) = sent_until(service, inbox, 1)
    assert (mail["Bcc"], mail["To"]) == (None, "guest@example.com")
    assert "Anna =\u200b?utf-8" in str(mail["Subject"])


@pytest.mark.parametrize("address", ["=?utf-8?q?=0d=0abcc:x?=@example.com", '"=?utf-8?q?=0d=0abcc:x?="@example.com'])
def test_s85_addresses_with_encoded_words_are_refused(service: Service, caller: Caller, address: str) -> None:
    with pytest.raises(ValidationFailed):
        invitations.invite(service, caller, role="member", email=address)
    with pytest.raises(ValidationFailed):
        recipients.add(service, caller, "site.example", address)


@pytest.mark.parametrize("value", ["x\r\nBcc: evil@example.com", "x\r\n\r\nOwn text", "x\nX-Injected: 1"])
def test_s85_a_message_with_a_header_that_was_not_set_is_not_sent(inbox: Inbox, value: str) -> None:
    built = message()
    built._headers.append(("X-Last", value))  # type: ignore[attr-defined]  # as a defect of the library would write it
    with pytest.raises(MailRefused) as caught:
        send(MailServer.from_url(inbox.url, (AUTHORITY,)), built)
    assert caught.value.is_permanent
    assert inbox.raw == []


@pytest.mark.parametrize("kind", ["smtps", "starttls"])
def test_mails_are_sent_encrypted(kind: str) -> None:
    with mail_server(kind) as inbox:
        send(MailServer.from_url(inbox.url, (AUTHORITY,)), message())
        assert inbox.was_encrypted == [True]


@pytest.mark.parametrize(("kind", "certificate", "words"), [
    ("plain", "good", "STARTTLS"),
    ("starttls", "expired", "certificate has expired"),
    ("smtps", "wrong_host", "not valid for '127.0.0.1'"),
    ("smtps", "self_signed", "self-signed certificate"),
])  # fmt: skip
def test_no_mail_and_no_password_leaves_without_a_valid_certificate(kind: str, certificate: str, words: str) -> None:
    with mail_server(kind, certificate) as inbox:
        with pytest.raises(MailRefused) as caught:
            send(MailServer.from_url(inbox.url, (AUTHORITY,)), message())
        assert inbox.raw == []
    assert words in caught.value.words or certificate == "self_signed"
    assert not caught.value.is_permanent


def test_a_mail_that_was_taken_counts_as_sent_whatever_the_reply_to_quit(inbox: Inbox) -> None:
    inbox.quit_reply = "421 too busy"
    assert send(MailServer.from_url(inbox.url, (AUTHORITY,)), message()).startswith("250 ")
    assert len(inbox.mails) == 1


def test_the_words_of_the_server_are_shown(service: Service, caller: Caller, inbox: Inbox, tmp_path: Path) -> None:
    assert email_preferences.send_test(service, caller) == email_preferences.EmailTestOutcome(
        is_sent=True, response="250 2.0.0 Ok: queued as ABC123"
    )
    inbox.refusals["owner@example.com"] = ["550 5.1.1 No such user here"]
    assert email_preferences.send_test(service, caller) == email_preferences.EmailTestOutcome(
        is_sent=False, response="550 5.1.1 No such user here"
    )
    with service.store.write() as session:
        session.expiring.set_bucket(f"mail:person:{caller.user_id}", 99, 2**40, 2**40)
        session.expiring.set_bucket(f"invitation:{caller.account_id}", 99, 2**40, 2**40)
    with pytest.raises(RateLimited, match="Too many test messages"):
        email_preferences.send_test(service, caller)
    with pytest.raises(RateLimited, match="Too many invitations"):
        invitations.invite(service, caller, role="member", email="guest@example.com")
    assert invitations.invite(service, caller, role="member", email="").url
    with pytest.raises(MailRefused, match="535") as caught:
        send(MailServer.from_url(inbox.url.replace("findable:", "other:"), (AUTHORITY,)), message())
    assert not caught.value.is_permanent  # the operator can mend it, and nothing is lost meanwhile


def test_an_alert_goes_to_its_subscribers_in_their_language(service: Service, caller: Caller, inbox: Inbox) -> None:
    other = signed_in(service, "other@example.com")
    for one in (caller, other):
        samples.made(service, one)
        email_preferences.subscribe(service, one, "example.com")
    own_account.change_profile(service, caller, name="", language="de", time_zone="")
    with service.store.write() as session:
        project = session.projects.by_name(caller.account_id, "example.com")
        assert project is not None
        data = AlertData(1, "noindex", "page", "https://example.com/", "open", HOSTILE, examples=("https://example.com/a",), urgent=1)
        event = Event(EventType.ALERT_OPENED, int(now().timestamp()), caller.account_id, "alert:1", data, project.id, project.name)
        assert write_event(session, event)
        assert not write_event(session, event)
    (mail,) = sent_until(service, inbox, 1)
    assert str(mail["To"]) == "owner@example.com"
    assert str(mail["Subject"]).startswith("example.com: Title")
    assert mail["Auto-Submitted"] == "auto-generated"
    assert "https://example.com/a" in text_of(mail)
    assert 'href="https://example.com' not in html_of(mail)  # an audited site is text, no link
    email_preferences.subscribe(service, caller, "example.com", is_subscribed=False)
    assert email_preferences.preferences_of(service, caller).projects == ()


def test_an_alert_about_a_bot_goes_out_by_chat_and_is_no_urgent_mail(tmp_path: Path, inbox: Inbox) -> None:
    chat = Site().start()
    chat.page("/slack", "ok", content_type="text/plain")
    settings = samples.settings(tmp_path, smtp_url=inbox.url, mail_from=FROM, ca_file=AUTHORITY, allow_targets=("127.0.0.1",))
    service = Service.open(settings)
    with closing(service), simulated_clock(int(now().timestamp())) as clock:
        for email, language in (("owner@example.com", "de"), ("other@example.com", "en")):
            caller = signed_in(service, email)
            projects.make(service, caller, "example.com")
            own_account.change_profile(service, caller, name="", language=language, time_zone="")
            email_preferences.subscribe(service, caller, "example.com")
            hook = WebhookCreate(url=chat.url("/slack"), kind=WebhookKind.SLACK, events=[EventType.ALERT_OPENED], language="de")
            webhook_settings.create(service, caller, hook)
            for number, made in enumerate((month("a", until=38), month("b", until=42, away_from=38))):
                found = log_imports.add(service, caller, "example.com", made)
                assert found.hits == (2280, 2400)[number]
        clock.at += GATHER_S
        alert_notifications.notify_due(service)
        assert not sent_until(service, inbox, 0)
    chat.stop()
    text = json.loads(chat.asked("/slack")[-1].body)["text"]
    assert "Bots, von denen keine Anfragen mehr kommen: Googlebot. Letzte Anfrage: 2026-11-07" in text


def test_a_repeated_mail_has_the_same_id_and_a_refused_receiver_ends_it(service: Service, caller: Caller, inbox: Inbox) -> None:
    inbox.refusals["guest@example.com"] = ["451 4.7.1 Greylisted, try again later"] * 2
    inbox.refusals["gone@example.com"] = ["550 5.1.1 No such user"] * 9
    for address in ("guest@example.com", "gone@example.com"):
        assert invitations.invite(service, caller, role="member", email=address).is_mailed
    (mail,) = sent_until(service, inbox, 1)
    assert str(mail["To"]) == "guest@example.com"
    assert "/invitation/" in text_of(mail)
    assert len(inbox.refusals["gone@example.com"]) == 8
    with service.store.read() as session:
        rows = session.outbox._connection.execute(delivery.select().order_by(delivery.c.id)).all()
    assert [(row.state, row.failures, row.mail) for row in rows] == [("done", 2, None), ("failed", 0, None)]
    assert rows[1].response == "550 5.1.1 No such user"


@pytest.mark.full
def test_f39_a_crash_between_alert_and_mail_loses_nothing(tmp_path: Path, inbox: Inbox) -> None:
    """Killed while the mail server holds its reply: each mail arrives, and repeats carry the same id."""
    service = Service.open(settings_of(tmp_path, inbox.url))
    caller = signed_in(service)
    samples.made(service, caller)
    email_preferences.subscribe(service, caller, "example.com")
    with service.store.write() as session:
        project = session.projects.by_name(caller.account_id, "example.com")
        assert project is not None
        for number in range(4):
            data = AlertData(number, "noindex", "page", "https://example.com/", "open", f"Alert {number}", urgent=1)
            assert write_event(
                session, Event(EventType.ALERT_OPENED, 0, caller.account_id, f"alert:{number}", data, project.id, project.name)
            )
    service.close()
    inbox.hold_s = 30
    with stub_service(tmp_path, "--deliver", "--smtp", inbox.url) as process:
        until(lambda: len(inbox.mails) >= 2, 30)
        process.kill()
    inbox.hold_s = 0
    with stub_service(tmp_path, "--deliver", "--smtp", inbox.url), closing(sqlite3.connect(tmp_path / "findable.db")) as database:
        until(lambda: database.execute("SELECT count(*) FROM delivery WHERE state = 'done'").fetchone() == (4,), 30)
    told: dict[str, set[str]] = {}
    for mail in inbox.mails:
        told.setdefault(str(mail["Message-ID"]), set()).add(str(mail["Subject"]))
    assert sorted(subject for subjects in told.values() for subject in subjects) == [f"example.com: Alert {number}" for number in range(4)]
    assert len(inbox.mails) > 4


def test_stored_mails_are_encrypted(service: Service, caller: Caller, tmp_path: Path) -> None:
    url = invitations.invite(service, caller, role="member", email="guest@example.com").url
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("findable.db*"))
    assert url.rpartition("/")[2].encode() not in stored


def test_a_lost_password_is_replaced_by_a_link_that_works_once(service: Service, caller: Caller, inbox: Inbox) -> None:
    sign_in_emails.send_link(service, sign_in_emails.count_request(service, " Owner@Example.com ", "192.0.2.1"))
    sign_in_emails.send_link(service, sign_in_emails.count_request(service, "nobody@example.com", "192.0.2.1"))
    (mail,) = sent_until(service, inbox, 1)
    assert "/sign-in/" in text_of(mail)
    assert mail["List-Unsubscribe"] is None


def test_owners_are_told_of_a_disabled_webhook(service: Service, caller: Caller, inbox: Inbox) -> None:
    hook = webhook_settings.create(service, caller, WebhookCreate("https://hooks.example/x", name="Build"))
    deliveries.send_test(service, caller, hook.id)
    (job,) = deliveries.claim_some(service, "tests", 1)
    deliveries.store_outcome(service, job, DeliveryOutcome(status=410, is_permanent=True))
    (mail,) = sent_until(service, inbox, 1)
    assert str(mail["Subject"]) == "The webhook Build is disabled"
    assert f"/account/webhooks/{hook.id}" in text_of(mail)


def test_without_a_mail_server_nothing_is_queued(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path / "other"))
    caller = signed_in(service)
    assert not invitations.invite(service, caller, role="member", email="guest@example.com").is_mailed
    assert not email_preferences.preferences_of(service, caller).sending
    assert queued(service) == 0
    service.close()


def an_alert(service: Service, caller: Caller, project_id: int, rule: str, **times: int) -> None:
    with service.store.write() as session:
        values = {"account_id": caller.account_id, "project_id": project_id, "rule": rule, "cause": "", "phase": "open", "state": "{}"}
        number = session.alerts.add(
            {**values, "details": '{"date": "1 December 2026", "days": 7}', "created_at": 1, "examples": "[]", "pages_count": 3}
        )
        session.alerts.change(number, **times)


def test_a_digest_tells_what_is_new_fixed_and_open_once_and_an_empty_one_is_not_sent(
    service: Service, caller: Caller, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples.made(service, caller)
    monday = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
    end, week = int(monday.timestamp()), 7 * 86_400
    with service.store.write() as session:
        session.people.change(caller.user_id, created_at=end - 10 * week, language="de")
        project = session.projects.by_name(caller.account_id, "example.com")
        assert project is not None
    samples.subscribed(service, caller)
    an_alert(service, caller, project.id, "not-indexable", opened_at=end - 100)
    an_alert(service, caller, project.id, "certificate", opened_at=end - 3 * week)
    an_alert(service, caller, project.id, "unreachable", opened_at=end - 2 * week, closed_at=end - 200)
    an_alert(service, caller, project.id, "rating-fell", opened_at=end + 100)

    def at(moment: datetime) -> None:
        monkeypatch.setattr(digests, "now", lambda: moment)
        monkeypatch.setattr(future_times, "now", lambda: moment)
        digests.send_due(service)

    for _ in range(2):
        at(monday + timedelta(minutes=1))
    (mail,) = sent_until(service, inbox, 1)
    assert str(mail["Subject"]) == "Findable: 1 neuer Alarm"
    text = text_of(mail)
    assert [line for line in text.splitlines() if line.startswith("*")] == [
        "* example.com: Seiten, die Google nicht mehr anzeigen kann: 3",
        "* example.com: Seiten, die nicht geladen werden konnten: 3",
        "* example.com: Das Zertifikat der Website endet am 1 December 2026 (verbleibende Tage: höchstens 7)",
    ]
    assert "/unsubscribe/digest-" in str(mail["List-Unsubscribe"])
    at(monday + timedelta(days=7, minutes=1))  # what opened meanwhile
    with service.store.write() as session:
        known = session.alerts.select(ChangeScope(caller.account_id), 9, is_open=True)
        for row in known[1:]:
            session.alerts.change(row.id, phase="acknowledged")
    at(monday + timedelta(days=14, minutes=1))  # what nobody acknowledged is still open
    with service.store.write() as session:
        session.alerts.change(known[0].id, phase="acknowledged")
    at(monday + timedelta(days=21, minutes=1))  # nothing
    assert len(sent_until(service, inbox, 3)) == 3
    email_preferences.choose_digest(service, caller, "none")
    an_alert(service, caller, project.id, "sitemap-shrank", opened_at=end + 15 * week)
    at(monday + timedelta(days=150))
    assert not queued(service)
    with service.store.write() as session:
        session.mails.choose(caller.user_id, "none", 5)
    email_preferences.choose_digest(service, caller, "weekly")
    with service.store.read() as session:
        _, since = session.mails.choice(caller.user_id) or ("", 0)
    assert (since or 0) >= int(now().timestamp()) - 60  # the time without digests is not told


def test_one_digest_that_fails_does_not_stop_the_others(
    service: Service, caller: Caller, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = signed_in(service, "second@example.com")
    end = int(datetime(2026, 11, 30, 7, 0, tzinfo=UTC).timestamp())
    monkeypatch.setattr(digests, "now", lambda: datetime.fromtimestamp(end + 60, UTC))
    monkeypatch.setattr(store_protocol, "now", lambda: datetime.fromtimestamp(end - 60 * 86_400, UTC))
    for one in (caller, second):
        samples.made(service, one)
        with service.store.write() as session:
            session.people.change(one.user_id, created_at=end - 70 * 86_400)
            project = session.projects.by_name(one.account_id, "example.com")
            assert project is not None
        samples.subscribed(service, one)
        an_alert(service, one, project.id, "not-indexable", opened_at=end - 100)
        recipients.add(service, one, "example.com", f"client{one.user_id}@client.example", "en")
    with service.store.write() as session:
        broken = alert.update().where(alert.c.account_id == caller.account_id).values(rule="retired")
        session.outbox._connection.execute(broken)
    digests.send_due(service)
    monkeypatch.setattr(monthly_reports, "now", lambda: datetime.fromtimestamp(end + 2 * 86_400, UTC))
    monthly_reports.send_due(service)
    found = sent_until(service, inbox, 2)
    assert sorted(str(mail["To"]) for mail in found) == [f"client{second.user_id}@client.example", "second@example.com"]


def test_setbacks_of_a_digest_are_limited_after_they_are_chosen(service: Service, caller: Caller) -> None:
    samples.made(service, caller)
    samples.subscribed(service, caller)
    with service.store.write() as session:
        project = session.projects.by_name(caller.account_id, "example.com")
        assert project is not None
        for number in range(30):
            key = SetbackKey(caller.account_id, project.id, f"https://example.com/{number}", None, None)
            at, score = (2000, 10) if number < 12 else (1000, 80)
            session.setbacks.save(key, at, 0, f'{{"scores": [[0, 90], [{at}, {score}]]}}')
        found = digests.digest_of(session, caller, 500, 1500)
        assert len(found.worse) == 18
        assert len(digests.digest_of(session, caller, 1000, 2000).worse) == 12


def test_a_guest_of_one_project_reads_its_alerts_among_many_newer_ones(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples.made(service, caller)
    samples.made(service, caller, "https://other.example/")
    with service.store.write() as session:
        own, other = (session.projects.by_name(caller.account_id, name) for name in ("example.com", "other.example"))
        assert own is not None
        assert other is not None
        session.roles.grant(own.id, caller.user_id, VIEWER, 1)
    samples.subscribed(service, caller)
    an_alert(service, caller, own.id, "not-indexable", opened_at=1000)
    an_alert(service, caller, other.id, "not-indexable", opened_at=1100)
    monkeypatch.setattr(digests, "READ_ALERTS", 1)
    monkeypatch.setattr(feeds, "READ_ALERTS", 1)
    guest = structs.replace(caller, role=PROJECTS, grants={own.id: VIEWER})
    token = (feeds.create(service, guest, "", "").url or "").rpartition("/")[2]
    with service.store.write() as session:
        assert [row.project for row in digests.digest_of(session, guest, 500, 1500).opened_alerts] == ["example.com"]
        session.people.change(caller.user_id, role=PROJECTS)
    assert len(feeds.alerts(service, feeds.open_feed(service, token)).entries) == 1


def test_digests_end_at_seven_o_clock_local_time() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    for moment, choice, end in (
        ("2026-11-30T05:59:00+00:00", "weekly", "2026-11-23T06:00:00+00:00"),
        ("2026-11-30T06:00:00+00:00", "weekly", "2026-11-30T06:00:00+00:00"),
        ("2026-10-25T23:00:00+00:00", "daily", "2026-10-25T06:00:00+00:00"),  # the clock went back that night
        ("2026-10-24T23:00:00+00:00", "daily", "2026-10-24T05:00:00+00:00"),
        ("2026-12-06T12:00:00+00:00", "weekly", "2026-11-30T06:00:00+00:00"),
    ):
        assert digests.end_of(choice, datetime.fromisoformat(moment), berlin) == datetime.fromisoformat(end), moment
    assert digests.end_of("none", now(), UTC) is None


def test_a_monthly_report_carries_the_brand_goes_out_once_and_can_be_ended(
    service: Service, caller: Caller, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples.made(service, caller)
    begin, end = (int(datetime(2026, month, 1, tzinfo=UTC).timestamp()) for month in (11, 12))
    with service.store.write() as session:
        project = session.projects.by_name(caller.account_id, "example.com")
        assert project is not None
        session.accounts.change(caller.account_id, brand_name='Agency "B"\r\nBcc: x@y.example')
        session.projects.change(project.id, {"brand_color": "#ffdd00"})
    an_alert(service, caller, project.id, "not-indexable", opened_at=begin + 100)
    an_alert(service, caller, project.id, "unreachable", opened_at=begin - 100, closed_at=end - 100)
    an_alert(service, caller, project.id, "rating-fell", opened_at=end + 100)
    monkeypatch.setattr(store_protocol, "now", lambda: datetime.fromtimestamp(begin, UTC))
    for address in ("client@client.example", "second@client.example"):
        recipients.add(service, caller, "example.com", address, "de")

    def at(moment: datetime) -> None:
        monkeypatch.setattr(monthly_reports, "now", lambda: moment)
        monkeypatch.setattr(future_times, "now", lambda: moment)
        monthly_reports.send_due(service)

    at(datetime(2026, 12, 1, 6, 59, tzinfo=UTC))
    assert not queued(service)
    for _ in range(2):
        at(datetime(2026, 12, 1, 7, 0, tzinfo=UTC))
    found = sent_until(service, inbox, 2)
    assert sorted(str(mail["To"]) for mail in found) == ["client@client.example", "second@client.example"]
    (mail,) = inbox.to("client@client.example")
    assert str(mail["Subject"]) == "example.com im November 2026"
    assert mail["From"].addresses[0].display_name == "Agency B Bcc x y example über Findable"
    assert mail["From"].addresses[0].addr_spec == "findable@service.example"
    assert mail["Bcc"] is None
    assert [line for line in text_of(mail).splitlines() if line.startswith("*")] == [
        "* Seiten, die Google nicht mehr anzeigen kann: 3",
        "* Seiten, die nicht geladen werden konnten: 3",
    ]
    assert "/p/" not in text_of(mail)  # a private project
    token = str(mail["List-Unsubscribe"]).strip("<>").rpartition("/")[2]
    assert unsubscribe_links.unsubscribe(service, token).email == "client@client.example"
    stopped = next(one for one in recipients.find(service, caller, "example.com") if one.stopped)
    for _ in range(2):  # who unsubscribed stays so
        with pytest.raises(ValidationFailed) as refused:
            recipients.add(service, caller, "example.com", "Client@client.example", "en")
        assert list(refused.value.errors) == ["email"]
        recipients.remove(service, caller, "example.com", stopped.id)
    with service.store.write() as session:
        shared = session.shared_projects.by_id(project.id)
        assert shared is not None
        session.projects.change(project.id, {"privacy": 0})
    an_alert(service, caller, project.id, "sitemap-shrank", opened_at=end + 200)
    at(datetime(2027, 1, 3, tzinfo=UTC))
    assert len(sent_until(service, inbox, 3)) == 3
    assert len(inbox.to("client@client.example")) == 1
    assert f"/p/{shared.public_id}" in text_of(inbox.to("second@client.example")[-1])


def test_one_form_invites_a_client_or_grants_a_role_with_the_brand(service: Service, caller: Caller, inbox: Inbox) -> None:
    samples.made(service, caller)
    samples.made(service, caller, "https://second.example/")
    brand = ProjectChanges(
        display_name="Tea shop",
        brand_name="Agency",
        brand_color="#7a1fa2",
        brand_logo=picture("PNG"),
        brand_reply_to=" Lea@Agency.example ",
    )
    projects.update(service, caller, "example.com", brand)
    zoned = structs.replace(caller, time_zone="Europe/Berlin", language="de")
    invited = role_grants.give_access(service, zoned, "example.com", "guest@client.example", "viewer")
    assert isinstance(invited, invitations.NewInvitation)
    (mail,) = sent_until(service, inbox, 1)
    assert str(mail["Subject"]) == "Agency lädt Sie zu Tea shop (example.com) ein"
    assert str(mail["From"]) == "Agency über Findable <findable@service.example>"
    assert str(mail["Reply-To"]) == "lea@agency.example"
    assert "7. Dezember" in text_of(mail) or " CET." in text_of(mail)
    assert 'src="cid:logo@findable"' in html_of(mail)
    (logo,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert logo["Content-ID"] == "<logo@findable>"
    token = invited.url.rpartition("/")[2]
    assert invitations.join(service, token, CLIENT, name="Guest", email="", password="correct horse battery") is not None
    given = role_grants.give_access(service, caller, "second.example", "Guest@client.example", "viewer")
    assert not isinstance(given, invitations.NewInvitation)
    assert given.role == "viewer"
    granted = sent_until(service, inbox, 2)[1]
    assert (str(granted["Subject"]), granted["Reply-To"]) == ("Access to second.example", None)
    wrongs: tuple[dict[str, Any], ...] = (
        {"brand_reply_to": "nobody"},
        {"brand_reply_to": "ä@agency.example"},
        {"rating_words": "Good, Bad"},
    )
    for wrong in wrongs:
        with pytest.raises(ValidationFailed) as refused:
            projects.update(service, caller, "example.com", ProjectChanges(**wrong))
        assert refused.value.errors.keys() == wrong.keys()


def test_mails_name_the_project_its_verdict_and_the_first_result_under_a_ruleset(
    service: Service, caller: Caller, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for outcome in (samples.seen(93, {"title-present": "passed"}), samples.seen(20, {"title-present": "failed"})):
        samples.made(service, caller, outcome=outcome)
    end = int(datetime(2026, 12, 1, tzinfo=UTC).timestamp())
    with service.store.write() as session:
        session.people.change(caller.user_id, created_at=5)
        project = session.projects.by_name(caller.account_id, "example.com")
        assert project is not None
        session.projects.change(project.id, {"title": "Tea shop"})
        for ruleset, at in (("2026-11", end - 40 * 86_400), ("2026-12", end - 86_400)):
            monkeypatch.setattr(project_scores, "RULESET", ruleset)
            session.scores._save_day(project.id, at)
    monkeypatch.setattr(store_protocol, "now", lambda: datetime.fromtimestamp(end - 40 * 86_400, UTC))
    recipients.add(service, caller, "example.com", "client@client.example", "en")
    monkeypatch.setattr(monthly_reports, "now", lambda: datetime.fromtimestamp(end + 8 * 3600, UTC))
    monthly_reports.send_due(service)
    samples.subscribed(service, caller)
    monkeypatch.setattr(digests, "now", lambda: now() + timedelta(days=7))
    digests.send_due(service)
    sent_until(service, inbox, 2)
    monthly, digest = inbox.to("client@client.example")[0], inbox.to("owner@example.com")[0]
    assert str(monthly["Subject"]) == "Tea shop (example.com) in November 2026"
    assert "The ruleset changed from 2026-11 to 2026-12: the two scores cannot be compared." in text_of(monthly)
    assert "before (" not in text_of(monthly)
    assert "Tea shop: https://example.com/: score " in text_of(digest)


def test_a_report_covers_the_month_before() -> None:
    for moment, code in (("2026-12-01T06:59", "2026-10"), ("2026-12-01T07:00", "2026-11"), ("2027-01-31T00:00", "2026-12")):
        assert monthly_reports.month_before(datetime.fromisoformat(f"{moment}+00:00")).code == code


@pytest.mark.parametrize(
    ("accident", "rule", "said"),
    [
        pytest.param({"status": 503}, "site-unreachable", "its start page returns 503", marks=pytest.mark.full),
        pytest.param({"robots_status": 503}, "site-unreachable", "robots.txt returns 503", marks=pytest.mark.full),
        ({"head": '<meta name="robots" content="noindex">'}, "site-deindexed", "all pages are noindex"),
    ],
)
def test_a_crawl_of_a_broken_site_opens_an_alert_that_closes_when_it_is_well(
    tmp_path: Path, inbox: Inbox, accident: dict[str, Any], rule: str, said: str
) -> None:
    settings = samples.settings(tmp_path, smtp_url=inbox.url, mail_from=FROM, ca_file=AUTHORITY, allow_targets=("127.0.0.1",))
    service = Service.open(settings)
    site = Site().start()
    with closing(service), simulated_clock(int(now().timestamp())) as clock:
        caller = signed_in(service)
        shop = Shop(service, caller, site, clock)
        name = projects.make(service, caller, site.base).project.name
        schedules.create(service, caller, ScheduleCreate(project=name, every="month"))
        email_preferences.subscribe(service, caller, name)
        subscribe(service, caller.account_id, "alert.opened alert.closed")
        feed = str(feeds.create(service, caller, "", name).url).rpartition("/")[2]

        shop.crawl()

        def told() -> list[str]:
            clock.at += GATHER_S
            alert_notifications.notify_due(service)
            return [kind for kind in dict.fromkeys(types(service)) if kind.startswith("alert.")]

        shop.give(**accident)
        for _ in range(1 + (rule == "site-unreachable")):
            shop.crawl()
        assert told() == ["alert.opened"]
        assert said in repr(feeds.alerts(service, feeds.open_feed(service, feed)))
        shop.crawl()
        assert told() == ["alert.opened"]
        shop.give()
        shop.crawl()
        assert told() == ["alert.opened", "alert.closed"]
        with service.store.read() as session:
            rows = session.alerts.select(ChangeScope(caller.account_id), 9)
        assert [(row.rule, row.phase) for row in rows] == [(rule, "ok")]
        (mail,) = sent_until(service, inbox, 1)
        assert said in str(mail["Subject"])
    site.stop()
