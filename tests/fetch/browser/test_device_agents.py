"""How visits introduce themselves: as Chrome on a phone, for the desktop screenshot as Chrome on a desktop, always with Findable's name."""

import io
from collections.abc import Iterator

import pytest
from PIL import Image

from findable import __version__
from findable.capture.browser_options import BrowserOptions
from findable.capture.devices import DESKTOP, PHONE
from findable.capture.rendering import Rendering
from findable.fetch.browser import page_visit
from findable.fetch.browser.browser_program import configured_browser
from findable.fetch.browser.device_agents import user_agent_override
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.settings import Settings
from tests.browser import needs_chromium
from tests.fetch.browser.visiting import PATIENCE_S, in_pool, installed
from tests.sites.server import Page, Request, Site, Wire, answer_bytes

EVERYWHERE = Guard(AllowedTarget.parse_all("127.0.0.0/8"))
CONTACT = "https://www.example.com/who-we-are?a=b"
OURS = f"(compatible; Findable/{__version__}; +{CONTACT})"
READ = """navigator.userAgent + '|' + navigator.platform + '|' + navigator.userAgentData?.mobile + '|'
+ (navigator.userAgentData?.brands ?? []).map(one => one.brand).join()"""
PAGE = f"""<!doctype html><meta name=viewport content="width=device-width"><title>Tea</title><link rel=stylesheet href=/a.css><p id=own></p>
<p id=foreign></p><p id=worker></p><p id=shared></p><img src=/a.png><img src=%(other)s/b.png><iframe src=/frame></iframe>
<script src=/a.js></script><script>let left = 4; fetch('/data.json');
const read = (place, text) => {{ place.textContent = text; if (!--left) document.body.append(document.createElement('hr')) }};
read(own, {READ}); onmessage = (event) => read(foreign, event.data);
new Worker('/worker.js').onmessage = (event) => read(worker, event.data);
const port = new SharedWorker('/shared.js').port; port.onmessage = (event) => read(shared, event.data); port.start()</script>
<iframe src=%(other)s/frame></iframe>"""
"""The frame of another site comes last, since its message must not arrive before somebody listens."""


@pytest.fixture
def other() -> Iterator[Site]:
    """A site on another address."""
    found = Site(host="127.0.0.2").start()
    found.fallback(Page(b"x", headers=(("Access-Control-Allow-Origin", "*"),)))
    yield found
    found.stop()


def visit(url: str, wait_for: str = "") -> Rendering:
    program = configured_browser(Settings(user_agent_contact=CONTACT)) or installed()
    found: Rendering = in_pool(
        lambda pool: pool.visit(VisitOrder(url, deadline_s=PATIENCE_S, axe=False, options=BrowserOptions(wait_for=wait_for))),
        EVERYWHERE,
        program=program,
    )
    return found


def _texts(html: str, *names: str) -> list[list[str]]:
    return [html.partition(f'<p id="{name}">')[2].partition("</p>")[0].split("|") for name in names]


@pytest.mark.full
@needs_chromium
def test_servers_and_scripts_see_one_phone_with_our_name(site: Site, other: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_visit, "WAIT_FOR_S", PATIENCE_S)
    site.fallback(Page(b"x"))
    site.page("/worker.js", f"postMessage({READ}); fetch('/of-worker.json')", content_type="text/javascript")
    site.page("/shared.js", f"onconnect = (event) => event.ports[0].postMessage({READ})", content_type="text/javascript")
    site.page("/frame", "<!doctype html><p>frame")
    other.page("/frame", f"<!doctype html><script>parent.postMessage({READ}, '*')</script>")
    seen = visit(site.page("/", PAGE % {"other": other.base}), "hr")

    assert seen.selector_came
    asked = (*site.requests, *other.requests)
    assert {"/a.css", "/a.js", "/a.png", "/b.png", "/data.json", "/worker.js", "/of-worker.json", "/shared.js"} <= {
        one.path for one in asked
    }
    for request in asked:
        agent = request.headers["user-agent"]
        assert agent.endswith(OURS), (request.path, agent)
        assert "Headless" not in str(request.headers), request.path
    first, last = site.asked("/")
    assert " Mobile Safari/537.36 (" in first.headers["user-agent"]
    assert "Android" in first.headers["user-agent"]
    assert not {"Mobile", "Android"} & set(last.headers["user-agent"].replace(";", " ").split())
    for request, mobile, system in ((first, "?1", '"Android"'), (last, "?0", '"Linux"')):
        assert request.headers["sec-ch-ua-mobile"] == mobile
        assert request.headers["sec-ch-ua-platform"] == system
        assert '"Findable";v=' in request.headers["sec-ch-ua"]
    *phones, shared = _texts(seen.html, "own", "foreign", "worker", "shared")
    for read, platform in zip(
        phones, ("Linux armv81", "Linux armv81", "Linux x86_64"), strict=True
    ):  # Chromium does not emulate a worker's
        assert read == [first.headers["user-agent"], platform, "true", "Chromium,Findable"]
    assert shared[0] == f"Mozilla/5.0 {OURS}", "Chromium emulates no device for shared workers"


@needs_chromium
def test_a_site_that_serves_phones_another_page_is_seen_with_both(site: Site) -> None:
    async def serve(request: Request, wire: Wire) -> None:
        colour, device = ("red", "phone") if "Mobile" in request.headers["user-agent"] else ("blue", "desktop")
        body = f"<!doctype html><meta name=viewport content='width=device-width'><title>{device}</title><body style='background:{colour}'>"
        await wire.send(answer_bytes(Page(body.encode(), headers=(("Content-Type", "text/html"), ("Vary", "User-Agent")))))

    site.handler("/", serve)
    seen = visit(site.url("/"))
    assert "<title>phone" in seen.html
    pixels = {shot.device: Image.open(io.BytesIO(shot.data)).convert("RGB").resize((1, 1)).tobytes() for shot in seen.screenshots}
    assert {device: pixel.index(max(pixel)) for device, pixel in pixels.items()} == {PHONE.name: 0, DESKTOP.name: 2}
    assert [request.url for request in seen.requests] == [site.url("/")], "the desktop load is not one of the phone's requests"


@pytest.mark.full
@needs_chromium
def test_a_page_whose_desktop_version_hangs_is_seen_on_a_phone(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.fetch.browser.page_visit.DESKTOP_S", 4.0)

    async def serve(request: Request, wire: Wire) -> None:
        if "Mobile" in request.headers["user-agent"]:
            await wire.send(answer_bytes(Page(b"<!doctype html><title>phone</title>", headers=(("Content-Type", "text/html"),))))
        else:
            await wire.reader.read()

    site.handler("/", serve)
    seen = visit(site.url("/"))
    assert not seen.failure
    assert "<title>phone" in seen.html
    assert [shot.device for shot in seen.screenshots] == [PHONE.name]


def test_user_agent_and_client_hints_agree() -> None:
    for device, is_phone in ((PHONE, True), (DESKTOP, False)):
        told = user_agent_override(device, "HeadlessChrome/156.0.8078.79", CONTACT)
        agent, hints = str(told["userAgent"]), told["userAgentMetadata"]
        assert isinstance(hints, dict)
        assert agent.endswith(OURS)
        assert "Chrome/156.0.0.0" in agent
        assert hints["brands"][0] == {"brand": "Chromium", "version": "156"}
        assert hints["fullVersionList"][0]["version"] == "156.0.8078.79"
        assert ("Mobile" in agent, "Android" in agent, hints["mobile"], hints["platform"] == "Android") == (is_phone,) * 4
