"""A site is crawled and shared with a client, in a real Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser import Open, needs_chromium
from tests.crawl_sites import make_shop
from tests.sites.server import Site
from tests.web.live import Live, run_live
from tests.worked_crawls import work_crawl

PASSWORD = "oak and pine"


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


@pytest.mark.full
@needs_chromium
def test_a_site_is_crawled_and_shared_with_a_client(live: Live, shop: Site, window: Open) -> None:
    origin = f"http://127.0.0.1:{live.port}"
    owner = window(cookies=live.signed_in(live.email()).cookies, origin=origin)
    owner.goto(origin)
    owner.get_by_label("URL of a page or a site").fill(shop.url("/"))
    owner.get_by_text("Options").click()
    owner.get_by_label("Who may see it").select_option("Only people with access")
    owner.get_by_role("button", name="Audit the whole site").click()
    owner.wait_for_url("**/s/*")
    link = owner.url
    stranger = window()
    stranger.goto(link)
    assert shop.url("/") not in stranger.content()
    work_crawl(live.service)
    expect(owner.locator(".score-bar .number")).to_be_visible()
    first = owner.locator(".first-fixes .fix-fact").first.inner_text()
    owner.locator("#manage").scroll_into_view_if_needed()
    owner.get_by_label("Who may see it").select_option("With a password")
    owner.get_by_label("Password, if one is required").fill(PASSWORD)
    owner.get_by_role("button", name="Change", exact=True).click()
    expect(owner.locator("#manage")).to_be_attached()

    guest = window()
    guest.goto(link)
    assert shop.url("/") not in guest.content()
    guest.locator("input[type=password]").fill("pine and oak")
    guest.keyboard.press("Enter")
    expect(guest.get_by_text("The password is wrong.")).to_be_visible()
    guest.locator("input[type=password]").fill(PASSWORD)
    guest.keyboard.press("Enter")
    expect(guest.locator(".score-bar .number")).to_be_visible()
    guest.get_by_role("link", name="All details").first.click()
    assert guest.locator(".first-fixes .fix-fact").first.inner_text() == first
    assert guest.locator("#manage").count() == 0
    guest.get_by_role("link", name="List all pages").click()
    expect(guest.locator(".crawled-pages tbody tr").first).to_be_visible()
    with guest.expect_download() as download:
        guest.evaluate("path => { location.href = path }", f"{link}/report.csv")
    assert download.value.suggested_filename.endswith(".csv")

    owner.goto(f"{link}#manage")
    owner.get_by_label("New password, or empty to keep the current one").fill("another one")
    owner.get_by_role("button", name="Change", exact=True).click()
    expect(owner.locator("#manage")).to_be_attached()
    guest.goto(link)
    expect(guest.locator("input[type=password]")).to_be_visible()
