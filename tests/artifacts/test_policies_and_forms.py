"""Headers that ask browsers for safety, cookies, forms, and addresses in the open."""

from typing import Any, TypeVar

import pytest

from findable.artifacts.page.emails import Emails
from findable.artifacts.page.forms import Forms
from findable.artifacts.page.response_cookies import Cookies
from findable.artifacts.page.security_headers import SecurityHeaders, is_nosniff, parse_hsts, parse_policies
from findable.artifacts.registry import Absent
from tests.checks.harness import artifacts, page

Made = TypeVar("Made")


def made(kind: type[Made], html: str = "", **given: Any) -> Made:
    found = artifacts(html or page(), **given).get(kind)
    assert not isinstance(found, Absent)
    return found


def test_cookie_attributes_are_read_in_any_case() -> None:
    lines = [
        ["Set-Cookie", "SESSID=…; path=/; SECURE; HttpOnly; samesite=Lax"],
        ["set-cookie", "csrf_token=…; Domain=.Example.com"],
        ["Set-Cookie", "old=…; Expires=Thu, 01-Jan-1970 00:00:00 GMT"],
        ["Set-Cookie", "gone=…; Max-Age=0; Expires=Fri, 01 Jan 2100 00:00:00 GMT"],
        ["Set-Cookie", "kept=…; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    ]
    session, token, old, gone, kept = made(Cookies, headers=lines).items

    assert (session.secure, session.http_only, session.same_site, session.looks_like_session) == (True, True, "lax", True)
    assert (token.secure, token.same_site, token.domain, token.looks_like_session) == (False, "", "example.com", False)
    assert [old.is_expired, gone.is_expired, kept.is_expired] == [True, True, False]


def test_values_of_cookies_are_never_shown() -> None:
    cookie = made(Cookies, headers=[["Set-Cookie", "id=s3cr3t; Path=/"]]).items[0]

    assert cookie.masked_line == "id=…; Path=/"


@pytest.mark.parametrize(
    ("policy", "limits"),
    [
        ("script-src 'self'", True),
        ("default-src 'none'", True),
        ("script-src 'unsafe-inline' 'nonce-abc' https:", True),
        ("script-src 'strict-dynamic' 'unsafe-inline'", True),
        ("script-src 'sha256-AAAA='", True),
        ("script-src 'self' 'unsafe-inline'", False),
        ("script-src *", False),
        ("script-src https:", False),
        ("frame-ancestors 'self'", False),
        ("upgrade-insecure-requests", False),
    ],
)
def test_a_policy_limits_scripts_or_does_not(policy: str, limits: bool) -> None:
    assert parse_policies(policy, enforced=True)[0].limits_scripts is limits


def test_policies_are_split_and_merged() -> None:
    found = made(
        SecurityHeaders,
        page(head='<meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests">'),
        headers=[
            ["Content-Security-Policy", "default-src 'self', frame-ancestors 'none'; frame-ancestors *"],
            ["Content-Security-Policy-Report-Only", "script-src 'none'"],
        ],
    )

    assert [policy.is_enforced for policy in found.policies] == [True, True, False, True]
    assert found.upgrades_insecure_requests
    assert found.frame_ancestors is not None
    assert found.frame_ancestors.directives["frame-ancestors"] == ("'none'",)


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("max-age=31536000; includeSubDomains; preload", 31536000),
        ('Max-Age="600"', 600),
        ("includeSubDomains;max-age = 5 ;", 5),
        ("max-age=0", 0),
        ("max-age=1; max-age=2", None),
        ("max-age", None),
        ("max-age=-1", None),
        ("", None),
    ],
)
def test_hsts_is_parsed_by_its_grammar(text: str, age: int | None) -> None:
    assert parse_hsts(text).max_age_s == age


def test_nosniff_in_any_case() -> None:
    assert [is_nosniff(value) for value in ("nosniff", "NoSniff, nosniff", "none", None)] == [True, True, False, False]


def test_the_last_valid_referrer_policy_counts_and_a_meta_replaces_it() -> None:
    headers = [["Referrer-Policy", "no-referrer, strict-origin, future-policy"]]

    assert made(SecurityHeaders, headers=headers).referrer_policy == "strict-origin"
    assert made(SecurityHeaders, page(head="<meta name=referrer content=ALWAYS>"), headers=headers).referrer_policy == "unsafe-url"
    assert made(SecurityHeaders).referrer_policy == ""


def test_forms_resolve_their_target() -> None:
    found = made(
        Forms,
        page(
            '<form></form><form action="/send" method=POST></form><form action="javascript:go()"></form><form method=dialog></form>'
            '<form action="http://other.example/"><input type=PASSWORD><button formaction="/x"></button></form>'
        ),
    )

    assert [form.url for form in found.items] == [
        "https://www.example.com/shop/blue-widgets",
        "https://www.example.com/send",
        None,
        None,
        "http://other.example/",
        "https://www.example.com/x",
    ]
    assert len(found.passwords) == 1


@pytest.mark.parametrize(
    ("body", "masked"),
    [
        ('<a href="mailto:Info@Shop-example.org?subject=Hi">Write</a>', ["I…@Shop-example.org"]),
        ("<p>Write to jane.doe+web@mail.firma-beispiel.de.</p>", ["j…@mail.firma-beispiel.de"]),
        ('<a href="mailto:a%40b.dev">a@b.dev</a><p>A@B.dev</p>', ["a…@b.dev"]),
        ('<img srcset="logo@2x.png 2x"><p>logo@2x.png, @import, @user@social.town, git@github.com:a/b.git, user (at) site.org</p>', []),
        ('<script type="application/ld+json">{"email":"a@b.dev"}</script><a href="https://user@b.dev/">x</a>', []),
        ('<a class="__cf_email__" data-cfemail="7c">[email&#160;protected]</a><p>you@example.com</p>', []),
    ],
)
def test_addresses_in_the_open_are_masked(body: str, masked: list[str]) -> None:
    assert [email.masked for email in made(Emails, page(body)).items] == masked


def test_an_address_in_text_is_located() -> None:
    email = made(Emails, page("<section><p>Mail: <b>a@b.dev</b></p></section>")).items[0]

    assert email.element is not None
    assert email.element.tag == "b"
