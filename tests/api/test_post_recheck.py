"""POST /reports/{id}/findings/{key}/recheck, with a real site and the real worker's way to fetch and judge."""

import asyncio
import re
from collections.abc import Iterator

import pytest

from findable.analyze import analyse_saved
from findable.fetch.politeness import on_behalf_of
from findable.recheck import OldFinding, RecheckResult
from findable.service.results.rechecks import RecheckJob
from findable.service.runtime.service import Analysis
from findable.service.values.caller import READ
from findable.vocabulary import Verdict
from findable.worker import page_analyser
from findable.worker.page_analyser import RECHECKS_OF_ACCOUNT, PageAnalyser
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.worker.processes import eventually

PAGE = "<!doctype html><html lang=en><head>{}</head><body><h1>Bread</h1><p>Baked every morning.</p></body></html>"


class Rechecking:
    """The worker's analyser, in the event loop of the service."""

    def __init__(self, live: Live) -> None:
        self._analyser = PageAnalyser(live.service)
        self._loop: asyncio.AbstractEventLoop | None = None
        live.service.analysis = Analysis(rescore=analyse_saved, recheck=self.rechecked)

    async def rechecked(self, job: RecheckJob) -> RecheckResult:
        self._loop = asyncio.get_running_loop()
        return await self._analyser.recheck(job)

    def close(self) -> None:
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._analyser.close(), self._loop).result(20)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    for made in run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",)):
        made.analyser.pages["127.0.0.1"] = PAGE.format("")
        rechecking = Rechecking(made)
        yield made
        rechecking.close()


def test_a_fixed_finding_is_known_at_once_and_nothing_is_stored(client: Client, live: Live, site: Site) -> None:
    url = site.page("/bread", PAGE.format("<title>Bread, baked every morning</title>"))
    report = client.report(url)
    key = next(row["key"] for row in report["results"] if row["id"] == "title-present")
    assert report["results"][[row["id"] for row in report["results"]].index("title-present")]["verdict"] == "failed"
    site.requests.clear()

    by_key = client.post(f"/reports/{report['id']}/findings/{key}/recheck")
    by_check = client.post(f"/reports/{report['id']}/findings/viewport/recheck").json["data"]
    fixed = by_key.json["data"]

    assert by_key.status == 200, by_key.text
    assert (fixed["check"], fixed["fixed"], fixed["before"], fixed["verdict"]) == ("title-present", True, "failed", "passed")
    assert (by_check["fixed"], by_check["verdict"]) == (False, "failed")
    assert by_check["evidence"]
    assert {request.target for request in site.requests} == {"/bread"}
    assert fixed["requests"] == 1
    assert client.get(f"/reports/{report['id']}").json["data"]["updated_at"] == report["updated_at"]


def test_a_page_that_does_not_load_is_said(client: Client, site: Site) -> None:
    report = client.report(site.page("/later", "please", status=401))
    reply = client.post(f"/reports/{report['id']}/findings/title-present/recheck").json["data"]

    assert (reply["fixed"], reply["verdict"]) == (None, None)
    assert "login" in reply["summary"]


def test_what_is_refused_has_a_code(client: Client, live: Live, site: Site) -> None:
    report = client.report(site.page("/x", PAGE.format("")))
    path = f"/reports/{report['id']}/findings/title-present/recheck"
    email = live.email()
    for caller, where, status, code in (
        (client, f"/reports/{report['id']}/findings/nonsense/recheck", 404, "not_found"),
        (live.client(), path, 404, "not_found"),
        (live.client(email=email, scopes=frozenset({READ})), path, 403, "forbidden"),
    ):
        reply = caller.post(where)
        assert (reply.status, reply.json["code"]) == (status, code)


def test_an_agent_verifies_its_fix(client: Client, site: Site) -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    from findable.export.agent_text import max_token_count
    from findable.web.agent_tools import BUDGETS
    from tests.web.test_mcp import display_name, report_of, rows_of, text_of

    url = site.page("/agent", PAGE.format(""))
    found = display_name(client, "audit_page", url=url)
    key = next(key for key, *_ in rows_of(found) if key.startswith("title-present"))
    before = display_name(client, "recheck", report=report_of(found), key=key)
    site.page("/agent", PAGE.format("<title>Bread, baked every morning</title>"))
    after = display_name(client, "recheck", report=report_of(found), key=key)

    assert text_of(before).startswith("title-present: still there, failed")
    assert text_of(after).startswith("title-present: fixed, passed")
    assert max_token_count(text_of(before)) <= BUDGETS["recheck"]


def test_the_button_of_the_owner_shows_the_outcome(live: Live, site: Site) -> None:
    email = live.email()
    browser, api = live.signed_in(email), live.client(email=email)
    url = site.page("/button", PAGE.format(""))
    report = api.report(url, privacy=1)
    path = f"/r/{report['public_id']}"
    page = browser.get(path).text
    same = {"Sec-Fetch-Site": "same-origin"}
    button = re.search(rf'action="[^"]*(/fix{path}/title-present/[^"]+)"', page)
    assert button
    before = browser.post(button[1], {}, same)
    site.page("/button", PAGE.format("<title>Bread, baked every morning</title>"))
    after = browser.post(button[1], {}, same)

    assert "<strong>Still there:</strong> The page has no title" in before.text
    assert "<strong>Fixed:</strong>" in after.text
    assert "/fix/" not in live.client().guest().get(f"/r/{api.report(url)['public_id']}").text, "guests have no such button"


def test_one_account_does_not_take_every_slot(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[int] = []

    async def stalled(*_: object, **__: object) -> RecheckResult:
        began.append(int(on_behalf_of.get()))
        await asyncio.Event().wait()
        raise AssertionError

    async def story() -> None:
        monkeypatch.setattr(page_analyser, "recheck", stalled)
        analyser = PageAnalyser(live.service)
        finding = OldFinding("https://example.com/", "viewport", Verdict.FAILED)
        jobs = [RecheckJob(finding, account_id=account, project_id=1) for account in (*[1] * 9, 2)]
        tasks = [asyncio.create_task(analyser.recheck(job)) for job in jobs]
        await eventually(lambda: 2 in began, 20)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await analyser.close()

    asyncio.run(story())
    assert sorted(began) == [1] * RECHECKS_OF_ACCOUNT + [2]
