"""Lists of reports and projects: every order, page and cursor shows each row once, whatever is filtered."""

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from findable.errors import NotFound, PageErrorCode, PageUnavailable, ValidationFailed
from findable.service.projects import project_lists, projects
from findable.service.reports import report_jobs, report_lists, reports
from findable.service.runtime.service import Service
from findable.service.values import paging
from findable.service.values.caller import Caller
from findable.service.values.paging import Page
from findable.service.values.project_values import ProjectQuery, ProjectSort
from findable.service.values.report_values import NewReport, ReportQuery, ReportSort, ReportView
from findable.vocabulary import Rating, Status, Verdict
from tests.conftest import new_database
from tests.service import samples
from tests.service.samples import STORED_SORTS


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Caller]]:
    """34 reports of three sites: rated alike and differently, failed, and waiting; and another account's."""
    folder = tmp_path_factory.mktemp("data")
    with new_database(request, folder) as url:
        service = Service.open(samples.settings(folder, database_url=url))
        yield service, fill(service)
        service.close()


def fill(service: Service) -> Caller:
    caller, stranger = samples.owner(service), samples.owner(service, "stranger@example.com")
    samples.made(service, stranger, "https://a.example/secret")
    for n in range(30):
        url = f"https://{'www.' if n % 2 else ''}{'abc'[n % 3]}.example/{n % 7}%25_x"
        verdicts = {"noindex": "failed" if n % 5 == 0 else "passed", "title-present": "warned" if n % 4 == 0 else "passed"}
        samples.made(
            service, caller, url, samples.seen((95, 70, 30)[n % 3] - n % 4, verdicts if n % 2 else {**verdicts, "https": "passed"})
        )
    for n in range(2):
        reports.create(service, caller, NewReport(f"https://a.example/failed{n}"))
        job = report_jobs.claim(service, "w")
        assert job is not None
        report_jobs.store_outcomes(service, [(job, PageUnavailable(PageErrorCode.DNS_FAILED))])
    for n in range(2):
        reports.create(service, caller, NewReport(f"https://b.example/WAITING{n}"))
    return caller


def all_by_cursor(service: Service, caller: Caller, query: ReportQuery) -> list[ReportView]:
    found: list[ReportView] = []
    cursor = ""
    while True:
        page = reports.find(service, caller, replace(query, cursor=cursor))
        found += page.items
        if page.next_cursor is None:
            return found
        cursor = page.next_cursor


def all_by_page(service: Service, caller: Caller, query: ReportQuery) -> list[ReportView]:
    pages: list[Page[ReportView]] = []
    while not pages or len(pages) < pages[-1].last_page:
        pages.append(reports.find(service, caller, replace(query, page=len(pages) + 1)))
    return [view for page in pages for view in page.items]


def sort_value(view: ReportView, sort: ReportSort, descending: bool) -> tuple[object, ...]:
    """What the contract says, by other means than the store's."""
    sign = -1 if descending else 1
    if sort is ReportSort.ID:
        return (sign * view.id,)
    if sort is ReportSort.RESULT:
        place = {None: None, Rating.BAD: 0, Rating.DECENT: 1, Rating.GOOD: 2}[view.result]
        return (place is None, sign * (place or 0), sign * (view.score or 0), -view.id)
    if sort is ReportSort.GENERATED_AT:
        moment = view.generated_at
        return (moment is None, sign * (moment.timestamp() if moment else 0), sign * view.id)
    return (view.url, view.id)


@pytest.mark.parametrize(("sort", "descending"), list(itertools.product(STORED_SORTS, [True, False])))
def test_every_order_shows_each_report_once_with_what_has_no_value_last(
    filled: tuple[Service, Caller], sort: ReportSort, descending: bool
) -> None:
    query = ReportQuery(sort_by=sort, descending=descending)
    found = all_by_page(*filled, query)
    assert len(found) == 34
    assert all_by_cursor(*filled, query) == found
    expected = sorted(found, key=lambda view: sort_value(view, sort, descending))
    if sort is ReportSort.URL and descending:
        expected.reverse()
    assert [view.id for view in found] == [view.id for view in expected]


def test_pages_of_one_rating_are_listed_by_score_and_the_newest_of_a_score_first(filled: tuple[Service, Caller]) -> None:
    for descending in (False, True):
        chosen = ReportQuery(sort_by=ReportSort.RESULT, descending=descending, per_page=10)
        for asked in (chosen, replace(chosen, project="c.example"), replace(chosen, check="noindex", verdict=Verdict.FAILED)):
            for rating in Rating:
                query = replace(asked, result=rating)
                found = all_by_page(*filled, query)
                assert found == sorted(found, key=lambda view: sort_value(view, ReportSort.RESULT, descending))
                assert all_by_cursor(*filled, query) == found
    bad = all_by_page(*filled, ReportQuery(sort_by=ReportSort.RESULT, descending=False, result=Rating.BAD))
    assert [view.score for view in bad] == [27, 27, 28, 28, 28, 29, 29, 29, 30, 30]


@pytest.mark.parametrize(("sort", "descending"), list(itertools.product(STORED_SORTS, [True, False])))
def test_cursors_lead_back_the_way_they_came(filled: tuple[Service, Caller], sort: ReportSort, descending: bool) -> None:
    query = ReportQuery(sort_by=sort, descending=descending)
    first = reports.find(*filled, query)
    assert first.prev_cursor is None
    second = reports.find(*filled, replace(query, cursor=first.next_cursor or ""))
    third = reports.find(*filled, replace(query, cursor=second.next_cursor or ""))
    back = reports.find(*filled, replace(query, cursor=third.prev_cursor or ""))
    assert back.items == second.items
    start = reports.find(*filled, replace(query, cursor=back.prev_cursor or ""))
    assert start.items == first.items
    assert start.prev_cursor is None
    assert second.page is None
    assert first.page == 1


@pytest.mark.parametrize(
    ("query", "count"),
    [
        (ReportQuery(result=Rating.GOOD), 10),
        (ReportQuery(result=Rating.BAD, project="c.example"), 10),
        (ReportQuery(project="WWW.A.example"), 12),
        (ReportQuery(project="http://a.example"), 0),
        (ReportQuery(project="nowhere.example"), 0),
        (ReportQuery(project="a.example", result=Rating.DECENT), 0),
        (ReportQuery(status=Status.FAILED), 2),
        (ReportQuery(status=Status.QUEUED), 2),
        (ReportQuery(status=Status.DONE), 30),
        (ReportQuery(search="waiting"), 2),
        (ReportQuery(search="%25_X"), 30),
        (ReportQuery(search="%"), 30),
        (ReportQuery(search="_"), 30),
        (ReportQuery(search="0%25_"), 5),
        (ReportQuery(search="\\"), 0),
        (ReportQuery(search="%%"), 0),
        (ReportQuery(search="' OR 1=1 --"), 0),
        (ReportQuery(search="www.b", project="b.example"), 5),
        (ReportQuery(check="noindex", verdict=Verdict.FAILED), 6),
        (ReportQuery(check="noindex", verdict=Verdict.PASSED), 24),
        (ReportQuery(check="https", verdict=Verdict.PASSED), 15),
        (ReportQuery(check="https", verdict=Verdict.FAILED), 0),
        (ReportQuery(check="no-such-check", verdict=Verdict.PASSED), 0),
        (ReportQuery(check="noindex", verdict=Verdict.FAILED, result=Rating.GOOD), 2),
        (ReportQuery(check="noindex", verdict=Verdict.FAILED, status=Status.DONE), 6),
        (ReportQuery(check="noindex", verdict=Verdict.FAILED, status=Status.FAILED), 0),
        (ReportQuery(check="noindex", verdict=Verdict.FAILED, project="b.example", result=Rating.BAD), 0),
        (ReportQuery(since=datetime.now(UTC) - timedelta(hours=1)), 34),
        (ReportQuery(since=datetime.now(UTC) + timedelta(hours=1)), 0),
    ],
)
def test_filters_choose_and_total_counts_the_same(filled: tuple[Service, Caller], query: ReportQuery, count: int) -> None:
    found = all_by_page(*filled, query)
    assert len(found) == count
    assert all_by_cursor(*filled, query) == found
    page = reports.find(*filled, query)
    assert (page.total, page.total_is_estimate) == (count, False)


@pytest.mark.parametrize(("sort", "descending"), list(itertools.product(STORED_SORTS, [True, False])))
@pytest.mark.parametrize("gathered", [0, 1, 10_000])
def test_a_verdict_is_found_in_a_project_whichever_way_it_is_looked_for(
    filled: tuple[Service, Caller], sort: ReportSort, descending: bool, gathered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("findable.store.report_list_queries.GATHERED", gathered)
    monkeypatch.setattr("findable.store.report_list_queries.GATHERED_OF_TWO", gathered)
    for more in ({"project": "a.example"}, {"project": "a.example", "result": Rating.GOOD}, {"result": Rating.GOOD}):
        query = ReportQuery(check="title-present", verdict=Verdict.WARNED, sort_by=sort, descending=descending, **more)
        found = all_by_page(*filled, query)
        assert len(found) == reports.find(*filled, query).total == 3
        assert all_by_cursor(*filled, query) == found
        assert found == sorted(found, key=lambda view: sort_value(view, sort, descending), reverse=sort is ReportSort.URL and descending)
    none = ReportQuery(project="a.example", check="https", verdict=Verdict.FAILED, sort_by=sort, descending=descending)
    assert not all_by_page(*filled, none)


def test_a_total_beyond_the_bound_is_an_estimate(filled: tuple[Service, Caller], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (report_lists, paging):
        monkeypatch.setattr(module, "EXACT_UP_TO", 20)
    page = reports.find(*filled, ReportQuery(search="example"))
    assert (page.total, page.total_is_estimate) == (20, True)
    kept = reports.find(*filled, ReportQuery())
    assert (kept.total, kept.total_is_estimate) == (34, False)


@pytest.mark.parametrize(
    "query",
    [
        ReportQuery(per_page=11),
        ReportQuery(per_page=0),
        ReportQuery(page=0),
        ReportQuery(page=10**18 * 10),
        ReportQuery(search="x" * 2049),
        ReportQuery(cursor="bm90IG91cnM"),
        ReportQuery(cursor="ö"),
        ReportQuery(cursor="W10"),
        ReportQuery(cursor=paging.cursor_of("id", 1, 1, descending=False, backwards=False)),
        ReportQuery(cursor=paging.cursor_of("id", "x", 1, descending=True, backwards=False)),
        ReportQuery(cursor=paging.cursor_of("id", 2**70, 1, descending=True, backwards=False)),
        ReportQuery(check="noindex"),
        ReportQuery(verdict=Verdict.FAILED),
    ],
)
def test_s70_what_no_list_takes_is_refused_by_name(filled: tuple[Service, Caller], query: ReportQuery) -> None:
    with pytest.raises(ValidationFailed) as caught:
        reports.find(*filled, query)
    assert caught.value.errors


def test_a_page_past_the_end_is_empty(filled: tuple[Service, Caller]) -> None:
    page = reports.find(*filled, ReportQuery(page=10**15))
    assert (page.items, page.total, page.next_cursor) == ((), 34, None)


@pytest.mark.parametrize(("sort", "descending"), list(itertools.product(ProjectSort, [True, False])))
def test_projects_are_listed_in_every_order(filled: tuple[Service, Caller], sort: ProjectSort, descending: bool) -> None:
    service, caller = filled
    page = project_lists.find(service, caller, ProjectQuery(sort_by=sort, descending=descending))
    found = [line.project for line in page.items]
    names = [project.name for project in found]
    assert sorted(names) == ["a.example", "b.example", "c.example"]
    if sort is ProjectSort.SCORE:
        scores = [project.score or 0 for project in found]
        assert scores == sorted(scores, reverse=descending)
        assert len(set(scores)) > 1
    elif sort in (ProjectSort.PROJECT, ProjectSort.CREATED_AT):
        assert names == sorted(names, reverse=descending)
    assert page.total == 3


def test_a_project_shows_its_newest_rating(filled: tuple[Service, Caller]) -> None:
    service, caller = filled
    project = projects.get(service, caller, "B.example")
    assert (project.name, project.reports_count, project.result, project.score) == ("b.example", 12, Rating.DECENT, 68)
    assert projects.get(service, caller, str(project.id)) == project
    assert projects.find(service, caller, ProjectQuery(search="B.EX")).items == (project,)
    assert projects.find(service, caller, ProjectQuery(search="_")).items == ()
    for unknown in ("nowhere.example", "9999", "", "a b", "%", "b.example/x", "9" * 40):
        with pytest.raises(NotFound):
            projects.get(service, caller, unknown)


def test_a_project_is_named_by_its_host_in_any_spelling(service: Service, caller: Caller) -> None:
    samples.made(service, caller, "https://www.Bücher.example:8443/")
    names = ["bücher.example:8443", "BÜCHER.example:8443", "xn--bcher-kva.example:8443", "www.xn--bcher-kva.example:8443"]
    found = [projects.get(service, caller, name) for name in names]
    assert {project.name for project in found} == {"xn--bcher-kva.example:8443"}
    assert all(project == found[0] for project in found)


def test_deleting_a_project_takes_its_reports_and_its_last_report_leaves_it(service: Service, caller: Caller) -> None:
    ids = [samples.made(service, caller, f"https://a.example/{n}") for n in range(3)]
    other = samples.made(service, caller, "https://b.example/")
    deleted = projects.delete(service, caller, "a.example")
    assert (deleted.name, deleted.reports_deleted) == ("a.example", 3)
    with pytest.raises(NotFound):
        projects.delete(service, caller, "a.example")
    for report_id in ids:
        with pytest.raises(NotFound):
            reports.get(service, caller, report_id)
    assert [view.id for view in reports.find(service, caller, ReportQuery()).items] == [other]
    again = samples.made(service, caller, "https://a.example/0")
    assert reports.get(service, caller, again).previous is None
    assert projects.get(service, caller, "a.example").reports_count == 1
    reports.delete(service, caller, other)
    assert projects.get(service, caller, "b.example").reports_count == 0


def test_paths_of_a_fresh_account_are_empty(tmp_path: Path, service: Service, caller: Caller) -> None:
    page = reports.find(service, caller, ReportQuery())
    assert (page.items, page.total, page.last_page, page.next_cursor, page.prev_cursor) == ((), 0, 1, None, None)
    assert projects.find(service, caller, ProjectQuery()).items == ()
