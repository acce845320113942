import gzip
import html
import re
import threading
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import msgspec
import pytest

from findable.checks.engine import all_checks
from findable.reports.analysis import analyse
from findable.reports.prose import spans, unwrap_lines
from findable.reports.reported_finding import AcceptanceTerms
from findable.web.pages.report.first_fixes import nothing_to_fix
from findable.web.pages.shared.page_templates import static_url
from findable.web.pages.shared.untrusted_text import isolated, mark_spot, sentence, visible
from findable.wording import ENGLISH
from tests.checks.harness import capture, page
from tests.web.live import Client, Live, run_live

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


class Links(HTMLParser):
    """Every attribute that loads or leads somewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.hrefs: list[tuple[str, str]] = []
        self.loads: list[str] = []
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.handlers += [name for name in given if name.startswith("on") or name == "style"]
        if tag == "a":
            self.hrefs.append((given.get("href", ""), given.get("rel", "")))
        elif tag == "link":
            self.loads.append(given.get("href", ""))
        self.loads += [given[name] for name in ("src", "srcset", "data") if name in given]


def shared(client: Client, url: str = "https://good.example/", **fields: object) -> tuple[Client, str]:
    report = client.report(url, **fields)
    return client.guest(), f"/r/{report['public_id']}"


def test_a_public_report_is_for_anyone_with_the_link(client: Client) -> None:
    guest, path = shared(client, "https://bad.example/")
    reply = guest.get(f"{path}?view=full")
    assert reply.status == 200
    text = html.unescape(reply.text)
    assert "Bad" in text
    assert "of 100" in text
    assert "What search engines may do with this page" in text
    assert "Fix first" in text
    assert reply.headers["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex">' in text
    assert reply.headers["Cache-Control"] == "no-cache"


def test_s40_headers(client: Client) -> None:
    guest, path = shared(client)
    headers = guest.get(path).headers
    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Strict-Transport-Security"] is None
    guest, path = shared(client, privacy=2, password="pw")
    assert guest.get(path).headers["Referrer-Policy"] == "no-referrer"


def test_an_etag_saves_a_public_page(client: Client) -> None:
    guest, path = shared(client)
    tag = guest.get(path).headers["ETag"]
    assert guest.get(path, {"If-None-Match": tag}).status == 304


def test_s31_text_of_the_page_is_text(client: Client) -> None:
    guest, path = shared(client, "https://hostile.example/")
    text = guest.get(path).text
    names = ("times.js", "report.js", "findings.js")
    assert re.findall(r"<script.*?<", text) == [f'<script src="{static_url(name)}" defer><' for name in names]
    found = Links(text)
    assert found.handlers == []
    assert {"iframe", "object", "embed"}.isdisjoint(found.tags)
    assert "49" not in re.findall(r"<title>(.*?)</title>", text)[0]
    assert "{{7*7}}" in text


CONTROLS = "\u202e\u202a\u2066\u2069\u200b\x9b\ufeff"


def test_s31_controls_in_a_page_do_not_turn_ours_round(client: Client, live: Live) -> None:
    title = f"Invoice {CONTROLS}fdp.exe"
    live.analyser.pages["turns.example"] = page(
        head=f'<title>{title}</title><meta name="description" content="{title}"><meta name="robots" content="noindex {CONTROLS}">',
        body=f'<h1>{title}</h1><h2>{title}</h2><a href="/x{CONTROLS}">{title}</a><img src="/a.png" class="{CONTROLS}">',
    )
    guest, path = shared(client, "https://turns.example/")
    text = html.unescape(guest.get(path).text)
    assert {control for control in CONTROLS if control in text} == set()
    assert "Invoice ⟨U+202E⟩⟨U+202A⟩" in text
    assert f"<bdi>Invoice {visible(CONTROLS)}fdp.exe</bdi></h1>" in text


def test_an_arabic_value_leaves_the_order_of_our_sentence_alone() -> None:
    shown = isolated("canonical is مخبز, 2 more", ["مخبز", "more"])
    assert shown == "canonical is <bdi>مخبز</bdi>, 2 more"
    assert isolated("a < b", ["b"]) == "a &lt; b"


def test_fixes_are_pasted_with_the_address_of_the_page(live: Live, client: Client) -> None:
    live.analyser.pages["without-canonical.example"] = page(head="<title>Bread and rolls</title>")
    guest, path = shared(client, "https://without-canonical.example/a?b=1&c='2'")
    text = guest.get(f"{path}?view=full").text
    assert "&lt;link rel=&#34;canonical&#34; href=&#34;https://without-canonical.example/a?b=1&amp;amp;c=%272%27&#34;&gt;" in text
    assert "www.example.com" not in text.partition('id="canonical-valid"')[2].partition('<li class="card')[0]


def test_marks_stand_in_escaped_source() -> None:
    assert mark_spot('<a href="x">', ["", "y", 'href="x"']) == "&lt;a <mark>href=&#34;x&#34;</mark>&gt;"
    assert mark_spot("<b>", ["<b>"]) == "&lt;b&gt;"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the page", "The page."),
        ("jQuery is old", "jQuery is old."),
        ("why?", "Why?"),
        ("", ""),
        ("https://x.example/ answers", "https://x.example/ answers."),
    ],
)
def test_findings_are_sentences(text: str, said: str) -> None:
    assert sentence(text) == said


def test_the_largest_reports_stay_small(client: Client, live: Live) -> None:
    random = Random(7)

    def word() -> str:
        return "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(4, 12)))

    body = "".join(
        f'<h2>{word()} {word()}</h2><a href="http://{word()}.example/{word()}" rel="nofollow"></a><img src="/{word()}.jpg"><iframe src="/{word()}"></iframe>'
        f'<script src="https://{word()}.example/{word()}.js"></script><p style="color:{word()}" id="{number // 2}">{word()} {word()}</p>'
        for number in range(1500)
    )
    live.analyser.pages["large.example"] = page(body=body)
    _, path = shared(client, "https://large.example/")
    assert len(gzip.compress(client.guest().get(path).body)) <= 150_000


def test_the_language_is_part_of_the_etag(client: Client) -> None:
    guest, path = shared(client)
    english, german = (guest.get(path, {"Accept-Language": language}) for language in ("en", "de"))
    assert english.headers["ETag"] != german.headers["ETag"]
    assert english.headers["Vary"] == "Cookie, Accept-Language, Accept-Encoding"
    assert guest.get(path, {"Accept-Language": "de", "If-None-Match": english.headers["ETag"]}).status == 200
    assert guest.get(path, {"Accept-Language": "de", "If-None-Match": german.headers["ETag"]}).status == 304
    assert '<html lang="de">' in german.text


def test_s33_s34_found_links(client: Client) -> None:
    guest, path = shared(client, "https://hostile.example/")
    hrefs = Links(guest.get(path).text).hrefs
    assert all(href.startswith(("/", "#", "https://", "http://")) for href, _ in hrefs)
    sources = {span.url for check in all_checks().values() for span in spans(unwrap_lines(check.documentation.sources))}
    assert {rel for href, rel in hrefs if href.startswith("http") and href not in sources} == {"noopener noreferrer nofollow ugc"}
    assert {rel for href, rel in hrefs if href in sources} == {"noreferrer"}


def test_s35_nothing_is_loaded_from_elsewhere(client: Client) -> None:
    guest, path = shared(client, "https://hostile.example/")
    assert all(address.startswith(("/static/", f"{path}/")) for address in Links(guest.get(path).text).loads)


def test_s38_a_404_page_is_escaped(live: Live) -> None:
    reply = Client(live.port, prefix="").get("/%3Cscript%3Ealert(1)%3C/script%3E")
    assert reply.status == 404
    assert "<script" not in reply.text


def test_a_page_that_was_not_seen_says_why_and_what_to_do(client: Client) -> None:
    guest, path = shared(client, "https://times-out.example/")
    text = guest.get(path).text
    assert "<strong>The page cannot be reached. " in text
    assert "the page could not be loaded" in text
    assert "did not load in time" in text
    assert "What to do:" in text
    assert "of 100" not in text


def test_a_report_that_is_being_made_reloads_itself(client: Client, live: Live) -> None:
    held = live.analyser.held["waits.example"] = threading.Event()
    made = client.post("/reports", {"url": "https://waits.example/"}, wait=0).json["data"]
    text = client.guest().get(f"/r/{made['public_id']}").text
    assert '<meta http-equiv="refresh"' in text
    assert "This report is being generated" in text
    held.set()
    client.get(f"/reports/{made['id']}", wait=60)
    assert 'http-equiv="refresh"' not in client.guest().get(f"/r/{made['public_id']}").text


# --- privacy ----------------------------------------------------------------------------------------------------------


def test_s57_private_deleted_and_missing_look_the_same(client: Client) -> None:
    guest, private = shared(client, privacy=1)
    report = client.report()
    client.delete(f"/reports/{report['id']}")
    pages = {(guest.get(path).status, guest.get(path).body) for path in (private, f"/r/{report['public_id']}", "/r/nothing", "/r/%00")}
    assert len(pages) == 1
    assert next(iter(pages))[0] == 404


def test_a_private_report_is_shown_to_its_owner(live: Live) -> None:
    email = live.email()
    _, path = shared(live.client(email=email), privacy=1)
    reply = live.signed_in(email).get(path)
    assert reply.status == 200
    assert "Private: only people with access" in reply.text
    assert reply.headers["Cache-Control"] == "private, no-store"
    stranger = live.signed_in(live.email()).get(path)
    assert stranger.status == 404
    assert 'href="/sign-in"' not in stranger.text
    assert 'href="/sign-in"' in live.client().guest().get(path).text, "it may be a report of whoever is not signed in here"


def test_s51_before_unlocking_nothing_is_told(client: Client) -> None:
    guest, path = shared(client, "https://bad.example/secret-page", privacy=2, password="pw")
    reply = guest.get(path)
    assert reply.status == 200
    for told in ("bad.example", "secret-page", "of 100", "Bad", "noindex in"):
        assert told not in reply.text
    assert "<title>Private report</title>" in reply.text


def form(password: str) -> dict[str, str]:
    return {"password": password}


def unlocked(guest: Client, path: str, password: str) -> Client:
    reply = guest.post(path, form(password), {"Sec-Fetch-Site": "same-origin"})
    assert reply.status == 303, reply.text
    assert reply.headers["Location"] == path
    cookie = reply.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    name, _, rest = cookie.partition("=")
    return Client(guest.port, cookies={name: rest.partition(";")[0]}, prefix="")


def test_s56_the_password_opens_it_until_it_changes(client: Client) -> None:
    report = client.report(privacy=2, password="open sesame")
    guest, path = client.guest(), f"/r/{report['public_id']}"
    inside = unlocked(guest, path, "open sesame")
    assert "of 100" in inside.get(path).text
    assert inside.get(path).headers["Cache-Control"] == "private, no-store"
    client.put(f"/reports/{report['id']}", {"password": "another", "privacy": 2})
    assert "This report has a password" in inside.get(path).text
    inside = unlocked(guest, path, "another")
    client.put(f"/reports/{report['id']}", {"privacy": 1})
    assert inside.get(path).status == 404


@pytest.mark.parametrize("password", [" leading", "ünïcödé", "emoji 😀", "a" * 200, "a&b=c+d%20e"])
def test_s58_passwords_are_taken_as_they_are(client: Client, password: str) -> None:
    guest, path = shared(client, privacy=2, password=password)
    unlocked(guest, path, password)


def test_a_wrong_password_asks_again(client: Client) -> None:
    guest, path = shared(client, privacy=2, password="pw")
    for wrong in ("wrong", "", "pw ", "x" * 10_000):
        reply = guest.post(path, form(wrong))
        assert reply.status == 403
        assert "Set-Cookie" not in reply.headers
    assert "The password is wrong." in reply.text
    assert guest.post(path, b"password=%00").status == 400


def test_the_language_of_a_locked_link_stays(client: Client) -> None:
    guest, path = shared(client, privacy=2, password="pw")
    assert "Das Passwort ist falsch." in guest.post(f"{path}?language=de", form("wrong")).text
    assert guest.post(f"{path}?language=de", form("pw")).headers["Location"] == f"{path}?language=de"


def test_s53_ten_wrong_tries_are_the_end_for_a_while(tmp_path: Path) -> None:
    with contextmanager(run_live)(tmp_path / "data") as live:  # tries are counted by address too: the other tests share ours
        email = live.email()
        guest, path = shared(live.client(email=email), privacy=2, password="pw")
        replies = [guest.post(path, form("wrong")) for _ in range(11)]
        assert replies[-1].status == 429
        assert int(replies[-1].headers["Retry-After"]) >= 1
        assert live.signed_in(email).get(path).status == 200


def test_a_password_for_what_has_none_is_not_found(client: Client) -> None:
    guest, path = shared(client, privacy=1)
    assert guest.post(path, form("pw")).status == guest.post("/r/nothing", form("pw")).status == 404


HELD = page(
    head='<title>Held down by one</title><link rel="canonical" href="https://held.example/other">',
    body="<h1>A page</h1>" + "<p>A few words about the page.</p>" * 10,
)


def legend(client: Client, url: str) -> str:
    guest, path = shared(client, url)
    found = guest.get(path).text.partition('<ul class="legend">')[2].partition("</ul>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", found).split())


def test_the_bar_says_why_the_page_has_this_score(live: Live, client: Client) -> None:
    live.analyser.pages["held.example"] = HELD
    assert legend(client, "https://bad.example/") == "15 now 30 after the first 3 fixes decent from 47 good from 85"
    assert legend(client, "https://held.example/") == "15 now 73 after the first 3 fixes: decent decent from 47 good from 85"


def test_the_first_screen_says_what_limits_the_score_and_which_fixes_pay(live: Live, client: Client) -> None:
    live.analyser.pages["held.example"] = HELD
    guest, path = shared(client, "https://bad.example/")
    text = guest.get(path).text
    assert "Limited to 15 by 1 problem, listed first." in text
    assert '<span class="marked">then Google can index it</span>' in text or "· then Google can index it</span>" in text
    guest, path = shared(client, "https://held.example/")
    text = guest.get(path).text
    assert gains(text) == ["+31 points", "+15 points", "+12 points"]
    assert re.findall(r"<span>(−\d+)</span>", text)[:3] == ["−31", "−15", "−12"]


def gains(text: str) -> list[str]:
    return re.findall(r'<b class="gain">([^<]+)</b>', text)


def test_one_sentence_says_whether_google_can_list_the_page(live: Live, client: Client) -> None:
    live.analyser.pages["other.example"] = page(head='<link rel="canonical" href="https://other.example/elsewhere">')
    said = {
        "https://good.example/": "Google can index this page.",
        "https://bad.example/": "Google cannot index this page: it is noindex.",
        "https://other.example/": "Google does not index this page: it declares another page as canonical.",
    }
    for url, words in said.items():
        guest, path = shared(client, url)
        assert f"<strong>{words}</strong>" in guest.get(path).text, url


def test_a_covered_finding_links_to_the_one_that_reports_its_cause(live: Live, client: Client) -> None:
    live.analyser.pages["covered.example"] = page(head='<title>Covered</title><link rel="canonical" href="http://covered.example/">')
    guest, path = shared(client, "https://covered.example/")
    text = guest.get(f"{path}?view=full").text
    assert '<a href="#canonical-valid">Covered by “' in text
    assert 'id="canonical-valid"' in text


def test_the_owner_has_the_link_of_a_page_that_was_not_seen(live: Live) -> None:
    email = live.email()
    _, path = shared(live.client(email=email), "https://times-out.example/")
    text = live.signed_in(email).get(path).text
    assert f'{path}"' in text.partition('id="link"')[2].partition(">")[0]
    assert "report.json" not in text
    assert 'id="share"' not in live.client().guest().get(path).text


def test_a_report_without_problems_says_that_there_is_nothing_to_fix() -> None:
    one = analyse(capture(page()))
    good = msgspec.structs.replace(one, findings=tuple(found for found in one.findings if not found.has_problem))
    accepted = [msgspec.structs.replace(found, accepted=AcceptanceTerms("known", "")) for found in one.findings if found.has_problem]
    kept = msgspec.structs.replace(good, findings=(*good.findings, *accepted))
    assert nothing_to_fix(one, ENGLISH) == ""
    assert nothing_to_fix(good, ENGLISH) == "Nothing to fix: no check found a problem or a warning."
    assert nothing_to_fix(kept, ENGLISH) == f"Nothing left to fix: {len(accepted)} findings are accepted."
