"""Pages in a language that is written from right to left: mirrored, and nothing wider than the window."""

from collections.abc import Iterator

import pytest

from tests.browser import DESKTOP_PX, PHONE_PX, Open, needs_chromium, scrolls_sideways
from tests.languages.pages import spoken
from tests.languages.pseudo import MIRRORED
from tests.web.live import Live, run_live
from tests.web.reports import made

pytestmark = needs_chromium
PAGES = (
    "/",
    "/projects",
    "/projects/bad.example",
    "/projects/bad.example/settings",
    "/findings",
    "/account",
    "/account/keys",
    "/account/people",
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with spoken(MIRRORED):
        yield from run_live(tmp_path_factory.mktemp("service"))


@pytest.mark.parametrize("width", [PHONE_PX, pytest.param(DESKTOP_PX, marks=pytest.mark.full)])
def test_pages_are_mirrored_and_fit(live: Live, window: Open, width: int) -> None:
    email = live.email()
    reports = made(live, email)
    origin = f"http://127.0.0.1:{live.port}"
    page = window(width=width, cookies=live.signed_in(email).cookies, origin=origin)
    for path in (
        *PAGES,
        *reports.values(),
        f"{reports['bad.example']}/history",
        f"{reports['links.example']}/details/links",
        "/docs/checks",
        "/docs/checks/noindex",
    ):
        page.goto(origin + path)
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.locator("html").get_attribute("dir") == "rtl", path
        assert not scrolls_sideways(page), path
        mark, heading = (page.locator(name).first.bounding_box() for name in (".mark", "h1"))
        assert mark is not None, path
        assert heading is not None, path
        assert mark["x"] > width / 2, path
        assert heading["x"] + heading["width"] > width / 2, path


SIGN_IS_LEFT = """node => {
  const text = node.firstChild, at = text.data.search(/[+−]/), range = document.createRange();
  const left = place => { range.setStart(text, place); range.setEnd(text, place + 1); return range.getBoundingClientRect().left; };
  return left(at) < left(at + 1);
}"""


def test_a_sign_stands_before_its_number(live: Live, window: Open) -> None:
    email = live.email()
    origin = f"http://127.0.0.1:{live.port}"
    page = window(width=DESKTOP_PX, cookies=live.signed_in(email).cookies, origin=origin)
    page.goto(origin + made(live, email)["bad.example"])
    points = page.locator(".finding .measure").filter(has_text="+")
    assert points.count() > 0
    assert all(points.nth(place).evaluate(SIGN_IS_LEFT) for place in range(points.count()))
