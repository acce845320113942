"""Signing in by a header of a trusted proxy, and everybody else who sends it."""

import http.client
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from findable.service.accounts import account_admin
from tests.web.live import Live, Reply, run_live

PROXY, SOMEBODY = "127.0.0.2", "127.0.0.1"
EMAIL, GROUPS = "X-Forwarded-Email", "X-Forwarded-Groups"
OWNER, ANN, BOB = "owner@example.com", "ann@example.com", "bob@example.com"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    settings: dict[str, Any] = {"trusted_proxies": (f"{PROXY}/32",), "sign_in_proxy": (EMAIL, GROUPS)}
    roles = ("seo-leads=owner", "seo=member")
    for live in run_live(tmp_path_factory.mktemp("proxied"), sign_in_roles=roles, sign_in_password=False, **settings):
        account_admin.create_account(live.service, OWNER)
        yield live


@dataclass
class Browser:
    """Connects from one IP address, with the headers that the proxy there adds, and keeps its session."""

    live: Live
    source: str
    added: Sequence[tuple[str, str]] = ()
    cookie: str = ""
    headers: list[tuple[str, str]] = field(default_factory=list)

    def request(self, path: str, method: str = "GET") -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.live.port, timeout=60, source_address=(self.source, 0))
        try:
            connection.putrequest(method, path)
            for name, value in (*self.added, *self.headers, *([("Cookie", self.cookie)] if self.cookie else [])):
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            reply = Reply(response.status, response.headers, response.read())
        finally:
            connection.close()
        for line in reply.headers.get_all("Set-Cookie") or ():
            self.cookie = line.partition(";")[0]
        return reply

    def followed(self, path: str) -> Reply:
        reply = self.request(path)
        while reply.status == 303:
            reply = self.request(reply.headers["Location"])
        return reply


def proxied(live: Live, email: str, groups: str = "seo") -> Browser:
    return Browser(live, PROXY, [(EMAIL, email), (GROUPS, groups)])


def test_who_comes_through_the_proxy_is_signed_in_on_the_first_page(live: Live) -> None:
    browser = proxied(live, "Ann@Example.com", "kitchen, seo-leads,seo")
    reply = browser.followed("/account/people")
    assert reply.status == 200
    assert ANN in reply.text
    assert "Invite" in reply.text
    fresh = proxied(live, ANN, "seo-leads")
    assert fresh.request("/").headers["Location"] == "/sign-in"
    assert "Sign out" in fresh.followed("/").text


def test_the_headers_count_only_from_the_proxy_itself(live: Live) -> None:
    proxied(live, ANN, "seo-leads").followed("/account")
    sent = [(EMAIL, ANN), (GROUPS, "seo-leads")]
    for more in ([], [("X-Forwarded-For", PROXY)], [("Forwarded", f"for={PROXY}")], [("X-Real-IP", PROXY)]):
        somebody = Browser(live, SOMEBODY, [*sent, *more])
        reply = somebody.followed("/account")
        assert "Set-Cookie" not in reply.headers
        assert "The proxy in front of this service signs you in." in reply.text


@pytest.mark.parametrize(
    "sent",
    [
        [(EMAIL, ANN), (EMAIL, BOB)],  # one of the client, one of the proxy
        [(EMAIL, ANN), (EMAIL.lower(), ANN)],
        [(EMAIL, ANN), (GROUPS, "seo"), (GROUPS, "seo-leads")],
        [("X_Forwarded_Email", ANN), (GROUPS, "seo")],
        [(EMAIL, ""), (GROUPS, "seo-leads")],
        [(EMAIL, "no address"), (GROUPS, "seo-leads")],
        [(EMAIL, f"{ANN}, {BOB}"), (GROUPS, "seo-leads")],
        [(GROUPS, "seo-leads")],
    ],
)
def test_headers_that_do_not_name_one_person_sign_nobody_in(live: Live, sent: list[tuple[str, str]]) -> None:
    reply = Browser(live, PROXY, sent).followed("/account")
    assert reply.status == 200
    assert "Set-Cookie" not in reply.headers
    assert "signs you in" in reply.text


def test_a_session_ends_where_the_proxy_names_somebody_else(live: Live) -> None:
    browser = proxied(live, ANN, "seo-leads")
    assert ANN in browser.followed("/account").text
    browser.added = [(EMAIL, BOB), (GROUPS, "seo")]
    assert browser.request("/account").status == 303
    assert BOB in browser.followed("/account").text
    by_link = live.signed_in(OWNER)
    assert by_link.get("/account").status == 200
    browser.cookie = f"findable={by_link.cookies['findable']}"
    assert OWNER not in browser.followed("/account").text


def test_who_has_no_role_is_told_so_and_loses_what_is_open(live: Live) -> None:
    browser = proxied(live, BOB)
    assert browser.followed("/account").status == 200
    refused = proxied(live, BOB, "kitchen").followed("/account")
    assert refused.status == 403
    assert "None of your groups may sign in here." in refused.text
    assert browser.request("/account").status == 303


def test_the_last_owner_stays_one_whatever_the_groups_say(live: Live) -> None:
    for email in (OWNER, ANN, BOB):
        proxied(live, email, "seo").followed("/account")
    roles = {person.email: person.role for _, person in account_admin.all_people(live.service)}
    assert sorted(roles.values()).count("owner") == 1


def test_the_headers_grant_nothing_in_the_interface(live: Live) -> None:
    assert proxied(live, ANN, "seo-leads").request("/api/v1/account").status == 401


def test_without_the_setting_the_headers_mean_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    for live in run_live(tmp_path_factory.mktemp("plain"), trusted_proxies=(f"{PROXY}/32",)):
        account_admin.create_account(live.service, ANN)
        reply = proxied(live, ANN, "seo-leads").followed("/account")
        assert 'name="password"' in reply.text
        assert "Set-Cookie" not in reply.headers
