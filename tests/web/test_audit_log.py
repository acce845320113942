"""The audit log: what is in it, who reads it, and what never gets there."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from findable.clock import now
from findable.monitor.alert_rules import AlertRule, RuleSignal
from findable.monitor.alert_states import Signal
from findable.service.accounts import account_admin, audit_entries
from findable.service.alerts import alert_watch
from findable.service.runtime import audit_log
from findable.service.values.audit_log_values import THINGS, AuditAction
from findable.web.api.audit_log_routes import ObjectType
from findable.web.pages.account.audit_log import THING_WORDS
from tests.web.live import Client, Live, run_live
from tests.web.test_people import PASSWORD, SAME, browser, link_in, member_of, with_password

SECRET = "a password of a report"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("audited"))


def entries(client: Client, **query: Any) -> list[dict[str, object]]:
    reply = client.get("/audit", per_page=100, **query)
    assert reply.status == 200, reply.text
    found: list[dict[str, object]] = reply.json["data"]
    return found


def deeds(client: Client, **query: Any) -> list[tuple[object, object]]:
    return [(entry["action"], entry["subject"]) for entry in entries(client, **query)][::-1]


def test_who_runs_shares_changes_and_deletes_is_in_the_log(live: Live) -> None:
    email = live.email()
    api = live.client(email=email)
    report = api.report("https://good.example/a")
    path = f"/reports/{report['id']}"
    assert api.put(path, {"privacy": "2", "password": SECRET}).status == 200
    assert api.put(path, {"privacy": "2", "password": SECRET}).status == 200
    assert api.put(f"{path}/link", {"until": "2099-12-31"}).status == 200
    assert api.post(f"{path}/link").status == 201
    assert api.put(f"{path}/client", {"summary": "For you"}).status == 200
    assert api.delete(path).status == 200
    assert api.put("/projects/good.example", {"not_for_search": "/x"}).status == 200
    assert api.delete("/projects/good.example").status == 200
    hook = api.post("/webhooks", {"url": "https://good.example/hook?token=hidden", "name": "Builds"}).json["data"]
    assert api.delete(f"/webhooks/{hook['id']}").status == 200
    url = "https://good.example/a"
    assert deeds(api) == [
        ("key.made", api.key[:12]),
        ("report.run", url),
        ("report.shared", url),
        ("report.shared", url),
        ("report.shared", url),
        ("report.changed", url),
        ("report.deleted", url),
        ("project.changed", "good.example"),
        ("project.deleted", "good.example"),
        ("webhook.made", "Builds"),
        ("webhook.deleted", "Builds"),
    ]
    shared = entries(api, thing="report")[-2]
    assert shared["details"] == {"privacy": "password"}
    assert (shared["actor"], shared["key"]) == (email, api.key[:12])
    assert entries(api)[-1]["actor"] is None  # the operator made the key
    text = json.dumps(entries(api))
    assert SECRET not in text
    assert "hidden" not in text
    assert api.key not in text
    assert report["public_id"] not in text


def test_views_numbers_events_and_defaults_are_in_the_log(live: Live) -> None:
    api = live.client()
    api.report("https://good.example/a")
    view = api.post("/views", {"list": "reports", "name": "Bad ones", "query": "result=bad"}).json["data"]["id"]
    assert api.delete(f"/views/{view}").status == 200
    assert api.delete(f"/views/{view}").status == 404
    assert api.post("/projects/good.example/url-data", {"csv": "url,clicks\n/a,5\n", "source": "search"}).status == 201
    assert api.delete("/projects/good.example/url-data/search").status == 200
    assert api.post("/projects/good.example/markers", {"label": "Release"}).status == 201
    assert api.put("/account/settings", {"language": "de"}).status == 200
    alert = an_open_alert(live, api, "good.example")
    assert api.put(f"/alerts/{alert}", {"acknowledged": "1"}).status == 200
    assert deeds(api)[2:] == [
        ("view.made", "Bad ones"),
        ("view.deleted", "Bad ones"),
        ("project.numbers_uploaded", "good.example"),
        ("project.numbers_deleted", "good.example"),
        ("project.event_marked", "good.example"),
        ("account.changed", ""),
        ("alert.changed", "unreachable"),
    ]
    assert entries(api)[0]["details"] == {"project": "good.example", "acknowledged": "1"}


def an_open_alert(live: Live, api: Client, project: str) -> int:
    """Return the number of a new alert."""
    account_id, at = api.get("/account").json["data"]["id"], int(now().timestamp())
    with live.service.store.write() as session:
        project_id = session.projects.ensure(account_id, project, 0)
        alert_id = alert_watch.open_alert_id(session, account_id, project_id, RuleSignal(AlertRule.UNREACHABLE, Signal.BAD), at)
        alert_watch.open_subject(session, alert_id, 0, at)
    return alert_id


def test_who_signs_in_invites_and_grants_is_in_the_log(live: Live) -> None:
    email = with_password(live)
    person = browser(live, email)
    member, address = member_of(live, person)
    invited = link_in(person.post("/account/people/invite", {"role": "viewer", "email": "cy@example.com"}, SAME))
    number = next(one for _, one in account_admin.all_people(live.service) if one.email == address)
    assert number.role == "member"
    assert member.post("/account/keys", {"name": "mine", "scope": "read"}, SAME).status == 201
    assert member.post("/sign-in", {"email": address, "password": "a wrong one"}, SAME).status == 403
    api = live.client(email=email)
    found = entries(api, thing="person")[::-1]
    told = [(entry["action"], entry["actor"], entry["subject"]) for entry in found]
    assert told == [
        ("person.link_made", None, email),
        ("person.signed_in", email, email),
        ("person.password_changed", email, email),
        ("person.signed_in", email, email),
        ("person.signed_in", email, email),
        ("person.invited", email, ""),
        ("person.joined", address, address),
        ("person.signed_in", address, address),
        ("person.invited", email, "cy@example.com"),
    ]
    assert found[4]["network"] == "127.0.0.0/24"
    assert [entry["details"] for entry in found][:2] == [{}, {"how": "link"}]
    assert entries(api, actor=address.upper(), thing="key")[0]["details"] == {"name": "mine", "scopes": "read"}
    text = json.dumps(entries(api))
    assert PASSWORD not in text
    assert invited.rpartition("/")[2] not in text


def test_what_is_refused_leaves_no_entry(live: Live) -> None:
    api = live.client()
    before = entries(api)
    assert api.post("/reports", {"url": "no url"}).status == 422
    assert api.post("/webhooks", {"url": "http://127.0.0.1/"}).status == 422
    assert api.delete("/projects/nowhere.example").status == 404
    assert entries(api) == before


def test_owners_alone_read_it_and_only_their_own(live: Live) -> None:
    email = with_password(live)
    person = browser(live, email)
    member, address = member_of(live, person)
    for path in ("/account/audit", "/account/audit.csv", "/account/audit.json"):
        assert Client(live.port, prefix="").get(path).status == 303
        assert member.get(path).status == 403, path
        reply = browser(live, with_password(live)).get(path)
        assert reply.status == 200
        assert address not in reply.text
        assert email not in reply.text
        assert address in person.get(path).text
    assert live.client(email=address).get("/audit").status == 403
    assert "Audit log" not in member.get("/account").text
    assert "/account/audit" in person.get("/account").text


def test_the_files_hold_every_entry_and_no_formula(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_entries, "EXPORT_STEP", 3)
    email = with_password(live)
    person, api = browser(live, email), live.client(email=email)
    for name in ('=HYPERLINK("https://evil.example")', "plain", "x\ny", "+1", "@a", "-2"):
        assert person.post("/account/keys", {"name": name, "scope": "read"}, SAME).status == 201
    known = [entry["id"] for entry in entries(api)]
    table = list(csv.DictReader(io.StringIO(person.get("/account/audit.csv").text)))
    assert [int(row["id"]) for row in table] == known
    assert any("'=HYPERLINK" in row["details"] or "name: =HYPERLINK" in row["details"] for row in table)
    assert all(not cell.startswith(("=", "+", "-", "@")) for row in table for cell in row.values())
    reply = person.get("/account/audit.json")
    assert [json.loads(line)["id"] for line in reply.text.splitlines()] == known
    assert "attachment" in reply.headers["Content-Disposition"]
    only = person.get("/account/audit.csv", thing="key").text
    assert len(only.splitlines()) == 1 + len(entries(api, thing="key"))


def test_a_page_of_the_log_leads_to_older_entries(live: Live) -> None:
    email = with_password(live)
    person, api = browser(live, email), live.client(email=email)
    with live.service.store.write() as session:
        owner = session.people.by_email(email)
        assert owner is not None
        for number in range(60):
            audit_log.write(session, owner.account_id, owner.id, AuditAction.REPORT_RUN, f"https://good.example/{number:02}")
    text = person.get("/account/audit", thing="report").text
    assert "https://good.example/59" in text
    assert "https://good.example/09" not in text
    older = text.partition('href="/account/audit?thing=report&amp;before=')[2].partition('"')[0]
    text = person.get("/account/audit", thing="report", before=older).text
    assert "https://good.example/09" in text
    assert "https://good.example/10" not in text
    first = api.get("/audit", per_page=10)
    assert 'rel="next"' in first.headers["Link"]


def test_entries_are_forgotten_after_a_year_and_beyond_their_number(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    email = live.email()
    api = live.client(email=email)
    with live.service.store.write() as session:
        owner = session.people.by_email(email)
        assert owner is not None
        long_ago = int((now() - timedelta(days=366)).timestamp())
        row = {"account_id": owner.account_id, "key_prefix": None, "action": "report.run", "details": "{}", "network": None}
        session.audit.add({**row, "at": long_ago, "subject": "old"}, owner.id)
        for number in range(5):
            session.audit.add({**row, "at": int(now().timestamp()), "subject": str(number)}, owner.id)
    while audit_entries.delete_old(live.service):
        pass
    assert "old" not in [subject for _, subject in deeds(api)]
    monkeypatch.setattr(audit_entries, "MAX_ENTRIES", 2)
    while audit_entries.delete_old(live.service):
        pass
    assert [subject for _, subject in deeds(api)] == ["3", "4"]


def test_every_action_has_words_and_a_thing() -> None:
    assert all(action.words != action.value for action in AuditAction)
    assert set(THING_WORDS) == set(THINGS) == set(ObjectType.__args__) - {""}  # type: ignore[attr-defined]  # of a Literal
