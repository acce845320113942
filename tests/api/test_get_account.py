from tests.web.live import Live


def test_the_account_of_the_key(live: Live) -> None:
    email = live.email()
    client = live.client(email=email)
    client.report()
    data = client.get("/account").json["data"]
    assert data["object"] == "account"
    assert data["email"] == email
    assert client.key.startswith(data["key"]["prefix"])
    assert data["key"]["scopes"] == ["read", "write"]
    assert data["key"]["expires_at"] is None
    assert data["usage"] == {"reports": 1, "projects": 1}
    assert data["limits"]["requests_per_minute"] == 300
