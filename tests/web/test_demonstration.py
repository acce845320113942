"""The demonstration report: real, labelled, the same for everybody, and counted nowhere."""

import html
import re

import pytest

from findable.web.pages.report import demonstration
from findable.wording import LANGUAGES
from tests.web.live import Client, Live

PATH = "/demonstration"


def test_anybody_may_read_it_and_sees_that_it_is_one(client: Client) -> None:
    reply = client.guest().get(PATH, {"Accept-Language": "en"})
    text = reply.text
    assert reply.status == 200
    assert reply.headers["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex">' in text
    assert "<title>Demonstration report</title>" in text
    assert "<strong>Demonstration:</strong>" in text
    assert "bakery.example" in text
    for part in ('class="glance-score ', 'id="search"', 'id="fix"', 'id="outside"', 'id="findings"', 'class="card ', 'id="facts"'):
        assert part in text
    assert f'href="{PATH}?language=de"' in text
    assert "127.0.0.1" not in text.replace(f"http://127.0.0.1:{client.port}", "")


@pytest.mark.parametrize("who", ["guest", "owner"])
def test_it_is_nobodys_report(live: Live, who: str) -> None:
    email = live.email()
    client = live.client(email=email)
    reader = client.guest() if who == "guest" else live.signed_in(email)
    text = reader.get(PATH).text
    assert not re.findall(r'(?:href|action|src)="/r/', text)
    assert 'method="post"' not in text
    assert 'id="manage"' not in text
    assert 'id="share"' not in text
    ids = set(re.findall(r'id="([^"]+)"', text))
    assert {anchor for anchor in re.findall(r'href="#([^"]+)"', text) if anchor not in ids} == set()
    assert client.get("/reports").json["data"] == []
    assert client.guest().get(f"{PATH}/report.json").status == 404


@pytest.mark.parametrize("code", LANGUAGES)
def test_it_is_in_the_language_of_the_reader(client: Client, code: str) -> None:
    guest = client.guest()
    text = guest.get(PATH, {"Accept-Language": code}).text
    assert f'<html lang="{code}">' in text
    assert text == guest.get(PATH, language=code).text
    assert ("Vorführbericht" in text) == (code == "de")


def test_the_first_page_shows_its_first_screen(live: Live) -> None:
    guest, owner = Client(live.port, prefix=""), live.signed_in(live.email())
    whole = guest.get(PATH, {"Accept-Language": "en"}).text
    (score,) = re.findall(r'class="number">(\d+)</span>', whole)
    for reader in (guest, owner):
        first = reader.get("/", {"Accept-Language": "en"}).text
        shown = first.partition('class="specimen"')[2].partition("</figure>")[0]
        assert f'href="{PATH}"' in shown
        assert f">{score}</text>" in shown
        assert "Google can index this page." in shown
        fixes = re.findall(r"<p>(.*?)</p><p[^>]*><b>(.*?)</b> · (\w+)</p>", shown)
        assert len(fixes) == 3
        assert all(html.unescape(words) in html.unescape(whole) for fix in fixes for words in fix)
        assert "on the way to" not in shown  # the words of a mark that only the whole report has


def test_it_is_judged_once_for_each_language(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = client.guest()
    first = [guest.get(PATH, language=code).body for code in LANGUAGES]
    monkeypatch.delattr(demonstration, "analyse")
    assert [guest.get(PATH, language=code).body for code in LANGUAGES] == first
