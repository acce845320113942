"""What owners do with a report on its page, without JavaScript."""

import hashlib
import json
import re
import threading
from typing import Any

import pytest

from findable.service.values.presentation import SECTIONS
from tests.checks.harness import page
from tests.web.live import BAD_PAGE, Client, Live
from tests.web.test_share_page import unlocked

SAME = {"Sec-Fetch-Site": "same-origin"}
ACTIONS = (
    ("POST", "again"),
    ("POST", "privacy"),
    ("GET", "client"),
    ("POST", "client"),
    ("GET", "link"),
    ("POST", "link"),
    ("POST", "link/new"),
    ("POST", "delete"),
)
ACCEPTED = (("POST", "accepted/noindex"), ("POST", "accepted/noindex/withdraw"))
PAST = ("history", "compare")
"""Pages of older runs."""


def owned(live: Live, **fields: Any) -> tuple[Client, Client, Any, str]:
    """The owner's interface and browser, the report and the path of its page."""
    email = live.email()
    client = live.client(email=email)
    report = client.report(**fields)
    return client, live.signed_in(email), report, f"/r/{report['public_id']}"


def test_it_is_generated_again(live: Live) -> None:
    client, browser, report, path = owned(live)
    reply = browser.post(f"{path}/again", b"", SAME)
    assert (reply.status, reply.headers["Location"]) == (303, f"{path}?done=again")
    assert client.get(f"/reports/{report['id']}", wait=60).json["data"]["run"] == 2
    assert "The report was run again." in browser.get(f"{path}?done=again").text
    assert "The report was run again." not in client.guest().get(f"{path}?done=again").text


def test_asking_twice_joins_the_generation_that_runs(live: Live) -> None:
    client, browser, report, path = owned(live, url="https://made-again.example/")
    held = live.analyser.held["made-again.example"] = threading.Event()
    assert [browser.post(f"{path}/again", b"", SAME).status for _ in range(2)] == [303, 303]
    held.set()
    assert client.get(f"/reports/{report['id']}", wait=60).json["data"]["run"] == 2


def test_privacy_is_changed_there_and_back(live: Live) -> None:
    client, browser, _, path = owned(live)
    guest = client.guest()

    def change(privacy: int, password: str = "") -> int:
        reply = browser.post(f"{path}/privacy", {"privacy": privacy, "password": password}, SAME)
        assert reply.headers["Location"] == f"{path}?done=access#share", "where it says who may see it"
        return reply.status

    assert change(1) == 303
    assert guest.get(path).status == 404
    assert change(2, "open sesame") == 303
    assert "of 100" in unlocked(guest, path, "open sesame").get(path).text
    assert change(2) == 303
    assert "of 100" in unlocked(guest, path, "open sesame").get(path).text
    assert "New password, or empty to keep the current one" in browser.get(path).text
    assert change(0) == 303
    assert "of 100" in guest.get(path).text


def test_what_is_wrong_is_said_on_the_page_and_changes_nothing(live: Live) -> None:
    client, browser, _, path = owned(live)
    reply = browser.post(f"{path}/privacy", {"privacy": 2, "password": ""}, SAME)
    assert reply.status == 422
    assert 'role="alert"' in reply.text
    assert '<option value="2" selected>' in reply.text, "what was chosen stays chosen"
    assert re.search('<input id="password"[^>]* aria-describedby="problem" autofocus>', reply.text), "the page opens where the problem is"
    assert browser.post(f"{path}/privacy", {"privacy": 7}, SAME).status == 400
    assert client.guest().get(path).status == 200


def test_deleting_asks_first(live: Live) -> None:
    client, browser, report, path = owned(live)
    asked = browser.get(path)
    assert "Its results, its history and its link are deleted permanently." in asked.text
    assert f'action="{path}/delete"' in asked.text
    assert client.guest().get(path).status == 200
    reply = browser.post(f"{path}/delete", b"", SAME)
    assert (reply.status, reply.headers["Location"]) == (303, "/")
    assert browser.get(path).status == 404
    assert client.get(f"/reports/{report['id']}").status == 404


@pytest.mark.full
@pytest.mark.parametrize("privacy", [0, 1, 2])
@pytest.mark.parametrize(("method", "action"), [*ACTIONS, *ACCEPTED, *(("GET", page) for page in PAST)])
def test_s48_s57_nobody_else_finds_these_addresses(live: Live, method: str, action: str, privacy: int) -> None:
    fields = {"privacy": privacy, **({"password": "pw"} if privacy == 2 else {})}
    client, _, report, path = owned(live, **fields)
    key = Client(live.port, client.key, prefix="")
    others = [client.guest(), live.signed_in(live.email()), key]
    if privacy == 2:
        others.append(unlocked(client.guest(), path, "pw"))
    body = {"privacy": 0} if method == "POST" else None
    for other in others:
        reply = other.request(method, f"{path}/{action}", body, SAME)
        missing = other.request(method, f"/r/nothing/{action}", body, SAME)
        assert (reply.status, reply.body) == (missing.status, missing.body)
        assert reply.status == 404
    after = client.get(f"/reports/{report['id']}").json["data"]
    assert (after["privacy"], after["run"], after["status"]) == (privacy, 1, "done")
    for other in others:
        assert "Manage this report" not in other.get(path).text


@pytest.mark.parametrize("privacy", [0, 1])
def test_s74_forms_may_say_that_they_come_from_the_page(live: Live, privacy: int) -> None:
    _, browser, _, path = owned(live, privacy=privacy)
    assert browser.get(path).headers["Referrer-Policy"] == "same-origin"
    assert browser.post(f"{path}/again", b"", {"Origin": live.service.settings.base_url}).status == 303


def test_a_page_that_was_not_seen_is_tried_again_or_deleted(live: Live) -> None:
    _, browser, _, path = owned(live, url="https://times-out.example/")
    text = browser.get(path).text
    assert f'action="{path}/again"' in text
    assert f'action="{path}/delete"' in text


# --- accepted findings ------------------------------------------------------------------------------------------------


def finding(client: Client, report: Any, check: str) -> Any:
    results = client.get(f"/reports/{report['id']}").json["data"]["results"]
    return next(result for result in results if result["id"] == check)


def accept(browser: Client, path: str, check: str, **fields: str) -> Any:
    return browser.post(
        f"{path}/accepted/{check}", {"reason": "It is a draft.", "until": "", "scope": "report", "pattern": ""} | fields, SAME
    )


def test_a_finding_is_accepted_from_its_card_and_counted_again(live: Live) -> None:
    client, browser, report, path = owned(live, url="https://bad.example/")
    before = report["score"]
    assert f'action="{path}/accepted/noindex"' in browser.get(path).text
    reply = accept(browser, path, "noindex", until="2099-01-31")
    assert (reply.status, reply.headers["Location"]) == (303, f"{path}#noindex")
    assert finding(client, report, "noindex")["accepted"]["reason"] == "It is a draft."
    text = browser.get(path).text
    assert 'data-value="accepted">Accepted <b>1</b>' in text
    assert "until 31 January 2099" in text
    assert f'action="{path}/accepted/noindex/withdraw"' in text
    assert client.get(f"/reports/{report['id']}").json["data"]["score"] > before
    guest = client.guest().get(path).text
    assert "It is a draft." in guest
    assert "accepted by" not in guest
    assert browser.post(f"{path}/accepted/noindex/withdraw", b"", SAME).status == 303
    assert finding(client, report, "noindex")["accepted"] is None
    assert client.get(f"/reports/{report['id']}").json["data"]["score"] == before


def test_a_finding_is_accepted_for_addresses_of_the_project(live: Live) -> None:
    client, browser, _, path = owned(live, url="https://bad.example/draft/one")
    assert accept(browser, path, "noindex", scope="project", pattern="*/draft/*").status == 303
    other = client.report("https://bad.example/draft/two")
    assert finding(client, other, "noindex")["accepted"]["reason"] == "It is a draft."
    assert finding(client, client.report("https://bad.example/shop"), "noindex")["accepted"] is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"reason": " "}, "Enter a reason. It is shown with the finding."),
        ({"until": "soon"}, "Enter a date like 2027-01-31."),
        ({"until": "2001-01-01"}, "The day must be today or later."),
        ({"scope": "project", "pattern": "*/elsewhere/*"}, "The URL of this report does not match this pattern."),
    ],
)
def test_what_is_wrong_with_an_acceptance_stands_in_its_form(live: Live, fields: dict[str, str], said: str) -> None:
    client, browser, report, path = owned(live, url="https://bad.example/")
    reply = accept(browser, path, "noindex", **fields)
    assert reply.status == 422
    assert reply.text.count(said) == 1
    form = reply.text.partition(f'action="{path}/accepted/noindex"')
    assert '<details class="accept" open>' in form[0][-400:]
    assert said in form[2].partition("</form>")[0]
    if value := fields.get("until") or fields.get("pattern"):
        assert f'value="{value}"' in form[2]
    assert finding(client, report, "noindex")["accepted"] is None


def test_what_is_written_for_a_pattern_does_not_matter_for_this_report(live: Live) -> None:
    client, browser, report, path = owned(live, url="https://bad.example/")
    assert accept(browser, path, "noindex", pattern="*/elsewhere/*").status == 303
    assert finding(client, report, "noindex")["accepted"] is not None


def test_only_what_the_form_offers_is_taken(live: Live) -> None:
    _, browser, _, path = owned(live, url="https://bad.example/")
    assert accept(browser, path, "noindex", scope="everything").status == 400
    assert accept(browser, path, "no-such-check").status == 404
    assert browser.post(f"{path}/accepted/noindex/withdraw", b"", SAME).status == 404


# --- older runs -------------------------------------------------------------------------------------------------------


def changed_twice(live: Live, host: str) -> tuple[Client, Client, Any, str]:
    """A report with a bad, a sound and again a bad run."""
    live.analyser.pages[host] = BAD_PAGE
    client, browser, report, path = owned(live, url=f"https://{host}/")
    for shown in (page(), BAD_PAGE):
        live.analyser.pages[host] = shown
        client.put(f"/reports/{report['id']}", {"results": 1}, wait=60)
    return client, browser, report, path


def test_a_report_is_shown_as_it_was_in_a_run(live: Live) -> None:
    client, browser, report, path = changed_twice(live, "changes-one.example")
    scores = [client.get(f"/reports/{report['id']}/runs/{run}").json["data"]["score"] for run in (1, 2, 3)]
    for run, score in enumerate(scores, 1):
        text = browser.get(path, run=run).text
        assert f"Score {score} of 100" in text
        assert ("as it was" in text) is (run < 3)
        assert (f'action="{path}/' in text) is (run == 3)
    guest = client.guest()
    assert [guest.get(path, run=run).status for run in (1, 2, 3, 4)] == [404, 404, 200, 404]
    assert [browser.get(path, run=run).status for run in ("4", "x", "0", "1" * 30, "-1")] == [404] * 5
    assert guest.get(path, run="").status == 200


def test_the_page_says_what_changed_and_leads_to_the_comparison(live: Live) -> None:
    client, browser, _, path = changed_twice(live, "changes-two.example")
    text = browser.get(path).text
    assert 'class="plot"' in text
    assert "findings returned" in text
    assert f"{path}/compare?from=2&amp;to=3" in text
    assert f"{path}/history" in text
    guest = client.guest().get(path).text
    assert "What changed" not in guest
    assert "points worse than the previous run" in guest


def test_a_run_of_another_report_is_for_the_owner_only(live: Live) -> None:
    live.analyser.pages["changes-five.example"] = BAD_PAGE
    client, browser, _, _ = owned(live, url="https://changes-five.example/")
    live.analyser.pages["changes-five.example"] = page()
    later = client.report("https://changes-five.example/")
    path = f"/r/{later['public_id']}"
    assert "points better than the previous run" in browser.get(path).text
    assert "the previous run" not in client.guest().get(path).text
    listed = browser.get(f"{path}/history").text
    assert "Run 1 of another report" in listed
    assert "findings fixed" in browser.get(f"{path}/compare?from={later['previous']['report']}.1&to=1").text


def test_history_and_comparison(live: Live) -> None:
    _, browser, report, path = changed_twice(live, "changes-three.example")
    listed = browser.get(f"{path}/history").text
    assert [f"Run {run}<" in listed for run in (1, 2, 3, 4)] == [True, True, True, False]
    fixed = browser.get(f"{path}/compare?from=1&to=2").text
    assert "findings fixed" in fixed
    assert "points better" in fixed
    assert "because the page changed" in fixed
    changed = [fixed.index(words) for words in ("no: it is noindex", "limited the score to 15", "28 points")]
    assert changed == sorted(changed), "values first, then findings by harm"
    returned = browser.get(f"{path}/compare?from={report['id']}.2&to=3").text
    assert "findings returned" in returned
    same = browser.get(f"{path}/compare?from=1&to=3")
    assert "The same score" in same.text
    for wrong in ("from=2&to=2", "from=2", "from=a&to=1.1.1"):
        reply = browser.get(f"{path}/compare?{wrong}")
        assert reply.status == 422
        assert "These two runs cannot be compared" in reply.text
    assert browser.get(f"{path}/compare?from=1&to=9").status == 404
    assert browser.get(f"{path}/compare?from=2&to=1").text == fixed, "the older run comes first"
    assert browser.get(f"{path}/compare").text == browser.get(f"{path}/compare?from=2&to=3").text


def test_what_the_page_no_longer_has_was_not_fixed(live: Live) -> None:
    live.analyser.pages["changes-six.example"] = page(body='<h1>Bread</h1><img src="/a.png" width="9" height="9"><p>And rolls.</p>')
    client, browser, report, path = owned(live, url="https://changes-six.example/")
    live.analyser.pages["changes-six.example"] = page(body="<h1>Bread</h1><p>And rolls.</p>")
    client.put(f"/reports/{report['id']}", {"results": 1}, wait=60)
    text = browser.get(f"{path}/compare?from=1&to=2").text
    _, _, lapsed = text.partition("no longer appl")
    assert "Do images have an alternative text?" in lapsed
    assert "Do images have an alternative text?" not in text.partition("no longer appl")[0]


def test_a_report_with_one_run_has_nothing_to_compare(live: Live) -> None:
    _, browser, _, path = owned(live)
    assert "What changed" not in browser.get(path).text
    text = browser.get(f"{path}/history").text
    assert "1 run" in text
    assert 'type="radio"' not in text


def test_evidence_is_the_file_whose_digest_is_shown(live: Live) -> None:
    client, browser, report, path = changed_twice(live, "changes-four.example")
    guest = client.guest()
    shown = json.dumps({"sections": list(SECTIONS)})
    assert client.put(f"/reports/{report['id']}/client", shown, {"Content-Type": "application/json"}).status == 200
    digest = hashlib.sha256(guest.get(f"{path}/evidence").body).hexdigest()
    assert digest in guest.get(path).text
    older = browser.get(f"{path}/evidence", run=2)
    assert hashlib.sha256(older.body).hexdigest() in browser.get(path, run=2).text
    assert older.headers["Content-Disposition"].startswith("attachment;")
    assert "sandbox" in older.headers["Content-Security-Policy"]
    assert guest.get(f"{path}/evidence", run=2).status == 404
    private = client.report(privacy=1)
    assert guest.get(f"/r/{private['public_id']}/evidence").status == 404
