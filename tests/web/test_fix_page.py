"""The page of one finding for the person who fixes it: without an account, with a check whether it is fixed."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlsplit

import pytest

from findable.service.results.fix_links import FREE_CHECKS
from tests.api.test_post_recheck import PAGE, Rechecking
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.web.test_manage import SAME
from tests.worked_crawls import work_crawl

WORDPRESS = '<meta name="generator" content="WordPress 6.8">'


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    for made in run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000):
        made.analyser.pages["127.0.0.1"] = PAGE.format(WORDPRESS)
        rechecking = Rechecking(made)
        yield made
        rechecking.close()


def sent(browser: Client, page: str, check: str) -> str:
    """Path of the page that the owner sends to whoever fixes the finding."""
    found = re.search(f'id="send-{check}" readonly value="([^"]+)"', browser.get(page).text)
    assert found
    return urlsplit(unescape(found[1])).path


def test_person_with_the_link_sees_one_finding_and_checks_it_again(live: Live, site: Site) -> None:
    email = live.email()
    url = site.page("/bread", PAGE.format(WORDPRESS))
    report = live.client(email=email).report(url, privacy=1)
    page = f"/r/{report['public_id']}"
    path = sent(live.signed_in(email), page, "title-present")
    guest = Client(live.port, prefix="")
    shown = guest.get(path)

    assert shown.status == 200
    assert "Google does not know what to call this page in its results" in shown.text
    assert "Where in WordPress" in shown.text
    assert "viewport" not in shown.text.lower().partition("<main")[2].partition("docs/checks")[0]
    assert (shown.headers["X-Robots-Tag"], shown.headers["Cache-Control"]) == ("noindex", "private, no-store")
    assert guest.get(page).status == 404
    assert "Still there:" in guest.post(path, {}, SAME).text
    site.page("/bread", PAGE.format("<title>Bread, baked every morning</title>"))
    assert "Fixed:" in guest.post(path, {}, SAME).text


def test_link_shows_no_other_finding_and_ends_with_the_link_of_its_report(live: Live, site: Site) -> None:
    email = live.email()
    browser = live.signed_in(email)
    report = live.client(email=email).report(site.page("/rolls", PAGE.format("")), privacy=1)
    page = f"/r/{report['public_id']}"
    path = sent(browser, page, "title-present")
    guest = Client(live.port, prefix="")
    expired = re.sub(r"/\d+\.", "/1.", path)

    assert guest.get(path.replace("title-present", "viewport")).status == 404
    assert guest.get(expired).status == 404
    assert guest.get(f"{path}0").status == 404
    assert guest.post(path, {"page": "1"}, SAME).status == 404
    browser.post(f"{page}/link/new", b"", SAME)
    assert guest.get(path).status == 404


def test_link_is_blocked_after_too_many_checks(live: Live, site: Site) -> None:
    email = live.email()
    report = live.client(email=email).report(site.page("/cakes", PAGE.format("")), privacy=1)
    path = sent(live.signed_in(email), f"/r/{report['public_id']}", "title-present")
    guest = Client(live.port, prefix="")
    replies = [guest.post(path, {}, SAME).text for _ in range(FREE_CHECKS + 1)]

    assert "Still there:" in replies[0]
    assert "This was checked too often." in replies[-1]


def test_pages_of_a_finding_of_a_site_are_checked_again_one_by_one(live: Live, site: Site) -> None:
    email = live.email()
    body = '<a href="/one">One</a> <a href="/two">Two</a>'
    for name in ("/", "/one", "/two"):
        site.page(name, PAGE.format(WORDPRESS).replace("<p>", f"<p>{body} "))
    reply = live.client(email=email).post("/crawls", {"url": site.url("/"), "privacy": 1})
    work_crawl(live.service)
    listed = live.client(email=email).get(f"/crawls/{reply.json['data']['id']}/findings").json["data"]
    plain = next(one["plain"] for one in listed if one["id"] == "title-present")
    path = sent(live.signed_in(email), f"/s/{reply.json['data']['public_id']}", "title-present")
    guest = Client(live.port, prefix="")
    shown = guest.get(path).text
    pages = re.findall(r'name="page" value="(\d)"', shown)
    site.page("/one", PAGE.format("<title>One of our breads</title>").replace("<p>", f"<p>{body} "))
    outcomes = [guest.post(path, {"page": number}, SAME).text for number in pages]

    assert "Where in WordPress" in shown
    assert (plain["cms"], bool(plain["clicks"])) == ("WordPress", True)
    assert len(pages) == 3
    assert sum("Fixed:" in text for text in outcomes) == 1
    assert sum("Still there:" in text for text in outcomes) == 2


def test_a_broken_link_of_a_site_is_requested_again_from_each_of_its_pages(live: Live, site: Site) -> None:
    email, link = live.email(), '<a href="/missing">Old offer</a>'
    for name, body in (("/", f'<a href="/one">One</a>{link}'), ("/one", f"<a href='/'>Home</a><div>{link}</div>")):
        site.page(name, PAGE.format(WORDPRESS).replace("<p>", f"<p>{body} "))
    reply = live.client(email=email).post("/crawls", {"url": site.url("/"), "privacy": 1})
    work_crawl(live.service)
    owner, report = live.signed_in(email), f"/s/{reply.json['data']['public_id']}"
    path = sent(owner, report, "site-links-broken")
    shown = owner.get(path).text
    again = owner.post(path, {"page": "1"}, SAME).text
    site.page("/missing", PAGE.format(WORDPRESS))

    assert f'{path}"><button' in owner.get(report).text
    assert (shown.count("What was found"), shown.count('name="page" value=')) == (1, 2)
    assert "The next crawl of the site" not in shown
    assert "Still there:" in again
    assert "Fixed:" in owner.post(path, {"page": "1"}, SAME).text


def test_people_choose_plain_words_and_keep_them_on_all_pages(live: Live, site: Site) -> None:
    email = live.email()
    browser = live.signed_in(email)
    report = live.client(email=email).report(site.page("/choice", PAGE.format("")), privacy=0)
    page, guest = f"/r/{report['public_id']}", Client(live.port, prefix="")
    plain, exact = "Google does not know what to call this page", "The page has no title"
    cookie = browser.get(f"{page}?view=plain").headers["Set-Cookie"]

    assert exact in browser.get(page).text
    assert plain not in browser.get(page).text
    assert "findable-view=plain; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax" in cookie
    assert plain in guest.get(page).text
    assert 'id="facts"' not in guest.get(page).text
    assert plain not in guest.get(f"{page}?view=full").text
    assert plain not in guest.request("GET", page, None, {"Cookie": "findable-view=full"}).text
    assert guest.get(page).headers["ETag"] != guest.get(f"{page}?view=full").headers["ETag"]
