"""The link of a project and its findings, by API."""

from tests.web.live import Client, Live

ADDRESS = "/projects/bad.example/link"


def test_the_link_of_a_project_is_read_and_changed(client: Client) -> None:
    assert client.post("/reports", {"url": "https://bad.example/", "privacy": 0}, None, wait=60).status == 201
    link = client.get(ADDRESS).json["data"]
    assert (link["project"], link["privacy"], link["has_password"], link["until"]) == ("bad.example", 1, False, None)
    path = f"/p/{link['public_id']}"
    assert link["url"].endswith(path)
    guest = client.guest()
    assert guest.get(path).status == 404
    assert client.put(ADDRESS, {"privacy": 2}).json["errors"]["password"]
    assert client.put(ADDRESS, {"privacy": 7}).json["errors"]["privacy"]
    locked = client.put(ADDRESS, {"privacy": 2, "password": "correct horse"})
    assert (locked.status, locked.json["data"]["privacy"], locked.json["data"]["has_password"]) == (200, 2, True)
    assert "correct horse" not in locked.text
    assert "password" in guest.get(path).text
    assert "noindex" not in guest.get(path).text.partition("<body>")[2]
    public = client.put(ADDRESS, {"privacy": 0, "password": "unused"}).json
    assert (public["data"]["privacy"], public["data"]["has_password"]) == (0, False)
    assert "ignored" in public["meta"]["warnings"][0]
    assert "bad.example" in guest.get(path).text
    assert "Nothing was changed" in client.put(ADDRESS, {}).json["meta"]["warnings"][0]
    assert client.get(ADDRESS).json["data"]["privacy"] == 0


def test_a_shared_project_without_a_result_says_so(live: Live, client: Client) -> None:
    assert client.post("/projects", {"project": "empty.example"}).status == 201
    path = f"/p/{client.put('/projects/empty.example/link', {'privacy': 0}).json['data']['public_id']}"
    owner = live.signed_in(client.get("/account").json["data"]["email"])
    for page in (path, f"{path}/summary"):
        shown, preview = client.guest().get(page).text, owner.get(page).text
        assert ("No result is shared yet." in shown, "No problem was found." in shown, "Start the crawl" in shown) == (True, False, False)
        assert "Start the crawl" in preview
        assert "/projects/empty.example/crawls" in preview


def test_the_terms_of_the_link_of_a_project_are_set_with_its_access(client: Client) -> None:
    assert client.post("/reports", {"url": "https://bad.example/", "privacy": 0}, None, wait=60).status == 201
    assert client.put(ADDRESS, {"listed": 1}).json["errors"]["listed"]
    wrong = client.put(ADDRESS, {"privacy": 0, "until": "2020-01-01", "listed": 1})
    assert (wrong.status, list(wrong.json["errors"])) == (422, ["until"])
    before = client.get(ADDRESS).json["data"]
    assert (before["privacy"], before["until"], before["listed"]) == (1, None, False)
    made = client.put(ADDRESS, {"privacy": 0, "until": "2099-12-31", "listed": 1}).json["data"]
    assert (made["privacy"], made["until"], made["listed"]) == (0, "2099-12-31", True)
    assert "noindex" not in (client.guest().get(f"/p/{made['public_id']}").headers["X-Robots-Tag"] or "")
    assert client.put(ADDRESS, {"until": ""}).json["data"]["until"] is None
    assert client.put(ADDRESS, {"privacy": 1}).json["data"]["listed"] is False


def test_findings_of_a_project_are_those_of_its_pages(client: Client) -> None:
    for url in ("https://bad.example/one", "https://bad.example/two"):
        assert client.post("/reports", {"url": url}, None, wait=60).status == 201
    found = {one["id"]: one for one in client.get("/projects/bad.example/findings").json["data"]}
    assert (found["noindex"]["verdict"], found["noindex"]["pages_count"]) == ("failed", 2)
    assert next(iter(found)) == "noindex"
    assert {page["url"] for page in found["noindex"]["pages"]} == {"https://bad.example/one", "https://bad.example/two"}
    assert client.get("/projects/nowhere.example/findings").status == 404
