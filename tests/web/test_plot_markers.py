"""Events in the plots of a project: as lines with their text behind, set by a form, and not for guests."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from findable import clock
from findable.reports.project_report import TrendPoint
from findable.service.accounts.callers import authenticate_key
from findable.service.projects import markers
from findable.store.schema.report_tables import run
from findable.web.pages.project.project_sections import _trend_rows
from findable.web.pages.shared.plots import score_plot
from findable.wording import ENGLISH
from tests.accessibility import faults
from tests.browser import LOOKS, Open, needs_chromium, scrolls_sideways
from tests.web.live import Client, Live, run_live

SAME = {"Sec-Fetch-Site": "same-origin"}
PATH = "/projects/plots.example"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"))


@pytest.fixture(scope="module")
def email(live: Live) -> str:
    return live.email()


def run_on_five_days(live: Live, client: Client, host: str) -> None:
    """Make five runs of a page on five days, the last two with a newer ruleset."""
    reports = {client.report(f"https://{host}/")["id"] for _ in range(5)}
    with live.service.store.write() as session:
        connection = session.outbox._connection
        rows = connection.execute(run.select().where(run.c.report_id.in_(reports)).order_by(run.c.id)).all()
        assert len(rows) == 5
        for place, row in enumerate(rows):
            engine = row.engine if place > 2 else re.sub(r'"ruleset":"[^"]*"', '"ruleset":"2020-01"', row.engine)
            at = row.finished_at - 86_400 * (len(rows) - 1 - place)
            connection.execute(run.update().where(run.c.id == row.id).values(finished_at=at, engine=engine))


@pytest.fixture(scope="module")
def client(live: Live, email: str) -> Client:
    """The project plots.example, with a deploy before its fourth run."""
    client = live.client(email=email)
    run_on_five_days(live, client, "plots.example")
    caller = authenticate_key(live.service, client.key)
    markers.add(live.service, caller, "plots.example", "Release 2.4", clock.now() - timedelta(days=2))
    return client


@pytest.fixture(scope="module")
def browser(live: Live, client: Client, email: str) -> Client:
    return live.signed_in(email)


def test_events_are_lines_with_their_text_in_the_table(browser: Client) -> None:
    shown = browser.get(PATH).text
    assert shown.count('<g class="event">') == 2
    assert "Release 2.4 (" in shown
    assert "<bdi>Release 2.4</bdi></td>" in shown
    assert re.search(r"<bdi>Ruleset [^<]+</bdi></td>", shown)


def test_an_event_is_marked_by_the_form(live: Live, client: Client, browser: Client) -> None:
    path = "/projects/marked.example"
    run_on_five_days(live, client, "marked.example")
    day = (datetime.now(UTC) - timedelta(days=3)).date().isoformat()
    reply = browser.post(f"{path}/markers", {"label": "New template", "day": day}, SAME)
    assert (reply.status, reply.headers["Location"]) == (303, f"{path}#trend")
    assert browser.post(f"{path}/markers", {"label": "Now"}, SAME).status == 303
    stored = client.get(f"{path}/markers").json["data"]
    assert {one["label"] for one in stored} == {"New template", "Now"}
    assert next(one["at"] for one in stored if one["label"] == "New template") == f"{day}T12:00:00Z"
    for wrong in ({"label": ""}, {"label": "Later", "day": "2099-01-01"}, {"label": "Never", "day": "tomorrow"}):
        refused = browser.post(f"{path}/markers", wrong, SAME)
        assert refused.status == 422, wrong
        assert 'aria-invalid="true"' in refused.text


def test_without_a_plot_a_wrong_event_is_told_too(client: Client, browser: Client) -> None:
    for project in ("unplotted.example", "one-day.example"):
        client.post("/projects", {"project": project})
    client.report("https://one-day.example/")
    for project in ("unplotted.example", "one-day.example"):
        refused = browser.post(f"/projects/{project}/markers", {"label": "Never", "day": "tomorrow"}, SAME)
        assert refused.status == 422
        assert 'id="marker-day-wrong"' in refused.text
        assert "The day must be a date like 2026-11-21." in refused.text
        assert "Mark an event" not in browser.get(f"/projects/{project}").text


def test_guests_of_the_project_do_not_read_the_labels(live: Live, browser: Client) -> None:
    path = re.search(r'href="(/p/[\w-]+)"', browser.get(f"{PATH}/share").text)
    assert path is not None
    assert browser.post(f"{path[1]}/privacy", {"privacy": "0"}, SAME).status == 303
    shown = Client(live.port, prefix="").get(path[1]).text
    assert "Ruleset" in shown
    assert "Release 2.4" not in shown


@needs_chromium
@LOOKS
def test_plots_with_events_break_no_rule_and_fit(live: Live, browser: Client, window: Open, width: int, dark: bool) -> None:
    origin = f"http://127.0.0.1:{live.port}"
    page = window(width=width, dark=dark, cookies=browser.cookies, origin=origin)
    page.goto(origin + PATH)
    page.get_by_text("As a table").click()
    page.get_by_text("Mark an event, like a deploy").click()
    assert faults(page) == []
    assert not scrolls_sideways(page)


def test_two_crawls_of_one_day_are_told_apart_by_their_time() -> None:
    at = datetime(2026, 11, 24, 2, 33, tzinfo=UTC)
    points = [TrendPoint(at, 1, 2, 3, 79), TrendPoint(at + timedelta(hours=3), 1, 2, 3, 49)]
    plot = score_plot([(at, 79), (at + timedelta(hours=3), 49)], (), ENGLISH, UTC)
    assert plot is not None
    first, last = (dot.when.words for dot in plot.lines[0].dots)
    assert (first, last) == ("24 November 2026, 02:33 UTC", "24 November 2026, 05:33 UTC")
    assert [day.words for day, *_ in _trend_rows(points, [], ENGLISH, UTC)] == [last, first]
    days = score_plot([(at, 79), (at + timedelta(days=2), 49)], [at], ENGLISH, UTC)
    assert days is not None
    assert [dot.when.words for dot in days.lines[0].dots] == ["24 November 2026", "26 November 2026"]
