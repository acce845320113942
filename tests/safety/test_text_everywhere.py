"""Every text of a stranger in every place where we show it is there, as text: S31 to S36, S38, S39."""

import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import quote

import pytest

from findable import urls
from findable.checks.engine import all_checks
from findable.errors import Cause, PageError, PageErrorCode, PageUnavailable
from findable.export.pdf import to_pdf
from findable.export.pdf_sheet import Sheet
from findable.reports.analysis import analyse
from findable.reports.prose import spans, unwrap_lines
from findable.web.logs import JsonFormatter, LineFormatter
from findable.web.pages.shared.untrusted_text import visible
from tests.browser import Open, needs_chromium
from tests.checks.harness import capture, page
from tests.cli.conftest import Run
from tests.safety.test_hostile_text import ANSI, CONTROLS, EVIL, EVIL_HEADERS, TURNED, Seen, evil_page
from tests.sites.server import Site
from tests.tiers import sampled
from tests.web.live import Live, run_live

PAYLOADS = {
    "script": "<script>alert(1)</script>",
    "handler": '"><img src=x onerror=alert(1)>',
    "braces": "{{7*7}}",
    "dollar": "${7*7}",
    "title": "</title><b>bold</b>",
    "turned": "fdp\u202egpj",
}
PLACES = ("title", "h1", "description", "alt", "anchor")


def attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def page_with(payload: str) -> str:
    """The payload in each of PLACES, behind the name of the place."""
    said = {place: attribute(f"{place} {payload}") for place in PLACES}
    return page(
        head=f'<title>{said["title"]}</title><meta name="description" content="{said["description"]}">',
        body=f'<h1>{said["h1"]}</h1><img src="/p.png" alt="{said["alt"]}"><a href="/next">{said["anchor"]}</a>',
    )


class Words(HTMLParser):
    """What a page says, and its links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = ""
        self.links: list[tuple[dict[str, str], str]] = []
        self._open: dict[str, str] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self._open = {name: value or "" for name, value in attrs}
            self.links.append((self._open, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._open = None

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._open is not None:
            given, said = self.links[-1]
            self.links[-1] = (given, said + data)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    for made in run_live(tmp_path_factory.mktemp("words"), rate_limit=0):
        for name, payload in PAYLOADS.items():
            made.analyser.pages[f"{name}.example"] = page_with(payload)
        made.analyser.pages["headers.example"], made.analyser.headers["headers.example"] = evil_page(), EVIL_HEADERS
        url = f"{EVIL}{ANSI}{TURNED}\r\nSet-Cookie: planted=1"
        error = PageError(PageErrorCode.TARGET_REFUSED, Cause.TARGET_REFUSED, redirects=1, url=url)
        made.analyser.not_seen["fails.example"] = PageUnavailable(error)
        yield made


def everything_of(live: Live, host: str) -> tuple[str, str]:
    """What the page of its report and its lists of links and images say to its owner, and to a guest."""
    email = live.email()
    made = live.client(email=email).report(f"https://{host}/")
    path = f"/r/{made['public_id']}"
    owner = live.signed_in(email)
    pages = [f"{path}?view=full", f"{path}/details/links", f"{path}/details/images"]
    said, told = ("".join(browser.get(page).text for page in pages) for browser in (owner, owner.guest()))
    assert Seen(told).mails == []  # links to fix a finding are for its owner to give away
    return said, told


@pytest.mark.parametrize("name", PAYLOADS)
def test_s31_what_a_page_says_stands_on_its_report_as_text(live: Live, name: str) -> None:
    for source in everything_of(live, f"{name}.example"):
        assert Seen(source).runs == []
        said = " ".join(Words(source).text.split())
        missing = [place for place in PLACES if visible(f"{place} {PAYLOADS[name]}") not in said]
        assert missing == []
        assert not CONTROLS.search(source)


@pytest.mark.parametrize("name", PAYLOADS)
def test_s31_what_a_page_says_stands_in_its_pdf_as_text(name: str) -> None:
    made = analyse(capture(page_with(PAYLOADS[name])))
    document = to_pdf(made, Sheet(tables=True))
    words = subprocess.run(["pdftotext", "-raw", "-", "-"], input=document, capture_output=True, check=True).stdout.decode()
    bare = re.sub("[\\s\u200b]", "", words)  # lines are broken at marks that nobody sees
    wanted = re.sub(r"\s|\u202e", "", PAYLOADS[name])
    assert [place for place in ("title", "alt", "anchor") if f"{place}{wanted}" not in bare] == []
    assert not CONTROLS.search(words.replace("\f", ""))
    assert b"/JavaScript" not in document


@pytest.mark.parametrize("name", PAYLOADS)
def test_s31_what_a_page_says_stands_in_the_terminal_as_text(findable: Run, site: Site, name: str) -> None:
    title = f"{PAYLOADS[name]} {'long ' * 40}"
    site.page("/", page(head=f"<title>{attribute(title)}</title>", body="<h1>x</h1>"))
    told = findable("audit", site.url(), "--all")
    assert told.returncode in (0, 1), told.stderr
    shown = re.sub(r"\s", "", told.stdout)
    assert re.sub(r"\s", "", PAYLOADS[name].replace("\u202e", "�")) in shown
    assert not CONTROLS.search(told.stdout + told.stderr)


# --- S33, S34 ---------------------------------------------------------------------------------------------------------

RUN = (
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "JaVa\tscript:alert(2)",
    " \x01javascript:alert(3)",
    "java\nscript:alert(4)",
    "blob:https://elsewhere.example/1",
    "file:///etc/passwd",
    "view-source:https://elsewhere.example/",
    "feed:javascript:alert(5)",
    "https://www.bank.example@elsewhere.example/",
    "https:\\\\www.bank.example:443@elsewhere.example\\",
)
SAFE = ("https://elsewhere.example/a", "http://elsewhere.example/b?c=<d>", "https://xn--bcher-kva.example/", "//third.example/x")


def test_s33_s34_s35_only_web_urls_of_a_page_become_links_and_nothing_is_loaded(live: Live) -> None:
    links = "".join(f'<a href="{attribute(url)}">link {number}</a>' for number, url in enumerate((*RUN, *SAFE)))
    pictures = "".join(f'<img src="{attribute(url)}" alt="x">' for url in (*RUN, *SAFE))
    live.analyser.pages["links.example"] = page(
        head='<link rel="icon" type="image/svg+xml" href="https://elsewhere.example/icon.svg"><link rel="icon" href="data:image/svg+xml,<svg onload=alert(1)>">'
        '<meta property="og:image" content="https://elsewhere.example/card.svg"><link rel="canonical" href="javascript:alert(6)">',
        body=links + pictures,
    )
    sources = {span.url for check in all_checks().values() for span in spans(unwrap_lines(check.documentation.sources))}
    for source in everything_of(live, "links.example"):
        assert Seen(source).runs == []
        words = Words(source)
        found = [(given["href"], said) for given, said in words.links if "found" in given.get("class", "")]
        assert {given["rel"] for given, _ in words.links if "found" in given.get("class", "")} == {"noopener noreferrer nofollow ugc"}
        ours = {given["href"]: given["rel"] for given, _ in words.links if "://" in given["href"] and "found" not in given.get("class", "")}
        assert set(ours.values()) <= {"noreferrer"}  # sources of rules
        assert set(ours) <= sources
        for href, said in found:
            url = urls.parse(href)
            assert url is not None
            assert url.is_http
            assert not url.username
            assert url.host in said or urls.display_host(url.host) in said, (href, said)
        assert {"https://elsewhere.example/a", "https://third.example/x"} <= {href for href, _ in found}
        for text in (
            "javascript:alert(1)",
            "vbscript:msgbox(1)",
            "https://elsewhere.example/icon.svg",
            "https://elsewhere.example/card.svg",
        ):
            assert text in words.text, text
        loaded = re.findall(
            r'<(?:img|script|link|source|video|iframe|object|embed)\b[^>]*?(?:src|href|srcset|data|poster)="([^"]*)"', source
        )
        assert [address for address in loaded if not address.startswith(("/static/", "/r/"))] == []


# --- S36 --------------------------------------------------------------------------------------------------------------


def test_s36_headers_of_a_server_stand_on_the_report_as_text(live: Live) -> None:
    for source in everything_of(live, "headers.example"):
        assert Seen(source).runs == []
        assert not CONTROLS.search(source)
        assert "<img src=x onerror=" not in source
        assert "Apache/1.0 <img src=x onerror=" in " ".join(Words(source).text.split())


def test_s36_what_a_server_says_when_it_fails_is_one_line_of_text(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    made = client.post("/reports", {"url": "https://fails.example/"}).json["data"]
    assert (made["status"], made["error"]["code"]) == ("failed", "target_refused")
    path = f"/r/{made['public_id']}"
    for who in (browser, client.guest()):
        reply = who.get(path)
        assert reply.status == 200
        assert Seen(reply.text).runs == []
        assert not CONTROLS.search(reply.text)
        assert "<img src=x onerror=" in Words(reply.text).text
        assert "planted" not in str(reply.headers)
    for ending in ("md", "csv", "pdf", "json"):
        reply = client.guest().get(f"{path}/report.{ending}")
        assert "planted" not in str(reply.headers)
        if ending != "pdf" and reply.status == 200:
            assert not CONTROLS.search(reply.text.replace("\ufeff", ""))
    for formatter in (LineFormatter(), JsonFormatter()):
        for record in caplog.records:
            line = formatter.format(record)
            assert not CONTROLS.search(line)
            assert "\n" not in line or record.exc_info


# --- S38 --------------------------------------------------------------------------------------------------------------

SEARCHED = (
    "/",
    "/projects",
    "/projects/script.example",
    "/projects/script.example/reports",
    "/findings",
    "/batches/1",
    "/account/keys",
    "/account/people",
    "/account/sessions",
)
SEARCHES = (
    "search",
    "project",
    "check",
    "verdict",
    "cursor",
    "sort_by",
    "sort",
    "page",
    "rating",
    "status",
    "done",
    "next",
    "per_page",
    "search_by",
)


@pytest.mark.parametrize(
    "text", sampled(['"><img src=x onerror=alert(1)>', "<script>alert(1)</script>", "{{7*7}}", "' onfocus='x' autofocus='"])
)
def test_s38_every_page_with_a_list_takes_every_search_as_text(live: Live, text: str) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    made = client.report("https://script.example/")
    lists = (
        *SEARCHED,
        f"/r/{made['public_id']}",
        f"/r/{made['public_id']}/history",
        "/sign-in",
        "/demonstration",
    )
    for path in (*lists, "/nothing", f"/{quote(text)}", f"/projects/{quote(text)}", f"/batches/{quote(text)}", f"/r/{quote(text)}/history"):
        searched, everything = f"search={quote(text)}", "&".join(f"{name}={quote(text)}" for name in SEARCHES)
        for query, statuses in (
            (searched, {200, 303, 404}),
            (f"check=noindex&{searched}", {200, 303, 404}),
            (everything, {200, 303, 400, 404, 422}),
        ):
            for who in (browser, client.guest()):
                reply = who.get(f"{path}?{query}")
                assert reply.status in statuses, (path, query)
                if reply.headers["Content-Type"].startswith("text/html"):
                    assert Seen(reply.text).runs == [], (path, query)
                    assert text not in re.sub(r"<title>[^<]*|<bdi>[^<]*", "", reply.text) or text == "{{7*7}}", (path, query)


def test_s38_what_was_searched_for_is_still_there_as_text(live: Live) -> None:
    email = live.email()
    live.client(email=email).report("https://script.example/")
    for path in ("/", "/projects", "/projects/script.example/reports"):
        source = live.signed_in(email).get(f"{path}?search={quote('<script>x')}").text
        assert "&lt;script&gt;x" in source, path


# --- S39 --------------------------------------------------------------------------------------------------------------

SINKS = """() => ["innerHTML", "outerHTML"].map(sink => {
  try { document.body.appendChild(document.createElement("p"))[sink] = "<b>x</b>"; return "let through"; } catch (error) { return error.name; }
}).concat([() => document.write("x"), () => document.body.insertAdjacentHTML("beforeend", "<b>x</b>"),
  () => trustedTypes.createPolicy("default", {createHTML: text => text}),
  () => { document.createElement("script").src = "/static/report.js"; }].map(use => {
  try { use(); return "let through"; } catch (error) { return error.name; }
}))"""


@needs_chromium
def test_s39_no_text_becomes_markup_in_a_browser_whatever_a_script_does(live: Live, window: Open) -> None:
    """Trusted Types: where a sink that reads markup slips into our scripts, browsers that know them refuse it."""
    made = live.client().report("https://script.example/")
    shown = window()
    for path in (f"/r/{made['public_id']}", "/", "/sign-in", "/demonstration"):
        shown.goto(f"http://127.0.0.1:{live.port}{path}")
        assert set(shown.evaluate(SINKS)) == {"TypeError"}, path


def test_s32_no_page_of_ours_holds_data_for_a_script(live: Live) -> None:
    """There is no data island that JSON of a page could leave: scripts come from files, and what they need stands in attributes."""
    live.analyser.pages["island.example"] = page(
        head='<script type="application/ld+json">{"@type": "Product", "name": "</scr\\u0069pt><script>alert(1)<\\/script>\\u2028\\u2029&"}</script>'
    )
    for source in everything_of(live, "island.example"):
        assert re.findall(r"<script(?![^>]* src=\"/static/)", source) == []
        assert not re.search("[\u2028\u2029]", source)
    made = live.client().report("https://island.example/")
    reply = live.client().guest().get(f"/r/{made['public_id']}/report.json")
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    assert json.loads(reply.body)["results"]


# --- S29 --------------------------------------------------------------------------------------------------------------

LOADED = """
import sys
import findable.cli.main, findable.web.app, findable.web.server, findable.worker.page_analyser, findable.worker.analysis_pool
import findable.service.reports.stored_images, findable.export.pdf, findable.export.pdf_content
print([name for name in sys.modules if name.split(".")[0] in {"PIL", "typst", "cairosvg", "wand"}])
"""


@pytest.mark.full
def test_s29_no_decoder_of_pictures_is_loaded_where_the_service_runs() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_s29_a_real_service_draws_nothing_of_bombs_and_scripts(live: Live) -> None:
    """The pictures of a report are of our making, or the placeholder: nothing of a page's own is given out under our address."""
    made = live.client().report("https://script.example/")
    for name in ("icon", "card"):
        reply = live.client().guest().get(f"/r/{made['public_id']}/{name}.png")
        assert (reply.status, reply.headers["Location"].partition("?")[0]) == (302, f"/static/no-{name}.svg")
