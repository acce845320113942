"""Reports of projects that use a browser, over a real worker and a real Chromium."""

import asyncio
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from findable.capture.saved import load
from findable.errors import ValidationFailed
from findable.reports.analysis import analyse
from findable.service.projects import project_reports, projects
from findable.service.reports import history, reports, stored_images
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.project_values import ProjectChanges
from findable.service.values.report_values import NewReport, ReportChanges, ReportView
from findable.vocabulary import BrowserUse, Privacy, Profile, Status
from tests.browser import needs_chromium
from tests.fetch.browser.visiting import left_processes, until
from tests.sites.server import Site
from tests.worker.test_reports_of_real_sites import WAIT_S, made, story

SHELL = "<!doctype html><html lang=en><head><title>Tea and cups in Hamburg</title></head><body><div id=root></div><script src=/app.js></script></body></html>"
APP = """document.getElementById('root').innerHTML = '<main><h1>Tea and cups</h1>'
+ '<p>We sell green tea and cups from many countries, and ship them.</p>'.repeat(30) + '<a href=/about>About our shop</a></main>'; undefinedFunction()"""


@needs_chromium
def test_a_project_with_a_browser_rates_pages_that_scripts_build(tmp_path: Path, site: Site) -> None:
    url = site.page("/", SHELL)
    site.page("/app.js", APP, content_type="text/javascript")

    async def tell(service: Service, caller: Caller) -> None:
        without = await made(service, caller, url)
        assert without.score is None
        changed = projects.update(service, caller, f"127.0.0.1:{site.port}", ProjectChanges(browser=BrowserUse.VIEW))
        assert changed.browser is BrowserUse.VIEW
        report = await made(service, caller, url)
        assert report.status is Status.DONE
        assert report.report is not None
        assert report.report.engine.profile is Profile.RENDERED
        verdicts = {finding.id: finding.verdict.value for finding in report.report.findings}
        assert verdicts["h1-present"] == "passed"
        assert verdicts["console-errors"] == "warned"
        assert stored_images.has_screenshots(service, report)
        for kind, size in zip(stored_images.SCREENSHOTS, ((240, 479), (480, 334)), strict=True):
            data = stored_images.image_of_report(service, report, kind)
            assert data is not None
            with Image.open(BytesIO(data)) as image:
                assert (image.format, image.size) == ("PNG", size)
        saved = reports.saved_page(service, caller, report.id)
        assert analyse(load(saved)) == report.report
        runs = history.runs(service, caller, report.id)
        assert [(run.mode, run.comparable) for run in runs] == [(Profile.RENDERED, True), (Profile.STATIC, False)]

    story(tmp_path, (site,), tell)
    assert until(lambda: left_processes() == [])


@needs_chromium
def test_a_report_from_a_form_is_shown_before_the_visit_and_stays_one_run(tmp_path: Path, site: Site) -> None:
    url = site.page("/", SHELL.replace("<div id=root></div>", f"<h1>Tea</h1>{'<p>We sell green tea and cups.</p>' * 30}"))

    async def tell(service: Service, caller: Caller) -> None:
        projects.make(service, caller, f"127.0.0.1:{site.port}")
        projects.update(service, caller, f"127.0.0.1:{site.port}", ProjectChanges(browser=BrowserUse.VIEW))
        created = reports.create(service, caller, NewReport(url, is_from_form=True)).report
        with service.events.listen(created.id) as settled:
            await asyncio.wait_for(settled.wait(), WAIT_S)
        raw = reports.get(service, caller, created.id)
        assert (raw.run, raw.is_finished, raw.shows_part, profile_of(raw)) == (1, False, True, Profile.STATIC)
        assert raw.score is not None
        assert await service.wait_until_done(created.id, WAIT_S)
        whole = reports.get(service, caller, created.id)
        assert (whole.run, whole.shows_part, profile_of(whole)) == (1, False, Profile.RENDERED)
        assert stored_images.has_screenshots(service, whole)
        assert analyse(load(reports.saved_page(service, caller, created.id))) == whole.report
        project = projects.get(service, caller, f"127.0.0.1:{site.port}")
        assert project_reports.open_start_report(service, project) is None, "guests may not open it"
        reports.update(service, caller, created.id, ReportChanges(privacy=Privacy.PUBLIC))
        assert project_reports.open_start_report(service, project) == created.id
        desktop, phone = stored_images.screenshots_of(service, created.id) or (b"", b"")
        assert [Image.open(BytesIO(data)).width for data in (desktop, phone)] == [480, 240]
        assert [run.mode for run in history.runs(service, caller, created.id)] == [Profile.RENDERED]

    story(tmp_path, (site,), tell)


def profile_of(view: ReportView) -> Profile | None:
    return view.report.engine.profile if view.report else None


def test_a_report_of_such_a_project_says_that_the_browser_is_gone(tmp_path: Path, site: Site) -> None:
    url = site.page("/", SHELL.replace("<div id=root></div>", f"<h1>Tea</h1>{'<p>We sell green tea and cups.</p>' * 30}"))

    async def tell(service: Service, caller: Caller) -> None:
        project = projects.make(service, caller, f"127.0.0.1:{site.port}").project
        with pytest.raises(ValidationFailed) as refused:
            projects.update(service, caller, project.name, ProjectChanges(browser=BrowserUse.VIEW))
        assert list(refused.value.errors) == ["browser"]
        with service.store.write() as session:  # chosen while there was a browser
            session.projects.change(project.id, {"browser": BrowserUse.VIEW.value})
        report = await made(service, caller, url)
        assert report.status is Status.DONE
        assert report.report is not None
        found = {finding.id: finding for finding in report.report.findings}
        assert found["console-errors"].verdict.value == "unknown"
        assert "no browser is installed" in found["console-errors"].message

    story(tmp_path, (site,), tell, browser="none")
