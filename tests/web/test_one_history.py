"""One history of a page and of a site: whatever form of its URL was typed, and whatever a result could not judge."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser import Open, needs_chromium
from tests.crawl_sites import make_shop
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.worked_crawls import work_crawl


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture
def shop() -> Iterator[Site]:
    site = Site().start()
    try:
        make_shop(site, products=3)
        yield site
    finally:
        site.stop()


def crawl(live: Live, client: Client, url: str, **fields: str) -> dict[str, object]:
    """A finished crawl."""
    made = client.post("/crawls", {"url": url, **fields})
    assert made.status == 202, made.body
    work_crawl(live.service)
    found: dict[str, object] = client.get(f"/crawls/{made.json['data']['id']}").json["data"]
    return found


def test_a_crawl_typed_without_scheme_is_stored_with_the_scheme_that_responded(live: Live, shop: Site) -> None:
    email = live.email()
    client, owner = live.client(email=email), live.signed_in(email)
    url = shop.url("/")
    assert url.startswith("http://")
    typed = url.removeprefix("http://").rstrip("/")
    made = crawl(live, client, typed)
    assert (made["status"], made["url"], made["final_url"]) == ("done", url, url)
    project = made["project"]
    https = url.replace("http:", "https:")
    for path in (
        f"/projects/{project}",
        f"/projects/{project}/crawls",
        f"{path_of(made)}",
        f"{path_of(made)}/pages",
        "/account/audit",
        "/",
    ):
        reply = owner.get(path)
        assert reply.status == 200, path
        assert https not in reply.text, path
    assert f'value="{url}"' in owner.get(f"/projects/{project}/crawls").text


def path_of(crawl: dict[str, object]) -> str:
    links = crawl["links"]
    assert isinstance(links, dict)
    return "/s/" + str(links["html"]).rpartition("/")[2]


def test_a_list_typed_without_scheme_is_requested_with_the_scheme_that_responded(live: Live, shop: Site) -> None:
    client = live.client()
    typed = shop.url("/").removeprefix("http://")
    made = client.post("/crawls", {"list": f"{typed}\n{typed}shop"})
    assert made.status == 202, made.body
    work_crawl(live.service)
    found = client.get(f"/crawls/{made.json['data']['id']}/pages").json["data"]
    assert [(row["url"], row["status"]) for row in found] == [(shop.url("/"), 200), (shop.url("/shop"), 200)]


def test_crawls_of_a_site_over_http_and_https_are_compared(live: Live, shop: Site) -> None:
    email = live.email()
    client, owner = live.client(email=email), live.signed_in(email)
    url = shop.url("/")
    first = crawl(live, client, url)
    failed = crawl(live, client, url.replace("http:", "https:"))
    assert failed["status"] == "failed"
    page = owner.get(path_of(failed)).text
    assert "Crawl again" in page
    assert "Crawl over http<" in page
    assert "List all pages" not in page
    again = owner.post(f"{path_of(failed)}/again", {"scheme": "http"}, {"Origin": f"http://127.0.0.1:{live.port}"})
    assert again.status == 303, again.text
    work_crawl(live.service)
    third = client.get("/crawls").json["data"][0]
    assert (third["url"], third["previous"]["crawl"]) == (url, first["id"])
    assert client.get(f"/crawls/{third['id']}/changes").json["data"]
    assert ">Compare</a>" in owner.get(path_of(third)).text


def test_crawling_again_keeps_settings_and_access_and_starts_one_crawl(live: Live, shop: Site) -> None:
    email = live.email()
    client, owner = live.client(email=email), live.signed_in(email)
    first = crawl(live, client, shop.url("/shop"), pages="7", exclude="/about*", privacy="2", password="oak and pine")
    origin = {"Origin": f"http://127.0.0.1:{live.port}"}
    places = {owner.post(f"{path_of(first)}/again", {}, origin).headers["Location"] for _ in range(2)}
    assert len(places) == 1
    assert places != {path_of(first)}
    made = client.get("/crawls").json["data"]
    assert len(made) == 2
    for name in ("url", "privacy", "has_password", "settings"):
        assert made[0][name] == first[name], name
    assert live.client().guest().post(f"{path_of(first)}/again", {}, origin).status == 404
    work_crawl(live.service)


@pytest.mark.full
def test_a_crawl_of_another_part_says_why_it_is_not_compared(live: Live, shop: Site) -> None:
    email = live.email()
    client, owner = live.client(email=email), live.signed_in(email)
    crawl(live, client, shop.url("/"))
    other = crawl(live, client, shop.url("/"), include="/shop*")
    assert "Not compared with the previous result: the two results cover different parts of the site." in owner.get(path_of(other)).text
    third = crawl(live, client, shop.url("/shop"))
    assert ">Compare</a>" in owner.get(path_of(third)).text


@needs_chromium
def test_a_failed_crawl_is_repeated_over_http_and_compared(live: Live, shop: Site, window: Open) -> None:
    email = live.email()
    client = live.client(email=email)
    crawl(live, client, shop.url("/"))
    failed = crawl(live, client, shop.url("/").replace("http:", "https:"))
    origin = f"http://127.0.0.1:{live.port}"
    owner = window(cookies=live.signed_in(email).cookies, origin=origin)
    owner.goto(f"{origin}{path_of(failed)}")
    expect(owner.get_by_role("button", name="Crawl again")).to_be_visible()
    owner.get_by_role("button", name="Crawl over http", exact=True).click()
    owner.wait_for_url(lambda url: "/s/" in url and path_of(failed) not in url)
    work_crawl(live.service)
    owner.get_by_role("link", name="Compare").click()
    expect(owner.get_by_role("heading", name="What changed")).to_be_visible()
    expect(owner.get_by_role("button", name="Crawl again")).to_be_visible()
