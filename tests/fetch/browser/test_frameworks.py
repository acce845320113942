"""Pages made with React and Vue themselves: rendered, hydrated, with late images and without an end."""

import asyncio
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from findable.analyze import Options, report_page
from findable.capture.rendering import Rendering
from findable.fetch.browser.page_orders import Visit
from findable.fetch.fetcher import Fetcher
from findable.reports.report import Report
from tests.browser import needs_chromium
from tests.external import FOLDER, missing
from tests.fetch.browser.visiting import LOOPBACK, browser_pool
from tests.sites.server import Site

pytestmark = [needs_chromium, pytest.mark.full]
FILES = {
    "/react.js": "react/umd/react.production.min.js",
    "/react-dom.js": "react-dom/umd/react-dom.production.min.js",
    "/vue.js": "vue/dist/vue.global.prod.js",
}
SENTENCES = " ".join(f"Sentence {number} tells how tea of sort number {number} is grown." for number in range(40))
TITLE, DESCRIPTION = (
    "Tea from many countries – Tea shop",
    "Green and black tea from many countries, packed by hand and sent within two days.",
)
HEAD = "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta name=viewport content='width=device-width'>\n"
REACT = "<script src=/react.js></script><script src=/react-dom.js></script><script src=%s></script>"
SHELL = f"{HEAD}<title>App</title>\n</head>\n<body><div id=root></div>%s</body></html>"
ABOUT = f"""
function tellHead() {{
  document.title = {TITLE!r};
  const add = (tag, attributes) => document.head.append(Object.assign(document.createElement(tag), attributes));
  add('meta', {{ name: 'description', content: {DESCRIPTION!r} }});
  add('link', {{ rel: 'canonical', href: location.href }});
}}
"""
BODY = """
const h = React.createElement;
function Shop({ text }) {
  return h(React.Fragment, null,
    h('header', null, h('nav', null, h('a', { href: '/about' }, 'About our tea shop'))),
    h('main', null, h('h1', null, 'Tea from many countries'), h('p', null, text), h('img', { src: '/cup.png', width: 40, height: 40, alt: 'Cup' })));
}
"""
SCRIPTS = {
    "/rendered.js": f"""{ABOUT}{BODY}
function App() {{
  const [text, setText] = React.useState('');
  React.useEffect(() => {{ tellHead(); fetch('/tea.json').then((reply) => reply.json()).then((data) => setText(data.text)); }}, []);
  return text ? h(Shop, {{ text }}) : h('p', null, 'Loading');
}}
ReactDOM.createRoot(document.getElementById('root')).render(h(App));""",
    "/hydrated.js": f"""{BODY}
function App() {{
  const [count, setCount] = React.useState(0);
  React.useEffect(() => setCount(1), []);
  return h('div', {{ 'data-count': count }}, h(Shop, {{ text: {SENTENCES!r} }}));
}}
ReactDOM.hydrateRoot(document.getElementById('root'), h(App), {{ onRecoverableError: (error) => {{ throw error; }} }});""",
    "/lazy.js": f"""{ABOUT}{BODY}
function Late({{ number }}) {{
  const [isNear, setNear] = React.useState(false), box = React.useRef(null);
  React.useEffect(() => {{
    const observer = new IntersectionObserver((entries) => {{ if (entries.some((entry) => entry.isIntersecting)) setNear(true); }});
    observer.observe(box.current);
    return () => observer.disconnect();
  }}, []);
  return h('figure', {{ ref: box, style: {{ height: 400 }} }},
    isNear && h('img', {{ src: `/large${{number}}.png`, alt: 'Tea', width: 400, height: 300 }}));
}}
function App() {{
  React.useEffect(tellHead, []);
  return h(React.Fragment, null, h(Shop, {{ text: {SENTENCES!r} }}), Array.from({{ length: 12 }}, (_, number) => h(Late, {{ key: number, number }})));
}}
ReactDOM.createRoot(document.getElementById('root')).render(h(App));""",
    "/endless.js": f"""{ABOUT}{BODY}
function App() {{
  const [count, setCount] = React.useState(10), end = React.useRef(null);
  React.useEffect(tellHead, []);
  React.useEffect(() => {{
    const observer = new IntersectionObserver((entries) => {{ if (entries.at(-1).isIntersecting) setCount((before) => before + 10); }});
    observer.observe(end.current);
    return () => observer.disconnect();
  }}, [count]);
  return h(React.Fragment, null, h(Shop, {{ text: {SENTENCES!r} }}), Array.from({{ length: count }}, (_, number) =>
    h('article', {{ key: number, style: {{ height: 400 }} }}, h('h2', null, `Sort ${{number}}`), h('a', {{ href: `/sort${{number}}` }}, `More of sort ${{number}}`))),
    h('footer', {{ ref: end }}, 'Tea shop'));
}}
ReactDOM.createRoot(document.getElementById('root')).render(h(App));""",
    "/vue-app.js": f"""{ABOUT}
Vue.createApp({{
  data: () => ({{ text: '', sorts: ['green', 'black'] }}),
  async mounted() {{ tellHead(); this.text = (await (await fetch('/tea.json')).json()).text; }},
  template: `<header><nav><a href="/about">About our tea shop</a></nav></header>
    <main v-if="text"><h1>Tea from many countries</h1><p>{{{{ text }}}}</p>
    <a v-for="sort in sorts" :key="sort" :href="'/' + sort">Tea that is {{{{ sort }}}}</a> <img src="/cup.png" width="40" height="40" alt="Cup"></main>`,
}}).mount('#root');""",
}
SENT = (
    '<div data-count="0"><header><nav><a href="/about">About our tea shop</a></nav></header>'
    f'<main><h1>Tea from many countries</h1><p>{SENTENCES}</p><img src="/cup.png" width="40" height="40" alt="Cup"/></main></div>'
)
WHOLE_HEAD = (
    f'{HEAD}<title>{TITLE}</title>\n<meta name=description content="{DESCRIPTION}">\n<link rel=canonical href="/hydrated">\n</head>\n'
)
PAGES: Mapping[str, str] = {
    "/rendered": SHELL % (REACT % "/rendered.js"),
    "/lazy": SHELL % (REACT % "/lazy.js"),
    "/endless": SHELL % (REACT % "/endless.js"),
    "/vue": SHELL % "<script src=/vue.js></script><script src=/vue-app.js></script>",
    "/hydrated": f"{WHOLE_HEAD}<body><div id=root>{SENT}</div>{REACT % '/hydrated.js'}</body></html>",
}
FEW_WORDS, MANY_WORDS = 5, 200
RIGHT = ("title-quality", "meta-description", "h1-present", "content-length", "image-alt", "console-errors")


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    site = Site().start()
    for path, name in FILES.items():
        file = FOLDER / "node_modules" / name
        if not file.exists():
            missing(name)
        site.page(path, file.read_bytes(), content_type="text/javascript")
    for path, html in PAGES.items():
        site.page(path, html)
    for path, script in SCRIPTS.items():
        site.page(path, script, content_type="text/javascript")
    site.page("/tea.json", f'{{"text": "{SENTENCES}"}}', content_type="application/json")
    for name in ("cup", *(f"large{number}" for number in range(12))):
        site.page(f"/{name}.png", b"x", content_type="image/png")
    yield site
    site.stop()


@cache
def seen(url: str) -> tuple[Report, Rendering]:
    """The report of a page, and what the browser made of it."""

    async def made() -> tuple[Report, Rendering]:
        async with browser_pool() as pool, Fetcher(LOOPBACK) as fetcher:
            visit: Visit = pool.visit
            capture, judged = await report_page(url, fetcher, options=Options(visit=visit))
            assert capture.rendering is not None
            return judged.report, capture.rendering

    return asyncio.run(made())


def verdicts(report: Report) -> dict[str, str]:
    return {finding.id: finding.verdict.value for finding in report.findings}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_a_framework_is_judged_as_it_is_shown(shop: Site, path: str) -> None:
    report, rendering = seen(shop.url(path))
    assert report.error is None
    assert report.facts.page_title == TITLE
    assert report.facts.browser
    assert report.facts.browser.after_scripts
    assert report.facts.browser.scripts_build is (path != "/hydrated")
    found = verdicts(report)
    assert {name: found[name] for name in RIGHT} == dict.fromkeys(RIGHT, "passed")
    assert not [line for line in rendering.console if line.level == "error" and "png" not in line.url]
    parts = {row.page_part.value: (row.as_sent, row.rendered) for row in report.facts.browser.compared}
    if path == "/hydrated":
        assert found["raw-vs-rendered"] == "passed"
        assert 'data-count="1"' in rendering.html, "it was hydrated"
        assert all(before == after for before, after in parts.values())
    else:
        assert found["raw-vs-rendered"] == "failed"
        assert parts["title"] == ("App", TITLE)
        assert int(parts["words"][0]) < FEW_WORDS
        assert int(parts["words"][1]) > MANY_WORDS


def test_images_that_a_component_loads_when_they_are_near_are_late(shop: Site) -> None:
    _, rendering = seen(shop.url("/lazy"))
    images = {request.url.rpartition("/")[2]: request.late for request in rendering.requests if "/large" in request.url}
    assert set(images) == {f"large{number}.png" for number in range(12)}, "the view was as tall as the page"
    assert all(images.values()), "none is in the first view"


def test_a_list_without_an_end_is_read_and_ends(shop: Site) -> None:
    report, rendering = seen(shop.url("/endless"))
    assert report.facts.browser
    links = next(row for row in report.facts.browser.compared if row.page_part.value == "internal_links")
    assert 10 < int(links.rendered) < 500
    assert not rendering.failure
