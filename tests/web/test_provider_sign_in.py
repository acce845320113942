"""Signing in through an OpenID provider: a certified one, and one that lies."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from findable.errors import SettingError
from findable.service.accounts import account_admin, api_keys, invitations, sign_in_links
from findable.service.accounts.external_sign_in import role_of
from findable.service.accounts.sessions import UNKNOWN_CLIENT
from findable.settings import OpenIdClient, Settings, openid_of
from tests.web.live import Client, Live, Reply, free_port, run_live
from tests.web.openid import CLIENT, SECRET, Browser, Forged, certified_provider, misbehaving_provider
from tests.web.test_people import PASSWORD, SAME, with_cookie

OWNER = "owner@example.com"
ROLES = ("seo-leads=owner", "seo=member")


def provider(issuer: str) -> str:
    return f"{issuer.replace('://', f'://{CLIENT}:{quote(SECRET, safe=str())}@')}?name=Example+ID"


# --- against a certified provider ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, str]]:
    """A service, and its provider."""
    port = free_port()
    with certified_provider(f"http://127.0.0.1:{port}/oidc/callback") as issuer:
        folder = tmp_path_factory.mktemp("service")
        for live in run_live(folder, port=port, sign_in_provider=provider(issuer), sign_in_roles=ROLES, sign_in_password=False):
            account_admin.create_account(live.service, OWNER)
            yield live, issuer


def at(live: Live, path: str) -> str:
    return f"http://127.0.0.1:{live.port}{path}"


def role(live: Live, email: str) -> str:
    return next((person.role for _, person in account_admin.all_people(live.service) if person.email == email), "")


def test_a_new_person_gets_the_highest_role_of_their_groups_and_the_requested_page(service: tuple[Live, str]) -> None:
    live, issuer = service
    browser = Browser()
    url, status, text = browser.open(at(live, "/account/people"))
    assert (urlsplit(url).path, status) == ("/sign-in", 200)
    assert "Sign in with Example ID" in text
    assert 'name="password"' not in text
    url, status, text = browser.sign_in(at(live, "/oidc/sign-in?next=/account/people"), "ann")
    assert (url, status) == (at(live, "/account/people"), 200)
    assert "Ann Smith" in text
    assert role(live, "ann@example.com") == "owner"
    assert {cookie.name for cookie in browser.jar if cookie.port is None and cookie.path == "/"} >= {"findable"}
    assert "findable-oidc" not in {cookie.name for cookie in browser.jar}
    # The same person comes back with other groups: the role follows, also in sessions that are open.
    Browser().open(f"{issuer}/move/ann")
    Browser().sign_in(at(live, "/oidc/sign-in"), "ann")
    assert role(live, "ann@example.com") == "member"
    assert "Invite" not in browser.open(at(live, "/account/people"))[2]


def test_who_has_no_group_with_a_role_does_not_sign_in(service: tuple[Live, str]) -> None:
    live, _ = service
    browser = Browser()
    _, status, text = browser.sign_in(at(live, "/oidc/sign-in"), "tom")
    assert status == 403
    assert "None of your groups may sign in here." in text
    assert role(live, "tom@example.com") == ""
    assert urlsplit(browser.open(at(live, "/account"))[0]).path == "/sign-in"


def test_an_unverified_address_of_somebody_else_does_not_sign_in(service: tuple[Live, str]) -> None:
    live, _ = service
    _, status, text = Browser().sign_in(at(live, "/oidc/sign-in"), "eve")
    assert status == 403
    assert "did not confirm your email address" in text


def test_nothing_is_left_of_what_somebody_prepared_behind_the_address(service: tuple[Live, str]) -> None:
    """A member takes the address of a colleague who will be an owner, and waits with a session and a key."""
    live, _ = service
    session = sign_in_links.redeem(live.service, sign_in_links.create(live.service, OWNER).url.rpartition("/")[2])
    assert session is not None
    invited = invitations.invite(live.service, session.caller, role="member", email="bob@example.com")
    waiting = invitations.join(live.service, invited.url.rpartition("/")[2], UNKNOWN_CLIENT, name="Mallory", email="", password="")
    assert waiting is not None
    key = api_keys.create_key(live.service, "bob@example.com").token
    before = Client(live.port, cookies={"findable": waiting.token}, prefix="")
    assert before.get("/account").status == 200
    assert Browser().sign_in(at(live, "/oidc/sign-in"), "bob")[1] == 200
    assert before.get("/account").status == 303
    assert Client(live.port, key).get("/account").status == 401


def test_where_passwords_are_off_none_can_be_used_set_or_reset(service: tuple[Live, str]) -> None:
    live, _ = service
    guest = live.client().guest()
    assert guest.post("/sign-in", {"email": OWNER, "password": PASSWORD}, SAME).status == 404
    assert guest.get("/forgot").status == 404
    by_link = live.signed_in(OWNER)
    assert by_link.get("/welcome").headers["Location"] == "/account"
    assert "password" not in by_link.get("/account").text
    assert by_link.post("/welcome", {"name": "", "email": OWNER, "password": PASSWORD}, SAME).headers["Location"] == "/account"
    assert by_link.post("/account/password", {"present": "", "password": PASSWORD}, SAME).status == 404
    invited = by_link.post("/account/people/invite", {"role": "viewer"}, SAME)
    path = invited.text.partition("/invitation/")[2].partition('"')[0]
    assert 'name="password"' not in guest.get(f"/invitation/{path}").text
    with_cookie(guest, guest.post(f"/invitation/{path}", {"name": "Cy", "email": "cy@example.com"}, SAME))
    assert guest.get("/account").status == 200


def test_an_external_session_ends_after_half_a_day(service: tuple[Live, str]) -> None:
    live, _ = service
    browser = Browser()
    browser.sign_in(at(live, "/oidc/sign-in"), "dan")
    cookie = next(cookie for cookie in browser.jar if cookie.name == "findable")
    assert cookie.expires is not None
    assert 12 * 3600 - 60 < cookie.expires - time.time() <= 12 * 3600


# --- against one that lies ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def lying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Forged]]:
    with misbehaving_provider() as forged:
        for live in run_live(tmp_path_factory.mktemp("lying"), sign_in_provider=provider(forged.issuer), sign_in_roles=("*=viewer",)):
            account_admin.create_account(live.service, OWNER)
            yield live, forged


@pytest.fixture
def attacked(lying: tuple[Live, Forged]) -> tuple[Live, Forged]:
    """The service, and its provider as it is when it is honest."""
    live, forged = lying
    vars(forged).update(vars(Forged(forged.issuer)))
    with live.service.store.write() as session:
        session.expiring.clear_bucket("oidc:network:127.0.0.0/24")
    return live, forged


def begun(live: Live, forged: Forged) -> tuple[Client, dict[str, str]]:
    """A browser that was sent to the provider, and the parameters it was sent with."""
    client = Client(live.port, prefix="")
    reply = client.get("/oidc/sign-in?next=/account")
    with_cookie(client, reply)
    sent = {name: values[0] for name, values in parse_qs(urlsplit(reply.headers["Location"]).query).items()}
    forged.nonce = sent["nonce"]
    return client, sent


def answered(live: Live, forged: Forged, **changes: str) -> Reply:
    client, sent = begun(live, forged)
    given: dict[str, Any] = {"code": "a code", "state": sent["state"], **changes}
    return client.get("/oidc/callback", **given)


def test_an_honest_response_signs_in_and_sends_the_verifier(attacked: tuple[Live, Forged]) -> None:
    live, forged = attacked
    client, sent = begun(live, forged)
    assert (sent["code_challenge_method"], sent["response_type"], sent["client_id"]) == ("S256", "code", CLIENT)
    assert sent["redirect_uri"] == at(live, "/oidc/callback")
    reply = client.get("/oidc/callback", code="a code", state=sent["state"], iss=forged.issuer)
    assert (reply.status, reply.headers["Location"]) == (303, "/account")
    form = forged.forms[-1]
    assert form["code"] == ["a code"]
    assert len(form["code_verifier"][0]) >= 43
    cookie = reply.headers.get_all("Set-Cookie")
    assert cookie is not None
    assert all("HttpOnly" in line and "SameSite=Lax" in line for line in cookie)
    assert with_cookie(client, reply).get("/account").status == 200


LIES: dict[str, dict[str, Any]] = {
    "nonce of another attempt": {"claims": {"nonce": "another"}},
    "no nonce": {"left_out": frozenset({"nonce"})},
    "another issuer": {"claims": {"iss": "https://id.example.net"}},
    "another audience": {"claims": {"aud": "another client"}},
    "shared without party": {"claims": {"aud": [CLIENT, "another client"]}},
    "another party": {"claims": {"azp": "another client"}},
    "expired": {"claims": {"exp": 1_700_000_000}},
    "of the future": {"claims": {"iat": 4_000_000_000}},
    "no expiry": {"left_out": frozenset({"exp"})},
    "nobody": {"claims": {"sub": ""}},
    "a number": {"claims": {"sub": 5}},
    "not signed": {"algorithm": "none"},
    "signed with the public key as a secret": {"algorithm": "HS256"},
    "signed by somebody else": {"signer": "somebody else"},
    "signed with another key of the provider": {"signer": "other"},
    "an unknown key": {"kid": "unknown"},
    "user info of somebody else": {"left_out": frozenset({"email"}), "user_info": {"sub": "bob", "email": "ann@example.com"}},
    "an unverified address": {"claims": {"sub": "eve", "email": "eve@example.com", "email_verified": False}},
    "no address": {"claims": {"sub": "eve"}, "left_out": frozenset({"email"}), "user_info": {"sub": "eve"}},
    "an error for the code": {"token_status": 400},
    "a redirect": {"token_status": 307},
    "no JSON": {"token_body": b"<html>"},
    "another JSON": {"token_body": b'{"id_token": 5}'},
    "no token": {"token_body": b'{"id_token": "a.b.c"}'},
    "an endless response": {"token_body": b'{"id_token": "' + b"x" * 2_000_000 + b'"}'},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_of_the_provider_signs_nobody_in(attacked: tuple[Live, Forged], lie: str) -> None:
    live, forged = attacked
    vars(forged).update(vars(replace(forged, **LIES[lie])))
    reply = answered(live, forged)
    assert reply.status == 403, reply.text
    assert [line for line in reply.headers.get_all("Set-Cookie") or () if line.startswith("findable=")] == []
    assert "Traceback" not in reply.text


def test_a_response_counts_only_in_the_browser_that_asked_for_it_and_once(attacked: tuple[Live, Forged]) -> None:
    live, forged = attacked
    assert answered(live, forged, state="another").status == 403
    assert answered(live, forged, code="").status == 403
    assert answered(live, forged, iss="https://id.example.net").status == 403
    _, sent = begun(live, forged)
    assert Client(live.port, prefix="").get("/oidc/callback", code="a code", state=sent["state"]).status == 403  # no cookie
    other, _ = begun(live, forged)
    assert other.get("/oidc/callback", code="a code", state=sent["state"]).status == 403  # the cookie of another attempt
    broken, sent = begun(live, forged)
    broken.cookies = {name: value[:-6] + "AAAAAA" for name, value in broken.cookies.items()}
    assert broken.get("/oidc/callback", code="a code", state=sent["state"]).status == 403


def test_one_network_does_not_make_the_service_ask_the_provider_without_end(attacked: tuple[Live, Forged]) -> None:
    live, forged = attacked
    forged.token_status = 400
    client, sent = begun(live, forged)
    statuses = [client.get("/oidc/callback", code="x", state=sent["state"]).status for _ in range(62)]
    assert statuses.count(403) == 60
    assert statuses[-1] == 429


def test_the_next_page_is_one_of_this_service(attacked: tuple[Live, Forged]) -> None:
    live, forged = attacked
    client = Client(live.port, prefix="")
    reply = client.get("/oidc/sign-in?next=//evil.example/")
    with_cookie(client, reply)
    sent = parse_qs(urlsplit(reply.headers["Location"]).query)
    forged.nonce = sent["nonce"][0]
    assert client.get("/oidc/callback", code="a", state=sent["state"][0]).headers["Location"] == "/"


def test_two_subjects_cannot_share_an_address(attacked: tuple[Live, Forged]) -> None:
    live, forged = attacked
    assert answered(live, forged).status == 303
    forged.claims = {"sub": "another ann"}
    reply = answered(live, forged)
    assert reply.status == 403
    assert "belongs to another person" in reply.text


@pytest.mark.parametrize(
    "document",
    [
        {"issuer": "https://id.example.net"},
        {"token_endpoint": "http://10.0.0.1/token"},
        {"token_endpoint": "http://127.0.0.1:1/token"},
        {"jwks_uri": "file:///etc/passwd"},
        {"token_endpoint": 5},
    ],
)
def test_a_document_that_leads_elsewhere_is_not_followed(tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any]) -> None:
    with misbehaving_provider() as forged:
        forged.document = document
        for live in run_live(tmp_path_factory.mktemp("document"), sign_in_provider=provider(forged.issuer), sign_in_roles=("*=owner",)):
            account_admin.create_account(live.service, OWNER)
            reply = Client(live.port, prefix="").get("/oidc/sign-in")
            if reply.status == 303:  # only the response is requested there
                reply = answered(live, forged)
            assert reply.status == 403
            assert "/jwks" not in forged.requests


# --- settings -----------------------------------------------------------------------------------------------------------


def test_roles_are_given_by_group_and_the_highest_counts() -> None:
    entries = ("seo=member", "a=b=viewer", "*=projects", "leads=owner")
    assert role_of(entries, ["seo"]) == "member"
    assert role_of(entries, ["a=b", "leads"]) == "owner"
    assert role_of(entries, []) == "projects"
    assert role_of(("seo=member",), ["Seo", "*"]) is None
    assert role_of((), ["seo"]) is None


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"sign_in_provider": "http://x@id.example.com"}, "sign_in_provider"),
        ({"sign_in_provider": "https://id.example.com"}, "sign_in_provider"),
        ({"sign_in_provider": "https://x@id.example.com?colour=red"}, "sign_in_provider"),
        ({"sign_in_password": False}, "sign_in_password"),
        ({"sign_in_proxy": ("X-Forwarded-Email",)}, "sign_in_proxy"),
        ({"sign_in_proxy": ("X: y",), "trusted_proxies": ("127.0.0.1",)}, "sign_in_proxy"),
        ({"sign_in_proxy": ("X-A", "X-B", "X-C"), "trusted_proxies": ("127.0.0.1",)}, "sign_in_proxy"),
        ({"sign_in_roles": ("seo=admin",)}, "sign_in_roles"),
    ],
)
def test_a_wrong_setting_of_sign_in_is_named(given: dict[str, Any], named: str) -> None:
    with pytest.raises(SettingError) as raised:
        Settings(**given)
    assert raised.value.setting == named


def test_the_secret_is_not_shown() -> None:
    assert SECRET not in repr(Settings(sign_in_provider=provider("https://id.example.com")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://me@id.example.com", OpenIdClient("https://id.example.com", "me", "", "id.example.com", "groups", trusts_email=False)),
        (
            "https://a%3Ab:s%40%2F@id.example.com:8443/realms/x/?name=Our+ID&groups=https%3A%2F%2Fns%2Fg&trust_email=true",
            OpenIdClient("https://id.example.com:8443/realms/x/", "a:b", "s@/", "Our ID", "https://ns/g", trusts_email=True),
        ),
        ("http://me:s@[::1]:9/x", OpenIdClient("http://[::1]:9/x", "me", "s", "[::1]", "groups", trusts_email=False)),
    ],
)
def test_the_provider_is_read_from_its_url(text: str, expected: OpenIdClient) -> None:
    assert openid_of(text) == expected
