"""Progress of a crawl: the observed speed, the rest, the latest pages, the first findings, and their words."""

from findable.crawl.packed_verdicts import all_check_ids, pack_in_order
from findable.crawl.progress import FIRST_FINDINGS, LATEST, CrawlMemory, CrawlProgress, CrawlStage, FirstFinding, first_findings
from findable.crawl.record import PageRecord, ReadPage
from findable.crawl.visits import CrawlCounts, Visit, WaitingUrl
from findable.vocabulary import Verdict
from findable.wording import wording


def _visits(numbers: range) -> list[Visit]:
    urls = {number: f"https://shop.example/{number}" for number in numbers}
    return [Visit(WaitingUrl(number, url, 1), ReadPage(PageRecord(url, 200, title=f"Page {number}"))) for number, url in urls.items()]


def test_the_rest_follows_the_speed_of_the_last_minute() -> None:
    memory = CrawlMemory()
    assert memory.speed(CrawlStage.URLS, 0, 1000) == (0.0, None)
    memory.add(_visits(range(100)))
    assert memory.speed(CrawlStage.URLS, 20, 900) == (5.0, 180.0)
    memory.add(_visits(range(500)))
    rate, rest_s = memory.speed(CrawlStage.URLS, 70, 400)
    assert (rate, rest_s) == (10.0, 40.0)


def test_the_rest_is_unknown_while_new_urls_come_as_fast_as_others_are_requested() -> None:
    memory = CrawlMemory()
    memory.speed(CrawlStage.URLS, 0, 1000)
    memory.add(_visits(range(100)))
    assert memory.speed(CrawlStage.URLS, 10, 1000) == (10.0, None)
    assert memory.speed(CrawlStage.URLS, 11, 1500)[1] is None
    memory.add(_visits(range(300)))
    assert memory.speed(CrawlStage.URLS, 40, 1200) == (10.0, 120.0)


def test_urls_that_are_left_out_while_the_site_stands_still_leave_the_rest_unknown() -> None:
    memory = CrawlMemory()
    memory.speed(CrawlStage.URLS, 0, 1000)
    assert memory.speed(CrawlStage.URLS, 30, 400) == (0.0, None)  # an endless series has ended


def test_a_new_stage_is_observed_anew_and_seconds_are_not_guessed() -> None:
    memory = CrawlMemory()
    memory.speed(CrawlStage.URLS, 0, 100)
    memory.add(_visits(range(100)))
    assert memory.speed(CrawlStage.FILES, 10, 40) == (0.0, None)
    memory.add_requests(20)
    assert memory.speed(CrawlStage.FILES, 12, 20) == (0.0, None)
    assert memory.speed(CrawlStage.FILES, 20, 20) == (2.0, 10.0)


def test_the_latest_pages_come_first_and_are_few() -> None:
    memory = CrawlMemory()
    memory.add(_visits(range(20)))
    assert [page.title for page in memory.latest] == [f"Page {number}" for number in range(19, 19 - LATEST, -1)]


def test_first_findings_are_the_most_important_and_count_pages() -> None:
    names = all_check_ids()
    faulty = {"title-present": Verdict.FAILED, "content-length": Verdict.WARNED, "favicon": Verdict.WARNED}
    found = first_findings({pack_in_order(faulty, names): 3, pack_in_order({"content-length": Verdict.WARNED}, names): 40}, names)

    assert FirstFinding("content-length", Verdict.WARNED, 43) in found
    assert found[0] == FirstFinding("title-present", Verdict.FAILED, 3)
    assert len(first_findings({pack_in_order(dict.fromkeys(names, Verdict.FAILED), names): 1}, names)) == FIRST_FINDINGS


def test_there_is_one_total_and_it_may_grow() -> None:
    counts = CrawlCounts(waiting=134, done=190, statuses={"2xx": 187, "none": 3})
    progress = CrawlProgress(counts, CrawlStage.URLS, 190, 324, is_at_least=True, pages_per_second=9.84, limited_by="politeness")
    assert progress.words() == "190 of at least 324 URLs requested"
    assert list(progress.parts()) == ["9.8 requests per second", "limited by politeness", "the time left cannot be said yet"]
    assert progress.by_status() == {"2xx": "187 loaded", "none": "3 without response"}
    assert "mindestens 324" in progress.words(wording("de"))


def test_errors_that_are_confirmed_are_said() -> None:
    progress = CrawlProgress(CrawlCounts(done=186, doubtful=2), CrawlStage.URLS, 186, 188, eta_s=4)
    assert list(progress.parts()) == ["2 errors are confirmed by a second request"]
    files = CrawlProgress(CrawlCounts(done=188), CrawlStage.FILES, 4, 20, eta_s=4)
    assert (files.words(), *files.parts()) == ("4 of 20 files and links to other sites requested", "about 4 seconds left")
