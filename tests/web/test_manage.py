"""What owners do with a report on its page, without JavaScript."""

import threading
from typing import Any

import pytest

from tests.web.live import Client, Live
from tests.web.test_share_page import unlocked

SAME = {"Sec-Fetch-Site": "same-origin"}
ACTIONS = (("POST", "again"), ("POST", "privacy"), ("GET", "delete"), ("POST", "delete"))


def owned(live: Live, **fields: Any) -> tuple[Client, Client, Any, str]:
    """The owner's interface and browser, the report and the path of its page."""
    email = live.email()
    client = live.client(email=email)
    report = client.report(**fields)
    return client, live.signed_in(email), report, f"/r/{report['public_id']}"


def test_it_is_generated_again(live: Live) -> None:
    client, browser, report, path = owned(live)
    reply = browser.post(f"{path}/again", b"", SAME)
    assert (reply.status, reply.headers["Location"]) == (303, path)
    assert client.get(f"/reports/{report['id']}", wait=20).json["data"]["run"] == 2


def test_asking_twice_joins_the_generation_that_runs(live: Live) -> None:
    client, browser, report, path = owned(live, url="https://made-again.example/")
    held = live.analyser.held["made-again.example"] = threading.Event()
    assert [browser.post(f"{path}/again", b"", SAME).status for _ in range(2)] == [303, 303]
    held.set()
    assert client.get(f"/reports/{report['id']}", wait=20).json["data"]["run"] == 2


def test_privacy_is_changed_there_and_back(live: Live) -> None:
    client, browser, _, path = owned(live)
    guest = client.guest()

    def change(privacy: int, password: str = "") -> int:
        return browser.post(f"{path}/privacy", {"privacy": privacy, "password": password}, SAME).status

    assert change(1) == 303
    assert guest.get(path).status == 404
    assert change(2, "open sesame") == 303
    assert "of 100" in unlocked(guest, path, "open sesame").get(path).text
    assert change(2) == 303
    assert "of 100" in unlocked(guest, path, "open sesame").get(path).text
    assert "New password, or empty for the one there is" in browser.get(path).text
    assert change(0) == 303
    assert "of 100" in guest.get(path).text


def test_what_is_wrong_is_said_on_the_page_and_changes_nothing(live: Live) -> None:
    client, browser, _, path = owned(live)
    reply = browser.post(f"{path}/privacy", {"privacy": 2, "password": ""}, SAME)
    assert reply.status == 422
    assert 'role="alert"' in reply.text
    assert browser.post(f"{path}/privacy", {"privacy": 7}, SAME).status == 400
    assert client.guest().get(path).status == 200


def test_deleting_asks_first(live: Live) -> None:
    client, browser, report, path = owned(live)
    asked = browser.get(f"{path}/delete")
    assert "Delete this report?" in asked.text
    assert f'action="{path}/delete"' in asked.text
    assert client.guest().get(path).status == 200
    reply = browser.post(f"{path}/delete", b"", SAME)
    assert (reply.status, reply.headers["Location"]) == (303, "/")
    assert browser.get(path).status == 404
    assert client.get(f"/reports/{report['id']}").status == 404


@pytest.mark.parametrize("privacy", [0, 1, 2])
@pytest.mark.parametrize(("method", "action"), ACTIONS)
def test_s48_s57_nobody_else_finds_these_addresses(live: Live, method: str, action: str, privacy: int) -> None:
    fields = {"privacy": privacy, **({"password": "pw"} if privacy == 2 else {})}
    client, _, report, path = owned(live, **fields)
    key = Client(live.port, client.key, prefix="")
    others = [client.guest(), live.signed_in(live.email()), key]
    if privacy == 2:
        others.append(unlocked(client.guest(), path, "pw"))
    body = {"privacy": 0} if method == "POST" else None
    for other in others:
        reply = other.request(method, f"{path}/{action}", body, SAME)
        missing = other.request(method, f"/r/nothing/{action}", body, SAME)
        assert (reply.status, reply.body) == (missing.status, missing.body)
        assert reply.status == 404
    after = client.get(f"/reports/{report['id']}").json["data"]
    assert (after["privacy"], after["run"], after["status"]) == (privacy, 1, "done")
    for other in others:
        assert "Your report" not in other.get(path).text


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {}])
@pytest.mark.parametrize("action", ["again", "privacy", "delete"])
def test_s74_forms_of_other_sites_change_nothing(live: Live, action: str, headers: dict[str, str]) -> None:
    client, browser, report, path = owned(live)
    assert browser.post(f"{path}/{action}", {"privacy": 1}, headers).status == 403
    after = client.get(f"/reports/{report['id']}").json["data"]
    assert (after["privacy"], after["run"], after["status"]) == (0, 1, "done")


@pytest.mark.parametrize("privacy", [0, 1])
def test_s74_forms_may_say_that_they_come_from_the_page(live: Live, privacy: int) -> None:
    _, browser, _, path = owned(live, privacy=privacy)
    assert browser.get(path).headers["Referrer-Policy"] == "same-origin"
    assert browser.post(f"{path}/again", b"", {"Origin": live.service.settings.base_url}).status == 303


def test_a_page_that_was_not_seen_is_tried_again_or_deleted(live: Live) -> None:
    _, browser, _, path = owned(live, url="https://times-out.example/")
    text = browser.get(path).text
    assert f'action="{path}/again"' in text
    assert f'href="{path}/delete"' in text
