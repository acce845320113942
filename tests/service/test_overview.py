"""The first page's facts, and which reports fail a check, on each database."""

import itertools
from collections.abc import Mapping
from typing import Any

import pytest

from findable.errors import Forbidden, ValidationFailed
from findable.service.projects import overview, projects
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.paging import Page
from findable.service.values.report_values import NewReport, ReportChanges, ReportQuery, ReportView
from findable.store.overview_queries import RatedRun
from findable.vocabulary import Verdict
from tests.service import samples

FAILS: Mapping[str, str] = {**samples.VERDICTS, "noindex": "failed"}


def made(service: Service, caller: Caller, url: str, *scores: int | None) -> list[int]:
    return [samples.made(service, caller, url, samples.seen(score)) for score in scores]


def worse(service: Service, caller: Caller) -> list[tuple[str, int]]:
    return [(report.url, report.previous.change) for report in overview.home(service, caller).worse if report.previous]


def test_reports_that_got_worse_newest_first(service: Service, caller: Caller) -> None:
    made(service, caller, "https://falls.example/", 93, 80)
    made(service, caller, "https://rises.example/", 70, 93)
    made(service, caller, "https://same.example/", 93, 93)
    made(service, caller, "https://new.example/", 10)
    made(service, caller, "https://comes-back.example/", 93, 40, 93)
    made(service, caller, "https://falls-again.example/", 93, 80, 60)
    assert worse(service, caller) == [("https://falls-again.example/", -20), ("https://falls.example/", -13)]


def test_a_page_that_was_not_seen_is_no_result_and_a_report_of_its_own_falls_too(service: Service, caller: Caller) -> None:
    (report,) = made(service, caller, "https://a.example/", 93)
    reports.update(service, caller, report, ReportChanges(results=True))
    samples.work(service, samples.seen(50))
    assert worse(service, caller) == [("https://a.example/", -43)]


def test_no_more_than_fit_and_none_of_others(service: Service, caller: Caller) -> None:
    other = samples.owner(service, "other@example.com")
    for number in range(overview.WORSE + 2):
        made(service, caller, f"https://a.example/{number}", 93, 80)
    found = worse(service, caller)
    assert len(found) == overview.WORSE
    assert found[0][0] == f"https://a.example/{overview.WORSE + 1}"
    assert overview.home(service, other).worse == ()
    projects.delete(service, caller, "a.example")
    assert worse(service, caller) == []


def test_the_last_scores_of_each_project_oldest_first(service: Service, caller: Caller) -> None:
    made(service, caller, "https://a.example/", *range(60, 60 + overview.TREND_RUNS + 3))
    made(service, caller, "https://b.example/", 50, None, 70)
    (report,) = made(service, caller, "https://c.example/", 90)
    for score in (80, 85):
        reports.update(service, caller, report, ReportChanges(results=True))
        samples.work(service, samples.seen(score))
    found = {line.project.name: line.trend and line.trend.scores for line in overview.home(service, caller).projects}
    assert found == {"a.example": tuple(range(63, 63 + overview.TREND_RUNS)), "b.example": (50, 70), "c.example": (90, 80, 85)}


def test_what_waits_is_not_among_the_newest(service: Service, caller: Caller) -> None:
    made(service, caller, "https://a.example/", 93)
    reports.create(service, caller, NewReport("https://waits.example/"))
    assert [report.url for report in overview.home(service, caller).newest] == ["https://a.example/"]


def test_checks_by_how_many_reports_have_the_verdict(service: Service, caller: Caller) -> None:
    for host in ("a", "b"):
        samples.made(service, caller, f"https://{host}.example/", samples.seen(40, FAILS))
    made(service, caller, "https://c.example/", 93)
    assert [(one.check, one.reports) for one in overview.checks(service, caller, Verdict.FAILED)] == [("noindex", 2)]
    assert [(one.check, one.reports) for one in overview.checks(service, caller, Verdict.WARNED)] == [("image-alt", 3)]
    with pytest.raises(ValidationFailed):
        overview.checks(service, caller, Verdict.PASSED)


def asked(service: Service, caller: Caller, **more: Any) -> Page[ReportView]:
    return overview.found(service, caller, ReportQuery(check="noindex", verdict=Verdict.FAILED, per_page=10, **more)).reports


def test_the_reports_of_a_check_are_walked_both_ways_each_once(service: Service, caller: Caller) -> None:
    other = samples.owner(service, "other@example.com")
    expected = []
    for number, fails in zip(range(46), itertools.cycle((True, False)), strict=False):
        host = "a" if number % 4 else "b"
        report = samples.made(service, caller, f"https://{host}.example/{number}", samples.seen(40, FAILS) if fails else samples.seen())
        expected += [report] if fails else []
    samples.made(service, other, "https://a.example/", samples.seen(40, FAILS))
    pages: list[list[int]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = asked(service, caller, cursor=cursor)
        pages.append([report.id for report in page.items])
        assert page.total == 23
        last, cursor = page, page.next_cursor
    assert list(itertools.chain(*pages)) == expected[::-1]
    assert last.prev_cursor
    assert [report.id for report in asked(service, caller, cursor=last.prev_cursor).items] == pages[-2]
    ascending = ReportQuery(check="noindex", verdict=Verdict.FAILED, descending=False)
    assert [report.id for report in overview.found(service, caller, ascending).reports.items] == expected[:10]
    found = overview.found(service, caller, ReportQuery(check="noindex", verdict=Verdict.FAILED))
    assert [(one.project, one.reports) for one in found.projects] == [("b.example", 12), ("a.example", 11)]
    assert asked(service, caller, project="b.example").total == 12
    projects.delete(service, caller, "b.example")
    assert asked(service, caller).total == 11


def test_nothing_without_the_scope(service: Service, caller: Caller) -> None:
    writer = Caller(caller.account_id, caller.user_id, caller.key_id, caller.scopes - {READ})
    for use in (lambda: overview.home(service, writer), lambda: overview.checks(service, writer, Verdict.FAILED)):
        with pytest.raises(Forbidden):
            use()


@pytest.mark.parametrize(
    ("runs", "scores"),
    [
        ([], None),
        ([("a", 90)], (90,)),
        ([("a", 90), ("b", 40), ("c", 70)], (70,)),
        ([("a", 90), ("a", 80)], (90, 80)),
        ([("a", 90), ("b", 40), ("a", 80)], (40, 40)),
        ([("a", 60), ("b", 70), ("c", 80), ("b", 90), ("a", 100)], (70, 80, 90)),
        ([("a", 50)] * 20, (50,) * 12),
    ],
)
def test_a_trend_moves_only_where_a_page_is_reported_on_again(runs: list[tuple[str, int]], scores: tuple[int, ...] | None) -> None:
    found = overview.trend_of([RatedRun(*run) for run in runs])
    assert (found and found.scores) == scores
    assert found is None or found.pages == len({url for url, _ in runs})
