"""Signing in, the account, keys and people in the browser, without JavaScript."""

import re
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote

import pytest

from findable.clock import now
from findable.service.accounts import own_account, sign_in_links
from findable.service.accounts.sessions import UNKNOWN_CLIENT
from findable.web.app import ENDPOINTS
from findable.web.logs import loggable
from findable.web.pages.account.devices import device
from findable.web.pages.shared.viewer import own_path
from findable.wording import wording
from tests.web.live import Client, Live, Reply

PASSWORD = "correct horse battery"
SAME = {"Sec-Fetch-Site": "same-origin"}
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PAGES = (
    "/account",
    "/account/sessions",
    "/account/keys",
    "/account/people",
    "/account/webhooks",
    "/account/mails",
    "/account/audit",
    "/account/reports",
    "/account/delete",
)
FORMS = (
    "/welcome",
    "/account/profile",
    "/account/email",
    "/account/password",
    "/account/sessions/end",
    "/account/sessions/end-all",
    "/account/delete",
    "/account/keys",
    "/account/keys/fnd_00000000/revoke",
    "/account/people/invite",
    "/account/people/withdraw",
    "/account/people/1/role",
    "/account/people/1/remove",
    "/account/webhooks",
    *(f"/account/webhooks/1{path}" for path in ("", "/secret", "/state", "/test", "/deliveries/1/again", "/delete")),
    "/account/feeds",
    "/account/reports",
    "/account/feeds/1/delete",
    *(f"/account/mails/{path}" for path in ("digest", "alerts", "test")),
)


CHOICES = ("language", "time_zone", "default_privacy", "thing", "browser")
"""Selects whose values no browser knows."""


def with_password(live: Live, email: str = "") -> str:
    """Somebody of a new account, with PASSWORD; the email address."""
    email = email or live.email()
    session = sign_in_links.redeem(live.service, sign_in_links.create(live.service, email).url.rpartition("/")[2])
    assert session is not None
    own_account.welcome(live.service, session.caller, session.token, UNKNOWN_CLIENT, name="", email=email, password=PASSWORD)
    return email


def browser(live: Live, email: str, password: str = PASSWORD) -> Client:
    """A browser in which somebody has signed in by password."""
    client = Client(live.port, prefix="")
    return with_cookie(client, client.post("/sign-in", {"email": email, "password": password}, {**SAME, "User-Agent": FIREFOX}))


def with_cookie(client: Client, reply: Reply) -> Client:
    """The browser after that answer, which set its cookie."""
    assert reply.status == 303, reply.text
    name, _, value = reply.headers["Set-Cookie"].partition(";")[0].partition("=")
    client.cookies = {name: value} if value else {}
    return client


def owner(live: Live) -> Client:
    return browser(live, with_password(live))


def member_of(live: Live, of: Client, role: str = "member") -> tuple[Client, str]:
    """Somebody who joins by invitation, and their address."""
    made = of.post("/account/people/invite", {"role": role}, SAME)
    assert made.status == 201
    path = link_in(made)
    email = f"joined-by-{path[-8:].lower().replace('_', 'x').replace('-', 'y')}@example.com"
    client = Client(live.port, prefix="")
    return with_cookie(client, client.post(path, {"name": "Bob", "email": email, "password": PASSWORD}, SAME)), email


def link_in(reply: Reply) -> str:
    found = re.search(r'value="http://127\.0\.0\.1:\d+(/invitation/[^"]+)"', reply.text)
    assert found is not None
    return found[1]


def links_to(reply: Reply, pattern: str) -> list[str]:
    return [unescape(path) for path in re.findall(f'(?:href|action)="({pattern})"', reply.text)]


# --- first start and signing in ---------------------------------------------------------------------------------------


def test_a_first_start_goes_from_the_link_to_a_password_to_the_first_page(live: Live) -> None:
    email = live.email()
    guest = Client(live.port, prefix="")
    path = f"/sign-in/{sign_in_links.create(live.service, email).url.rpartition('/')[2]}"
    assert guest.get(path).headers["Referrer-Policy"] == "no-referrer"
    reply = guest.post(path, b"", SAME)
    assert reply.headers["Location"] == "/welcome"
    with_cookie(guest, reply)
    assert f'value="{email}"' in guest.get("/welcome").text
    refused = guest.post("/welcome", {"name": "Ann", "email": "no address", "password": "short"}, SAME)
    assert refused.status == 422
    assert 'aria-describedby="email-hint email-wrong" aria-invalid="true" autofocus' in refused.text
    assert 'aria-describedby="password-hint password-wrong" aria-invalid="true"' in refused.text
    assert 'value="Ann"' in refused.text
    assert 'value="no address"' in refused.text
    assert "short" not in refused.text
    old = dict(guest.cookies)
    chosen = guest.post("/welcome", {"name": "Ann", "email": email, "password": PASSWORD}, SAME)
    assert chosen.headers["Location"] == "/"
    with_cookie(guest, chosen)
    assert guest.cookies != old
    assert guest.get("/account").status == 200
    assert Client(live.port, cookies=old, prefix="").get("/account").status == 303
    assert guest.get("/welcome").headers["Location"] == "/account"
    assert browser(live, email).get("/account").status == 200


def test_who_lost_the_password_comes_back_by_a_link_of_the_operator(live: Live) -> None:
    email = with_password(live)
    inside, way_back = browser(live, email), live.signed_in(email)
    text = way_back.get("/welcome").text
    assert "Choose a new password" in text
    assert 'name="email"' not in text
    with_cookie(way_back, way_back.post("/welcome", {"password": "another sound one"}, SAME))
    assert inside.get("/account").status == 303
    assert browser(live, email, "another sound one").get("/account").status == 200


def test_s65_a_wrong_address_and_a_wrong_password_are_answered_alike(live: Live) -> None:
    email, guest = with_password(live), Client(live.port, prefix="")
    replies = [guest.post("/sign-in", {"email": each, "password": "a wrong one"}, SAME) for each in (email, f"x{email}")]
    assert [reply.status for reply in replies] == [403, 403]
    assert replies[0].text.replace(email, "") == replies[1].text.replace(f"x{email}", "")
    assert 'id="password-wrong">The email address or the password is wrong.' in replies[0].text
    assert f'value="{email}"' in replies[0].text
    assert "a wrong one" not in replies[0].text
    assert not any("Set-Cookie" in reply.headers for reply in replies)


def test_s53_too_many_wrong_passwords_are_answered_429(live: Live) -> None:
    email, guest = with_password(live), Client(live.port, prefix="")
    for _ in range(10):
        guest.post("/sign-in", {"email": email, "password": "a wrong one"}, SAME)
    reply = guest.post("/sign-in", {"email": email, "password": PASSWORD}, SAME)
    assert reply.status == 429
    assert 55 <= int(reply.headers["Retry-After"]) <= 60
    assert "Try again in 1 minute." in reply.text
    with live.service.store.write() as session:  # the other tests sign in from the same network
        session.expiring.clear_bucket("sign-in:network:127.0.0.0/24")


def test_s66_a_session_planted_before_signing_in_is_not_the_one_after(live: Live) -> None:
    email = with_password(live)
    planted = live.signed_in(live.email())
    reply = planted.post("/sign-in", {"email": email, "password": PASSWORD}, SAME)
    fresh = with_cookie(Client(live.port, prefix=""), reply)
    assert fresh.cookies != planted.cookies
    assert planted.get("/account").status == 303
    planted = live.signed_in(live.email())
    assert planted.post(f"/sign-in/{sign_in_links.create(live.service, email).url.rpartition('/')[2]}", b"", SAME).status == 303
    assert planted.get("/account").status == 303
    cookie = reply.headers["Set-Cookie"]
    assert re.fullmatch(r"findable=[^;]+; Path=/; Max-Age=25(?:91999|92000); HttpOnly; SameSite=Lax", cookie)


def test_signing_in_leads_to_the_page_that_was_asked_for(live: Live) -> None:
    email, guest = with_password(live), Client(live.port, prefix="")
    asked = guest.get("/account/keys?done=x")
    assert (asked.status, asked.headers["Location"]) == (303, "/sign-in?next=/account/keys%3Fdone%3Dx")
    assert 'name="next" value="/account/keys?done=x"' in guest.get(asked.headers["Location"]).text
    fields = {"email": email, "next": "/account/keys?done=x"}
    assert 'name="next" value="/account/keys?done=x"' in guest.post("/sign-in", {**fields, "password": "wrong"}, SAME).text
    assert guest.post("/sign-in", {**fields, "password": PASSWORD}, SAME).headers["Location"] == "/account/keys?done=x"
    assert browser(live, email).get("/sign-in?next=/account/people").headers["Location"] == "/account/people"


ELSEWHERE = (
    "//evil.example", "/\\evil.example", "\\\\evil.example", "https:evil.example", "https://evil.example/", "/\t/evil.example",
    "/\r\nSet-Cookie: a=b", "%2f%2fevil.example", "javascript:alert(1)", "evil.example", "", "/é", "/" + "a" * 3000,
)  # fmt: skip


@pytest.mark.parametrize("target", ELSEWHERE)
def test_s79_nobody_is_sent_to_another_site(target: str) -> None:
    assert own_path(target) == "/"


def test_s79_the_pages_keep_to_it(live: Live) -> None:
    email, guest = with_password(live), Client(live.port, prefix="")
    for target in ("//evil.example", "/\\evil.example", "https://evil.example/"):
        assert 'name="next" value="/"' in guest.get(f"/sign-in?next={quote(target)}").text
        assert guest.post("/sign-in", {"email": email, "password": PASSWORD, "next": target}, SAME).headers["Location"] == "/"
        assert browser(live, email).get(f"/sign-in?next={quote(target)}").headers["Location"] == "/"
    assert guest.get("//evil.example/%2e%2e").headers.get("Location") is None


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}])
def test_s74_no_form_of_another_site_signs_in(live: Live, headers: dict[str, str]) -> None:
    reply = Client(live.port, prefix="").post("/sign-in", {"email": with_password(live), "password": PASSWORD}, headers)
    assert (reply.status, reply.headers.get("Set-Cookie")) == (403, None)


def test_s49_every_address_of_the_account_is_tried() -> None:
    files = {"/account/audit.csv", "/account/audit.json", "/account/logo.png"}
    known = {"GET": {*PAGES, *files, *(path for path in FORMS if path.endswith("/webhooks/1"))}, "POST": set(FORMS)}
    for handler in ENDPOINTS:
        for path in (
            path.replace("{person}", "1")
            .replace("{prefix}", "fnd_00000000")
            .replace("{webhook}", "1")
            .replace("{delivery}", "1")
            .replace("{feed}", "1")
            for path in handler.paths
        ):
            if path.startswith("/account"):
                assert path in known[handler.method], path


@pytest.mark.parametrize("path", [*PAGES, "/welcome"])
def test_s49_guests_are_asked_to_sign_in(live: Live, path: str) -> None:
    reply = Client(live.port, prefix="").get(path)
    assert (reply.status, reply.headers["Location"]) == (303, f"/sign-in?next={path}")


@pytest.mark.parametrize("path", FORMS)
def test_s49_forms_of_guests_and_of_keys_do_nothing(live: Live, path: str) -> None:
    for client in (Client(live.port, prefix=""), Client(live.port, live.client().key, prefix="")):
        assert client.post(path, {"role": "owner", "scope": "read"}, SAME).headers["Location"] == "/sign-in?ended=1"


@pytest.mark.parametrize("path", [*FORMS, "/sign-in", "/sign-out"])
def test_s50_nothing_changes_by_looking(live: Live, path: str) -> None:
    client = owner(live)
    before = sorted(sessions_of(client))
    client.get(path)
    assert sorted(sessions_of(client)) == before != []


def test_s68_secrets_of_links_are_not_logged() -> None:
    assert loggable("/invitation/secret") == "/invitation/…"
    assert loggable("/sign-in/secret") == "/sign-in/…"
    assert loggable("/sign-in") == "/sign-in"


# --- the account ------------------------------------------------------------------------------------------------------


def test_the_profile_sets_language_and_times(live: Live) -> None:
    client = owner(live)
    fields = {"name": "Ann <b>", "language": "de", "time_zone": "Europe/Berlin"}
    assert client.post("/account/profile", fields, SAME).headers["Location"] == "/account?done=profile"
    page = client.get("/account?done=profile").text
    assert '<html lang="de">' in page
    assert "Ann &lt;b&gt;" in page
    assert "<option selected>Europe/Berlin</option>" in page
    assert '<option value="UTC">Zeitzone des Browsers</option>' in page
    assert "<option>Asia/Kolkata</option>" in page
    assert not re.search(r"<option[^>]*>(?:US/Eastern|Asia/Calcutta|Etc/)", page)
    assert re.search(r"\d\d:\d\d CES?T", client.get("/account/sessions").text)
    assert "<time datetime=" in client.get("/account/sessions").text  # scripts show it in the zone of the browser
    assert client.post("/account/profile", {**fields, "time_zone": "US/Eastern"}, SAME).status == 303  # chosen before, and still valid
    assert "<option selected>US/Eastern</option>" in client.get("/account").text
    wrong = client.post("/account/profile", {**fields, "time_zone": "Mars/Base", "language": "xx"}, SAME)
    assert wrong.status == 422
    assert 'id="time_zone-wrong"' in wrong.text
    assert client.post("/account/profile", {"time_zone": "UTC"}, SAME).status == 303
    assert '<html lang="en">' in client.get("/account").text


def test_a_new_address_needs_the_password(live: Live) -> None:
    email = with_password(live)
    client = browser(live, email)
    taken = with_password(live)
    for fields, wrong in (
        ({"email": f"new-{email}", "password": "a wrong one"}, "email-password"),
        ({"email": taken, "password": PASSWORD}, "new-email"),
        ({"email": "", "password": PASSWORD}, "new-email"),
    ):
        reply = client.post("/account/email", fields, SAME)
        assert reply.status == 422
        assert f'id="{wrong}-wrong"' in reply.text
        assert "a wrong one" not in reply.text
    assert client.post("/account/email", {"email": f"new-{email}", "password": PASSWORD}, SAME).status == 303
    assert f"new-{email}" in browser(live, f"new-{email}").get("/account").text


def test_s66_a_new_password_ends_every_other_session(live: Live) -> None:
    email = with_password(live)
    here, there = browser(live, email), browser(live, email)
    for fields, wrong in (
        ({"present": "no", "password": "another sound one"}, "present"),
        ({"present": PASSWORD, "password": "x"}, "new-password"),
    ):
        reply = here.post("/account/password", fields, SAME)
        assert reply.status == 422
        assert f'id="{wrong}-wrong"' in reply.text
        assert "At least 10 characters." in reply.text
    with_cookie(here, here.post("/account/password", {"present": PASSWORD, "password": "another sound one"}, SAME))
    assert (here.get("/account").status, there.get("/account").status) == (200, 303)
    assert Client(live.port, prefix="").post("/sign-in", {"email": email, "password": PASSWORD}, SAME).status == 403


def sessions_of(client: Client) -> list[str]:
    return re.findall(r'<li><div><h2><span id="[^"]+">([^<]+)</span>', client.get("/account/sessions").text)


def test_sessions_are_ended_one_by_one_and_all(live: Live) -> None:
    email = with_password(live)
    here, there = browser(live, email), browser(live, email)
    assert sessions_of(here).count("Firefox on Linux") == 2
    text = here.get("/account/sessions").text
    assert "network 127.0.0.0/24" in text
    (other,) = re.findall(r'name="session" value="([0-9a-f]{16})"', text)[:1]
    stranger = owner(live)
    assert stranger.post("/account/sessions/end", {"session": other}, SAME).status == 303
    assert there.get("/account").status == 200
    while ids := re.findall(r'name="session" value="([0-9a-f]{16})"', here.get("/account/sessions").text):
        assert here.post("/account/sessions/end", {"session": ids[0]}, SAME).status == 303
    assert (here.get("/account").status, there.get("/account").status) == (200, 303)
    there = browser(live, email)
    assert there.post("/account/sessions/end-all", b"", SAME).headers["Location"] == "/"
    assert (here.get("/account").status, there.get("/account").status) == (303, 303)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.1", "Unknown device"),
        ("<script>", "Unknown device"),
        ("", "Unknown device"),
    ],
)
def test_devices_are_said_in_words(agent: str, words: str) -> None:
    assert device(agent, wording("en")) == words


# --- keys -------------------------------------------------------------------------------------------------------------


def made_key(client: Client, **fields: Any) -> tuple[Reply, str]:
    reply = client.post("/account/keys", {"name": "laptop", "scope": "read-write", **fields}, SAME)
    found = re.search(r'id="token" value="(fnd_[^"]+)"', reply.text)
    return reply, found[1] if found else ""


def test_s62_a_key_is_shown_once_works_and_is_revoked(live: Live) -> None:
    client = owner(live)
    reply, token = made_key(client)
    assert reply.status == 201
    assert "no-store" in reply.headers["Cache-Control"]
    assert f"Authorization: Bearer {token}" in unescape(reply.text)
    program = Client(live.port, token)
    assert program.get("/account").status == 200
    page = client.get("/account/keys").text
    assert token not in page
    assert token[:12] in page
    assert "last used" in page
    (path,) = links_to(client.get("/account/keys"), r"/account/keys/fnd_[0-9a-f]+/revoke")
    assert client.post(path, b"", SAME).headers["Location"] == "/account/keys?done=revoked"
    assert program.get("/account").status == 401
    assert "1 key that no longer works" in client.get("/account/keys").text
    assert client.post("/account/keys/fnd_00000000/revoke", b"", SAME).status == 404


def test_s62_while_one_key_follows_another_both_work(live: Live) -> None:
    client = owner(live)
    first, second = (Client(live.port, made_key(client, name=name)[1]) for name in ("old", "new"))
    assert [program.get("/account").status for program in (first, second)] == [200, 200]
    prefix = first.get("/account").json["data"]["key"]["prefix"]
    assert client.post(f"/account/keys/{prefix}/revoke", b"", SAME).status == 303
    assert [program.get("/account").status for program in (first, second)] == [401, 200]


def test_scope_and_last_day_of_a_key_are_chosen(live: Live) -> None:
    client = owner(live)
    day = (now() + timedelta(days=3)).date().isoformat()
    _, token = made_key(client, scope="read", expires=day)
    program = Client(live.port, token)
    assert program.get("/account").json["data"]["key"]["expires_at"] == f"{day}T23:59:59Z"
    assert program.post("/reports", {"url": "https://good.example/"}).status == 403
    for fields, wrong in (
        ({"scope": "admin"}, "scope"),
        ({"expires": "tomorrow"}, "expires"),
        ({"expires": "2020-01-01"}, "expires"),
        ({"expires": "99999-01-01"}, "expires"),
    ):
        reply, _ = made_key(client, **fields)
        assert reply.status == 422
        assert f'id="{wrong}-wrong"' in reply.text
        assert 'value="laptop"' in reply.text


def test_s49_members_see_no_keys_of_others(live: Live) -> None:
    client = owner(live)
    made_key(client, name="of the owner")
    member, _ = member_of(live, client)
    made_key(member, name="of the member")
    assert "of the owner" not in member.get("/account/keys").text
    assert {"of the owner", "of the member"} <= set(re.findall(r"of the \w+", client.get("/account/keys").text))
    forms = links_to(client.get("/account/keys"), r"/account/keys/fnd_[0-9a-f]+/revoke")
    (of_owner,) = set(forms) - set(links_to(member.get("/account/keys"), r"/account/keys/fnd_[0-9a-f]+/revoke"))
    assert member.post(of_owner, b"", SAME).status == 404


# --- people -----------------------------------------------------------------------------------------------------------


def test_somebody_is_invited_joins_once_and_is_removed(live: Live) -> None:
    client = owner(live)
    made = client.post("/account/people/invite", {"role": "member", "email": "invited@example.com"}, SAME)
    path = link_in(made)
    assert path not in client.get("/account/people").text
    guest = Client(live.port, prefix="")
    page = guest.get(path)
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert 'value="invited@example.com" autocomplete="username" readonly' in page.text
    refused = guest.post(path, {"name": "Bob", "password": "short"}, SAME)
    assert refused.status == 422
    assert 'id="password-wrong"' in refused.text
    assert 'value="Bob"' in refused.text
    with_cookie(guest, guest.post(path, {"name": "Bob", "email": "mallory@example.com", "password": PASSWORD}, SAME))
    assert "invited@example.com" in guest.get("/account").text
    assert Client(live.port, prefix="").get(path).status == 410
    assert Client(live.port, prefix="").post(path, {"email": "eve@example.com", "password": PASSWORD}, SAME).status == 410
    _, token = made_key(guest)
    (remove,) = links_to(client.get("/account/people"), r"/account/people/\d+/remove")
    assert client.post(remove, b"", SAME).headers["Location"] == "/account/people?done=removed"
    assert guest.get("/account").status == 303
    assert Client(live.port, token).get("/account").status == 401


def test_s49_members_manage_nobody_and_delete_no_project(live: Live) -> None:
    client = owner(live)
    member, _ = member_of(live, client)
    page = member.get("/account/people").text
    assert "Invite a person" not in page
    (own,) = links_to(member.get("/account/people"), r"/account/people/\d+/remove")
    others = f"/account/people/{int(own.split('/')[3]) - 1}"
    assert member.post(f"{others}/remove", b"", SAME).status == 403
    assert member.post(f"{own.removesuffix('remove')}role", {"role": "owner"}, SAME).status == 403
    assert member.post("/account/people/invite", {"role": "owner"}, SAME).status == 403
    assert member.post("/account/people/withdraw", {"invitation": "0"}, SAME).status == 403
    assert member.post("/account/delete", {"password": PASSWORD}, SAME).status == 403
    _, token = made_key(member)
    program = Client(live.port, token)
    program.report("https://good.example/by-a-member")
    assert program.delete("/projects/good.example").status == 403
    assert program.put("/projects/good.example", {"not_for_search": "/x"}).status == 403
    _, token = made_key(client)
    assert Client(live.port, token).delete("/projects/good.example").status == 200


def test_roles_are_changed_and_the_last_owner_stays(live: Live) -> None:
    client = owner(live)
    member, _ = member_of(live, client)
    (path,) = links_to(client.get("/account/people"), r"/account/people/\d+/role")
    assert client.post(path, {"role": "admin"}, SAME).status == 422
    assert client.post(path, {"role": "owner"}, SAME).status == 303
    assert "Invite a person" in member.get("/account/people").text
    me = next(each for each in links_to(client.get("/account/people"), r"/account/people/\d+/role") if each != path)
    assert member.post(me, {"role": "member"}, SAME).status == 303
    last = member.post(path, {"role": "member"}, SAME)
    assert last.status == 422
    assert "An account needs an owner." in last.text
    assert member.post(path.replace("role", "remove"), b"", SAME).status == 422
    left = client.post(me.replace("role", "remove"), b"", SAME).headers["Location"]
    assert "You left the account and are signed out." in client.guest().get(left).text
    assert client.get("/account").status == 303
    for wrong in ("0", "x", "9" * 30, "١"):
        assert member.post(f"/account/people/{quote(wrong)}/remove", b"", SAME).status == 404


def test_an_invitation_is_withdrawn(live: Live) -> None:
    client = owner(live)
    path = link_in(client.post("/account/people/invite", {"role": "owner"}, SAME))
    (number,) = re.findall(r'name="invitation" value="([0-9a-f]{16})"', client.get("/account/people").text)
    assert client.post("/account/people/withdraw", {"invitation": number}, SAME).headers["Location"] == "/account/people?done=withdrawn"
    assert Client(live.port, prefix="").get(path).status == 410
    for fields, wrong in (({"role": "god"}, "role"), ({"role": "owner", "email": "no address"}, "email")):
        reply = client.post("/account/people/invite", fields, SAME)
        assert reply.status == 422
        assert f'id="{wrong}-wrong"' in reply.text


def test_the_account_is_deleted_with_the_password(live: Live) -> None:
    email = with_password(live)
    client = browser(live, email)
    _, token = made_key(client)
    report = Client(live.port, token).report("https://good.example/")
    member, _ = member_of(live, client)
    assert "1 other person loses it too." in client.get("/account/delete").text
    assert client.post("/account/delete", {"password": "a wrong one"}, SAME).status == 422
    after = client.post("/account/delete", {"password": PASSWORD}, SAME).headers["Location"]
    assert "Your account and everything in it are deleted." in client.get(after).text
    assert (client.get("/account").status, member.get("/account").status) == (303, 303)
    assert Client(live.port, prefix="").get(f"/r/{report['public_id']}").status == 404
    assert Client(live.port, token).get("/account").status == 401


# --- all pages --------------------------------------------------------------------------------------------------------


class Controls(HTMLParser):
    """Controls of a page without a label, ids that stand twice, and references that lead nowhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.controls: list[dict[str, str | None]] = []
        self.described: list[str] = []
        self.depth = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.depth += tag == "label"
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag == "label" and found.get("for"):
            self.labelled.add(str(found["for"]))
        if tag in ("input", "select", "textarea") and found.get("type") != "hidden" and "hidden" not in found and not self.depth:
            self.controls.append(found)
        self.described += (found.get("aria-describedby") or "").split()

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "label"


@pytest.mark.parametrize("path", [*PAGES, "/sign-in"])
def test_every_control_has_a_name_and_says_what_a_browser_may_fill_in(live: Live, path: str) -> None:
    client = owner(live)
    member_of(live, client)
    reply = Client(live.port, prefix="").get(path) if path == "/sign-in" else client.get(path)
    found = Controls(reply.text)
    assert len(found.ids) == len(set(found.ids))
    assert set(found.described) <= set(found.ids)
    for control in found.controls:
        assert control.get("id") in found.labelled
        assert "autocomplete" in control or control.get("type") == "file" or control.get("name") in CHOICES
    assert "<script>" not in reply.text
    assert " style=" not in reply.text


@pytest.mark.parametrize("path", PAGES[:4])
def test_the_bar_says_where_one_is(live: Live, path: str) -> None:
    text = owner(live).get(path).text
    assert '<a href="/account" aria-current="page">Account</a>' in text
    assert f'<a href="{path}" aria-current="page">' in text
    assert 'action="/sign-out"' in text
