"""Numbers of Home, and lists of projects, on each database."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from findable import clock
from findable.errors import Forbidden, NotFound, ValidationFailed
from findable.service.projects import findings, home, project_lists, projects, schedules
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.project_values import ProjectChanges, ProjectQuery, ProjectSort
from findable.service.values.report_values import NewReport, ReportChanges
from findable.service.values.schedule_values import ScheduleCreate
from findable.store import store_protocol
from findable.store.rows import Position
from findable.vocabulary import Rating, Verdict
from tests.service import samples

FAILS: Mapping[str, str] = {**samples.VERDICTS, "noindex": "failed"}


def made(service: Service, caller: Caller, url: str, *scores: int | None) -> list[int]:
    return [samples.made(service, caller, url, samples.seen(score)) for score in scores]


def worse(service: Service, caller: Caller) -> list[tuple[str, int, int, tuple[str, ...]]]:
    return [(one.url, one.score_before, one.score, one.new) for one in home.get(service, caller).changes.worse]


def test_what_got_worse_is_listed_until_it_is_made_good(service: Service, caller: Caller) -> None:
    made(service, caller, "https://falls.example/", 93, 80, 80)
    made(service, caller, "https://rises.example/", 70, 93)
    made(service, caller, "https://same.example/", 93, 93)
    made(service, caller, "https://new.example/", 10)
    made(service, caller, "https://comes-back.example/", 93, 40, 93)
    made(service, caller, "https://falls-again.example/", 93, 80, 60)
    (report,) = made(service, caller, "https://new-problem.example/", 93)
    assert worse(service, caller) == [("https://falls-again.example/", 93, 60, ()), ("https://falls.example/", 93, 80, ())]
    reports.update(service, caller, report, ReportChanges(results=True))
    samples.work(service, samples.seen(93, FAILS))
    assert worse(service, caller)[-1] == ("https://new-problem.example/", 93, 93, ("noindex",))
    reports.update(service, caller, report, ReportChanges(results=True))
    samples.work(service, samples.seen(93))
    assert len(worse(service, caller)) == 2


def test_neither_other_rules_nor_an_unseen_page_nor_an_old_fall_is_a_setback(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples.made(service, caller, "https://a.example/", samples.seen(93, ruleset="2025-01"))
    made(service, caller, "https://a.example/", 50, None)
    assert worse(service, caller) == []
    made(service, caller, "https://b.example/", 90, 50)
    assert worse(service, caller)
    later = clock.now() + timedelta(days=8)
    for module in (home, project_lists):
        monkeypatch.setattr(module, "now", lambda: later)
    assert worse(service, caller) == []


def test_no_setbacks_of_others_nor_of_deleted_reports_and_projects(service: Service, caller: Caller) -> None:
    other = samples.owner(service, "other@example.com")
    ids = made(service, caller, "https://a.example/1", 93, 80)
    made(service, caller, "https://a.example/2", 93, 80)
    assert home.get(service, other).changes.worse == ()
    reports.delete(service, caller, ids[1])
    assert [one[0] for one in worse(service, caller)] == ["https://a.example/2"]
    projects.delete(service, caller, "a.example")
    assert worse(service, caller) == []


def scores(service: Service, caller: Caller) -> dict[str, tuple[int | None, int]]:
    return {line.project.name: (line.project.score, line.project.scored_pages) for line in home.get(service, caller).projects.items}


def test_projects_worst_first_by_the_mean_of_their_newest_pages(service: Service, caller: Caller) -> None:
    made(service, caller, "https://a.example/1", 90, 80)
    made(service, caller, "https://a.example/2", 40, None)
    made(service, caller, "https://b.example/", 50)
    projects.make(service, caller, "c.example")
    assert list(scores(service, caller).items()) == [("b.example", (50, 1)), ("a.example", (60, 2)), ("c.example", (None, 0))]
    down = projects.find(service, caller, ProjectQuery(sort_by=ProjectSort.SCORE, per_page=10))
    assert [view.name for view in down.items] == ["a.example", "b.example", "c.example"]
    with service.store.read() as session:
        listed = session.projects.select(
            caller.account_id, sort="score", descending=True, limit=2, position=Position(-1, 10**9, backwards=True)
        )
    assert [row.name for row in listed] == ["a.example", "b.example"]


def totals(service: Service, caller: Caller) -> tuple[int, ...]:
    found = home.get(service, caller).totals
    return found.projects, found.good, found.decent, found.bad, found.unrated, found.unlisted_starts


def test_the_sites_are_counted_by_rating_and_by_start_pages_out_of_search(service: Service, caller: Caller) -> None:
    made(service, caller, "https://a.example/", 90)
    made(service, caller, "https://b.example/", 60)
    made(service, caller, "https://c.example/", 40)
    projects.make(service, caller, "d.example")
    assert totals(service, caller) == (4, 1, 1, 1, 1, 0)
    samples.made(service, caller, "https://e.example/", samples.seen(0, {}, cap=0))
    assert totals(service, caller) == (5, 1, 1, 2, 1, 0), "it is not known why the score is limited"
    samples.made(service, caller, "https://www.e.example/", samples.seen(0, {"http-status": "failed"}, cap=0))
    samples.made(service, caller, "https://a.example/page", samples.seen(0, {"http-status": "failed"}, cap=0))
    assert totals(service, caller) == (5, 0, 1, 3, 1, 1)


def test_a_mean_of_pages_is_limited_by_what_limits_the_start_page(service: Service, caller: Caller) -> None:
    made(service, caller, "https://a.example/1", 90)
    made(service, caller, "https://a.example/2", 92)
    start = samples.made(service, caller, "https://www.a.example/", samples.seen(49, cap=49))
    assert scores(service, caller) == {"a.example": (49, 3)}
    reports.delete(service, caller, start)
    assert scores(service, caller) == {"a.example": (91, 2)}
    samples.made(service, caller, "https://a.example/2", samples.seen(49, cap=49))
    assert scores(service, caller) == {"a.example": (69, 2)}


def test_the_last_score_of_a_day_is_compared_with_that_of_a_week_ago(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_day(day: int) -> None:
        at = start + timedelta(days=day)
        monkeypatch.setattr(clock, "now", lambda: at)
        for module in (store_protocol, home, project_lists):
            monkeypatch.setattr(module, "now", clock.now)

    start = clock.now()
    for day, score in ((0, 90), (1, 80), (2, 80), (8, 70)):
        on_day(day)
        made(service, caller, "https://a.example/1", 10, score)
    (line,) = home.get(service, caller).projects.items
    assert [point.score for point in line.trend] == [90, 80, 80, 70]
    assert line.before is not None
    assert (line.before.score, line.before.at.date()) == (80, (start + timedelta(days=1)).date())


def test_an_added_page_is_no_change_of_the_score_of_a_project(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    made(service, caller, "https://a.example/1", 90)
    later = clock.now() + timedelta(days=1)
    for module in (store_protocol, home, project_lists):
        monkeypatch.setattr(module, "now", lambda: later)
    made(service, caller, "https://a.example/2", 49)
    (line,) = home.get(service, caller).projects.items
    assert (len(line.trend), line.before) == (2, None)


def test_what_waits_is_not_among_the_newest(service: Service, caller: Caller) -> None:
    made(service, caller, "https://a.example/", 93)
    reports.create(service, caller, NewReport("https://waits.example/"))
    assert [report.url for report in home.get(service, caller).newest] == ["https://a.example/"]


def test_nothing_without_the_scope(service: Service, caller: Caller) -> None:
    writer = Caller(caller.account_id, caller.user_id, caller.key_id, caller.scopes - {READ})
    for use in (lambda: home.get(service, writer), lambda: findings.checks(service, writer, Verdict.FAILED)):
        with pytest.raises(Forbidden):
            use()


def test_sites_are_ordered_by_their_change_and_paged_in_both_directions(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = clock.now()
    for day, fall in ((0, 0), (10, 1)):
        at = start + timedelta(days=day)
        monkeypatch.setattr(clock, "now", lambda at=at: at)
        for module in (store_protocol, home, project_lists):
            monkeypatch.setattr(module, "now", clock.now)
        for number in range(12):
            made(service, caller, f"https://site-{number}.example/1", 90 - fall * number)
    for name in ("z.example", "y.example"):
        projects.make(service, caller, name)
    query = ProjectQuery(sort_by=ProjectSort.CHANGE, descending=False, per_page=10)
    first = project_lists.find(service, caller, query)
    assert [(line.project.name, line.change) for line in first.items][:2] == [("site-11.example", -11), ("site-10.example", -10)]
    second = project_lists.find(service, caller, replace(query, cursor=first.next_cursor or ""))
    assert [line.project.name for line in second.items] == ["site-1.example", "site-0.example", "z.example", "y.example"]
    assert (first.prev_cursor, second.next_cursor, second.total) == (None, None, 14)
    assert project_lists.find(service, caller, replace(query, cursor=second.prev_cursor or "")).items == first.items
    down = project_lists.find(service, caller, replace(query, descending=True, per_page=25))
    assert [line.project.name for line in down.items] == [line.project.name for line in (*first.items, *second.items)][::-1]
    with pytest.raises(ValidationFailed):
        project_lists.find(service, caller, replace(query, cursor=first.next_cursor or "", descending=True))


def test_the_trend_of_a_site_has_every_recent_score_and_one_of_each_week_before(
    service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = clock.now()
    for day in (0, 70, 80, 81, 82, 150, 151):
        at = start + timedelta(days=day)
        monkeypatch.setattr(clock, "now", lambda at=at: at)
        for module in (store_protocol, home, project_lists):
            monkeypatch.setattr(module, "now", clock.now)
        made(service, caller, "https://a.example/1", day // 2)
    (line,) = home.get(service, caller).projects.items
    scores = [point.score for point in line.trend]
    assert scores[0] == 0, "the score before the twelve weeks is where the line begins"
    assert scores[-1] == 75
    assert set(scores) < {0, 35, 40, 41, 75}


def test_sites_are_chosen_by_label_rating_and_whether_they_are_watched(service: Service, caller: Caller) -> None:
    made(service, caller, "https://a.example/", 90)
    made(service, caller, "https://b.example/", 40)
    projects.update(service, caller, "a.example", ProjectChanges(display_name="Alpha", client="Acme", tags=["shop", "100%"]))
    projects.update(service, caller, "b.example", ProjectChanges(client="Brick", tags=["shopping"], owner="owner@example.com"))
    schedules.create(service, caller, ScheduleCreate(project="b.example", every="day"))

    def names(**chosen: Any) -> list[str]:
        return [line.project.name for line in project_lists.find(service, caller, ProjectQuery(sort_by=ProjectSort.CHANGE, **chosen)).items]

    assert names(tag="shop") == names(tag="100%") == names(client="Acme") == names(search="alph") == ["a.example"]
    assert names(result=Rating.GOOD) == names(is_watched=False) == ["a.example"]
    assert names(search="bri") == names(owner="Owner@example.com") == names(result=Rating.BAD) == names(is_watched=True) == ["b.example"]
    assert names(tag="shop", client="Brick") == names(tag="1000") == []
    labels = projects.labels(service, caller)
    assert (labels.clients, labels.tags, labels.owners) == (("Acme", "Brick"), ("100%", "shop", "shopping"), ("owner@example.com",))


def test_tags_are_added_to_many_sites_at_once_or_to_none(service: Service, caller: Caller) -> None:
    for name in ("a.example", "b.example"):
        projects.make(service, caller, name)
    projects.tag(service, caller, ["a.example", "b.example"], "New, shop")
    projects.tag(service, caller, ["a.example"], "NEW", removes=True)
    assert [projects.get(service, caller, name).tags for name in ("a.example", "b.example")] == [("shop",), ("New", "shop")]
    with pytest.raises(NotFound):
        projects.tag(service, caller, ["a.example", "c.example"], "other")
    for wrong in ("", 'a"b', ",".join(map(str, range(21)))):
        with pytest.raises(ValidationFailed):
            projects.tag(service, caller, ["a.example"], wrong)
    assert projects.get(service, caller, "a.example").tags == ("shop",)
