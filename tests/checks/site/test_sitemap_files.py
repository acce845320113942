"""Sitemap files of a whole site: first what must not be flagged, then what must."""

from typing import Any

import pytest
from msgspec.structs import replace

from findable.capture.crawl import CrawlEnd, CrawlSummary
from findable.capture.site import SiteCapture
from findable.capture.site_graph import CrawledSitemap
from findable.capture.sitemap_summary import NewsEntries, SitemapEntry, SitemapForm, SitemapSummary
from findable.checks.engine import Finding
from findable.fetch.sitemap_stream import SitemapReader
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.harness import answer
from tests.checks.site.harness import SITE, finding

NOW = "2026-11-20T12:00:00Z"
SUMMARY = CrawlSummary(f"{SITE}/", NOW, pages_count=700, indexable_count=600)
URLSET = SitemapSummary(SitemapForm.URLSET, "http://www.sitemaps.org/schemas/sitemap/0.9", urls_count=600, read_to_end=True)
CHECKS = ("site-sitemap-limits", "site-sitemap-lastmod", "site-sitemap-none", "site-news-sitemap")


def judged(
    check_id: str, *summaries: SitemapSummary, crawl: CrawlSummary = SUMMARY, children: tuple[str, ...] = (), **further: Any
) -> Finding:
    robots = answer(f"{SITE}/robots.txt", 404)
    files = tuple(answer(f"{SITE}/sitemap-{number}.xml", sitemap=one) for number, one in enumerate(summaries))
    if children:
        files = (replace(files[0], sitemap=replace(summaries[0], form=SitemapForm.INDEX, children=children)), *files[1:])
    none = answer(f"{SITE}/sitemap.xml", 404)
    return finding(
        check_id, SiteCapture(SITE, NOW, robots, sitemaps=files or (none,), **further), crawl, CrawledSitemap(600 if files else 0)
    )


def dated(*dates: str, count: int = 600) -> SitemapSummary:
    sample = tuple(SitemapEntry(f"{SITE}/{number}", date) for number, date in enumerate(dates))
    return replace(URLSET, sample=sample, lastmod_count=count, lastmod_values_count=len(set(dates)))


@pytest.mark.parametrize("check_id", CHECKS)
def test_a_plain_sitemap_is_in_order(check_id: str) -> None:
    expected = Verdict.INAPPLICABLE if check_id in ("site-sitemap-lastmod", "site-news-sitemap") else Verdict.PASSED
    assert judged(check_id, URLSET).verdict is expected


@pytest.mark.parametrize("check_id", [name for name in CHECKS if name != "site-sitemap-none"])
def test_without_a_sitemap_its_files_are_not_judged(check_id: str) -> None:
    assert judged(check_id).verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize(
    ("summary", "verdict"),
    [
        (replace(URLSET, urls_count=50_000), Verdict.PASSED),
        (replace(URLSET, urls_count=50_001), Verdict.FAILED),
        (replace(URLSET, decoded_bytes=52_428_801), Verdict.FAILED),
    ],
)
def test_the_limits_of_one_file(summary: SitemapSummary, verdict: Verdict) -> None:
    assert judged("site-sitemap-limits", summary).verdict is verdict


def test_an_index_within_an_index_warns_and_one_index_does_not() -> None:
    inner = replace(URLSET, form=SitemapForm.INDEX)
    assert judged("site-sitemap-limits", URLSET, URLSET, children=(f"{SITE}/sitemap-1.xml",)).verdict is Verdict.PASSED
    found = judged("site-sitemap-limits", URLSET, inner, children=(f"{SITE}/sitemap-1.xml",))
    assert (found.verdict, found.causes[0].cause.key) == (Verdict.WARNED, f"{SITE}/sitemap-1.xml")


@pytest.mark.parametrize(
    ("summary", "verdict"),
    [
        (dated("2026-10-01", "2026-11-02", "2026-11-19"), Verdict.PASSED),
        (dated(*["2026-11-19"] * 9), Verdict.PASSED),  # deployed yesterday
        (dated(*["2026-10-19"] * 9, count=19), Verdict.PASSED),  # a small site
        (dated(*["2026-10-19"] * 9), Verdict.WARNED),
        (dated("2026-10-01", "2026-11-21"), Verdict.PASSED),  # another time zone
        (dated("2026-10-01", "2027-01-01"), Verdict.WARNED),
        (dated("2026-11-20T11:59:59Z", "2026-11-20T11:59:58+00:00"), Verdict.WARNED),
        (dated("2026-11-20T11:30:00Z", "2026-11-20T11:59:58Z"), Verdict.PASSED),
        (dated("2026-11-20", "2026-11-20"), Verdict.PASSED),
        (dated("yesterday", "today"), Verdict.PASSED),  # sitemap-valid tells bad dates
    ],
)
def test_dates_that_a_program_makes_up(summary: SitemapSummary, verdict: Verdict) -> None:
    assert judged("site-sitemap-lastmod", summary).verdict is verdict


@pytest.mark.parametrize(
    ("count", "ended_by", "verdict"),
    [
        (500, CrawlEnd.COMPLETE, Verdict.PASSED),
        (500, CrawlEnd.PAGES, Verdict.UNKNOWN),
        (501, CrawlEnd.PAGES, Verdict.WARNED),
        (501, CrawlEnd.COMPLETE, Verdict.WARNED),
    ],
)
def test_a_large_site_should_have_a_sitemap(count: int, ended_by: CrawlEnd, verdict: Verdict) -> None:
    crawl = replace(SUMMARY, indexable_count=count, ended_by=ended_by)
    assert judged("site-sitemap-none", crawl=crawl).verdict is verdict
    assert judged("sitemap-present", crawl=crawl).verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize(
    ("news", "message"),
    [
        (NewsEntries(40, days=(("2026-11-18", 3), ("2026-11-20", 37))), None),
        (NewsEntries(40, days=(("2026-11-17", 40),)), None),  # three days, time zones
        (NewsEntries(40, days=(("2026-10-01", 3), ("2026-11-20", 37)), oldest_url=f"{SITE}/old"), "3 articles of 40 older than two days"),
        (NewsEntries(40, 1, ((f"{SITE}/a", "title"),)), "1 article of 40 without a required element"),
        (NewsEntries(1001), "1,001 articles in one file, 1,000 at most are read"),
    ],
)
def test_a_news_sitemap(news: NewsEntries, message: str | None) -> None:
    found = judged("site-news-sitemap", replace(URLSET, news=news))
    assert found.verdict is (Verdict.WARNED if message else Verdict.PASSED)
    assert [render(cause.message, cause.params) for cause in found.causes] == ([message] if message else [])


def test_the_reader_collects_entries_for_news() -> None:
    def entry(name: str, day: str, title: str = "<news:title>What happened</news:title>") -> str:
        publication = "<news:publication><news:name>Post</news:name><news:language>en</news:language></news:publication>"
        date = f"<news:publication_date>{day}</news:publication_date>"
        return f"<url><loc>{SITE}/{name}</loc><news:news>{publication}{date}{title}</news:news></url>"

    namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    entries = (
        entry("a", "2026-11-20T08:00:00Z") + entry("b", "2026-11-01") + entry("c", "2026-11-20", "") + f"<url><loc>{SITE}/d</loc></url>"
    )
    reader = SitemapReader(f"{SITE}/news.xml")
    reader.feed(f"<urlset {namespaces}>{entries}</urlset>".encode())
    reader.finish()
    found = reader.summary(read_to_end=True)

    assert (found.urls_count, found.lastmod_count) == (4, 0)
    assert found.news == NewsEntries(3, 1, ((f"{SITE}/c", "title"),), (("2026-11-01", 1), ("2026-11-20", 2)), f"{SITE}/b")
