"""Times in the zone of whoever reads them, in a real Chromium; without scripts in UTC."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import Open, needs_chromium
from tests.web.live import Live
from tests.web.test_manage import owned

pytestmark = [needs_chromium, pytest.mark.full]
ZONE = "Asia/Tokyo"
"""Nine hours ahead of UTC all year, so that the day differs too."""


@pytest.mark.parametrize(("language", "day"), [("en", r"\d+ \w+ 2\d{3}"), ("de", r"\d+\. \w+ 2\d{3}")])
def test_times_are_in_the_zone_of_the_browser(live: Live, window: Open, language: str, day: str) -> None:
    _, _, _, path = owned(live)
    origin = f"http://127.0.0.1:{live.port}"
    page = window(origin=origin, time_zone=ZONE, language=language)
    page.goto(origin + path)
    time = page.locator("main time[datetime*=T]").first
    expect(time).to_have_text(re.compile(rf"^{day}, \d\d:\d\d (?:JST|GMT\+9)$"))
    assert re.fullmatch(rf"{day}, \d\d:\d\d UTC", time.get_attribute("title") or "")
    there, here = (re.search(r"(\d\d):(\d\d)", text) for text in (time.inner_text(), time.get_attribute("title") or ""))
    assert there
    assert here
    assert (int(there[1]) - int(here[1])) % 24 == 9
    assert there[2] == here[2]
    page.evaluate(
        """() => {
            const said = document.createElement("p"), around = document.createElement("div");
            Object.assign(said, { id: "said", textContent: "since 1 May 2026, 10:00 UTC (79)" }).dataset.at = "2026-01-01T10:00:00+00:00";
            around.append(said);
            document.body.append(around);
        }"""
    )
    expect(page.locator("#said")).to_have_text(re.compile(r"^since 1\.? \w+ 2026, 19:00 (?:JST|GMT\+9) \(79\)$"))
    plain = window(origin=origin, time_zone=ZONE, language=language, scripts=False)
    plain.goto(origin + path)
    expect(plain.locator("main time[datetime*=T]").first).to_have_text(re.compile(rf"^{day}, \d\d:\d\d UTC$"))


def test_a_new_schedule_suggests_the_zone_of_the_browser(live: Live, window: Open) -> None:
    client, browser, report, _ = owned(live, url="https://zone.example/")
    origin = f"http://127.0.0.1:{live.port}"
    page = window(origin=origin, time_zone=ZONE, cookies=browser.cookies)
    page.goto(f"{origin}/projects/zone.example/watching")
    expect(page.locator("#time-hint")).to_contain_text(f"Local time in {ZONE}.")
    page.get_by_role("button", name="Save the schedule").click()
    page.wait_for_url("**done=made")
    (made,) = client.get("/schedules", project=report["project"]).json["data"]
    assert made["time_zone"] == ZONE
