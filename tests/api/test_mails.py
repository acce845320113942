"""Emails of a person and recipients of monthly reports over the interface."""

from tests.web.live import Client, Live


def test_a_person_chooses_digest_and_alerts_of_projects(live: Live, client: Client) -> None:
    mine = client.get("/account/mails").json["data"]
    assert (mine["object"], mine["digest"], mine["projects"], mine["sending"]) == ("mails", "weekly", [], False)
    for project in ("one.example", "two.example"):
        client.post("/projects", {"project": project})
        reply = client.put(f"/projects/{project}/subscription", {"wanted": "1"})
    assert (reply.status, reply.json["data"]["projects"]) == (200, ["one.example", "two.example"])
    assert client.put("/projects/one.example/subscription", {"wanted": "0"}).json["data"]["projects"] == ["two.example"]
    assert client.put("/account/mails", {"digest": "daily"}).json["data"]["digest"] == "daily"
    assert client.get("/account/mails").json["data"] == {**mine, "digest": "daily", "projects": ["two.example"]}
    other = live.client()
    assert other.put("/projects/two.example/subscription", {"wanted": "1"}).status == 404
    assert other.get("/account/mails").json["data"]["projects"] == []
    for path, fields, name in (
        ("/account/mails", {"digest": "hourly"}, "digest"),
        ("/account/mails", {}, "digest"),
        ("/projects/two.example/subscription", {"wanted": "maybe"}, "wanted"),
        ("/projects/two.example/subscription", {}, "wanted"),
    ):
        reply = client.put(path, fields)
        assert (reply.status, list(reply.json.get("errors", {}))) == (422, [name]), reply.text


def test_owners_add_and_remove_recipients_of_the_monthly_report(live: Live, client: Client) -> None:
    client.post("/projects", {"project": "one.example"})
    path = "/projects/one.example/recipients"
    made = client.post(path, {"email": "Client@Client.example", "language": "de"})
    assert (made.status, made.json["data"]["language"], made.json["data"]["stopped"]) == (201, "de", False)
    assert client.post(path, {"email": made.json["data"]["email"]}).json["data"]["language"] == "en"
    assert [one["email"] for one in client.get(path).json["data"]] == [made.json["data"]["email"]]
    for fields, name in (({}, "email"), ({"email": "nobody"}, "email"), ({"email": "a@b.example", "language": "xx"}, "language")):
        reply = client.post(path, fields)
        assert (reply.status, list(reply.json["errors"])) == (422, [name]), reply.text
    assert client.get("/projects/none.example/recipients").status == 404
    assert live.client().get(path).status == 404
    number = made.json["data"]["id"]
    assert client.delete(f"{path}/{number}").json["data"] == {"id": number, "object": "recipient", "deleted": True}
    assert client.delete(f"{path}/{number}").status == 404
    full = [client.post(path, {"email": f"client{one}@client.example"}).status for one in range(21)]
    assert full == [201] * 20 + [422]
