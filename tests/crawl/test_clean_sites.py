"""Made-up sites and their clean twins: what is in order is not reported, and what is planted is reported once."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from findable.capture.crawl import CrawlEnd
from findable.crawl.clusters import without_version
from findable.crawl.page_numbers import without_page_number
from findable.reports.site_report import SiteReport
from findable.vocabulary import Verdict
from tests.crawl.clean_sites import (
    FOOTER,
    HOSTS,
    MAGENTO,
    MENU,
    SHOPIFY,
    TOPICS,
    WOOCOMMERCE,
    CleanSite,
    Shape,
    make_business,
    make_countries,
    make_docs,
    make_hosts,
    make_news,
    make_store,
    prose,
)
from tests.crawl.test_crawls import Crawled
from tests.sites.plugin import make_site, site
from tests.sites.server import Handler, Page, Request, Site, Wire, answer_bytes
from tests.tiers import sampled

__all__ = ["make_site", "site"]

MAX_WARNED = 3


def assert_clean(crawled: Crawled) -> None:
    found = [(finding.verdict.value, finding.id, finding.summary(), finding.cause_name()) for finding in crawled.report().findings]

    assert crawled.state.ended_by in (CrawlEnd.COMPLETE, CrawlEnd.TRAP)
    assert not [item for item in found if item[0] == Verdict.FAILED.value]
    assert len(found) <= MAX_WARNED, found
    assert not [item for item in found if item[1].startswith("site-")]


def planted(report: SiteReport) -> Counter[str]:
    """Causes of the checks of the whole site."""
    return Counter(finding.id for finding in report.findings if finding.id.startswith("site-"))


BUSINESS = {
    "footer": "site-links-broken",
    "chain": "site-redirect-chains",
    "loop": "site-redirect-loops",
    "server-error": "site-server-errors",
    "title": "site-title-duplicate",
    "canonical": "site-canonical-target",
    "text": "site-text-near",
    "orphan": "site-orphans",
}
ENTRIES = ("site-sitemap-blocked", "site-sitemap-noindex", "site-sitemap-status")


def test_a_small_business_in_order_has_no_findings(site: Site, tmp_path: Path) -> None:
    make_business(site)
    assert_clean(Crawled(tmp_path / "clean.sqlite", site.url("/")))


@pytest.mark.parametrize("fault", sampled(tuple(BUSINESS)))
def test_a_small_business_with_one_fault_has_one_cause(site: Site, tmp_path: Path, fault: str) -> None:
    make_business(site, frozenset({fault}))
    assert planted(Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()) == {BUSINESS[fault]: 1}


def test_a_small_business_with_all_faults_has_each_once(site: Site, tmp_path: Path) -> None:
    make_business(site, frozenset({*BUSINESS, "sitemap"}))
    report = Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()

    assert planted(report) == dict.fromkeys((*BUSINESS.values(), *ENTRIES), 1)
    (footer,) = [finding for finding in report.findings if finding.id == "site-links-broken"]
    assert (footer.pages_count, footer.cause.name) == (10, "footer with {block_links_count|link|links}")


DOCS = {
    "sidebar": "site-links-broken",
    "target": "site-canonical-target",
    "home": "site-canonical-home",
    "chain": "site-canonical-chain",
    "switcher": "site-links-redirected",
}


@pytest.mark.parametrize("canonical", sampled((True, False)))
def test_versions_of_a_documentation_are_no_duplicates(site: Site, tmp_path: Path, *, canonical: bool) -> None:
    make_docs(site, canonical=canonical)
    assert_clean(Crawled(tmp_path / "clean.sqlite", site.url("/")))


@pytest.mark.parametrize("fault", sampled(tuple(DOCS)))
def test_a_documentation_with_one_fault_has_one_cause(site: Site, tmp_path: Path, fault: str) -> None:
    make_docs(site, frozenset({fault}))
    report = Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()

    assert planted(report) == {DOCS[fault]: 1}
    (found,) = [finding for finding in report.findings if finding.id == DOCS[fault]]
    assert found.pages_count >= len(TOPICS)


def test_texts_of_two_countries_are_no_duplicates(site: Site, tmp_path: Path) -> None:
    make_countries(site)
    assert_clean(Crawled(tmp_path / "clean.sqlite", site.url("/")))


def test_texts_of_two_countries_without_hreflang_are_duplicates(site: Site, tmp_path: Path) -> None:
    make_countries(site, frozenset({"hreflang"}))
    assert planted(Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()) == {"site-text-duplicate": 1}


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("https://a.example/docs/3.1/x", "https://a.example/docs/latest/x", True),
        ("https://a.example/v2/x", "https://a.example/v3/x", True),
        ("https://a.example/2023/x", "https://a.example/2024/x", False),
        ("https://a.example/posts/12/", "https://a.example/posts/13/", False),
        ("https://a.example/main/x", "https://a.example/main/y", False),
    ],
)
def test_folders_that_look_like_versions(one: str, other: str, *, is_same: bool) -> None:
    assert (without_version(one) == without_version(other)) is is_same


@pytest.mark.parametrize(
    "url", ["https://a.example/list?page=2", "https://a.example/list/page/2", "https://a.example/list?paged=12", "https://a.example/list"]
)
def test_pages_of_a_list_are_one_list(url: str) -> None:
    assert without_page_number(url) == "https://a.example/list"


STORE = {
    "footer": "site-links-broken",
    "collection-links": "site-links-canonicalised",
    "facets": "site-text-duplicate",
    "home": "site-canonical-home",
    "calendar": "site-trap",
}


@pytest.mark.parametrize("shape", sampled((SHOPIFY, WOOCOMMERCE, MAGENTO)), ids=["shopify", "woocommerce", "magento"])
def test_a_shop_in_order_has_no_findings(site: Site, tmp_path: Path, shape: Shape) -> None:
    make_store(site, shape=shape)
    crawled = Crawled(tmp_path / "clean.sqlite", site.url("/"))

    assert_clean(crawled)
    assert not [request.target for request in site.requests if f"?{shape.facet}" in request.target]
    reasons = {group.name: group.pages_count for group in crawled.report().summary.not_indexable}
    assert reasons == {"canonical": 2, "noindex": 1}


@pytest.mark.parametrize("fault", sampled(tuple(STORE)))
def test_a_shop_with_one_fault_has_one_cause(site: Site, tmp_path: Path, fault: str) -> None:
    make_store(site, frozenset({fault}))
    assert planted(Crawled(tmp_path / "faulty.sqlite", site.url("/")).report()) == {STORE[fault]: 1}


def test_indexes_with_one_short_text_are_no_duplicates(site: Site, tmp_path: Path) -> None:
    letters = [(f"/index-{letter}", letter.upper()) for letter in "abc"]
    made = CleanSite(site, "Book", [("/", "Home"), *letters], FOOTER[:2])
    for path, title in (("/", "Book of everything"), *FOOTER[:2]):
        made.page(path, title)
    for path, letter in letters:
        words = " ".join(f"<a href='/#:~:text={letter}{number}'>{letter}{number} {letter}-word {letter}-entry</a>" for number in range(500))
        made.page(path, "Index of the book", f"<nav>{words}</nav>", text=prose("index", 8), full_title=f"Index {letter} of the book")
    made.finish()

    assert not planted(Crawled(tmp_path / "index.sqlite", site.url("/")).report())


def test_links_of_a_copy_of_another_site_are_no_fault(site: Site, tmp_path: Path) -> None:
    made = CleanSite(site, "Copy", MENU, FOOTER)
    for path, title in (*MENU, *FOOTER):
        made.page(path, f"{title} of the copy", canonical="", head=f'<link rel="canonical" href="https://example.org{path}">')
    made.finish()

    assert "site-links-canonicalised" not in planted(Crawled(tmp_path / "copy.sqlite", site.url("/")).report())


def test_a_news_site_in_order_has_no_findings(site: Site, tmp_path: Path) -> None:
    make_news(site)
    crawled = Crawled(tmp_path / "clean.sqlite", site.url("/"))

    assert_clean(crawled)
    assert {group.name: group.pages_count for group in crawled.report().summary.not_indexable} == {"canonical": 6}


def test_three_hosts_in_order_have_no_findings(make_site: Callable[[], Site], tmp_path: Path) -> None:
    sites = [make_site() for _ in HOSTS]
    make_hosts(sites)
    crawled = Crawled(tmp_path / "clean.sqlite", sites[0].url("/"), hosts=("127.0.0.1",))

    assert_clean(crawled)
    assert crawled.report().summary.indexable_count == 15


def disturb(site: Site, kind: str) -> None:
    """Every twentieth URL resets its first connection or refuses its first request, or all are slow."""
    left = set()

    def wrap(path: str, page: Page) -> Handler:
        if path not in ("/", "/robots.txt", "/sitemap.xml") and int(hashlib.sha256(path.encode()).hexdigest(), 16) % 20 == 0:
            left.add(path)

        async def respond(request: Request, wire: Wire) -> None:
            await asyncio.sleep(0.3 if kind == "slow" else 0)
            if kind != "slow" and path in left:
                left.remove(path)
                if kind == "reset":
                    wire.reset()
                    return
                await wire.send(answer_bytes(Page(b"busy", 429, [("Retry-After", "1")])))
            else:
                await wire.send(answer_bytes(page, head_only=request.method == "HEAD"))
            wire.keep = True

        return respond

    site.wrap(wrap)


@pytest.mark.full
@pytest.mark.parametrize("kind", ["reset", "429", "slow"])
@pytest.mark.parametrize("make", [make_business, make_docs, make_countries, make_store, make_news])
def test_a_clean_site_under_load_has_no_findings_of_the_site(site: Site, tmp_path: Path, make: Callable[[Site], None], kind: str) -> None:
    make(site)
    disturb(site, kind)
    report = Crawled(tmp_path / "clean.sqlite", site.url("/"), confirm_after_s=1.5).report()

    assert not planted(report)
    assert not [finding for finding in report.findings if finding.verdict is Verdict.FAILED]
