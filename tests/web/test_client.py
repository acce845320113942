"""What an owner writes and chooses for those who get the link: words, sections, run, brand, language, the link itself."""

import html
import io
import json
import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from PIL import Image

from findable.service.accounts import callers
from findable.service.projects import projects
from findable.service.values.caller import Caller
from findable.service.values.project_values import ProjectChanges
from tests.checks.harness import page
from tests.external import needs
from tests.web.live import BAD_PAGE, PLAIN_PAGE, Client, Live, Reply
from tests.web.test_manage import SAME, owned
from tests.web.test_share_page import unlocked

SECTIONS = ("search", "fixes", "outside", "findings", "counted", "facts", "evidence")


def caller_of(live: Live, client: Client) -> Caller:
    return callers.authenticate_key(live.service, client.key)


def written(browser: Client, path: str, fields: Mapping[str, str], sections: tuple[str, ...] = SECTIONS) -> None:
    body = {**fields, "sections": "\n".join(sections)}
    reply = browser.post(f"{path}/client", body, SAME)
    assert (reply.status, reply.headers["Location"]) == (303, path), reply.text


def presented(live: Live, client: Client, project: str, **changes: Any) -> None:
    projects.update(live.service, caller_of(live, client), project, ProjectChanges(**changes))


def logo() -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (240, 80), "#1a5442").save(made, "PNG")
    return made.getvalue()


# --- words ------------------------------------------------------------------------------------------------------------


def test_guests_read_what_the_owner_wrote(live: Live) -> None:
    client, browser, _, path = owned(live, url="https://bad.example/")
    summary = "First line.\nSecond line.\n\nA <b>new</b> paragraph \u202eturned\u202c."
    written(browser, path, {"summary": summary, "prepared_for": "Miller & Sons", "prepared_by": "Ann Berg", "note.noindex": "Ask\nthem."})
    text = client.guest().get(path).text
    assert '<p class="written" dir="auto">First line.\nSecond line.\n\nA &lt;b&gt;new&lt;/b&gt; paragraph ⟨U+202E⟩turned' in text
    assert "\u202e" not in text
    assert "Miller &amp; Sons" in text
    card = text.partition('id="noindex"')[2].partition('</li>\n<li class="card')[0]
    assert "Our note" in card
    assert ">Ask\nthem.</p>" in card
    form = html.unescape(browser.get(f"{path}/client").text)
    assert "Second line." in form
    assert ">Ask\nthem.</textarea>" in form


def test_notes_stay_when_the_finding_comes_and_goes(live: Live) -> None:
    host = "comes-and-goes.example"
    live.analyser.pages[host] = BAD_PAGE
    client, browser, report, path = owned(live, url=f"https://{host}/")
    written(browser, path, {"note.noindex": "A mistake of ours."})
    live.analyser.pages[host] = page()
    assert client.put(f"/reports/{report['id']}", {"results": 1}).json["data"]["run"] == 2
    written(browser, path, {"summary": "Better now."})
    live.analyser.pages[host] = BAD_PAGE
    assert client.put(f"/reports/{report['id']}", {"results": 1}).json["data"]["run"] == 3
    text = client.guest().get(path).text
    assert "A mistake of ours." in text
    assert "Better now." in text


def test_an_emptied_note_is_gone(live: Live) -> None:
    client, browser, _, path = owned(live, url="https://bad.example/")
    written(browser, path, {"note.noindex": "Gone soon."})
    written(browser, path, {"note.noindex": "", "listed.noindex": "1"})
    assert "Gone soon." not in client.guest().get(path).text
    assert "Gone soon." not in browser.get(f"{path}/client").text


@pytest.mark.parametrize(
    ("section", "shown"),
    [
        ("search", 'id="search"'),
        ("fixes", 'id="fix"'),
        ("outside", 'id="outside"'),
        ("findings", 'data-kind="problems"'),
        ("counted", 'data-kind="inapplicable"'),
        ("facts", 'id="facts"'),
    ],
)
def test_guests_are_shown_the_chosen_sections(live: Live, section: str, shown: str) -> None:
    live.analyser.pages["sections.example"] = page(head='<title>A title</title><meta name="robots" content="noindex">')
    client, browser, _, path = owned(live, url="https://sections.example/")
    written(browser, path, {"note.noindex": "A word."}, (section,))
    text = client.guest().get(f"{path}?view=full").text
    assert shown in text
    assert (text.count("A word.") == 1) == (section == "findings")
    written(browser, path, {"note.noindex": "A word."}, tuple(name for name in SECTIONS if name != section))
    text = client.guest().get(path).text
    assert shown not in text
    assert ("A word." in text) == (section != "findings")
    ids = set(re.findall(r'id="([^"]+)"', text))
    assert {anchor for anchor in re.findall(r'href="#([^"]+)"', text) if anchor not in ids} == set()
    own = browser.get(path).text
    assert shown in own
    assert "hidden from guests" in own


def test_files_carry_the_words(live: Live) -> None:
    client, browser, _, path = owned(live, url="https://bad.example/")
    written(browser, path, {"summary": "In *short*\nbad.", "prepared_for": "Miller", "note.noindex": "Ask them."})
    guest = client.guest()
    said = json.loads(guest.get(f"{path}/report.json").body)["client"]
    assert said == {"summary": "In *short*\nbad.", "prepared_by": "", "prepared_for": "Miller", "notes": {"noindex": "Ask them."}}
    text = guest.get(f"{path}/report.md").text
    assert "In \\*short\\*\\\nbad\\." in text
    assert "Prepared for: Miller" in text
    assert "**Our note:**\nAsk them\\." in text
    written(browser, path, {"summary": "Short.", "note.noindex": "Ask them."}, ("search",))
    assert "Ask them" not in guest.get(f"{path}/report.md").text
    assert json.loads(guest.get(f"{path}/report.json").body)["client"]["notes"] == {}


def test_s51_what_guests_are_not_shown_is_in_none_of_their_files(live: Live) -> None:
    live.analyser.pages["hides.example"] = page(
        head='<title>A title</title><meta name="robots" content="noindex"><meta name="generator" content="Shop 1.0">',
        body='<h1>Hidden</h1><h1>Twice</h1><img src="/secret.png"><a href="http://hidden.example/">there</a>',
    )
    client, browser, report, path = owned(live, url="https://hides.example/")
    guest = client.guest()

    def files(of: Client) -> list[Reply]:
        return [of.get(f"{path}/report.{ending}") for ending in ("json", "csv", "md")]

    everything = [reply.text for reply in files(browser)]
    assert [reply.text for reply in files(guest)] == everything
    tag = guest.get(f"{path}/report.json").headers["ETag"]
    written(browser, path, {}, ())
    replies = files(guest)
    assert guest.get(f"{path}/report.json", {"If-None-Match": tag}).status == 200
    shown = replies[0].json
    held = shown["explained"]["held_down_by"]["checks"]
    assert [one["id"] for one in shown["results"]] == held == ["noindex"]
    assert [one["evidence"] for one in shown["results"]] == [[]]
    assert (shown["score"], shown["counts"]) == (report["score"], report["counts"])
    assert (list(shown["facts"]), shown["categories"], shown["not_asked"], shown["explained"]["next_rating"]) == (["title"], [], [], None)
    for reply in replies:
        assert not [word for word in ("secret.png", "hidden.example", "Shop 1.0", "h1-multiple", "hsts") if word in reply.text]
    own = files(browser)
    assert [reply.text for reply in own[1:]] == everything[1:]
    assert {**own[0].json, "updated_at": report["updated_at"]} == json.loads(everything[0])
    assert client.get(f"/reports/{report['id']}").json["data"]["results"] == report["results"]
    for name in ("evidence", "icon.png", "card.png"):
        assert guest.get(f"{path}/{name}").status == 404
        assert browser.get(f"{path}/{name}").status in (200, 302)
    assert f"{path}/evidence" not in guest.get(path).text
    assert "SHA-256" not in guest.get(path).text
    assert "SHA-256" in browser.get(path).text
    assert guest.get(f"{path}/badge.svg").status == 200


@pytest.mark.parametrize(
    ("section", "facts", "ids"),
    [
        ("search", {"title"}, {"http-status", "noindex"}),
        ("fixes", {"title"}, {"noindex"}),
        ("outside", {"title", "description", "social"}, {"noindex"}),
        ("findings", {"title"}, {"noindex", "hsts", "doctype"}),
        ("counted", {"title"}, {"noindex", "image-alt"}),
        ("facts", {"title", "links", "headers"}, {"noindex"}),
        ("evidence", {"title"}, {"noindex"}),
    ],
)
def test_s51_a_section_that_is_shown_is_in_the_files_and_nothing_else(live: Live, section: str, facts: set[str], ids: set[str]) -> None:
    live.analyser.pages["one-section.example"] = page(head='<title>A title</title><meta name="robots" content="noindex">')
    client, browser, report, path = owned(live, url="https://one-section.example/")
    written(browser, path, {}, (section,))
    shown = client.guest().get(f"{path}/report.json").json
    assert facts <= shown["facts"].keys() <= (report["facts"].keys() if section == "facts" else facts)
    verdicts = {one["id"]: one["verdict"] for one in report["results"]}
    assert ids <= {one["id"] for one in shown["results"]}
    for one in shown["results"]:
        assert not one["evidence"] or section == "findings"
        assert verdicts[one["id"]] != "inapplicable" or section in ("counted", "search")
    assert bool(shown["explained"]["next_rating"]) == (section == "fixes" and bool(report["explained"]["next_rating"]))
    assert bool(shown["categories"]) == (section == "findings")
    assert client.guest().get(f"{path}/evidence").status == 404


@needs("pdftotext")
def test_s51_long_tables_of_hidden_facts_are_in_no_pdf(live: Live) -> None:
    live.analyser.pages["no-facts.example"] = page(body='<h1>One</h1><a href="/quite-secret">there</a>')
    client, browser, _, path = owned(live, url="https://no-facts.example/")

    def text() -> str:
        made = client.guest().get(f"{path}/report.pdf", tables=1, view="full").body
        return subprocess.run(["pdftotext", "-", "-"], input=made, capture_output=True, check=True).stdout.decode()

    assert "quite-secret" in text()
    written(browser, path, {}, tuple(name for name in SECTIONS if name != "facts"))
    assert "quite-secret" not in text()


@needs("pdftotext")
def test_the_pdf_carries_words_and_brand_and_is_another_one_then(live: Live) -> None:
    client, browser, _, path = owned(live, url="https://in-print.example/")
    guest = client.guest()
    first = guest.get(f"{path}/report.pdf")
    presented(live, client, "in-print.example", brand_name="Berg & Co", brand_color="#7a1f5c", brand_logo=logo(), language="de")
    branded = guest.get(f"{path}/report.pdf")
    written(browser, path, {"summary": "Kurz gesagt: gut.", "prepared_by": "Ann Berg"})
    again = guest.get(f"{path}/report.pdf")
    assert len({reply.headers["ETag"] for reply in (first, branded, again)}) == 3
    text = subprocess.run(["pdftotext", "-", "-"], input=again.body, capture_output=True, check=True).stdout.decode()
    assert "Kurz gesagt: gut." in text
    assert "Berg & Co" in text
    assert "Zusammenfassung" in text
    images = subprocess.run(["pdfimages", "-list", "-"], input=again.body, capture_output=True, check=True).stdout.decode()
    assert "240" in images


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"summary": "x" * 10_001}, "At most 10000 characters"),
        ({"prepared_by": "x" * 201}, "At most 200 characters"),
        ({"note.noindex": "x" * 2001}, "At most 2000 characters"),
        ({"note.no-such-check": "x"}, "no check called no-such-check"),
        ({"link": "stay", "run": "9"}, "one of this report that has a result"),
        ({"sections": "everything"}, "must be among: search"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(live: Live, fields: dict[str, str], said: str) -> None:
    _, browser, _, path = owned(live, url="https://bad.example/")
    reply = browser.post(f"{path}/client", {"prepared_for": "Miller", **fields}, SAME)
    assert reply.status == 422
    assert said in reply.text
    assert 'value="Miller"' in reply.text
    assert "Miller" not in browser.get(f"{path}/client").text


# --- the run that the link shows --------------------------------------------------------------------------------------


def test_the_link_stays_at_a_run(live: Live) -> None:
    host = "stays.example"
    live.analyser.pages[host] = BAD_PAGE
    client, browser, report, path = owned(live, url=f"https://{host}/")
    guest = client.guest()
    written(browser, path, {"link": "stay", "run": "1"})
    live.analyser.pages[host] = PLAIN_PAGE
    client.put(f"/reports/{report['id']}", {"results": 1})
    seen, own = guest.get(path).text, browser.get(path).text
    assert 'class="glance-score bad"' in seen
    assert 'class="glance-score bad"' not in own
    assert "The link always shows run 1" in own
    assert "what guests are shown" in browser.get(path, run=1).text
    assert [guest.get(path, run=number).status for number in (1, 2)] == [200, 404]
    for name in ("report.json", "report.md", "report.csv", "report.pdf"):
        assert [guest.get(f"{path}/{name}", run=number).status for number in (1, 2)] == [200, 404]
    assert json.loads(guest.get(f"{path}/report.json").body)["result"] == "bad"
    assert json.loads(browser.get(f"{path}/report.json").body)["result"] != "bad"
    assert "bad" in guest.get(f"{path}/badge.svg").text.lower()
    first, second = (json.loads(one.get(f"{path}/evidence").body) for one in (guest, browser))
    assert first != second
    assert b"event: done" in guest.get(f"{path}/events").body
    written(browser, path, {"link": "newest", "run": "1"})
    assert 'class="glance-score bad"' not in guest.get(path).text


# --- brand ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def branded(live: Live) -> tuple[Client, Client, str]:
    client, browser, _, path = owned(live, url="https://branded.example/")
    presented(live, client, "branded.example", brand_name="Berg <& Co>", brand_color="#ffdd00", brand_logo=logo())
    return client.guest(), browser, path


def test_guests_see_whose_report_it_is(branded: tuple[Client, Client, str]) -> None:
    guest, browser, path = branded
    assert '<dt>Prepared by</dt><dd dir="auto">Berg &lt;&amp; Co&gt;</dd>' in guest.get(path).text
    assert "Prepared by" not in browser.get(path).text
    text = guest.get(path).text
    assert "Berg &lt;&amp; Co&gt;" in text
    assert "Findable" not in text
    assert '<a class="mark"' not in text
    linked = set(re.findall(r'href="(/docs/checks[^"]*)"', text))
    assert linked > {"/docs/checks"}
    assert [address for address in linked if "Findable" in guest.get(address).text] == []
    assert "findable" not in guest.get(f"{path}/fixes.md").text
    assert "findable recheck" in browser.get(f"{path}/fixes.md").text
    assert '<a class="mark"' in browser.get(path).text
    (picture,) = re.findall(rf'<img src="({path}/logo\.png\?v=\w+)"', text)
    assert guest.get(picture).headers["Content-Type"] == "image/png"
    (sheet,) = re.findall(r'href="(/brand/\w+\.css)"', text)
    reply = guest.get(sheet)
    assert reply.headers["Content-Type"].startswith("text/css")
    assert "immutable" in reply.headers["Cache-Control"]
    colors = re.findall(r"--brand:(#\w{6})", reply.text)
    assert colors[0] != "#ffdd00"  # yellow is not seen on white
    assert colors[1] == "#ffdd00"
    assert "style=" not in text


def test_a_new_brand_is_a_new_page(live: Live, branded: tuple[Client, Client, str]) -> None:
    guest, _, path = branded
    tag = guest.get(path).headers["ETag"]
    assert guest.get(path, {"If-None-Match": tag}).status == 304
    client, _, _, other = owned(live, url="https://rebranded.example/")
    tag = guest.get(other).headers["ETag"]
    presented(live, client, "rebranded.example", brand_name="New")
    assert guest.get(other, {"If-None-Match": tag}).status == 200


@pytest.mark.parametrize("name", ["1a5442", "1A5442.css", "fff.css", "1a5442.png", "}body{.css", "1a5442.css.css", ".css"])
def test_a_style_sheet_is_that_of_a_colour(client: Client, name: str) -> None:
    guest = client.guest()
    assert guest.get("/brand/1a5442.css").status == 200
    assert guest.get(f"/brand/{name}").status == 404


# --- language ---------------------------------------------------------------------------------------------------------


def test_the_language_of_the_project_is_that_of_its_reports(live: Live) -> None:
    client, browser, _, path = owned(live, url="https://spricht.example/")
    guest = client.guest()
    presented(live, client, "spricht.example", language="de")
    text = guest.get(path, {"Accept-Language": "en"}).text
    assert '<html lang="de">' in text
    assert "?language=" not in text
    assert '<html lang="de">' in guest.get(path, language="en").text
    assert '<html lang="en">' in browser.get(path, {"Accept-Language": "en"}).text
    assert "Guests read the report in Deutsch." in browser.get(path, {"Accept-Language": "en"}).text
    assert '<html lang="de">' in browser.get(path, language="de").text
    assert "# SEO-Bericht" in guest.get(f"{path}/report.md").text
    for name in ("report.csv", "report.json"):
        assert guest.get(f"{path}/{name}").status == 200


def test_guests_choose_where_the_project_does_not(client: Client) -> None:
    path = f"/r/{client.report()['public_id']}"
    guest = client.guest()
    text = guest.get(path, {"Accept-Language": "en"}).text
    assert f'<a href="{path}?language=de" lang="de" hreflang="de">Deutsch</a>' in text
    reply = guest.get(path, {"Accept-Language": "en"}, language="de")
    assert '<html lang="de">' in reply.text
    assert reply.headers["Set-Cookie"] is None
    assert f"{path}/report.pdf?language=de" in reply.text
    assert '<html lang="en">' in guest.get(path, language="xx").text


# --- the link ---------------------------------------------------------------------------------------------------------


def test_s57_after_its_end_a_link_is_one_that_never_was(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    client, browser, _, path = owned(live, url="https://bad.example/")
    guest = client.guest()
    day = datetime.now(UTC).date()
    assert browser.post(f"{path}/link", {"until": day.isoformat()}, SAME).status == 303
    assert guest.get(path).status == 200
    assert "The link expires after" in browser.get(path).text
    later = datetime.now(UTC) + timedelta(days=2)
    monkeypatch.setattr("findable.service.results.share_links.now", lambda: later)
    monkeypatch.setattr("findable.web.pages.result.sharing.now", lambda: later)
    gone, never = guest.get(path), guest.get("/r/nothing")
    assert gone.status == 404
    assert _same(gone.text) == _same(never.text)
    names = ("report.json", "report.csv", "report.md", "report.pdf", "badge.svg", "icon.png", "card.png", "logo.png", "evidence", "events")
    assert {name: guest.get(f"{path}/{name}").status for name in names} == dict.fromkeys(names, 404)
    assert "The link expired after" in browser.get(path).text
    assert browser.get(f"{path}/report.json").status == 200


def _same(text: str) -> str:
    return re.sub(r"<code>\w+</code>", "", text)


def test_s57_a_password_page_ends_too(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    client, browser, _, path = owned(live, privacy=2, password="pw")
    guest = client.guest()
    inside = unlocked(guest, path, "pw")
    assert browser.post(f"{path}/link", {"until": datetime.now(UTC).date().isoformat()}, SAME).status == 303
    later = datetime.now(UTC) + timedelta(days=2)
    monkeypatch.setattr("findable.service.results.share_links.now", lambda: later)
    assert [one.get(path).status for one in (guest, inside)] == [404, 404]
    assert guest.post(path, {"password": "pw"}, SAME).status == 404


@pytest.mark.parametrize("until", ["2020-01-01", "tomorrow", "9999-12-31"])
def test_an_end_is_a_day_to_come(live: Live, until: str) -> None:
    _, browser, _, path = owned(live)
    reply = browser.post(f"{path}/link", {"until": until}, SAME)
    assert reply.status == 422
    assert 'id="until-wrong"' in reply.text


def test_a_new_link_ends_the_old_one_at_once(live: Live) -> None:
    client, browser, report, path = owned(live, privacy=2, password="pw")
    guest = client.guest()
    inside = unlocked(guest, path, "pw")
    assert inside.get(path).status == 200
    reply = browser.post(f"{path}/link/new", b"", SAME)
    new, _, part = reply.headers["Location"].partition("#")
    assert (reply.status, part) == (303, "share"), "where the new link stands"
    assert new != path
    assert [one.get(path).status for one in (guest, inside, browser)] == [404, 404, 404]
    assert "password" in inside.get(new).text
    assert "of 100" not in inside.get(new).text
    assert "of 100" in unlocked(guest, new, "pw").get(new).text
    assert client.get(f"/reports/{report['id']}").json["data"]["public_id"] == new.rpartition("/")[2]


def test_search_engines_may_list_a_public_report_where_its_owner_says_so(live: Live) -> None:
    client, browser, _, path = owned(live, url="https://bad.example/")
    guest = client.guest()
    assert browser.post(f"{path}/link", {"listed": "1"}, SAME).status == 303
    reply = guest.get(path)
    assert reply.headers["X-Robots-Tag"] is None
    assert 'noindex">' not in reply.text.partition("</head>")[0]
    head = html.unescape(reply.text.partition("</head>")[0])
    absolute = f"http://127.0.0.1:{live.port}{path}"
    assert f'<link rel="canonical" href="{absolute}">' in head
    assert '<meta name="description" content="bad.example is rated bad, ' in head
    assert f'<meta property="og:url" content="{absolute}">' in head
    assert guest.get(f"{path}/report.pdf").headers["X-Robots-Tag"] == "noindex"
    assert 'content="noindex"' in browser.get(path).text
    assert browser.post(f"{path}/privacy", {"privacy": "1"}, SAME).status == 303
    assert browser.post(f"{path}/privacy", {"privacy": "0"}, SAME).status == 303
    reply = guest.get(path)
    assert reply.headers["X-Robots-Tag"] == "noindex"
    assert 'content="noindex"' in reply.text


@pytest.mark.parametrize("fields", [{"privacy": 1}, {"privacy": 2, "password": "pw"}])
def test_what_is_not_public_is_not_listed(live: Live, fields: dict[str, Any]) -> None:
    _, browser, _, path = owned(live, **fields)
    assert browser.post(f"{path}/link", {"listed": "1"}, SAME).status == 422
    assert "listed" not in re.findall(r'name="(\w+)"', browser.get(f"{path}/link").text)
