"""One history of a page and of a site: whatever form of its URL was typed, and whatever a result could not judge."""

from collections.abc import Iterator

import pytest

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
