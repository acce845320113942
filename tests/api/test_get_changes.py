from tests.checks.harness import page
from tests.web.live import BAD_PAGE, Client, Live


def test_what_changed_between_two_runs(client: Client, live: Live) -> None:
    live.analyser.pages["moving.example"] = page()
    made = client.report("https://moving.example/")
    live.analyser.pages["moving.example"] = BAD_PAGE
    client.put(f"/reports/{made['id']}", {"results": 1})
    reply = client.get(f"/reports/{made['id']}/changes", since=1)
    assert reply.status == 200
    changes = reply.json["data"]
    assert (changes["object"], changes["since"], changes["run"]) == ("changes", 1, 2)
    assert set(changes["score"]) == {"before", "after", "from_page", "from_ruleset"}
    assert changes["score"]["after"] < changes["score"]["before"]
    new = {finding["id"]: finding for finding in changes["new"]}
    assert new["noindex"]["after"] == "failed"
    assert new["noindex"]["evidence"]
    assert all(set(changes) >= {"new", "fixed", "returned", "still"} for _ in [0])


def test_a_run_that_is_none_is_422(client: Client) -> None:
    made = client.report()
    for since in ("0", "x", "99"):
        reply = client.get(f"/reports/{made['id']}/changes", since=since)
        assert reply.status == 422
        assert "since" in reply.json["errors"]


def test_s48_another_accounts_changes_are_404(client: Client, live: Live) -> None:
    made = client.report()
    assert live.client().get(f"/reports/{made['id']}/changes").status == 404
