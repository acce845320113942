"""Consent layers: those of known services are answered, nothing else is clicked."""

import asyncio
from collections.abc import Mapping

import msgspec
import pytest

from findable.artifacts.tables.consent_services import CONSENT_SERVICES, DATED, ConsentService
from findable.capture.browser_options import BrowserOptions
from findable.capture.rendering import ConsentChoice, Rendering
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.visit_order import VisitOrder
from tests.browser import needs_chromium
from tests.fetch.browser.visiting import in_pool
from tests.sites.server import Site

pytestmark = needs_chromium
DISMISS = BrowserOptions(dismiss_consent=True)
PAGE = """<!doctype html><html lang=en><title>Tea</title><style>.layer { position: fixed; inset: auto 0 0; height: 300px; background: #eee }</style>
<h1>Tea</h1><p>We sell tea.</p><script>
const clicked = [];
addEventListener('click', (event) => { clicked.push(event.composedPath()[0].id || event.composedPath()[0].className); document.title = clicked.join() }, true);
</script>%s"""
BUILDER = """<script>
// Elements of a selector, one within the other; ">>>" is a shadow root.
function built(selector, parent) {
  for (const part of selector.split(', ')[0].split(' ')) {
    if (part === '>>>') { parent = parent.shadowRoot || parent.attachShadow({ mode: 'open' }); continue; }
    const found = parent.querySelector(part);
    if (found) { parent = found; continue; }
    const element = document.createElement(/^[a-z]+/.exec(part)?.[0] || 'div');
    for (const [, id] of part.matchAll(/#([\\w-]+)/g)) element.id = id;
    for (const [, name] of part.matchAll(/\\.([\\w-]+)/g)) element.classList.add(name);
    for (const [, name, value] of part.matchAll(/\\[([\\w-]+)\\^?=?([\\w-]*)\\]/g)) element.setAttribute(name, value);
    parent.append(element); parent = element;
  }
  return parent;
}
setTimeout(() => {
  const service = %s, inner = document.body;
  const layer = built(service.layer, document.body);
  layer.style = 'position: fixed; inset: auto 0 0; height: 300px; background: #eee';
  for (const selector of [...(service.reject || []), ...service.accept]) {
    const within = ((selector + ' ').startsWith(service.layer.split(', ')[0] + ' ') ? document.body : layer);
    const button = built(selector, within);
    button.textContent = 'Button';
    button.style = 'display: inline-block; width: 100px; height: 40px';
    button.onclick = () => layer.remove();
  }
}, 200);
</script>"""


def visited(pages: Mapping[str, str], options: BrowserOptions = DISMISS) -> dict[str, Rendering]:
    """The renderings of these pages of one site."""
    site = Site().start()
    try:
        for path, html in pages.items():
            site.page(path, html)

        async def visit_all(pool: BrowserPool) -> list[Rendering]:
            orders = [VisitOrder(site.url(path), axe=False, screenshots=False, options=options) for path in pages if path.endswith("/")]
            return list(await asyncio.gather(*map(pool.visit, orders)))

        found: list[Rendering] = in_pool(visit_all, concurrency=3)
        return dict(zip([path for path in pages if path.endswith("/")], found, strict=True))
    finally:
        site.stop()


def answers(found: Mapping[str, Rendering]) -> dict[str, tuple[str, ConsentChoice, str, bool] | None]:
    return {path: msgspec.structs.astuple(one.dismissed) if one.dismissed else None for path, one in found.items()}


def titles(found: Mapping[str, Rendering]) -> dict[str, str]:
    return {path: one.html.partition("<title>")[2].partition("</title>")[0] for path, one in found.items()}


def _page(body: str) -> str:
    return PAGE % body


LAYER = '<div id="onetrust-banner-sdk" class=layer><p>We value your privacy.</p>%s</div>'
GOES = "onclick=\"document.querySelector('.layer').remove()\""


@pytest.mark.full
def test_refusal_is_preferred_to_consent_and_to_calls_that_refuse() -> None:
    accept, reject = (
        f'<button id="onetrust-accept-btn-handler" {GOES}>Yes</button>',
        f'<button id="onetrust-reject-all-handler" {GOES}>No</button>',
    )
    call = "<script>globalThis.OneTrust = { RejectAll() { document.querySelector('.layer').remove(); document.title = 'called' } }</script>"
    found = visited(
        {
            "/both/": _page(LAYER % (accept + reject) + call),
            "/call/": _page(LAYER % accept + call),
            "/accept/": _page(LAYER % accept),
            "/hidden/": _page(LAYER % (f"<div hidden>{reject}</div>" + accept)),
            "/stays/": _page(LAYER % '<button id="onetrust-reject-all-handler">No</button>'),
        }
    )
    refused, accepted = ConsentChoice.REFUSED, ConsentChoice.ACCEPTED
    assert answers(found) == {
        "/both/": ("OneTrust", refused, "#onetrust-reject-all-handler", True),
        "/call/": ("OneTrust", refused, "OneTrust.RejectAll()", True),
        "/accept/": ("OneTrust", accepted, "#onetrust-accept-btn-handler", True),
        "/hidden/": ("OneTrust", accepted, "#onetrust-accept-btn-handler", True),
        "/stays/": ("OneTrust", refused, "#onetrust-reject-all-handler", False),
    }
    assert titles(found)["/call/"] == "called"
    assert not found["/both/"].layers
    assert [layer.selector for layer in found["/stays/"].layers] == ["div#onetrust-banner-sdk"]


NOT_TO_BE_CLICKED = {
    "/newsletter/": '<div id=newsletter class=layer><p>Get 10 % off</p><input type=email><button id=accept class="accept cm-btn-success">Subscribe</button></div>',
    "/login/": '<div class="layer login"><form action=/in><input name=user><button id="onetrust-accept-btn-handler">Sign in</button></form></div>',
    "/cart/": '<div class="layer cart"><button id=accept class="cookie-cart cc-allow">Order 20 cookies</button></div>',
    "/age/": '<div class="layer age-gate"><p>Are you 18?</p><button id=accept class="iubenda-cs-accept-btn">Yes</button></div>',
    "/link/": LAYER % '<a id="onetrust-reject-all-handler" href="/left">Privacy</a>',
    "/form/": LAYER % '<form action=/left><button id="onetrust-reject-all-handler">Send</button></form>',
    "/unknown/": "<div id=my-cookie-bar class=layer><p>Cookies</p><button id=ok class=accept>Accept all</button></div>",
}


def test_nothing_but_buttons_of_known_consent_layers_is_clicked() -> None:
    found = visited({path: _page(body) for path, body in NOT_TO_BE_CLICKED.items()})
    assert answers(found) == dict.fromkeys(NOT_TO_BE_CLICKED)
    assert titles(found) == dict.fromkeys(NOT_TO_BE_CLICKED, "Tea")
    assert all(one.final_url.endswith(path) for path, one in found.items())
    assert [layer.selector for layer in found["/unknown/"].layers] == ["div#my-cookie-bar"]


def test_without_the_option_layers_are_left() -> None:
    page = _page(LAYER % f'<button id="onetrust-reject-all-handler" {GOES}>No</button>')
    found = visited({"/": page}, BrowserOptions())
    assert answers(found) == {"/": None}
    assert [layer.selector for layer in found["/"].layers] == ["div#onetrust-banner-sdk"]


def test_buttons_in_the_frame_of_a_service_are_clicked() -> None:
    inner = (
        "<!doctype html><div class=message-container><button class='message-button sp_choice_type_11'>Yes</button>"
        "<button class='message-button sp_choice_type_13' onclick='parent.postMessage(1)'>No</button></div>"
    )
    outer = _page(
        "<iframe id=sp_message_iframe_1 src=/frame class=layer></iframe><script>onmessage = () => document.querySelector('iframe').remove()</script>"
    )
    found = visited({"/": outer, "/frame": inner})
    assert answers(found) == {"/": ("Sourcepoint", ConsentChoice.REFUSED, "button.sp_choice_type_13", True)}


def _whole(service: ConsentService) -> str:
    return PAGE % (BUILDER % msgspec.json.encode(service).decode())


@pytest.mark.full
def test_the_layer_of_each_service_is_dismissed_by_its_first_button() -> None:
    services = [service for service in CONSENT_SERVICES if not service.frame]
    found = visited({f"/{place}/": _whole(service) for place, service in enumerate(services)})
    expected = {f"/{place}/": (service.name, ConsentChoice.REFUSED, service.reject[0], True) for place, service in enumerate(services)}
    assert answers(found) == expected


def test_the_table_of_services_is_dated_and_names_its_sources() -> None:
    assert DATED >= "2026-11-23"
    assert {"OneTrust", "Cookiebot", "Usercentrics", "Didomi", "TrustArc", "Sourcepoint", "CookieYes"} <= {
        one.name for one in CONSENT_SERVICES
    }
    for service in CONSENT_SERVICES:
        assert service.source.startswith("https://"), service.name
        assert service.reject, service.name
        assert service.accept, service.name
        assert '"' not in service.frame + service.layer, service.name
