"""The verdict of a page over its results: every row of docs/explanation/verdict.md, accident and recovery."""

from collections.abc import Iterator

import pytest

from findable.capture.saved import dump
from findable.errors import PageErrorCode
from findable.reports.analysis import analyse
from findable.reports.search_verdict import SearchVerdict
from findable.service import housekeeping
from findable.service.projects import change_overview, home, project_reports, projects
from findable.service.reports import acceptances, history, reports
from findable.service.reports.report_jobs import AnalysedPage
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewAcceptance, NewReport, ReportChanges, ReportQuery
from findable.vocabulary import Rating
from findable.web.pages.report.report_context import ReportPage
from findable.wording import wording
from tests.checks.harness import capture, page
from tests.service import samples
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.web.report_visits import page_of

NOON = 1_795_435_200
BODY = f"<main><h1>Blue widgets</h1>{'<p>Every widget is made by hand, and each one is blue in another way than the last.</p>' * 40}</main>"
HOUR_S, DAY_S = 3600, 86_400


@pytest.fixture
def clock() -> Iterator[SimulatedClock]:
    with simulated_clock(NOON) as told:
        yield told


def read(head: str = "", status: int = 200) -> AnalysedPage:
    seen = capture(page(body=BODY, head=f"<title>Blue widgets from Example, made by hand</title>{head}"), status=status)
    return AnalysedPage(dump(seen), analyse(seen))


class Story:
    """A report of one page whose results a test makes."""

    def __init__(self, service: Service, caller: Caller, clock: SimulatedClock, first: AnalysedPage | None = None) -> None:
        self.service, self.caller, self.clock = service, caller, clock
        self.id = reports.create(service, caller, NewReport("https://example.com/")).report.id
        samples.work(service, first or read())

    def again(self, outcome: AnalysedPage | PageErrorCode, after_s: int = HOUR_S) -> SearchVerdict:
        self.clock.at += after_s
        reports.update(self.service, self.caller, self.id, ReportChanges(results=True))
        if isinstance(outcome, PageErrorCode):
            samples.fail(self.service, outcome)
        else:
            samples.work(self.service, outcome)
        return self.verdict

    @property
    def verdict(self) -> SearchVerdict:
        found = reports.get(self.service, self.caller, self.id).verdict
        assert found is not None
        return found

    def page(self, language: str = "en") -> ReportPage:
        view = reports.get(self.service, self.caller, self.id)
        return page_of(view, say=wording(language), current_run=view.run)


@pytest.fixture
def story(service: Service, caller: Caller, clock: SimulatedClock) -> Story:
    return Story(service, caller, clock)


def test_a_sound_page_has_no_notice(story: Story) -> None:
    assert story.verdict.code == "indexable"
    assert story.page().notice is None


def test_a_deindexed_page_is_bad_at_once_says_since_when_and_recovers(story: Story) -> None:
    first = story.again(read('<meta name="robots" content="noindex">'))
    assert (first.code, first.cause, first.is_bad) == ("deindexed", "noindex", True)
    assert story.again(read('<meta name="robots" content="noindex">')).since == first.since
    notice = story.page().notice
    assert notice is not None
    assert (notice.kind, notice.sentence) == ("bad", "Google cannot index this page: it is noindex.")
    assert notice.since is not None
    assert notice.step.startswith("Remove noindex")
    assert story.page().google_listing is None  # one sentence, not two
    assert story.again(read()).code == "indexable"
    assert story.page().notice is None


def test_an_unreachable_page_keeps_its_rating_until_it_is_confirmed(story: Story) -> None:
    before = story.page().verdict
    assert before is not None
    first = story.again(PageErrorCode.TARGET_TIMEOUT)
    assert (first.code, first.is_confirmed) == ("unreachable", False)
    shown = story.page()
    assert shown.verdict is not None
    assert (shown.verdict.rating, shown.verdict.score) == ("", before.score)  # it is that of an earlier day
    assert reports.get(story.service, story.caller, story.id).result == before.rating
    assert shown.notice is not None
    assert shown.notice.kind == "bad"
    assert not shown.last_error  # the notice says it
    second = story.again(PageErrorCode.CONNECT_FAILED)
    assert (second.since, second.is_confirmed, second.is_bad) == (first.since, True, True)
    away = story.page().verdict
    assert away is not None
    assert (away.rating, away.score, away.change) == ("bad", 0, "")
    assert str(before.score) in away.limit
    assert story.again(read()).code == "indexable"
    assert story.page().notice is None


def test_an_unreachable_page_is_bad_after_a_day_without_another_result(story: Story) -> None:
    assert not story.again(PageErrorCode.DNS_FAILED).is_bad
    story.clock.at += DAY_S
    assert story.verdict.is_bad


def test_a_page_that_was_never_read_is_unreachable_since_its_first_result(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    number = reports.create(service, caller, NewReport("https://away.example/")).report.id
    samples.fail(service, PageErrorCode.DNS_FAILED)
    view = reports.get(service, caller, number)
    assert view.verdict is not None
    assert (view.verdict.code, view.verdict.is_confirmed) == ("unreachable", False)
    shown = page_of(view)
    assert shown.notice is not None
    assert shown.missing_rating is not None
    assert shown.missing_rating.cause == ""  # the notice says it
    assert bool(shown.missing_rating.next_step) != bool(shown.notice.step)
    clock.at += HOUR_S
    reports.update(service, caller, number, ReportChanges(results=True))
    samples.fail(service, PageErrorCode.DNS_FAILED)
    again = reports.get(service, caller, number).verdict
    assert again is not None
    assert (again.is_confirmed, again.since) == (True, view.verdict.since)


@pytest.mark.parametrize("code", [PageErrorCode.BOT_CHALLENGE, PageErrorCode.ACCESS_DENIED, PageErrorCode.TARGET_RATE_LIMITED])
def test_a_page_that_rejects_only_this_service_is_not_red(story: Story, code: PageErrorCode) -> None:
    assert story.again(code).code == "blocked_for_us"
    story.again(code)
    shown = story.page()
    assert shown.notice is not None
    assert shown.notice.kind == "note"
    assert "Visitors and Google may see the page." in shown.notice.sentence
    assert shown.notice.step.startswith("Allow this service")
    assert shown.verdict is not None
    assert shown.verdict.words.startswith("Last rating: ")
    assert story.again(read()).code == "indexable"
    assert story.page().notice is None


def listed(story: Story) -> tuple[Rating | None, int | None]:
    """Rating and score of the page, which a list, each filter by rating, the project and its badge tell too."""
    view = reports.get(story.service, story.caller, story.id)
    (found,) = reports.find(story.service, story.caller, ReportQuery()).items
    assert (found.result, found.score, found.verdict) == (view.result, view.score, view.verdict)
    for rating in Rating:
        ids = [one.id for one in reports.find(story.service, story.caller, ReportQuery(result=rating)).items]
        assert ids == ([story.id] if rating is view.result else []), rating
    whole = project_reports.get(story.service, story.caller, "example.com").report
    assert (whole.result, whole.score) == (view.result, view.score)
    project = projects.get(story.service, story.caller, "example.com")
    assert (project.result, project.score, project.verdict) == (view.result, view.score, view.verdict)
    totals = home.get(story.service, story.caller).totals
    assert (totals.good, totals.decent, totals.bad) == tuple(int(rating is view.result) for rating in Rating)
    return view.result, view.score


def test_an_outage_keeps_the_rating_everywhere_until_it_is_confirmed(story: Story) -> None:
    before = listed(story)
    story.again(read(status=503))
    assert listed(story) == before
    assert story.again(read(status=500)).is_bad
    assert listed(story) == (Rating.BAD, 0)
    marks = [run.mark for run in history.runs(story.service, story.caller, story.id)]
    assert marks == ["unrated", "unrated", None]
    story.again(read())
    assert listed(story) == before
    (away,) = change_overview.get(story.service, story.caller).pages.away
    assert away.url == "https://example.com/"


def test_an_outage_that_nobody_looks_at_again_is_bad_in_lists_after_a_day(story: Story) -> None:
    before = listed(story)
    story.again(PageErrorCode.DNS_FAILED)
    housekeeping.note_outages(story.service)
    assert listed(story) == before
    story.clock.at += DAY_S
    assert not housekeeping.note_outages(story.service)
    assert listed(story) == (Rating.BAD, 0)
    assert not housekeeping.note_outages(story.service)
    story.again(read())
    assert listed(story) == before


def test_a_page_that_rejects_only_this_service_is_not_rated_and_is_rated_again(story: Story) -> None:
    before = listed(story)
    story.again(PageErrorCode.BOT_CHALLENGE)
    assert listed(story) == (None, None)
    story.again(PageErrorCode.TARGET_TIMEOUT)
    assert listed(story) == before  # the last rating stays
    story.again(PageErrorCode.ACCESS_DENIED)
    story.again(read())
    assert listed(story) == before


def test_a_first_result_that_is_an_outage_is_not_rated(service: Service, caller: Caller, clock: SimulatedClock) -> None:
    story = Story(service, caller, clock, read(status=503))
    assert listed(story) == (None, None)
    assert (story.verdict.code, story.verdict.sentence()) == ("unreachable", "The page cannot be reached: it returns 503.")
    story.again(read(status=503))
    assert story.verdict.is_confirmed
    story.again(PageErrorCode.CONNECT_FAILED)
    assert listed(story) == (None, None)
    story.again(read())
    assert listed(story)[0] not in (None, Rating.BAD)


def test_a_deindexed_page_is_bad_everywhere(story: Story) -> None:
    before = listed(story)
    story.again(read('<meta name="robots" content="noindex">'))
    result, score = listed(story)
    assert result is Rating.BAD
    assert score is not None
    story.again(read())
    assert listed(story) == before


def test_accepting_a_finding_during_an_outage_keeps_its_rating(story: Story) -> None:
    before = listed(story)
    story.again(PageErrorCode.DNS_FAILED)
    story.again(PageErrorCode.DNS_FAILED)
    report = reports.get(story.service, story.caller, story.id).report
    assert report is not None
    failing = next(one for one in report.findings if one.has_problem)
    acceptances.accept(story.service, story.caller, story.id, failing.id, NewAcceptance("It is intended."))
    assert listed(story) == (Rating.BAD, 0)
    story.again(read())
    assert (listed(story)[1] or 0) >= (before[1] or 0)
