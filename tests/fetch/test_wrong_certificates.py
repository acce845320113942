"""What is wrong with a certificate is a finding, and nothing that was meant for its owner is sent to whoever shows it: S16, S23."""

import ssl
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from findable.analyze import Options, report_page
from findable.capture.capture import Capture
from findable.capture.response import Failure
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.fetch.resolver import Resolver
from findable.reports.analysis import analyse
from tests.checks.harness import page
from tests.fetch.helpers import ask, not_seen, with_fetcher
from tests.fetch.test_handshakes import V, context, needs_old_versions
from tests.reports import report_json
from tests.safety.dns import name_server
from tests.sites.server import Page, Site, dynamic

MakeSite = Callable[..., Site]
NAME = "site.test"
"""Of the certificates good, expired and self_signed."""
SECRET = {"x-key", "cookie", "authorization"}


def identity_for(origin: str) -> Identity:
    return Identity(
        origin=origin, user_agent="Preview/1", headers=(("X-Key", "key-4711"),), cookies=(("id", "c"),), user_password=("u", "p")
    )


def findings_of(site: Site, name: str = NAME) -> dict[str, Any]:
    """What is found on the page of a site under that name, as if its address were a public one: private hosts are not judged by this."""
    with name_server(names={name: ["127.0.0.1"]}) as server:
        url = f"https://{name}:{site.port}/"

        async def make(fetcher: Fetcher) -> Capture:
            seen, _ = await report_page(url, fetcher, options=Options(identity=identity_for(url.rstrip("/"))))
            return seen

        seen = with_fetcher(make, guard=Guard(AllowedTarget.parse_all(f"{name}, 127.0.0.1")), resolver=Resolver([server.address]))
    hops = tuple(replace(hop, address="93.184.215.14") for hop in seen.page.response.hops)
    report = analyse(replace(seen, page=replace(seen.page, response=replace(seen.page.response, hops=hops))))
    return {row["id"]: row for row in report_json(report)["results"]}


def with_links(site: Site) -> None:
    """A page that names every kind of thing that is asked for besides."""
    body = '<a href="/a">a</a><img src="/p.png" alt="p" width="9" height="9">'
    site.page("/", page(head='<link rel="icon" href="/i.png"><link rel="canonical" href="/">', body=body))
    site.fallback(dynamic(lambda _request: Page(b"<!doctype html><p>x")))


@pytest.mark.parametrize(
    ("certificate", "words"), [("expired", ("expired",)), ("wrong_host", (NAME,)), ("self_signed", ("self-signed certificate",))]
)
def test_s16_s23_a_wrong_certificate_is_a_finding_and_its_host_gets_no_credentials(
    make_site: MakeSite, certificate: str, words: Sequence[str]
) -> None:
    site = make_site(certificate=certificate)
    with_links(site)
    finding = findings_of(site)["tls-certificate"]
    assert finding["verdict"] == "failed"
    assert all(word in str(finding) for word in words)
    # The page alone is asked for in spite of it, and without anything: neither robots.txt nor a link nor another try.
    assert [request.path for request in site.requests] == ["/"]
    assert not SECRET & set(site.requests[0].headers)
    assert "Preview" not in site.requests[0].headers["user-agent"]


def test_s23_an_extra_request_is_never_made_without_a_certificate(make_site: MakeSite) -> None:
    site = make_site(certificate="self_signed")
    assert ask(site.url(), identity=identity_for(site.base)).failure is Failure.TLS
    assert site.requests == []


def serving_by_name(good: str, *, otherwise: ssl.SSLContext | None) -> ssl.SSLContext:
    """A server with a certificate for one name; it shows another one to everybody else, or ends with an alert."""
    tls = context(V.TLSv1_2, V.TLSv1_3)

    def choose(connection: Any, name: str | None, _context: ssl.SSLContext) -> int | None:
        if name == good:
            return None
        if otherwise is None:
            return int(ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME)
        connection.context = otherwise
        return None

    tls.sni_callback = choose
    return tls


def test_s23_the_name_in_the_address_is_the_name_that_is_asked_for(make_site: MakeSite) -> None:
    site = make_site(tls=serving_by_name(NAME, otherwise=context(V.TLSv1_2, V.TLSv1_3, certificate="wrong_host")))
    with_links(site)
    assert findings_of(site)["tls-certificate"]["verdict"] == "passed"
    assert set(site.asked("/")[0].headers) >= SECRET


def test_s23_a_server_that_shows_the_certificate_of_another_name(make_site: MakeSite) -> None:
    site = make_site(tls=serving_by_name("known.test", otherwise=context(V.TLSv1_2, V.TLSv1_3, certificate="wrong_host")))
    with_links(site)
    finding = findings_of(site)["tls-certificate"]
    assert finding["verdict"] == "failed"
    assert NAME in str(finding)
    assert all(not SECRET & set(request.headers) for request in site.requests)


def require_told_nothing(site: Site) -> None:
    reason = not_seen(site.url(), identity=identity_for(site.base), deadline_s=10)
    assert (reason.code, reason.error.phase) == ("tls_failed", "tls")
    assert site.requests == []


def test_s23_a_server_that_refuses_the_name_is_told_nothing(make_site: MakeSite) -> None:
    site = make_site(tls=serving_by_name("known.test", otherwise=None))
    require_told_nothing(site)


@needs_old_versions
def test_s23_a_server_of_old_versions_alone_is_told_nothing(make_site: MakeSite) -> None:
    site = make_site(tls=context(V.TLSv1, V.TLSv1))
    require_told_nothing(site)


@needs_old_versions
def test_s23_old_versions_beside_new_ones_are_a_finding(make_site: MakeSite) -> None:
    site = make_site(tls=context(V.TLSv1, V.TLSv1_3))
    with_links(site)
    finding = findings_of(site)["tls-version"]
    assert finding["verdict"] == "failed"
    assert "TLS 1.0" in str(finding)


def test_s23_a_host_with_the_certificate_of_another_gets_no_credentials(make_site: MakeSite) -> None:
    site = make_site(certificate="good")
    with_links(site)
    finding = findings_of(site, "elsewhere.test")["tls-certificate"]
    assert finding["verdict"] == "failed"
    assert "elsewhere.test" in str(finding)
    assert all(not SECRET & set(request.headers) for request in site.requests)


@pytest.mark.parametrize(
    "url",
    [
        "http://site.example/",  # no longer encrypted
        "https://site.example:8443/",
        "https://www.site.example/",
        "https://site.example.evil.example/",
        "https://site.example./",
        "https://evil.example/https://site.example/",
        "https://evil.example#@site.example/",
    ],
)
def test_s16_what_goes_along_goes_to_one_origin(url: str) -> None:
    identity = identity_for("https://site.example")
    assert {name.lower() for name, _ in identity.lines_for("https://SITE.example:443/a?b")} == SECRET
    assert identity.lines_for(url) == ()
    assert identity.agent_for(url) is None
