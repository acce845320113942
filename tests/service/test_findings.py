"""Numbers of reports with a verdict on a check, and these reports, on each database."""

import itertools
from collections.abc import Mapping
from typing import Any

import pytest

from findable.errors import ValidationFailed
from findable.service.projects import findings, projects
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.paging import Page
from findable.service.values.report_values import ReportQuery, ReportView
from findable.vocabulary import Verdict
from tests.service import samples

FAILS: Mapping[str, str] = {**samples.VERDICTS, "noindex": "failed"}


def made(service: Service, caller: Caller, url: str, *scores: int | None) -> list[int]:
    return [samples.made(service, caller, url, samples.seen(score)) for score in scores]


def test_a_check_that_hides_a_page_comes_before_one_that_more_pages_fail(service: Service, caller: Caller) -> None:
    samples.made(service, caller, "https://a.example/", samples.seen(40, {"noindex": "failed", "favicon": "failed"}))
    for host in ("b", "c"):
        samples.made(service, caller, f"https://{host}.example/", samples.seen(90, {"favicon": "failed"}))
    found = [(one.check, one.reports) for one in findings.checks(service, caller, Verdict.FAILED)]
    assert found == [("noindex", 1), ("favicon", 3)]


def test_checks_by_how_many_reports_have_the_verdict(service: Service, caller: Caller) -> None:
    for host in ("a", "b"):
        samples.made(service, caller, f"https://{host}.example/", samples.seen(40, FAILS))
    made(service, caller, "https://c.example/", 93)
    assert [(one.check, one.reports) for one in findings.checks(service, caller, Verdict.FAILED)] == [("noindex", 2)]
    assert [(one.check, one.reports) for one in findings.checks(service, caller, Verdict.WARNED)] == [("image-alt", 3)]
    with pytest.raises(ValidationFailed):
        findings.checks(service, caller, Verdict.PASSED)


def asked(service: Service, caller: Caller, **more: Any) -> Page[ReportView]:
    return findings.find_reports(service, caller, ReportQuery(check="noindex", verdict=Verdict.FAILED, per_page=10, **more)).reports


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
    assert [report.id for report in findings.find_reports(service, caller, ascending).reports.items] == expected[:10]
    found = findings.find_reports(service, caller, ReportQuery(check="noindex", verdict=Verdict.FAILED))
    assert [(one.project, one.reports) for one in found.projects] == [("b.example", 12), ("a.example", 11)]
    assert asked(service, caller, project="b.example").total == 12
    projects.delete(service, caller, "b.example")
    assert asked(service, caller).total == 11
