"""Pages written to break a browser: each visit ends within its deadline, and the next one is right."""

import asyncio
import gzip
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from findable.capture.rendering import Rendering, RenderingFailure
from findable.fetch.browser import chromium, open_page
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.visit_order import VisitOrder
from findable.reports.analysis import analyse
from tests.browser import needs_chromium
from tests.checks.harness import capture
from tests.fetch.browser.visiting import in_pool, left_processes, until
from tests.reports import report_json
from tests.sites.server import Site, drip, endless, silent

pytestmark = [pytest.mark.full, needs_chromium]
DEADLINE_S = 5.0
SPARE_S = 2 * open_page.CLOSE_TIMEOUT_S + chromium.CLOSE_TIMEOUT_S
"""Time beyond the deadline that closing the page, and then the browser, may take."""

SCRIPTS = {
    "endless loop": "while(1);",
    "endless loop later": "addEventListener('load',()=>setTimeout(()=>{while(1);},100))",
    "endless loop in a frame": "document.write('<iframe srcdoc=\"<script>while(1);</script>\"></iframe>')",
    "endless loop in workers": "for(let i=0;i<20;i++)new Worker(URL.createObjectURL(new Blob(['while(1);'])))",
    "alerts": "for(let i=0;i<1e6;i++)alert(i)",
    "confirms and prompts": "while(1){confirm('x');prompt('y')}",
    "prints": "for(let i=0;i<50;i++)print()",
    "beforeunload": "onbeforeunload=e=>{e.preventDefault();while(1);return 'x'};location='/other'",
    "unload": "addEventListener('pagehide',()=>{while(1);})",
    "history": "for(let i=0;i<1e6;i++)history.pushState(i,'','/'+i)",
    "hashes": "let i=0;setInterval(()=>{for(let j=0;j<50;j++)location.hash=i++},0)",
    "redirects": "location='/redirects?'+Math.random()",
    "reloads": "setInterval(()=>location.reload(),30)",
    "document.write": "while(1)document.write('<p>'+'x'.repeat(1000))",
    "growing document": "setInterval(()=>{for(let i=0;i<2000;i++)document.body.append(document.createElement('p'))},5)",
    "ten million elements": "const f=document.createDocumentFragment();for(let i=0;i<1e7;i++)f.append(document.createElement('b'));document.body.append(f)",
    "deep document": "let e=document.body;for(let i=0;i<200000;i++){const d=document.createElement('div');e.append(d);e=d}",
    "hundred megabytes of text": "document.body.append('x'.repeat(1e8))",
    "long title": "document.title='x'.repeat(1e8)",
    "memory": "const a=[];setInterval(()=>a.push(new Uint8Array(1e8).fill(1)),10)",
    "strings": "let s='x';while(1)s+=s+Math.random()",
    "arrays": "const a=[];while(1)a.push(new Array(1e6).fill(a))",
    "WebAssembly memory": "const m=[];while(1){const x=new WebAssembly.Memory({initial:16384});new Uint8Array(x.buffer).fill(1);m.push(x)}",
    "huge canvas": "for(let i=0;i<50;i++){const c=document.createElement('canvas');c.width=c.height=16000;c.getContext('2d').fillRect(0,0,16000,16000);document.body.append(c)}",
    "WebGL": "for(let i=0;i<50;i++){const c=document.createElement('canvas');const g=c.getContext('webgl2');if(g)g.texStorage2D(g.TEXTURE_2D,1,g.RGBA8,8192,8192)}",
    "console": "while(1)console.log('x'.repeat(1000),{a:1})",
    "console without a stop": "setInterval(()=>{for(let i=0;i<1000;i++)console.error('x'.repeat(100000))},1)",
    "errors": "setInterval(()=>{for(let i=0;i<100;i++)setTimeout(()=>nothing(),0)},1)",
    "requests": "setInterval(()=>{for(let i=0;i<100;i++)fetch('/'+Math.random()).catch(()=>0)},1)",
    "data requests": "setInterval(()=>{for(let i=0;i<1000;i++)fetch('data:,x').catch(()=>0)},1)",
    "sockets": "for(let i=0;i<5000;i++)new WebSocket('ws://127.0.0.1:1/'+i)",
    "windows": "for(let i=0;i<1000;i++)window.open('/window'+i)",
    "windows on click": "document.body.innerHTML='<a id=a href=/x target=_blank>x</a>';for(let i=0;i<1000;i++)document.getElementById('a').click()",
    "downloads": "for(let i=0;i<200;i++){const a=document.createElement('a');a.href=URL.createObjectURL(new Blob(['x'.repeat(1e5)]));a.download='x';a.click()}",
    "frames": "for(let i=0;i<2000;i++){const f=document.createElement('iframe');f.src='/plain?'+i;document.body.append(f)}",
    "frames in frames": "document.write('<iframe src=\"/frames-in-frames?'+Math.random()+'\"></iframe><iframe src=\"/frames-in-frames?'+Math.random()+'\"></iframe>')",
    "workers": "for(let i=0;i<500;i++)new Worker(URL.createObjectURL(new Blob(['setInterval(()=>0,0)'])))",
    "service worker": "navigator.serviceWorker.register('/hostile-worker.js')",
    "promises": "(function f(){Promise.resolve().then(f)})()",
    "animation": "(function f(){const e=performance.now()+200;while(performance.now()<e);requestAnimationFrame(f)})()",
    "regular expression": "/^(a+)+$/.test('a'.repeat(60)+'!')",
    "styles": "document.head.innerHTML='<style>*{filter:blur(50px)}:has(:has(*)){color:red}</style>';for(let i=0;i<20000;i++)document.body.append(document.createElement('div'))",
    "tall page": "document.body.innerHTML='<div style=\"height:33000000px;background:linear-gradient(red,blue)\">'",
    "growing with the view": "setInterval(()=>document.body.style.height=(innerHeight*2)+'px',5)",
    "prototypes": "for(const k of ['querySelectorAll','createTreeWalker','getElementsByTagName'])Document.prototype[k]=()=>{while(1);};Object.defineProperty(Element.prototype,'outerHTML',{get(){while(1);}});JSON.stringify=()=>{while(1);};Array.prototype.push=()=>{while(1);}",
    "own names": "globalThis.axe={run:()=>new Promise(()=>0)};globalThis.__findableChanged={at:0}",
    "removed document": "document.documentElement.remove()",
    "lone surrogates": "document.body.append('\\ud800\\udfff\\ud800');console.log('\\ud800');document.title='\\udc00'",
    "notifications": "for(let i=0;i<1e4;i++){try{new Notification('x')}catch(e){}navigator.geolocation.getCurrentPosition(()=>0)}",
    "full screen": "document.documentElement.requestFullscreen().catch(()=>0);document.documentElement.requestPointerLock&&document.documentElement.requestPointerLock()",
    "storage": "(async()=>{const r=indexedDB.open('x');r.onupgradeneeded=()=>r.result.createObjectStore('s');r.onsuccess=()=>{const t=r.result.transaction('s','readwrite').objectStore('s');for(let i=0;i<200;i++)t.put('x'.repeat(1e6),i)}})()",
}


def _build(site: Site) -> Mapping[str, str]:
    """Name to path of each hostile page."""
    pages = {}
    for name, script in SCRIPTS.items():
        path = f"/{name.replace(' ', '-')}"
        site.page(path, f"<!doctype html><title>hostile</title><body><p>text</p><script>{script}</script>")
        pages[name] = path
    site.page("/plain", "<!doctype html><title>plain</title><p>plain</p><script>document.title='scripted'</script>")
    site.page("/hostile-worker.js", "self.addEventListener('install',()=>{while(1);})", content_type="text/javascript")
    html = "Content-Type: text/html"
    handlers: Mapping[str, Any] = {
        "silent server": silent(),
        "endless page": endless(f"HTTP/1.1 200 OK\r\n{html}\r\n\r\n".encode(), b"<p>" + b"x" * 65536),
        "dripping page": drip(b"<!doctype html><p>" * 100, pause_s=0.2),
        "endless head": endless(b"HTTP/1.1 200 OK\r\n", b"A: " + b"b" * 1000 + b"\r\n"),
        "endless image": endless(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n", b"\x89PNG" + b"x" * 65536),
    }
    for name, handler in handlers.items():
        site.handler(path := f"/{name.replace(' ', '-')}", handler)
        pages[name] = path
    bomb = gzip.compress(b"<p>" + b" " * 200_000_000)
    site.page("/bomb", bomb, headers=[("Content-Encoding", "gzip")], content_type="text/html")
    site.page("/never", "<!doctype html><title>hostile</title><img src=/silent-server><script src=/silent-server></script>")
    return {**pages, "packed bomb": "/bomb", "resources that never come": "/never"}


def _visited(
    site: Site, names: Mapping[str, str], after: Callable[[BrowserPool], None] = lambda _pool: None
) -> dict[str, tuple[Rendering, float]]:
    async def run(pool: BrowserPool) -> dict[str, tuple[Rendering, float]]:
        found = {}
        for name, path in names.items():
            started_s = time.monotonic()
            rendering = await pool.visit(VisitOrder(site.url(path), deadline_s=DEADLINE_S))
            found[name] = (rendering, time.monotonic() - started_s)
            plain = await pool.visit(VisitOrder(site.url("/plain"), axe=False, screenshots=False))
            assert "<title>scripted" in plain.html, f"after {name}: {plain.failure} {plain.detail}"
            after(pool)
        return found

    made: dict[str, tuple[Rendering, float]] = in_pool(run)
    return made


@pytest.fixture(scope="module")
def hostile_site() -> Any:
    site = Site().start()
    yield site, _build(site)
    site.stop()


@pytest.mark.parametrize("part", range(4))
def test_f24_each_hostile_page_ends_in_time_and_the_next_visit_is_right(hostile_site: Any, part: int) -> None:
    site, pages = hostile_site
    names = {name: path for number, (name, path) in enumerate(pages.items()) if number % 4 == part}
    found = _visited(site, names)
    for name, (rendering, seconds) in found.items():
        tries = 2 if rendering.failure is RenderingFailure.CRASHED else 1
        print(
            f"{name}: {rendering.failure or 'read'} {rendering.readiness} {rendering.detail} {seconds:.1f} s, {len(rendering.html)} characters"
        )
        assert seconds < tries * (DEADLINE_S + SPARE_S), name
        assert len(rendering.html) <= 10_000_000, name
        report = report_json(analyse(capture("<!doctype html><title>sent</title><p>text", rendering=rendering)))
        assert report["results"], name
    assert until(lambda: left_processes() == [])


@pytest.mark.endurance
def test_f26_a_thousand_visits_leave_nothing(hostile_site: Any) -> None:
    """Hostile pages and plain ones: no zombie, no profile, and no more memory than before."""
    import resource
    import tempfile
    from pathlib import Path

    site, pages = hostile_site
    quick = [path for name, path in pages.items() if name not in {"endless page", "packed bomb", "storage"}]

    async def run(pool: BrowserPool) -> tuple[list[str], int]:
        failed: list[str] = []
        before, begun_s = 0, time.monotonic()
        for number in range(500):
            path = quick[number % len(quick)]
            orders = [VisitOrder(site.url(path), deadline_s=3.0), VisitOrder(site.url("/plain"))]
            _, plain = await asyncio.gather(*(pool.visit(order) for order in orders))
            if "<title>scripted" not in plain.html:
                failed.append(f"beside {path}: {plain.failure} {plain.readiness} {plain.detail}")
            if number % 50 == 0:
                print(f"{2 * number} visits after {time.monotonic() - begun_s:.0f} s, plain ones that failed: {failed}", flush=True)
            if number == 50:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return failed, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before

    failed, growth_kb = in_pool(run, concurrency=2)
    print(f"plain visits that failed: {failed}; memory grew by {growth_kb} kB")
    assert failed == []
    assert growth_kb < 50_000
    assert until(lambda: left_processes() == [])
    assert list(Path(tempfile.gettempdir()).glob("findable-browser-*")) == []
