"""Changes between two crawls: of pages, of findings, and when there is nothing to compare."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from findable.capture.crawl import CrawlSummary, Reason
from findable.checks.causes import Cause, CauseKind
from findable.checks.evidence import url_evidence
from findable.compute import compute_here
from findable.crawl.changes import ChangeKind, ComparedPage, CrawlComparison, PageChange, examples, page_changes, pair_rows
from findable.crawl.settings import CrawlSettings
from findable.crawl.start_origins import public_origins
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.reports.difference import NotComparable
from findable.reports.site_difference import Elsewhere, Judging, SiteDifference, site_difference
from findable.reports.site_report import SiteFinding, SiteReport
from findable.service.crawls import crawl_comparing
from findable.service.crawls.crawl_comparing import StoredCrawl, compare_crawls, with_examples
from findable.service.crawls.crawl_run import CrawlRun
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_schema import CHANGE, COMPARISON
from findable.store.stored_comparisons import (
    MAX_OTHERS,
    ListedChange,
    drop_comparisons,
    each_change,
    listed_changes,
    main_comparison,
    save_changes,
)
from findable.vocabulary import Verdict
from findable.wording import ENGLISH
from tests.crawl.test_crawls import FAST
from tests.crawl_sites import change_shop, html, make_shop, text
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

URL = "https://www.example.com/bread"
PAGE = ComparedPage(
    url=URL, number=7, status=200, is_page=True, title="Bread", description="Our bread.", h1="Bread", text_key=1, depth=2, inlinks=3
)


def kinds(before: ComparedPage | None, after: ComparedPage | None) -> list[str]:
    found = page_changes(before, after)
    return [change.kind.value if isinstance(change, PageChange) else f"not compared: {change.reason}" for change in found]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ({}, []),
        ({"is_rendered": True, "title": "Bread now", "h1": "", "canonical": "https://www.example.com/", "text_key": 2}, []),
        ({"is_rendered": True, "noindex": True, "reason": Reason.NOINDEX}, ["became_non_indexable", "robots"]),
        ({"status": 404, "is_page": False, "reason": Reason.STATUS}, ["gone", "status"]),
        ({"status": 410, "is_page": False, "reason": Reason.STATUS}, ["gone", "status"]),
        ({"status": 301, "is_page": False, "reason": Reason.REDIRECT}, ["became_non_indexable", "status"]),
        ({"status": 500, "is_page": False, "reason": Reason.STATUS}, ["became_non_indexable", "status"]),
        ({"noindex": True, "reason": Reason.NOINDEX}, ["became_non_indexable", "robots"]),
        ({"reason": Reason.ROBOTS}, ["became_non_indexable", "robots"]),
        ({"canonical": "https://www.example.com/", "reason": Reason.CANONICAL}, ["became_non_indexable", "canonical"]),
        ({"title": ""}, ["title"]),
        ({"description": "New."}, ["description"]),
        ({"h1": "Cake"}, ["h1"]),
        ({"depth": 3}, ["depth"]),
        ({"depth": None}, ["depth"]),
        ({"inlinks": 4}, ["inlinks"]),
        ({"text_key": 2}, ["text"]),
        ({"status": 0, "is_page": False, "reason": Reason.FAILURE}, ["not compared: no_response"]),
        ({"status": 403, "is_page": False, "reason": Reason.STATUS}, ["not compared: no_response"]),
        ({"is_page": False, "reason": Reason.CHALLENGE}, ["not compared: no_response"]),
        ({"status": 0, "is_page": False, "left_out": "robots"}, ["not compared: robots"]),
        ({"status": 0, "is_page": False, "left_out": "budget"}, ["not compared: budget"]),
    ],
)
def test_a_page_changes_by_what_it_returns(after: dict[str, Any], expected: list[str]) -> None:
    assert kinds(PAGE, replace(PAGE, **after)) == expected


def test_what_only_one_crawl_requested_is_new_or_not_compared() -> None:
    known = ComparedPage(url=URL, number=7, left_out="scope")

    assert kinds(None, PAGE) == ["added"]
    assert kinds(known, PAGE) == ["not compared: scope"]
    assert kinds(PAGE, None) == ["not compared: not_found_again"]
    assert kinds(known, None) == kinds(None, known) == kinds(known, known) == []
    assert kinds(None, replace(PAGE, status=404, is_page=False)) == []


def test_crawls_are_merged_in_the_order_of_their_urls() -> None:
    before, after = ([(name, name.upper() + of) for name in names] for names, of in (("abd", "1"), ("bcd", "2")))

    assert list(pair_rows(iter(before), iter(after))) == [("a", "A1", None), ("b", "B1", "B2"), ("c", None, "C2"), ("d", "D1", "D2")]


class Crawls:
    """Crawls of a site, one after another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.made: list[StoredCrawl] = []

    def crawl(self, url: str, **settings: Any) -> StoredCrawl:
        file = CrawlFile(self._folder / f"{len(self.made)}.sqlite")
        earlier = self.made[-1].file if self.made else None

        async def run() -> StoredCrawl:
            async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
                state = await CrawlRun(file, fetcher, compute_here, earlier=earlier).run(CrawlSettings(url, **{**FAST, **settings}))
                return StoredCrawl(file, state, number=len(self.made) + 1)

        self.made.append(asyncio.run(run()))
        return self.made[-1]

    def changes(self, before: int = 0, after: int = 1) -> CrawlComparison:
        old, new = self.made[before], self.made[after]
        return with_examples(new.file, compare_crawls(old, new, public_origins(old.state, new.state)))


@pytest.fixture
def crawls(tmp_path: Path) -> Crawls:
    return Crawls(tmp_path)


def test_two_equal_crawls_have_no_changes(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=4)
    crawls.crawl(site.url("/"))
    crawls.crawl(site.url("/"))
    changes = crawls.changes()

    assert (changes.counts, changes.not_compared) == ({}, {})
    assert (changes.findings.new, changes.findings.fixed) == ((), ())
    assert changes.findings.still_count > 0


@pytest.fixture(scope="module")
def bad_day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawls]:
    """Crawls of a shop before and after a bad day."""
    crawls, site = Crawls(tmp_path_factory.mktemp("crawls")), Site().start()
    try:
        make_shop(site, products=3)
        crawls.crawl(site.url("/"))
        change_shop(site)
        crawls.crawl(site.url("/"))
        yield crawls
    finally:
        site.stop()


def test_a_bad_day_is_told_by_kind(bad_day: Crawls) -> None:
    changes = bad_day.changes()

    def urls(kind: ChangeKind) -> list[str]:
        return [change.url.removeprefix(bad_day.made[0].state.typed_url[:-1]) for change in examples(changes, kind)]

    assert urls(ChangeKind.ADDED) == ["/new"]
    assert urls(ChangeKind.GONE) == ["/about"]
    assert sorted(urls(ChangeKind.BECAME_NON_INDEXABLE)) == ["/imprint", "/shop"]
    assert urls(ChangeKind.TITLE) == ["/privacy"]
    assert (changes.lost_titles_count, changes.foreign_canonicals_count) == (1, 1)
    new = {finding.id for finding in changes.findings.new}
    assert "title-present" in new
    assert "site-links-broken" in new, "the menu has a broken link now, beside the footer"


def test_a_comparison_that_is_killed_goes_on(bad_day: Crawls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every transaction may be the last one of its process; what is stored then is what was stored at once."""
    new = bad_day.made[1]
    whole = bad_day.changes()
    with new.file.writing() as connection:
        drop_comparisons(connection)
    monkeypatch.setattr(crawl_comparing, "SLICE_URLS", 2)
    kills = 0
    killed: list[str] = []
    save = save_changes

    def save_and_die(connection: Any, stored: Any, changes: Any) -> bool:
        saved = save(connection, stored, changes)
        if stored.last_url not in killed:
            killed.append(stored.last_url)
            connection.commit()
            raise KeyboardInterrupt
        return saved

    monkeypatch.setattr(crawl_comparing, "save_changes", save_and_die)
    while True:
        try:
            changes = bad_day.changes()
            break
        except KeyboardInterrupt:
            kills += 1

    assert kills > 3
    assert changes == whole


def test_comparisons_with_other_crawls_are_stored_up_to_a_bound(bad_day: Crawls) -> None:
    old, new = bad_day.made
    names = [replace(old, state=replace(old.state, started_at=f"2026-11-0{day}T00:00:00Z")) for day in range(1, 7)]
    whole = bad_day.changes()
    for other in names:
        compare_crawls(other, new, {}, is_main=False)
    with new.file.engine.connect() as connection:
        count = connection.execute(select(func.count()).select_from(COMPARISON)).scalar_one()
        rows = connection.execute(select(func.count()).select_from(CHANGE)).scalar_one()

    assert count == 1 + MAX_OTHERS
    assert rows == count * sum(whole.counts.values())
    assert bad_day.changes() == whole


def test_changes_are_listed_by_kind_and_from_any_place(bad_day: Crawls) -> None:
    changes = bad_day.changes()
    with bad_day.made[1].file.engine.connect() as connection:
        stored = main_comparison(connection)
        assert stored is not None
        listed = listed_changes(connection, stored, limit=100)
        for kind in (None, ChangeKind.TITLE, ChangeKind.INLINKS):
            walked: list[ListedChange] = []
            while found := listed_changes(
                connection, stored, kind, place=(walked[-1].rank, walked[-1].number) if walked else None, limit=2
            ):
                walked += found
            assert walked == [item for item in listed if kind in (None, item.change.kind)], kind
        back = listed_changes(connection, stored, place=(listed[5].rank, listed[5].number), backwards=True, limit=3)
        assert back == listed[2:5]
        assert list(each_change(connection, stored)) == [item.change for item in listed]
        assert sum(changes.counts.values()) == len(listed)


def test_a_finding_that_had_been_fixed_has_returned(crawls: Crawls, site: Site) -> None:
    def crawl(*without_title: str) -> None:
        links = "".join(f'<li><a href="/{name}">The page {name} of this site</a></li>' for name in "ab")
        site.page("/", html("Start", f"<ul>{links}</ul>", description="The start."))
        for name in "ab":
            title = "" if name in without_title else f"The page {name}"
            site.page(f"/{name}", html(title, f"<p>{text(name)}</p>", description=f"About {name}."))
        crawls.crawl(site.url("/"))

    def told(before: int, after: int) -> dict[str, list[str]]:
        found = crawls.changes(before, after).findings
        kinds = {"new": found.new, "fixed": found.fixed, "returned": found.returned}
        return {kind: [item.cause.key[-1] for item in items if item.id == "title-present"] for kind, items in kinds.items()}

    for missing in ("a", "", "a", "ab"):
        crawl(*missing)

    assert told(0, 1) == {"new": [], "fixed": ["a"], "returned": []}
    assert told(1, 2) == {"new": [], "fixed": [], "returned": ["a"]}
    assert told(2, 3) == {"new": [], "fixed": [], "returned": []}, "the template takes the page in"
    assert told(3, 2) == {"new": [], "fixed": [], "returned": []}


def test_findings_of_pages_that_are_no_longer_judged_are_not_fixed(crawls: Crawls, site: Site) -> None:
    def crawl(robots: str, *, missing: tuple[str, ...]) -> None:
        links = "".join(f'<li><a href="/{name}">The page {name} of this site</a></li>' for name in "abcd")
        site.page("/", html("Start", f"<ul>{links}</ul>", description="The start."))
        for name in "abcd":
            title = "" if name in missing else "The same title" if name in "cd" else f"The page {name}"
            head = robots if name in "acd" else ""
            site.page(f"/{name}", html(title, f"<p>{text(name)}</p>", description=f"About {name}.", head=head))
        crawls.crawl(site.url("/"))

    crawl("", missing=("a",))
    crawl('<meta name="robots" content="noindex">', missing=("a",))
    crawl("", missing=())
    crawl("", missing=())

    found = crawls.changes(0, 1).findings
    assert {"title-present", "site-title-duplicate"} & {item.id for item in found.fixed} == set()
    assert len(found.not_judged) >= 2
    assert f"{len(found.not_judged)} not checked in both crawls" in found.words(ENGLISH)
    fixed = crawls.changes(0, 3).findings.fixed
    assert [item.id for item in fixed if item.id.startswith(("title", "site-title"))] == ["title-present"]
    back = crawls.changes(1, 2).findings
    assert "site-title-duplicate" in {item.id for item in back.not_judged}
    assert "site-title-duplicate" not in {item.id for item in back.risen}


def checked(_: SiteFinding) -> Elsewhere:
    return Elsewhere.CHECKED


def test_findings_that_one_crawl_could_not_know_are_not_compared() -> None:
    finding = SiteFinding(Cause(CauseKind.PAGE, "x", "x"), Verdict.FAILED, "Twice", 2, id="title-unique", key="title-unique:1", share=0.1)
    report = SiteReport(CrawlSummary("https://e.com/", "", 2, 2), (finding,), 50, 50.0, 50.0, None, provisional=False, counts={})
    without = replace(report, findings=())
    unknown = replace(without, asked=("site-title-duplicate",), unknown=("site-title-duplicate",))
    both = (["title-unique"], ["title-unique"])

    def compare(before: SiteReport, after: SiteReport, asked: Any = both, gone: Sequence[str] = ()) -> SiteDifference:
        return site_difference(before, after, Judging(asked, (checked, checked)), gone)

    assert compare(report, without).fixed == (finding,)
    assert compare(report, without).gone == (finding.key,)
    assert compare(without, report, gone=[finding.key]).returned == (finding,)
    for before, after, asked in ((report, without, (both[0], [])), (report, unknown, both), (unknown, report, both)):
        found = compare(before, after, asked, ["title-unique:0"])
        assert (found.new, found.fixed, found.not_judged) == ((), (), (finding,)), asked


def test_a_fault_whose_cause_has_another_key_is_neither_new_nor_fixed() -> None:
    def finding(check: str, key: str, verdict: Verdict, url: str, **params: Any) -> SiteFinding:
        return SiteFinding(
            Cause(CauseKind.GROUP, key, "x"), verdict, "m", 2, (url_evidence(url, **params),), id=check, key=f"{check}:{key}", share=0.1
        )

    def report(*findings: SiteFinding) -> SiteReport:
        return SiteReport(CrawlSummary("https://e.com/", "", 2, 2), findings, 50, 50.0, 50.0, None, provisional=False, counts={})

    image = "https://e.com/big.jpg"
    on_two, on_one = (finding("site-images-heavy", key, Verdict.FAILED, image) for key in ("1", "2"))
    other = finding("site-images-heavy", "3", Verdict.FAILED, "https://e.com/other.jpg")
    page = "https://e.com/"
    fixed = finding("site-links-broken", "1", Verdict.FAILED, page, target="https://e.com/gone")
    new = finding("site-links-broken", "2", Verdict.FAILED, page, target="https://e.com/lost")
    warned, failed = (finding("site-links-redirected", "1", verdict, page) for verdict in (Verdict.WARNED, Verdict.FAILED))
    asked = [["site-images-heavy", "site-links-broken", "site-links-redirected"]] * 2
    before, after = report(on_two, fixed, warned), report(on_one, other, new, failed)
    found = site_difference(before, after, Judging((asked[0], asked[1]), (checked, checked)))
    assert (found.new, found.fixed, found.worse) == ((other, new), (fixed,), (failed,))
    assert found.short_summary(ENGLISH) == "2 new problems, 1 finding worse, 1 problem fixed"
    assert set(found.problems) == {other.key, new.key, failed.key}


def test_pages_that_nothing_leads_to_any_more_are_requested_again(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=3)
    crawls.crawl(site.url("/"))
    change_shop(site)  # no page links to the products now
    site.page("/product/oak-brass-0", "<h1>Not found</h1>", status=404)
    second = crawls.crawl(site.url("/"))
    changes = crawls.changes()
    gone = {change.url.removeprefix(site.base) for change in examples(changes, ChangeKind.GONE)}

    assert gone == {"/about", "/product/oak-brass-0"}
    assert changes.not_compared == {}
    orphans = second.report().summary.orphans
    assert orphans is not None
    assert orphans.urls == (site.url("/sitemap-only"),)


def test_a_partial_crawl_is_compared_over_the_pages_of_both(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=3)
    crawls.crawl(site.url("/"))
    crawls.crawl(site.url("/"), pages=4)

    for changes in (crawls.changes(), crawls.changes(1, 0)):
        assert changes.not_comparable is None
        assert {ChangeKind.ADDED.value, ChangeKind.GONE.value}.isdisjoint(changes.counts)
        assert (changes.findings.risen, changes.findings.fixed) == ((), ())


def test_crawls_of_different_parts_of_a_site_are_not_compared(crawls: Crawls, site: Site) -> None:
    make_shop(site, products=3)
    crawls.crawl(site.url("/"))
    crawls.crawl(site.url("/"), exclude=("/product/*",))

    assert crawls.changes().not_comparable is NotComparable.OTHER_SETTINGS


def test_a_preview_host_is_compared_with_the_public_one(crawls: Crawls, make_site: Callable[..., Site]) -> None:
    public, preview = make_site(), make_site()
    make_shop(public, products=3)
    make_shop(preview, products=3)
    preview.page("/about", "<h1>Not found</h1>", status=404)
    crawls.crawl(public.url("/"))
    crawls.crawl(preview.url("/"))
    changes = crawls.changes()

    assert [change.url for change in examples(changes, ChangeKind.GONE)] == [public.url("/about")]
    assert ChangeKind.ADDED.value not in changes.counts
    assert changes.not_compared == {}
