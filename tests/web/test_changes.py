"""Pages and API of what changed: over all projects and in one, and the same number as on the home page."""

from collections.abc import Iterator

import pytest

from tests.accessibility import faults
from tests.browser import LOOKS, Open, needs_chromium, scrolls_sideways
from tests.checks.harness import page as made_up
from tests.web.live import BAD_PAGE, Client, Live, run_live

PATHS = ("/changes", "/changes?since=30", "/projects/a.example/changes")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"))


@pytest.fixture(scope="module")
def email(live: Live) -> str:
    return live.email()


@pytest.fixture(scope="module")
def client(live: Live, email: str) -> Client:
    client = live.client(email=email)
    for host, results in (("a", (made_up(), BAD_PAGE)), ("b", (BAD_PAGE, made_up()))):
        for shown in results:
            live.analyser.pages[f"{host}.example"] = shown
            client.report(f"https://{host}.example/")
    return client


@pytest.fixture(scope="module")
def browser(live: Live, client: Client, email: str) -> Client:
    return live.signed_in(email)


def test_the_api_tells_what_is_new_and_what_is_fixed(client: Client) -> None:
    found = client.get("/changes").json["data"]
    (worse,), (better,) = found["worse"], found["fixed"]
    assert (worse["project"], better["project"]) == ("a.example", "b.example")
    assert "noindex" in worse["new"]
    assert "noindex" in better["fixed"]
    assert set(better["fixed"]) == set(worse["new"]), "the opposite change fixes what was new"
    assert (worse["new_count"], better["fixed_count"]) == (len(worse["new"]), len(better["fixed"]))
    assert (worse["score_before"], worse["score"]) == (better["score"], better["score_before"])
    assert client.get("/projects/b.example/changes").json["data"]["worse"] == []
    assert client.get("/projects/nobody.example/changes").status == 404
    refused = client.get("/changes", since="2020-01-01T00:00:00Z")
    assert (refused.status, list(refused.json["errors"])) == (422, ["since"])


def test_the_home_page_and_the_page_of_changes_say_the_same_number(browser: Client) -> None:
    for path in ("/", "/changes", "/changes?since=7"):
        assert '<span class="where">1 site<' in browser.get(path).text, path
    assert browser.get("/projects/a.example/changes").text.count('<span class="fall">') == 1
    assert browser.get("/changes?since=2").status == 404


@needs_chromium
@LOOKS
def test_pages_of_changes_break_no_rule_and_fit(live: Live, browser: Client, window: Open, width: int, dark: bool) -> None:
    origin = f"http://127.0.0.1:{live.port}"
    page = window(width=width, dark=dark, cookies=browser.cookies, origin=origin)
    for path in PATHS:
        page.goto(origin + path)
        assert faults(page) == [], path
        assert not scrolls_sideways(page), path
