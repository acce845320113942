"""What the scripts in the page collect, judged by the checks that need a browser: each both ways."""

from collections.abc import Mapping
from io import BytesIO

import pytest
from PIL import Image

from findable.artifacts.html.document import Document
from findable.capture.devices import DESKTOP, PHONE
from findable.capture.rendering import Readiness, Rendering, RenderingFailure
from findable.vocabulary import Verdict
from tests.browser import needs_chromium
from tests.checks.harness import finding
from tests.fetch.browser.visiting import visits
from tests.sites.server import Site

pytestmark = needs_chromium

HEAD = "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width, initial-scale=1'><title>A page</title>"
WORDS = "We sell green tea and cups from many countries, and ship them. "
GOOD = f"""{HEAD}<style>body{{font:16px sans-serif;margin:8px}} .bar{{position:fixed;bottom:0;left:0;right:0;height:60px;background:#eee}}
.behind{{position:fixed;inset:0;z-index:-1;background:#fafafa}} .glass{{position:fixed;inset:0;pointer-events:none}}
.skip{{position:absolute;left:-999px}} nav a{{display:inline-block;padding:16px}}</style></head><body><div class=behind></div><div class=glass></div>
<a class=skip href=#main>Skip</a><nav><a href=/a>First</a><a href=/b>Second</a></nav><main id=main><h1>Tea</h1>
<p>{WORDS * 5} Read <a href=/c>more</a>, <a href=/d>or</a> <a href=/e>less</a>.</p><p style="font-size:10px">Small print.</p>
<img src=/small.png width=200 height=200 alt="A cup"><label style="display:block;padding:12px"><input type=checkbox> Yes</label></main>
<div class=bar>We use cookies. <button style="padding:14px">Fine</button></div></body></html>"""
BAD = f"""<!doctype html><html><head><meta charset=utf-8><meta name=viewport content='width=device-width, initial-scale=1'><title>A page</title>
<style>.wall{{position:fixed;inset:10% 5%;background:#fff;border:1px solid}} p{{font-size:9px}} nav{{line-height:10px;font-size:10px}} nav a{{display:inline-block;width:12px;height:12px}}</style>
</head><body><div class=wall><h2>Subscribe!</h2><button>No</button></div><nav><a href=/a>1</a><a href=/b>2</a><a href=/c>3</a><a href=/d>4</a></nav>
<p>{WORDS * 5}</p><img src=/large.png width=100 height=100><div style="width:900px;height:10px;background:#000"></div>
<script>unknownFunction()</script></body></html>"""
HIDING = """children childNodes closest contains matches id localName nodeType parentElement parentNode shadowRoot assignedSlot disabled labels
getBoundingClientRect checkVisibility childElementCount attributes ownerDocument"""
"""Names of fields that hide properties of their form from scripts. Booking forms have the first one."""
BOOKING = f"""{HEAD}</head><body><form style="position:fixed;inset:auto 0 0">Your stay {"".join(f"<input name={name}>" for name in HIDING.split())}
<p><button>Book</button></p></form><p id=__findableChanged>{WORDS}</p><a id=__findableVitals href=/a>All rooms</a></body></html>"""
FAULTS = {
    "axe-violations": Verdict.FAILED,
    "console-errors": Verdict.WARNED,
    "content-width": Verdict.FAILED,
    "font-size": Verdict.WARNED,
    "image-responsive": Verdict.FAILED,
    "interstitial": Verdict.WARNED,
    "tap-targets": Verdict.WARNED,
}


def _png(side_px: int) -> bytes:
    """An image that does not pack."""
    file = BytesIO()
    Image.effect_noise((side_px, side_px), 90).save(file, "PNG")
    return file.getvalue()


@pytest.fixture(scope="module")
def seen() -> Mapping[str, Rendering]:
    site = Site().start()
    site.page("/good", GOOD)
    site.page("/bad", BAD)
    site.page("/booking", BOOKING)
    site.page("/small.png", _png(300), content_type="image/png")
    site.page("/large.png", _png(1200), content_type="image/png")
    site.page("/wide", "<!doctype html><title>Wide</title><body style='margin:0'><p id=wide style='width:50%'>Tea</p>")
    names = ("good", "bad", "booking", "wide")
    renderings = visits([site.url(f"/{name}") for name in names])
    site.stop()
    return dict(zip(names, renderings, strict=True))


def test_a_good_page_passes_each_check_that_needs_a_browser(seen: Mapping[str, Rendering]) -> None:
    page = seen["good"]
    assert page.axe_version.startswith("4.")
    found = {name: finding(name, page.html, rendering=page) for name in FAULTS}
    assert {name: one.verdict for name, one in found.items()} == dict.fromkeys(FAULTS, Verdict.PASSED), found


def test_a_bad_page_is_found_out_by_each_of_them(seen: Mapping[str, Rendering]) -> None:
    page = seen["bad"]
    found = {name: finding(name, page.html, rendering=page) for name in FAULTS}
    assert {name: one.verdict for name, one in found.items()} == FAULTS, found
    assert {node.rule for node in page.axe} >= {"html-has-lang", "image-alt"}
    assert [layer.selector for layer in page.layers] == ["body > div:nth-of-type(1)"]


def test_targets_of_running_text_and_of_labels_are_told_apart(seen: Mapping[str, Rendering]) -> None:
    targets = {target.selector: target for target in seen["good"].targets}
    assert not any(
        "skip" in selector or ("nth-of-type(1)" in selector and "nav" not in selector and "main" not in selector) for selector in targets
    )
    assert [target.in_text for selector, target in targets.items() if " p" in selector] == [True, True, True]
    (checkbox,) = [target for selector, target in targets.items() if "input" in selector]
    assert checkbox.box.width_px > 100


def test_fields_that_hide_properties_of_their_form_hide_nothing_from_us(seen: Mapping[str, Rendering]) -> None:
    page = seen["booking"]
    assert (page.failure, page.readiness) == (RenderingFailure.NONE, Readiness.QUIET), page.detail
    assert len([target for target in page.targets if "form" in target.selector]) == len(HIDING.split()) + 1
    assert {text.selector for text in page.texts} >= {"body > form", "p#__findableChanged"}
    assert [layer.selector for layer in page.layers] == ["body > form"]
    assert page.axe_version


def test_elements_of_the_first_view_have_the_paths_that_evidence_has(seen: Mapping[str, Rendering]) -> None:
    page = seen["good"]
    paths = {node.selector for tag in ("h1", "p", "a", "img", "button") for node in Document(page.html, page.final_url).all(tag)}
    found = {selector: element.box for element in page.first_view for selector in element.selectors}
    assert {"#main > h1", "#main > img", "#main > p:nth-of-type(2)"} <= paths & set(found)
    assert found["#main > img"].width_px == 200
    assert "html > body" not in found


def test_a_page_without_viewport_is_seen_as_its_screenshot_shows_it(seen: Mapping[str, Rendering]) -> None:
    (wide,) = [element.box for element in seen["wide"].first_view if "#wide" in element.selectors]
    assert 200 < wide.width_px < 210  # half of the 980 px that such a page is laid out in, on a screen of 412 px


def test_screenshots_are_of_the_first_view_of_both_devices(seen: Mapping[str, Rendering]) -> None:
    sizes = {}
    for shot in seen["good"].screenshots:
        with Image.open(BytesIO(shot.data)) as image:
            assert image.format == "WEBP"
            sizes[shot.device] = image.size
    assert sizes == {"phone": (721, 1440), "desktop": (DESKTOP.viewport_width_px, DESKTOP.viewport_height_px)}
    assert PHONE.pixel_ratio == 1.75
