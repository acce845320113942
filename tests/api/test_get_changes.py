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
    assert (changes["object"], changes["since"], changes["since_report"], changes["run"]) == ("changes", 1, made["id"], 2)
    assert set(changes["score"]) == {"before", "after", "from_page", "from_ruleset"}
    assert changes["score"]["after"] < changes["score"]["before"]
    assert changes["values"][0] == {"kind": "became_non_indexable", "before": "", "after": "noindex"}
    new = {finding["id"]: finding for finding in changes["new"]}
    assert new["noindex"]["after"] == "failed"
    assert new["noindex"]["evidence"]
    assert all(set(changes) >= {"new", "fixed", "returned", "still"} for _ in [0])


def test_the_first_run_is_compared_with_none(client: Client) -> None:
    made = client.report("https://first.example/")
    changes = client.get(f"/reports/{made['id']}/changes").json["data"]
    assert (changes["since"], changes["since_report"], changes["run"]) == (None, None, 1)
    assert changes["score"] == {"before": None, "after": made["score"], "from_page": None, "from_ruleset": None}
    assert [changes[name] for name in ("new", "fixed", "returned", "still")] == [[]] * 4


def test_the_first_run_of_a_second_report_is_compared_with_the_first_report(client: Client) -> None:
    first, second = client.report("https://twice.example/"), client.report("https://twice.example/")
    reply = client.get(f"/reports/{second['id']}/changes", snce=1)
    changes = reply.json["data"]
    assert (changes["since_report"], changes["since"], changes["run"]) == (first["id"], 1, 1)
    assert reply.json["meta"]["warnings"] == ["The parameter snce in the URL was ignored."]


def test_a_run_that_is_none_is_422(client: Client) -> None:
    made = client.report()
    for since in ("0", "x", "99"):
        reply = client.get(f"/reports/{made['id']}/changes", since=since)
        assert reply.status == 422
        assert "since" in reply.json["errors"]


def test_s48_another_accounts_changes_are_404(client: Client, live: Live) -> None:
    made = client.report()
    assert live.client().get(f"/reports/{made['id']}/changes").status == 404
