"""Verdicts of a page in its crawl beside those of its full report: equal for the checks that both asked."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from findable.analyze import Options, report_page
from findable.crawl.packed_verdicts import unpack_verdicts
from findable.crawl.page_selection import PageSelection
from findable.crawl.state import Phase
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.reports.report import Report
from findable.service.crawls.crawl_run import settle_crawl
from findable.store.crawl_schema import PAGE, PAGES, URL, VERDICT
from findable.store.page_lists import PageLists
from tests.crawl.clean_sites import HOSTS, make_business, make_countries, make_docs, make_hosts, make_news, make_store
from tests.crawl.faulty_sites import BUSINESS, NEWS, STORE
from tests.crawl.test_crawls import Crawled
from tests.crawl_sites import html, make_shop, text
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

Verdicts = dict[str, dict[str, str]]
"""Verdicts by URL and check."""
UNKNOWN = "unknown"


def in_crawl(crawled: Crawled) -> Verdicts:
    """All verdicts of the pages with status 200."""
    chosen = select(URL.c.url, VERDICT.c.verdicts).select_from(PAGES.join(VERDICT, VERDICT.c.id == PAGE.c.id))
    with crawled.file.engine.connect() as connection:
        packed = connection.execute(chosen.where(PAGE.c.is_html, PAGE.c.status == 200).order_by(URL.c.url)).all()
    return {url: {name: found.value for name, found in unpack_verdicts(bits, crawled.state.checks).items()} for url, bits in packed}


def reports_of(urls: Iterable[str]) -> dict[str, Report]:
    async def made() -> dict[str, Report]:
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            return {url: (await report_page(url, fetcher, options=Options()))[1].report for url in urls}

    return asyncio.run(made())


def in_reports(urls: Iterable[str]) -> Verdicts:
    return {url: {finding.id: finding.verdict.value for finding in report.findings} for url, report in reports_of(urls).items()}


def differing(crawl: Verdicts, reports: Verdicts) -> list[tuple[str, str, str, str]]:
    """Verdicts on checks that both could answer."""
    return [
        (url, name, found[name], expected)
        for url, report in reports.items()
        for name, expected in report.items()
        if (found := crawl[url]).get(name, UNKNOWN) != UNKNOWN and expected not in (UNKNOWN, found[name])
    ]


def test_verdicts_of_a_page_equal_those_of_its_full_report(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=6)
    crawl = in_crawl(Crawled(tmp_path / "shop.sqlite", site.url("/")))

    assert len(crawl) == 12
    assert "keyword-overlap" in next(iter(crawl.values()))
    assert differing(crawl, in_reports(crawl)) == []


def test_canonical_targets_are_judged_from_stored_responses_as_in_a_report(site: Site, tmp_path: Path) -> None:
    def page(path: str, canonical: str = "", head: str = "") -> None:
        link = f'<link rel="canonical" href="{site.url(canonical)}">' if canonical else ""
        site.page(path, html(f"Page {path}", f"<p>{text(path)}</p>", head=link + head, description=f"Page {path}."))

    targets = {
        "/to-good": ("/good", "passed"),
        "/to-missing": ("/missing", "failed"),
        "/to-noindex": ("/noindex", "failed"),
        "/to-redirect": ("/redirect", "warned"),
        "/to-another": ("/to-good", "failed"),
        "/to-busy": ("/busy", UNKNOWN),
        "/to-disallowed": ("/private/page", UNKNOWN),
        "/to-outside": ("", UNKNOWN),
    }
    for path, (target, _) in targets.items():
        page(path, target)
    page("/to-outside", head='<link rel="canonical" href="https://shop.example.org/page">')
    page("/good")
    page("/noindex", head='<meta name="robots" content="noindex">')
    site.redirect("/redirect", "/good", 301)
    site.page("/busy", "busy", status=429)
    site.page("/robots.txt", "User-agent: *\nDisallow: /private/\n", content_type="text/plain")
    links = "".join(f"<li><a href='{path}'>{path}</a></li>" for path in targets)
    site.page("/", html("Home", f"<p>{text('home')}</p><ul class='all'>{links}</ul>"))
    crawl = in_crawl(Crawled(tmp_path / "canonical.sqlite", site.url("/")))

    assert {path: crawl[site.url(path)]["canonical-target"] for path in targets} == {path: found for path, (_, found) in targets.items()}
    assert not [item for item in differing(crawl, in_reports(crawl)) if item[1] == "canonical-target"]


def worded(seed: str, words: int = 150, changed: int = 0) -> str:
    """Words that only this seed has; the first `changed` ones are those of no other page."""
    return " ".join([f"new{seed}{number}" for number in range(changed)] + [f"{seed}{number}" for number in range(changed, words)])


COPIES = {
    "/2.0/guide": ("/guide", worded("guide"), "info"),
    "/3.0/guide": ("/guide", worded("guide", changed=8), "info"),
    "/copy": ("/guide", worded("guide"), "info"),
    "/copy-of-moved": ("/moved", worded("guide"), "info"),
    "/other-text": ("/guide", worded("other"), "failed"),
    "/home-copy": ("/", worded("home"), "failed"),
    "/home-other": ("/", worded("elsewhere"), "failed"),
    "/to-missing": ("/missing", worded("guide"), "failed"),
    "/half": ("/guide", worded("guide", changed=60), UNKNOWN),
    "/short-copy": ("/short", worded("short", 40), UNKNOWN),
    "/short-other": ("/short", worded("brief", 40), UNKNOWN),
    "/copy-of-disallowed": ("/private/page", worded("private"), UNKNOWN),
    "/copy-of-busy": ("/busy", worded("busy"), UNKNOWN),
}
"""Pages with their canonical URL, their text, and the verdict on `canonical-self` in a crawl."""


def make_copies(site: Site) -> None:
    def page(path: str, body: str, canonical: str = "", more: str = "") -> None:
        link = f'<link rel="canonical" href="{site.url(canonical)}">' if canonical else ""
        site.page(path, html(f"Page {path}", f"<p>{body}</p><ul class='all'>{more}</ul>", head=link, description=f"Page {path}."))

    links = "".join(f"<li><a href='{path}'>{path}</a></li>" for path in (*COPIES, "/guide", "/short"))
    for path, (target, body, _) in COPIES.items():
        page(path, body, target)
    page("/guide", worded("guide"))
    page("/short", worded("short", 40))
    page("/private/page", worded("private"))
    site.redirect("/moved", "/guide", 301)
    site.page("/busy", "busy", status=429)
    site.page("/robots.txt", "User-agent: *\nDisallow: /private/\n", content_type="text/plain")
    page("/", worded("home"), more=links)


def test_copies_of_a_canonical_page_are_told_by_stored_texts_as_in_a_report(site: Site, tmp_path: Path) -> None:
    make_copies(site)
    crawled = Crawled(tmp_path / "copies.sqlite", site.url("/"))
    crawl = in_crawl(crawled)

    assert {path: crawl[site.url(path)]["canonical-self"] for path in COPIES} == {path: found for path, (*_, found) in COPIES.items()}
    assert not [item for item in differing(crawl, in_reports(crawl)) if item[1] == "canonical-self"]


def test_a_page_unlike_its_canonical_page_has_the_finding_of_its_report(site: Site, tmp_path: Path) -> None:
    make_copies(site)
    crawled = Crawled(tmp_path / "copies.sqlite", site.url("/"))
    with crawled.file.reading() as connection:
        lists = PageLists(connection, crawled.state)
        pages = {row.url: lists.page(row.n) for row in lists.each(PageSelection())}

    for path in ("/other-text", "/home-other", "/to-missing"):
        row, record = pages[site.url(path)] or pytest.fail(path)
        [found] = [finding for finding in record.findings if finding.id == "canonical-self"]
        [reported] = [finding for finding in reports_of([site.url(path)])[site.url(path)].findings if finding.id == "canonical-self"]
        assert (found.text, found.fixes, found.evidence) == (reported.text, reported.fixes, reported.evidence), path
        assert row.score in range(16), path
    for path, (*_, verdict) in COPIES.items():
        row, record = pages[site.url(path)] or pytest.fail(path)
        assert verdict == "failed" or (row.score or 0) > 15, path
        assert verdict == "failed" or "canonical-self" not in {finding.id for finding in record.findings}, path


def test_a_copy_has_the_same_verdict_when_the_crawl_is_settled_again(site: Site, tmp_path: Path) -> None:
    make_copies(site)
    crawled = Crawled(tmp_path / "copies.sqlite", site.url("/"))
    before = in_crawl(crawled), crawled.rows()
    crawled.file.save_state(replace(crawled.state, phase=Phase.SETTLE))
    settle_crawl(crawled.file)

    assert (in_crawl(crawled), crawled.rows()) == before


VERSIONS = {
    "good": ("/de/good", "passed", "passed"),
    "silent": ("/de/silent", "failed", "passed"),
    "missing": ("/de/missing", "inapplicable", "failed"),
    "hidden": ("/de/hidden", "passed", "failed"),
    "elsewhere": ("/de/elsewhere", "passed", "failed"),
    "moved": ("/de/moved", "passed", "warned"),
    "miscoded": ("/de/miscoded", "passed", "passed"),
    "busy": ("/de/busy", UNKNOWN, UNKNOWN),
    "disallowed": ("/private/version", UNKNOWN, UNKNOWN),
    "outside": ("https://shop.example.org/de", UNKNOWN, UNKNOWN),
}
"""Pages with one other language version, and the verdicts on `hreflang-return` and `hreflang-targets`."""


def make_versions(site: Site) -> None:
    def page(path: str, versions: Iterable[tuple[str, str]] = (), head: str = "") -> None:
        tags = "".join(
            f'<link rel="alternate" hreflang="{code}" href="{site.url(url) if url[0] == "/" else url}">' for code, url in versions
        )
        site.page(path, html(f"Page {path}", f"<p>{text(path)}</p>", head=tags + head, description=f"Page {path}."))

    for name, (version, *_) in VERSIONS.items():
        page(f"/{name}", (("en", f"/{name}"), ("de", version)))
        if version.startswith("/de/"):
            page(version, (("en", f"/{name}"), ("de", version)))
    page("/de/silent")
    page("/de/hidden", (("en", "/hidden"),), '<meta name="robots" content="noindex">')
    page("/de/elsewhere", (("en", "/elsewhere"),), f'<link rel="canonical" href="{site.url("/de/good")}">')
    page("/de/moved-here", (("en", "/moved"),))
    site.redirect("/de/moved", "/de/moved-here", 301)
    page("/de/miscoded", (("en-EU", "/miscoded"), ("de", "/de/miscoded")))
    page("/miscoded", (("en-EU", "/miscoded"), ("de", "/de/miscoded")))
    site.page("/de/missing", "gone", status=404)
    site.page("/de/busy", "busy", status=429)
    site.page("/robots.txt", "User-agent: *\nDisallow: /private/\n", content_type="text/plain")
    links = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in VERSIONS)
    site.page("/", html("Home", f"<p>{text('home')}</p><ul class='all'>{links}</ul>"))


def test_language_versions_are_judged_from_stored_responses_as_in_a_report(site: Site, tmp_path: Path) -> None:
    make_versions(site)
    crawl = in_crawl(Crawled(tmp_path / "versions.sqlite", site.url("/")))
    found = {name: (crawl[site.url(f"/{name}")]["hreflang-return"], crawl[site.url(f"/{name}")]["hreflang-targets"]) for name in VERSIONS}

    assert found == {name: (returns, valid) for name, (_, returns, valid) in VERSIONS.items()}
    assert crawl[site.url("/")]["hreflang-return"] == "inapplicable"
    assert not [item for item in differing(crawl, in_reports(crawl)) if item[1].startswith("hreflang-")]


@pytest.mark.full
def test_a_sitemap_with_language_versions_leaves_only_faults_certain(site: Site, tmp_path: Path) -> None:
    make_versions(site)
    alternates = f'<xhtml:link rel="alternate" hreflang="fr" href="{site.url("/fr")}"/>'
    entries = f"<url><loc>{site.url('/good')}</loc>{alternates}</url>"
    names = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    site.page("/sitemap.xml", f"<urlset {names}>{entries}</urlset>", content_type="application/xml")
    crawl = in_crawl(Crawled(tmp_path / "versions.sqlite", site.url("/")))
    found = {name: (crawl[site.url(f"/{name}")]["hreflang-return"], crawl[site.url(f"/{name}")]["hreflang-targets"]) for name in VERSIONS}

    assert found["good"] == found["silent"] == (UNKNOWN, UNKNOWN)
    assert found["hidden"] == (UNKNOWN, "failed")


@pytest.mark.full
def test_verdicts_of_two_hundred_pages_equal_those_of_their_reports(make_site: Callable[[], Site], tmp_path: Path) -> None:
    pages = 0
    both: Counter[str] = Counter()
    wrong = []
    for number, (make, faults) in enumerate(
        ((make_business, BUSINESS), (make_docs, {}), (make_countries, {}), (make_store, STORE), (make_news, NEWS), (make_versions, {}))
    ):
        site = make_site()
        make(site)
        for fault in faults.values():
            fault.plant(site)
        crawl = in_crawl(Crawled(tmp_path / f"{number}.sqlite", site.url("/"), pages=200))
        chosen = dict(list(crawl.items())[:: max(1, len(crawl) // 50)])
        reports = in_reports(chosen)
        pages += len(chosen)
        both.update(name for url, found in chosen.items() for name, verdict in found.items() if verdict != UNKNOWN and name in reports[url])
        wrong += differing(crawl, reports)
    sites = [make_site() for _ in HOSTS]
    make_hosts(sites)
    crawl = in_crawl(Crawled(tmp_path / "hosts.sqlite", sites[0].url("/"), hosts=("127.0.0.1",)))
    wrong += differing(crawl, in_reports(crawl))

    assert pages + len(crawl) >= 200
    assert min(both[name] for name in ("hreflang-return", "hreflang-targets", "canonical-target", "keyword-overlap")) > 5
    assert wrong == []
