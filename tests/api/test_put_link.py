"""The link of a report over the interface: its end, listing by search engines, a new one."""

import json
from datetime import timedelta

import pytest

from findable.clock import now
from tests.web.live import Client

TODAY = now().date()
LAST = "2099-12-31"


def test_a_new_report_has_a_link_without_an_end(client: Client) -> None:
    report = client.report()
    assert client.get(f"/reports/{report['id']}/link").json["data"] == {
        "object": "link",
        "report": report["id"],
        "public_id": report["public_id"],
        "url": report["links"]["html"],
        "until": None,
        "listed": False,
    }


def test_only_what_is_sent_changes(client: Client) -> None:
    path = f"/reports/{client.report()['id']}/link"

    def terms(**fields: object) -> tuple[object, object]:
        kept = client.put(path, json.dumps(fields), {"Content-Type": "application/json"}).json["data"]
        assert client.get(path).json["data"] == kept
        return kept["until"], kept["listed"]

    assert terms(until=LAST) == (LAST, False)
    assert terms(listed=1) == (LAST, True)
    assert terms() == (LAST, True)
    assert terms(until=None, listed=None) == (None, True)
    assert terms(until=LAST, listed=0) == (LAST, False)
    assert client.put(path, {"until": ""}).json["data"]["until"] is None


def test_the_last_day_is_the_last_on_which_guests_see_it(client: Client) -> None:
    report = client.report()
    assert client.put(f"/reports/{report['id']}/link", {"until": str(now().date())}).json["data"]["until"] == str(now().date())
    assert client.guest().get(f"/r/{report['public_id']}").status == 200


def test_a_listed_report_may_be_found_and_stops_when_it_is_public_no_more(client: Client) -> None:
    report = client.report()
    path = f"/reports/{report['id']}/link"
    client.put(path, {"listed": 1})
    assert client.guest().get(f"/r/{report['public_id']}").headers["X-Robots-Tag"] is None
    client.put(f"/reports/{report['id']}", {"privacy": 1})
    assert client.get(path).json["data"]["listed"] is False


def test_a_new_link_ends_the_old_one_and_what_was_unlocked_with_it(client: Client) -> None:
    report = client.report(privacy=2, password="correct horse")
    path = f"/reports/{report['id']}/link"
    client.put(path, {"until": LAST})
    guest = client.guest()
    unlocked = guest.post(f"/r/{report['public_id']}", {"password": "correct horse"})
    name, value = unlocked.headers["Set-Cookie"].partition(";")[0].split("=", 1)
    reply = client.post(path)
    made = reply.json["data"]
    assert (reply.status, reply.headers["Location"], made["until"]) == (201, made["url"], LAST)
    assert made["public_id"] != report["public_id"]
    assert client.get(f"/reports/{report['id']}").json["data"]["links"]["html"] == made["url"]
    assert guest.get(f"/r/{report['public_id']}").status == 404
    cookie = f"{name.replace(report['public_id'], made['public_id'])}={value}"
    assert 'type="password"' in guest.get(f"/r/{made['public_id']}", {"Cookie": cookie}).text


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"until": "tomorrow"}, {"until"}),
        ({"until": str(TODAY - timedelta(days=2))}, {"until"}),
        ({"until": "9999-12-31"}, {"until"}),
        ({"listed": 2}, {"listed"}),
        ({"listed": True}, {"listed"}),
        ({"until": str(TODAY - timedelta(days=2)), "listed": 1}, {"until", "listed"}),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_kept(client: Client, fields: dict[str, object], names: set[str]) -> None:
    path = f"/reports/{client.report(privacy=1)['id']}/link"
    before = client.get(path).json
    reply = client.put(path, json.dumps(fields), {"Content-Type": "application/json"})
    assert (reply.status, set(reply.json["errors"])) == (422, names)
    assert client.get(path).json == before


def test_a_stale_version_is_refused_and_a_repeated_renewal_renews_once(client: Client) -> None:
    path = f"/reports/{client.report()['id']}/link"
    assert client.put(path, {"until": LAST}, {"If-Match": '"old"'}).status == 412
    match = {"If-Match": client.get(path).headers["ETag"]}
    made = client.post(path, headers=match)
    assert (made.status, client.post(path, headers=match).status) == (201, 412)
    assert client.get(path).json == made.json
    assert client.put(path, {"listed": 1}, {"If-Match": made.headers["ETag"]}).status == 200
