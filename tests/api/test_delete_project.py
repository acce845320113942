from tests.web.live import Client, Live


def test_a_project_goes_with_its_reports(client: Client) -> None:
    first = client.report("https://shop.example/")
    client.report("https://shop.example/two")
    number = client.get("/projects/shop.example").json["data"]["id"]
    reply = client.delete("/projects/shop.example")
    assert reply.status == 200
    assert reply.json == {"data": {"id": number, "object": "project", "project": "shop.example", "deleted": True, "reports_deleted": 2}}
    assert client.get(f"/reports/{first['id']}").status == 404
    assert client.get("/reports").json["data"] == []


def test_the_second_time_is_404(client: Client) -> None:
    client.report("https://shop.example/")
    assert client.delete("/projects/shop.example").status == 200
    assert client.delete("/projects/shop.example").status == 404


def test_s48_another_account_cannot(client: Client, live: Live) -> None:
    client.report("https://shop.example/")
    assert live.client().delete("/projects/shop.example").status == 404
    assert client.get("/projects/shop.example").status == 200


def test_s62_a_key_that_only_reads_is_forbidden(live: Live) -> None:
    email = live.email()
    live.client(email=email).report("https://shop.example/")
    reply = live.client(email=email, scopes=frozenset({"read"})).delete("/projects/shop.example")
    assert (reply.status, reply.json["code"]) == (403, "forbidden")
