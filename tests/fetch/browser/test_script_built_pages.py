"""Reports of pages that scripts build or change, with the real browser: judged by what it shows, and said so."""

import asyncio
from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from findable.analyze import Options, report_page
from findable.capture.browser_options import DEFAULTS, BrowserOptions
from findable.capture.rendering import Rendering, WithheldReason
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.fetcher import Fetcher
from findable.recheck import OldFinding, RecheckResult, recheck
from findable.reports.browser_visit_words import visit_sentences
from findable.reports.facts.browser_facts import PagePart
from findable.reports.report import Report
from findable.vocabulary import Verdict
from findable.wording import ENGLISH
from tests.browser import needs_chromium
from tests.fetch.browser.visiting import LOOPBACK, browser_pool
from tests.sites.server import Site, silent

pytestmark = needs_chromium
HEAD = "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
SHELL = f"{HEAD}<title>React App</title>\n</head>\n<body><div id=root></div><script src=/%s.js></script></body></html>"
SENTENCES = " ".join(f"Sentence {number} tells how tea of sort number {number} is grown." for number in range(40))
WHOLE = f"""{HEAD}<title>Tea from many countries – Tea shop</title>
<meta name=description content="Green and black tea from many countries, packed by hand and sent within two days.">
<link rel=canonical href="/hydrated">
</head>
<body><div id=root><header><nav><a href=/>Home</a></nav></header><main>
<h1>Tea from many countries</h1>
<p>{SENTENCES}</p><img src=/cup.png width=40 height=40>
</main></div>%s</body></html>"""
REACT = """
const root = document.getElementById('root');
const element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  made.append(...children);
  return made;
};
document.title = 'Tea from many countries – Tea shop';
document.head.append(
  element('meta', {name: 'description', content: 'Green and black tea from many countries, packed by hand and sent within two days.'}),
  element('link', {rel: 'canonical', href: location.href}),
  element('script', {type: 'application/ld+json'}, '{"@context":"https://schema.org","@type":"WebSite","name":"Tea","url":"' + location.origin + '/"}'),
);
fetch('/tea.json').then((response) => response.json()).then((data) => root.append(
  element('header', {}, element('nav', {}, element('a', {href: '/hydrated'}, 'Our tea'), element('a', {href: '/gone'}, 'Old prices'))),
  element('main', {}, element('h1', {}, data.name), element('p', {}, data.text), element('img', {src: '/cup.png', width: 40, height: 40})),
));"""
VUE = f"""
history.replaceState(null, '', '/app/home');
document.title = 'Cups from many countries – Tea shop';
document.getElementById('root').innerHTML = '<main><h1>Cups</h1><p>{SENTENCES.replace("tea", "cup")}</p><a href="cups">All cups</a></main>';
"""
LAZY = "".join(
    f'<img class=lazy data-src="/large{number}.png" width=400 height=600 style="display:block;height:600px" alt="Sort {number}">'
    for number in range(30)
)
OBSERVER = """<script>
const seen = new IntersectionObserver((entries) => entries.forEach((entry) => {
  if (entry.isIntersecting) { entry.target.src = entry.target.dataset.src; entry.target.removeAttribute('data-src'); seen.unobserve(entry.target); }
}));
document.querySelectorAll('img.lazy').forEach((image) => seen.observe(image));
</script>"""
ENDLESS = """<script>
const list = document.querySelector('main'), end = list.appendChild(document.createElement('footer'));
let count = 0;
new IntersectionObserver((entries, observer) => {
  if (!entries.at(-1).isIntersecting) return;
  for (let one = 0; one < 10; one++) {
    const item = document.createElement('article');
    item.style.height = '400px'; item.innerHTML = `<h2>Sort ${++count}</h2><a href=/sort${count}>More of sort ${count}</a>`;
    list.insertBefore(item, end);
  }
  observer.unobserve(end); setTimeout(() => observer.observe(end), 50);
}).observe(end);
</script>"""
ROBOTS = "const meta = document.createElement('meta'); meta.name = 'robots'; meta.content = 'noindex'; document.head.append(meta)"
PAGES: Mapping[str, str] = {
    "/": SHELL % "react",
    "/vue": SHELL % "vue",
    "/broken": SHELL % "broken",
    "/hydrated": WHOLE % "<script>document.querySelector('nav').addEventListener('click', () => 0)</script>",
    "/lazy": WHOLE.replace("</main>", f"{LAZY}</main>") % OBSERVER,
    "/eager": WHOLE.replace("</main>", LAZY.replace("data-src", "src") + "</main>") % "",
    "/endless": WHOLE % ENDLESS,
    "/retitled": WHOLE % "<script>document.title = '(1) New message'; document.querySelector('h1').textContent = 'Hello'</script>",
    "/hidden": WHOLE % f"<script>{ROBOTS}</script>",
    "/shown": WHOLE.replace("<title>", "<meta name=robots content=noindex><title>")
    % "<script>document.querySelector('[name=robots]').remove()</script>",
    "/elsewhere": WHOLE % "<script>document.querySelector('[rel=canonical]').href = '/other'</script>",
    "/away": WHOLE % "<script>location.replace('/hydrated')</script>",
    "/never": (SHELL % "react").replace("<div", "<img src=/hanging><div"),
}


@pytest.fixture(scope="module")
def shop() -> Iterator[Site]:
    site = Site().start()
    for path, html in PAGES.items():
        site.page(path, html)
    for name, script in {"react": REACT, "vue": VUE, "broken": "throw new Error('no data')"}.items():
        site.page(f"/{name}.js", script, content_type="text/javascript")
    site.page("/tea.json", f'{{"name": "Tea from many countries", "text": "{SENTENCES}"}}', content_type="application/json")
    for name in ("cup", *(f"large{number}" for number in range(30))):
        site.page(f"/{name}.png", b"x", content_type="image/png")
    site.page("/robots.txt", "User-agent: *\nDisallow: /tea.json\n", content_type="text/plain")
    site.handler("/hanging", silent())
    yield site
    site.stop()


Visited = tuple[Report, Rendering | None]


async def _report(
    url: str, again: str = "", *, in_browser: bool = True, browser: BrowserOptions = DEFAULTS
) -> tuple[Report, Rendering | None, RecheckResult | None]:
    async with browser_pool() as pool, Fetcher(LOOPBACK) as fetcher:

        async def view(order: VisitOrder) -> Rendering:
            return await pool.visit(replace(order, axe=False, screenshots=False))

        capture, judged = await report_page(url, fetcher, options=Options(visit=view if in_browser else None, browser=browser))
        rechecked = None
        if again:
            old = OldFinding(url, again, Verdict.FAILED, after_scripts=True)
            rechecked = await recheck(old, fetcher, visit=view)
        return judged.report, capture.rendering, rechecked


@cache
def _seen(url: str) -> Visited:
    return asyncio.run(_report(url))[:2]


def verdicts(report: Report) -> dict[str, str]:
    return {finding.id: finding.verdict.value for finding in report.findings}


def test_a_page_built_by_scripts_is_judged_as_the_browser_shows_it(shop: Site) -> None:
    report, _, rechecked = asyncio.run(_report(shop.url("/"), "images-broken"))
    found = verdicts(report)
    lab = {"lcp", "cls", "tbt", "fcp", "axe-violations"}

    assert report.error is None
    assert report.result is not None
    assert report.facts.browser
    assert (report.facts.browser.after_scripts, report.facts.browser.scripts_build) == (True, True)
    assert report.facts.page_title == "Tea from many countries – Tea shop"
    passed = ("title-quality", "meta-description", "canonical-valid", "h1-present", "content-length", "jsonld-valid", "request-count")
    assert {name: found[name] for name in passed} == dict.fromkeys(passed, "passed")
    assert found["image-alt"] in {"warned", "failed"}
    assert found["links-internal-broken"] == "warned"
    assert found["raw-vs-rendered"] == "failed"
    assert found["og-basic"] == "warned"
    assert {name for name, verdict in found.items() if verdict == "unknown"} - lab <= {"image-format", "image-weight"}
    parts = {row.page_part.value: (row.as_sent, row.rendered) for row in report.facts.browser.compared}
    assert parts["title"] == ("React App", "Tea from many countries – Tea shop")
    assert (parts["internal_links"], parts["images"], parts["json_ld"]) == (("0", "2"), ("0", "1"), ("0", "1"))
    assert report.facts.browser.blocked_by_robots == (shop.url("/tea.json"),)
    assert rechecked is not None
    assert rechecked.finding.verdict is not Verdict.UNKNOWN


def test_a_page_rendered_without_forbidden_files_is_what_googlebot_gets(shop: Site) -> None:
    report, rendering, _ = asyncio.run(_report(shop.url("/"), browser=BrowserOptions(without_blocked=True)))
    found = report.facts.browser
    assert rendering is not None
    assert found
    assert [(request.url, request.withheld) for request in rendering.requests if request.withheld] == [
        (shop.url("/tea.json"), WithheldReason.ROBOTS)
    ]
    assert found.blocked_by_robots == (shop.url("/tea.json"),)
    assert found.options.without_blocked
    assert not [request for request in found.failed_requests if request.url.endswith("/tea.json")]
    assert not [line for line in rendering.console if "ERR_BLOCKED" in line.text]
    words = next(part for part in found.compared if part.page_part is PagePart.WORDS)
    assert words.with_blocked is not UNSET
    assert int(words.rendered) < 10 < int(words.with_blocked)
    sentences = list(visit_sentences(found, ENGLISH))
    assert sentences == ["Rendered as for Googlebot: 1 file that robots.txt forbids was not loaded."]


def test_a_page_that_needs_no_forbidden_file_is_rendered_once(shop: Site) -> None:
    before = len(shop.asked("/hydrated"))
    report, rendering, _ = asyncio.run(_report(shop.url("/hydrated"), browser=BrowserOptions(without_blocked=True)))
    found = report.facts.browser
    assert rendering is not None
    assert found
    assert rendering.html_with_blocked == ""
    assert all(part.with_blocked is UNSET for part in found.compared)
    assert list(visit_sentences(found, ENGLISH)) == ["Rendered as for Googlebot: robots.txt allows all files of this page."]
    assert len(shop.asked("/hydrated")) - before > 0


def test_without_a_browser_the_same_page_gets_no_rating(shop: Site) -> None:
    report = asyncio.run(_report(shop.url("/"), in_browser=False))[0]

    assert report.error is not None
    assert report.result is None
    assert not report.facts.browser


def test_a_hydrated_page_is_judged_like_the_page_that_was_sent(shop: Site) -> None:
    sent, (seen, _) = asyncio.run(_report(shop.url("/hydrated"), in_browser=False))[0], _seen(shop.url("/hydrated"))
    found = verdicts(seen)
    differing = {name for name, verdict in verdicts(sent).items() if found[name] != verdict}
    image = next(finding for finding in seen.findings if finding.id == "image-alt")

    assert differing == {"raw-vs-rendered"}
    assert found["raw-vs-rendered"] == "passed"
    assert [item.line for item in image.evidence] == [11]
    assert all(fix.line == 11 for fix in image.fixes)


def test_images_that_a_script_loads_late_are_not_loaded_at_once(shop: Site) -> None:
    (lazy, rendering), (eager, _) = _seen(shop.url("/lazy")), _seen(shop.url("/eager"))

    assert verdicts(lazy)["image-loading"] == "passed"
    assert verdicts(eager)["image-loading"] == "warned"
    assert rendering is not None
    assert {request.late for request in rendering.requests if "/large" in request.url} == {True, False}
    assert isinstance(lazy.facts.images, tuple)
    assert sum("/large" in (image.url or "") for image in lazy.facts.images) > 10


def test_a_page_that_leads_away_is_not_judged_by_the_other_page(shop: Site) -> None:
    report, _ = _seen(shop.url("/away"))

    assert verdicts(report)["raw-vs-rendered"] == "failed"
    assert report.facts.browser
    assert (report.facts.browser.after_scripts, report.facts.browser.leads_to) == (False, shop.url("/hydrated"))


CASES = [
    ("/retitled", "raw-vs-rendered", "warned"),
    ("/hidden", "raw-vs-rendered", "failed"),
    ("/hidden", "noindex", "failed"),
    ("/shown", "noindex", "failed"),
    ("/shown", "noindex-effective", "failed"),
    ("/elsewhere", "raw-vs-rendered", "failed"),
    ("/elsewhere", "canonical-consistency", "failed"),
    ("/endless", "raw-vs-rendered", "warned"),
    ("/vue", "raw-vs-rendered", "failed"),
    ("/vue", "h1-present", "passed"),
    ("/broken", "h1-present", "warned"),
    ("/broken", "console-errors", "warned"),
]


@pytest.mark.full
@pytest.mark.parametrize(("path", "check", "expected"), CASES)
def test_what_scripts_change_is_found(shop: Site, path: str, check: str, expected: str) -> None:
    report, _ = _seen(shop.url(path))

    assert verdicts(report)[check] == expected


@pytest.mark.full
def test_errors_of_the_console_and_failed_requests_are_listed(shop: Site) -> None:
    (broken, _), (away, _) = _seen(shop.url("/broken")), _seen(shop.url("/retitled"))

    assert broken.facts.browser
    assert next((line.level, line.text, line.times) for line in broken.facts.browser.console) == ("error", "Error: no data", 1)
    assert away.facts.browser
    assert (away.facts.browser.console, away.facts.browser.failed_requests) == ((), ())


@pytest.mark.full
def test_links_are_resolved_as_the_browser_does_after_a_route_changed(shop: Site) -> None:
    report, _ = _seen(shop.url("/vue"))

    assert isinstance(report.facts.links, tuple)
    assert [link.url for link in report.facts.links] == [shop.url("/app/cups")]


@pytest.mark.full
def test_a_page_that_scrolls_without_end_is_read_to_the_height_that_is_shown(shop: Site) -> None:
    report, rendering = _seen(shop.url("/endless"))

    assert rendering is not None
    assert 10 <= rendering.html.count("<article") <= 200
    assert report.result is not None


@pytest.mark.full
def test_a_shell_that_does_not_finish_loading_is_unknown(shop: Site) -> None:
    report, _ = _seen(shop.url("/never"))

    assert report.error is not None
    assert verdicts(report)["h1-present"] == "unknown"
    assert report.facts.browser
    assert report.facts.browser.failure == "loading"
