import threading

from tests.web.live import Client, Live


def test_a_report_goes_and_its_project_stays(client: Client) -> None:
    made = client.report()
    reply = client.delete(f"/reports/{made['id']}")
    assert (reply.status, reply.json) == (200, {"data": {"id": made["id"], "object": "report", "deleted": True}})
    assert client.get(f"/reports/{made['id']}").status == 404
    assert client.delete(f"/reports/{made['id']}").status == 404
    assert client.get("/projects/good.example").json["data"]["reports_count"] == 0


def test_if_match_guards_against_a_stale_view(client: Client) -> None:
    made = client.report()
    tag = client.get(f"/reports/{made['id']}").headers["ETag"]
    reply = client.delete(f"/reports/{made['id']}", {"If-Match": '"other"'})
    assert (reply.status, reply.json["code"]) == (412, "precondition_failed")
    assert client.delete(f"/reports/{made['id']}", {"If-Match": f'"x", {tag}'}).status == 200


def test_s48_another_account_cannot(client: Client, live: Live) -> None:
    made = client.report()
    assert live.client().delete(f"/reports/{made['id']}").status == 404
    assert client.get(f"/reports/{made['id']}").status == 200


def test_f23_deleting_wins_over_a_running_generation(client: Client, live: Live) -> None:
    held = live.analyser.held["deleted.example"] = threading.Event()
    number = client.post("/reports", {"url": "https://deleted.example/"}, wait=0).json["data"]["id"]
    assert client.delete(f"/reports/{number}").status == 200
    held.set()
    assert client.get(f"/reports/{number}").status == 404


def test_an_empty_body_with_its_length_is_fine(client: Client) -> None:
    made = client.report()
    assert client.request("DELETE", f"/reports/{made['id']}", b"", {"Content-Length": "0", "Accept": "*/*"}).status == 200
