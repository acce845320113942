"""The interface over PostgreSQL: one story through every kind of request, and two services on one database."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.live import Live, run_live

if TYPE_CHECKING:
    from tests.postgresql import Server


@pytest.fixture
def url(postgresql: "Server") -> Iterator[str]:
    made = postgresql.database()
    yield made
    postgresql.drop(made)


@pytest.fixture
def live(tmp_path: Path, url: str) -> Iterator[Live]:
    yield from run_live(tmp_path / "one", database_url=url, secret_key="k" * 40)


@pytest.fixture
def beside(tmp_path: Path, url: str, live: Live) -> Iterator[Live]:
    """A second service on the same database."""
    yield from run_live(tmp_path / "two", database_url=url, secret_key="k" * 40)


def test_a_report_is_made_listed_changed_shared_and_deleted(live: Live) -> None:
    client = live.client()
    good, bad = client.report("https://good.example/"), client.report("https://bad.example/")
    assert good["score"] > bad["score"]
    repeated = [client.post("/reports", {"url": "https://good.example/b"}, {"Idempotency-Key": "once"}) for _ in range(2)]
    assert repeated[0].json["data"]["id"] == repeated[1].json["data"]["id"]
    listed = client.get("/reports", sort_by="result", sort="asc", per_page=10).json
    assert [one["id"] for one in listed["data"]] == [bad["id"], repeated[0].json["data"]["id"], good["id"]]
    assert client.get("/reports", search="BAD.ex").json["meta"]["total"] == 1
    assert client.get("/reports", check="noindex", verdict="failed").json["meta"]["total"] == 1
    changed = client.put(f"/reports/{good['id']}", {"privacy": 2, "password": "word", "results": 1})
    assert changed.status == 200, changed.body
    again = client.get(f"/reports/{good['id']}").json["data"]
    assert again["previous"]["score"] == good["score"]
    guest = live.client().guest()
    share = again["public_id"]
    assert "good.example" not in guest.get(f"/r/{share}").text
    assert guest.post(f"/r/{share}", {"password": "wrong"}, {"Sec-Fetch-Site": "same-origin"}).status != 303
    unlocked = guest.post(f"/r/{share}", {"password": "word"}, {"Sec-Fetch-Site": "same-origin"})
    assert unlocked.status == 303, unlocked.body
    assert client.get("/account").json["data"]["usage"]["reports"] == 3
    assert client.delete(f"/reports/{bad['id']}").status == 200
    assert client.get(f"/reports/{bad['id']}").status == 404
    assert client.delete("/projects/good.example").status == 200
    assert client.get("/reports").json["meta"]["total"] == 0
    assert guest.get("/readyz").status == 200


def test_two_services_on_one_database_do_each_others_work(live: Live, beside: Live) -> None:
    client = live.client()
    other = type(client)(beside.port, client.key)
    numbers = [(client, other)[n % 2].report(f"https://h{n}.example/")["id"] for n in range(10)]
    assert len(set(numbers)) == 10
    for asked in (client, other):
        assert asked.get("/reports", per_page=25).json["meta"]["total"] == 10
        assert asked.get(f"/reports/{numbers[0]}").json["data"]["status"] == "done"
