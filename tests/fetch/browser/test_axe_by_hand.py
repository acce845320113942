"""Findings of axe-core in a visit against axe-core run by hand in a plain browser, on twenty pages."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from findable.capture.devices import PHONE
from findable.capture.rendering import Rendering
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.page_scripts import script_source
from findable.fetch.browser.visit_order import VisitOrder
from tests.browser import Open, chromium, needs_chromium, window
from tests.fetch.browser.visiting import in_pool
from tests.sites.server import Site

__all__ = ["chromium", "window"]
pytestmark = [pytest.mark.full, needs_chromium]
HEAD = "<meta charset=utf-8><meta name=viewport content='width=device-width, initial-scale=1'><title>A page</title>"
BODIES = (
    "<main><h1>Sound</h1><p>Nothing is wrong.</p></main>",
    "<main><h1>Image</h1><img src=/a.png></main>",
    "<main><h1>Images</h1><img src=/a.png><img src=/b.png><input type=image src=/c.png></main>",
    "<main><h1>Button</h1><button></button><button aria-label=''></button></main>",
    "<main><h1>Link</h1><a href=/a></a><a href=/b><img src=/b.png></a></main>",
    "<main><h1>Form</h1><input name=a><select name=b><option>x</select><textarea name=c></textarea></main>",
    "<main><h1>Contrast</h1><p style='color:#bbb;background:#fff'>Grey on white.</p></main>",
    "<main><h1>Contrasts</h1><p style='color:#777;background:#888'>Grey on grey.</p><a href=/a style='color:#ddd'>Link</a></main>",
    "<main><h1>List</h1><ul><div>No item</div></ul><ol><p>No item</p></ol></main>",
    "<main><h1>Items</h1><li>Alone</li><dd>Alone</dd></main>",
    "<main><h1>Role</h1><div role=checkbox>x</div><div role=nothing>y</div><span role=button></span></main>",
    "<main><h1>State</h1><div role=button aria-checked=perhaps tabindex=0>x</div><div aria-hidden=true><a href=/a>x</a></div></main>",
    "<main><h1>Frame</h1><iframe src=/frame></iframe><object data=/a.png></object></main>",
    "<main><h1>Table</h1><table><tr><th scope=nothing>a<td headers=x>b</table></main>",
    "<main><h1>Same id</h1><label for=a>x</label><input id=a><input id=a aria-labelledby=none></main>",
    "<main><h1>Language</h1><p lang=xx-nothing>Text.</p><p lang=''>Text.</p></main>",
    "<main><h1>Video</h1><video src=/v.mp4 autoplay></video><audio src=/a.mp3 autoplay></audio></main>",
    "<main><h1>Marquee</h1><marquee>moves</marquee><blink>blinks</blink></main>",
    "<main><h1>Shadow</h1><div id=host></div></main><script>document.getElementById('host').attachShadow({mode:'open'}).innerHTML='<img src=/a.png><button></button>'</script>",
    "<main><h1>Script</h1><div id=root></div></main><script>document.getElementById('root').innerHTML='<img src=/a.png><a href=/x></a>'.repeat(20)</script>",
)
RUN = """async () => {
  const result = await axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa"], iframes: false});
  return result.violations.flatMap(v => v.nodes.map(n => [v.id, n.impact || v.impact || "minor", n.target.map(t => Array.isArray(t) ? t.join(" >>> ") : t).join(" ")]));
}"""


def test_a_visit_finds_what_axe_core_finds_by_hand_on_twenty_pages(site: Site, window: Open) -> None:
    urls = []
    for number, body in enumerate(BODIES):
        lang = "" if number in (5, 12) else " lang=en"
        urls.append(site.page(f"/{number}", f"<!doctype html><html{lang}><head>{HEAD}</head><body>{body}</body></html>"))
    site.page("/frame", "<!doctype html><html><head><title></title></head><body><img src=/a.png></body></html>")

    async def visits(pool: BrowserPool) -> list[Rendering]:
        return [await pool.visit(VisitOrder(url, screenshots=False)) for url in urls]

    with ThreadPoolExecutor(1) as thread:  # the plain browser keeps an event loop running in this one
        renderings: list[Rendering] = thread.submit(in_pool, visits).result()
    page = window()
    page.set_viewport_size({"width": PHONE.viewport_width_px, "height": PHONE.viewport_height_px})
    count = 0
    for url, rendering in zip(urls, renderings, strict=True):
        page.goto(url)
        page.add_script_tag(content=script_source("axe-core/axe.min"))
        by_hand = {tuple(node) for node in page.evaluate(RUN)}
        assert {(node.rule, node.impact, node.selector) for node in rendering.axe} == by_hand, url
        assert rendering.axe_version
        count += len(by_hand)
    assert count >= 40  # else it would say nothing
