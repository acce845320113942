from tests.web.live import Client, Live


def test_each_generation_is_a_run(client: Client) -> None:
    made = client.report()
    client.put(f"/reports/{made['id']}", {"results": 1})
    reply = client.get(f"/reports/{made['id']}/runs")
    assert reply.status == 200
    assert [(run["object"], run["report"], run["run"]) for run in reply.json["data"]] == [("run", made["id"], 2), ("run", made["id"], 1)]


def test_runs_of_one_address_are_one_history(client: Client) -> None:
    first, second = client.report(), client.report()
    history = client.get(f"/reports/{second['id']}/runs").json["data"]
    assert {run["report"] for run in history} == {first["id"], second["id"]}


def test_a_run_shows_the_report_as_it_was(client: Client) -> None:
    made = client.report()
    client.put(f"/reports/{made['id']}", {"results": 1})
    reply = client.get(f"/reports/{made['id']}/runs/1")
    assert reply.status == 200
    assert reply.json["data"]["run"] == 1
    assert reply.json["data"]["results"]


def test_s48_missing_and_foreign_runs_are_404(client: Client, live: Live) -> None:
    made = client.report()
    for path in (f"/reports/{made['id']}/runs/9", f"/reports/{made['id']}/runs/x", "/reports/999999/runs", "/reports/x/runs"):
        assert client.get(path).status == 404
    assert live.client().get(f"/reports/{made['id']}/runs").status == 404
    assert live.client().get(f"/reports/{made['id']}/runs/1").status == 404
