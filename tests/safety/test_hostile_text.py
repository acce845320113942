"""Text of hostile pages and servers wherever we show it: pages in Chromium, files, the terminal, the log."""

import csv
import json
import re
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Page

from findable.capture.saved import PIECE_BYTES, load
from findable.export.ci_comment import MARKER, CiComment
from findable.export.ci_subject import document, page_subject
from findable.export.github_annotations import GitHubAnnotations
from findable.export.html_report import HtmlReport
from findable.export.junit import JUnit
from findable.export.markdown import to_markdown
from findable.export.report_csv import to_csv
from findable.export.sarif import Sarif
from findable.reports.analysis import analyse
from findable.reports.report import Report
from findable.web.pages.shared.page_templates import STATIC_TYPES, static_files
from tests.browser import Open, needs_chromium
from tests.checks.harness import capture, page
from tests.cli.conftest import Run
from tests.safety.world import SAME
from tests.sites.server import Request, Site, Wire
from tests.tiers import sampled
from tests.web.live import Live, run_live

RUNS = "<img src=x onerror=\"document.title='owned'\">"
CLOSES = "</script></title></style></textarea></pre><script>document.title='owned'</script>"
TEMPLATE = "{{7*7}}${7*7}<%=7*7%>#{7*7}"
ANSI = "\x1b[2J\x1b]0;owned\x07\x9b31m"
TURNED = "\u202e\u2066"
EVIL = f"{RUNS}{CLOSES}{TEMPLATE}"
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def evil_page() -> str:
    """A page that says it in every place that a check reads."""
    text = escaped(EVIL) + TURNED
    links = "".join(
        f'<a href="{escaped(url)}">{text}</a>' for url in (f"/?q={EVIL}", "javascript:document.title='owned'", "JaVa\tscript:1")
    )
    item = {"@context": "https://schema.org", "@type": "Product", "name": EVIL, "url": "javascript:1", EVIL: EVIL}
    data = json.dumps(item).replace("</", r"<\/")
    return page(
        head=f"<title>{text}</title><meta name='description' content=\"{text}\"><meta name='robots' content=\"noindex {text}\">"
        f'<meta property="og:title" content="{text}"><meta property="og:image" content="javascript:{text}">'
        f'<link rel="canonical" href="javascript:{text}"><link rel="alternate" hreflang="{text}" href="/{text}">'
        f'<meta name="generator" content="WordPress {text}"><script type="application/ld+json">{data}</script>'
        f'<script type="application/ld+json">{{"@type": "{text}" broken</script>',
        body=f'<h1>{text}</h1><h3 id="{text}">{text}</h3><img src="/{text}.png" alt="{text}"><form action="javascript:1"><input name="{text}"></form>'
        f"{links}",
        lang=f'en" data-x="{text}',
    )


EVIL_HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Server", f"Apache/1.0 {EVIL}{ANSI}"),
    ("X-Powered-By", f"{EVIL}{ANSI}"),
    ("X-Robots-Tag", f"nosnippet, {EVIL}{ANSI}"),
    ("Link", f'<{EVIL}>; rel="canonical"'),
    ("Content-Security-Policy", f"default-src {EVIL}"),
    ("Set-Cookie", f"a={EVIL}"),
    ("Cache-Control", EVIL),
    ("Vary", EVIL),
)


@pytest.fixture(scope="module")
def evil() -> Report:
    return analyse(capture(evil_page(), headers=EVIL_HEADERS))


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    for made in run_live(tmp_path_factory.mktemp("hostile")):
        made.analyser.pages["evil.example"] = evil_page()
        yield made


RUNS_NOTHING = re.compile(r"https?://|/|#|\?|data:image/")
MAIL = re.compile(r"mailto:\?subject=([\w.~/%-]*)&body=(https?%3A//[\w.~/%-]+/fix/[rs]/[\w.~/%-]+)", re.ASCII)
"""A mail that the reader writes: to nobody yet, with one subject and the link of one finding, and no further header."""


def is_own_mail(address: str) -> bool:
    """Return whether a link opens a mail of ours, with a subject of one line."""
    found = MAIL.fullmatch(address)
    if found is None:
        return False
    subject, body = (unquote(part, errors="strict") for part in found.groups())
    return not CONTROLS.search(subject + body) and not re.search(r"[\r\n\t\u2028\u2029]", subject + body)


class Seen(HTMLParser):
    """What a page would do: scripts, handlers, styles, and addresses that run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.runs: list[tuple[str, str]] = []
        self.mails: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name.startswith("on") or name in ("style", "srcdoc"):
                self.runs.append((tag, name))
            if name in ("href", "src", "action", "formaction") and not RUNS_NOTHING.match(value or "#"):
                is_mail = (tag, name) == ("a", "href") and is_own_mail(value or "")
                if is_mail:
                    self.mails.append(value or "")
                else:
                    self.runs.append((tag, value or ""))
        if tag == "script" and not dict(attrs).get("src", "").startswith("/static/"):  # type: ignore[union-attr] # src has a value
            self.runs.append((tag, "inline"))


# --- pages ------------------------------------------------------------------------------------------------------------


def test_s31_s32_s37_no_page_of_ours_runs_what_a_page_says(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    made = client.report("https://evil.example/")
    client.put(f"/reports/{made['id']}", {"results": 1}, wait=60)
    path = f"/r/{made['public_id']}"
    for name in (path, "/", f"{path}/history", f"{path}/compare?from=1&to=2", f"{path}?run=1", "/findings?check=noindex"):
        for who in (browser, client.guest()):
            reply = who.get(name)
            if reply.status == 303:
                continue  # to sign in
            assert Seen(reply.text).runs == [], name
            assert not CONTROLS.search(reply.text), name
    text = browser.get(path).text
    assert "{{7*7}}${7*7}" in text
    assert text.partition("<body")[0].count("</title>") == 1


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{7*7}}", "' onmouseover='x", "\u202e"])
def test_s38_searches_and_addresses_are_text(live: Live, text: str) -> None:
    client = live.signed_in(live.email())
    program = live.client()
    for path in (
        "/?search=",
        "/?project=",
        "/findings?check=",
        "/findings?check=noindex&project=",
        "/docs/checks/",
        "/errors/",
        "/r/",
        "/",
    ):
        reply = client.get(f"{path}{quote(text)}")
        assert reply.status in (200, 404), path
        assert Seen(reply.text).runs == [], path
        assert text not in reply.text or text == "{{7*7}}", path
        assert "49" not in re.sub(r"\?v=[0-9a-f]+", "", reply.text) or text != "{{7*7}}"
    for path in ("/reports?search=", "/reports?project=", "/projects?search="):
        reply = program.get(f"{path}{quote(text)}")
        assert (reply.status, reply.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("text", [f"Ann {EVIL}", f"Ann {TURNED}{ANSI}", '"><script>1</script>'])
def test_s37_names_of_people_keys_and_reasons_are_text(live: Live, text: str) -> None:
    email = live.email()
    browser, client = live.signed_in(email), live.client(email=email)
    made = client.report("https://evil.example/reasons")
    assert browser.post("/account/profile", {"name": text, "language": "", "time_zone": ""}, SAME).status == 303
    assert browser.post("/account/keys", {"name": text, "scope": "read"}, SAME).status == 201
    fields = {"reason": text, "until": "", "scope": "report", "pattern": ""}
    client.put(f"/reports/{made['id']}/accepted/noindex", {"reason": text})
    browser.post(f"/r/{made['public_id']}/accepted/noindex", fields, SAME)
    for path in ("/account", "/account/keys", "/account/people", "/account/sessions", f"/r/{made['public_id']}", "/"):
        reply = browser.get(path)
        assert reply.status == 200
        assert Seen(reply.text).runs == [], path
        assert not CONTROLS.search(reply.text), path


def test_s37_the_agent_of_a_browser_is_text_among_sessions(live: Live) -> None:
    email = live.email()
    browser = live.signed_in(email)
    browser.get("/account/sessions", {"User-Agent": EVIL})
    assert Seen(browser.get("/account/sessions").text).runs == []


# --- JSON, SARIF and JUnit ----------------------------------------------------------------------------------------------

UNSEEN = "".join(map(chr, (0x7F, *range(0x80, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))))
"""DEL, C1, directions, line separators; C0 never comes raw."""


def unseen_in(encoded: bytes) -> set[str]:
    return set(UNSEEN) & set(encoded.decode())


@pytest.fixture(scope="module")
def unseen_page() -> str:
    # 0x80 to 0x9f as they are: a reference would be read as windows-1252
    return page(
        head=f"<title>a{UNSEEN}b</title>", body=f"<h1>{UNSEEN}</h1><a href='/{UNSEEN}'>{UNSEEN}</a><img src='/i.png' alt='{UNSEEN}'>"
    )


def test_s31_s36_no_control_of_a_page_stands_raw_in_a_gathered_page(findable: Run, site: Site, unseen_page: str) -> None:
    for name, more in (("/", ""), ("/large", "word " * (PIECE_BYTES // 4))):
        site.page(name, unseen_page.replace("</h1>", f"</h1><p>{more}</p>"))
        said = findable("gather", site.url(name)).stdout
        assert unseen_in(said.encode()) == set()
        read = load(said.encode()).page
        assert read is not None
        assert f"a{UNSEEN}b".encode() in read.response.body
    site.page("/many", f"<title>a</title><p>{UNSEEN * 2000}</p>")
    assert '"body":{"base64":' in findable("gather", site.url("/many")).stdout


COMMANDS = ("::stop-commands::x", "::error file=a::x", "##[group]x", "##vso[task.setvariable variable=a]x", "##teamcity[x y='z']")
"""Workflow commands of GitHub Actions, Azure Pipelines and TeamCity."""


@pytest.fixture(scope="module")
def commanding_page() -> str:
    """A page that says them at the beginning of texts, of lines, and after a long word."""
    links = "".join(
        f'<a href="/{number}">{said}</a><a href="/{number}?a" nofollow>{"w" * 60} {said}</a>'
        f"<a href='#x{number}\n{said}'>\n{said}</a><img src='/a b.png' alt='\n{said}'><p id='\n{said}'><i id='\n{said}'></i></p>"
        f"<h1>\n\r{said}</h1><h4>\n{said}</h4><iframe src='/x' title='\n{said}'></iframe>"
        for number, said in enumerate(COMMANDS)
    )
    data = '<script type="application/ld+json">{"@type": "Product",\n::error::x\n"name": "##[group]"</script>'
    return page(
        head=f"<title>{COMMANDS[0]}\n{' '.join(COMMANDS)}</title><meta name=robots content='noindex,\n{COMMANDS[1]}'>{data}", body=links
    )


def commands_in(printed: str, own: str = "") -> list[str]:
    """What a CI system would execute: ``::`` begins a line of GitHub, the others are found anywhere."""
    lines = [line.strip() for line in re.split(r"[\r\n]", printed)]
    found = [line for line in lines if line.startswith("::") and not (own and re.match(own, line))]
    return found + re.findall(r"##(?:\[|vso\[|teamcity\[).*", printed)


FORMATS = ("text", "junit", "csv", "html", "json", "markdown", "sarif", "gitlab", "github", "comment", "fixes")


@pytest.mark.parametrize("format_", sampled(FORMATS))
def test_s31_no_line_of_a_ci_log_begins_with_a_command_of_a_page(
    findable: Run, site: Site, commanding_page: str, format_: str, tmp_path: Path
) -> None:
    site.page("/", commanding_page)
    own = r"::(?:error|warning|notice) (?:file=[^:]*,)?title=Findable" if format_ == "github" else ""
    for command in (("audit", "--all"), ("crawl", "--store", str(tmp_path / "crawl"), "--pages", "3", "--render", "never")):
        name, *options = command
        if (name, format_) == ("crawl", "text"):
            options += ["--all"]
        found = findable(name, site.url(), "--format", format_, *options)
        assert "stop-commands" in found.stdout or name == "crawl" or format_ == "comment", found.stderr
        assert commands_in(found.stdout, own) == []
        assert commands_in(found.stderr) == []


@pytest.mark.parametrize("first", sampled(["##[group]x ", ""]))
def test_s31_what_became_worse_or_better_since_a_baseline_begins_no_command(
    findable: Run, site: Site, commanding_page: str, tmp_path: Path, first: str
) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    site.page("/", page(head="<title>Bread of Kassel</title>", body="<h1>Bread</h1>"))
    before.write_text(findable("audit", site.url(), "--format", "json").stdout)
    site.page("/", commanding_page.replace("<title>", f"<title>{first}"))
    gated = findable("audit", site.url(), "--format", "json", "--baseline", str(before), "--fail-on", "new")
    after.write_text(gated.stdout)
    worse, fixed = (findable("diff", str(one), str(other)) for one, other in ((before, after), (after, before)))
    for said in (gated.stderr, worse.stdout, fixed.stdout):
        assert "::stop-commands::x" in said
        assert commands_in(said) == []


def test_s31_commands_of_a_page_are_intact_for_readers_of_the_files(findable: Run, site: Site, commanding_page: str) -> None:
    site.page("/", commanding_page)
    said = findable("audit", site.url(), "--format", "json").stdout
    assert "##[group]x" in json.dumps(json.loads(said))
    tree = ET.fromstring(findable("audit", site.url(), "--format", "junit").stdout)
    assert "##[group]x" in "".join(tree.itertext())


@pytest.mark.parametrize("format_", ["json", "sarif", "junit"])
def test_s31_s36_no_control_of_a_page_stands_raw_in_files_of_the_command(
    findable: Run,
    site: Site,
    unseen_page: str,
    format_: str,
) -> None:
    site.page("/", unseen_page)
    said = findable("audit", site.url(), "--format", format_).stdout
    assert "b" in said
    assert unseen_in(said.encode()) == set()
    if format_ == "json":
        assert set("\x9b\u202e\u2066") < set(json.dumps(json.loads(said), ensure_ascii=False))


def test_s31_s36_no_control_of_a_page_stands_raw_in_what_the_service_sends(live: Live, unseen_page: str) -> None:
    live.analyser.pages["unseen.example"] = unseen_page
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    made = client.report("https://unseen.example/")
    assert set("\x9b\u202e\u2066") < set(json.dumps(made, ensure_ascii=False))
    for reply in (
        client.get(f"/reports/{made['id']}"),
        client.get(f"/reports/{made['id']}/runs/1"),
        client.put(f"/reports/{made['id']}/client", json.dumps({"summary": UNSEEN}), {"Content-Type": "application/json"}),
        client.get(f"/reports?search={quote(UNSEEN)}"),
        client.post("/reports", {"url": f"ftp://{UNSEEN}"}),
        browser.get(f"/r/{made['public_id']}/report.json"),
        browser.get(f"/r/{made['public_id']}/report.md"),
        browser.get(f"/r/{made['public_id']}/report.csv"),
        browser.get(f"/r/{made['public_id']}/evidence"),
    ):
        assert reply.status in (200, 422)
        assert unseen_in(reply.body) == set(), reply.text[:200]


# --- what owners write and send ---------------------------------------------------------------------------------------

FORMULA = '=HYPERLINK("http://evil.example/","x")'


@pytest.mark.parametrize("text", [f"{EVIL}", f"{FORMULA}{TURNED}{ANSI}", '"><script>1</script>', "@SUM(1)\t\r\n=1+1\r\n<b>b</b>"])
def test_s31_s46_what_is_written_for_a_client_is_text(live: Live, text: str) -> None:
    email = live.email()
    browser, client = live.signed_in(email), live.client(email=email)
    made = client.report("https://evil.example/client")
    written = {"summary": text, "notes": {"noindex": text}, "prepared_by": text[:200], "prepared_for": text[:200]}
    kept = client.put(f"/reports/{made['id']}/client", json.dumps(written), {"Content-Type": "application/json"})
    assert kept.status in (200, 422), kept.text
    if kept.status == 422:  # names stand on one line
        assert set(kept.json["errors"]) <= {"prepared_by", "prepared_for"}
        written = {**written, "prepared_by": EVIL[:200], "prepared_for": EVIL[:200]}
        assert client.put(f"/reports/{made['id']}/client", json.dumps(written), {"Content-Type": "application/json"}).status == 200
    at = f"/r/{made['public_id']}"
    for path in (at, f"{at}/client", f"{at}/link", f"{at}/history"):
        for who in (browser, client.guest()):
            reply = who.get(path)
            if reply.status == 200:
                assert Seen(reply.text).runs == [], path
                assert not CONTROLS.search(reply.text), path
    guest = client.guest()
    assert not live_cells(guest.get(f"{at}/report.csv").text)
    shown = Seen(MarkdownIt("commonmark", {"html": True}).render(guest.get(f"{at}/report.md").text))
    assert shown.runs == []
    assert {"script", "img", "title", "style", "b"}.isdisjoint(shown.tags)
    assert not CONTROLS.search(guest.get(f"{at}/report.md").text)
    assert guest.get(f"{at}/report.json").json["client"]["notes"]["noindex"]
    document = guest.get(f"{at}/report.pdf").body
    assert document.startswith(b"%PDF")
    told = [
        subprocess.run([program, *more], input=document, capture_output=True, check=True).stdout.decode() for program, *more in PDF_READERS
    ]
    assert not CONTROLS.search("".join(told).replace("\f", ""))
    assert "JavaScript:      no" in told[1]


PDF_READERS = (("pdftotext", "-", "-"), ("pdfinfo", "-"))


def live_cells(text: str) -> list[str]:
    """Cells that a spreadsheet would run."""
    rows = csv.reader(text.removeprefix("\ufeff").splitlines(keepends=True))
    return [cell for row in rows for cell in row if re.match(r"\s*[=+\-@\t\r]", cell) and not re.fullmatch(r"-?\d+(?:\.\d+)?", cell)]


HOSTILE_URLS = (
    'https://formula.example/=HYPERLINK(1)?a="><script>alert(1)</script>',
    "https://formula.example/\u202e@SUM(1+1)*cmd|'%20/C%20calc'!A0",
    "https://formula.example/%0d%0a=1+1,%22=1+1",
    "https://formula.example/-1+1{{7*7}}#<img src=x onerror=alert(1)>",
)


def test_s31_s46_addresses_are_text_in_the_list_of_a_project_and_in_a_batch(live: Live) -> None:
    email = live.email()
    browser, client = live.signed_in(email), live.client(email=email)
    made = client.post("/batches", json.dumps({"urls": [*HOSTILE_URLS, RUNS, FORMULA]}), {"Content-Type": "application/json"})
    assert (made.status, made.headers["Content-Type"]) == (202, "application/json")
    batch = browser.get(f"/batches/{made.json['data']['id']}")
    assert batch.status == 200
    assert "&lt;img src=x" in batch.text
    assert Seen(batch.text).runs == []
    assert not CONTROLS.search(batch.text)
    for url in HOSTILE_URLS:
        assert client.post("/reports", json.dumps({"url": url}), {"Content-Type": "application/json"}).status == 201
    listed = browser.get("/projects/formula.example/reports.csv")
    assert listed.headers["Content-Disposition"] == 'attachment; filename="findable-formula.example.csv"'
    assert len(listed.text.splitlines()) > len(HOSTILE_URLS)
    assert not live_cells(listed.text)
    assert not CONTROLS.search(listed.text.replace("\ufeff", ""))
    for path in ("/", "/projects/formula.example", "/projects"):
        reply = browser.get(path)
        assert Seen(reply.text).runs == [], path
        assert not CONTROLS.search(reply.text), path
    refused = browser.post("/reports", {"url": RUNS}, SAME)
    assert refused.status == 422
    assert Seen(refused.text).runs == []
    assert "&lt;img src=x" in refused.text


# --- in Chromium ------------------------------------------------------------------------------------------------------

WATCH = """() => {
  window.inserted = [];
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) {
      const elements = node.querySelectorAll ? [node, ...node.querySelectorAll("*")] : [];
      for (const element of elements) {
        window.inserted.push(element.localName);
        for (const attribute of element.attributes) {
          if (attribute.name.startsWith("on") || /^\\s*javascript:/i.test(attribute.value)) window.inserted.push(`!${attribute.name}`);
        }
      }
    }
  }).observe(document, { childList: true, subtree: true });
}"""


@needs_chromium
def test_s31_s39_nothing_runs_in_a_browser_and_scripts_insert_no_markup(live: Live, window: Open) -> None:
    email = live.email()
    client = live.client(email=email)
    made = client.report("https://evil.example/")
    origin = f"http://127.0.0.1:{live.port}"
    shown: Page = window(cookies=live.signed_in(email).cookies, origin=origin)
    faults: list[str] = []
    shown.on("dialog", lambda dialog: faults.append(dialog.message))
    shown.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    shown.on("pageerror", lambda error: faults.append(str(error)))
    asked: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    for path in (f"/r/{made['public_id']}", "/", "/findings?check=noindex", f"/r/{made['public_id']}/history"):
        shown.goto(origin + path)
        shown.evaluate(f"({WATCH})()")
        for button in shown.locator("button[data-agent]:visible, button[data-agent-all]:visible, button.copy:visible").all()[:6]:
            button.click()
        shown.wait_for_load_state("networkidle")
        assert "!" not in "".join(shown.evaluate("window.inserted"))
        assert set(shown.evaluate("window.inserted")) <= {"textarea", "button", "span"}
        assert shown.title() != "owned"
        assert shown.locator("script:not([src^='/static/']), [onerror], iframe, object, embed").count() == 0
    assert faults == []
    assert {url for url in asked if not url.startswith((origin, "data:"))} == set()


def test_s39_our_scripts_use_no_sink_that_reads_markup() -> None:
    sinks = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|parseFromString|setHTMLUnsafe|\beval\(|new Function|srcdoc"
        r"|setTimeout\(\s*[\"'`]|\.on[a-z]+\s*=|location\s*=|javascript:"
    )
    scripts = {name: body.decode() for name, body in static_files().items() if name.endswith(".js")}
    assert scripts
    assert set(STATIC_TYPES) == {"css", "svg", "js"}
    assert {name: found for name, text in scripts.items() if (found := sinks.findall(text))} == {}


# --- files ------------------------------------------------------------------------------------------------------------


def test_s31_s36_s46_files_hold_text(evil: Report) -> None:
    for row in csv.reader(to_csv(evil).decode("utf-8-sig").splitlines()):
        assert not [cell for cell in row if re.match(r"[=+\-@\t\r]", cell) and not re.fullmatch(r"-?\d+(?:\.\d+)?", cell)]
    ET.fromstring(document(JUnit(), [page_subject(evil)]))
    assert "<script>" in json.dumps(json.loads(document(Sarif(), [page_subject(evil)])))
    comment = document(CiComment(), [page_subject(evil)]).decode().removeprefix(MARKER)
    for text in (to_markdown(evil), comment):
        shown = Seen(MarkdownIt("commonmark", {"html": True}).render(text))
        assert shown.runs == []
        assert {"script", "img", "title", "style"}.isdisjoint(shown.tags)
    page = Seen(document(HtmlReport(), [page_subject(evil)]).decode().partition("</style>")[2])
    assert page.runs == []
    assert {"script", "img", "title", "style", "link", "iframe"}.isdisjoint(page.tags)
    commands = document(GitHubAnnotations(), [page_subject(evil)]).decode().splitlines()
    assert all(re.match(r"::(?:error|warning|notice) ", line) for line in commands)
    shown = Seen(MarkdownIt("commonmark", {"html": True}).render(to_markdown(evil)))
    assert shown.runs == []
    assert {"script", "img", "title", "style"}.isdisjoint(shown.tags)
    assert not CONTROLS.search(to_markdown(evil))


# --- terminal and log -------------------------------------------------------------------------------------------------


def raw_answer(status: bytes, *lines: bytes, body: bytes = b"") -> Any:
    async def send(_request: Request, wire: Wire) -> None:
        await wire.send(b"\r\n".join((b"HTTP/1.1 " + status, *lines, b"Content-Length: %d" % len(body), b"", body)))

    return send


HOSTILE_LINES = [f"{name}: {value}".encode("latin-1") for name, value in EVIL_HEADERS]


@pytest.mark.parametrize("format_", ["text", "markdown", "csv"])
def test_s36_the_terminal_shows_what_a_server_says_as_text(findable: Run, site: Site, format_: str) -> None:
    site.handler("/", raw_answer(b"200 OK", *HOSTILE_LINES, body=evil_page().encode()))
    done = findable("audit", site.url(), "--format", format_, *(["--all"] if format_ == "text" else []))
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout
    assert not CONTROLS.search(done.stdout)
    assert not CONTROLS.search(done.stderr)


@pytest.mark.parametrize(
    "answer",
    [
        raw_answer(b"503 " + ANSI.encode("latin-1") + EVIL.encode(), *HOSTILE_LINES, body=EVIL.encode()),
        raw_answer(b"302 Found", b"Location: http://" + EVIL.encode() + ANSI.encode("latin-1") + b"/"),
        raw_answer(b"302 Found", b"Location: javascript:" + EVIL.encode() + ANSI.encode("latin-1")),
        raw_answer(b"200 OK", b"Content-Type: " + EVIL.encode() + ANSI.encode("latin-1"), body=EVIL.encode()),
        raw_answer(b"200 OK", b"Content-Encoding: " + EVIL.encode() + ANSI.encode("latin-1"), body=EVIL.encode()),
    ],
    ids=["reason", "location", "scheme", "type", "coding"],
)
def test_s36_failures_of_a_server_are_told_without_its_controls(findable: Run, site: Site, answer: Any) -> None:
    site.handler("/", answer)
    done = findable("audit", site.url())
    assert done.returncode in (0, 1, 3), done.stderr
    assert not CONTROLS.search(done.stdout + done.stderr)
    told = json.loads(findable("audit", site.url(), "--format", "json").stdout)
    whole = json.dumps(told, ensure_ascii=False)
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", whole)
