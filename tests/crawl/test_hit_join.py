"""Requests of bots joined with the URLs of a crawl: other forms of a URL, and the first request of new pages."""

from datetime import date, timedelta

from findable.capture.hit_statuses import HitStatus
from findable.capture.site_graph import Redirects
from findable.capture.site_hits import LogCoverage, SiteHits
from findable.crawl.crawled_url import CrawledUrl
from findable.crawl.hit_join import HitJoin
from findable.crawl.hit_packing import STATUSES
from findable.crawl.hit_sums import HitSums
from findable.crawl.hit_urls import hit_url, kind_of
from findable.crawl.url_keys import url_key
from findable.reports.site_areas import UrlState

SITE = "https://example.com"
FIRST = date(2026, 11, 1)
DAY_NUMBER = (FIRST - date(1970, 1, 1)).days
COVERAGE = LogCoverage(FIRST, FIRST + timedelta(days=19), 20, ("web1",), 1000, 0)
OK, MOVED = HitStatus.OK, HitStatus.REDIRECT
Logged = tuple[str, HitStatus, int]
"""URL, class of status, and day of one request of Googlebot, from 0."""


def joined(crawled: list[str], logged: list[Logged], new: dict[str, date] | None = None, chains: tuple[Redirects, ...] = ()) -> SiteHits:
    urls = list(dict.fromkeys(url for url, _, _ in logged))
    sums = HitSums()
    for url, status, day in sorted(logged, key=lambda one: one[2]):
        sums.add(DAY_NUMBER + day, "Googlebot", "verified", [(urls.index(url) * STATUSES + status, 1)])
    pages = [CrawledUrl(url_key(url), url, UrlState.INDEXABLE, "", 1, False, 0) for url in sorted(crawled)]
    return joined_pages(pages, sums, urls, new, chains)


def joined_pages(
    pages: list[CrawledUrl], sums: HitSums, urls: list[str], new: dict[str, date] | None = None, chains: tuple[Redirects, ...] = ()
) -> SiteHits:
    join = HitJoin(20, new=new, chains=chains)
    for page in pages:
        join.add_known(page)
    join.add_logged(sums, [(number, url_key(url), url, kind_of(url).value) for number, url in enumerate(urls)])
    for page in pages:
        join.add_page(page)
    return join.hits(COVERAGE)


def urls_of(hits: SiteHits, name: str) -> list[str]:
    return [one.url for one in getattr(hits, name).items]


def test_host_case_default_port_fragment_and_raw_characters_are_the_same_url() -> None:
    written = [
        (b"/a", "HTTPS://EXAMPLE.com"),
        (b"/a#part", SITE),
        (b"https://example.com:443/a", SITE),
    ]
    assert {hit_url(origin.lower(), target) for target, origin in written} == {f"{SITE}/a"}
    raw = hit_url(SITE, "/größe".encode())
    assert url_key(raw) == url_key(f"{SITE}/gr%c3%b6%C3%9Fe") == url_key(f"{SITE}/größe".replace("ö", "%C3%B6").replace("ß", "%C3%9F"))


def test_other_pages_and_redirects_are_no_variants() -> None:
    hits = joined(
        [f"{SITE}/a"], [(f"{SITE}/b", OK, 0), (f"{SITE}/a/", MOVED, 0), (f"{SITE}/a?x=1", OK, 0), ("https://www.example.com/a", OK, 0)]
    )
    assert urls_of(hits, "variants") == []
    assert urls_of(hits, "never") == [f"{SITE}/a"]
    assert set(urls_of(hits, "unlinked")) == {f"{SITE}/b", f"{SITE}/a?x=1", "https://www.example.com/a"}


def test_a_url_that_the_crawl_knows_is_no_variant_of_another() -> None:
    both = [f"{SITE}/a", f"{SITE}/a/"]
    hits = joined(both, [(f"{SITE}/a/", OK, 0)])
    assert (urls_of(hits, "variants"), urls_of(hits, "never")) == ([], [f"{SITE}/a"])


def test_requests_of_other_forms_count_for_the_crawled_page_and_are_named() -> None:
    forms = ["/Shop/a/", "/shop//a", "/shop/a/index.html", "/shop/%61"]
    page = f"{SITE}/shop/a"
    for form in [*(SITE + path for path in forms), "http://example.com/shop/a"]:
        hits = joined([page, f"{SITE}/other"], [(form, OK, 0), (form, OK, 1)])
        assert urls_of(hits, "never") == [f"{SITE}/other"], form
        if url_key(form) != url_key(page):
            assert [(one.url, one.hits_count) for one in hits.variants.items] == [(form, 2)]
        assert urls_of(hits, "unlinked") == []


def test_without_new_pages_nothing_is_said_about_them() -> None:
    assert joined([f"{SITE}/a"], [(f"{SITE}/a", OK, 0)]).new_pages is None
    assert joined([f"{SITE}/a"], [], {f"{SITE}/gone": FIRST}).new_pages is None


def test_new_pages_have_the_days_to_their_first_request() -> None:
    found = FIRST + timedelta(days=5)
    waits = {"before": 2, "same": 5, "two": 7, "nine": 14}
    pages = [f"{SITE}/{name}" for name in (*waits, "never")]
    hits = joined(
        pages, [(f"{SITE}/{name}", OK, day) for name, first in waits.items() for day in (first, first + 1)], dict.fromkeys(pages, found)
    )
    new = hits.new_pages
    assert new is not None
    assert (new.pages_count, new.requested_count, new.median_days, new.most_days) == (5, 4, 2, None)
    assert (new.items[0].url, new.items[0].requested) == (f"{SITE}/never", None)
    assert {one.url: one.requested for one in new.items}[f"{SITE}/nine"] == FIRST + timedelta(days=14)


def test_a_bot_with_many_requests_may_know_few_indexable_pages() -> None:
    hits = joined([f"{SITE}/a", f"{SITE}/b"], [(f"{SITE}/a", OK, day) for day in range(9)] + [(f"{SITE}/x", OK, 0)])
    assert [(one.hits_count, one.urls_count, one.indexable_count) for one in hits.bots] == [(10, 2, 1)]


def test_a_chain_costs_the_redirected_requests_of_all_its_urls_and_not_of_its_end() -> None:
    chain = Redirects(((f"{SITE}/old", 301), (f"{SITE}/older", 301), (f"{SITE}/a", 200)), is_loop=False, inlinks_count=1)
    unused = Redirects(((f"{SITE}/x", 301), (f"{SITE}/y", 301), (f"{SITE}/a", 200)), is_loop=False, inlinks_count=1)
    logged = [(f"{SITE}/old", MOVED, day) for day in range(3)] + [(f"{SITE}/older", MOVED, 1), (f"{SITE}/a", OK, 1), (f"{SITE}/old", OK, 5)]
    hits = joined([f"{SITE}/a"], logged, chains=(chain, unused))
    assert [(one.url, one.hits_count) for one in hits.chains.items] == [(f"{SITE}/old", 4)]


def test_disallowed_requests_are_told_by_bot_and_waste_by_folder_and_parameter() -> None:
    urls = [f"{SITE}/shop/a", f"{SITE}/shop/b?sort=x", f"{SITE}/shop/c?sort=y"]
    sums = HitSums()
    for bot, verification, places in (("Googlebot", "verified", (0, 0, 1, 2)), ("Bingbot", "verified", (0,)), ("Bingbot", "fake", (0, 0))):
        sums.add(DAY_NUMBER, bot, verification, [(place * STATUSES + OK, places.count(place)) for place in set(places)])
    states = ((UrlState.BLOCKED, "robots"), (UrlState.BLOCKED, "noindex"), (UrlState.INDEXABLE, ""))
    pages = [CrawledUrl(url_key(url), url, *state, 1, False, 0) for url, state in zip(urls, states, strict=True)]
    hits = joined_pages(pages, sums, urls)
    assert (hits.disallowed.hits_count, hits.disallowed.urls_count) == (3, 1)
    assert [(one.bot, one.hits_count) for one in hits.disallowed.items] == [("Googlebot", 2), ("Bingbot", 1)]
    assert [(one.name, one.hits_count, one.wasted_count) for one in hits.by_folder] == [("/shop/", 5, 4)]
    assert [(one.name, one.hits_count, one.requested_count, one.wasted_count) for one in hits.by_parameter] == [("sort", 2, 2, 1)]
