"""`browser` of a report: stored, shown, used by every run, refused where there is none. Real site, real worker, real Chromium."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import needs_chromium
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.worker.processes import until

SHELL = (
    "<!doctype html><html lang=en><head><title>Tea and cups in Hamburg</title></head><body><div id=root></div><script src=/app.js></script>"
)
APP = "document.getElementById('root').innerHTML = '<main><h1>Tea and cups</h1>' + '<p>We sell green tea and cups.</p>'.repeat(30)"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), real=True, allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), browser="none")


@pytest.fixture
def shop(site: Site) -> Site:
    site.page("/", SHELL)
    site.page("/app.js", APP, content_type="text/javascript")
    return site


@pytest.mark.full
@needs_chromium
def test_a_report_uses_its_browser_in_every_run_whatever_the_project_says(real: Live, shop: Site) -> None:
    email = real.email()
    client = real.client(email=email)
    plain = client.post("/reports", {"url": shop.url("/")}).json["data"]
    shown = real.signed_in(email).get(f"/r/{plain['public_id']}").text
    assert '<option value="view" selected>' in shown, "a page that needs a browser suggests one"
    seen = client.post("/reports", {"url": shop.url("/"), "browser": "view"}).json["data"]
    again = client.put(f"/reports/{seen['id']}", {"results": 1}).json["data"]
    listed = {row["id"]: row["browser"] for row in client.get("/reports").json["data"]}

    assert (plain["browser"], plain["error"]["code"], plain["engine"]["profile"]) == (None, "needs_browser", "static")
    assert (seen["browser"], seen["error"], seen["engine"]["profile"]) == ("view", None, "rendered")
    assert (again["run"], again["score"], again["facts"]["browser"]["after_scripts"]) == (2, seen["score"], True)
    assert listed == {plain["id"]: None, seen["id"]: "view"}

    client.put(f"/projects/{plain['project']}", {"browser": "view"})
    never = client.put(f"/reports/{seen['id']}", {"browser": "none", "results": 1}).json["data"]
    by_project = client.request(
        "PUT", f"/reports/{seen['id']}", '{"browser": null, "results": 1}', {"Content-Type": "application/json"}, wait=60
    ).json["data"]
    assert (never["browser"], never["last_error"]["code"]) == ("none", "needs_browser")
    assert (by_project["browser"], by_project["last_error"], by_project["run"]) == (None, None, 4)


@needs_chromium
def test_a_project_without_a_browser_setting_uses_that_of_the_account(real: Live, shop: Site) -> None:
    client = real.client(email=real.email())
    sent = {"Content-Type": "application/json"}
    assert client.put("/account/settings", {"browser": "view"}).json["data"]["browser"] == "view"
    inherited = client.report(shop.url("/"))
    assert client.get(f"/projects/{inherited['project']}").json["data"]["browser"] is None
    assert (inherited["browser"], inherited["error"], inherited["engine"]["profile"]) == (None, None, "rendered")

    assert client.put(f"/projects/{inherited['project']}", {"browser": "none"}).json["data"]["browser"] == "none"
    assert client.report(shop.url("/two"))["engine"]["profile"] == "static"
    reply = client.request("PUT", f"/projects/{inherited['project']}", '{"browser": null}', sent)
    assert reply.json["data"]["browser"] is None


@pytest.mark.full
@needs_chromium
def test_the_requests_of_a_page_are_a_har_file_for_readers_of_the_report(real: Live, shop: Site) -> None:
    client = real.client()
    made = client.post("/reports", {"url": f"{shop.url('/')}?har=1&b=2", "browser": "view"}, wait=60).json["data"]
    until(lambda: client.get(f"/reports/{made['id']}").json["data"]["status"] in ("done", "failed"))
    path = f"/r/{made['public_id']}"
    found = client.guest().get(f"{path}/report.har")
    assert found.status == 200
    assert found.headers["Content-Disposition"].endswith('.har"')
    archive = json.loads(found.body)
    first = archive["log"]["entries"][0]
    assert first["request"]["url"].endswith("?har=1&b=2")
    assert first["request"]["queryString"] == [{"name": "har", "value": "1"}, {"name": "b", "value": "2"}]
    assert first["response"]["status"] == 200
    assert first["time"] == pytest.approx(first["timings"]["wait"] + first["timings"]["receive"], abs=0.2)
    assert not any(entry["request"]["cookies"] or entry["request"]["headers"] for entry in archive["log"]["entries"])
    page = client.guest().get(path, view="full").text
    assert f'href="{path}/report.har"' in page
    assert '<ul class="waterfall">' in page
    assert client.guest().get(f"{path}/details/requests").status == 200
    client.put(f"/reports/{made['id']}", {"privacy": 1})
    assert client.guest().get(f"{path}/report.har").status == client.guest().get(f"{path}/report.csv").status != 200


@needs_chromium
def test_a_measured_report_has_lab_values_that_change_no_score(real: Live, shop: Site) -> None:
    email = real.email()
    client = real.client(email=email)
    made = client.post("/reports", {"url": f"{shop.url('/')}?lab", "browser": "lab"}, wait=60).json["data"]
    while made["status"] not in ("done", "failed"):
        made = client.get(f"/reports/{made['id']}", wait=60).json["data"]
    made = client.get(f"/reports/{made['id']}", results=1).json["data"]
    found = made["facts"]["browser"]
    assert (made["browser"], made["error"], found["lab"]["loads_count"]) == ("lab", None, 3)
    assert [metric["metric"] for metric in found["metrics"]] == [
        "largest_contentful_paint",
        "cumulative_layout_shift",
        "total_blocking_time",
        "first_contentful_paint",
    ]
    assert all(metric["lowest"] <= metric["median"] <= metric["highest"] for metric in found["metrics"])
    frames = found["filmstrip"]
    assert len(frames) == 8
    assert [frame["at_ms"] for frame in frames] == sorted(frame["at_ms"] for frame in frames)
    path = f"/r/{made['public_id']}"
    image = client.guest().get(f"{path}/filmstrip.webp")
    assert (image.status, image.headers["Content-Type"]) == (200, "image/webp")
    assert image.body.startswith(b"RIFF")
    saved = json.loads(real.signed_in(email).get(f"{path}/evidence").body)
    assert [list(frame) for frame in saved["rendering"]["film"]["frames"]] == [["at_ms"]] * 8, "saved pages have no second copy"
    text = client.guest().get(path, view="full").text
    assert f'<img src="{path}/filmstrip.webp"' in text
    assert re.search(r'class="meter-values">[^<]*LCP [\d.,]+\s\w+, CLS [\d.,]+, blocking time [\d.,]+\sms</span>', text)
    verdicts = {result["id"]: (result["verdict"], result["lost"]) for result in made["results"]}
    judged = {"unknown"} if found["lab"]["machine_was_busy"] else {"passed", "warned", "failed"}
    for name in ("lcp", "cls", "tbt", "fcp"):
        assert verdicts[name][0] in judged, name
        assert verdicts[name][1] == 0, name


def test_a_service_without_a_browser_refuses_it(without: Live) -> None:
    client = without.client()
    made = client.post("/reports", {"url": "https://good.example/", "browser": "none"}).json["data"]
    crawl = client.post("/crawls", {"url": "https://good.example/", "render": "sample"})
    assert (crawl.status, list(crawl.json["errors"])) == (422, ["render"])
    replies = (
        client.post("/reports", {"url": "https://good.example/", "browser": "view"}),
        client.put(f"/reports/{made['id']}", {"browser": "view"}),
        client.put(f"/projects/{made['project']}", {"browser": "view"}),
        client.put("/account/settings", {"browser": "view"}),
    )

    for reply in replies:
        assert reply.status == 422
        assert "no browser" in reply.json["errors"]["browser"][0]
    assert client.get(f"/reports/{made['id']}").json["data"]["browser"] == "none"


@pytest.mark.parametrize("wrong", ["lots", "True", "1"])
def test_other_values_are_refused_with_those_that_exist(client: Client, wrong: str) -> None:
    reply = client.post("/reports", {"url": "https://good.example/", "browser": wrong})

    assert reply.status == 422
    assert "view" in reply.json["errors"]["browser"][0]


@pytest.mark.full
@needs_chromium
def test_the_forms_and_batches_say_whether_reports_use_a_browser(real: Live, shop: Site) -> None:
    email = real.email()
    client, browser = real.client(email=email), real.signed_in(email)
    same = {"Sec-Fetch-Site": "same-origin"}

    def done() -> dict[str, Any]:
        until(lambda: {row["status"] for row in client.get("/reports").json["data"]} <= {"done", "failed"})
        return {row["url"]: row["browser"] for row in client.get("/reports").json["data"]}

    assert 'name="browser"' in browser.get("/").text
    made = browser.post("/reports", {"url": shop.url("/"), "browser": ""}, same)
    assert done() == {shop.url("/"): None}
    shown = browser.get(made.headers["Location"]).text
    assert "Tea and cups in Hamburg" in shown, "a page of the form that needs a browser is opened in one"
    assert browser.post(f"{made.headers['Location']}/again", {"browser": "view"}, same).status == 303
    assert done() == {shop.url("/"): "view"}
    assert browser.post(f"{made.headers['Location']}/again", {}, same).status == 303
    assert done() == {shop.url("/"): "view"}
    assert browser.post("/reports", {"url": "\n".join((shop.url("/"), shop.url("/two"))), "browser": "none"}, same).status == 303
    until(lambda: all(batch["status"] == "done" for batch in client.get("/batches").json["data"]))
    assert done() == {shop.url("/"): "none", shop.url("/two"): "none"}
    reply = client.request(
        "POST", "/batches", json.dumps({"urls": [shop.url("/three")], "browser": "view"}), {"Content-Type": "application/json"}
    )
    assert reply.status == 202
    until(lambda: all(batch["status"] == "done" for batch in client.get("/batches").json["data"]))
    assert done()[shop.url("/three")] == "view"
    assert browser.post("/reports", {"url": shop.url("/"), "browser": "always"}, same).status == 400


def test_forms_of_a_service_without_a_browser_do_not_offer_it(without: Live) -> None:
    browser = without.signed_in(without.email())
    assert 'name="browser"' not in browser.get("/").text
    reply = browser.post("/reports", {"url": "https://good.example/", "browser": "view"}, {"Sec-Fetch-Site": "same-origin"})
    assert reply.status == 422
    assert "has no browser" in reply.text
