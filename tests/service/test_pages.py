"""A page has one report: another run of it, instead of another report, and lists that speak of pages."""

import pytest

from findable.service.projects import findings, projects
from findable.service.reports import acceptances, batches, report_jobs, reports
from findable.service.reports.batches import NewBatch
from findable.service.reports.report_access import REPORTS
from findable.service.results import client_texts
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.presentation import ClientView
from findable.service.values.report_values import Existing, NewAcceptance, NewReport, ReportQuery
from findable.vocabulary import Privacy, Rating, Verdict
from tests.service import samples
from tests.service.samples import STORED_SORTS

URL = "https://example.com/"


def again(service: Service, caller: Caller, url: str = URL) -> int:
    return reports.create(service, caller, NewReport(url, Privacy.PUBLIC, existing=Existing.RERUN)).report.id


def listed(service: Service, caller: Caller, **more: object) -> list[int]:
    return [one.id for one in reports.find(service, caller, ReportQuery(pages_only=True, **more)).items]  # type: ignore[arg-type]  # fields by name


def feed_all(service: Service) -> None:
    while batches.feed(service):
        pass


def test_running_a_page_again_keeps_link_access_notes_and_acceptances(service: Service, caller: Caller) -> None:
    number = samples.made(service, caller, privacy=Privacy.PASSWORD, password="correct horse")
    before = reports.get(service, caller, number)
    client_texts.write(service, caller, REPORTS, number, ClientView(summary="What we saw."))
    acceptances.accept(service, caller, number, "image-alt", NewAcceptance("Decoration."))
    assert again(service, caller) == number
    assert again(service, caller) == number  # joins the queued one
    samples.work(service, samples.seen(90))
    after = reports.get(service, caller, number)
    assert (after.public_id, after.privacy, after.run) == (before.public_id, Privacy.PASSWORD, 2)
    assert client_texts.presentation(service, caller, REPORTS, number).client.summary == "What we saw."
    assert after.report is not None
    assert [one.id for one in after.report.findings if one.accepted] == ["image-alt"]
    assert report_jobs.claim(service, "tests") is None


@pytest.mark.parametrize("typed", ["example.com", "https://example.com", "http://www.example.com/index.html"])
def test_any_form_of_the_url_finds_the_report_of_the_page(service: Service, caller: Caller, typed: str) -> None:
    number = samples.made(service, caller, "http://example.com/", samples.seen(url="http://example.com/"))
    assert again(service, caller, typed) == number
    assert reports.get(service, caller, number).url == "http://example.com/"
    assert again(service, caller, "https://example.com/other") != number


def test_a_batch_runs_reports_again_unless_new_ones_are_wanted(service: Service, caller: Caller) -> None:
    number = samples.made(service, caller)
    batch = batches.create(service, caller, NewBatch([URL, "https://example.com/new"], Privacy.PRIVATE)).batch
    feed_all(service)
    assert batches.get(service, caller, batch.id).counts["queued"] == 2
    assert not batches.get(service, caller, batch.id).is_finished
    samples.work(service)
    samples.work(service, samples.seen(None, error=None))
    first, second = batches.members(service, caller, batch.id)
    assert (first.report, second.report is not None) == (number, True)
    assert reports.get(service, caller, number).privacy is Privacy.PUBLIC
    assert reports.get(service, caller, second.report or 0).privacy is Privacy.PRIVATE
    other = batches.create(service, caller, NewBatch([URL], existing=Existing.NEW)).batch
    feed_all(service)
    assert batches.members(service, caller, other.id)[0].report not in (None, number)


def test_a_failed_run_of_a_batch_is_among_its_failures(service: Service, caller: Caller) -> None:
    number = samples.made(service, caller)
    batch = batches.create(service, caller, NewBatch([URL])).batch
    feed_all(service)
    job = report_jobs.claim(service, "tests")
    assert job is not None
    report_jobs.store_outcomes(service, [(job, samples.unavailable())])
    found = batches.get(service, caller, batch.id)
    assert [(one.report, one.error is not None) for one in found.failures] == [(number, True)]
    assert (found.counts["failed"], reports.get(service, caller, number).score) == (1, 93)


def test_lists_and_counts_of_pages_leave_older_reports_of_a_url_out(service: Service, caller: Caller) -> None:
    first = samples.made(service, caller, outcome=samples.seen(93))
    second = samples.made(service, caller, outcome=samples.seen(40, {"noindex": "failed"}))
    other = samples.made(service, caller, "https://example.com/other", samples.seen(70, url="https://example.com/other"))
    assert listed(service, caller) == [other, second]
    assert listed(service, caller, project="example.com") == [other, second]
    for sort in STORED_SORTS:
        assert set(listed(service, caller, sort_by=sort, project="example.com")) == {other, second}
    assert listed(service, caller, search="example") == [other, second]
    assert listed(service, caller, check="noindex", verdict=Verdict.FAILED) == [second]
    assert [one.id for one in reports.find(service, caller, ReportQuery()).items] == [other, second, first]
    page = reports.find(service, caller, ReportQuery(pages_only=True, project="example.com", result=Rating.GOOD))
    assert (page.total, page.items) == (0, ())
    assert reports.find(service, caller, ReportQuery(pages_only=True)).total == 2
    project = projects.get(service, caller, "example.com")
    assert (project.pages_count, project.reports_count) == (2, 3)
    assert project.rated == {Rating.GOOD: 0, Rating.DECENT: 1, Rating.BAD: 1}
    assert {one.check: one.reports for one in findings.checks(service, caller, Verdict.FAILED)} == {"noindex": 1}
    reports.delete(service, caller, second)
    assert listed(service, caller) == [other, first]
    assert projects.get(service, caller, "example.com").pages_count == 2
