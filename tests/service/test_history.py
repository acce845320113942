"""What changed between two runs of one history."""

import pytest

from findable.errors import NotFound, ValidationFailed
from findable.service.projects import change_overview, project_reports, projects
from findable.service.reports import history, reports
from findable.service.reports.history import RunName
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import Changes, Existing, NewReport, ReportChanges, ReportQuery, RunMark
from findable.vocabulary import Profile
from tests.service import samples

GOOD = dict(samples.VERDICTS)
BAD = GOOD | {"https": "failed", "noindex": "failed"}
HALF = GOOD | {"https": "failed"}


def three_runs(service: Service, caller: Caller) -> int:
    report_id = samples.made(service, caller, outcome=samples.seen(40, BAD))
    for score, verdicts in ((95, GOOD), (70, HALF)):
        reports.update(service, caller, report_id, ReportChanges(results=True))
        samples.work(service, samples.seen(score, verdicts))
    return report_id


def names(found: Changes) -> dict[str, list[str]]:
    lists = {"new": found.new, "fixed": found.fixed, "returned": found.returned, "still": found.still}
    return {name: [one.finding.id for one in items] for name, items in lists.items() if items}


def test_any_two_runs_are_compared(service: Service, caller: Caller) -> None:
    report_id = three_runs(service, caller)

    def between(old: int, new: int) -> Changes:
        return history.changes_between(service, caller, report_id, RunName(report_id, old), RunName(report_id, new))

    assert names(between(1, 3)) == {"fixed": ["noindex"], "still": ["image-alt", "https"]}
    assert names(between(2, 3)) == {"returned": ["https"], "still": ["image-alt"]}
    found = between(1, 2)
    assert (found.score.before, found.score.after, found.score.from_page, found.score.from_ruleset) == (40, 95, 55, 0)
    assert names(found)["fixed"] == ["noindex", "https"]
    for old, new in ((2, 1), (2, 2)):
        with pytest.raises(ValidationFailed):
            between(old, new)
    with pytest.raises(NotFound):
        between(1, 9)


def test_runs_of_other_reports_of_the_address_belong_to_it(service: Service, caller: Caller) -> None:
    first = samples.made(service, caller, outcome=samples.seen(40, BAD))
    second = samples.made(service, caller, outcome=samples.seen(95, GOOD))
    elsewhere = samples.made(service, caller, "https://example.com/other")
    stranger = samples.owner(service, "stranger@example.com")
    others = samples.made(service, stranger)
    found = history.changes_between(service, caller, second, RunName(first, 1), RunName(second, 1))
    assert (found.score.before, found.score.after) == (40, 95)
    for other in (elsewhere, others):
        with pytest.raises(NotFound):
            history.changes_between(service, caller, second, RunName(first, 1), RunName(other, 1))


def test_forms_of_one_url_have_one_history_with_all_modes_and_failures(service: Service, caller: Caller) -> None:
    first = samples.made(service, caller, "http://example.com/", samples.seen(40, BAD))
    second = samples.made(service, caller, "https://www.example.com/index.html", samples.seen(60, HALF, profile=Profile.RENDERED))
    samples.made(service, caller, "https://example.com/other")
    samples.made(service, caller, "https://example.com/?page=2")
    samples.made(service, samples.owner(service, "stranger@example.com"), "http://example.com/")
    reports.update(service, caller, first, ReportChanges(results=True))
    samples.fail(service)
    found = history.runs(service, caller, first)
    assert [(run.report, run.run, run.mode, run.mark) for run in found] == [
        (first, 2, Profile.STATIC, RunMark.FAILED),
        (second, 1, Profile.RENDERED, None),
        (first, 1, Profile.STATIC, None),
    ]
    assert [run.comparable for run in found] == [False, False, True]
    assert [run.url for run in found] == ["http://example.com/", "https://www.example.com/index.html", "http://example.com/"]
    assert [run.comparable for run in history.runs(service, caller, second)] == [False, True, False]


def test_a_report_that_runs_once_in_a_browser_keeps_its_history(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(90))
    for score, profile in ((95, Profile.RENDERED), (80, Profile.STATIC)):
        reports.update(service, caller, report_id, ReportChanges(results=True))
        samples.work(service, samples.seen(score, profile=profile))
    assert [run.run for run in history.runs(service, caller, report_id)] == [3, 2, 1]
    previous = reports.get(service, caller, report_id).previous
    assert previous is not None
    assert (previous.run, previous.change) == (1, -10)  # the run in a browser in between is not comparable


def test_the_latest_change_is_known_without_judging_anything_again(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(40, BAD))
    assert history.latest_changes(service, caller, report_id) is None
    reports.update(service, caller, report_id, ReportChanges(results=True))
    samples.work(service, samples.seen(95, GOOD))
    found = history.latest_changes(service, caller, report_id)
    assert found is not None
    assert names(found)["fixed"] == ["noindex", "https"]
    assert (found.since, found.run, found.score.from_page) == (1, 2, None)


def test_forms_of_one_url_are_one_page_of_the_project(service: Service, caller: Caller) -> None:
    forms = ("http://example.com/", "https://www.example.com/index.html", "https://example.com/")
    ids = [samples.made(service, caller, url, samples.seen(score, url=url)) for url, score in zip(forms, (40, 60, 80), strict=True)]
    other = samples.made(service, caller, "https://example.com/other", samples.seen(90, url="https://example.com/other"))
    public = {one: reports.get(service, caller, one).public_id for one in ids}

    project = projects.get(service, caller, "example.com")
    assert (project.scored_pages, project.score) == (2, (80 + 90) // 2)
    whole = project_reports.get(service, caller, "example.com").report
    assert [page.url for page in whole.pages] == ["https://example.com/other", forms[2]]
    pages = reports.find(service, caller, ReportQuery(pages_only=True))
    assert ([page.id for page in pages.items], pages.total) == ([other, ids[2]], 2)

    for typed, report_id in ((forms[0], ids[0]), ("example.com", ids[2]), ("http://www.example.com", ids[2])):
        again = reports.create(service, caller, NewReport(typed, existing=Existing.RERUN)).report
        assert (again.id, again.public_id) == (report_id, public[report_id])
        samples.work(service, samples.seen(60))
    reports.delete(service, caller, ids[2])
    assert projects.get(service, caller, "example.com").score == (60 + 90) // 2
    left = reports.find(service, caller, ReportQuery(pages_only=True)).items
    assert {one: reports.get(service, caller, one).public_id for one in ids[:2]} == {one: public[one] for one in ids[:2]}
    assert [page.id for page in left] == [other, ids[1]]


def test_a_page_that_falls_under_another_form_of_its_url_is_listed_once(service: Service, caller: Caller) -> None:
    for url, verdicts, score in (
        ("http://example.com/", GOOD, 95),
        ("https://www.example.com/", BAD, 40),
        ("https://example.com/", BAD, 40),
    ):
        samples.made(service, caller, url, samples.seen(score, verdicts, url=url))
    (worse,) = change_overview.get(service, caller).pages.worse
    assert (worse.url, worse.score_before, worse.score) == ("https://example.com/", 95, 40)
