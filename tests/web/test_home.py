"""The first page, many addresses in the browser, and which pages fail a check."""

import re
import threading
from collections.abc import Iterator

import pytest

from tests.accessibility import faults
from tests.browser import HEIGHTS_PX, LOOKS, PHONE_PX, Open, needs_chromium, scrolls_sideways
from tests.sites.server import Site
from tests.tiers import sampled
from tests.web.live import BAD_PAGE, Client, Live, run_live
from tests.worker.processes import until

GOOD_WEEK = "Compared with a week ago, no page or site has a lower score or a new problem."
SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",))


@pytest.fixture
def email(live: Live) -> str:
    return live.email()


@pytest.fixture
def browser(live: Live, email: str) -> Client:
    return live.signed_in(email)


@pytest.fixture
def client(live: Live, email: str) -> Client:
    return live.client(email=email)


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def after(browser: Client, **fields: str) -> str:
    """Where the form leads."""
    reply = browser.post("/reports", fields, SAME)
    assert reply.status == 303, reply.text
    return str(reply.headers["Location"])


def done(client: Client) -> None:
    until(lambda: all(batch["status"] == "done" for batch in client.get("/batches").json["data"]))


# --- the first page


def test_a_page_with_a_report_under_www_offers_that_report(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    report = client.report("https://www.twin.example/visit")
    for url in ("twin.example/visit", "http://www.twin.example/visit", "http://twin.example/visit"):
        reply = browser.post("/reports", {"url": url}, SAME)
        assert reply.status == 409, url
        assert "This page already has a report" in reply.text
        assert f'href="/r/{report["public_id"]}"' in reply.text
    assert len(client.get("/reports").json["data"]) == 1
    assert browser.post("/reports", {"url": "twin.example/visit", "another": "1"}, SAME).status == 303
    assert browser.post("/reports", {"url": "twin.example/visit"}, SAME).status == 303, "it has a report of its own now"
    assert len(client.get("/reports").json["data"]) == 2
    assert browser.post("/reports", {"url": "twin.example/other"}, SAME).status == 303


def test_a_guest_sees_what_this_is_and_where_to_sign_in(live: Live) -> None:
    shown = Client(live.port, prefix="").get("/").text
    assert 'href="/sign-in"' in shown
    assert "<form" not in shown
    assert "<title>SEO reports with evidence and fixes · Findable</title>" in shown


def test_somebody_without_reports_is_offered_the_first(browser: Client) -> None:
    shown = browser.get("/").text
    assert "Analyse your first page" in shown
    assert "Read the whole demonstration report" in shown


def test_what_got_worse_is_shown_until_a_newer_result_is_there(live: Live, client: Client, browser: Client) -> None:
    client.report("https://falls.example/page")
    live.analyser.pages["falls.example"] = BAD_PAGE
    report = client.report("https://falls.example/page")
    assert report["previous"]["change"] < 0
    shown = browser.get("/").text
    assert re.search(rf'<span class="then">{report["previous"]["score"]}</span>.*>{report["score"]} bad<', shown)
    assert "Noindex keeps the page out of search results (all crawlers)" in shown
    assert GOOD_WEEK not in shown
    del live.analyser.pages["falls.example"]
    client.report("https://falls.example/page")
    assert GOOD_WEEK in browser.get("/").text


def test_what_got_worse_on_several_pages_of_a_project_is_one_line(live: Live, client: Client, browser: Client) -> None:
    urls = [f"many-pages.example/{name}" for name in "abc"]
    for shown in (None, BAD_PAGE):
        live.analyser.pages |= {"many-pages.example": shown} if shown else {}
        for url in urls:
            path = after(browser, url=url)
            until(lambda at=path: 'class="glance"' in browser.get(at).text)  # type: ignore[misc]  # each its own report
    until(lambda: [one["result"] for one in client.get("/reports").json["data"]] == ["bad"] * len(urls))
    worse = browser.get("/").text.partition('<ul class="worse of-sites">')[2].partition('<p><a href="/changes">')[0]
    assert worse.count('<span class="fall">') == 1
    assert '<bdi>many-pages.example</bdi></a> <bdi class="where">3 of 3 pages got worse</bdi>' in worse
    assert '<bdi class="where">3 pages</bdi></li>' in worse
    assert '<p class="google">Google can index none of the 3 pages.</p>' in worse
    assert worse.index("keeps the page out of search results") < worse.index("Only 3 words of text")
    assert '<span class="where">1 site</span>' in browser.get("/").text
    everything = browser.get("/projects/many-pages.example/changes").text
    assert everything.count("many-pages.example/a</bdi>") == everything.count("<summary>")


def test_a_project_has_the_same_number_everywhere(live: Live, client: Client, browser: Client) -> None:
    live.analyser.pages["same.example"] = BAD_PAGE
    start = client.report("https://same.example/")
    del live.analyser.pages["same.example"]
    client.report("https://same.example/page")
    (project,) = client.get("/projects").json["data"]
    assert (project["score"], project["result"], project["score_of"], project["scored_pages"]) == (15, "bad", "pages", 2)
    assert start["score"] == 15
    assert client.get("/projects/same.example").json["data"]["score"] == 15
    assert "1 site: 0 good, 0 decent, 1 bad. Google cannot index 1 start page." in text_of(browser.get("/").text)
    for path in ("/", "/projects", "/projects/same.example"):
        shown = text_of(browser.get(path).text)
        assert "15 bad" in shown or "15 of 100" in shown, path
        assert "mean of 2 pages" in shown.lower(), path


def test_a_rating_that_falls_is_worse_and_a_deleted_project_is_not_shown(live: Live, client: Client, browser: Client) -> None:
    client.report("https://gone.example/")
    live.analyser.pages["gone.example"] = BAD_PAGE
    client.report("https://gone.example/")
    assert "gone.example" in browser.get("/").text
    client.delete("/projects/gone.example")
    assert "gone.example" not in browser.get("/").text


def test_all_reports_are_listed_and_searched(client: Client, browser: Client) -> None:
    for number in range(27):
        client.post("/reports", {"url": f"https://many.example/{number}"}, wait=60)
    assert 'href="/?reports=all"' in browser.get("/").text
    listed = browser.get("/", reports="all").text
    assert listed.count("many.example/") == 25
    older = re.search(r'href="(/\?[^"]*cursor[^"]+)"', listed)
    assert older
    assert browser.get(older[1].replace("&amp;", "&")).text.count("many.example/") == 2
    assert browser.get("/", search="/26").text.count("many.example/") == 1
    assert browser.get("/", cursor="nonsense").status == 400


def test_other_accounts_see_nothing_of_it(live: Live, client: Client) -> None:
    client.report("https://mine.example/")
    other = live.signed_in(live.email())
    assert "mine.example" not in other.get("/").text
    assert "mine.example" not in other.get("/", reports="all").text
    assert "mine.example" not in other.get("/findings", check="meta-description", verdict="warned").text


# --- many addresses


def test_lines_become_a_batch_with_a_page_of_its_own(client: Client, browser: Client) -> None:
    page = after(browser, url="a.example\r\nhttps://times-out.example/\r\n\r\nftp://c.example/\r\na.example/\r\n", privacy="1")
    assert page.startswith("/batches/")
    done(client)
    shown = text_of(browser.get(page).text)
    assert "1 of 3 URLs have a result. 2 URLs have no result." in " ".join(shown.split())
    assert "1 URL was listed more than once and counts once." in shown
    assert "The page did not load in time." in shown
    assert "Only http and https URLs can be analysed." in shown
    assert {report["privacy"] for report in client.get("/reports").json["data"]} == {1}


def test_a_batch_lists_what_to_fix_over_its_pages_and_links_to_its_projects(live: Live, client: Client, browser: Client) -> None:
    live.analyser.pages["one.example"] = BAD_PAGE
    page = after(browser, url="two.example/a\none.example\ntwo.example/b")
    done(client)
    shown = browser.get(page).text
    reports = shown.partition('id="reports"')[2]
    assert re.findall(r'<a href="/r/[^"]+"><bdi>([^<]+)</bdi>', reports) == ["one.example", "two.example/a", "two.example/b"]
    assert reports.count('<bdi class="page-title">') == 2
    assert re.findall(r'<a href="(/projects/[^"]+)">', shown) == ["/projects/one.example", "/projects/two.example"]
    rows = re.findall(r'<li class="card finding [a-z]+" id="([a-z0-9-]+)"', shown)
    assert rows[0] == "noindex"
    assert len(rows) == len(set(rows)) > 3
    assert "1 of 3 pages" in shown
    first = shown.partition('<div class="glance')[2].partition('<h2 id="findings"')[0]
    assert "Google can index 2 of 3 pages." in first
    assert '<ul class="tally">' in first
    assert re.search(r'<bdi>one\.example</bdi></a> <span class="where">tells Google not to index it</span>', first)
    assert re.search(r'href="#noindex">.*?<b class="gain">\+\d+ points</b>', first, re.DOTALL)
    assert "Mean of 3 pages." in first
    assert "<h1>3 URLs of 2 projects</h1>" in shown
    filtered = browser.get(page, who="server").text
    assert set(re.findall(r'data-who="([a-z]+)">', filtered)) == {"server"}
    assert browser.post("/projects/two.example/again", None, SAME).status == 303
    done(client)
    again = browser.get(page).text
    assert "3 of 3 done" in again


def test_the_address_of_a_sitemap_becomes_a_batch(client: Client, browser: Client, site: Site) -> None:
    site.page("/map.xml", "<urlset><url><loc>https://a.example/</loc></url><url><loc>https://b.example/</loc></url></urlset>")
    page = after(browser, url=site.url("/map.xml"))
    done(client)
    assert "2 of 2 done" in text_of(browser.get(page).text)
    assert site.url("/map.xml") in browser.get(page).text


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://127.0.0.1:1/sitemap.xml", "The sitemap cannot be used"),
        ("\n".join(f"https://a.example/{number}" for number in range(1001)), "At most 1,000 URLs"),
        ("ftp://a.example/\nftp://b.example/", "Only http and https"),
    ],
)
def test_what_is_wrong_with_many_is_said_in_the_form_and_nothing_typed_is_lost(browser: Client, url: str, told: str) -> None:
    reply = browser.post("/reports", {"url": url}, SAME)
    assert reply.status == 422
    assert told in reply.text
    assert url.splitlines()[-1] in reply.text


def test_a_batch_that_runs_reloads_itself_and_stands_on_the_first_page(live: Live, browser: Client) -> None:
    gate = live.analyser.held["held.example"] = threading.Event()
    try:
        page = after(browser, url="\n".join(f"https://held.example/{number}" for number in range(120)))
        shown = browser.get(page).text
        assert '<noscript><meta http-equiv="refresh"' in shown
        assert "0 of 120 done" in shown
        assert page in browser.get("/").text
        assert "held.example/119" not in shown
        assert "held.example/119" in browser.get(page, page="2").text
        for wrong in ("0", "x", "-1", "99999999"):
            assert browser.get(page, page=wrong).status == 200
    finally:
        gate.set()


def test_a_batch_is_its_accounts_own(live: Live, client: Client, browser: Client) -> None:
    page = after(browser, url="a.example\nb.example")
    assert live.signed_in(live.email()).get(page).status == 404
    assert Client(live.port, prefix="").get(page).headers["Location"] == f"/sign-in?next={page}"
    for wrong in ("/batches/0", "/batches/x", "/batches/9999999999999999999"):
        assert browser.get(wrong).status == 404
    done(client)


# --- which pages fail this check?


def test_checks_by_how_many_reports_fail_them_and_the_reports_of_one(live: Live, client: Client, browser: Client) -> None:
    live.analyser.pages["one.example"] = live.analyser.pages["two.example"] = BAD_PAGE
    reports = [client.report(f"https://{host}/") for host in ("one.example", "two.example", "good.example")]
    shown = browser.get("/findings").text
    assert "A noindex rule keeps the page out of search results</a>" in shown
    row = text_of(shown.partition("A noindex rule keeps")[2].partition("</li>")[0])
    assert "2 of 3 pages · one.example, two.example" in row
    gain = next(
        one["gain"] for one in client.get(f"/reports/{reports[0]['id']}").json["data"]["results"] if one["key"].startswith("noindex")
    )
    assert f"+{gain} points per page · developer" in row
    assert "Google can index 1 of 3 pages. Mean score of 3 pages:" in text_of(shown)
    found = browser.get("/findings", check="noindex").text
    assert "2 reports" in found
    links = {report["links"]["html"].partition(f":{live.port}")[2] + "#noindex" for report in reports}
    assert sum(f'href="{link}"' in found for link in links) == 2
    one = browser.get("/findings", check="noindex", project="one.example").text
    assert sum(f'href="{link}"' in one for link in links) == 1
    live.analyser.pages.clear()
    client.put(f"/reports/{reports[0]['id']}", {"results": 1}, wait=60)
    assert "1 report" in browser.get("/findings", check="noindex").text


def test_findings_that_are_none(live: Live, browser: Client) -> None:
    assert "No report has this result" in browser.get("/findings").text
    assert "None." in browser.get("/findings", check="noindex").text
    assert browser.get("/findings", check="nothing").status == 404
    assert browser.get("/findings", check="noindex", verdict="passed").status == 400
    assert browser.get("/findings", check="noindex", cursor="x").status == 400
    assert Client(live.port, prefix="").get("/findings").status == 303


# --- in a real browser


@needs_chromium
def test_enter_sends_one_address_and_a_batch_is_followed_without_a_reload(live: Live, browser: Client, window: Open) -> None:
    origin = f"http://127.0.0.1:{live.port}"
    gate = live.analyser.held["slow.example"] = threading.Event()
    page = window(cookies=browser.cookies, origin=origin)
    page.goto(origin)
    page.locator("#url").fill("one.example")
    page.locator("#url").press("Enter")
    page.wait_for_url("**/r/*")
    page.locator(".score-bar").wait_for()
    page.goto(origin)
    page.locator("#url").fill("two.example\nslow.example")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/batches/*")
    page.evaluate("window.stays = true")
    gate.set()
    page.locator("#batch").get_by_text("2 of 2 done").wait_for()
    assert page.evaluate("window.stays") is True
    assert page.locator("#told").text_content() == "2 of 2 done"


@pytest.mark.full
@needs_chromium
def test_without_scripts_a_batch_is_made_and_its_page_ends(live: Live, browser: Client, window: Open) -> None:
    origin = f"http://127.0.0.1:{live.port}"
    page = window(cookies=browser.cookies, origin=origin, scripts=False, width=PHONE_PX)
    page.goto(origin)
    page.locator("#url").fill("one.example\ntwo.example")
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/batches/*")
    page.locator("#batch").get_by_text("2 of 2 done").wait_for()
    lowest = page.locator(".fixes li").first.evaluate("row => row.getBoundingClientRect().bottom")
    assert lowest < HEIGHTS_PX[PHONE_PX]
    right_edges = page.locator(".reports .pill").evaluate_all("all => all.map(pill => pill.getBoundingClientRect().right)")
    assert len(right_edges) == 2
    assert len(set(right_edges)) == 1


@needs_chromium
@pytest.mark.parametrize("count", sampled((8, 5, 6)))
def test_all_sites_that_got_worse_are_on_the_first_screen_of_a_phone(
    live: Live, client: Client, browser: Client, window: Open, count: int
) -> None:
    hosts = {f"worse-{number}.example" for number in range(count)}
    for shown in ({}, dict.fromkeys(hosts, BAD_PAGE)):
        live.analyser.pages |= shown
        for host in hosts:
            client.report(f"https://{host}/")
    for host in hosts:
        del live.analyser.pages[host]
    page = window(cookies=browser.cookies, origin=f"http://127.0.0.1:{live.port}", width=PHONE_PX)
    for path in ("/", "/changes"):
        page.goto(f"http://127.0.0.1:{live.port}{path}")
        for part in (".name", ".fall"):
            bottoms = page.locator(f".of-sites > li > {part}").evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)")
            assert len(bottoms) == count, path
            assert max(bottoms) < HEIGHTS_PX[PHONE_PX], (path, part)
        assert {text.strip() for text in page.locator(".of-sites .name").all_inner_texts()} == hosts
        assert faults(page) == [], path


@needs_chromium
@LOOKS
def test_nothing_is_wider_than_the_window_and_no_rule_of_accessibility_is_broken(
    live: Live, client: Client, browser: Client, window: Open, width: int, dark: bool
) -> None:
    origin = f"http://127.0.0.1:{live.port}"
    page = window(cookies=browser.cookies, origin=origin, width=width, dark=dark)
    page.goto(origin)
    assert faults(page) == []
    client.report("https://worse.example/")
    live.analyser.pages["worse.example"] = BAD_PAGE
    client.report("https://worse.example/")
    client.report(f"https://a-long-name-of-a-host-{'x' * 30}.example/{'path-' * 40}?{'q' * 300}")
    batch = after(browser, url=f"https://long.example/{'x' * 400}\nftp://{'y' * 200}.example/\nhttps://times-out.example/")
    done(client)
    gate = live.analyser.held["long-running.example"] = threading.Event()
    running = after(browser, url="https://long-running.example/1\nhttps://long-running.example/2")
    for path in ("/", "/?reports=all", batch, running, "/findings", "/findings?check=meta-description&verdict=warned"):
        page.goto(origin + path)
        assert not scrolls_sideways(page), path
        assert faults(page) == [], path
    gate.set()
    guest = window(width=width, dark=dark)
    guest.goto(origin)
    assert faults(guest) == []
    assert not scrolls_sideways(guest)
