"""Pages that a crawl opens in a browser if nobody chooses: a sample where a browser works, none elsewhere, for as long as the crawl lasts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from findable.clock import now
from findable.crawl.settings import CrawlSettings, Render, RenderReason
from findable.fetch.browser.browser_doctor import BrowserState, examine_browser
from findable.fetch.browser.browser_program import BrowserProgram
from findable.service.crawls import crawls
from findable.service.crawls.crawl_jobs import claim_some
from findable.service.projects import projects, schedules
from findable.service.reports import reports
from findable.service.reports.report_jobs import claim
from findable.service.runtime import browsers
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlStatus, NewCrawl
from findable.service.values.project_values import ProjectChanges
from findable.service.values.report_values import NewReport, ReportChanges
from findable.service.values.schedule_values import ScheduleOptions
from findable.vocabulary import BrowserUse
from tests.browser import needs_chromium
from tests.service import samples

URL = "https://www.example.com/"
Opened = Callable[..., Any]


@contextmanager
def opened(folder: Path, **settings: Any) -> Iterator[Service]:
    service = Service.open(samples.settings(folder, **settings))
    try:
        yield service
    finally:
        service.close()


def accepted(service: Service, caller: Caller, render: Render | None = None) -> CrawlSettings:
    return crawls.create(service, caller, NewCrawl(URL, render=render)).crawl.settings


def chosen(settings: CrawlSettings) -> tuple[Render, RenderReason]:
    return settings.render, settings.render_reason


@needs_chromium
def test_a_crawl_samples_where_a_browser_works_unless_told_otherwise(tmp_path: Path) -> None:
    with opened(tmp_path, browser="", rate_limit=0) as service:
        caller = samples.owner(service)
        assert chosen(accepted(service, caller)) == (Render.SAMPLE, RenderReason.BROWSER)
        assert chosen(accepted(service, caller, Render.NEVER)) == (Render.NEVER, RenderReason.CHOSEN)
        assert chosen(accepted(service, caller, Render.ALL)) == (Render.ALL, RenderReason.CHOSEN)
        projects.update(service, caller, "example.com", ProjectChanges(browser=BrowserUse.NONE))
        assert chosen(accepted(service, caller)) == (Render.NEVER, RenderReason.PROJECT)
        assert chosen(accepted(service, caller, Render.SAMPLE)) == (Render.SAMPLE, RenderReason.CHOSEN)
        projects.update(service, caller, "example.com", ProjectChanges(browser=BrowserUse.VIEW))
        scheduled = schedules.new_crawl("example.com", ScheduleOptions())
        assert chosen(crawls.create(service, caller, scheduled).crawl.settings) == (Render.SAMPLE, RenderReason.BROWSER)


@pytest.mark.parametrize("browser", ["none", "/bin/false", "/no/such/program"])
def test_without_a_browser_that_works_none_is_opened(tmp_path: Path, browser: str) -> None:
    with opened(tmp_path, browser=browser) as service:
        assert chosen(accepted(service, samples.owner(service))) == (Render.NEVER, RenderReason.NO_BROWSER)


@needs_chromium
def test_a_crawl_keeps_its_choice_where_a_browser_comes_or_goes(tmp_path: Path) -> None:
    with opened(tmp_path, browser="") as service:
        with_browser = crawls.create(service, samples.owner(service), NewCrawl(URL)).crawl.id
        caller = samples.owner(service, "second@example.com")
    with opened(tmp_path, browser="none") as service:
        without = crawls.create(service, caller, NewCrawl(URL)).crawl.id
        jobs = {job.crawl_id: job.settings for job in claim_some(service, "here", 5)}
        assert chosen(jobs[with_browser]) == (Render.SAMPLE, RenderReason.BROWSER)
        crawls.stop(service, caller, without)
    with opened(tmp_path, browser="") as service:
        with service.store.write() as session:
            session.crawls.change(without, 0, status=CrawlStatus.STOPPED.value)
        resumed = crawls.resume(service, caller, without)
        assert chosen(resumed.settings) == (Render.NEVER, RenderReason.NO_BROWSER)


@needs_chromium
def test_a_browser_is_examined_once_for_many_crawls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examined: list[BrowserProgram] = []

    def counted(program: BrowserProgram) -> BrowserState:
        examined.append(program)
        return examine_browser(program)

    monkeypatch.setattr(browsers, "examine_browser", counted)
    browsers._is_usable.cache_clear()
    with opened(tmp_path, browser="") as service:
        assert [browsers.has_usable_browser(service) for _ in range(3)] == [True] * 3
    assert len(examined) == 1


def test_a_visit_follows_reports_of_people_unless_a_setting_forbids_it(tmp_path: Path) -> None:
    with opened(tmp_path, browser="", rate_limit=0) as service:
        caller = samples.owner(service)

        def job_of(*, is_from_form: bool, browser: BrowserUse | None = None) -> tuple[BrowserUse, bool]:
            new = NewReport(f"{URL}{is_from_form}-{browser}-{now()}", is_from_form=is_from_form, browser=browser)
            made = reports.create(service, caller, new).report
            job = claim(service, "w")
            assert job is not None
            assert job.report_id == made.id
            reports.delete(service, caller, made.id)
            return job.browser, job.shows_raw_first

        assert job_of(is_from_form=True) == (BrowserUse.VIEW, True)
        assert job_of(is_from_form=False) == (BrowserUse.NONE, False)
        assert job_of(is_from_form=True, browser=BrowserUse.NONE) == (BrowserUse.NONE, False)
        assert job_of(is_from_form=True, browser=BrowserUse.LAB) == (BrowserUse.LAB, True)
        assert job_of(is_from_form=False, browser=BrowserUse.LAB) == (BrowserUse.LAB, False)
        projects.update(service, caller, "example.com", ProjectChanges(browser=BrowserUse.NONE))
        assert job_of(is_from_form=True) == (BrowserUse.NONE, False)


def test_a_measurement_of_loading_is_for_one_run(tmp_path: Path) -> None:
    with opened(tmp_path, browser="", rate_limit=0) as service:
        caller = samples.owner(service)
        report = reports.create(service, caller, NewReport(URL)).report
        view = reports.update(service, caller, report.id, ReportChanges(results=True, is_from_form=True, measure=True))
        job = claim(service, "w")
        assert job is not None
        assert (job.browser, view.browser) == (BrowserUse.LAB, None)
