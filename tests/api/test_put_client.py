"""What the client of a report is shown, over the interface."""

import json
from typing import Any

import pytest

from tests.web.live import Client

SECTIONS = ["search", "fixes", "outside", "findings", "counted", "facts"]
EMPTY: dict[str, Any] = {
    "object": "client",
    "summary": "",
    "notes": {},
    "sections": SECTIONS,
    "prepared_by": "",
    "prepared_for": "",
    "run": None,
}


def test_what_is_written_is_kept_whole_and_replaced_whole(client: Client) -> None:
    report = client.report("https://bad.example/")
    path = f"/reports/{report['id']}/client"
    assert client.get(path).json["data"] == {**EMPTY, "report": report["id"]}
    body = {"summary": "One.\r\nTwo.", "notes": {"noindex": " A note. "}, "sections": ["findings"], "prepared_by": "Ann", "run": 1}
    kept = client.put(path, json.dumps(body), {"Content-Type": "application/json"}).json["data"]
    assert kept["summary"] == "One.\nTwo."
    assert kept["notes"] == {"noindex": " A note."}
    assert (kept["sections"], kept["prepared_by"], kept["run"]) == (["findings"], "Ann", 1)
    assert client.get(path).json["data"] == kept
    assert "A note." in client.guest().get(f"/r/{report['public_id']}").text
    assert client.put(path, {"prepared_for": "Miller"}).json["data"] == {**EMPTY, "report": report["id"], "prepared_for": "Miller"}


def test_guests_get_the_saved_page_only_where_the_owner_chose_so(client: Client) -> None:
    report = client.report("https://bad.example/")
    path, evidence = f"/reports/{report['id']}/client", f"/r/{report['public_id']}/evidence"
    guest = client.guest()
    assert guest.get(evidence).status == 404
    assert evidence not in guest.get(f"/r/{report['public_id']}").text
    for sections, status in (([*SECTIONS, "evidence"], 200), (SECTIONS, 404), ([*SECTIONS[1:], "evidence"], 404)):
        kept = client.put(path, json.dumps({"sections": sections}), {"Content-Type": "application/json"}).json["data"]
        assert kept["sections"] == client.get(path).json["data"]["sections"] == sections
        assert guest.get(evidence).status == status


def test_a_form_names_notes_by_their_checks(client: Client) -> None:
    path = f"/reports/{client.report()['id']}/client"
    kept = client.put(path, {"notes[noindex]": "One", "notes[h1-present]": "Two", "sections[]": "facts"}).json["data"]
    assert (kept["notes"], kept["sections"]) == ({"noindex": "One", "h1-present": "Two"}, ["facts"])


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"summary": "x" * 10_001}, "summary"),
        ({"notes": {"no-such-check": "x"}}, "notes"),
        ({"notes": {"no-such-check": ""}}, "notes"),
        ({"notes": {"noindex": "x" * 2001}}, "notes"),
        ({"notes": "x"}, "notes"),
        ({"sections": ["everything"]}, "sections"),
        ({"run": 7}, "run"),
        ({"run": "x"}, "run"),
        ({"prepared_for": "x" * 201}, "prepared_for"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_kept(client: Client, body: dict[str, object], name: str) -> None:
    report = client.report()["id"]
    reply = client.put(f"/reports/{report}/client", json.dumps(body), {"Content-Type": "application/json"})
    assert reply.status == 422
    assert [found.partition(".")[0] for found in reply.json["errors"]] == [name]
    assert client.get(f"/reports/{report}/client").json["data"] == {**EMPTY, "report": report}


def test_a_stale_version_is_refused(client: Client) -> None:
    report = client.report()["id"]
    assert client.put(f"/reports/{report}/client", {"summary": "x"}, {"If-Match": '"old"'}).status == 412
