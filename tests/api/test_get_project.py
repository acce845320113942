import pytest

from tests.web.live import Client, Live


@pytest.mark.parametrize("name", ["shop.example", "SHOP.example", "%73hop.example", "shop.example/"])
def test_a_project_is_found_by_name(client: Client, name: str) -> None:
    client.report("https://www.shop.example/")
    reply = client.get(f"/projects/{name}")
    assert reply.status == 200
    assert reply.json["data"]["project"] == "shop.example"


def test_a_project_is_found_by_number(client: Client) -> None:
    client.report("https://shop.example/")
    number = client.get("/projects/shop.example").json["data"]["id"]
    assert client.get(f"/projects/{number}").json["data"]["project"] == "shop.example"


def test_an_idn_is_found_in_both_spellings(client: Client) -> None:
    client.report("https://bücher.example/".encode().decode())
    assert client.get("/projects/b%C3%BCcher.example").status == 200
    assert client.get("/projects/xn--bcher-kva.example").status == 200


def test_s48_another_accounts_project_is_missing(client: Client, live: Live) -> None:
    client.report("https://shop.example/")
    assert live.client().get("/projects/shop.example").status == 404


@pytest.mark.parametrize("name", ["nothing.example", "0", "-1", "%00", "..%2f", "%ff"])
def test_s86_what_is_no_project_is_404(client: Client, name: str) -> None:
    assert client.get(f"/projects/{name}").status == 404
