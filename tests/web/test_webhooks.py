"""Webhooks of the account in the browser, without JavaScript."""

import re
from urllib.parse import quote

from findable.notify.outgoing_event import EventType
from tests.web.live import Live
from tests.web.test_people import SAME, browser, with_password


def test_a_webhook_is_made_tested_changed_and_deleted_by_forms(live: Live) -> None:
    owner = browser(live, with_password(live))
    form = {"url": "https://hooks.example/in", "kind": "standard", "name": "Build", "event.report.worse": "1"}
    refused = owner.post("/account/webhooks", form | {"url": "https://10.0.0.1/"}, SAME)
    assert refused.status == 422
    assert "This URL is not on the public internet." in refused.text
    assert 'value="Build"' in refused.text
    assert refused.text.count("checked") == 1
    made = owner.post("/account/webhooks", form, SAME)
    assert made.status == 201
    assert "whsec_" in made.text
    assert made.headers["Cache-Control"] == "private, no-store"
    (line,) = [part for part in owner.get("/account/webhooks").text.split('href="/account/webhooks/')[1:] if part[0].isdigit()]
    path = f"/account/webhooks/{line.split(chr(34))[0]}"
    assert "whsec_" not in owner.get(path).text
    assert owner.post(f"{path}/test", {}, SAME).status == 303
    assert "webhook.test" in owner.get(path).text
    changed = {"name": "<b>Deploy", **{f"event.{kind.value}": "1" for kind in EventType}}
    assert owner.post(path, changed, SAME).headers["Location"] == f"{path}?done=saved"
    assert "&lt;b&gt;Deploy" in owner.get(path).text
    assert "Choose at least one event." in owner.post(path, {"name": ""}, SAME).text
    assert owner.post(f"{path}/state", {"disabled": "1"}, SAME).status == 303
    assert "Disabled by an owner." in owner.get(path).text
    assert owner.post(f"{path}/test", {}, SAME).status == 409
    german = owner.get("/account/webhooks", {"Accept-Language": "de"})
    assert "Es gibt noch keinen Webhook." not in german.text
    assert owner.post(f"{path}/delete", {}, SAME).status == 303
    assert owner.get(path).status == 404


def test_the_path_of_a_chat_is_shown_to_nobody(live: Live) -> None:
    owner = browser(live, with_password(live))
    form = {"url": "https://hooks.slack.example/services/T0/B0/secret", "kind": "slack", "event.crawl.done": "1", "language": "de"}
    made = owner.post("/account/webhooks", form, SAME)
    assert made.status == 201
    assert "whsec_" not in made.text
    for page in (made, owner.get("/account/webhooks")):
        assert "services/T0" not in page.text
        assert "https://hooks.slack.example/…" in page.text


def test_a_webhook_has_one_url_without_leading_zeros(live: Live) -> None:
    owner = browser(live, with_password(live))
    owner.post("/account/webhooks", {"url": "https://hooks.example/in", "kind": "standard", "event.crawl.done": "1"}, SAME)
    (number,) = re.findall(r'href="/account/webhooks/(\d+)"', owner.get("/account/webhooks").text)

    assert owner.get(f"/account/webhooks/{number}").status == 200
    for path in (f"0{number}", f"00{number}", "0", "007", f"{number}.0", "٣", "9" * 19):
        assert owner.get(f"/account/webhooks/{quote(path)}").status == 404, path
