"""Options of visits: hosts not loaded, elements waited for, and what a project sends to its one origin."""

from collections.abc import Iterator

import pytest

from findable.artifacts.tables.tag_hosts import COUNTING_HOSTS, serves_tags
from findable.capture.browser_options import BrowserOptions, covers
from findable.capture.redaction import mask_secrets_in_value
from findable.capture.rendering import Rendering, WithheldReason
from findable.fetch.browser import page_visit
from findable.fetch.browser.proxy_heads import remove_cookies
from findable.fetch.browser.request_rules import RequestRules, limit_to_page
from findable.fetch.browser.typed_options import read_hosts, selector_problem
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.identity import NOBODY, Identity
from findable.formats.robots_txt import RobotsTxt
from tests.browser import needs_chromium
from tests.fetch.browser.visiting import in_pool
from tests.safety.browser_attack_pages import attack_page, service_worker
from tests.sites.server import Page, Site

EVERYWHERE = Guard(AllowedTarget.parse_all("127.0.0.0/8"))
SECRET = "s3cret-of-the-project"


@pytest.fixture
def other() -> Iterator[Site]:
    """A site on another address; it lets scripts of any origin read it."""
    found = Site(host="127.0.0.2").start()
    found.fallback(Page(b"x", headers=(("Access-Control-Allow-Origin", "*"),)))
    yield found
    found.stop()


def visit(url: str, options: BrowserOptions = BrowserOptions(), identity: Identity = NOBODY) -> Rendering:  # noqa: B008 - immutable
    order = VisitOrder(url, axe=False, screenshots=False, options=options, identity=identity)
    found: Rendering = in_pool(lambda pool: pool.visit(order), EVERYWHERE)
    return found


@needs_chromium
def test_no_way_of_a_page_leads_to_a_host_that_is_not_loaded(site: Site, other: Site) -> None:
    site.page("/", attack_page(f"127.0.0.2:{other.port}") + f"<script src=http://127.0.0.2:{other.port}/analytics.js></script>")
    site.redirect("/redirect", other.url("/redirected"))
    site.page("/service-worker.js", service_worker(f"127.0.0.2:{other.port}"), content_type="text/javascript")
    seen = visit(site.url("/"), BrowserOptions(blocked_hosts=("127.0.0.2", "127.0.0.1")))
    assert other.connections_count == 0
    assert seen.options.blocked_hosts == ("127.0.0.2",), "the page's own host is loaded"
    reasons = {request.withheld for request in seen.requests if request.url.startswith(other.base)}
    assert reasons == {WithheldReason.HOST}
    assert not [line for line in seen.console if not line.uncaught and line.url.startswith(other.base)]
    assert "<title>attack" in seen.html


@needs_chromium
def test_hosts_that_count_visitors_are_loaded_only_if_asked_for(site: Site) -> None:
    counted = "https://www.google-analytics.com", "http://shop.example"  # browsers ask the former over https even if told http
    counters = "".join(f"<script src={origin}/count.js></script>" for origin in counted)
    site.page("/", f"<title>t</title>{counters}<script>gtag('page')</script>")

    def reasons(options: BrowserOptions) -> list[WithheldReason]:
        return [one.withheld for one in visit(site.url("/"), options).requests if one.kind == "script"]

    assert reasons(BrowserOptions()) == [WithheldReason.HOST, WithheldReason.NOT]
    assert reasons(BrowserOptions(load_trackers=True)) == [WithheldReason.NOT, WithheldReason.NOT]


def test_hosts_that_serve_what_search_engines_judge_are_not_counters() -> None:
    served = {"google.com", "googletagmanager.com", "facebook.com", "optimizely.com", "typekit.net", "cookiebot.com", "static.zdassets.com"}
    assert not [one for host in served for one in COUNTING_HOSTS if covers((one,), host)]
    assert all(serves_tags(host) for host in COUNTING_HOSTS)


def test_hosts_that_are_not_loaded_only_take_away() -> None:
    guard = Guard(AllowedTarget.parse_all("10.0.0.1, 127.0.0.1"), deny_hosts=("denied.example",))
    denying = guard.denying(("Analytics.example", "10.0.0.1"))
    for url in (
        "https://a.example/",
        "https://denied.example/",
        "http://10.0.0.1/",
        "http://10.0.0.2/",
        "ftp://a.example/",
        "http://127.0.0.1/",
    ):
        assert guard.check_url(url) is None or denying.check_url(url) is not None, url
    assert denying.check_url("https://cdn.analytics.example/") is not None
    assert denying.check_url("http://10.0.0.1/") is not None
    assert guard.check_url("https://cdn.analytics.example/") is None


@needs_chromium
def test_an_element_is_waited_for_and_its_absence_is_said(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_visit, "WAIT_FOR_S", 4.0)
    late = "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<ul class=list><li>Tea'), 2500)"
    site.page("/", f"<!doctype html><title>Tea</title><script>{late}</script>")
    without, waited = visit(site.url("/")), visit(site.url("/"), BrowserOptions(wait_for="ul.list > li"))
    monkeypatch.setattr(page_visit, "WAIT_FOR_S", 0.2)
    never, wrong = visit(site.url("/"), BrowserOptions(wait_for=".never")), visit(site.url("/"), BrowserOptions(wait_for="li["))
    assert [one.selector_came for one in (without, waited, never, wrong)] == [None, True, False, False]
    assert ['class="list"' in one.html for one in (without, waited)] == [False, True]
    assert not never.failure


def _identity(site: Site) -> Identity:
    return Identity(
        origin=site.base,
        user_agent="Staging/7.0 (our own)",
        headers=(("X-Preview", SECRET),),
        user_password=("tea", "pa55-word"),
        cookies=(("preview", SECRET),),
    )


AGENTS = """<!doctype html><title>agents</title><p id=own></p><p id=worker></p><p id=foreign></p><iframe src=%s/frame></iframe><script>
own.textContent = navigator.userAgent; onmessage = (event) => { foreign.textContent = event.data };
new Worker('/worker.js').onmessage = (event) => { worker.textContent = event.data }</script>"""


@pytest.mark.full
@needs_chromium
def test_scripts_of_the_origin_read_the_user_agent_that_its_server_gets(site: Site, other: Site) -> None:
    site.page("/worker.js", "postMessage(navigator.userAgent)", content_type="text/javascript")
    other.page("/frame", "<!doctype html><script>parent.postMessage(navigator.userAgent, '*')</script>")
    url = site.page("/", AGENTS % other.base)
    read = []
    for identity in (NOBODY, Identity(origin=site.base, user_agent="Staging/7.0 (our own)")):
        html = visit(url, identity=identity).html
        read.append([html.partition(f'<p id="{name}">')[2].partition("</p>")[0] for name in ("own", "worker", "foreign")])
    sent = [request.headers["user-agent"] for request in site.asked("/")]
    default = other.asked("/frame")[0].headers["user-agent"]
    assert sent == [default, "Staging/7.0 (our own)"]
    assert read == [[default] * 3, [sent[1], sent[1], default]]


GATED = """<!doctype html><title>inside</title><p id=cookies></p><p id=echo>%s</p><img src=/own.png><img src=%s/image.png>
<img src=/moved.png><script src=%s/script.js></script><link rel=stylesheet href=%s/style.css>
<script>document.querySelector('#cookies').textContent = `[${document.cookie}]`; console.log('%s');
fetch('/data.json'); fetch('%s/data.json'); fetch('%s/data.json', { credentials: 'include' }).catch(() => 0);
new Worker('/worker.js')</script>"""


@pytest.mark.parametrize("where", ["port", "host"])
@needs_chromium
def test_s16_what_a_project_sends_goes_to_its_one_origin_alone(site: Site, other: Site, where: str) -> None:
    foreign = other if where == "host" else Site().start()
    foreign.fallback(Page(b"x", headers=(("Access-Control-Allow-Origin", "*"),)))
    base = foreign.base
    site.page("/", GATED % (SECRET, base, base, base, SECRET, base, base))
    site.redirect("/moved.png", f"{base}/moved.png")
    site.page("/worker.js", f"fetch('/of-worker.json'); fetch('{base}/of-worker.json')", content_type="text/javascript")
    seen = visit(site.url("/"), identity=_identity(site))
    own = {request.path: request.headers for request in site.requests}
    assert {"/", "/own.png", "/moved.png", "/data.json"} <= own.keys()
    for path in ("/", "/own.png", "/data.json"):
        headers = own[path]
        assert headers["x-preview"] == SECRET, path
        assert headers["authorization"].startswith("Basic "), path
        assert f"preview={SECRET}" in headers["cookie"], path
        assert headers["user-agent"] == "Staging/7.0 (our own)", path
    paths = {request.path for request in foreign.requests}
    assert {"/image.png", "/script.js", "/style.css", "/moved.png", "/data.json"} <= paths
    for request in foreign.requests:
        assert not {"x-preview", "authorization"} & request.headers.keys(), request.path
        assert "preview=" not in request.headers.get("cookie", ""), request.path
        assert "Staging" not in request.headers["user-agent"], request.path
    assert seen.sent_credentials
    assert '<p id="cookies">[]</p>' in seen.html, "scripts of other sites do not read the cookies"
    redacted = mask_secrets_in_value(seen, _identity(site).secrets, site.url("/"))
    assert SECRET in seen.html
    assert SECRET not in redacted.html
    assert not [line for line in redacted.console if SECRET in line.text]
    if where == "port":
        foreign.stop()


@needs_chromium
def test_an_identity_of_another_origin_is_not_sent(site: Site, other: Site) -> None:
    site.page("/", f"<!doctype html><title>Tea</title><img src={other.base}/image.png>")
    seen = visit(site.url("/"), identity=_identity(other))
    assert not seen.sent_credentials
    for request in (*site.requests, *other.requests):
        assert not {"x-preview", "authorization", "cookie"} & request.headers.keys()


def test_rules_leave_requests_alone_that_need_nothing() -> None:
    rules = RequestRules("https://shop.example/")
    assert not rules.intercepts
    assert rules.headers("https://shop.example/a", {"Accept": "*/*"}) is None
    robots = RobotsTxt.parse(b"User-agent: Googlebot\nDisallow: /api/")
    rules = RequestRules("https://shop.example/api/page", robots)
    assert rules.intercepts
    assert rules.withheld("https://shop.example/api/a.json", is_page=False) is WithheldReason.ROBOTS
    assert rules.withheld("https://shop.example/api/page", is_page=True) is WithheldReason.NOT
    assert rules.withheld("https://other.example/api/a.json", is_page=False) is WithheldReason.NOT
    assert rules.withheld("https://shop.example/a.css", is_page=False) is WithheldReason.NOT


def test_headers_that_a_redirect_takes_along_are_removed() -> None:
    identity = Identity("https://shop.example", headers=(("X-Preview", "abc"), ("Cookie", "a=b; c=d")), cookies=(("e", "f"),))
    rules = RequestRules("https://shop.example/", identity=identity)
    assert rules.cookies == (("e", "f"), ("a", "b"), ("c", "d"))
    assert rules.headers("https://shop.example/a", {"Accept": "*/*", "x-preview": "no"}) == (("Accept", "*/*"), ("X-Preview", "abc"))
    assert rules.headers("https://other.example/", {"Accept": "*/*", "x-preview": "abc"}) == (("Accept", "*/*"),)
    assert rules.headers("https://other.example/", {"Accept": "*/*"}) is None
    assert limit_to_page(identity, "https://shop.example:444/") is NOBODY
    assert limit_to_page(identity, "http://shop.example/") is NOBODY


def test_cookies_of_one_origin_are_cut_from_a_head() -> None:
    head = b"GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1; preview=x; b=2\r\nAccept: */*\r\n\r\n"
    assert remove_cookies(head, ("preview",)) == b"GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1; b=2\r\nAccept: */*\r\n\r\n"
    assert remove_cookies(b"GET / HTTP/1.1\r\nHost: a\r\ncookie: preview=x\r\n\r\n", ("preview",)) == b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize(
    "text", ["https://a.example", "a.example/path", "*.a.example", "a b", "a.example:80", "u@a.example", "-" * 300, ".."]
)
def test_what_is_no_host_is_refused(text: str) -> None:
    assert read_hosts([text])[1]


def test_hosts_are_read_as_urls_have_them() -> None:
    assert read_hosts([" Analytics.Example ", "", "analytics.example", "bücher.example"]) == (
        ("analytics.example", "xn--bcher-kva.example"),
        [],
    )
    assert "pages of this project" in read_hosts(["example.com"], "www.example.com")[1][0]
    assert read_hosts(["cdn.example.com"], "example.com") == (("cdn.example.com",), [])
    assert "At most 50" in read_hosts([f"a{number}.example" for number in range(51)])[1][0]


def test_selectors_are_checked() -> None:
    assert [bool(selector_problem(text)) for text in ("", ".list > li", "li[", "a" * 201, "a\nb")] == [False, False, True, True, True]
