"""Schedules are made and changed with fields for day and time, without a script."""

from findable.web.pages.project.schedule_form import schedule_form
from findable.web.pages.shared.form_fields import FormView
from findable.wording import ENGLISH
from tests.web.live import Live
from tests.web.test_manage import SAME, owned

MONTHLY = {"what": "reports", "every": "month", "weekday": "mon", "day": "15", "time": "04:30", "time_zone": "Europe/Berlin"}


def test_a_schedule_is_made_and_changed_with_fields_for_day_and_time(live: Live) -> None:
    client, browser, report, _ = owned(live, url="https://scheduled.example/")
    of_project = "/projects/scheduled.example"
    assert browser.post(f"{of_project}/schedules", MONTHLY, SAME).status == 303
    (made,) = client.get("/schedules", project=report["project"]).json["data"]
    assert (made["every"], made["at"], made["time_zone"]) == ("month", "15 04:30", "Europe/Berlin")
    page = f"{of_project}/schedules/{made['id']}"
    assert page in browser.get(f"{of_project}/watching").text
    form = browser.get(page).text
    for field in ('<option value="month" selected>', '<option value="15" selected>', 'type="time"', 'value="04:30"'):
        assert field in form
    reply = browser.post(page, {**MONTHLY, "every": "week", "weekday": "thu", "time_zone": "UTC"}, SAME)
    assert (reply.status, reply.headers["Location"]) == (303, f"{of_project}/watching?done=changed")
    changed = client.get(f"/schedules/{made['id']}").json["data"]
    assert (changed["every"], changed["at"], changed["time_zone"]) == ("week", "thu 04:30", "Europe/Berlin")
    assert "every week, Thursday, 04:30 (Europe/Berlin)" in browser.get(f"{of_project}/watching").text


def test_a_wrong_time_is_shown_beside_its_field_with_what_was_typed(live: Live) -> None:
    client, browser, report, _ = owned(live, url="https://mistimed.example/")
    made = client.post("/schedules", {"project": report["project"], "every": "day", "at": "02:00"}).json["data"]
    reply = browser.post(f"/projects/mistimed.example/schedules/{made['id']}", {**MONTHLY, "time": "25:00"}, SAME)
    assert reply.status == 422
    assert 'aria-describedby="time-hint time-wrong"' in reply.text
    assert 'value="25:00"' in reply.text
    assert client.get(f"/schedules/{made['id']}").json["data"]["at"] == "02:00"


def test_a_schedule_of_a_large_site_proposes_a_rolling_crawl_with_its_cost(live: Live) -> None:
    fields = schedule_form(FormView(), 1, "UTC", ENGLISH, known_urls=400_000, suggests_zone=False)
    assert fields.form.values["rolling"] == "58000"
    assert fields.rolling_hint.endswith(
        "Proposed for the 400,000 URLs of this site: 58,000 requests in each run, in 3 hours at 5 a second instead of 22 hours. "
        "Important pages are then read in every run, all others within 10 runs."
    )
    assert schedule_form(FormView(), 1, "UTC", ENGLISH, known_urls=900, suggests_zone=False).form.values["rolling"] == ""

    client, browser, report, _ = owned(live, url="https://rolling.example/")
    crawled = {**MONTHLY, "what": "crawl", "rolling": "2500"}
    assert browser.post("/projects/rolling.example/schedules", crawled, SAME).status == 303
    (made,) = client.get("/schedules", project=report["project"]).json["data"]
    assert made["settings"]["rolling"] == 2500
    page = f"/projects/rolling.example/schedules/{made['id']}"
    assert 'value="2500"' in browser.get(page).text
    wrong = browser.post(page, {**crawled, "rolling": "many"}, SAME)
    assert (wrong.status, "The rolling must be from 1 to 1,000,000." in wrong.text) == (422, True)
