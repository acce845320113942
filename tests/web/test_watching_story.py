"""A person watches a page in a real Chromium: from the schedule to the mail that says that all is well again."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from findable.jobs import embedded
from findable.worker import worker_loop
from tests.browser import Open, needs_chromium
from tests.checks.harness import page as made_up
from tests.mail_server import Inbox
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.sites.server import AUTHORITY
from tests.web.live import BAD_PAGE, Live, run_live
from tests.worker.processes import until

pytestmark = [needs_chromium, pytest.mark.full]
HOST, DAY_S, CONFIRM_S, GATHER_S = "story.example", 86_400, 130, 700


@pytest.fixture
def clock() -> Iterator[SimulatedClock]:
    with simulated_clock(int(time.time())) as found:
        yield found


@pytest.fixture
def live(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, clock: SimulatedClock, inbox: Inbox) -> Iterator[Live]:
    monkeypatch.setattr(worker_loop, "ALERTS_EVERY_S", 0.05)
    monkeypatch.setattr(embedded, "POLL_S", 0.05)
    more: dict[str, Any] = {"smtp_url": inbox.url, "mail_from": "Findable <findable@service.example>", "ca_file": AUTHORITY}
    yield from run_live(tmp_path_factory.mktemp("service"), **more)


def test_schedule_break_alert_acknowledge_fix_close_mail(live: Live, clock: SimulatedClock, inbox: Inbox, window: Open) -> None:
    email = live.email()
    client, cookies = live.client(email=email), live.signed_in(email).cookies
    report = client.report(f"https://{HOST}/")
    origin = f"http://127.0.0.1:{live.port}"
    watching = f"{origin}/projects/{HOST}/watching"
    page = window(cookies=cookies, origin=origin)

    def is_sent(*texts: str) -> bool:
        return any(all(text in str(mail["Subject"]) for text in texts) for mail in inbox.to(email))

    def runs() -> int:
        return len(client.get(f"/reports/{report['id']}/runs").json["data"])

    def go(seconds: int, happens: Callable[[], bool]) -> None:
        clock.at += seconds
        until(happens, 60)

    def run_again(seconds: int) -> None:
        before = runs()
        go(seconds, lambda: runs() > before)

    _make_schedule(page, watching)
    run_again(DAY_S)  # the state that later runs are compared with
    live.analyser.pages[HOST] = BAD_PAGE
    run_again(DAY_S)
    run_again(CONFIRM_S)
    go(GATHER_S, lambda: is_sent("no longer list because of noindex: 1"))

    page.goto(f"{origin}/alerts")
    alert = page.locator("section:has(#open-alerts)")
    expect(alert).to_contain_text("Pages that Google can no longer list because of noindex: 1")
    alert.get_by_role("link", name=HOST).first.click()
    page.get_by_role("button", name=re.compile("Acknowledge.*no longer list")).click()
    expect(page.get_by_role("status")).to_contain_text("The alert was acknowledged.")
    expect(page.locator("section:has(#alerts)")).to_contain_text("open, acknowledged")

    live.analyser.pages[HOST] = made_up()
    run_again(DAY_S)
    run_again(DAY_S)
    go(GATHER_S, lambda: any((one["rule"], one["state"]) == ("not-indexable", "ok") for one in client.get("/alerts").json["data"]))
    page.goto(watching)
    page.get_by_text("Earlier alerts").click()
    expect(page.locator("section:has(#alerts) details")).to_contain_text("no longer list because of noindex: 1")
    assert not is_sent("Resolved"), "what is over is in the summary of the week"

    text = inbox.to(email)[0].get_body(("plain",)).get_content()  # type: ignore[union-attr]  # each mail has a text
    assert f"https://{HOST}/" in text


def _make_schedule(page: Page, watching: str) -> None:
    page.goto(watching)
    page.get_by_label("How often").select_option("day")
    page.get_by_role("button", name="Save the schedule").click()
    expect(page.get_by_role("status")).to_contain_text("The schedule was saved.")
    page.get_by_role("button", name="Subscribe").click()
    expect(page.get_by_role("status")).to_contain_text("You get the alerts of this project by email.")
