"""Alerts from stored runs: one message for one cause, written with the run, told when it is due."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import structs

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.crawl.changes import CrawlComparison
from findable.errors import NotFound, PageError, PageErrorCode, PageUnavailable, ValidationFailed
from findable.monitor.alert_states import DAY_S, GATHER_S, Phase, due_notification
from findable.monitor.site_alert_conditions import SiteFacts, facts_of_crawl, signals_of_verdict
from findable.notify.outgoing_event import AlertData
from findable.reports.report import Report
from findable.reports.search_verdict import SearchVerdict, VerdictCode
from findable.reports.site_report import SiteReport
from findable.service.alerts import alert_notifications, alerts
from findable.service.alerts.alert_watch import is_of_site, process_signals, watch_crawl
from findable.service.crawls import crawls
from findable.service.delivery import digests
from findable.service.projects import projects, schedules
from findable.service.reports import rechecks, reports
from findable.service.reports.report_jobs import AnalysedPage
from findable.service.reports.reports import queue_run
from findable.service.runtime.service import Service
from findable.service.values.alert_values import AlertChanges, AlertQuery
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlQuery, NewCrawl
from findable.service.values.report_values import NewReport
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork, ScheduleOptions
from findable.store.alert_statements import SITE_SUBJECT
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from tests.service import samples
from tests.service.test_schedules import run_due
from tests.service.watched_world import OUTAGE, World, listed, sound, subject_of, watched_world


@pytest.fixture
def world(service: Service, caller: Caller) -> Iterator[World]:
    with watched_world(service, caller) as made:
        yield made


def test_an_outage_is_confirmed_told_once_and_told_to_be_over(world: World) -> None:
    (number,) = world.add("https://example.com/")
    world.wait(DAY_S, 3600)
    world.answer = lambda url: OUTAGE
    world.run(number)
    world.wait(60 + 300)
    assert not alerts.find(world.service, world.caller, AlertQuery())  # suspect
    world.wait(900 + GATHER_S)
    assert world.messages == [("alert.opened", "unreachable", 1)]
    assert subject_of(world.told[0]) == ("page", "https://example.com/", "open")
    data = world.told[0].data
    assert isinstance(data, AlertData)
    assert data.report_id == number
    (shown,) = alerts.find(world.service, world.caller, AlertQuery(project="example.com", is_open=True))
    assert (shown.phase, shown.examples) == (Phase.OPEN, ("https://example.com/",))
    world.answer = lambda url: sound()
    world.wait(2 * 3600)
    assert world.messages[1:] == [("alert.closed", "unreachable", 1)]
    assert [one.phase for one in alerts.find(world.service, world.caller, AlertQuery())] == [Phase.OK]
    world.wait(10 * DAY_S, 3600)
    assert len(world.messages) == 2


def test_a_time_out_that_passes_is_no_alert(world: World) -> None:
    (number,) = world.add("https://example.com/")
    world.answer = lambda url: OUTAGE
    world.run(number)
    world.answer = lambda url: sound()
    world.wait(DAY_S, 600)
    assert world.messages == []
    assert not alerts.find(world.service, world.caller, AlertQuery())


def test_pages_of_projects_without_a_schedule_are_not_watched(world: World) -> None:
    report = reports.create(world.service, world.caller, NewReport("https://example.com/")).report
    world.work()
    world.answer = lambda url: OUTAGE
    for _ in range(6):
        world.run(report.id)
    world.wait(DAY_S, 3600)
    assert world.messages == []


def test_many_pages_of_one_cause_are_one_message_with_five_examples(world: World) -> None:
    world.answer = lambda url: listed()
    numbers = world.add(*(f"https://example.com/{number}" for number in range(30)))
    world.answer = lambda url: listed(canonical="")
    world.run(*numbers)
    world.wait(3600)
    assert world.messages == [("alert.opened", "canonical-lost", 30)]
    assert len(getattr(world.told[0].data, "examples", ())) == 5
    assert subject_of(world.told[0]) == ("site", "https://example.com/", "open")
    world.answer = lambda url: listed()
    world.run(*numbers)
    world.wait(3600)
    assert world.messages[1:] == [("alert.closed", "canonical-lost", 30)]


def test_a_noindex_of_the_only_page_is_urgent_after_one_repetition(world: World) -> None:
    world.answer = lambda url: listed()
    (number,) = world.add("https://example.com/")
    world.answer = lambda url: listed(noindex=True)
    world.run(number)
    world.wait(120 + GATHER_S)
    assert world.messages == [("alert.opened", "not-indexable", 1)]
    world.wait(20 * DAY_S, 3600)
    assert [getattr(one.data, "urgent", None) for one in world.told] == [1]


def test_inner_pages_are_not_urgent_and_one_accident_is_urgent_once(world: World) -> None:
    world.answer = lambda url: listed()
    start, *inner = world.add(*(f"https://example.com/{path}" for path in ("", "a", "b", "c")))
    world.answer = lambda url: listed(noindex=True)
    world.run(inner[0])
    world.wait(120 + GATHER_S)
    world.answer = lambda url: OUTAGE
    world.run(start)
    world.wait(1260 + GATHER_S)
    world.answer = lambda url: listed(noindex=True)
    world.run(inner[1], inner[2])
    world.wait(3600)
    told = [(rule, getattr(one.data, "urgent", None)) for one, (kind, rule, _) in zip(world.told, world.messages, strict=True)]
    assert told[:2] == [("not-indexable", 0), ("unreachable", 1)]


def test_a_deindexed_site_that_goes_down_is_urgent_again_but_not_the_reverse(world: World) -> None:
    world.answer = lambda url: listed()
    (number,) = world.add("https://example.com/")
    for answer in (listed(noindex=True), OUTAGE, listed(noindex=True)):
        world.answer = lambda url, answer=answer: answer  # type: ignore[misc]  # the default binds the answer of this turn
        world.run(number)
        world.wait(DAY_S, 600)
    told = [(one.type.value, rule, getattr(one.data, "urgent", None)) for one, (_, rule, _) in zip(world.told, world.messages, strict=True)]
    assert told == [("alert.opened", "not-indexable", 1), ("alert.opened", "unreachable", 1), ("alert.closed", "unreachable", 0)]


def rejected(error: str = "certificate has expired") -> AnalysedPage:
    certificate = {"verified": False, "verify_error": error, "version": "TLSv1.3", "chain": []}
    whole = msgspec.to_builtins(listed().report)
    whole["facts"]["tls"] = certificate
    return structs.replace(listed(), report=msgspec.convert(whole, Report, strict=False))


def test_a_rejected_certificate_is_one_urgent_message_for_all_pages_and_crawls(world: World) -> None:
    world.answer = lambda url: listed()
    numbers = world.add("https://example.com/", "https://example.com/a")
    world.answer = lambda url: rejected()
    for number in numbers:  # the second page is checked after the message about the first was sent
        world.run(number)
        world.wait(2 * GATHER_S)
    crawled(world, VerdictCode.UNREACHABLE)
    crawled(world, VerdictCode.UNREACHABLE)
    world.wait(2 * GATHER_S)
    told = [(rule, getattr(one.data, "urgent", None)) for one, (_, rule, _) in zip(world.told, world.messages, strict=True)]
    assert told == [("certificate", 1), ("site-unreachable", 0)]
    world.answer = lambda url: listed()
    world.run(numbers[0])
    world.wait(GATHER_S)
    assert world.messages[2:] == [("alert.closed", "site-unreachable", 1)], "not only at the next crawl"
    world.wait(DAY_S, 600)
    world.answer = lambda url: rejected("self-signed certificate")
    world.run(numbers[0])
    world.wait(DAY_S, 600)
    assert [rule for _, rule, _ in world.messages[3:]] == ["certificate"]


def test_an_unreadable_robots_txt_is_confirmed_by_a_crawl_that_is_not_awaited(world: World) -> None:
    world.answer = lambda url: listed()
    (number,) = world.add("https://example.com/")
    watching = ScheduleCreate(project="example.com", what=ScheduledWork.CRAWL, every="month")
    schedule = schedules.create(world.service, world.caller, watching)
    with world.service.store.write() as session:
        project = session.projects.by_name(world.caller.account_id, "example.com")
        assert project is not None
        session.alerts.save_site(project.id, {"crawl": '{"pages":9,"indexable":9}'})
    page = listed()
    error = PageError(PageErrorCode.ROBOTS_UNREADABLE, status=503)
    world.answer = lambda url: structs.replace(page, report=structs.replace(page.report, error=error, score=None, result=None))
    world.run(number)
    with world.service.store.read() as session:
        planned = session.schedules.by_id(schedule.id)
    assert planned is not None
    assert planned.due_at == world.clock.at + 900
    crawled(world, VerdictCode.UNREACHABLE)
    world.wait(2 * GATHER_S)
    assert [(rule, getattr(one.data, "urgent", None)) for one, (_, rule, _) in zip(world.told, world.messages, strict=True)] == [
        ("site-unreachable", 1)
    ]


def test_a_digest_lists_accidents_before_newer_alerts(world: World) -> None:
    world.answer = lambda url: listed()
    down, other = world.add("https://down.example/", "https://other.example/")
    samples.subscribed(world.service, world.caller)
    for number, answer in ((down, OUTAGE), (other, listed(canonical=""))):
        world.answer = lambda url, answer=answer: answer  # type: ignore[misc]  # the default binds the answer of this turn
        world.run(number)
        world.wait(3600, 300)
    with world.service.store.read() as session:
        digest = digests.digest_of(session, world.caller, world.clock.at - DAY_S, world.clock.at)
    assert [row.rule for row in digest.opened_alerts] == ["unreachable", "canonical-lost", "canonical-lost"]


def crawled(world: World, code: VerdictCode) -> None:
    """A crawl of the watched site with that verdict."""
    world.clock.at += 1000
    with world.service.store.write() as session:
        project = session.projects.by_name(world.caller.account_id, "example.com")
        assert project is not None
        session.alerts.save_site(project.id, {"crawl": '{"pages":9,"indexable":9}'})
        signals = signals_of_verdict(SearchVerdict(code, values={"problem": "tls"}))
        process_signals(session, world.caller.account_id, project.id, SITE_SUBJECT, signals, world.clock.at)


def test_a_challenge_or_a_login_page_is_inconclusive(world: World) -> None:
    world.answer = lambda url: listed()
    (number,) = world.add("https://example.com/")
    for code in (PageErrorCode.BOT_CHALLENGE, PageErrorCode.LOGIN_REQUIRED, PageErrorCode.ACCESS_DENIED, PageErrorCode.TARGET_RATE_LIMITED):
        world.answer = lambda url, code=code: PageUnavailable(code)  # type: ignore[misc]  # the default binds the code of this turn
        for _ in range(4):
            world.run(number)
            world.wait(3600)
    assert world.messages == []


def test_most_hosts_down_at_once_are_one_alert_about_us(world: World) -> None:
    numbers = world.add(*(f"https://host{number}.example/" for number in range(5)))
    world.answer = lambda url: OUTAGE
    world.run(*numbers)
    world.wait(3600)
    assert world.messages == [("alert.opened", "own-network", 1)]
    world.answer = lambda url: sound()
    world.wait(3 * 3600)
    assert world.messages[1:] == [("alert.closed", "own-network", 1)]
    one_down = numbers[0]
    world.answer = lambda url: OUTAGE if "host0" in url else sound()
    world.run(*numbers)
    world.wait(3600)
    assert world.messages[2:] == [("alert.opened", "unreachable", 1)], one_down


def test_robots_txt_is_told_with_its_difference(world: World) -> None:
    robots = "User-agent: *\nDisallow: /cart\n"
    world.answer = lambda url: sound(SiteFacts(robots, 10))
    (number,) = world.add("https://example.com/")
    world.answer = lambda url: sound(SiteFacts(robots + "Disallow: /new\n", 10))
    world.run(number)
    world.wait(3600)
    assert world.messages == [("alert.opened", "robots-changed", 1)]
    assert subject_of(world.told[0]) == ("site", "https://example.com/", "open")
    assert "+Disallow: /new" in str(getattr(world.told[0].data, "values", {}))
    world.run(number)
    world.wait(3600)
    assert len(world.messages) == 1
    world.answer = lambda url: sound(SiteFacts("User-agent: *\nDisallow: /\n", 10))
    world.run(number)
    world.wait(3600)
    assert world.messages[1:] == [("alert.opened", "robots-blocks-start", 1)]
    assert "+Disallow: /" in str(getattr(world.told[1].data, "values", {}))


def test_alerts_are_acknowledged_and_paused_by_their_account(world: World) -> None:
    (number,) = world.add("https://example.com/")
    world.answer = lambda url: OUTAGE
    world.run(number)
    world.wait(2000)
    (shown,) = alerts.find(world.service, world.caller, AlertQuery())
    other = samples.owner(world.service, "other@example.com")
    with pytest.raises(NotFound):
        alerts.update(world.service, other, shown.id, AlertChanges(acknowledged=1))
    assert alerts.find(world.service, other, AlertQuery()) == ()
    known = alerts.update(world.service, world.caller, shown.id, AlertChanges(acknowledged=1))
    assert known.phase is Phase.ACKNOWLEDGED
    assert alerts.update(world.service, world.caller, shown.id, AlertChanges(acknowledged=0)).phase is Phase.OPEN
    with pytest.raises(ValidationFailed):
        alerts.update(world.service, world.caller, shown.id, AlertChanges(paused_until=world.clock.now()))
    projects.delete(world.service, world.caller, "example.com")
    assert alerts.find(world.service, world.caller, AlertQuery()) == ()
    world.wait(2 * DAY_S, 3600)
    assert len(world.messages) == 1


def test_a_page_and_an_alert_that_fail_do_not_delay_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound_one = world.add("https://broken.example/", "https://example.com/")
    world.answer = lambda url: OUTAGE
    calls: list[int] = []

    def failing_queue(session: Session, row: ReportRow, *rest: Any, **flags: Any) -> bool:
        if row.id == broken:
            raise ZeroDivisionError
        return queue_run(session, row, *rest, **flags)

    def failing_told(*values: Any) -> Any:
        calls.append(1)
        if len(calls) == 1:
            raise ZeroDivisionError
        return due_notification(*values)

    monkeypatch.setattr(rechecks, "queue_run", failing_queue)
    monkeypatch.setattr(alert_notifications, "due_notification", failing_told)
    world.run(broken, sound_one)
    world.wait(120)
    with world.service.store.read() as session:
        assert session.alerts.due_pages(world.clock.at, 9) == []  # it is tried again in an hour
        assert broken in session.alerts.due_pages(world.clock.at + 3600, 9)
        assert session.runs.count(sound_one) > 1
    world.wait(2 * 3600)
    assert len(calls) > 1


def opened_outage(world: World, *urls: str) -> list[int]:
    numbers = world.add(*urls)
    world.answer = lambda url: OUTAGE
    world.run(*numbers)
    world.wait(2000)
    assert [kind for kind, *_ in world.messages] == ["alert.opened"]
    return numbers


def test_the_alert_of_a_deleted_page_closes(world: World) -> None:
    first, second = opened_outage(world, "https://example.com/", "https://example.com/2")
    reports.delete(world.service, world.caller, first)
    world.wait(3600)
    assert len(world.messages) == 1  # the other page is still down
    reports.delete(world.service, world.caller, second)
    world.wait(20 * DAY_S, DAY_S)
    assert [kind for kind, *_ in world.messages] == ["alert.opened", "alert.closed"]


def test_alerts_close_with_the_last_schedule(world: World) -> None:
    opened_outage(world, "https://example.com/")
    second = schedules.create(world.service, world.caller, ScheduleCreate(project="example.com", every="month"))
    schedules.delete(world.service, world.caller, second.id)
    world.wait(60)
    assert len(world.messages) == 1  # it was not the last schedule
    (view,) = schedules.find(world.service, world.caller)
    schedules.delete(world.service, world.caller, view.id)
    world.wait(60)
    assert [kind for kind, *_ in world.messages] == ["alert.opened", "alert.closed"]


def test_crawls_of_lists_and_parts_say_nothing_about_the_site(world: World) -> None:
    world.add("https://example.com/")
    service, caller = world.service, world.caller

    def of_site(new: NewCrawl) -> bool:
        view = crawls.create(service, caller, new).crawl
        with service.store.read() as session:
            row = session.crawls.by_id(view.id)
            assert row is not None
            answer = is_of_site(session, row)
        crawls.delete(service, caller, view.id)
        return answer

    assert of_site(NewCrawl("https://example.com/"))
    assert not of_site(NewCrawl("https://example.com/blog/"))
    assert not of_site(NewCrawl(listed_urls=("https://example.com/", "https://example.com/a")))
    settings = ScheduleOptions(url="https://example.com/blog/")
    changes = ScheduleCreate(project="example.com", what=ScheduledWork.CRAWL, every="PT1H", settings=settings)
    schedules.create(service, caller, changes)
    world.clock.at += 2 * 3600
    run_due(service)
    assert of_site(NewCrawl("https://example.com/blog/"))
    assert not of_site(NewCrawl("https://example.com/"))


def test_a_crawl_with_other_limits_does_not_replace_the_reference_of_alerts(world: World) -> None:
    service, caller = world.service, world.caller
    world.add("https://example.com/")
    schedules.create(service, caller, ScheduleCreate(project="example.com", what=ScheduledWork.CRAWL, every="PT1H"))

    def ended(crawl_id: int, pages: int, compared: int | None) -> None:
        summary = CrawlSummary("https://example.com/", "", pages, pages)
        report = SiteReport(summary, (), 90, 90.0, 90.0, None, provisional=False, counts={})
        with service.store.write() as session:
            row = session.crawls.by_id(crawl_id)
            assert row is not None
            session.crawls.change(row.id, world.clock.at, status="done", finished_at=world.clock.at)
            changes = None if compared is None else CrawlComparison("")
            watch_crawl(session, row, report.verdict, facts_of_crawl(report, CrawlEnd.COMPLETE), compared, changes, world.clock.at)

    def scheduled() -> int:
        world.clock.at += 2 * 3600
        run_due(service)
        return crawls.find(service, caller, CrawlQuery(per_page=10)).items[0].id

    ended(first := scheduled(), 100, None)
    by_hand = crawls.create(service, caller, NewCrawl("https://example.com/", depth=1)).crawl.id
    ended(by_hand, 10, None)
    ended(scheduled(), 60, first)
    world.wait(GATHER_S)
    assert ("alert.opened", "crawl-page-count") in [told[:2] for told in world.messages]
